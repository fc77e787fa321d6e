"""Corpus graphs: convolutions, which ATen runs, with what is around them in models."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from graph_builder import Graph, Tensor, rsqrt
from xdsl.dialects.builtin import ArrayAttr, IntegerAttr, ModuleOp, i1, i64
from xdsl.ir import Attribute

from fusir.dialects import graph

Named = tuple[str, ModuleOp]

SCALE = 0.25
"""Keeps sums of some dozen products near 1."""


def convolution(
    x: Tensor, weight: Tensor, bias: Tensor | None = None, stride: int = 1, padding: int = 0, groups: int = 1
) -> Tensor:
    """`aten.convolution` of images."""

    def both(value: int) -> ArrayAttr[Attribute]:
        return ArrayAttr([IntegerAttr(value, i64)] * 2)

    operands = [x, weight, *([bias] if bias is not None else [])]
    args: Sequence[Attribute] = (
        graph.OperandRefAttr(0),
        graph.OperandRefAttr(1),
        graph.OperandRefAttr(2) if bias is not None else graph.NoneArgAttr(),
        *(both(stride), both(padding), both(1), IntegerAttr(0, i1), both(0), IntegerAttr(groups, i64)),
    )
    spatial = [
        (extent + 2 * padding - filter_) // stride + 1
        for extent, filter_ in zip(x.dims[2:], weight.dims[2:], strict=True)
        if isinstance(extent, int) and isinstance(filter_, int)
    ]
    type_ = graph.tensor_type(x.element, [x.dims[0], weight.dims[0], *spatial])
    call = graph.CallAtenOp("aten.convolution.default", [each.value for each in operands], args, {}, [type_])
    return x.emit(call)


def convolutions() -> Iterator[Named]:
    for element in ("bf16", "f32"):
        g = Graph("residual")
        x, w = g.arg(element, 2, 8, 7, 5), g.arg(element, 8, 8, 3, 3)
        y = convolution(x, w, g.arg(element, 8), padding=1) * SCALE
        yield f"residual-{element}", g.returns((y + x).unary("relu"))
    g = Graph("normalized")
    x, w = g.arg("f32", 2, 6, 8, 8), g.arg("f32", 10, 6, 3, 3)
    scale, shift, mean, variance = (g.arg("f32", 10).reshape(1, 10, 1, 1) for _ in range(4))
    y = convolution(x, w, stride=2) * SCALE
    y = (y - mean) * rsqrt(variance * variance + 0.5) * scale + shift
    yield "batch-norm-by-statistics", g.returns(y.unary("sigmoid"), y.mean(2, 3))
    g = Graph("pointwise")
    x, w, b = g.arg("bf16", 2, 8, 4, 4), g.arg("bf16", 12, 8, 1, 1), g.arg("bf16", 12)
    yield "filter-of-one-element", g.returns((convolution(x, w, b) * SCALE).unary("relu"))
    g = Graph("depthwise")
    x, w, v = g.arg("f32", 2, 8, 6, 6), g.arg("f32", 8, 1, 3, 3), g.arg("f32", 4, 8, 1, 1)
    y = (convolution(x, w, g.arg("f32", 8), padding=1, groups=8) * SCALE).unary("relu")
    yield "depthwise-then-pointwise", g.returns(convolution(y, v, g.arg("f32", 4)) * SCALE, y)
    g = Graph("gradient")
    x, w = g.arg("f32", 2, 8, 4, 4), g.arg("f32", 8, 8, 3, 3)
    y = convolution(x, w, g.arg("f32", 8), padding=1) * SCALE
    yield "read-by-rows-and-returned", g.returns(y, y.reshape(2, 128).amax(1), y.permute(0, 2, 3, 1))
