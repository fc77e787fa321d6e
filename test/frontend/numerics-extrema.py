# RUN: %python %s
"""Largest and smallest elements and their positions: ties, NaN, every dtype and dim, as eager has them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from frontend_checks import strict, tensors_of

import fusir

strict()
torch.manual_seed(0)
INF, NAN = float("inf"), float("nan")
FLOATS = (torch.float32, torch.float64, torch.bfloat16, torch.float16)
INTEGERS = (torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8)


def check(fn: Callable[..., Any], *inputs: torch.Tensor) -> None:
    """Compiled and run on each input, it gives the very elements and positions that eager gives."""
    torch.compiler.reset()
    compiled = fusir.compile(fn, dynamic=False)
    for x in inputs:
        actual, expected = tensors_of(compiled(x)), tensors_of(fn(x))
        assert len(actual) == len(expected)
        for got, want in zip(actual, expected, strict=True):
            assert got.dtype == want.dtype and got.shape == want.shape, (got, want)
            torch.testing.assert_close(got, want, rtol=0, atol=0, equal_nan=True)


def along(*dims: int, positions: bool = True) -> Callable[[torch.Tensor], Any]:
    """All reductions along some dims in one program."""

    def fn(x: torch.Tensor) -> list[Any]:
        found: list[Any] = []
        for dim in dims:
            found += [x.max(dim), x.min(dim, keepdim=True), x.amax(dim), x.amin(dim, keepdim=True), x.aminmax(dim=dim)]
            if positions:
                found += [x.argmax(dim), x.argmin(dim, keepdim=True), top(x, dim, True), top(x, dim, False)]
        return found

    return fn


def all_of(x: torch.Tensor) -> list[torch.Tensor]:
    return [x.max(), x.min(), x.argmax(), x.argmin(), x.amax(), x.argmax(keepdim=True)]


def top(x: torch.Tensor, dim: int, largest: bool) -> list[torch.Tensor]:
    """The value, and the element at the position: of equal elements eager gives any position."""
    found = torch.topk(x, 1, dim, largest)
    return [found.values, x.gather(dim, found.indices)]


def ties(shape: tuple[int, ...], dtype: torch.dtype) -> torch.Tensor:
    """Few different values, so that the first of many equal ones is asked for."""
    low = 0 if dtype == torch.uint8 else -3
    return torch.randint(low, 4, shape).to(dtype)


def special(x: torch.Tensor) -> torch.Tensor:
    """With NaN and infinities, rows and columns of them alone among these."""
    x = x.clone()
    flat = x.view(-1)
    places = torch.randperm(flat.numel())
    count = max(1, flat.numel() // 8)
    flat[places[:count]] = INF
    flat[places[-count:]] = -INF
    flat[places[count : count + max(1, count // 4)]] = NAN
    if x.dim() > 1 and min(x.shape) > 2:
        x[0], x[1], x[2, 0] = -INF, NAN, NAN
        x[..., 0], x[..., 1] = -INF, INF
    return x


# Every dtype, dim and kind of value.
for dtype in (*FLOATS, *INTEGERS):
    x = ties((5, 7, 3), dtype)
    inputs = (x, special(x)) if dtype in FLOATS else (x,)
    dims = (0, 1, -1) if dtype in (torch.float32, torch.uint8) else (-1,)
    check(lambda x, dims=dims: [along(*dims)(x), all_of(x)], *inputs)
check(along(1, positions=False), torch.rand(6, 9) < 0.3)
check(lambda x: [x.max(), x.min(), x.any(), x.all()], torch.rand(6, 9) < 0.3)
check(lambda x: [torch.topk(x, 1).indices, torch.topk(x, 1, 0, False).indices], torch.rand(40, 50))

# Extents of 1, primes, long rows, few rows, columns: in registers, in steps, and split over programs.
for shape, dims in (
    ((1, 131), (0, 1)),
    ((131, 1), (0, 1)),
    ((3, 4099), (1,)),
    ((3, 100_003), (1,)),
    ((10_007, 5), (0,)),
    ((2, 5003, 33), (1,)),
):
    x = ties(shape, torch.float32)
    check(along(*dims), x, special(x))
check(along(-1), ties((2, 3, 70_001), torch.bfloat16))

# The whole tensor, split over programs: the first of equal elements, whichever part it is in; the first NaN before all.
for count in (1, 1000, 300_007):
    inputs = [torch.full((count,), -INF), torch.full((count,), INF)]
    for place in sorted({0, count // 3, count - 1}):
        x = ties((count,), torch.float32)
        x[place] = x[-1] = 9.0
        y = x.clone()
        y[place], y[-1] = NAN, INF
        z = y.clone()
        z[-1] = NAN
        inputs += [x, y, z]
    check(all_of, *inputs)
check(all_of, torch.zeros(65_537, dtype=torch.uint8))
check(all_of, torch.full((65_537,), torch.iinfo(torch.int64).min))
check(all_of, ties((301, 1009), torch.bfloat16))
check(all_of, ties((301, 1009), torch.float32).t())
check(lambda x: [x.amax(), x.argmax(), x.abs().amin(), x.abs().argmin()], torch.randn(1009, 503))
check(lambda x: (x * 2).max(1).values.argmax(), torch.randn(1009, 503))
