# RUN: %python %s
"""Reductions where they are special: integers and booleans, nothing to reduce, NaN and infinities, as eager has them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from frontend_checks import strict, tensors_of
from torch.nn import functional as F

import fusir

strict()
torch.manual_seed(0)
INF, NAN = float("inf"), float("nan")
TOLERANCES = {torch.float32: 1e-5, torch.float64: 1e-12, torch.bfloat16: 1e-2, torch.float16: 2e-3}


def check(fn: Callable[..., Any], *inputs: torch.Tensor) -> None:
    """Compiled and run on each input, it gives what eager gives: numbers close, everything else the same.

    Of half precision, what eager gives in f64: its f16 products overflow and underflow on the way.
    """
    torch.compiler.reset()
    compiled = fusir.compile(fn, dynamic=False)
    for x in inputs:
        is_half = x.dtype in (torch.float16, torch.bfloat16)
        actual, expected = tensors_of(compiled(x)), tensors_of(fn(x.double() if is_half else x))
        if is_half:
            expected = [want.to(x.dtype) if want.dtype == torch.float64 else want for want in expected]
        assert len(actual) == len(expected)
        for position, (got, want) in enumerate(zip(actual, expected, strict=True)):
            assert got.dtype == want.dtype and got.shape == want.shape, (position, got, want)
            tolerance = TOLERANCES.get(want.dtype, 0.0)
            torch.testing.assert_close(got, want, rtol=tolerance, atol=tolerance, equal_nan=True)


def raises(fn: Callable[..., Any], x: torch.Tensor) -> None:
    """Compiled, it is an error, as it is in eager."""
    torch.compiler.reset()
    for call in (fn, fusir.compile(fn)):
        try:
            call(x)
        except Exception:
            continue
        raise AssertionError(f"no error for {list(x.shape)}")


# Integers and booleans: sums and products are i64 and wrap; any, all, and extrema.
def of_integers(x: torch.Tensor) -> list[torch.Tensor]:
    found = [x.sum(), x.sum(0), x.sum(1, dtype=torch.int32), x.any(1), x.all(0), x.any(), x.all(), x.amax(0), x.amin(1)]
    found += [x.count_nonzero(1), x.sum(0, dtype=torch.float32), x.to(torch.float32).mean(1), x.amax(), x.amin()]
    return [*found, x.prod(1), x.prod()]


for dtype in (torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8):
    info = torch.iinfo(dtype)
    full = torch.randint(info.min, info.max, (7, 33), dtype=dtype)
    small = torch.randint(0, 2, (7, 33), dtype=dtype)
    check(
        of_integers, full, small, torch.full((7, 33), info.min, dtype=dtype), torch.full((7, 33), info.max, dtype=dtype)
    )
check(lambda x: of_integers(x)[:-2], torch.rand(7, 33) < 0.5, torch.ones(7, 33).bool(), torch.zeros(7, 33).bool())
check(lambda x: [x.prod(1), x.prod()], torch.rand(7, 33) < 0.9, torch.ones(7, 33).bool())
check(of_integers, torch.randint(-(1 << 62), 1 << 62, (5, 40_009)))
check(lambda x: [x.sum(), x.any(), x.all(), x.amax(), x.count_nonzero()], torch.rand(300_007) < 0.5)


# Nothing to reduce: neutral elements and NaN; an extremum of nothing is an error.
def of_nothing(x: torch.Tensor) -> list[torch.Tensor]:
    return [x.sum(0), x.sum(), x.prod(0), x.prod(), x.any(0), x.all(0), x.any(), x.all(), x.count_nonzero(0)]


def of_no_floats(x: torch.Tensor) -> list[torch.Tensor]:
    found = [x.mean(0), x.mean(), x.nansum(0), x.norm(dim=0), x.norm(), x.logsumexp(0)]
    return [*found, torch.linalg.vector_norm(x, 1, 0), x.softmax(0), x.softmax(1), x.log_softmax(0)]


for dtype in (torch.float32, torch.bfloat16, torch.int64, torch.uint8, torch.bool):
    check(of_nothing, torch.zeros(0, 3).to(dtype))
check(lambda x: [x.sum(0), x.sum(1), x.sum()], torch.zeros(4, 0))
for dtype in (torch.float32, torch.bfloat16):
    check(of_no_floats, torch.zeros(0, 3, dtype=dtype))
check(lambda x: [x.sum(1), x.amax(1), x.argmax(1), *x.max(1), x.mean(1), x.softmax(1), x.var(1)], torch.zeros(0, 3))
for fn in (
    lambda x: x.max(),
    lambda x: x.amax(0),
    lambda x: x.amin(),
    lambda x: x.min(0).values,
    lambda x: x.argmax(),
    lambda x: x.argmin(0),
    lambda x: torch.topk(x, 1, 0).values,
):
    raises(fn, torch.zeros(0, 3))


# NaN and infinities go where they go in eager: in registers, in steps, split over programs.
def of_floats(x: torch.Tensor) -> list[torch.Tensor]:
    found = [x.sum(1), x.mean(1), x.amax(1), x.amin(1), x.argmax(1), x.argmin(1), x.var(1), x.std(1)]
    found += [x.norm(dim=1), x.logsumexp(1), x.softmax(1), x.log_softmax(1), x.nansum(1), (x > 0).any(1)]
    return [*found, x.sum(), x.mean(), x.amax(), x.amin(), x.argmax(), x.sum(0), x.amax(0), x.logsumexp(0), x.mean(0)]


def awkward(rows: int, length: int, dtype: torch.dtype) -> torch.Tensor:
    """Rows of infinities, of NaN, of both, and with one of them at either end."""
    x = torch.randn(rows, length).mul(0.5).to(dtype)
    x[0], x[1], x[2] = -INF, INF, NAN
    x[3, 0], x[4, -1], x[5, length // 2] = NAN, NAN, INF
    x[6, 0], x[6, -1] = INF, -INF
    x[7, length // 3] = -INF
    x[8, : length // 2] = -INF
    return x


for dtype in (torch.float32, torch.float64, torch.bfloat16, torch.float16):
    check(lambda x: [*of_floats(x), x.prod(1)], awkward(11, 37, dtype))
check(of_floats, awkward(9, 33_001, torch.float32))
check(
    lambda x: [x.logsumexp((0, 1)), x.amax(), x.mean(), x.norm(), x.var()],
    *(torch.full((3, 50_021), value) for value in (-INF, INF, NAN)),
)
check(lambda x: [F.layer_norm(x, (37,)), F.normalize(x, dim=1), F.softmin(x, 1)], awkward(11, 37, torch.float32))
check(lambda x: F.cross_entropy(x, torch.tensor([0] * 11), reduction="none"), awkward(11, 37, torch.float32))
