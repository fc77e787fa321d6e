# RUN: %python %s
"""Descriptors on the tt interpreter: what is outside of a tensor is zero, and is not stored."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

import torch
import triton
import triton.language as tl
from triton_ttir import function_of

from fusir.dialects import tt
from fusir.interpreters import tt as interpreter
from fusir.interpreters.memory import MemoryAccessError
from fusir.transforms.tt.descriptors_to_pointers import without_descriptors

torch.manual_seed(0)
NAMES = {
    torch.float32: "*fp32",
    torch.float16: "*fp16",
    torch.bfloat16: "*bf16",
    torch.int8: "*i8",
    torch.float8_e4m3fn: "*fp8e4nv",
    torch.float8_e5m2: "*fp8e5",
}


def check(actual: torch.Tensor, expected: torch.Tensor) -> None:
    torch.testing.assert_close(actual, expected, rtol=0, atol=0, equal_nan=True)


def launch(func: tt.FuncOp, args: list[torch.Tensor | int], grid: int) -> None:
    """Run a kernel; the same kernel with pointers in place of descriptors does the same."""
    buffers = [(position, arg) for position, arg in enumerate(args) if isinstance(arg, torch.Tensor)]
    copies = list(args)
    for position, buffer in buffers:
        copies[position] = buffer.clone()
    interpreter.launch(func, args, grid)
    pointers = _pointers.get(func)
    if pointers is None:
        pointers = _pointers[func] = without_descriptors(func, range(len(args)))
        pointers.verify()
        assert not any(isinstance(op, tt.MakeTensorDescriptorOp) for op in pointers.walk())
    interpreter.launch(pointers, copies, grid)
    for position, buffer in buffers:
        check(copies[position], buffer)


_pointers: dict[tt.FuncOp, tt.FuncOp] = {}


def random(*shape: int, dtype: torch.dtype) -> torch.Tensor:
    """Small integers: every product and sum of them is exact."""
    return torch.randint(-4, 5, shape).to(dtype)


@triton.jit
def matmul(
    a,
    b,
    y,
    B,
    M,
    N,
    K,
    X: tl.constexpr,
    Y: tl.constexpr,
    Z: tl.constexpr,
    ACC: tl.constexpr,
    GROUP: tl.constexpr,
):
    a_desc = tl.make_tensor_descriptor(a, shape=[B, M, K], strides=[M * K, K, 1], block_shape=[1, X, Z])
    b_desc = tl.make_tensor_descriptor(b, shape=[B, N, K], strides=[N * K, K, 1], block_shape=[1, Y, Z])
    y_desc = tl.make_tensor_descriptor(y, shape=[B, M, N], strides=[M * N, N, 1], block_shape=[1, X, Y])
    rows, columns = tl.cdiv(M, X), tl.cdiv(N, Y)
    batch = tl.program_id(0) // (rows * columns)
    tile = tl.program_id(0) % (rows * columns)
    # Programs of a group of rows go down the columns.
    first = tile // (GROUP * columns) * GROUP
    size = min(rows - first, GROUP)
    m = (first + tile % (GROUP * columns) % size) * X
    n = tile % (GROUP * columns) // size * Y
    acc = tl.zeros([X, Y], ACC)
    for k in range(0, K, Z):
        x = a_desc.load([batch, m, k]).reshape(X, Z)
        w = b_desc.load([batch, n, k]).reshape(Y, Z)
        acc = tl.dot(x, w.T, acc, out_dtype=ACC)
    y_desc.store([batch, m, n], acc.to(y.dtype.element_ty).reshape(1, X, Y))


def test_matmul() -> None:
    for dtype, name in NAMES.items():
        result, accumulator = (torch.int32, tl.int32) if dtype == torch.int8 else (torch.float32, tl.float32)
        signature = {"a": name, "b": name, "y": NAMES.get(result, "*i32"), **dict.fromkeys("BMNK", "i32")}
        constants = {"X": 32, "Y": 16, "Z": 32, "ACC": accumulator, "GROUP": 2}
        f = function_of(matmul, signature, constants)
        for batch, m, n, k in ((1, 1, 1, 1), (2, 33, 17, 31), (1, 64, 32, 64), (3, 5, 131, 97), (1, 129, 1, 32)):
            a, b = random(batch, m, k, dtype=dtype), random(batch, n, k, dtype=dtype)
            y = torch.full((batch * m * n + 5,), 7, dtype=result)
            for _ in range(2):
                launch(f, [a, b, y, batch, m, n, k], batch * triton.cdiv(m, 32) * triton.cdiv(n, 16))
                expected = a.to(torch.float64) @ b.to(torch.float64).mT
                check(y[:-5].view(batch, m, n), expected.to(result))
                check(y[-5:], torch.full((5,), 7, dtype=result))


@triton.jit
def shift(a, y, indices, M, N, S, X: tl.constexpr, Y: tl.constexpr, PAD: tl.constexpr):
    pid = tl.program_id(0)
    source = tl.make_tensor_descriptor(a, shape=[M, N], strides=[S, 1], block_shape=[X, Y], padding_option=PAD)
    target = tl.make_tensor_descriptor(y, shape=[M, N], strides=[S, 1], block_shape=[X, Y])
    x = source.load([tl.load(indices + 2 * pid), tl.load(indices + 2 * pid + 1)])
    target.store([X * pid - 1, 0], x)


def test_blocks_that_stick_out() -> None:
    m, n, stride = 21, 13, 16
    starts = [(0, 0), (-3, 0), (0, -20), (20, 5), (21, 0), (4, 9)]
    for padding in ("zero", "nan"):
        signature = {"a": "*fp32", "y": "*fp32", "indices": "*i32", **dict.fromkeys("MNS", "i32")}
        f = function_of(shift, signature, {"X": 4, "Y": 16, "PAD": padding})
        a = torch.randn(m, stride)
        y = torch.full((m, stride), 7.0)
        launch(f, [a, y, torch.tensor(starts, dtype=torch.int32), m, n, stride], len(starts))
        wide = torch.full((100, 100), 0.0 if padding == "zero" else float("nan"))
        wide[40 : 40 + m, 40 : 40 + n] = a[:, :n]
        expected = torch.full((m, stride), 7.0)
        for program, (row, column) in enumerate(starts):
            block = wide[40 + row :, 40 + column :][:4, :n]
            for position in range(4):
                target = 4 * program - 1 + position
                if 0 <= target < m:
                    expected[target, :n] = block[position]
        check(y, expected)


@triton.jit
def column_sums(a, y, M, N, X: tl.constexpr, Y: tl.constexpr):
    column = tl.program_id(0) * Y
    desc = tl.make_tensor_descriptor(a, shape=[M, N], strides=[N, 1], block_shape=[X, Y])
    acc = tl.zeros([X, Y], tl.float32)
    for row in range(0, M, X):
        acc += desc.load([row, column])
    sums = tl.make_tensor_descriptor(y, shape=[N], strides=[1], block_shape=[Y])
    sums.store([column], tl.sum(acc, 0))


def test_rounds_that_run_side_by_side() -> None:
    f = function_of(column_sums, {"a": "*fp32", "y": "*fp32", "M": "i32", "N": "i32"}, {"X": 8, "Y": 16})
    for m, n in ((0, 3), (1, 1), (100, 77), (1000, 16)):
        a = random(m, n, dtype=torch.float32)
        y = torch.full((n,), 7.0)
        launch(f, [a, y, m, n], triton.cdiv(n, 16))
        check(y, a.sum(0))


@triton.jit
def in_place(a, N, Y: tl.constexpr):
    desc = tl.make_tensor_descriptor(a, shape=[2, N], strides=[N, 1], block_shape=[1, Y])
    x = desc.load([0, 0])
    y = desc.load([1, 0])
    desc.store([0, 0], y)
    desc.store([1, 0], x)


def test_what_was_loaded_stays() -> None:
    f = function_of(in_place, {"a": "*fp32", "N": "i32"}, {"Y": 16})
    a = torch.randn(2, 11)
    before = a.clone()
    launch(f, [a, 11], 1)
    check(a, before.flip(0))


def test_wrong_extents() -> None:
    """The interpreter is the memory checker also of descriptors."""
    f = function_of(column_sums, {"a": "*fp32", "y": "*fp32", "M": "i32", "N": "i32"}, {"X": 8, "Y": 16})
    try:
        launch(f, [torch.randn(10, 16), torch.empty(16), 11, 16], 1)
    except MemoryAccessError as error:
        assert "read at offset" in str(error), error
    else:
        raise AssertionError("a descriptor that is larger than its buffer was accepted")


test_matmul()
test_blocks_that_stick_out()
test_rounds_that_run_side_by_side()
test_what_was_loaded_stays()
test_wrong_extents()
