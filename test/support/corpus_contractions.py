"""Corpus graphs: contractions with what is around them in models."""

from __future__ import annotations

from collections.abc import Iterator

from corpus_models import gelu
from graph_builder import Graph, Tensor, layer_norm, rsqrt, sigmoid
from xdsl.dialects.builtin import ModuleOp

from fusir.dialects import graph

Named = tuple[str, ModuleOp]

SCALE = 0.125
"""Keeps products of normal values near 1."""


def rms_norm(x: Tensor, weight: Tensor) -> Tensor:
    """The norm of rows in f32, in the type of `x`."""
    wide = x.convert("f32")
    wide = wide * rsqrt((wide * wide).mean(-1, keep=True) + 1e-6) * weight.convert("f32")
    return graph_convert(wide, x)


def graph_convert(x: Tensor, like: Tensor) -> Tensor:
    """`x` in the element type of another tensor."""
    return x.emit(graph.ConvertOp(x.value, like.element))


def contractions() -> Iterator[Named]:
    yield from _epilogues()
    yield from _prologues()
    yield from _reductions()


def _epilogues() -> Iterator[Named]:
    for element in ("bf16", "f16", "f32"):
        g = Graph("bias_relu")
        x, w, b = g.arg(element, 24, 32), g.arg(element, 32, 40), g.arg(element, 40)
        yield f"bias-relu-{element}", g.returns((x.matmul(w) * SCALE + b).unary("relu"))
    g = Graph("gelu_two_results")
    x, w, b = g.arg("bf16", 2, 12, 32), g.arg("bf16", 32, 40), g.arg("bf16", 40)
    y = x.reshape(24, 32).matmul(w) * SCALE + b
    yield "gelu-two-results", g.returns(gelu(y.reshape(2, 12, 40)), y)
    g = Graph("heads")
    x, w, b = g.arg("bf16", 2, 12, 32), g.arg("bf16", 32, 48), g.arg("bf16", 48)
    y = (x.reshape(24, 32).matmul(w) * SCALE + b).reshape(2, 12, 3, 16).permute(0, 2, 1, 3)
    yield "heads-stored-transposed", g.returns(y)
    g = Graph("dropout")
    x, w, seed = g.arg("bf16", 24, 32), g.arg("bf16", 32, 40), g.arg("i64")
    mask = g.random(seed, 4, 24, 40).compare("lt", 0.9)
    yield "dropout-keeps-mask", g.returns(mask.select(x.matmul(w) * SCALE, 0.0), mask)
    g = Graph("scores")
    q, k = g.arg("bf16", 2, 3, 10, 16), g.arg("bf16", 2, 3, 12, 16)
    keep = g.arg("i1", 10, 12)
    yield "masked-scores", g.returns(keep.select(q.matmul(k.permute(0, 1, 3, 2), 2) * 0.25, -3.0))
    g = Graph("gated")
    x, w, v = g.arg("bf16", 24, 32), g.arg("bf16", 32, 40), g.arg("bf16", 32, 40)
    gate = x.matmul(w) * SCALE
    yield "gated", g.returns(gate * sigmoid(gate) * (x.matmul(v) * SCALE))
    g = Graph("later")
    x, w, r = g.arg("f32", 24, 32), g.arg("f32", 32, 32), g.arg("f32", 24, 32)
    y = x.matmul(w) * SCALE + r
    z = (y.unary("tanh").matmul(w) * SCALE).unary("tanh")
    yield "residual-beside-layer", g.returns(y + z)


def _prologues() -> Iterator[Named]:
    g = Graph("bytes")
    x, w, s = g.arg("f16", 24, 32), g.arg("i8", 32, 40, low=-20, high=20), g.arg("f16", 40)
    yield "weight-of-bytes", g.returns(x.matmul(w.convert("f16") * 0.01) * s)
    g = Graph("operands")
    x, m, w = g.arg("bf16", 24, 32), g.arg("i1", 24, 32), g.arg("bf16", 40, 32)
    yield "masked-operand", g.returns(m.select(x.unary("relu") * SCALE, 0.0).matmul(w.permute(1, 0)))
    for element in ("bf16", "f32"):
        g = Graph("layer_norm")
        x, w, b, v = (g.arg(element, *dims) for dims in ((24, 64), (64,), (64,), (64, 40)))
        wide = [each.convert("f32") if element != "f32" else each for each in (x, w, b)]
        y = graph_convert(layer_norm(wide[0], wide[1], wide[2], 1) * SCALE, x)
        yield f"layer-norm-linear-{element}", g.returns(y.matmul(v))
    g = Graph("rms_norm")
    x, r, w = g.arg("bf16", 2, 12, 64), g.arg("bf16", 2, 12, 64), g.arg("bf16", 64)
    y = x + r
    n = (rms_norm(y, w) * SCALE).reshape(24, 64)
    q, k = (n.matmul(g.arg("bf16", 64, columns)) for columns in (40, 16))
    yield "rms-norm-linears", g.returns(q, k, y)
    g = Graph("normalized")
    x, w = g.arg("f32", 24, 64), g.arg("f32", 64, 40)
    length = ((x * x).sum(1, keep=True) + 1e-6).unary("sqrt")
    yield "rows-of-length-one", g.returns((x / length).matmul(w))
    g = Graph("block")
    x, o = g.arg("bf16", 24, 32), g.arg("bf16", 32, 128)
    r, w = g.arg("bf16", 24, 128), g.arg("bf16", 128)
    y = x.matmul(o) * SCALE + r
    n = rms_norm(y, w) * 0.25
    gate, up = (n.matmul(g.arg("bf16", 128, 256)) * SCALE for _ in range(2))
    z = (gate * sigmoid(gate) * up).matmul(g.arg("bf16", 256, 128)) * 0.0625
    yield "gated-block", g.returns(y + z)


def _reductions() -> Iterator[Named]:
    g = Graph("rows")
    x, w = g.arg("bf16", 24, 32), g.arg("bf16", 32, 256)
    y = x.matmul(w) * SCALE
    yield "row-sums-and-maxima", g.returns((y * y * 0.01).sum(1), y.amax(1))
    for element in ("bf16", "f32"):
        g = Graph("logits")
        x, w = g.arg(element, 24, 32), g.arg(element, 32, 256)
        y = x.matmul(w) * SCALE
        wide = y.convert("f32") if element != "f32" else y
        yield f"row-logsumexps-{element}", g.returns(graph_convert(wide.logsumexp(1), x))
    g = Graph("logits")
    x, w = g.arg("bf16", 2, 8, 32), g.arg("bf16", 2, 32, 128)
    y = (x.matmul(w, 1) * SCALE).convert("f32").logsumexp(2, keep=True) * 2.0
    yield "row-logsumexps-batched", g.returns(graph_convert(y, x))
    g = Graph("logits")
    x, w = g.arg("f32", 256, 16), g.arg("f32", 16, 40)
    yield "column-logsumexps", g.returns((x.matmul(w) * SCALE).logsumexp(0))
    g = Graph("logits")
    x, w = g.arg("f32", 16, 32), g.arg("f32", 32, 200)
    yield "row-logsumexps-ragged", g.returns((x.matmul(w) * SCALE).logsumexp(1))
    g = Graph("logits")
    x, w = g.arg("f32", 16, 32), g.arg("f32", 32, 256)
    y = x.matmul(w) * SCALE
    yield "row-logsumexps-and-product", g.returns(y, y.logsumexp(1))
    g = Graph("columns")
    x, w = g.arg("f32", 256, 16), g.arg("f32", 16, 40)
    y = (x.matmul(w) * SCALE).unary("relu")
    yield "column-sums", g.returns(y, (y * 0.01).sum(0))
    g = Graph("loss")
    x, w, t = g.arg("f32", 16, 32), g.arg("f32", 32, 128), g.arg("f32", 16, 128)
    d = x.matmul(w) * SCALE - t
    yield "mean-squared-error", g.returns((d * d).mean(0, 1))
