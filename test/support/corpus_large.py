"""Corpus graphs of larger extents: several programs on each axis, looped and split reductions, tiled transposes."""

from __future__ import annotations

from collections.abc import Iterator

from graph_builder import Graph, Tensor, exp, layer_norm, rsqrt, sigmoid, softmax
from xdsl.dialects.builtin import ModuleOp

Named = tuple[str, ModuleOp]


def large() -> Iterator[Named]:
    g = Graph("pointwise")
    x, y = g.arg("f32", 100_003), g.arg("f32", 100_003)
    yield "pointwise-odd", g.returns(sigmoid(x) * y)
    g = Graph("broadcast")
    x, row, column = g.arg("f32", 300, 257), g.arg("f32", 257), g.arg("f32", 300, 1)
    yield "pointwise-broadcast", g.returns(x * row + column)
    g = Graph("transpose")
    x, y = g.arg("f32", 200, 300), g.arg("f32", 300, 200)
    yield "transpose-add", g.returns(x.permute(1, 0) + y)
    g = Graph("transposes")
    x = g.arg("bf16", 6, 65, 130)
    yield "transpose-batched-bf16", g.returns(x.permute(0, 2, 1) * 2.0, x.permute(2, 1, 0) + 1.0)
    for element in ("f32", "bf16"):
        g = Graph("softmax")
        x = g.arg(element, 3, 20_001)
        yield f"softmax-long-rows-{element}", g.returns(softmax(x, 1))
        g = Graph("sums")
        x = g.arg(element, 5, 70_000)
        yield f"sums-of-long-rows-{element}", g.returns(x.sum(1), (x * x).sum(1), x.amax(1))
    g = Graph("layer_norm")
    x, w, b = g.arg("f32", 4, 12_345), g.arg("f32", 12_345), g.arg("f32", 12_345)
    yield "layer-norm-long-rows", g.returns(layer_norm(x, w, b, 1))
    g = Graph("rms_norm")
    x, w = g.arg("bf16", 33, 4096), g.arg("bf16", 4096)
    y = x.convert("f32")
    y = y * rsqrt((y * y).mean(1, keep=True) + 1e-6)
    yield "rms-norm-bf16", g.returns(y.convert("bf16") * w)
    g = Graph("column_sum")
    x = g.arg("f32", 4000, 70)
    yield "column-sums-tall", g.returns(x.sum(0), x.amax(0))
    g = Graph("column_sum_wide")
    x = g.arg("f32", 100, 3001)
    yield "column-sums-wide", g.returns(x.sum(0) * 2.0, x.reduce("argmax", 0))
    g = Graph("middle")
    x = g.arg("f32", 5, 700, 33)
    yield "middle-sums", g.returns(x.sum(1), x.amax(0, 2))
    g = Graph("rows_and_columns")
    x = g.arg("f32", 500, 300)
    yield "row-and-column-sums", g.returns(x.sum(1), x.sum(0), x * 0.5)
    g = Graph("rms_norm_backward")
    x, d, w = g.arg("bf16", 2640, 192).convert("f32"), g.arg("bf16", 2640, 192).convert("f32"), g.arg("f32", 192)
    rstd = rsqrt((x * x).mean(1, keep=True) + 1e-6)
    xhat, dxhat = x * rstd, d * w
    dx = (dxhat - xhat * (dxhat * xhat).mean(1, keep=True)) * rstd
    yield "rms-norm-backward-bf16", g.returns(dx.convert("bf16"), (d * xhat).sum(0))
    g = Graph("transpose_and_sums")
    x = g.arg("f32", 1280, 512)
    yield "transpose-and-sums", g.returns(x.permute(1, 0), x.sum(0), x.sum(1))
    g = Graph("whole")
    x = g.arg("f32", 301, 1001)
    yield "whole-tensor", g.returns(x.sum(), x.amax(), (x * x).sum().unary("sqrt"), x.reduce("argmin"))
    g = Graph("argmax")
    x = g.arg("f32", 9, 9001)
    yield "argmax-long-rows", g.returns(x.reduce("argmax", 1), x.unary("round").reduce("argmin", 1))
    g = Graph("extrema")
    x, y = g.arg("bf16", 3001, 70), g.arg("f32", 2, 40_003)
    ties = y.unary("round")
    yield (
        "extrema-with-positions",
        g.returns(
            x.amax(0), x.reduce("argmax", 0), ties.amax(1), ties.reduce("argmax", 1), ties.reduce("argmin"), ties.amax()
        ),
    )
    g = Graph("picked")
    x, y = g.arg("f32", 37, 100), g.arg("f32", 3, 5, 11, 7)
    target, places = g.arg("i64", 37, 1, low=-3, high=103), g.arg("i64", 3, 1, 11, 7, low=0, high=4)
    y = y - y.amax(1, keep=True)
    y = y - exp(y).sum(1, keep=True).unary("log")
    pixels = [g.iota(dim, 3, 1, 11, 7) for dim in range(4)]
    pixels[1] = places
    yield (
        "picked-of-softmax",
        g.returns(
            softmax(x, 1).gather([g.iota(0, 37, 1), target], [0, 1]),
            y.gather(pixels, range(4)).reshape(3, 77),
        ),
    )
    g = Graph("peaks")
    x, y = g.arg("f32", 5, 9001), g.arg("bf16", 2, 40_003)
    roots: list[Tensor] = []
    for each in (x.unary("round"), y):
        roots += [each.reduce("argmax", 1), exp(each - each.amax(1, keep=True)).sum(1)]
    yield "peaks-of-softmax", g.returns(*roots)
    g = Graph("batch_norm")
    x, w, b = g.arg("f32", 8, 6, 30, 31), g.arg("f32", 6, 1, 1), g.arg("f32", 6, 1, 1)
    mean = x.mean(0, 2, 3, keep=True)
    variance = ((x - mean) * (x - mean)).mean(0, 2, 3, keep=True)
    yield (
        "batch-norm-training-relu",
        g.returns(((x - mean) * rsqrt(variance + 1e-5) * w + b).unary("relu"), mean.reshape(6)),
    )
    g = Graph("group_norm")
    x, w, b = g.arg("f32", 3, 8, 40, 41), g.arg("f32", 8, 1, 1), g.arg("f32", 8, 1, 1)
    yield "group-norm", g.returns(layer_norm(x.reshape(3, 2, 4 * 40 * 41), None, None, 2).reshape(3, 8, 40, 41) * w + b)
    g = Graph("layer_norm_backward")
    x, d, w = g.arg("f32", 600, 200), g.arg("f32", 600, 200), g.arg("f32", 200)
    mean = x.mean(1, keep=True)
    rstd = rsqrt(((x - mean) * (x - mean)).mean(1, keep=True) + 1e-5)
    xhat = (x - mean) * rstd
    dxhat = d * w
    dx = (dxhat - dxhat.mean(1, keep=True) - xhat * (dxhat * xhat).mean(1, keep=True)) * rstd
    yield "layer-norm-backward", g.returns(dx, (d * xhat).sum(0), d.sum(0))
    g = Graph("cross_entropy")
    x, t = g.arg("f32", 40, 5003), g.arg("i64", 40, low=0, high=5002)
    m = x.amax(1, keep=True)
    logz = exp(x - m).sum(1).unary("log") + m.reshape(40)
    yield "cross-entropy-wide", g.returns((logz - x.gather([g.iota(0, 40), t], [0, 1])).mean())
    g = Graph("concat")
    x, y = g.arg("f32", 70, 1000), g.arg("f32", 70, 999)
    yield (
        "concat-and-slice",
        g.returns(g.concat(1, x, y) * 2.0, x.slice(1, 3, 997, 3) + 1.0, x.pad([1, 2], [3, 4], 0.5)),
    )
    g = Graph("rope")
    x, cos, sin = g.arg("bf16", 2, 8, 65, 64), g.arg("bf16", 65, 64), g.arg("bf16", 65, 64)
    yield "rope-bf16", g.returns(x * cos + g.concat(3, -x.slice(3, 32, 64), x.slice(3, 0, 32)) * sin)
    g = Graph("attention")
    s, m = g.arg("f32", 2, 4, 130, 130), g.arg("i1", 130, 130)
    yield "masked-softmax", g.returns(softmax(m.broadcast((2, 4, 130, 130)).select(s * 0.125, -1e9), 3))
    g = Graph("int_sum")
    x, y = g.arg("i32", 60, 3000), g.arg("i8", 60, 3000)
    yield "integer-sums", g.returns(x.sum(1), x.reduce("min", 0), y.sum(0), y.convert("i64").sum())
    g = Graph("any")
    x = g.arg("f32", 60, 3000)
    yield "any-all-long-rows", g.returns(x.compare("gt", 2.99).reduce("any", 1), x.compare("gt", -2.9).reduce("all", 1))
    g = Graph("symbolic_rows")
    s = g.symbol(100, 300)
    x, w, b = g.arg("f32", s, 700), g.arg("f32", 700), g.arg("f32", 700)
    yield "symbolic-layer-norm", g.returns(layer_norm(x, w, b, 1), x.sum(0))
    g = Graph("symbolic_long")
    s = g.symbol(5000, 9000)
    x = g.arg("f32", 6, s)
    yield "symbolic-softmax-long-rows", g.returns(softmax(x, 1), x.sum())
    g = Graph("symbolic_transpose")
    s = g.symbol(100, 200)
    x, y = g.arg("f32", s, 130), g.arg("f32", 130, s)
    yield "symbolic-transpose-add", g.returns(x.permute(1, 0) + y)
    g = Graph("symbolic_transposed")
    s = g.symbol(100, 200)
    x = g.arg("f32", s, 130)
    yield "symbolic-transposed-result", g.returns((x + 1.0).permute(1, 0), x.sum(0), x.sum(1))
