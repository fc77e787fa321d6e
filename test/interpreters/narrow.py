# RUN: %python %s
"""Tiles are narrowed where a mask guards every access and every fold, and nowhere else."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

import torch
import triton
import triton.language as tl
from triton_ttir import function_of

from fusir.interpreters.memory import MemoryAccessError
from fusir.interpreters.narrow import narrowed_shapes
from fusir.interpreters.tt import launch

torch.manual_seed(0)
POINTERS = {"p": "*fp32", "q": "*fp32", "r": "*fp32"}


@triton.jit
def normalized_rows(p, q, r, N: tl.constexpr, R: tl.constexpr, X: tl.constexpr):
    x = tl.program_id(0) * X + tl.arange(0, X)[:, None]
    k = tl.arange(0, R)[None, :]
    mask = k < N
    a = tl.load(p + x * N + k, mask, 0.0)
    w = tl.load(q + k, mask, 0.0)
    mean = tl.sum(a, 1)[:, None] / N
    centered = tl.where(mask, a - mean, 0.0)
    scale = tl.rsqrt(tl.sum(centered * centered, 1)[:, None] / N + 1e-5)
    tl.store(r + x * N + k, centered * scale * w, mask)


@triton.jit
def guarded_rows(p, q, r, N: tl.constexpr, R: tl.constexpr, X: tl.constexpr):
    x = tl.program_id(0) * X + tl.arange(0, X)[:, None]
    k = tl.arange(0, R)[None, :]
    mask = k < N
    a = tl.load(p + x * N + k, mask, 0.0)
    largest = tl.max(tl.where(mask, a, -3.0e38), 1)[:, None]
    total = tl.sum(tl.where(mask, tl.exp(a), 0.0), 1)[:, None]
    tl.store(r + x * N + k, a * 0.0 + largest + total, mask)


@triton.jit
def masked_rows(p, q, r, N: tl.constexpr, R: tl.constexpr, X: tl.constexpr):
    x = tl.program_id(0) * X + tl.arange(0, X)[:, None]
    k = tl.arange(0, R)[None, :]
    mask = k < N
    a = tl.load(p + x * N + k, mask, 0.0)
    total = tl.sum(tl.where(mask, tl.exp(a), 0.0), 1)[:, None]
    tl.store(r + x * N + k, total + a, mask)


@triton.jit
def sum_of_padding(p, q, r, N: tl.constexpr, R: tl.constexpr, X: tl.constexpr):
    x = tl.program_id(0) * X + tl.arange(0, X)[:, None]
    k = tl.arange(0, R)[None, :]
    a = tl.load(p + x * N + k, k < N, 0.0)
    tl.store(r + x * N + k, tl.sum(tl.exp(a), 1)[:, None] + a, k < N)


@triton.jit
def unmasked_load(p, q, r, N: tl.constexpr, R: tl.constexpr, X: tl.constexpr):
    x = tl.program_id(0) * X + tl.arange(0, X)[:, None]
    k = tl.arange(0, R)[None, :]
    a = tl.load(p + x * N + k, k < N, 0.0) + tl.load(q + k)
    tl.store(r + x * N + k, a, k < N)


@triton.jit
def square(p, q, r, N: tl.constexpr, R: tl.constexpr, X: tl.constexpr):
    x = tl.arange(0, R)[:, None]
    k = tl.arange(0, R)[None, :]
    a = tl.load(p + x * R + k, k < N, 0.0)
    tl.store(r + x * R + k, a + x, k < N)


def is_narrowed(kernel, n: int = 20, r: int = 32) -> bool:
    f = function_of(kernel, POINTERS, {"N": n, "R": r, "X": 2})
    shapes = narrowed_shapes(f)
    assert all(n in shape and r not in shape for shape in shapes.values())
    return bool(shapes)


def run(kernel, n: int, r: int, rows: int, q: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    f = function_of(kernel, POINTERS, {"N": n, "R": r, "X": 2})
    p, out = torch.randn(rows, n), torch.full((rows, n), 7.0)
    launch(f, [p, q, out], rows // 2)
    return p, out


def test_narrowed() -> None:
    assert is_narrowed(masked_rows)
    p, out = run(masked_rows, 20, 32, 6, torch.zeros(1))
    torch.testing.assert_close(out, p.exp().sum(1, keepdim=True) + p, rtol=1e-5, atol=1e-5)


def test_folds_that_see_other_lanes() -> None:
    # (a - mean)^2 is selected before the product, which is no identity that the analysis knows of.
    assert not is_narrowed(normalized_rows)
    weight = torch.randn(20)
    p, out = run(normalized_rows, 20, 32, 6, weight)
    torch.testing.assert_close(out, torch.nn.functional.layer_norm(p, (20,), weight), rtol=1e-4, atol=1e-4)
    # A finite number is not the identity of the maximum.
    assert not is_narrowed(guarded_rows)
    p, out = run(guarded_rows, 20, 32, 6, torch.zeros(1))
    expected = (p.amax(1, keepdim=True) + p.exp().sum(1, keepdim=True)).expand(6, 20)
    torch.testing.assert_close(out, expected, rtol=1e-5, atol=1e-5)
    assert not is_narrowed(sum_of_padding)
    p, out = run(sum_of_padding, 20, 32, 6, torch.zeros(1))
    torch.testing.assert_close(out, p.exp().sum(1, keepdim=True) + 12 + p, rtol=1e-5, atol=1e-5)


def test_accesses_without_the_mask() -> None:
    assert not is_narrowed(unmasked_load)
    try:
        run(unmasked_load, 20, 32, 6, torch.zeros(20))
    except MemoryAccessError as error:
        assert "offset 31 of buffer 'q', which spans 20" in str(error), error
    else:
        raise AssertionError("a read behind the end of q must be found")


def test_two_dims_of_one_extent() -> None:
    f = function_of(square, POINTERS, {"N": 20, "R": 32, "X": 2})
    p, out = torch.randn(32, 32), torch.zeros(32, 32)
    launch(f, [p, p, out], 1)
    expected = torch.where(torch.arange(32) < 20, p + torch.arange(32)[:, None], 0.0)
    torch.testing.assert_close(out, expected, rtol=0, atol=0)


for name, test in list(globals().items()):
    if name.startswith("test_"):
        test()
