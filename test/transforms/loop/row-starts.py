# RUN: %python %s
"""Reductions over rows that start anywhere, as `loop-schedule` cuts them, against float64 in the interpreter."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

import fusir

torch.set_num_threads(1)

Function = Callable[..., Tensor]


def softmax(x: Tensor) -> Tensor:
    return torch.softmax(x, -1)


def total(x: Tensor) -> Tensor:
    return x.sum(-1)


def variance(x: Tensor) -> Tensor:
    """One walk with a count, where the row is walked."""
    return x.var(-1, correction=0)


def scaled(x: Tensor, g: Tensor) -> Tensor:
    return torch.nn.functional.rms_norm(x, x.shape[-1:], g)


def added(x: Tensor, y: Tensor) -> Tensor:
    z = x + y
    return z - z.amax(-1, keepdim=True)


def check(function: Function, inputs: list[Tensor], segments: bool, tolerance: float) -> None:
    """Compare with float64; `segments` says whether a schedule is expected to have them."""
    schedules = fusir.explain(function, *inputs).stages["scheduled"]
    assert ("groups of" in schedules) == segments, schedules
    result = fusir.compile(function)(*inputs)
    reference = function(*(x.double() if x.is_floating_point() else x for x in inputs))
    torch.testing.assert_close(result.double(), reference.double(), rtol=tolerance, atol=tolerance, equal_nan=True)


def rows(count: int, extent: int, dtype: torch.dtype = torch.float32) -> Tensor:
    return torch.randn(count, extent, generator=torch.Generator().manual_seed(extent)).to(dtype)


# Rows in a tile and in steps, short ones in one segment; rows start everywhere.
for extent, segments in ((7, False), (8, False), (9, False), (1001, True), (4097, True), (50257, True)):
    if extent < 50257:
        check(softmax, [rows(9, extent)], segments, 1e-5)
        check(softmax, [rows(3, extent, torch.bfloat16)], segments, 1e-2)
    check(total, [rows(9, extent, torch.float16)], segments, 1e-2 * extent**0.5)
    check(total, [(rows(9, extent) * 3).to(torch.int8)], segments and extent > 2000, 0)
# Few long rows are shared between programs, in one segment; many are walked.
check(softmax, [rows(9, 50257)], False, 1e-5)
check(softmax, [rows(120, 50257, torch.bfloat16)], True, 1e-2)
# A tile has all but one element of a row.
check(softmax, [rows(9, 8193, torch.bfloat16)], True, 1e-2)
# Rows that would leave lanes of a tile idle.
check(softmax, [rows(9, 2101)], False, 1e-5)
check(variance, [rows(9, 50257)], True, 1e-5)
check(variance, [rows(9, 50257) + 1000], True, 1e-3)
check(scaled, [rows(9, 4097, torch.bfloat16), rows(1, 4097, torch.bfloat16)[0]], True, 2e-2)
check(added, [rows(9, 4097), rows(9, 4097, torch.bfloat16)], True, 1e-5)

# Views: rows that are parts of longer ones, that begin behind the start of the storage, off 16 bytes.
wide = rows(9, 4105)
check(softmax, [wide[:, 1:4098]], True, 1e-5)
check(softmax, [wide[1:, 5:4101]], True, 1e-5)
check(softmax, [rows(1, 4097 * 5 + 3)[0, 3:].view(5, 4097)], True, 1e-5)
check(softmax, [rows(9, 4097).t().contiguous().t()], False, 1e-5)

# What is not finite stays in its row.
special = rows(9, 4097)
special[0, 4096] = float("nan")
special[2, 0] = float("inf")
special[4, 4096] = float("-inf")
special[6] = float("-inf")
check(softmax, [special], True, 1e-5)
check(total, [special], True, 1e-3)
