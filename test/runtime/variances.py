# RUN: %python %s
"""Variances of ranges that are cut into parts: no worse than twice the error of a plain f32 evaluation against float64, one
load of the input, and PyTorch's results where there are infinities and NaN."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

import fusir
from fusir.dialects import tt
from fusir.pipeline import run_pipeline
from fusir.targets.triton import triton_source
from fusir.tools.registry import make_context

ROUNDING = 5e-7
"""Relative error of a few roundings in f32."""


def loads(function: Callable[[Tensor], object], x: Tensor) -> list[int]:
    """How often each kernel loads its inputs."""
    module = fusir.trace(function, x)
    run_pipeline(make_context(), module)
    return [triton_source(op).count("tl.load(") for op in module.ops if isinstance(op, tt.FuncOp)]


def values(results: object) -> list[Tensor]:
    return [x.double() for x in (results if isinstance(results, tuple) else (results,)) if isinstance(x, Tensor)]


torch.manual_seed(0)
torch.set_num_threads(1)
CASES: list[tuple[Callable[[Tensor], object], Tensor]] = [
    (lambda x: x.var(), torch.randn(1 << 17) + 100),
    (lambda x: torch.var_mean(x, (0, 2)), torch.randn(3, 5, 40_000) + 1e3),
    (lambda x: x.var(1), torch.randn(3, 70_001)),
    (lambda x: ((x - 2.0) ** 2).mean(), torch.randn(1 << 17)),
]
for function, x in CASES:
    for got, exact in zip(values(fusir.compile(function)(x)), values(function(x.double())), strict=True):
        error = float(((got - exact).abs() / exact.abs()).max())
        assert error <= ROUNDING, error

# Mean and squares in one kernel, which reads x once; then the parts.
assert loads(lambda x: x.var(), torch.empty(1 << 24, device="meta")) == [1, 2]

special = torch.randn(4, 1 << 17)
special[0, 5], special[1, 7], special[2, 9] = float("inf"), float("nan"), float("-inf")
torch.testing.assert_close(fusir.compile(lambda x: x.var(1))(special), special.var(1), equal_nan=True)
