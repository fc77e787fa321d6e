# RUN: %python %s
"""What the tuner takes for right and for wrong: random inputs, the reference, the allowed error."""

import torch
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser

from fusir.dialects.graph import ContractOp, Precision, PrecisionAttr
from fusir.dialects.tt import InputPrecision
from fusir.interpreters.graph import interpret
from fusir.interpreters.tile_ops import dot
from fusir.runtime.tuning.check import Check, Tolerance, tolerance_of
from fusir.runtime.tuning.inputs import NotMeasured, random_inputs, reference, useful_inputs
from fusir.tools.registry import make_context

CPU = torch.device("cpu")


def program(element: str, k: int, body: str, extra: str = "", wide: str = "") -> ModuleOp:
    """A product of 48 by 40 that `body` makes `%r` of, from `%p` of `wide` elements."""
    x, w = f"tensor<48x{k}x{element}>", f"tensor<{k}x40x{element}>"
    p, result = f"tensor<48x40x{wide or element}>", f"tensor<48x40x{element}>"
    outer, inner = (f", %v: {extra}", f", %e = %v : {extra}") if extra else ("", "")
    text = f"""
func.func @main(%x: {x}, %w: {w}{outer}) -> {result} {{
  %y = graph.fusion (%a = %x : {x}, %b = %w : {w}{inner}) -> {result} {{
    %p = graph.contract %a, %b batch [], [] contract [1], [0] : ({x}, {w}) -> {p}
    {body}
    graph.yield %r : {result}
  }}
  return %y : {result}
}}"""
    return Parser(make_context(), text).parse_module()


def relu(element: str) -> str:
    return f"%r = graph.relu %p : tensor<48x40x{element}>"


def case(module: ModuleOp) -> tuple[list[torch.Tensor], list[torch.Tensor], list[torch.Tensor], Check]:
    """Inputs, what a careful kernel computes of them, what the library does, and the check."""
    inputs, expected = useful_inputs(module, CPU, torch.float64)
    library = interpret(module, inputs)
    careful = [e.to(r.dtype) for e, r in zip(expected, library, strict=True)]
    return inputs, careful, library, Check(tolerance_of(module), expected, library)


def wrong(check: Check, results: list[torch.Tensor], text: str) -> None:
    reason = check.rejection(results)
    assert reason is not None and text in reason, reason


# What is rounded once is right, whatever the type and the length; what lost a part of the sum is not.
for element, dtype in (("f32", torch.float32), ("f16", torch.float16), ("bf16", torch.bfloat16)):
    for k in (1, 7, 64, 1024):
        module = program(element, k, relu(element))
        inputs, careful, library, check = case(module)
        assert check.rejection(careful) is None and check.rejection(library) is None, (element, k)
        assert 0.2 < library[0].double().square().mean().sqrt() < 5, "products are about 1"
        if k >= 64:
            step = k // 64
            x, w = inputs
            short = (x[:, step:].double() @ w[step:].double()).relu().to(dtype)
            wrong(check, [short], "relative error")
        tile = careful[0].clone()
        tile[:16, :8] = tile[16:32, :8]
        wrong(check, [tile], "relative error")
        one = careful[0].clone()
        one[3, 5] += 0.5
        wrong(check, [one], "relative error")
        wrong(check, [careful[0] * 1.05], "relative error")
        for bad in (float("nan"), float("inf"), -float("inf")):
            one = careful[0].clone()
            one[0, 0] = bad
            wrong(check, [one], "1 elements are not finite")
        wrong(check, [careful[0].t()], "shape")
        wrong(check, [], "0 results instead of 1")

# f32: an accumulation in f32 in another order is right, products in tf32 or bf16 are not.
module = program("f32", 1024, relu("f32"))
inputs, careful, library, check = case(module)
x, w = inputs
blocks = sum((x[:, k : k + 32] @ w[k : k + 32] for k in range(0, 1024, 32)), torch.zeros(48, 40))
assert check.rejection([blocks.relu()]) is None
low = (x.bfloat16().float() @ w.bfloat16().float()).relu()
wrong(check, [low], "relative error")
tf32 = [((v.view(torch.int32) + 0x1000) & ~0x1FFF).view(torch.float32) for v in (x, w)]
wrong(check, [(tf32[0] @ tf32[1]).relu()], "relative error")

# Results that span many orders: an error that is small beside the largest ones still counts.
grown = """%c = graph.full 6.000000e+00 : tensor<48x40xf32>
    %m = graph.mul %p, %c : tensor<48x40xf32>
    %g = graph.exp %m : tensor<48x40xf32>
    %r = graph.convert %g : tensor<48x40xf32> -> tensor<48x40xbf16>"""
inputs, careful, library, check = case(program("bf16", 64, grown, wide="f32"))
assert careful[0].max() / careful[0].median() > 100
assert check.rejection(careful) is None
mean = careful[0].float().mean()
off = careful[0].clone()
off[0, :8] += mean
wrong(check, [off], "relative error")

# Infinite results: equal infinities are right, one that is missing is not. A mask has them.
masked = """%l = graph.full -inf : tensor<48x40xf32>
    %r = graph.select %e, %p, %l : tensor<48x40xf32>"""

module = program("f32", 64, masked, "tensor<48x40xi1>")
inputs, careful, library, check = case(module)
assert 0.3 < careful[0].isfinite().double().mean() < 0.7
assert check.rejection(careful) is None and check.rejection(library) is None
wrong(check, [torch.where(careful[0].isinf(), 0.0, careful[0])], "that are not finite differ")
wrong(check, [-careful[0]], "that are not finite differ")

# A root needs inputs that are positive.
root = """%s = graph.sqrt %p : tensor<48x40xf32>
    %r = graph.rsqrt %s : tensor<48x40xf32>"""
inputs, careful, library, check = case(program("f32", 64, root))
assert all((value > 0).all() for value in inputs) and check.rejection(library) is None
infinite = "%i = graph.full inf : tensor<48x40xf32>\n    %r = graph.add %p, %i : tensor<48x40xf32>"
try:
    useful_inputs(program("f32", 64, infinite), CPU, torch.float64)
except NotMeasured as error:
    assert "finite" in str(error)
else:
    raise AssertionError("all results are infinite")

# Products that may take tf32 may err as tf32 does, also beside a library that does not; pieces may not.
for precision in ("tf32", "bf16x6"):
    module = program("f32", 512, relu("f32"))
    for contract in module.walk():
        if isinstance(contract, ContractOp):
            contract.properties["precision"] = PrecisionAttr(Precision(precision))
    (x, w), careful, library, check = case(module)
    assert check.rejection(careful) is None and check.rejection(library) is None
    modes = {"tf32": InputPrecision.TF32, "bf16x6": InputPrecision.BF16X6}
    computed = {name: [dot(x, w, torch.zeros(()), mode).relu()] for name, mode in modes.items()}
    assert check.rejection(computed[precision]) is None, precision
    assert (check.rejection(computed["tf32"]) is None) == (precision == "tf32")
    wrong(check, [careful[0] * (1 + 2**-6)], "relative error")

# Without a library the bound is that of the types.
module = program("bf16", 256, relu("bf16"))
inputs, careful, library, _ = case(module)
check = Check(tolerance_of(module), reference(module, inputs, CPU, torch.float64), None)
assert check.rejection(careful) is None and check.rejection(library) is None
wrong(check, [library[0].roll(1, 0)], "relative error")

# Integers: exact where no float is involved, else few may differ.
exact, rounded = Tolerance(64, 0.0, (True,)), Tolerance(64, 0.0, (False,))
numbers = torch.arange(10_000)
off = numbers.clone()
off[5] += 1
assert Check(exact, [numbers], [numbers]).rejection([numbers.clone()]) is None
wrong(Check(exact, [numbers], [numbers]), [off], "0.01% of the elements differ, 0.00% may")
assert Check(rounded, [numbers], [numbers]).rejection([off]) is None
wrong(Check(rounded, [numbers], [numbers]), [numbers.roll(1)], "100.00% of the elements differ")
assert Check(exact, [numbers[:0]], [numbers[:0]]).rejection([numbers[:0]]) is None
assert tolerance_of(module) == Tolerance(256, torch.finfo(torch.bfloat16).eps, (False,))

# Inputs: the layouts of the function, integers over their range, the same every time.
text = """
func.func @main(%x: tensor<8x4xi8> {graph.strides = #graph.dims<[1, 8]>}, %b: tensor<3x5xf32> {graph.strides = #graph.dims<[0, 2]>}, %m: tensor<50xi1>, %i: tensor<50xi64>, %z: tensor<0x3xf16>) -> tensor<4x8xi8> {
  %y = graph.fusion (%a = %x : tensor<8x4xi8>) -> tensor<4x8xi8> {
    %t = graph.permute %a dims [1, 0] : tensor<8x4xi8> -> tensor<4x8xi8>
    graph.yield %t : tensor<4x8xi8>
  }
  return %y : tensor<4x8xi8>
}"""
module = Parser(make_context(), text).parse_module()
before = torch.get_rng_state()
x, b, m, i, z = inputs = random_inputs(module, CPU)
assert torch.equal(torch.get_rng_state(), before)
assert [v.stride() for v in (x, b)] == [(1, 8), (0, 2)] and (b[0] == b[1]).all()
assert x.min() < -64 and x.max() > 64 and 0 < m.sum() < 50 and i.abs().max() <= 2**15 and z.shape == (0, 3)
assert all(torch.equal(a, b) for a, b in zip(inputs, random_inputs(module, CPU), strict=True))
# A weight of bytes with its scales: products are about 1 all the same.
dequantized = """
func.func @main(%x: tensor<16x256xbf16>, %w: tensor<256x32xi8>, %s: tensor<32xbf16>) -> tensor<16x32xbf16> {
  %y = graph.fusion (%a = %x : tensor<16x256xbf16>, %b = %w : tensor<256x32xi8>, %c = %s : tensor<32xbf16>) -> tensor<16x32xbf16> {
    %f = graph.convert %b : tensor<256x32xi8> -> tensor<256x32xbf16>
    %q = graph.broadcast %c dims [1] : tensor<32xbf16> -> tensor<256x32xbf16>
    %v = graph.mul %f, %q : tensor<256x32xbf16>
    %p = graph.contract %a, %v batch [], [] contract [1], [0] : (tensor<16x256xbf16>, tensor<256x32xbf16>) -> tensor<16x32xbf16>
    graph.yield %p : tensor<16x32xbf16>
  }
  return %y : tensor<16x32xbf16>
}"""
module = Parser(make_context(), dequantized).parse_module()
results = reference(module, random_inputs(module, CPU), CPU, torch.float32)
assert results[0].dtype == torch.float32 and 0.1 < results[0].square().mean().sqrt() < 10
