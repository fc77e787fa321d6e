# RUN: %python %s
"""The graph interpreter on everything that is not pointwise, against eager torch."""

import torch
from xdsl.parser import Parser

from fusir.interpreters.graph import InterpreterError, interpret
from fusir.interpreters.philox import philox_uniform
from fusir.tools.registry import make_context


def parse(text):
    module = Parser(make_context(), text).parse_module()
    module.verify()
    return module


def run(arguments, body, result, *inputs, **options):
    """Interpret `@main(arguments) -> result` whose body defines `%r`."""
    text = f"func.func @main({arguments}) -> {result} {{\n {body}\n return %r : {result}\n}}"
    return interpret(parse(text), list(inputs), **options)[0]


def same(actual, expected):
    assert actual.dtype == expected.dtype, f"{actual.dtype} instead of {expected.dtype}"
    assert torch.equal(torch.nan_to_num(actual), torch.nan_to_num(expected)), f"{actual} instead of {expected}"
    if actual.is_floating_point():
        assert torch.equal(actual.isnan(), expected.isnan())


def fails(text, *parts):
    def check(*inputs):
        try:
            interpret(parse(text), list(inputs))
        except InterpreterError as error:
            assert all(part in str(error) for part in parts), f"unexpected message: {error}"
        else:
            raise AssertionError(f"no error for {text}")

    return check


x = torch.randn(4, 8)
X = "%x: tensor<4x8xf32>"

# Creation
same(
    run("", "%r = graph.full 2.5 : tensor<2x3xbf16>", "tensor<2x3xbf16>"), torch.full((2, 3), 2.5, dtype=torch.bfloat16)
)
same(run("", "%r = graph.full true : tensor<2xi1>", "tensor<2xi1>"), torch.tensor([True, True]))
same(run("", "%r = graph.full 255 : tensor<ui8>", "tensor<ui8>"), torch.tensor(255, dtype=torch.uint8))
big = 9223372036854775807
same(run("", f"%r = graph.full {big} : tensor<i64>", "tensor<i64>"), torch.tensor(big))
constant = "%r = graph.constant dense<[[1.5, 2.0], [-3.0, 0.1]]> : tensor<2x2xf32>"
same(run("", constant, "tensor<2x2xf32>"), torch.tensor([[1.5, 2.0], [-3.0, 0.1]]))
same(run("", "%r = graph.constant dense<7> : tensor<2x2xi64>", "tensor<2x2xi64>"), torch.full((2, 2), 7))
same(run("", "%r = graph.constant dense<[true, false]> : tensor<2xi1>", "tensor<2xi1>"), torch.tensor([True, False]))
same(run("", "%r = graph.iota dim 1 : tensor<2x3xi64>", "tensor<2x3xi64>"), torch.arange(3).expand(2, 3).clone())
same(run("", "%r = graph.iota dim 0 : tensor<2x3xf16>", "tensor<2x3xf16>"), torch.tensor([[0.0] * 3, [1.0] * 3]).half())

# Random: known answers of the Random123 library for key 0 and for the digits of pi, then its distribution.
assert philox_uniform(0, 0, torch.zeros(1, dtype=torch.int64)).item() == (0x6627E8D5 >> 8) * 2.0**-24
pi = philox_uniform(0x299F31D0A4093822, 0x0370734413198A2E, torch.tensor([0x85A308D3243F6A88 - (1 << 64)]))
assert pi.item() == (0xD16CFE09 >> 8) * 2.0**-24
R = "%r = graph.random uniform %s offset 3 : tensor<i64> -> tensor<100x100xf32>"
uniform = run("%s: tensor<i64>", R, "tensor<100x100xf32>", torch.tensor(-5))
assert uniform.min() >= 0 and uniform.max() < 1 and abs(uniform.mean() - 0.5) < 0.01
assert len(uniform.unique()) > 9900

# Shape
same(run(X, "%r = graph.reshape %x : tensor<4x8xf32> -> tensor<2x16xf32>", "tensor<2x16xf32>", x), x.reshape(2, 16))
P = "%r = graph.permute %x dims [1, 0] : tensor<4x8xf32> -> tensor<8x4xf32>"
same(run(X, P, "tensor<8x4xf32>", x), x.T)
B = "%r = graph.broadcast %x dims [0, 2] : tensor<4x1xf32> -> tensor<4x3x5xf32>"
same(run("%x: tensor<4x1xf32>", B, "tensor<4x3x5xf32>", x[:, :1]), x[:, :1, None].expand(4, 3, 5))
S = "%r = graph.slice %x starts [1, 0] steps [1, 3] : tensor<4x8xf32> -> tensor<2x3xf32>"
same(run(X, S, "tensor<2x3xf32>", x), x[1:3, ::3])
same(run(X, "%r = graph.reverse %x dims [0, 1] : tensor<4x8xf32>", "tensor<4x8xf32>", x), x.flip(0, 1))
P = "%r = graph.pad %x low [1, 0] high [0, 2] value -inf : tensor<4x8xf32> -> tensor<5x10xf32>"
padded = torch.nn.functional.pad(x, (0, 2, 1, 0), value=-float("inf"))
same(run(X, P, "tensor<5x10xf32>", x), padded)
C = "%r = graph.concat %x, %y dim 1 : (tensor<4x8xf32>, tensor<4x2xf32>) -> tensor<4x10xf32>"
same(run(X + ", %y: tensor<4x2xf32>", C, "tensor<4x10xf32>", x, x[:, :2]), torch.cat([x, x[:, :2]], 1))

# Gather: several dims, not adjacent, and indices out of range.
t = torch.randn(4, 5, 6)
i, j = torch.tensor([[0, 3, 1]]), torch.tensor([[5, 0, 2]])
G = "%r = graph.gather %t[%i, %j] dims [0, 2] : (tensor<4x5x6xf32>, tensor<1x3xi64>, tensor<1x3xi64>) -> tensor<1x3x5xf32>"
A = "%t: tensor<4x5x6xf32>, %i: tensor<1x3xi64>, %j: tensor<1x3xi64>"
same(run(A, G, "tensor<1x3x5xf32>", t, i, j), t.permute(0, 2, 1)[i, j])
expected = t.permute(0, 2, 1)[i, j].clone()
expected[0, 1] = 0
same(run(A, G, "tensor<1x3x5xf32>", t, i.where(i != 3, -1), j), expected)
same(run(A, G, "tensor<1x3x5xf32>", t, i.where(i != 3, 4), j), expected)

# Reductions
for kind, eager in (("sum", torch.sum), ("max", torch.amax), ("min", torch.amin)):
    same(
        run(X, f"%r = graph.reduce {kind} %x dims [0] : tensor<4x8xf32> -> tensor<8xf32>", "tensor<8xf32>", x),
        eager(x, 0),
    )
    full = run(X, f"%r = graph.reduce {kind} %x dims [0, 1] : tensor<4x8xf32> -> tensor<f32>", "tensor<f32>", x)
    torch.testing.assert_close(full, eager(x, (0, 1)))
    kept = f"%r = graph.reduce {kind} %x dims [] : tensor<4x8xf32> -> tensor<4x8xf32>"
    same(run(X, kept, "tensor<4x8xf32>", x), x)
PROD = "%r = graph.reduce prod %x dims [1] : tensor<4x8xi32> -> tensor<4xi32>"
n = torch.randint(-9, 9, (4, 8), dtype=torch.int32)
same(run("%x: tensor<4x8xi32>", PROD, "tensor<4xi32>", n), n.prod(1, dtype=torch.int32))
SUM = "%r = graph.reduce sum %x dims [0] : tensor<4096xf16> -> tensor<f16>"
same(run("%x: tensor<4096xf16>", SUM, "tensor<f16>", torch.ones(4096).half()), torch.tensor(4096.0).half())
with_nan = x.clone()
with_nan[1, 3] = float("nan")
MAX = "%r = graph.reduce max %x dims [1] : tensor<4x8xf32> -> tensor<4xf32>"
same(run(X, MAX, "tensor<4xf32>", with_nan), with_nan.amax(1))
for kind in ("argmax", "argmin"):
    text = f"%r = graph.reduce {kind} %x dims [1] : tensor<4x8xf32> -> tensor<4xi64>"
    for value in (x, with_nan, x.round(), torch.zeros(4, 8)):
        same(run(X, text, "tensor<4xi64>", value), getattr(torch, kind)(value, 1))
    text = f"%r = graph.reduce {kind} %x dims [0, 2] : tensor<4x5x6xf32> -> tensor<5xi64>"
    flat = t.permute(1, 0, 2).reshape(5, 24)
    same(run("%x: tensor<4x5x6xf32>", text, "tensor<5xi64>", t), getattr(torch, kind)(flat, 1))
for kind in ("any", "all"):
    text = f"%r = graph.reduce {kind} %x dims [1] : tensor<4x8xi1> -> tensor<4xi1>"
    same(run("%x: tensor<4x8xi1>", text, "tensor<4xi1>", x > 1), getattr(torch, kind)(x > 1, 1))
EMPTY = "%r = graph.reduce sum %x dims [0] : tensor<0x3xf32> -> tensor<3xf32>"
same(run("%x: tensor<0x3xf32>", EMPTY, "tensor<3xf32>", torch.zeros(0, 3)), torch.zeros(3))
SCAN = {"sum": torch.cumsum, "prod": torch.cumprod}
for kind, eager in SCAN.items():
    same(run(X, f"%r = graph.scan {kind} %x dim 1 : tensor<4x8xf32>", "tensor<4x8xf32>", x), eager(x, 1))
same(run(X, "%r = graph.scan max %x dim 1 : tensor<4x8xf32>", "tensor<4x8xf32>", with_nan), with_nan.cummax(1).values)
same(run(X, "%r = graph.scan min %x dim 0 : tensor<4x8xf32>", "tensor<4x8xf32>", x), x.cummin(0).values)

# Every native dtype: halves accumulate in f32 and are rounded once, integers wrap around in their own width.
DTYPES = {"f16": torch.float16, "bf16": torch.bfloat16, "f32": torch.float32, "f64": torch.float64, "i8": torch.int8}
DTYPES |= {"i16": torch.int16, "i32": torch.int32, "i64": torch.int64, "ui8": torch.uint8}
for element, dtype in DTYPES.items():
    value = (torch.randint(0, 200, (6, 5)) - (0 if element == "ui8" else 100)).to(dtype)
    wide = value.float() if dtype in (torch.float16, torch.bfloat16) else value
    V, matrix, row = f"%v: tensor<6x5x{element}>", f"tensor<6x5x{element}>", f"tensor<5x{element}>"
    for kind, eager in {"sum": torch.sum, "prod": torch.prod}.items():
        text = f"%r = graph.reduce {kind} %v dims [0] : {matrix} -> {row}"
        same(run(V, text, row, value), eager(wide, 0, dtype=wide.dtype).to(dtype))
    for kind, eager in {"max": torch.amax, "min": torch.amin}.items():
        text = f"%r = graph.reduce {kind} %v dims [0] : {matrix} -> {row}"
        same(run(V, text, row, value), eager(value, 0))
        text = f"%r = graph.reduce arg{kind} %v dims [0] : {matrix} -> tensor<5xi64>"
        same(run(V, text, "tensor<5xi64>", value), getattr(torch, f"arg{kind}")(value, 0))
        text = f"%r = graph.scan {kind} %v dim 1 : {matrix}"
        same(run(V, text, matrix, value), getattr(torch, f"cum{kind}")(value, 1).values)
    for kind, eager in SCAN.items():
        text = f"%r = graph.scan {kind} %v dim 1 : {matrix}"
        same(run(V, text, matrix, value), eager(wide, 1, dtype=wide.dtype).to(dtype))
    text = f"%r = graph.gather %v[%i] dims [1] : ({matrix}, tensor<3xi32>) -> tensor<3x6x{element}>"
    index = torch.tensor([4, 0, 4], dtype=torch.int32)
    same(run(V + ", %i: tensor<3xi32>", text, f"tensor<3x6x{element}>", value, index), value.T[index.long()])
    text = f"%r = graph.contract %v, %v batch [], [] contract [1], [1] : ({matrix}, {matrix}) -> tensor<6x6x{element}>"
    product = (wide[:, None] * wide).sum(-1, dtype=wide.dtype).to(dtype)
    torch.testing.assert_close(run(V, text, f"tensor<6x6x{element}>", value), product)

# Contractions
a, b = torch.randn(3, 2, 5), torch.randn(5, 4, 2)
AB = "%a: tensor<3x2x5xf32>, %b: tensor<5x4x2xf32>"
CONTRACT = "%r = graph.contract %a, %b batch [1], [2] contract [2], [0] : (tensor<3x2x5xf32>, tensor<5x4x2xf32>) -> tensor<2x3x4xf32>"
torch.testing.assert_close(run(AB, CONTRACT, "tensor<2x3x4xf32>", a, b), torch.einsum("mbk,knb->bmn", a, b))
OUTER = "%r = graph.contract %a, %b batch [], [] contract [], [] : (tensor<3xi8>, tensor<4xi8>) -> tensor<3x4xi8>"
p, q = torch.tensor([100, -100, 7], dtype=torch.int8), torch.tensor([3, -3, 0, 1], dtype=torch.int8)
same(run("%a: tensor<3xi8>, %b: tensor<4xi8>", OUTER, "tensor<3x4xi8>", p, q), p[:, None] * q)

# Structure
FUSION = """%r, %s = graph.fusion (%a = %x : tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %0 = graph.exp %a : tensor<4x8xf32>
  graph.yield %0, %a : tensor<4x8xf32>, tensor<4x8xf32>
}"""
same(run(X, FUSION, "tensor<4x8xf32>", x), x.exp())
CALL = """%v, %r = graph.call_aten "aten.topk.default"(%x) {args = [#graph.operand<0>, 2 : i64], kwargs = {largest = false}}
  : (tensor<4x8xf32>) -> (tensor<4x2xf32>, tensor<4x2xi64>)"""
same(run(X, CALL, "tensor<4x2xi64>", x), x.topk(2, largest=False).indices)
CALL = """%r = graph.call_aten "aten._to_copy.default"(%x) {args = [#graph.operand<0>], kwargs = {dtype = #graph.torch<"float16">,
  device = #graph.torch<"cuda:0">, memory_format = #graph.none}} : (tensor<4x8xf32>) -> tensor<4x8xf16>"""
same(run(X, CALL, "tensor<4x8xf16>", x), x.half())

# float64 keeps what f32 and f16 lose.
H = "%0 = graph.convert %x : tensor<4x8xf32> -> tensor<4x8xf16>\n%r = graph.convert %0 : tensor<4x8xf16> -> tensor<4x8xf32>"
same(run(X, H, "tensor<4x8xf32>", x), x.half().float())
same(run(X, H, "tensor<4x8xf32>", x, float64=True), x.double())
same(run(X, H, "tensor<4x8xf32>", x.double() / 3, float64=True), x.double() / 3)
BITS = "%0 = graph.bitcast %x : tensor<4x8xf32> -> tensor<4x8xi32>\n%r = graph.bitcast %0 : tensor<4x8xi32> -> tensor<4x8xf32>"
same(run(X, BITS, "tensor<4x8xf32>", x, float64=True), x.double())

# Symbols
SYMBOLIC = """func.func @main(%s0: index {graph.symbol = #graph.symbol<0, min = 2, max = 64, divisor = 2>},
                %x: tensor<?x4xf32, #graph.dims<[s0, 4]>>) -> (index, tensor<?x4xf32, #graph.dims<[s0 floordiv 2, 4]>>) {
  %0 = graph.slice %x starts [s0 floordiv 2, 0] steps [1, 1]
    : tensor<?x4xf32, #graph.dims<[s0, 4]>> -> tensor<?x4xf32, #graph.dims<[s0 floordiv 2, 4]>>
  return %s0, %0 : index, tensor<?x4xf32, #graph.dims<[s0 floordiv 2, 4]>>
}"""
rows = torch.randn(6, 4)
size, half = interpret(parse(SYMBOLIC), [6, rows])
assert size == 6
same(half, rows[3:])

# Errors
fails(SYMBOLIC, "symbol s0 = 5 is not allowed")(5, torch.randn(5, 4))
fails(SYMBOLIC, "input 1 must have shape [6, 4], got [4, 4]")(6, torch.randn(4, 4))
fails(SYMBOLIC, "input 1 must have dtype torch.float32, got torch.float64")(6, torch.randn(6, 4).double())
fails(SYMBOLIC, "@main takes 2 inputs, got 1")(6)
fails(SYMBOLIC, "input 0 must be an int")(rows, rows)
fails(SYMBOLIC, "input 1 must be a tensor")(6, 6)
fails("func.func @other() {\n return\n}", "the module has no function @main")()
UNBOUND = "func.func @main() {\n %0 = graph.full 1.0 : tensor<?xf32, #graph.dims<[s1]>>\n return\n}"
fails(UNBOUND, "symbol s1 has no value")()
