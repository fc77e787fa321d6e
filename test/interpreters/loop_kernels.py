# RUN: %python %s
"""Kernels of the loop dialect on the loop interpreter, against torch."""

import torch
from xdsl.parser import Parser

from fusir.dialects.loop import KernelOp
from fusir.interpreters import loop as loop_interpreter
from fusir.interpreters.loop import interpret_kernel
from fusir.interpreters.memory import MemoryAccessError
from fusir.tools.registry import make_context

torch.manual_seed(0)


def kernel(text: str) -> KernelOp:
    module = Parser(make_context(), text).parse_module()
    module.verify()
    return next(op for op in module.body.block.ops if isinstance(op, KernelOp))


def check(actual: torch.Tensor, expected: torch.Tensor, rtol: float = 0.0, atol: float = 0.0) -> None:
    torch.testing.assert_close(actual, expected, rtol=rtol, atol=atol, equal_nan=True)


SOFTMAX = """
loop.kernel @softmax(%x: memref<?x?xf32, #loop.strided<[s1, 1]>>, %out: memref<?x?xf32, #loop.strided<[s1, 1]>>,
                     %s0: index, %s1: index) {
  loop.parallel (%i) in (%s0) {
    %m = loop.reduce [max] (%k) in (%s1) -> f32 {
      %v = loop.load %x[%i, %k] : memref<?x?xf32, #loop.strided<[s1, 1]>>
      loop.yield %v : f32
    }
    %s = loop.reduce [add] (%k) in (%s1) -> f32 {
      %v = loop.load %x[%i, %k] : memref<?x?xf32, #loop.strided<[s1, 1]>>
      %d = arith.subf %v, %m : f32
      %e = math.exp %d : f32
      loop.yield %e : f32
    }
    loop.parallel (%j) in (%s1) {
      %v = loop.load %x[%i, %j] : memref<?x?xf32, #loop.strided<[s1, 1]>>
      %d = arith.subf %v, %m : f32
      %e = math.exp %d : f32
      %r = arith.divf %e, %s : f32
      loop.store %r, %out[%i, %j] : memref<?x?xf32, #loop.strided<[s1, 1]>>
    }
  }
}
"""


def test_softmax() -> None:
    op = kernel(SOFTMAX)
    for m, n in ((1, 1), (5, 7), (33, 100), (0, 4)):
        x, out = torch.randn(m, n), torch.full((m, n), 9.0)
        interpret_kernel(op, [x, out, m, n])
        check(out, x.softmax(1), rtol=1e-5, atol=1e-6)


MATMUL = """
loop.kernel @matmul(%a: memref<20x30xbf16>, %b: memref<30x10xbf16>, %bias: memref<10xf32>, %out: memref<20x10xbf16>) {
  loop.parallel (%i, %j) in (20, 10) {
    %s = loop.reduce [add] (%k) in (30) -> f32 {
      %x = loop.load %a[%i, %k] : memref<20x30xbf16>
      %y = loop.load %b[%k, %j] : memref<30x10xbf16>
      %xf = arith.extf %x : bf16 to f32
      %yf = arith.extf %y : bf16 to f32
      %p = arith.mulf %xf, %yf : f32
      loop.yield %p : f32
    }
    %c = loop.load %bias[%j] : memref<10xf32>
    %r = arith.addf %s, %c : f32
    %h = arith.truncf %r : f32 to bf16
    loop.store %h, %out[%i, %j] : memref<20x10xbf16>
  }
}
"""


def test_matmul_in_chunks() -> None:
    op = kernel(MATMUL)
    a, b, bias = torch.randn(20, 30).to(torch.bfloat16), torch.randn(30, 10).to(torch.bfloat16), torch.randn(10)
    limit = loop_interpreter.CHUNK_ELEMENTS
    try:
        for elements in (1, 31, 700, limit):
            loop_interpreter.CHUNK_ELEMENTS = elements
            out = torch.empty(20, 10, dtype=torch.bfloat16)
            interpret_kernel(op, [a, b, bias, out])
            check(out.float(), (a.float() @ b.float() + bias).to(torch.bfloat16).float(), rtol=0.01)
    finally:
        loop_interpreter.CHUNK_ELEMENTS = limit


REDUCTIONS = """
loop.kernel @reductions(%x: memref<4x6x5x{type}>, %value: memref<4x{type}>, %where: memref<4xi64>,
                        %sum: memref<4x{type}>) {{
  loop.parallel (%i) in (4) {{
    %v, %w, %s = loop.reduce [{combiner}, {other}] (%j, %k) in (6, 5) -> {type}, i64, {type} {{
      %a = loop.load %x[%i, %j, %k] : memref<4x6x5x{type}>
      %f = affine.apply affine_map<(d0, d1) -> (d0 * 5 + d1)>(%j, %k)
      %g = arith.index_cast %f : index to i64
      loop.yield %a, %g, %a : {type}, i64, {type}
    }}
    loop.store %v, %value[%i] : memref<4x{type}>
    loop.store %w, %where[%i] : memref<4xi64>
    loop.store %s, %sum[%i] : memref<4x{type}>
  }}
}}
"""


def test_reductions() -> None:
    for type_, dtype in (("f32", torch.float32), ("i32", torch.int32), ("f64", torch.float64), ("i8", torch.int8)):
        for combiner, largest in (("argmax", True), ("argmin", False)):
            for other, function in (("add", torch.sum), ("mul", torch.prod), ("max", torch.amax), ("min", torch.amin)):
                op = kernel(REDUCTIONS.format(type=type_, combiner=combiner, other=other))
                x = torch.randint(-3, 4, (4, 6, 5)).to(dtype)
                if dtype.is_floating_point:
                    x[1, 2, 3] = x[1, 3, 0] = float("nan")
                value, total = torch.empty(4, dtype=dtype), torch.empty(4, dtype=dtype)
                where = torch.empty(4, dtype=torch.int64)
                interpret_kernel(op, [x, value, where, total])
                flat = x.reshape(4, 30)
                check(value, flat.amax(1) if largest else flat.amin(1))
                kept = {"dtype": dtype} if other in ("add", "mul") else {}
                check(total, function(flat, 1, **kept), rtol=1e-6)
                for row, index in zip(flat.tolist(), where.tolist(), strict=True):
                    nans = [i for i, number in enumerate(row) if number != number]
                    best = nans[0] if nans else row.index(max(row) if largest else min(row))
                    assert index == best, (row, index)


EMPTY = """
loop.kernel @empty(%x: memref<3x0x{type}>, %out: memref<3x{type}>) {{
  loop.parallel (%i) in (3) {{
    %v = loop.reduce [{combiner}] (%k) in (0) -> {type} {{
      %a = loop.load %x[%i, %k] : memref<3x0x{type}>
      loop.yield %a : {type}
    }}
    loop.store %v, %out[%i] : memref<3x{type}>
  }}
}}
"""


def test_identities() -> None:
    inf = float("inf")
    for type_, dtype, combiner, expected in (
        ("f32", torch.float32, "add", 0),
        ("f32", torch.float32, "mul", 1),
        ("f32", torch.float32, "max", -inf),
        ("f32", torch.float32, "min", inf),
        ("i16", torch.int16, "max", -(1 << 15)),
        ("i16", torch.int16, "min", (1 << 15) - 1),
        ("i16", torch.int16, "umax", 0),
        ("i16", torch.int16, "umin", -1),
        ("i16", torch.int16, "xor", 0),
        ("i1", torch.bool, "and", True),
        ("i1", torch.bool, "or", False),
    ):
        out = torch.zeros(3, dtype=dtype)
        op = kernel(EMPTY.format(type=type_, combiner=combiner))
        interpret_kernel(op, [torch.empty(3, 0, dtype=dtype), out])
        assert out.tolist() == [expected] * 3, (type_, combiner, out)


VIEWS = """
loop.kernel @views(%x: memref<6x8xf32>, %i: memref<6xi64>, %out: memref<6x10xf32>,
                   %flat: memref<48xf32, strided<[2]>>) {
  loop.parallel (%r, %c) in (6, 10) {
    %o = arith.constant 5.0 : f32
    %c1 = arith.constant 1 : index
    %c9 = arith.constant 9 : index
    %low = arith.cmpi sge, %c, %c1 : index
    %high = arith.cmpi slt, %c, %c9 : index
    %p = arith.andi %low, %high : i1
    %w = loop.load %i[%r * -1 + 5] : memref<6xi64>
    %q = arith.index_cast %w : i64 to index
    %v = loop.load %x[%q, %c * -1 + 8] if %p else %o : memref<6x8xf32>
    loop.store %v, %out[%r, %c] : memref<6x10xf32>
  }
  loop.parallel (%f) in (48) {
    %v = loop.load %x[%f mod 6, %f floordiv 6] : memref<6x8xf32>
    loop.store %v, %flat[%f * -1 + 47] : memref<48xf32, strided<[2]>>
  }
}
"""


def test_index_maps() -> None:
    op = kernel(VIEWS)
    x, i = torch.randn(6, 8), torch.randint(0, 6, (6,))
    out, flat = torch.empty(6, 10), torch.zeros(96)
    interpret_kernel(op, [x, i, out, flat[::2]])
    check(out, torch.nn.functional.pad(x[i.flip(0)].flip(1), (1, 1), value=5.0))
    check(flat[::2], x.t().reshape(-1).flip(0))
    check(flat[1::2], torch.zeros(48))


LOCAL = """
loop.kernel @local(%x: memref<?x4xf32>, %out: memref<?x4xf32>, %sum: memref<f32>, %s0: index) {
  %t = loop.local : memref<?x4xf32>
  loop.parallel (%i, %j) in (%s0, 4) {
    %v = loop.load %x[%i, %j] : memref<?x4xf32>
    %w = arith.addf %v, %v : f32
    loop.store %w, %t[%i, %j] : memref<?x4xf32>
  }
  loop.parallel (%i, %j) in (%s0, 4) {
    %v = loop.load %t[%i * -1 + %s0 + -1, %j] : memref<?x4xf32>
    loop.store %v, %out[%i, %j] : memref<?x4xf32>
  }
  %s = loop.reduce [add] (%i, %j) in (%s0, 4) -> f32 {
    %v = loop.load %t[%i, %j] : memref<?x4xf32>
    loop.store %v, %x[%i, %j] : memref<?x4xf32>
    loop.yield %v : f32
  }
  loop.store %s, %sum[] : memref<f32>
}
"""


def test_local_buffers_and_stores_on_the_way() -> None:
    op = kernel(LOCAL)
    for n in (1, 3, 17):
        x = torch.randn(n, 4)
        doubled, out, total = x * 2, torch.empty(n, 4), torch.empty(())
        interpret_kernel(op, [x, out, total, n])
        check(out, doubled.flip(0))
        check(total, doubled.sum(), rtol=1e-5, atol=1e-5)
        check(x, doubled)


TYPES = """
loop.kernel @types(%x: memref<8xi8>, %b: memref<8xi1>, %out: memref<8xi1>, %y: memref<8xi8>) {
  loop.parallel (%i) in (8) {
    %v = loop.load %x[%i] : memref<8xi8>
    %p = loop.load %b[%i] : memref<8xi1>
    %c = arith.constant 100 : i8
    %u = arith.cmpi ugt, %v, %c : i8
    %r = arith.xori %u, %p : i1
    loop.store %r, %out[%i] : memref<8xi1>
    %w = arith.addi %v, %c : i8
    loop.store %w, %y[%i] : memref<8xi8>
  }
}
"""


def test_unsigned_bytes_and_booleans() -> None:
    op = kernel(TYPES)
    x = torch.tensor([0, 99, 100, 101, 127, 128, 200, 255], dtype=torch.uint8)
    b, out = torch.rand(8) > 0.5, torch.zeros(8, dtype=torch.bool)
    y = torch.zeros(8, dtype=torch.uint8)
    interpret_kernel(op, [x, b, out, y])
    check(out, (x > 100) ^ b)
    check(y, x + 100)


RANDOM = """
loop.kernel @random(%seed: memref<i64>, %out: memref<1000xf32>) {
  loop.parallel (%i) in (1000) {
    %s = loop.load %seed[] : memref<i64>
    %o = arith.constant 3 : i64
    %n = arith.index_cast %i : index to i64
    %u = loop.random %s, %o, %n
    loop.store %u, %out[%i] : memref<1000xf32>
  }
}
"""


def test_random() -> None:
    out, again = torch.empty(1000), torch.empty(1000)
    op = kernel(RANDOM)
    for result in (out, again):
        interpret_kernel(op, [torch.tensor(42), result])
    check(out, again)
    low, high, mean = float(out.min()), float(out.max()), float(out.mean())
    assert low >= 0 and high < 1 and abs(mean - 0.5) < 0.05


OUTSIDE = """
loop.kernel @outside(%x: memref<8xf32>, %out: memref<9xf32>) {
  loop.parallel (%i) in (9) {
    %v = loop.load %x[%i] : memref<8xf32>
    loop.store %v, %out[%i] : memref<9xf32>
  }
}
"""


def test_errors() -> None:
    op = kernel(OUTSIDE)
    for args, text in (
        ([torch.randn(8), torch.empty(9)], "kernel 'outside': read 'x' in dim 0 at index 8 of 8"),
        ([torch.randn(8)], "takes 2 arguments, got 1"),
        ([torch.randn(7), torch.empty(9)], "is memref<8xf32>, got shape (7,)"),
        ([3, torch.empty(9)], "is a buffer, got 3"),
    ):
        try:
            interpret_kernel(op, args)
        except (MemoryAccessError, ValueError) as error:
            assert text in str(error), error
        else:
            raise AssertionError(f"no error: {text}")


for name, test in list(globals().items()):
    if name.startswith("test_"):
        test()
