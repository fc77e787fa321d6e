# RUN: %python %s
"""Reductions over rows and over columns of one tensor against float64, at loop level and at tile level.

The extents are odd ones, and those for which tensors are cut in as many parts as on a device; where the law does not
apply the results must be right all the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import torch
from agreement import run
from xdsl.dialects.builtin import ModuleOp

import fusir
from fusir.dialects.loop import KernelOp, LoopOp, ReduceOp
from fusir.pipeline import make_pass, run_pipeline
from fusir.tools.registry import make_context

TOLERANCE = {torch.float32: 2e-5, torch.bfloat16: 2e-2}
"""Of the largest element of a result."""

torch.manual_seed(0)
torch.set_num_threads(1)


def layer_norm_backward(x, g, w):
    mean = x.mean(-1, keepdim=True)
    rstd = torch.rsqrt(x.var(-1, unbiased=False, keepdim=True) + 1e-2)
    xhat, wg = (x - mean) * rstd, g * w
    dx = rstd * (wg - wg.mean(-1, keepdim=True) - xhat * (wg * xhat).mean(-1, keepdim=True))
    return dx, (g * xhat).sum(0), g.sum(0)


def transposed(x, g, w):
    return x.t().contiguous(), x.sum(0), x.sum(1), (x * g).t().contiguous()


def extremes(x, g, w):
    return x.amax(0), x.argmax(1), x.amin(1), (x < 0).all(0), x.exp()


def softmax_and_columns(x, g, w):
    y = torch.softmax(x, 1)
    return y, (y * g).sum(0) * 2, y.amax(0), w * 2


def everything(x, g, w):
    return x.sum(), x.sum(0), x.sum(1)


FUNCTIONS = (layer_norm_backward, transposed, extremes, softmax_and_columns, everything)
SHAPES = ((1, 1), (1, 9), (9, 1), (7, 13), (40, 48), (300, 7), (2112, 40), (132, 4099))


def walks(module: ModuleOp) -> int:
    """The kernels that reduce rows in a walk over rows."""
    kernels = [op for op in module.ops if isinstance(op, KernelOp)]
    return sum(any(_is_walk(op) for op in kernel.walk()) for kernel in kernels)


def _is_walk(op: Any) -> bool:
    return isinstance(op, ReduceOp) and any(isinstance(inner, LoopOp) for inner in op.body.block.ops)


def check(fn: Callable[..., Sequence[torch.Tensor]], inputs: Sequence[torch.Tensor], exact: bool = False) -> int:
    expected = fn(*(each.double() for each in inputs))
    module = fusir.trace(fn, *inputs)
    run_pipeline(make_context(), module, upto="loop")
    found = walks(module)
    for level in ("loop", "tt"):
        if level == "tt":
            for name in ("loop-schedule", "convert-loop-to-tt"):
                make_pass(name).apply(make_context(), module)
        for place, (got, wanted) in enumerate(zip(run(module, inputs), expected, strict=False)):
            assert isinstance(got, torch.Tensor) and got.shape == wanted.shape
            what = f"{fn.__name__} of {tuple(inputs[0].shape)} {inputs[0].dtype}, result {place} at {level} level"
            if exact or not got.is_floating_point():
                assert torch.equal(got.double(), wanted.double()), what
            else:
                limit = TOLERANCE[inputs[0].dtype] * max(1.0, wanted.abs().max().item())
                assert (got.double() - wanted).abs().max().item() <= limit, what
    return found


def random(shape: tuple[int, int], dtype: torch.dtype) -> Iterator[torch.Tensor]:
    yield torch.randn(shape).to(dtype)
    yield torch.randn(shape).to(dtype)
    yield torch.randn(shape[1]).to(dtype)


applied = 0
for shape in SHAPES:
    for dtype in TOLERANCE if shape in ((7, 13), (2112, 40)) else (torch.float32,):
        inputs = tuple(random(shape, dtype))
        applied += sum(check(fn, inputs) for fn in FUNCTIONS)
assert applied >= 15, applied

# NaN and infinities are where they are in the columns and rows of eager.
x = torch.randn(40, 48)
x[3, 5], x[7, 9], x[8, 9] = float("nan"), float("inf"), float("-inf")


def special(x):
    return x.sum(0).isnan(), x.amax(1).isnan(), x.amin(0) == float("-inf"), x.sum(1).isinf(), x.amax(0).isnan()


assert check(special, (x,), exact=True) == 1
