# RUN: %python %s
"""Single operations of the tt interpreter: folds, scans, shapes, atomics, conversions, errors."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

import torch
import triton
import triton.language as tl
from triton.language.extra import libdevice
from triton_ttir import function_of, parse_function

from fusir.interpreters.memory import MemoryAccessError
from fusir.interpreters.tt import launch

torch.manual_seed(0)


def check(actual: torch.Tensor, expected: torch.Tensor, rtol: float = 0.0, atol: float = 0.0) -> None:
    torch.testing.assert_close(actual, expected, rtol=rtol, atol=atol, equal_nan=True)


@triton.jit
def welford_combine(mean_a, m2_a, weight_a, mean_b, m2_b, weight_b):
    delta = mean_b - mean_a
    weight = weight_a + weight_b
    ratio = tl.where(weight == 0.0, 0.0, weight_b / weight)
    return mean_a + delta * ratio, m2_a + m2_b + delta * delta * weight_a * ratio, weight


@triton.jit
def folds(p, out, indices, n, R: tl.constexpr):
    row = tl.program_id(0)
    k = tl.arange(0, R)
    a = tl.load(p + row * n + k, k < n, 0.0)
    tl.store(out + row * 5, tl.sum(a, 0))
    tl.store(out + row * 5 + 1, tl.max(tl.where(k < n, a, -1e30), 0))
    mean, m2, _ = tl.reduce((a, tl.zeros_like(a), tl.where(k < n, 1.0, 0.0)), 0, welford_combine)
    tl.store(out + row * 5 + 2, mean)
    tl.store(out + row * 5 + 3, m2 / n)
    tl.store(out + row * 5 + 4, tl.min(a, 0))
    tl.store(indices + row * 2, tl.argmax(a, 0))
    tl.store(indices + row * 2 + 1, tl.argmin(a, 0))


def test_folds() -> None:
    f = function_of(folds, {"p": "*fp32", "out": "*fp32", "indices": "*i32"}, {"R": 64} | {"n": 50})
    p = torch.randint(-4, 5, (33, 50)).float()
    out, indices = torch.empty(33, 5), torch.empty(33, 2, dtype=torch.int32)
    launch(f, [p, out, indices], 33)
    padded = torch.nn.functional.pad(p, (0, 14))
    variance, mean = torch.var_mean(p, 1, correction=0)
    expected = torch.stack((p.sum(1), p.amax(1), mean, variance, padded.amin(1)), 1)
    check(out, expected, rtol=1e-5, atol=1e-5)
    first = [[row.index(max(row)), row.index(min(row))] for row in padded.tolist()]
    check(indices, torch.tensor(first, dtype=torch.int32))


@triton.jit
def linear_combine(a, b, c, d):
    return a * c, b * c + d


@triton.jit
def scans(p, r, n: tl.constexpr, R: tl.constexpr):
    row = tl.program_id(0)
    k = tl.arange(0, R)
    a = tl.load(p + row * R + k)
    tl.store(r + row * R + k, tl.cumsum(a, 0))
    tl.store(r + n + row * R + k, tl.cumsum(a, 0, reverse=True))
    _, recurrence = tl.associative_scan((tl.full([R], 0.5, tl.float32), a), 0, linear_combine)
    tl.store(r + 2 * n + row * R + k, recurrence)
    _, backward = tl.associative_scan((tl.full([R], 0.5, tl.float32), a), 0, linear_combine, reverse=True)
    tl.store(r + 3 * n + row * R + k, backward)


def test_scans() -> None:
    f = function_of(scans, {"p": "*fp32", "r": "*fp32"}, {"n": 5 * 32, "R": 32})
    p = torch.randn(5, 32)
    r = torch.empty(4, 5, 32)
    launch(f, [p, r], 5)
    check(r[0], p.cumsum(1), rtol=1e-5, atol=1e-5)
    check(r[1], p.flip(1).cumsum(1).flip(1), rtol=1e-5, atol=1e-5)
    for result, source in ((r[2], p), (r[3].flip(1), p.flip(1))):
        state, expected = torch.zeros(5), []
        for column in source.unbind(1):
            state = state * 0.5 + column
            expected.append(state)
        check(result, torch.stack(expected, 1), rtol=1e-5, atol=1e-5)


@triton.jit
def shapes(p, r, X: tl.constexpr):
    x = tl.arange(0, X)[:, None]
    y = tl.arange(0, X)[None, :]
    a = tl.load(p + x * X + y)
    even, odd = tl.split(tl.reshape(a, [X, X // 2, 2]))
    swapped = tl.reshape(tl.join(odd, even), [X, X])
    flipped = tl.gather(a, X - 1 - y + x * 0, 1)
    r += x * X + y
    tl.store(r, swapped)
    tl.store(r + X * X, tl.trans(a) + flipped)
    index = tl.reshape(x * X + y, [X * X])
    tl.store(r + 2 * X * X, tl.reshape(index, [X, X]).to(tl.float32))
    cube = tl.reshape(a, [X // 2, 2, X])
    tl.store(r + 3 * X * X, tl.reshape(tl.permute(cube, [1, 0, 2]), [X, X]))


def test_shapes() -> None:
    f = function_of(shapes, {"p": "*fp32", "r": "*fp32"}, {"X": 8})
    p = torch.randn(8, 8)
    r = torch.empty(4, 8, 8)
    launch(f, [p, r], 1)
    check(r[0], p.view(8, 4, 2).flip(2).reshape(8, 8))
    check(r[1], p.t() + p.flip(1))
    check(r[2], torch.arange(64.0).view(8, 8))
    check(r[3], p.view(4, 2, 8).permute(1, 0, 2).reshape(8, 8))


@triton.jit
def histogram(p, r, X: tl.constexpr, BINS: tl.constexpr):
    a = tl.load(p + tl.program_id(0) * X + tl.arange(0, X))
    tl.atomic_add(r + tl.arange(0, BINS), tl.histogram(a, BINS))


def test_histogram() -> None:
    f = function_of(histogram, {"p": "*i32", "r": "*i32"}, {"X": 32, "BINS": 16})
    p = torch.randint(0, 16, (10, 32), dtype=torch.int32)
    r = torch.zeros(16, dtype=torch.int32)
    launch(f, [p, r], 10)
    check(r, torch.bincount(p.view(-1), minlength=16).to(torch.int32))


@triton.jit
def last_program(p, parts, counter, r, n, X: tl.constexpr, G: tl.constexpr):
    pid = tl.program_id(0)
    x = pid * X + tl.arange(0, X)
    tl.store(parts + pid, tl.sum(tl.load(p + x, x < n, 0.0)))
    if tl.atomic_add(counter, 1) == tl.num_programs(0) - 1:
        g = tl.arange(0, G)
        tl.store(r, tl.sum(tl.load(parts + g, g < tl.num_programs(0), 0.0)))
        tl.store(counter, 0)


def test_last_program_finishes() -> None:
    signature = {"p": "*fp32", "parts": "*fp32", "counter": "*i32", "r": "*fp32", "n": "i32"}
    f = function_of(last_program, signature, {"X": 16, "G": 64})
    p = torch.randn(1000)
    parts, counter, r = torch.zeros(63), torch.zeros(1, dtype=torch.int32), torch.zeros(1)
    for _ in range(2):
        launch(f, [p, parts, counter, r, 1000], 63)
        check(r, p.sum().view(1), rtol=1e-5, atol=1e-4)
        assert int(counter) == 0


@triton.jit
def atomics(i, v, sums, largest, old, X: tl.constexpr):
    x = tl.program_id(0) * X + tl.arange(0, X)
    where = tl.load(i + x)
    value = tl.load(v + x)
    tl.atomic_add(sums + where, value.to(tl.float32), value > -3)
    tl.store(old + x, tl.atomic_max(largest + where, value))


def test_atomics() -> None:
    f = function_of(atomics, {"i": "*i32", "v": "*i32", "sums": "*fp32", "largest": "*i32", "old": "*i32"}, {"X": 8})
    i = torch.randint(0, 5, (40,), dtype=torch.int32)
    v = torch.randint(-9, 9, (40,), dtype=torch.int32)
    sums, largest = torch.zeros(5), torch.full((5,), -100, dtype=torch.int32)
    old = torch.zeros(40, dtype=torch.int32)
    launch(f, [i, v, sums, largest, old], 5)
    expected_sums, state, expected_old = torch.zeros(5), [-100] * 5, []
    for where, value in zip(i.tolist(), v.tolist(), strict=True):
        expected_sums[where] += value if value > -3 else 0
        expected_old.append(state[where])
        state[where] = max(state[where], value)
    check(sums, expected_sums)
    check(largest, torch.tensor(state, dtype=torch.int32))
    check(old, torch.tensor(expected_old, dtype=torch.int32))


@triton.jit
def library(p, r, n: tl.constexpr):
    x = tl.arange(0, n)
    a = tl.load(p + x)
    tl.store(r + x, libdevice.tanh(a))
    tl.store(r + n + x, libdevice.erfc(a))
    tl.store(r + 2 * n + x, libdevice.pow(tl.abs(a), a))
    tl.store(r + 3 * n + x, libdevice.round(a * 2))
    tl.store(r + 4 * n + x, libdevice.isnan(a).to(a.dtype))
    tl.store(r + 5 * n + x, tl.clamp(a, -0.5, 0.5))
    tl.store(r + 6 * n + x, tl.math.fma(a, a, a))
    if a.dtype == tl.float32:
        tl.store(r + 7 * n + x, tl.sqrt_rn(tl.abs(a)) + tl.div_rn(a, a + 10))
    else:
        tl.store(r + 7 * n + x, libdevice.sqrt(tl.abs(a)) + a / (a + 10))


def test_library() -> None:
    for dtype, name in ((torch.float32, "*fp32"), (torch.float64, "*fp64")):
        f = function_of(library, {"p": name, "r": name}, {"n": 64})
        p = torch.randn(64, dtype=dtype) * 2
        p[3], p[4], p[5] = float("nan"), 0.25, -0.25
        r = torch.empty(8, 64, dtype=dtype)
        launch(f, [p, r], 1)
        away = torch.sign(p) * torch.floor((p * 2).abs() + 0.5)
        check(r[0], torch.tanh(p))
        check(r[1], torch.erfc(p))
        check(r[2], torch.pow(p.abs(), p))
        check(r[3], away)
        check(r[4], torch.isnan(p).to(dtype))
        check(r[5][~p.isnan()], p.clamp(-0.5, 0.5)[~p.isnan()])
        check(r[6], (p.double() * p.double() + p.double()).to(dtype))
        check(r[7], p.abs().sqrt() + p / (p + 10))


@triton.jit
def half(p, q, r, n: tl.constexpr):
    x = tl.arange(0, n)
    a, b = tl.load(p + x), tl.load(q + x)
    tl.store(r + x, a * b + a)


def test_half_rounds_each_operation() -> None:
    for dtype, name in ((torch.bfloat16, "*bf16"), (torch.float16, "*fp16")):
        f = function_of(half, {"p": name, "q": name, "r": name}, {"n": 256})
        p, q = torch.randn(2, 256).to(dtype)
        r = torch.empty(256, dtype=dtype)
        launch(f, [p, q, r], 1)
        check(r, (p.double() * q.double()).to(dtype).add(p))
        check(r, ((p.float() * q.float()).to(dtype).float() + p.float()).to(dtype))


@triton.jit
def casts(p, r, h, i, b, n: tl.constexpr):
    x = tl.arange(0, n)
    a = tl.load(p + x)
    tl.store(h + x, a.to(tl.bfloat16))
    tl.store(i + x, a.to(tl.int32))
    tl.store(b + x, a > 0.5)
    tl.store(r + x, a.to(tl.int32, bitcast=True))


def test_casts() -> None:
    f = function_of(casts, {"p": "*fp32", "r": "*i32", "h": "*bf16", "i": "*i32", "b": "*i1"}, {"n": 128})
    p = torch.randn(128) * 100
    p[0], p[1] = 1.00390625, 1.01171875  # halfway between two bf16 numbers: to even
    r, h = torch.empty(128, dtype=torch.int32), torch.empty(128, dtype=torch.bfloat16)
    i, b = torch.empty(128, dtype=torch.int32), torch.empty(128, dtype=torch.bool)
    launch(f, [p, r, h, i, b], 1)
    check(h, p.to(torch.bfloat16))
    assert h[0] == 1.0 and h[1] == 1.015625
    check(i, p.to(torch.int32))
    check(b, p > 0.5)
    check(r, p.view(torch.int32))


@triton.jit
def integers(p, q, r, n: tl.constexpr):
    x = tl.arange(0, n)
    a, b = tl.load(p + x), tl.load(q + x)
    tl.store(r + x, a * b - a)
    tl.store(r + n + x, a // b)
    tl.store(r + 2 * n + x, a % b)
    tl.store(r + 3 * n + x, (a >> 1) ^ (b & a) | (a << 2))
    tl.store(r + 4 * n + x, tl.maximum(a, b))
    tl.store(r + 5 * n + x, tl.where(a < b, a, b))


def test_integers() -> None:
    signed = {torch.int8: "i8", torch.int16: "i16", torch.int32: "i32", torch.int64: "i64"}
    for dtype, name in signed.items():
        bits = torch.iinfo(dtype).bits
        for prefix in ("i", "u"):
            pointer = f"*{prefix}{bits}"
            f = function_of(integers, {"p": pointer, "q": pointer, "r": pointer}, {"n": 512})
            low, high = torch.iinfo(dtype).min, torch.iinfo(dtype).max
            p, q = (torch.randint(low, high, (512,)).to(dtype) for _ in range(2))
            p[:8] = torch.tensor([low, high, low, high, 0, 1, -1, low]).to(dtype)
            q[:8] = torch.tensor([1, 2, high, low, low, high, 1, 2]).to(dtype)
            q[8:100] = (q[8:100] % 7 + 1).to(dtype)
            q = torch.where(q == 0, torch.tensor(3, dtype=dtype), q)
            r = torch.empty(6, 512, dtype=dtype)
            launch(f, [p, q, r], 1)

            def wrapped(value: int, bits: int = bits) -> int:
                return ((value + (1 << (bits - 1))) % (1 << bits)) - (1 << (bits - 1))

            def read(value: int, unsigned: bool = prefix == "u", bits: int = bits) -> int:
                return value % (1 << bits) if unsigned else value

            rows: list[list[int]] = [[] for _ in range(6)]
            for a, b in zip(map(read, p.tolist()), map(read, q.tolist()), strict=True):
                quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
                values = (a * b - a, quotient, a - quotient * b, (a >> 1) ^ (b & a) | (a << 2), max(a, b), min(a, b))
                for row, value in zip(rows, values, strict=True):
                    row.append(wrapped(value))
            check(r, torch.tensor(rows, dtype=dtype)), name


@triton.jit
def two_extents(r, n: tl.constexpr):
    short = tl.arange(0, n)
    long = tl.arange(0, 4 * n)
    tl.store(r + short, (short * short).to(tl.float32))
    tl.store(r + n + long, ((long % n) * (long % n)).to(tl.float32))


def test_equal_digits_of_different_extents() -> None:
    f = function_of(two_extents, {"r": "*fp32"}, {"n": 16})
    r = torch.empty(80)
    launch(f, [r], 1)
    check(r, torch.arange(16.0).square().repeat(5))


@triton.jit
def roundings(p, r, z, c, n: tl.constexpr):
    x = tl.arange(0, n)
    a = tl.load(p + x)
    tl.store(r + x, a.to(tl.bfloat16, fp_downcast_rounding="rtne"))
    tl.store(z + x, a.to(tl.bfloat16, fp_downcast_rounding="rtz"))
    tl.store(c + x, tl.clamp(a, -1.0, 1.0, propagate_nan=tl.PropagateNan.ALL))
    tl.store(c + n + x, tl.clamp(a, -1.0, 1.0))


def test_roundings_and_clamps() -> None:
    f = function_of(roundings, {"p": "*fp32", "r": "*bf16", "z": "*bf16", "c": "*fp32"}, {"n": 128})
    p = torch.randn(128)
    p[0], p[1], p[2], p[3] = float("nan"), float("inf"), 3.4e38, -3.4e38
    r, z = torch.empty(128, dtype=torch.bfloat16), torch.empty(128, dtype=torch.bfloat16)
    c = torch.empty(2, 128)
    launch(f, [p, r, z, c], 1)
    check(r, p.to(torch.bfloat16))
    truncated = (p.view(torch.int32) & -0x10000).view(torch.float32).to(torch.bfloat16)
    check(z[1:], truncated[1:])
    check(c[0], p.clamp(-1, 1))
    check(c[1], torch.nan_to_num(p, nan=-1.0).clamp(-1, 1))


def expect(error: type[Exception], text: str, action) -> None:
    try:
        action()
    except error as caught:
        assert text in str(caught), f"expected '{text}' in '{caught}'"
        return
    raise AssertionError(f"expected {error.__name__}")


@triton.jit
def unmasked(p, r, X: tl.constexpr):
    x = tl.program_id(0) * X + tl.arange(0, X)
    tl.store(r + x, tl.load(p + x))


@triton.jit
def wrong_index(w, i, r, n, X: tl.constexpr):
    x = tl.program_id(0) * X + tl.arange(0, X)
    tl.store(r + x, tl.load(w + tl.load(i + x, x < n), x < n), x < n)


NARROWING = """
tt.func public @narrow(%p: !tt.ptr<f32>, %q: !tt.ptr<TYPE>) {
  %i = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
  %ps = tt.splat %p : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>>
  %qs = tt.splat %q : !tt.ptr<TYPE> -> tensor<8x!tt.ptr<TYPE>>
  %pi = tt.addptr %ps, %i : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
  %qi = tt.addptr %qs, %i : tensor<8x!tt.ptr<TYPE>>, tensor<8xi32>
  %x = tt.load %pi : tensor<8x!tt.ptr<f32>>
  %y = tt.fp_to_fp %x, rounding = rtne : tensor<8xf32> -> tensor<8xTYPE>
  tt.store %qi, %y : tensor<8x!tt.ptr<TYPE>>
  tt.return
}
"""


def test_8_bit_floats_saturate() -> None:
    """As `cvt.rn.satfinite` does, which Triton compiles it to."""
    inf, nan = float("inf"), float("nan")
    for name, dtype in (("f8E4M3FN", torch.float8_e4m3fn), ("f8E5M2", torch.float8_e5m2)):
        f = parse_function(NARROWING.replace("TYPE", name))
        largest = torch.finfo(dtype).max
        p = torch.tensor([0.3, -0.3, largest, 1.2 * largest, -1e9, inf, -inf, nan])
        q = torch.empty(8, dtype=dtype)
        launch(f, [p, q], 1)
        near = torch.tensor([0.3, -0.3]).to(dtype).tolist()
        check(q.float(), torch.tensor([*near, largest, largest, -largest, largest, -largest, nan]))


@triton.jit
def product(a, b, y, R: tl.constexpr, ACC: tl.constexpr, PRECISION: tl.constexpr):
    i, j = tl.arange(0, 16)[:, None], tl.arange(0, 16)[None, :]
    k = tl.arange(0, R)
    x = tl.load(a + i * R + k[None, :])
    w = tl.load(b + k[:, None] * 16 + j)
    tl.store(y + i * 16 + j, tl.dot(x, w, out_dtype=ACC, input_precision=PRECISION))


def test_dots() -> None:
    """Products are summed in f32, of int8 in int32; the largest numbers do not overflow, infinity and NaN stay."""
    terms = 32
    floats = ((torch.bfloat16, "*bf16"), (torch.float16, "*fp16"), (torch.float32, "*fp32"))
    for dtype, name in (*floats, (torch.float8_e4m3fn, "*fp8e4nv"), (torch.float8_e5m2, "*fp8e5")):
        f = function_of(
            product, {"a": name, "b": name, "y": "*fp32"}, {"R": terms, "ACC": tl.float32, "PRECISION": "ieee"}
        )
        a, b, y = torch.randn(16, terms).to(dtype), torch.randn(terms, 16).to(dtype), torch.empty(16, 16)
        launch(f, [a, b, y], 1)
        check(y, (a.double() @ b.double()).float(), rtol=1e-5, atol=1e-5)
        largest = min(torch.finfo(dtype).max, 1e18)
        a, b = torch.full((16, terms), largest).to(dtype), torch.full((terms, 16), largest).to(dtype)
        a[1, 3] = float("nan")
        launch(f, [a, b, y], 1)
        expected = (a.double() @ b.double()).float()
        check(y, expected, rtol=1e-6)
        assert bool(expected[1].isnan().all()) and bool(expected[0].isfinite().all())
    for terms in (32, 2048):
        f = function_of(
            product, {"a": "*i8", "b": "*i8", "y": "*i32"}, {"R": terms, "ACC": tl.int32, "PRECISION": "ieee"}
        )
        a, b = torch.full((16, terms), -128, dtype=torch.int8), torch.full((terms, 16), -128, dtype=torch.int8)
        a[0, 0], a[1, :] = 127, 127
        y = torch.empty(16, 16, dtype=torch.int32)
        launch(f, [a, b, y], 1)
        check(y, a.int() @ b.int())


def test_precision_of_dots() -> None:
    """Factors in f32 are as exact as the pieces that they are cut into; what needs no rounding stays."""
    types = {"a": "*fp32", "b": "*fp32", "y": "*fp32"}
    a, b, y = torch.rand(16, 32) + 0.5, torch.rand(32, 16) + 0.5, torch.empty(16, 16)
    exact = a.double() @ b.double()
    # The largest relative errors: 2^-10 of each factor that is cut, the rounding of sums for the others.
    bounds = {"ieee": (0, 1e-6), "tf32": (1e-4, 2e-3), "bf16x3": (1e-7, 2e-4), "bf16x6": (0, 2e-6), "tf32x3": (0, 2e-5)}
    for precision, (least, most) in bounds.items():
        f = function_of(product, types, {"R": 32, "ACC": tl.float32, "PRECISION": precision})
        launch(f, [a, b, y], 1)
        error = ((y - exact) / exact).abs().max().item()
        assert least <= error <= most, f"{precision}: off by {error}"
        whole = a.round(), b.round()
        launch(f, [*whole, y], 1)
        check(y, whole[0] @ whole[1])


def test_bad_accesses() -> None:
    f = function_of(unmasked, {"p": "*fp32", "r": "*fp32"}, {"X": 8})
    p, r = torch.randn(20), torch.empty(24)
    expect(MemoryAccessError, "read at offset 23 of buffer 'p', which spans 20", lambda: launch(f, [p, r], 3))
    expect(MemoryAccessError, "write at offset 23", lambda: launch(f, [torch.randn(24), r[:20]], 3))
    launch(f, [p, r], 2)
    g = function_of(wrong_index, {"w": "*fp32", "i": "*i32", "r": "*fp32", "n": "i32"}, {"X": 8})
    i = torch.tensor([0, 3, 9, 2, 50, 50, 50, 50], dtype=torch.int32)
    expect(MemoryAccessError, "offset 9", lambda: launch(g, [torch.randn(5), i, torch.empty(8), 4], 1))
    launch(g, [torch.randn(10), i, torch.empty(8), 4], 1)
    expect(ValueError, "takes 2 arguments", lambda: launch(f, [p], 1))
    expect(ValueError, "got 3", lambda: launch(f, [p, 3], 1))


def test_masked_lanes_without_other_hold_nan() -> None:
    f = parse_function(
        """builtin.module { tt.func public @leak(%p: !tt.ptr<f32>, %r: !tt.ptr<f32>) {
          %c3 = arith.constant dense<3> : tensor<4xi32>
          %x = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
          %m = arith.cmpi slt, %x, %c3 : tensor<4xi32>
          %b = tt.splat %p : !tt.ptr<f32> -> tensor<4x!tt.ptr<f32>>
          %q = tt.addptr %b, %x : tensor<4x!tt.ptr<f32>>, tensor<4xi32>
          %a = tt.load %q, %m : tensor<4x!tt.ptr<f32>>
          %s = "tt.reduce"(%a) <{axis = 0 : i32}> ({
          ^bb0(%u: f32, %v: f32):
            %w = arith.addf %u, %v : f32
            tt.reduce.return %w : f32
          }) : (tensor<4xf32>) -> f32
          tt.store %r, %s : !tt.ptr<f32>
          tt.return } }"""
    )
    r = torch.zeros(1)
    launch(f, [torch.ones(3), r], 1)
    assert bool(torch.isnan(r).all()), r


for name, test in list(globals().items()):
    if name.startswith("test_"):
        test()
