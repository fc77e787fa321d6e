# RUN: %python %s
"""Tiles never change what a contraction computes: random shapes, layouts, epilogues and tiles, at loop and tile level."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from hypothesis import HealthCheck, Phase, given, note, settings
from hypothesis import strategies as st
from random_schedules import SOME_TILES
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser

from fusir.dialects import tt
from fusir.dialects.graph import FusionOp
from fusir.dialects.loop import TILES, Tiles, TilesAttr
from fusir.interpreters.graph import interpret
from fusir.interpreters.module import interpret_module
from fusir.pipeline import run_pipeline
from fusir.tools.registry import make_context

torch.set_num_threads(1)

SIDES = st.sampled_from([2, 3, 7, 16, 17, 33, 48, 64, 65])
INNER = st.sampled_from([0, 1, 2, 5, 16, 31, 32, 64, 72])
DTYPES = {"bf16": torch.bfloat16, "f16": torch.float16, "f32": torch.float32, "i8": torch.int8}
TOLERANCES = {"bf16": 2**-7, "f16": 2**-10, "f32": 2**-18, "i8": 0.0}
"""Largest error of a result, of the largest one: one rounding to the type, and the order of the sum."""

FEATURES = {"descriptors", "masks", "persistent", "parts longer than the tiles that were asked for", "batch"}
DRAWN: set[str] = set()


@dataclass(frozen=True)
class Case:
    """A contraction with what surrounds it."""

    batch: int
    rows: int
    columns: int
    inner: int
    lhs_transposed: bool
    rhs_transposed: bool
    element: str
    prologue: bool
    bias: bool
    parts: int
    """Columns of which a part of a row is summed up; 0 for the product itself."""

    @property
    def head(self) -> list[int]:
        return [self.batch] if self.batch else []

    @property
    def shapes(self) -> list[list[int]]:
        """Of the two factors and of the bias."""
        lhs, rhs = [self.rows, self.inner], [self.inner, self.columns]
        if self.lhs_transposed:
            lhs.reverse()
        if self.rhs_transposed:
            rhs.reverse()
        return [[*self.head, *lhs], [*self.head, *rhs], [self.columns]]

    @property
    def text(self) -> str:
        """A graph function that holds the contraction in one fusion."""
        element, wide = self.element, "i32" if self.element == "i8" else "f32"
        lhs, rhs, bias = self.shapes
        types = [tensor(lhs, element), tensor(rhs, element), tensor(bias, wide)]
        shape = [*self.head, self.rows, self.columns]
        result, rank = tensor(shape, wide), len(shape)
        batch = "[0], [0]" if self.head else "[], []"
        contracted = (len(self.head) + (not self.lhs_transposed), len(self.head) + self.rhs_transposed)
        body: list[str] = []
        factor, value = "%a", "%product"
        if self.prologue:
            body.append(f"%one = graph.full 1.0 : {types[0]}")
            body.append(f"%shifted = graph.add %a, %one : {types[0]}")
            factor = "%shifted"
        body.append(
            f"%product = graph.contract {factor}, %b batch {batch} contract [{contracted[0]}], [{contracted[1]}]"
            f" : ({types[0]}, {types[1]}) -> {result}"
        )
        if self.bias:
            body.append(f"%row = graph.broadcast %c dims [{rank - 1}] : {types[2]} -> {result}")
            body.append(f"%sum = graph.add {value}, %row : {result}")
            value = "%sum"
        if self.parts:
            cut = [*shape[:-1], self.columns // self.parts, self.parts]
            body.append(f"%cut = graph.reshape {value} : {result} -> {tensor(cut, wide)}")
            result = tensor(cut[:-1], wide)
            body.append(f"%parts = graph.reduce sum %cut dims [{rank}] : {tensor(cut, wide)} -> {result}")
            value = "%parts"
        inputs = ", ".join(f"%{name} = %{name}_ : {type_}" for name, type_ in zip("abc", types, strict=True))
        arguments = ", ".join(f"%{name}_: {type_}" for name, type_ in zip("abc", types, strict=True))
        lines = "\n".join(body)
        return (
            f"func.func @main({arguments}) -> {result} {{\n%0 = graph.fusion ({inputs}) -> {result} {{\n{lines}\n"
            f"graph.yield {value} : {result}\n}}\nfunc.return %0 : {result}\n}}"
        )


def tensor(shape: list[int], element: str) -> str:
    return f"tensor<{'x'.join(map(str, [*shape, element]))}>"


@st.composite
def cases(draw: st.DrawFn) -> Case:
    columns = draw(st.one_of(SIDES, st.sampled_from([64, 96, 128])))
    element = draw(st.sampled_from(sorted(DTYPES)))
    divisors = [d for d in (2, 3, 8, 32, 64) if columns % d == 0]
    return Case(
        draw(st.sampled_from([0, 0, 1, 3])),
        draw(SIDES),
        columns,
        draw(INNER),
        draw(st.booleans()),
        draw(st.booleans()),
        element,
        draw(st.booleans()) and element != "i8",
        draw(st.booleans()),
        draw(st.sampled_from([0, *divisors])),
    )


def parsed(case: Case) -> ModuleOp:
    module = Parser(make_context(), case.text).parse_module()
    module.verify()
    return module


def check(what: str, found: torch.Tensor, expected: torch.Tensor, tolerance: float) -> None:
    """Compare with a reference in float64."""
    assert found.shape == expected.shape
    if expected.numel() == 0:
        return
    error = (found.double() - expected.double()).abs().max().item()
    assert error <= tolerance * max(1.0, expected.double().abs().max().item()), f"{what}: off by {error}"


@settings(
    max_examples=60,
    deadline=None,
    derandomize=True,
    phases=(Phase.generate,),
    suppress_health_check=list(HealthCheck),
)
@given(case=cases(), tiles=SOME_TILES)
def tiles_keep_the_meaning(case: Case, tiles: Tiles) -> None:
    note(f"{case}\n{tiles}")
    generator = torch.Generator().manual_seed(7)
    inputs: list[torch.Tensor] = []
    for position, shape in enumerate(case.shapes):
        values = torch.randn(shape, generator=generator)
        if case.element == "i8":
            values = (values * 50).round().clamp(-128, 127)
            inputs.append(values.to(torch.int8 if position < 2 else torch.int32))
        else:
            inputs.append(values.to(DTYPES[case.element] if position < 2 else torch.float32))
    (expected,) = interpret(parsed(case), [each.clone() for each in inputs], float64=case.element != "i8")
    assert isinstance(expected, torch.Tensor)

    module = parsed(case)
    for op in module.walk():
        if isinstance(op, FusionOp):
            op.attributes[TILES] = TilesAttr(tiles)
    run_pipeline(make_context(), module, "loop", on_stage=None)
    (found,) = interpret_module(module, [each.clone() for each in inputs])
    assert isinstance(found, torch.Tensor)
    check("loop level", found, expected, TOLERANCES[case.element])

    module = parsed(case)
    for op in module.walk():
        if isinstance(op, FusionOp):
            op.attributes[TILES] = TilesAttr(tiles)
    run_pipeline(make_context(), module)
    kernels = [op for op in module.walk() if isinstance(op, tt.FuncOp)]
    assert len(kernels) == 1, "one kernel"
    ops = {op.name for op in kernels[0].walk()}
    assert "tt.dot" in ops, "no dot"
    note_features(case, tiles, ops)
    (found,) = interpret_module(module, [each.clone() for each in inputs])
    assert isinstance(found, torch.Tensor)
    check("tile level", found, expected, TOLERANCES[case.element])


def note_features(case: Case, tiles: Tiles, ops: set[str]) -> None:
    has = {
        "descriptors": "tt.descriptor_load" in ops,
        "masks": case.rows % tiles.m > 0 and case.inner % tiles.k > 0,
        "persistent": bool(tiles.persistent),
        "parts longer than the tiles that were asked for": case.parts > tiles.n,
        "batch": case.batch > 1,
    }
    DRAWN.update(name for name, value in has.items() if value)


def gated(rows: int, columns: int, inner: int) -> str:
    """Two products of one factor that meet, as in a gated layer."""
    x, w = tensor([rows, inner], "f16"), tensor([columns, inner], "f16")
    wide, result = tensor([rows, columns], "f32"), tensor([rows, columns], "f16")
    return f"""
func.func @main(%x: {x}, %w: {w}, %v: {w}) -> {result} {{
  %0 = graph.fusion (%a = %x : {x}, %b = %w : {w}, %c = %v : {w}) -> {result} {{
    %1 = graph.contract %a, %b batch [], [] contract [1], [1] : ({x}, {w}) -> {wide}
    %2 = graph.sigmoid %1 : {wide}
    %3 = graph.contract %a, %c batch [], [] contract [1], [1] : ({x}, {w}) -> {wide}
    %4 = graph.mul %2, %3 : {wide}
    %5 = graph.convert %4 : {wide} -> {result}
    graph.yield %5 : {result}
  }}
  func.return %0 : {result}
}}"""


def stacked_products_are_those_of_their_factors() -> None:
    """One dot for both products, wherever the two factors are in memory: each of them comes first once."""
    for (rows, columns, inner), persistent in (((64, 48, 32), 0), ((33, 40, 72), 1), ((17, 104, 40), 0)):
        tiles = Tiles(16, 16, 16, 4, 4, 3, descriptors=1, persistent=persistent, stacked=1)
        generator = torch.Generator().manual_seed(rows)
        x = torch.randn(rows, inner, generator=generator).half()
        weights = list(torch.randn(2, columns, inner, generator=generator).half())
        for order in (weights, weights[::-1]):
            module = Parser(make_context(), gated(rows, columns, inner)).parse_module()
            (expected,) = interpret(module, [x, *order], float64=True)
            for op in module.walk():
                if isinstance(op, FusionOp):
                    op.attributes[TILES] = TilesAttr(tiles)
            run_pipeline(make_context(), module)
            dots = sum(isinstance(op, tt.DotOp) for op in module.walk())
            descriptors = [op for op in module.walk() if isinstance(op, tt.MakeTensorDescriptorOp)]
            assert dots == 1 and len(descriptors) == 2, "one dot, and one descriptor for both weights"
            (found,) = interpret_module(module, [x, *order])
            assert isinstance(found, torch.Tensor) and isinstance(expected, torch.Tensor)
            check("stacked", found, expected, TOLERANCES["f16"])


def heads(samples: int, heads: int, places: int, width: int) -> str:
    """Scores of queries and keys that one tensor holds: samples and heads are batches in unlike steps."""
    packed, part = tensor([samples, places, 3, heads, width], "f16"), tensor([samples, heads, places, width], "f16")
    one, result = tensor([samples, places, 1, heads, width], "f16"), tensor([samples, heads, places, places], "f32")
    flat = tensor([samples, places, heads, width], "f16")
    sides = "".join(
        f"""
    %{name}0 = graph.slice %a starts [0, 0, {number}, 0, 0] steps [1, 1, 1, 1, 1] : {packed} -> {one}
    %{name}1 = graph.reshape %{name}0 : {one} -> {flat}
    %{name} = graph.permute %{name}1 dims [0, 2, 1, 3] : {flat} -> {part}"""
        for number, name in enumerate("qk")
    )
    return f"""
func.func @main(%x: {packed}) -> {result} {{
  %0 = graph.fusion (%a = %x : {packed}) -> {result} {{{sides}
    %1 = graph.contract %q, %k batch [0, 1], [0, 1] contract [3], [3] : ({part}, {part}) -> {result}
    graph.yield %1 : {result}
  }}
  func.return %0 : {result}
}}"""


def batches_of_several_dims_are_blocks() -> None:
    """Descriptors where the dims of a batch do not follow each other in memory."""
    for shape, persistent in (((2, 2, 33, 16), 0), ((3, 2, 16, 24), 1)):
        tiles = Tiles(16, 16, 16, 2, 4, 3, descriptors=1, persistent=persistent)
        samples, count, places, width = shape
        x = torch.randn(samples, places, 3, count, width, generator=torch.Generator().manual_seed(3)).half()
        module = Parser(make_context(), heads(*shape)).parse_module()
        (expected,) = interpret(module, [x], float64=True)
        for op in module.walk():
            if isinstance(op, FusionOp):
                op.attributes[TILES] = TilesAttr(tiles)
        run_pipeline(make_context(), module)
        loads = sum(isinstance(op, tt.DescriptorLoadOp) for op in module.walk())
        assert loads == 2, "both factors are blocks"
        (found,) = interpret_module(module, [x])
        assert isinstance(found, torch.Tensor) and isinstance(expected, torch.Tensor)
        check("heads", found, expected, TOLERANCES["f16"])


stacked_products_are_those_of_their_factors()
batches_of_several_dims_are_blocks()
tiles_keep_the_meaning()
assert DRAWN == FEATURES, f"never drawn: {FEATURES - DRAWN}"
