"""Corpus graphs: the pieces that models, losses and optimisers are made of."""

from __future__ import annotations

from collections.abc import Iterator
from math import log, pi, sqrt

from graph_builder import Graph, Tensor, exp, layer_norm, rsqrt, sigmoid, softmax
from xdsl.dialects.builtin import ModuleOp

from fusir.dialects import graph

Named = tuple[str, ModuleOp]


def gelu(x: Tensor) -> Tensor:
    return x * 0.5 * ((x * (1 / sqrt(2))).unary("erf") + 1.0)


def gelu_tanh(x: Tensor) -> Tensor:
    return x * 0.5 * (((x + x * x * x * 0.044715) * sqrt(2 / pi)).unary("tanh") + 1.0)


def softplus(x: Tensor) -> Tensor:
    return exp(-x.unary("abs")).unary("log1p") + x.unary("relu")


def activations() -> Iterator[Named]:
    for element in ("f32", "bf16"):
        g = Graph("gelu")
        yield f"gelu-{element}", g.returns(gelu(g.arg(element, 12, 30)))
        g = Graph("silu")
        x = g.arg(element, 12, 30)
        yield f"silu-{element}", g.returns(x * sigmoid(x))
        g = Graph("swiglu")
        x, y = g.arg(element, 6, 40), g.arg(element, 6, 40)
        yield f"swiglu-{element}", g.returns(x * sigmoid(x) * y)
    g = Graph("gelu_tanh")
    yield "gelu-tanh", g.returns(gelu_tanh(g.arg("f32", 12, 30)))
    g = Graph("swiglu_packed")
    x = g.arg("f32", 6, 40)
    gate, up = x.slice(1, 0, 20), x.slice(1, 20, 40)
    yield "swiglu-packed", g.returns(gate * sigmoid(gate) * up)
    g = Graph("mish")
    x = g.arg("f32", 60)
    yield "mish", g.returns(x * softplus(x).unary("tanh"))
    g = Graph("hardswish")
    x = g.arg("f32", 60)
    limited = (x + 3.0).binary(graph.MaximumOp, 0.0).binary(graph.MinimumOp, 6.0)
    yield "hard-swish", g.returns(x * limited * (1 / 6))
    g = Graph("leaky")
    x = g.arg("f32", 60)
    yield (
        "leaky-relu-and-elu",
        g.returns(x.compare("gt", 0.0).select(x, x * 0.1), x.compare("gt", 0.0).select(x, x.unary("expm1"))),
    )
    g = Graph("gelu_backward")
    x, d = g.arg("f32", 12, 30), g.arg("f32", 12, 30)
    cdf = ((x * (1 / sqrt(2))).unary("erf") + 1.0) * 0.5
    pdf = exp(x * x * -0.5) * (1 / sqrt(2 * pi))
    yield "gelu-backward", g.returns(d * (cdf + x * pdf))
    g = Graph("relu_backward")
    x, d = g.arg("f32", 12, 30), g.arg("f32", 12, 30)
    yield "relu-backward", g.returns(x.compare("gt", 0.0).select(d, 0.0), x.compare("gt", 0.0).select(d, 0.0).sum(0))


def normalizations() -> Iterator[Named]:
    for element in ("f32", "f16", "bf16"):
        g = Graph("softmax")
        x = g.arg(element, 10, 70)
        yield f"softmax-{element}", g.returns(softmax(x, 1))
        g = Graph("layer_norm")
        x, w, b = g.arg(element, 10, 70), g.arg(element, 70), g.arg(element, 70)
        y = layer_norm(x.convert("f32") if element != "f32" else x, None, None, 1)
        y = y.convert(element) if element != "f32" else y
        yield f"layer-norm-{element}", g.returns(y * w + b)
        g = Graph("rms_norm")
        x, w = g.arg(element, 10, 70), g.arg(element, 70)
        y = x.convert("f32") if element != "f32" else x
        y = y * rsqrt((y * y).mean(1, keep=True) + 1e-6)
        y = y.convert(element) if element != "f32" else y
        yield f"rms-norm-{element}", g.returns(y * w)
    g = Graph("softmax_outer")
    x = g.arg("f32", 30, 11)
    yield "softmax-outer", g.returns(softmax(x, 0))
    g = Graph("softmax_middle")
    x = g.arg("f32", 4, 30, 11)
    yield "softmax-middle", g.returns(softmax(x, 1))
    g = Graph("log_softmax")
    x = g.arg("f32", 10, 70)
    shifted = x - x.amax(1, keep=True)
    yield "log-softmax", g.returns(shifted - exp(shifted).sum(1, keep=True).unary("log"))
    g = Graph("masked_softmax")
    x, m = g.arg("f32", 2, 3, 9, 9), g.arg("i1", 2, 1, 1, 9)
    yield "masked-softmax", g.returns(softmax(m.broadcast((2, 3, 9, 9)).select(x * 0.125, -1e9), 3))
    g = Graph("softmax_temperature")
    x, t = g.arg("f32", 10, 70), g.arg("f32")
    yield "softmax-temperature", g.returns(softmax(x / (t.unary("abs") + 1.0), 1))
    g = Graph("add_layer_norm")
    x, r, w, b = g.arg("f32", 10, 70), g.arg("f32", 10, 70), g.arg("f32", 70), g.arg("f32", 70)
    total = x + r
    yield "add-layer-norm", g.returns(layer_norm(total, w, b, 1), total)
    g = Graph("add_rms_norm")
    x, r, w = g.arg("bf16", 10, 70), g.arg("bf16", 10, 70), g.arg("bf16", 70)
    total = (x + r).convert("f32")
    yield (
        "add-rms-norm",
        g.returns((total * rsqrt((total * total).mean(1, keep=True) + 1e-6)).convert("bf16") * w, x + r),
    )
    g = Graph("layer_norm_2d")
    x = g.arg("f32", 4, 6, 10)
    yield "layer-norm-two-dims", g.returns(layer_norm(x, g.arg("f32", 6, 10), None, 1, 2))
    g = Graph("group_norm")
    x, w, b = g.arg("f32", 2, 6, 5, 4), g.arg("f32", 6, 1, 1), g.arg("f32", 6, 1, 1)
    groups = layer_norm(x.reshape(2, 3, 40), None, None, 2).reshape(2, 6, 5, 4)
    yield "group-norm", g.returns(groups * w + b)
    g = Graph("instance_norm")
    x = g.arg("f32", 2, 6, 5, 4)
    yield "instance-norm", g.returns(layer_norm(x, None, None, 2, 3))
    g = Graph("batch_norm")
    x, w, b = g.arg("f32", 4, 6, 5, 3), g.arg("f32", 6, 1, 1), g.arg("f32", 6, 1, 1)
    running = g.arg("f32", 6)
    mean = x.mean(0, 2, 3, keep=True)
    variance = ((x - mean) * (x - mean)).mean(0, 2, 3, keep=True)
    y = ((x - mean) * rsqrt(variance + 1e-5) * w + b).unary("relu")
    yield "batch-norm-training-relu", g.returns(y, running * 0.9 + mean.reshape(6) * 0.1)
    g = Graph("batch_norm_inference")
    x = g.arg("f32", 4, 6, 5, 3)
    mean, variance, w, b = (g.arg("f32", 6, 1, 1) for _ in range(4))
    yield "batch-norm-inference", g.returns((x - mean) * rsqrt(variance.unary("abs") + 1e-5) * w + b)
    g = Graph("l2_normalize")
    x = g.arg("f32", 10, 70)
    yield "l2-normalize", g.returns(x / ((x * x).sum(1, keep=True).unary("sqrt").binary(graph.MaximumOp, 1e-12)))
    g = Graph("frobenius")
    x = g.arg("f32", 10, 70)
    yield "frobenius-normalize", g.returns(x / (x * x).sum().unary("sqrt"))
    g = Graph("cosine_similarity")
    x, y = g.arg("f32", 10, 70), g.arg("f32", 10, 70)
    yield "cosine-similarity", g.returns((x * y).sum(1) * rsqrt((x * x).sum(1)) * rsqrt((y * y).sum(1)))
    g = Graph("layer_norm_backward")
    x, d, w = g.arg("f32", 12, 40), g.arg("f32", 12, 40), g.arg("f32", 40)
    mean = x.mean(1, keep=True)
    rstd = rsqrt(((x - mean) * (x - mean)).mean(1, keep=True) + 1e-5)
    xhat = (x - mean) * rstd
    dxhat = d * w
    dx = (dxhat - dxhat.mean(1, keep=True) - xhat * (dxhat * xhat).mean(1, keep=True)) * rstd
    yield "layer-norm-backward", g.returns(dx, (d * xhat).sum(0), d.sum(0))
    g = Graph("softmax_backward")
    y, d = g.arg("f32", 12, 40), g.arg("f32", 12, 40)
    yield "softmax-backward", g.returns((d - (d * y).sum(1, keep=True)) * y)


def transformers() -> Iterator[Named]:
    g = Graph("rope")
    x, cos, sin = g.arg("f32", 2, 4, 6, 16), g.arg("f32", 6, 16), g.arg("f32", 6, 16)
    turned = g.concat(3, -x.slice(3, 8, 16), x.slice(3, 0, 8))
    yield "rope", g.returns(x * cos + turned * sin)
    g = Graph("rope_bf16")
    x, cos, sin = g.arg("bf16", 2, 4, 6, 16), g.arg("bf16", 6, 16), g.arg("bf16", 6, 16)
    turned = g.concat(3, -x.slice(3, 8, 16), x.slice(3, 0, 8))
    yield "rope-bf16", g.returns(x * cos + turned * sin)
    g = Graph("rope_interleaved")
    x, cos, sin = g.arg("f32", 2, 6, 16), g.arg("f32", 6, 8), g.arg("f32", 6, 8)
    even, odd = x.slice(2, 0, 16, 2), x.slice(2, 1, 16, 2)
    parts = [(even * cos - odd * sin).reshape(2, 6, 8, 1), (odd * cos + even * sin).reshape(2, 6, 8, 1)]
    yield "rope-interleaved", g.returns(g.concat(3, *parts).reshape(2, 6, 16))
    g = Graph("rope_tables")
    frequency = exp(g.iota(0, 8).convert("f32") * (-2 * log(10000.0) / 16))
    angle = g.iota(0, 6).convert("f32").reshape(6, 1) * frequency
    yield "rope-tables", g.returns(angle.unary("cos"), angle.unary("sin"))
    g = Graph("linear")
    x, w, b = g.arg("f32", 9, 24), g.arg("f32", 24, 15), g.arg("f32", 15)
    yield "linear", g.returns(x.matmul(w) + b)
    g = Graph("mlp")
    x, w1, w2 = g.arg("f32", 9, 24), g.arg("f32", 24, 40), g.arg("f32", 40, 24)
    yield "mlp-gelu", g.returns(gelu(x.matmul(w1)).matmul(w2) + x)
    g = Graph("gated_mlp")
    x, w1, w2 = g.arg("f32", 9, 24), g.arg("f32", 24, 40), g.arg("f32", 24, 40)
    gate = x.matmul(w1)
    yield "gated-mlp", g.returns(gate * sigmoid(gate) * x.matmul(w2))
    g = Graph("norm_linear")
    x, w = g.arg("f32", 9, 24), g.arg("f32", 24, 15)
    yield "norm-linear", g.returns(layer_norm(x, None, None, 1).matmul(w))
    g = Graph("batched")
    x, y = g.arg("f32", 3, 5, 8), g.arg("f32", 3, 8, 7)
    yield "batched-matmul", g.returns(x.matmul(y, batch=1) * 0.5)
    g = Graph("transposed")
    x, y = g.arg("f32", 8, 5), g.arg("f32", 7, 8)
    yield "matmul-transposed", g.returns(x.permute(1, 0).matmul(y.permute(1, 0)))
    g = Graph("matmul_sum")
    x, y = g.arg("f32", 8, 5), g.arg("f32", 5, 9)
    yield "row-sum-of-product", g.returns(x.matmul(y).sum(1), x.matmul(y).amax(1))
    g = Graph("attention")
    q, k, v = (g.arg("f32", 6, 10, 8) for _ in range(3))
    scores = q.matmul(k.permute(0, 2, 1), batch=1) * (1 / sqrt(8))
    mask = g.iota(0, 10, 10).compare("ge", g.iota(1, 10, 10)).broadcast((6, 10, 10))
    yield "causal-attention", g.returns(softmax(mask.select(scores, -1e9), 2).matmul(v, batch=1))
    g = Graph("attention_scores")
    s, bias = g.arg("f32", 2, 3, 9, 9), g.arg("f32", 3, 9, 9)
    yield "attention-bias-softmax", g.returns(softmax(s * 0.25 + bias, 3))
    g = Graph("split_heads")
    x = g.arg("f32", 2, 7, 24)
    heads = x.reshape(2, 7, 3, 8).permute(0, 2, 1, 3)
    yield "split-and-merge-heads", g.returns(heads * 0.5, heads.permute(0, 2, 1, 3).reshape(2, 7, 24) + 1.0)
    g = Graph("qkv")
    x = g.arg("f32", 2, 7, 36)
    parts = [x.slice(2, 12 * i, 12 * i + 12).reshape(2, 7, 3, 4).permute(0, 2, 1, 3) for i in range(3)]
    yield "split-qkv", g.returns(parts[0] * 0.5, parts[1], parts[2] + 0.0)
    g = Graph("repeat_kv")
    x = g.arg("f32", 2, 3, 5, 4)
    wide = g.emit(graph.BroadcastOp(x.value, [0, 1, 3, 4], (2, 3, 2, 5, 4)))
    yield "repeat-kv-heads", g.returns(wide.reshape(2, 6, 5, 4) * 2.0)
    g = Graph("alibi")
    s, slope = g.arg("f32", 4, 9, 9), g.arg("f32", 4, 1, 1)
    distance = (g.iota(1, 9, 9) - g.iota(0, 9, 9)).convert("f32")
    yield "alibi-bias", g.returns(s + slope * distance)
    g = Graph("embedding_norm")
    table, ids, w, b = g.arg("f32", 30, 16), g.arg("i64", 2, 5, low=0, high=29), g.arg("f32", 16), g.arg("f32", 16)
    positions = g.arg("f32", 5, 16)
    yield "embedding-layer-norm", g.returns(layer_norm(table.gather([ids], [0]) + positions, w, b, 2))
    g = Graph("router")
    x = g.arg("f32", 12, 8)
    p = softmax(x, 1)
    yield "top-one-router", g.returns(p.amax(1), p.reduce("argmax", 1))
    g = Graph("shift_tokens")
    x, mix = g.arg("f32", 2, 7, 12), g.arg("f32", 12)
    shifted = x.pad([0, 1, 0], [0, 0, 0], 0.0).slice(1, 0, 7)
    yield "token-shift-mix", g.returns(x * mix + shifted * (mix * -1.0 + 1.0))


def training() -> Iterator[Named]:
    g = Graph("mse")
    x, y = g.arg("f32", 14, 20), g.arg("f32", 14, 20)
    yield "mse-loss", g.returns(((x - y) * (x - y)).mean())
    g = Graph("smooth_l1")
    x, y = g.arg("f32", 14, 20), g.arg("f32", 14, 20)
    a = (x - y).unary("abs")
    yield "smooth-l1-loss", g.returns(a.compare("lt", 1.0).select(a * a * 0.5, a - 0.5).mean())
    g = Graph("cross_entropy")
    x, t = g.arg("f32", 14, 20), g.arg("i64", 14, low=0, high=19)
    m = x.amax(1, keep=True)
    logz = exp(x - m).sum(1).unary("log") + m.reshape(14)
    yield "cross-entropy", g.returns((logz - x.gather([g.iota(0, 14), t], [0, 1])).mean())
    g = Graph("cross_entropy_backward")
    x, t = g.arg("f32", 14, 20), g.arg("i64", 14, low=0, high=19)
    hot = t.reshape(14, 1).broadcast((14, 20)).compare("eq", g.iota(1, 14, 20)).convert("f32")
    yield "cross-entropy-backward", g.returns((softmax(x, 1) - hot) * (1 / 14))
    g = Graph("bce")
    x, y = g.arg("f32", 14, 20), g.arg("f32", 14, 20)
    yield "bce-with-logits", g.returns((softplus(x) - x * y).mean())
    g = Graph("kl")
    p, q = g.arg("f32", 14, 20), g.arg("f32", 14, 20)
    a, b = softmax(p, 1), softmax(q, 1)
    yield "kl-divergence", g.returns((a * (a.unary("log") - b.unary("log"))).sum(1))
    g = Graph("hinge")
    x, y = g.arg("f32", 50), g.arg("f32", 50)
    yield "hinge-loss", g.returns(((x * y.unary("sign")) * -1.0 + 1.0).unary("relu").mean())
    g = Graph("accuracy")
    x, t = g.arg("f32", 14, 20), g.arg("i64", 14, low=0, high=19)
    yield "accuracy", g.returns(x.reduce("argmax", 1).compare("eq", t).convert("i64").sum())
    g = Graph("adam")
    p, d, m, v, step = (*(g.arg("f32", 100) for _ in range(4)), g.arg("f32"))
    m2 = m * 0.9 + d * 0.1
    v2 = v.unary("abs") * 0.999 + d * d * 0.001
    scale = step.unary("abs") * 0.5 + 0.1
    update = m2 / (v2.unary("sqrt") + 1e-8)
    yield "adam", g.returns(p - update * scale * 1e-3, m2, v2)
    g = Graph("sgd")
    p, d, m = g.arg("f32", 100), g.arg("f32", 100), g.arg("f32", 100)
    m2 = m * 0.9 + d
    yield "sgd-momentum", g.returns(p - m2 * 0.01, m2)
    g = Graph("clip")
    a, b = g.arg("f32", 40), g.arg("f32", 8, 9)
    norm = ((a * a).sum() + (b * b).sum()).unary("sqrt")
    scale = g.full(1.0, "f32", ()).binary(graph.MinimumOp, g.full(1.0, "f32", ()) / (norm + 1e-6))
    yield "clip-gradient-norm", g.returns(a * scale, b * scale)
    g = Graph("ema")
    a, b = g.arg("bf16", 60), g.arg("bf16", 60)
    yield "moving-average-bf16", g.returns(a * 0.99 + b * 0.01)
    g = Graph("independent")
    xs = [g.arg("f32", n) for n in (10, 20, 30, 40)]
    yield "independent-pointwise", g.returns(*(x * 2.0 + 1.0 for x in xs))
    g = Graph("bias_gradient")
    d = g.arg("f32", 6, 7, 20)
    yield "bias-gradient", g.returns(d.sum(0, 1), d.permute(2, 0, 1).sum(1, 2))
    g = Graph("aten_between")
    x = g.arg("f32", 8, 8)
    middle = g.aten("aten.relu.default", exp(x) - 1.5)
    yield "aten-call-between", g.returns(middle * 2.0, middle.sum(1))
    g = Graph("quantize")
    x, scale = g.arg("f32", 12, 30), g.arg("f32", 12, 1)
    positive = scale.unary("abs") + 0.1
    q = (x / positive).unary("round").binary(graph.MaximumOp, -127.0).binary(graph.MinimumOp, 127.0).convert("i8")
    yield "quantize-dequantize", g.returns(q, q.convert("f32") * positive)
