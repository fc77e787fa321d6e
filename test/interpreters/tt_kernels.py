# RUN: %python %s
"""Whole Triton kernels on the tt interpreter: odd shapes, masks, loops, control flow, dots, against torch."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

import torch
import triton
import triton.language as tl
from triton_ttir import function_of

from fusir.interpreters.tt import launch

torch.manual_seed(0)


def check(actual: torch.Tensor, expected: torch.Tensor, rtol: float = 0.0, atol: float = 0.0) -> None:
    torch.testing.assert_close(actual, expected, rtol=rtol, atol=atol, equal_nan=True)


@triton.jit
def pointwise(p, q, r, n, X: tl.constexpr):
    x = tl.program_id(0) * X + tl.arange(0, X)
    mask = x < n
    a = tl.load(p + x, mask)
    b = tl.load(q + x, mask)
    tl.store(r + x, tl.exp(a) * 2.0 + b, mask)


def test_pointwise() -> None:
    f = function_of(pointwise, {"p": "*fp32", "q": "*fp32", "r": "*fp32", "n": "i32"}, {"X": 256})
    for n in (1, 5, 255, 256, 257, 100_003, 1 << 18, (1 << 18) + 1):
        p, q = torch.randn(2, n)
        r = torch.full((n + 3,), 7.0)
        for _ in range(2):
            launch(f, [p, q, r, n], triton.cdiv(n, 256))
            check(r[:n], p.exp() * 2 + q)
            check(r[n:], torch.full((3,), 7.0))


@triton.jit
def softmax(p, r, m, n, X: tl.constexpr, R: tl.constexpr):
    x = tl.program_id(0) * X + tl.arange(0, X)[:, None]
    k = tl.arange(0, R)[None, :]
    mask = (x < m) & (k < n)
    a = tl.load(p + x * n + k, mask, -3.0e38).to(tl.float32)
    e = tl.exp(a - tl.max(a, 1)[:, None])
    e = tl.where(mask, e, 0.0)
    tl.store(r + x * n + k, e / tl.sum(e, 1)[:, None], mask)


def test_softmax() -> None:
    for dtype, name in ((torch.float32, "*fp32"), (torch.bfloat16, "*bf16"), (torch.float16, "*fp16")):
        for block in (1, 4):
            f = function_of(softmax, {"p": name, "r": name, "m": "i32", "n": "i32"}, {"X": block, "R": 128})
            for m, n in ((1, 1), (7, 100), (130, 128), (513, 127)):
                p = torch.randn(m, n).to(dtype)
                r = torch.empty_like(p)
                launch(f, [p, r, m, n], triton.cdiv(m, block))
                e = (p.float() - p.float().amax(1, keepdim=True)).exp()
                check(
                    r.float(),
                    (e / e.sum(1, keepdim=True)).to(dtype).float(),
                    rtol=1e-6 if block else 0,
                    atol=1e-2 * (dtype != torch.float32) + 1e-6,
                )


@triton.jit
def row_sums(p, r, m, n, X: tl.constexpr, R: tl.constexpr):
    x = tl.program_id(0) * X + tl.arange(0, X)[:, None]
    acc = tl.full([X, R], 0.0, tl.float32)
    for start in range(0, n, R):
        k = start + tl.arange(0, R)[None, :]
        acc += tl.load(p + x * n + k, (x < m) & (k < n), 0.0)
    tl.store(r + x, tl.sum(acc, 1)[:, None], x < m)


def test_looped_reduction() -> None:
    f = function_of(row_sums, {"p": "*fp32", "r": "*fp32", "m": "i32", "n": "i32"}, {"X": 2, "R": 64})
    for m, n in ((1, 1), (5, 64), (33, 1000), (128, 129)):
        p = torch.randn(m, n)
        r = torch.full((m,), 3.0)
        launch(f, [p, r, m, n], triton.cdiv(m, 2))
        check(r, p.sum(1), rtol=1e-5, atol=1e-5)


@triton.jit
def transpose(p, r, m, n, X: tl.constexpr, Y: tl.constexpr):
    columns = tl.cdiv(n, Y)
    pid = tl.program_id(0)
    x = (pid // columns) * X + tl.arange(0, X)[:, None]
    y = (pid % columns) * Y + tl.arange(0, Y)[None, :]
    mask = (x < m) & (y < n)
    a = tl.load(p + x * n + y, mask)
    tl.store(r + tl.trans(y) * m + tl.trans(x), tl.trans(a), tl.trans(mask))


def test_two_dimensional_grid() -> None:
    f = function_of(transpose, {"p": "*fp32", "r": "*fp32", "m": "i32", "n": "i32"}, {"X": 16, "Y": 32})
    for m, n in ((1, 1), (16, 32), (100, 70), (64, 64), (1000, 33), (3, 2000)):
        p = torch.randn(m, n)
        r = torch.zeros(n, m)
        for _ in range(2):
            launch(f, [p, r, m, n], triton.cdiv(m, 16) * triton.cdiv(n, 32))
            check(r, p.t())


@triton.jit
def flattened(p, q, r, n, D: tl.constexpr, X: tl.constexpr):
    x = tl.program_id(0) * X + tl.arange(0, X)
    mask = x < n
    tl.store(r + x, tl.load(p + x, mask) + tl.load(q + x % D, mask) + tl.load(q + (x // D) % D, mask), mask)


def test_flattened_broadcast() -> None:
    for d in (1, 3, 8, 64, 100, 256):
        f = function_of(flattened, {"p": "*fp32", "q": "*fp32", "r": "*fp32", "n": "i32"}, {"D": d, "X": 64})
        n = 20 * d * d + 5
        p, q = torch.randn(n), torch.randn(d)
        r = torch.empty(n)
        launch(f, [p, q, r, n], triton.cdiv(n, 64))
        x = torch.arange(n)
        check(r, p + q[x % d] + q[x // d % d])


@triton.jit
def embedding(w, i, r, n, D: tl.constexpr, X: tl.constexpr):
    x = tl.program_id(0) * X + tl.arange(0, X)
    mask = x < n
    row = tl.load(i + x // D, mask, 0)
    row = tl.where(row < 0, row + 50, row)
    tl.store(r + x, tl.load(w + row * D + x % D, mask) * 2.0, mask)


def test_flattened_embedding() -> None:
    for index, pointer in ((torch.int64, "*i64"), (torch.int32, "*i32")):
        for d in (1, 5, 32, 300):
            f = function_of(embedding, {"w": "*fp32", "i": pointer, "r": "*fp32", "n": "i32"}, {"D": d, "X": 128})
            w, i = torch.randn(50, d), torch.randint(-50, 50, (77,)).to(index)
            r = torch.empty(77, d)
            for _ in range(2):
                launch(f, [w, i, r, 77 * d], triton.cdiv(77 * d, 128))
                check(r, w[i.long() % 50] * 2)


@triton.jit
def concat(p, q, r, m, A: tl.constexpr, B: tl.constexpr, X: tl.constexpr):
    blocks = tl.cdiv(A + B, X)
    row = tl.program_id(0) // blocks
    x = (tl.program_id(0) % blocks) * X + tl.arange(0, X)
    left = tl.load(p + row * A + x, x < A)
    right = tl.load(q + row * B + x - A, (x >= A) & (x < A + B))
    tl.store(r + row * (A + B) + x, tl.where(x < A, left, right), x < A + B)


def test_concat() -> None:
    for a, b in ((1, 1), (20, 30), (64, 65), (100, 33)):
        f = function_of(concat, {"p": "*fp32", "q": "*fp32", "r": "*fp32", "m": "i32"}, {"A": a, "B": b, "X": 32})
        p, q = torch.randn(50, a), torch.randn(50, b)
        r = torch.empty(50, a + b)
        for _ in range(2):
            launch(f, [p, q, r, 50], 50 * triton.cdiv(a + b, 32))
            check(r, torch.cat((p, q), 1))


@triton.jit
def scaled_by_program(p, r, n, X: tl.constexpr):
    pid = tl.program_id(0)
    x = pid * X + tl.arange(0, X)
    tl.store(r + x, tl.load(p + x, x < n) * (pid % 3).to(tl.float32) + tl.num_programs(0), x < n)


def test_program_number_beside_the_index() -> None:
    f = function_of(scaled_by_program, {"p": "*fp32", "r": "*fp32", "n": "i32"}, {"X": 16})
    p, r = torch.randn(1000), torch.empty(1000)
    for _ in range(2):
        launch(f, [p, r, 1000], 63)
        check(r, p * (torch.arange(1000) // 16 % 3) + 63)


@triton.jit
def matmul(a, b, c, m, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, GROUP: tl.constexpr):
    pid = tl.program_id(0)
    pm, pn = tl.swizzle2d(pid // tl.cdiv(n, BN), pid % tl.cdiv(n, BN), tl.cdiv(m, BM), tl.cdiv(n, BN), GROUP)
    x = pm * BM + tl.arange(0, BM)[:, None]
    y = pn * BN + tl.arange(0, BN)[None, :]
    z = tl.arange(0, BK)
    pa = a + x * k + z[None, :]
    pb = b + z[:, None] * n + y
    acc = tl.zeros([BM, BN], tl.float32)
    for start in range(tl.cdiv(k, BK)):
        left = k - start * BK
        ta = tl.load(pa, (x < m) & (z[None, :] < left), 0.0)
        tb = tl.load(pb, (y < n) & (z[:, None] < left), 0.0)
        acc = tl.dot(ta, tb, acc, input_precision="ieee")
        pa += BK
        pb += BK * n
    tl.store(c + x * n + y, acc.to(c.dtype.element_ty), (x < m) & (y < n))


def test_matmul() -> None:
    for dtype, name in ((torch.float16, "*fp16"), (torch.bfloat16, "*bf16"), (torch.float32, "*fp32")):
        signature = {"a": name, "b": name, "c": name, "m": "i32", "n": "i32", "k": "i32"}
        f = function_of(matmul, signature, {"BM": 32, "BN": 16, "BK": 32, "GROUP": 2})
        for m, n, k in ((32, 16, 32), (70, 33, 100), (128, 128, 64), (1, 300, 17)):
            a, b = torch.randn(m, k).to(dtype), torch.randn(k, n).to(dtype)
            c = torch.empty(m, n, dtype=dtype)
            launch(f, [a, b, c, m, n, k], triton.cdiv(m, 32) * triton.cdiv(n, 16))
            exact = a.double() @ b.double()
            check(
                c.double(),
                exact,
                rtol=0.01 if dtype != torch.float32 else 1e-5,
                atol=0.01 if dtype != torch.float32 else 1e-4,
            )


@triton.jit
def persistent(p, r, n, X: tl.constexpr):
    for tile in range(tl.program_id(0), tl.cdiv(n, X), tl.num_programs(0)):
        x = tile * X + tl.arange(0, X)
        tl.store(r + x, tl.load(p + x, x < n) + 1.0, x < n)


def test_persistent_grid() -> None:
    f = function_of(persistent, {"p": "*fp32", "r": "*fp32", "n": "i32"}, {"X": 16})
    for n, grid in ((1, 3), (1000, 7), (1024, 8), (50, 100)):
        p = torch.randn(n)
        r = torch.zeros(n)
        launch(f, [p, r, n], grid)
        check(r, p + 1)


@triton.jit
def triangle(p, r, n, X: tl.constexpr):
    row = tl.program_id(0)
    acc = tl.zeros([X], tl.float32)
    steps = 0
    for start in range(0, row + 1, X):
        k = start + tl.arange(0, X)
        acc += tl.load(p + row * n + k, k <= row, 0.0)
        steps += 1
    tl.store(r + row, tl.sum(acc) + steps)


def test_program_dependent_bounds() -> None:
    f = function_of(triangle, {"p": "*fp32", "r": "*fp32", "n": "i32"}, {"X": 8})
    for n in (1, 8, 45, 130):
        p = torch.randn(n, n)
        r = torch.zeros(n)
        launch(f, [p, r, n], n)
        check(r, p.tril().sum(1) + torch.arange(n) // 8 + 1, rtol=1e-5, atol=1e-5)


@triton.jit
def ragged(p, begins, r, X: tl.constexpr):
    row = tl.program_id(0)
    end = tl.load(begins + row + 1)
    acc = tl.zeros([X], tl.float32)
    for start in range(tl.load(begins + row), end, X):
        k = start + tl.arange(0, X)
        acc += tl.load(p + k, k < end, 0.0)
    tl.store(r + row, tl.sum(acc))


def test_loaded_bounds() -> None:
    f = function_of(ragged, {"p": "*fp32", "begins": "*i32", "r": "*fp32"}, {"X": 8})
    lengths = torch.tensor([0, 3, 8, 40, 0, 1, 17], dtype=torch.int32)
    begins = torch.cat((torch.zeros(1, dtype=torch.int32), lengths.cumsum(0).to(torch.int32)))
    p = torch.randn(int(begins[-1]))
    r = torch.zeros(7)
    launch(f, [p, begins, r], 7)
    expected = torch.stack([piece.sum() for piece in p.split(lengths.tolist())])
    check(r, expected, rtol=1e-5, atol=1e-6)


@triton.jit
def branches(p, r, n, X: tl.constexpr):
    pid = tl.program_id(0)
    x = pid * X + tl.arange(0, X)
    a = tl.load(p + x)
    flag = tl.load(p + pid * X)
    if pid < 3:
        a = a + 1.0
        tl.store(r + x, a)
    else:
        if flag > 0:
            a = a * 2.0
        tl.store(r + x, -a)
    if flag < 0:
        tl.store(r + n * 5 + x, a, x < 7)


def test_branches() -> None:
    f = function_of(branches, {"p": "*fp32", "r": "*fp32", "n": "i32"}, {"X": 4})
    p = torch.randn(8, 4)
    p[0, 0] = 1.0
    r = torch.zeros(8, 4)
    p[1, 0] = abs(p[1, 0])
    launch(f, [p.view(-1), r, 0], 8)
    doubled = torch.where(p[:, :1] > 0, p * 2, p)
    expected = torch.where(torch.arange(8)[:, None] < 3, p + 1, -doubled)
    check(r, expected)


@triton.jit
def indirect(w, i, r, d, X: tl.constexpr):
    row = tl.program_id(0)
    k = tl.arange(0, X)
    source = tl.load(i + row)
    tl.store(r + row * d + k, tl.load(w + source * d + k, k < d), k < d)


def test_indirect() -> None:
    f = function_of(indirect, {"w": "*bf16", "i": "*i64", "r": "*bf16", "d": "i32"}, {"X": 32})
    w = torch.randn(50, 20).to(torch.bfloat16)
    i = torch.randint(0, 50, (77,))
    r = torch.empty(77, 20, dtype=torch.bfloat16)
    launch(f, [w, i, r, 20], 77)
    check(r, w[i])


@triton.jit
def in_place(p, n, X: tl.constexpr):
    x = tl.program_id(0) * X + tl.arange(0, X)
    a = tl.load(p + x, x < n)
    tl.store(p + x, a + 1.0, x < n)
    tl.store(p + n + x, a, x < n)


def test_in_place() -> None:
    f = function_of(in_place, {"p": "*fp32", "n": "i32"}, {"X": 32})
    p = torch.randn(200)
    before = p.clone()
    launch(f, [p, 100], 4)
    check(p[:100], before[:100] + 1)
    check(p[100:], before[:100])


@triton.jit
def copy_first(p, q, r, n, X: tl.constexpr):
    x = tl.arange(0, X)
    a = tl.load(p + x)
    tl.store(q + x, a * 2.0)
    tl.store(r + x, a)


def test_aliasing_arguments() -> None:
    f = function_of(copy_first, {"p": "*fp32", "q": "*fp32", "r": "*fp32", "n": "i32"}, {"X": 32})
    p = torch.randn(32)
    before, r = p.clone(), torch.empty(32)
    launch(f, [p, p, r, 0], 1)
    check(r, before)
    check(p, before * 2)


def test_strided_arguments() -> None:
    f = function_of(pointwise, {"p": "*fp32", "q": "*fp32", "r": "*fp32", "n": "i32"}, {"X": 256})
    base = torch.randn(1000)
    r = torch.zeros(500)
    launch(f, [base[100:400], base[500:800], r[7:], 300], 2)
    check(r[7:307], base[100:400].exp() * 2 + base[500:800])
    check(r[307:], torch.zeros(193))


for name, test in list(globals().items()):
    if name.startswith("test_"):
        test()
