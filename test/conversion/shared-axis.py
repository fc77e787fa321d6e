# RUN: %python %s
"""Rows shared by 1 to 64 programs give what float64 gives, and the same bits as long as the parts are the same: with an
exchange for each reduction, and with one for a cascade."""

from __future__ import annotations

import torch
from row_kernels import (
    Function,
    all_of,
    compare_with_float64,
    layer_norm,
    log_softmax,
    lower,
    position,
    rows,
    softmax,
)
from torch import Tensor
from xdsl.dialects.builtin import ArrayAttr, StringAttr

from fusir.dialects import tt
from fusir.dialects.loop import AxisAttr, AxisKind, KernelOp, LoopOp, ParallelOp, ScheduleAttr
from fusir.interpreters.module import interpret_module
from fusir.transforms.loop.online import merge_cascades

torch.set_num_threads(1)


def share(kernel: KernelOp, size: int, index_bits: int, steps: int | None) -> None:
    """A schedule with one row a program and its reduced dims shared in tiles of `size`.

    The first of several reduced dims is walked in steps of `steps`, if that is not None.
    """
    axes = {
        "l": AxisAttr(("l", AxisKind.LOOP, steps or 1)),
        "r": AxisAttr(("r", AxisKind.SHARED, size)),
        "x": AxisAttr(("x", AxisKind.PROGRAM, 1)),
    }
    used: set[str] = set()
    for op in kernel.walk():
        if isinstance(op, LoopOp):
            is_outer = isinstance(op, ParallelOp) and op.parent_op() is kernel
            names = ["x" if is_outer else "r"] * len(op.indices)
            if steps is not None and not is_outer and len(names) > 1:
                names[0] = "l"
            used.update(names)
            op.properties["axes"] = ArrayAttr([StringAttr(name) for name in names])
    kernel.properties["schedule"] = ScheduleAttr((tuple(axes[name] for name in sorted(used)), 1, 1, index_bits))


def normalize(x: Tensor) -> tuple[Tensor, Tensor]:
    norm = x.abs().sum(-1, keepdim=True)
    return x / norm, norm


def batch_norm(x: Tensor, mean: Tensor) -> tuple[Tensor, Tensor]:
    """Reduces (n, hw) around the channel and updates running statistics."""
    own = x.mean((0, 2))
    var = (x - own[:, None]).square().mean((0, 2))
    return (x - own[:, None]) * (var[:, None] + 1e-5).rsqrt(), mean * 0.9 + own * 0.1


def integers(x: Tensor) -> Tensor:
    n = (x * 10).to(torch.int64)
    return n - n.sum(-1, keepdim=True) * n.amax(-1, keepdim=True)


def covariance(x: Tensor) -> tuple[Tensor, Tensor]:
    """Sums of products of deviations from two means."""
    y = x.sin()
    u, v = x - x.mean(-1, keepdim=True), y - y.mean(-1, keepdim=True)
    both = (u * v).mean(-1, keepdim=True)
    return u * both, both


def standardised_softmax(x: Tensor) -> Tensor:
    """No maximum follows the standard deviation by a shift: it takes an exchange of its own."""
    u = x - x.mean(-1, keepdim=True)
    return torch.softmax(u * (u.square().mean(-1, keepdim=True) + 1e-5).rsqrt(), -1)


EXCHANGES = {
    "softmax": 1,
    "log_softmax": 1,
    "layer_norm": 1,
    "batch_norm": 1,
    "covariance": 1,
    "standardised_softmax": 2,
}
"""The exchanges that cascades make once they are merged."""


def check(
    function: Function,
    inputs: list[Tensor],
    size: int,
    tolerance: float,
    index_bits: int = 32,
    steps: int | None = None,
) -> None:
    """Compare with float64, with an exchange for each reduction and with merged cascades."""
    waits = check_one(function, inputs, size, tolerance, index_bits, False, steps)
    if (fewer := EXCHANGES.get(function.__name__)) is not None and waits:
        assert fewer < waits, f"{function.__name__}: {waits} exchanges"
        waits = check_one(function, inputs, size, tolerance, index_bits, True, steps)
        assert waits == fewer, f"{function.__name__}: {waits} exchanges"


def check_one(
    function: Function,
    inputs: list[Tensor],
    size: int,
    tolerance: float,
    index_bits: int,
    merged: bool,
    steps: int | None,
) -> int:
    """Compare with float64; the number of exchanges, for each reduction or, if `merged`, for each cascade."""

    def schedule(kernel: KernelOp) -> None:
        if merged:
            merge_cascades(kernel)
        share(kernel, size, index_bits, steps)

    module, functions = lower(function, inputs, schedule)
    results = compare_with_float64(function, inputs, module, functions, tolerance)
    for result, again in zip(results, interpret_module(module, inputs), strict=True):
        assert isinstance(again, Tensor) and torch.equal(result.view(torch.uint8), again.view(torch.uint8))
    return sum(tt.as_wait(op) is not None for each in functions for op in each.walk())


# Extent and size: 1 to 64 parts, tiles that are full, parts of odd length, a last part of one element.
SHAPES = [(1, 1), (5, 8), (70, 32), (64, 16), (129, 64), (53, 1), (1000, 16), (1100, 512)]

for extent, size in SHAPES:
    check(softmax, [rows(3, extent)], size, 1e-5)
for extent, size in ((700, 512), (37, 8)):
    x = rows(3, extent)
    for function in (log_softmax, normalize, all_of, integers, position, covariance, standardised_softmax):
        check(function, [x], size, 1e-5)
    check(layer_norm, [x, rows(1, extent)[0], rows(1, extent + 1)[0, :extent].contiguous()], size, 1e-4)
    check(softmax, [x.bfloat16()], size, 1e-2)
    check(softmax, [x.half()], size, 1e-3)
    check(softmax, [x.double()], size, 1e-14, 64)

# One group of programs.
check(softmax, [rows(1, 37)], 8, 1e-5)

for n, c, hw, size in ((4, 3, 7, 8), (2, 5, 33, 16), (3, 1, 64, 64), (8, 2, 16, 32)):
    image = torch.randn(n, c, hw, generator=torch.Generator().manual_seed(hw))
    check(batch_norm, [image, torch.randn(c)], size, 1e-4, 32 if n > 2 else 64)

# Each program walks several parts of the row: what it carries to the end of its walk is exchanged.
image = torch.randn(5, 3, 37, generator=torch.Generator().manual_seed(5))
for steps in (1, 2, 8):
    check(batch_norm, [image, torch.randn(3)], 16, 1e-4, steps=steps)

# Of the values that are not finite every program of the row learns.
special = rows(6, 70)
special[0, 69] = float("nan")
special[1, 3] = float("inf")
special[2, 40] = float("-inf")
special[3] = float("-inf")
special[4, :] = 7.0
special[5, :40] = float("-inf")
for function in (softmax, log_softmax, normalize, position):
    check(function, [special], 16, 1e-5)

# Rows do not mix: many rows, more than one chunk of the interpreter.
check(softmax, [rows(700, 1000)], 512, 1e-5)
