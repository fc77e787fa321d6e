# RUN: %python %s
"""`choose-contractions` carries out what a chooser says, keeps the meaning, and asks once about equal fusions."""

from dataclasses import replace

from agreement import compare, random_inputs
from xdsl.dialects.builtin import ModuleOp, i32
from xdsl.parser import Parser

from fusir import remarks
from fusir.dialects.graph import CallAtenOp, ContractOp, FusionOp, ReduceOp, tensor_type
from fusir.dialects.loop import TILES, Tiles, TilesAttr
from fusir.interpreters.graph import interpret
from fusir.pipeline import make_pass, verify
from fusir.tools.registry import make_context
from fusir.transforms.graph.contraction_choice import (
    Alternative,
    Choice,
    collect_contractions,
    current_chooser,
    use_chooser,
)

CONTEXT = make_context()
TILES_A = Tiles(m=16, n=32, k=16, group=1, warps=4, stages=2)
CHOICES = (None, Choice(), Choice(tiles=TILES_A), Choice(library=True), Choice(plain=TILES_A))


class Fixed:
    """A chooser that always says the same and notes what it was asked."""

    def __init__(self, *choices: Choice | None) -> None:
        self.choices = choices
        self.asked: list[str] = []

    def prepare(self, modules):
        pass

    def choose(self, module: ModuleOp) -> Choice | None:
        verify(module)
        self.asked.append(str(module))
        return self.choices[min(len(self.asked), len(self.choices)) - 1]


def parse(text: str) -> ModuleOp:
    return Parser(CONTEXT, text).parse_module()


def chosen(text: str, *choices: Choice | None) -> tuple[ModuleOp, Fixed]:
    module, chooser = parse(text), Fixed(*choices)
    with use_chooser(chooser):
        make_pass("choose-contractions").apply(CONTEXT, module)
    assert current_chooser() is None
    verify(module)
    return module, chooser


def ops(module: ModuleOp, kind: type) -> list:
    """The ops of a kind at the top level of the first function."""
    return [op for op in module.body.block.first_op.body.block.ops if isinstance(op, kind)]


def linear(name: str, x: str, w: str, b: str, rows: int = 8) -> str:
    """A fusion with a bias, an activation, and a weight that is permuted and scaled in it; two results."""
    return f"""
  %{name}, %{name}s = graph.fusion (%a = %{x} : tensor<{rows}x16xbf16>, %c = %{w} : tensor<12x16xi8>, %d = %{b} : tensor<12xbf16>) -> (tensor<{rows}x12xf32>, tensor<{rows}x12xbf16>) {{
    %w0 = graph.convert %c : tensor<12x16xi8> -> tensor<12x16xbf16>
    %half = graph.full 5.000000e-01 : tensor<12x16xbf16>
    %w1 = graph.mul %w0, %half : tensor<12x16xbf16>
    %t = graph.permute %w1 dims [1, 0] : tensor<12x16xbf16> -> tensor<16x12xbf16>
    %p = graph.contract %a, %t batch [], [] contract [1], [0] : (tensor<{rows}x16xbf16>, tensor<16x12xbf16>) -> tensor<{rows}x12xf32>
    %q = graph.broadcast %d dims [1] : tensor<12xbf16> -> tensor<{rows}x12xbf16>
    %q1 = graph.convert %q : tensor<{rows}x12xbf16> -> tensor<{rows}x12xf32>
    %r = graph.add %p, %q1 : tensor<{rows}x12xf32>
    %e = graph.relu %r : tensor<{rows}x12xf32>
    %h = graph.convert %e : tensor<{rows}x12xf32> -> tensor<{rows}x12xbf16>
    graph.yield %r, %h : tensor<{rows}x12xf32>, tensor<{rows}x12xbf16>
  }}"""


LINEAR = f"""
func.func @main(%x: tensor<8x16xbf16>, %w: tensor<12x16xi8>, %b: tensor<12xbf16>) -> (tensor<8x12xf32>, tensor<8x12xbf16>) {{
{linear("y", "x", "w", "b")}
  return %y, %ys : tensor<8x12xf32>, tensor<8x12xbf16>
}}"""

# Two contractions of one operand that meet; a factor of rows; f32.
SWIGLU = """
func.func @main(%x: tensor<5x7xf32>, %u: tensor<7x9xf32>, %v: tensor<7x9xf32>, %s: tensor<5xf32>) -> tensor<9x5xf32> {
  %y = graph.fusion (%a = %x : tensor<5x7xf32>, %b = %u : tensor<7x9xf32>, %c = %v : tensor<7x9xf32>, %d = %s : tensor<5xf32>) -> tensor<5x9xf32> {
    %p = graph.contract %a, %b batch [], [] contract [1], [0] : (tensor<5x7xf32>, tensor<7x9xf32>) -> tensor<5x9xf32>
    %q = graph.contract %a, %c batch [], [] contract [1], [0] : (tensor<5x7xf32>, tensor<7x9xf32>) -> tensor<5x9xf32>
    %g = graph.sigmoid %p : tensor<5x9xf32>
    %h = graph.mul %g, %q : tensor<5x9xf32>
    %f = graph.broadcast %d dims [0] : tensor<5xf32> -> tensor<5x9xf32>
    %r = graph.mul %h, %f : tensor<5x9xf32>
    graph.yield %r : tensor<5x9xf32>
  }
  %t = graph.permute %y dims [1, 0] : tensor<5x9xf32> -> tensor<9x5xf32>
  return %t : tensor<9x5xf32>
}"""

# A square of a matrix, with the batch in front; the rows of the product are summed up.
SQUARE = """
func.func @main(%x: tensor<2x6x6xf32>) -> tensor<2x6xf32> {
  %y = graph.fusion (%a = %x : tensor<2x6x6xf32>) -> tensor<2x6xf32> {
    %p = graph.contract %a, %a batch [0], [0] contract [2], [1] : (tensor<2x6x6xf32>, tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
    %s = graph.reduce sum %p dims [2] : tensor<2x6x6xf32> -> tensor<2x6xf32>
    graph.yield %s : tensor<2x6xf32>
  }
  return %y : tensor<2x6xf32>
}"""

# Whatever is chosen, the meaning stays, also in what the rest of the stage makes of it.
for text, parts in ((LINEAR, 2), (SWIGLU, 7), (SQUARE, 1)):
    for choice in (*CHOICES, Choice(plain=replace(TILES_A, split=parts))):
        module, chooser = chosen(text, choice)
        assert len(chooser.asked) == 1
        inputs = random_inputs(parse(text), 1)
        # A library rounds the product of halves.
        rounded = choice is not None and choice.library and text is LINEAR
        states = [interpret(state, inputs) for state in (parse(text), module)]
        expected, got = ([r.bfloat16() if rounded else r for r in results] for results in states)
        compare(expected, got, "choose-contractions")
        for name in ("fuse", "contract-to-aten", "promote-precision", "canonicalize", "cse"):
            make_pass(name).apply(CONTEXT, module)
        verify(module)
        got = [r.to(e.dtype) for r, e in zip(interpret(module, inputs), expected, strict=True)]
        compare(expected, got, f"the stage behind {choice}")
        products = ops(module, CallAtenOp)
        assert bool(products) == (choice is not None and choice.library), str(module)

# Kept: with tiles, or as it was.
for choice in (None, Choice()):
    assert str(chosen(LINEAR, choice)[0]) == str(parse(LINEAR))
(fusion,) = ops(chosen(LINEAR, Choice(tiles=TILES_A))[0], FusionOp)
assert fusion.attributes[TILES] == TilesAttr(TILES_A)

# Dissolved: the contraction has a result as libraries give it, and nothing is left of the fusion.
module, _ = chosen(LINEAR, Choice(library=True))
(contract,) = ops(module, ContractOp)
assert (
    not ops(module, FusionOp)
    and contract.result.type == parse(LINEAR).body.block.first_op.function_type.outputs.data[1]
)

# Plain: each contraction is in a fusion with what computes its operands, and has the accumulator as its result.
module, _ = chosen(LINEAR, Choice(plain=TILES_A))
(fusion,) = ops(module, FusionOp)
names = [op.name for op in fusion.block.ops]
assert names[-2:] == ["graph.contract", "graph.yield"] and names[:-2] == [
    "graph.convert",
    "graph.full",
    "graph.mul",
    "graph.permute",
], names
assert not [op for op in module.body.block.first_op.body.block.ops if op.name == "graph.permute"], "it moved"
assert fusion.attributes[TILES] == TilesAttr(TILES_A) and "f32" in str(fusion.outputs[0].type)
plain = ops(chosen(SWIGLU, Choice(plain=TILES_A))[0], FusionOp)
assert [len(each.inputs) for each in plain] == [2, 2]
assert [len(each.inputs) for each in ops(chosen(SQUARE, Choice(plain=TILES_A))[0], FusionOp)] == [1]

# In parts: sums over parts of the contracted dim, as a batch, are added up outside.
module, _ = chosen(LINEAR, Choice(plain=replace(TILES_A, split=2)))
(fusion,) = ops(module, FusionOp)
(contract,) = (op for op in fusion.block.ops if isinstance(op, ContractOp))
assert contract.lhs_batch and str(fusion.outputs[0].type).startswith("tensor<2x"), fusion
assert fusion.attributes[TILES] == TilesAttr(TILES_A)
(finish,) = ops(module, ReduceOp)
assert finish.operand is fusion.outputs[0] and finish.dims == (0,)

# Equal fusions are asked about once, others apart: other extents, other layouts.
arguments = (
    "%x: tensor<8x16xbf16>, %y: tensor<8x16xbf16>{}, %w: tensor<12x16xi8>, %b: tensor<12xbf16>, %z: tensor<9x16xbf16>"
)
MANY = """
func.func @main({}) -> (tensor<8x12xf32>, tensor<8x12xf32>, tensor<9x12xf32>) {{
{}
  return %one, %two, %six : tensor<8x12xf32>, tensor<8x12xf32>, tensor<9x12xf32>
}}"""
fusions = linear("one", "x", "w", "b") + linear("two", "y", "w", "b") + linear("six", "z", "w", "b", 9)
equal = MANY.format(arguments.format(""), fusions)
module, chooser = chosen(equal, Choice(tiles=TILES_A), Choice(library=True))
assert len(chooser.asked) == 2 and len(set(chooser.asked)) == 2
assert [TILES in op.attributes for op in ops(module, FusionOp)] == [True, True] and len(ops(module, ContractOp)) == 1
transposed = " {graph.strides = #graph.dims<[1, 8]>}"
_, chooser = chosen(MANY.format(arguments.format(transposed), fusions), None)
assert len(chooser.asked) == 3 and sum("graph.strides = #graph.dims<[1, 8]>" in text for text in chooser.asked) == 1

# A prologue that several dissolved fusions have is computed once.
module, _ = chosen(equal, Choice(library=True))
assert [op.name for op in module.body.block.first_op.body.block.ops].count("graph.permute") == 1

# Chosen by layout, as a permuted weight has it, and as results shall have it.
STRIDED = """
func.func @main(%x: tensor<4x5xf32>, %w: tensor<6x5xf32>) -> (tensor<4x6xf32> {graph.strides = #graph.dims<[1, 4]>}) {
  %t = graph.permute %w dims [1, 0] : tensor<6x5xf32> -> tensor<5x6xf32>
  %y = graph.fusion (%a = %x : tensor<4x5xf32>, %b = %t : tensor<5x6xf32>) -> tensor<4x6xf32> {
    %p = graph.contract %a, %b batch [], [] contract [1], [0] : (tensor<4x5xf32>, tensor<5x6xf32>) -> tensor<4x6xf32>
    graph.yield %p : tensor<4x6xf32>
  }
  return %y : tensor<4x6xf32>
}"""
_, chooser = chosen(STRIDED, None)
(alone,) = chooser.asked
assert "tensor<5x6xf32> {graph.strides = #graph.dims<[1, 5]>}" in alone
assert "-> (tensor<4x6xf32> {graph.strides = #graph.dims<[1, 4]>})" in alone

# What cannot be measured is not asked about: dynamic extents. No library sums up bytes in 32 bits.
DYNAMIC = """
func.func @main(%s0: index {graph.symbol = #graph.symbol<0, min = 2>}, %x: tensor<?x5xf32, #graph.dims<[s0, 5]>>, %w: tensor<5x6xf32>) -> tensor<?x6xf32, #graph.dims<[s0, 6]>> {
  %y = graph.fusion (%a = %x : tensor<?x5xf32, #graph.dims<[s0, 5]>>, %b = %w : tensor<5x6xf32>) -> tensor<?x6xf32, #graph.dims<[s0, 6]>> {
    %p = graph.contract %a, %b batch [], [] contract [1], [0] : (tensor<?x5xf32, #graph.dims<[s0, 5]>>, tensor<5x6xf32>) -> tensor<?x6xf32, #graph.dims<[s0, 6]>>
    graph.yield %p : tensor<?x6xf32, #graph.dims<[s0, 6]>>
  }
  return %y : tensor<?x6xf32, #graph.dims<[s0, 6]>>
}"""
with collect_contractions() as told:
    module, chooser = chosen(DYNAMIC, Choice(library=True))
assert not chooser.asked and len(ops(module, FusionOp)) == 1
assert str(told[0]) == "s0x6x5 f32: fused; its extents are dynamic", told[0]
BYTES = STRIDED.replace("xf32>", "xi8>").replace(
    "(tensor<4x5xi8>, tensor<5x6xi8>) -> tensor<4x6xi8>", "(tensor<4x5xi8>, tensor<5x6xi8>) -> tensor<4x6xi32>"
)
BYTES = BYTES.replace("4x6xi8>", "4x6xi32>")
module, chooser = chosen(BYTES, Choice(library=True))
assert len(chooser.asked) == 1 and not ops(module, FusionOp)
(contract,) = ops(module, ContractOp)
assert contract.result.type == tensor_type(i32, [4, 6])

# Records and remarks: alternatives, times, operations a second, by how much the winner wins.
measured = Choice(
    tiles=TILES_A,
    alternatives=(
        Alternative(f"fused {'16x32x16, 4 warps, 2 stages, group 1'}", 2e-6),
        Alternative("library", 3e-6),
        Alternative("fused 32x32x16, 4 warps, 2 stages, group 1", None, "wrong result 0"),
    ),
)
with collect_contractions() as told, remarks.collect() as remarked:
    chosen(LINEAR, measured)
(contraction,) = told
assert contraction.operations == 2 * 8 * 12 * 16 and contraction.milliseconds == 2e-6
assert abs(contraction.tflops - 3072 / 2e-9 / 1e12) < 1e-9
assert str(contraction) == (
    "8x12x16 bf16: fused 16x32x16, 4 warps, 2 stages, group 1 2e-06 ms (2 TFLOP/s), 50.0% faster than the next best; "
    "library 3e-06 ms (1 TFLOP/s); fused 32x32x16, 4 warps, 2 stages, group 1 rejected: wrong result 0"
), str(contraction)
assert [each.message for each in remarked] == [str(contraction)]
with collect_contractions() as told:
    chosen(SWIGLU, Choice(library=True))
assert len(told) == 2 and all(each.operations == 4 * 5 * 9 * 7 and each.choice == "library" for each in told)

try:
    Choice(tiles=TILES_A, library=True)
except ValueError:
    pass
else:
    raise AssertionError("no error")
