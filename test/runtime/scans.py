# RUN: %python %s
"""Prefixes through the whole compiler, on the CPU: against float64, at odd extents, of every dtype, of NaN and infinities."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

import fusir

torch.manual_seed(0)
torch.set_num_threads(1)
nan, inf = float("nan"), float("inf")

Function = Callable[..., Any]


def compiled(fn: Function) -> Function:
    torch.compiler.reset()
    return fusir.compile(fn, dynamic=False, fullgraph=True)


def check(name: str, fn: Function, x: torch.Tensor, tolerance: float = 0.0) -> None:
    """The results are those of eager, within a tolerance relative to the largest element."""
    found, expected = (result if isinstance(result, tuple) else (result,) for result in (compiled(fn)(x), fn(x)))
    for a, b in zip(found, expected, strict=True):
        assert (a.dtype, a.shape, a.stride()) == (b.dtype, b.shape, b.stride()), f"{name}: {a.dtype} {a.shape}"
        if not tolerance or not a.is_floating_point():
            assert torch.equal(a.nan_to_num(nan=7.5), b.nan_to_num(nan=7.5)), f"{name}: {a} and not {b}"
        else:
            assert torch.equal(a.isfinite(), b.isfinite()), f"{name}: {a} and not {b}"
            a, b = a.double(), b.double()
            scale = b[b.isfinite()].abs().max().item() if b.isfinite().any() else 1.0
            torch.testing.assert_close(a, b, rtol=0, atol=tolerance * max(scale, 1.0), equal_nan=True, msg=name)


def reversed_sum(x: torch.Tensor) -> torch.Tensor:
    return x.flip(-1).cumsum(-1).flip(-1)


def exclusive_sum(x: torch.Tensor) -> torch.Tensor:
    return torch.cat((torch.zeros_like(x[..., :1]), x.cumsum(-1)[..., :-1]), -1)


# Sums are no less exact than eager's, or about a rounding of the result for each doubling of the length.

for name, fn in {"cumsum": lambda x: x.cumsum(-1), "from the end": reversed_sum, "exclusive": exclusive_sum}.items():
    for shape in ((2, 8197), (65536,), (1, 34000)):
        x = torch.rand(shape)
        program = compiled(fn)
        exact, found = fn(x.double()), program(x)
        errors = [(each.double() - exact).abs().max().item() for each in (found, fn(x))]
        allowed = max(errors[1], 16 * torch.finfo(torch.float32).eps * exact.abs().max().item())
        assert errors[0] <= allowed, f"{name} {shape}: {errors[0]}, eager's {errors[1]}"
        assert torch.equal(program(x), found), f"{name} {shape}: other bits"

# Extents 0, 1 and primes; dims in the middle; operands that are not contiguous.

SUMS = {"cumsum": lambda x, d: x.cumsum(d), "from the end": lambda x, d: x.flip(d).cumsum(d).flip(d)}
PAIRS = {"cummax": torch.cummax, "cummin": torch.cummin}
SHAPES = (
    ((1, 1), 1),
    ((0, 3), 1),
    ((3, 0), 1),
    ((5, 1), 1),
    ((7, 1009), 1),
    ((3, 17, 10), 1),
    ((2, 4099), -1),
    ((300, 3), 0),
)
for shape, dim in SHAPES:
    x = torch.randint(-9, 9, shape)
    for name, fn in SUMS.items():
        check(f"{name} {shape}", lambda x, fn=fn, dim=dim: fn(x, dim), x)
    for name, fn in PAIRS.items():
        check(f"{name} {shape}", lambda x, fn=fn, dim=dim: fn(x, dim), x.float())
    check(f"logcumsumexp {shape}", lambda x, dim=dim: x.logcumsumexp(dim), torch.randn(shape) * 9, 1e-6)
grid = torch.randint(-9, 9, (40, 66)).float()
for name, fn in (SUMS | PAIRS).items():
    check(f"{name} of columns", lambda x, fn=fn: fn(x, 0), grid.t())
    check(f"{name} of a part", lambda x, fn=fn: fn(x, 1), grid[::3, 1:60:2])
    check(f"{name} of repeats", lambda x, fn=fn: fn(x, 1), grid[0].expand(5, 66))

# Ties, NaN and infinities, of every dtype; the rows are longer than a step.

special = torch.tensor(
    [
        [1, nan, 3, nan, 3, -inf, inf],
        [-inf, -inf, 0, 0, 1, inf, inf],
        [inf, -inf, nan, 1, 2, 3, 4],
        [3, 3, 1, 3, 3, 3, 2],
        [-inf] * 7,
        [inf] * 7,
    ]
)
long = torch.cat((special[:, :5], special[:, 3:4].expand(6, 4200), special), 1)
for dtype in (torch.float32, torch.float64, torch.float16, torch.bfloat16):
    tolerance = max(4 * torch.finfo(dtype).eps, 1e-12)
    x = long.to(dtype)
    for name, fn in PAIRS.items():
        check(f"{name} {dtype}", lambda x, fn=fn: fn(x, 1), x)
    check(f"logcumsumexp {dtype}", lambda x: x.logcumsumexp(1), x, tolerance)
    check(f"cumsum {dtype}", lambda x: x.cumsum(1), x, tolerance)
for dtype in (torch.int64, torch.int8, torch.uint8):
    x = torch.randint(0, 5, (4, 4500)).to(dtype)
    x[0], x[1, 7] = torch.iinfo(dtype).min, torch.iinfo(dtype).max
    for name, fn in PAIRS.items():
        check(f"{name} {dtype}", lambda x, fn=fn: fn(x, 1), x)
check("cummax of booleans", lambda x: torch.cummax(x, 1), torch.rand(4, 33) > 0.5)
check("cummin of a scalar", lambda x: torch.cummin(x, 0), torch.tensor(3.0))
check("cumsum of booleans", lambda x: x.cumsum(0), torch.rand(40000) > 0.5)
