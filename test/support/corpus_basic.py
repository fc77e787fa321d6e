"""Corpus graphs: pointwise ops, element types, reductions, scans."""

from __future__ import annotations

import math
from collections.abc import Iterator

from graph_builder import BINARY, UNARY, Graph, Tensor, exp, sigmoid
from xdsl.dialects.builtin import ModuleOp

from fusir.dialects import graph

Named = tuple[str, ModuleOp]

POSITIVE_ONLY = ("log", "log2", "log10", "log1p", "sqrt", "rsqrt", "acosh")
UNIT_RANGE = ("asin", "acos", "atanh")
FLOATS = ("f16", "bf16", "f32", "f64")
INTEGERS = ("i8", "i16", "i32", "i64", "ui8")


def domain(x: Tensor, name: str) -> Tensor:
    """A function of `x` whose values the unary op `name` is defined on."""
    if name in POSITIVE_ONLY:
        return x.unary("abs") + (1.5 if name == "acosh" else 0.25)
    if name in UNIT_RANGE:
        return x.unary("tanh") * 0.9
    return x


def pointwise() -> Iterator[Named]:
    for name in UNARY:
        if name == "not":
            continue
        g = Graph(name)
        x = g.arg("f32", 7, 33)
        yield f"unary-{name}", g.returns(domain(x, name).unary(name) * 0.5)
    for name, op in BINARY.items():
        if name in ("and", "or", "xor", "shl", "shr"):
            continue
        g = Graph(name)
        x, y = g.arg("f32", 5, 17), g.arg("f32", 5, 17)
        if name == "pow":
            x = x.unary("abs") + 0.1
        yield f"binary-{name}", g.returns(x.binary(op, y))
    for predicate in ("eq", "ne", "lt", "le", "gt", "ge"):
        g = Graph(predicate)
        x, y = g.arg("f32", 64), g.arg("f32", 64)
        yield f"compare-{predicate}", g.returns(x.unary("round").compare(predicate, y.unary("round")))

    g = Graph("sigmoid_affine")
    x, w, b = g.arg("f32", 16, 24), g.arg("f32", 16, 24), g.arg("f32", 16, 24)
    yield "sigmoid-affine", g.returns(sigmoid(x * w + b))

    g = Graph("diamond")
    x = g.arg("f32", 100)
    y = exp(x)
    yield "diamond", g.returns(y * 2.0 + y.unary("sin") - y)

    g = Graph("sin_cos")
    x = g.arg("f32", 1000)
    yield "sin-and-cos", g.returns(x.unary("sin"), x.unary("cos"))

    g = Graph("same_result_twice")
    x = g.arg("f32", 12)
    y = x + 1.0
    yield "one-value-returned-twice", g.returns(y, y)

    g = Graph("argument_returned")
    x = g.arg("f32", 12)
    yield "argument-returned", g.returns(x, x + 1.0)

    g = Graph("constant_result")
    x = g.arg("f32", 3)
    yield "constant-result", g.returns(g.full(2.5, "f32", (3, 2)), x)

    g = Graph("unused_argument")
    x, _ = g.arg("f32", 3), g.arg("f32", 5)
    yield "unused-argument", g.returns(x * x)

    g = Graph("dead_code")
    x = g.arg("f32", 40)
    _ = exp(x).sum(0)
    yield "dead-code", g.returns(x - 1.0)

    g = Graph("common_subexpressions")
    x, y = g.arg("f32", 40), g.arg("f32", 40)
    yield "common-subexpressions", g.returns((x + y) * (x + y) + (y + x))

    g = Graph("long_chain")
    x = g.arg("f32", 300)
    for step in range(60):
        x = x.unary(("sin", "tanh", "neg", "abs")[step % 4]) + 0.01 * step
    yield "long-chain", g.returns(x)

    g = Graph("nan_and_inf")
    x = g.arg("f32", 50)
    broken = x.unary("log")
    infinite = (x * 1e38) * 1e10
    yield (
        "nan-and-inf",
        g.returns(
            g.emit(graph.IsNanOp(broken.value)),
            g.emit(graph.IsInfOp(infinite.value)),
            broken.binary(graph.MaximumOp, x),
            broken.binary(graph.FmaxOp, x),
            broken.binary(graph.MinimumOp, x),
            broken.binary(graph.FminOp, x),
            broken.unary("relu"),
            broken.compare("ne", x),
            broken.compare("eq", broken),
            broken.unary("sign"),
        ),
    )

    g = Graph("outer_sum")
    x, y = g.arg("f32", 9, 1), g.arg("f32", 14)
    yield "outer-broadcast", g.returns(x + y)

    g = Graph("iota_mask")
    x = g.arg("f32", 8, 8)
    row, column = g.iota(0, 8, 8), g.iota(1, 8, 8)
    yield "causal-mask", g.returns(row.compare("ge", column).select(x, -1e9))

    g = Graph("clamp")
    x = g.arg("f32", 77)
    low, high = g.full(-0.5, "f32", (77,)), g.full(0.5, "f32", (77,))
    yield "clamp", g.returns(x.binary(graph.MaximumOp, low).binary(graph.MinimumOp, high))

    g = Graph("dropout")
    x, seed = g.arg("f32", 20, 30), g.arg("i64")
    keep = g.random(seed, 3, 20, 30).compare("lt", 0.75)
    yield "dropout", g.returns(keep.select(x * (1 / 0.75), 0.0))

    g = Graph("two_random_ops")
    seed = g.arg("i64")
    yield "two-random-ops", g.returns(g.random(seed, 0, 33), g.random(seed, 1, 33), g.random(seed, 0, 3, 11))

    g = Graph("scalars")
    x, y = g.arg("f32"), g.arg("f32")
    yield "scalars", g.returns(x * y + 1.0, exp(x))


def dtypes() -> Iterator[Named]:
    for element in FLOATS:
        g = Graph(element)
        x, y = g.arg(element, 6, 40), g.arg(element, 6, 40)
        yield f"{element}-arithmetic", g.returns(x * y + x / (y * y + 1.0) - 0.5, x.compare("lt", y))
        g = Graph(element)
        x = g.arg(element, 12, 50)
        yield f"{element}-functions", g.returns(exp(x).unary("log1p").unary("tanh"), x.unary("erf") * x, sigmoid(x))
        g = Graph(element)
        x = g.arg(element, 12, 50)
        yield f"{element}-reduce", g.returns(x.sum(1), x.amax(0), x.reduce("min"), x.reduce("argmax", 1))
        g = Graph(element)
        x = g.arg(element, 3, 5, 7)
        yield f"{element}-views", g.returns(x.permute(2, 0, 1).reshape(35, 3).slice(0, 1, 30, 3) * 2.0)
    for element in INTEGERS:
        low, high = (0, 100) if element == "ui8" else (-100, 100)
        g = Graph(element)
        x, y, d = (g.arg(element, 30, low=low, high=high) for _ in range(3))
        d = g.arg(element, 30, low=1, high=9)
        yield (
            f"{element}-arithmetic",
            g.returns(x + y, x - y, x * y, x.binary(BINARY["div"], d), x.binary(BINARY["floor_div"], d)),
        )
        g = Graph(element)
        x, d = g.arg(element, 30, low=low, high=high), g.arg(element, 30, low=1, high=9)
        yield (
            f"{element}-remainders",
            g.returns(x.binary(BINARY["rem"], d), x.binary(BINARY["mod"], d), x.unary("neg"), x.unary("abs")),
        )
        g = Graph(element)
        x, y, s = g.arg(element, 30), g.arg(element, 30), g.arg(element, 30, low=0, high=6)
        yield (
            f"{element}-bits",
            g.returns(
                *(x.binary(BINARY[name], y) for name in ("and", "or", "xor", "maximum", "minimum")),
                x.binary(BINARY["shl"], s),
                x.binary(BINARY["shr"], s),
                x.unary("not"),
            ),
        )
        g = Graph(element)
        x, y = g.arg(element, 4, 30), g.arg(element, 4, 30)
        yield (
            f"{element}-reduce",
            g.returns(x.sum(1), x.amax(1), x.reduce("min", 0), x.compare("lt", y), x.reduce("argmin", 1)),
        )
    g = Graph("i1")
    x, y = g.arg("i1", 6, 20), g.arg("i1", 6, 20)
    yield (
        "i1-logic",
        g.returns(
            *(x.binary(BINARY[name], y) for name in ("and", "or", "xor")),
            x.unary("not"),
            x.compare("eq", y),
            x.reduce("any", 1),
            x.reduce("all", 0),
        ),
    )
    g = Graph("i1_views")
    x = g.arg("i1", 6, 20)
    yield "i1-views", g.returns(x.permute(1, 0).reshape(120), x.reverse(1), x.pad([1, 0], [0, 2], True))
    for source in ("f32", "i32", "i1", "ui8", "bf16", "i64"):
        g = Graph(f"from_{source}")
        limits = {"low": 0, "high": 100} if source in ("i32", "ui8", "i64") else {}
        x = g.arg(source, 41, **limits)
        targets = [each for each in (*FLOATS, *INTEGERS, "i1") if each != source]
        if source in ("f32", "bf16"):
            x = x.unary("abs") * 16.0
        yield f"convert-from-{source}", g.returns(*(x.convert(each) for each in targets))
    g = Graph("bitcast")
    x, y = g.arg("f32", 40), g.arg("i16", 40)
    yield (
        "bitcast",
        g.returns(
            g.emit(graph.BitcastOp(x.value, g.arg("i32").element)),
            g.emit(graph.BitcastOp(y.value, g.arg("f16").element)).compare("gt", 0.0),
        ),
    )
    g = Graph("mixed_precision")
    x, w = g.arg("bf16", 8, 32), g.arg("f32", 32)
    yield "mixed-precision", g.returns((x.convert("f32") * w).convert("bf16"), (x * 3.0 + 1.0).sum(1))
    g = Graph("half_chain")
    x = g.arg("f16", 90)
    yield "half-chain", g.returns(exp(x * 0.1 + 0.2) * x - 0.3, x.compare("gt", 0.25).select(x, -x))


def reductions() -> Iterator[Named]:
    shapes = {
        "inner": (2,),
        "middle": (1,),
        "outer": (0,),
        "outer-inner": (0, 2),
        "inner-two": (1, 2),
        "all": (0, 1, 2),
    }
    for kind in ("sum", "max", "prod"):
        for name, dims in shapes.items():
            g = Graph(name)
            x = g.arg("f32", 5, 6, 17)
            x = x * 0.25 + 1.0 if kind == "prod" else x
            yield f"{kind}-{name}", g.returns(x.reduce(kind, *dims))
    for kind in ("argmax", "argmin"):
        for name in ("inner", "middle", "outer", "all"):
            g = Graph(name)
            x = g.arg("f32", 5, 6, 17)
            yield f"{kind}-{name}", g.returns(x.reduce(kind, *shapes[name]))
    for name in ("inner", "middle", "outer-inner", "all"):
        g = Graph(name)
        x = g.arg("f32", 5, 6, 17)
        yield f"logsumexp-{name}", g.returns(x.reduce("logsumexp", *shapes[name]))
    g = Graph("logsumexp_beside_others")
    x = g.arg("bf16", 9, 40)
    yield "logsumexp-beside-others", g.returns(x.reduce("logsumexp", 1), x.sum(1), x.amax(1), x.reduce("argmax", 1))
    g = Graph("logsumexp_infinities")
    x = g.arg("f32", 9, 40)
    y = (x.unary("abs") * -1.0 + 1.0).unary("log")  # NaN and -inf among numbers
    rows = g.arg("f32", 9, 1).compare("gt", 0.0).select(y, x - x * math.inf)
    yield (
        "logsumexp-infinities",
        g.returns(x.compare("gt", 0.0).select(x, -math.inf).reduce("logsumexp", 1), rows.reduce("logsumexp", 1)),
    )
    g = Graph("log_softmax_by_logsumexp")
    x = g.arg("f32", 9, 40)
    yield "logsumexp-then-broadcast", g.returns(x - x.reduce("logsumexp", 1, keep=True))
    g = Graph("argmax_ties")
    x = g.arg("f32", 9, 40)
    yield "argmax-ties", g.returns(x.unary("round").reduce("argmax", 1), x.unary("round").reduce("argmin", 0))
    g = Graph("argmax_nan")
    x = g.arg("f32", 9, 40)
    yield "argmax-nan", g.returns(x.unary("log").reduce("argmax", 1), x.unary("log").amax(1))
    g = Graph("any_all")
    x = g.arg("f32", 7, 19)
    yield "any-all", g.returns(x.compare("gt", 1.5).reduce("any", 1), x.compare("gt", -1.5).reduce("all", 0))
    g = Graph("siblings")
    x = g.arg("f32", 11, 30)
    yield "sibling-reductions", g.returns(x.sum(1), x.amax(1), (x * x).sum(1), x.reduce("argmin", 1))
    g = Graph("rows_and_columns")
    x = g.arg("f32", 21, 30)
    yield "row-and-column-sums", g.returns(x.sum(1), x.sum(0))
    g = Graph("rows_and_columns_batched")
    x = g.arg("bf16", 3, 8, 5, 11)
    rows = x.amax(2, 3)
    columns = exp(x - rows.reshape(3, 8, 1, 1)).sum(1)
    yield "row-and-column-batched", g.returns(columns * 2.0, rows.unary("neg"), x.reduce("argmin", 2, 3), x * x)
    g = Graph("rows_and_columns_transposed")
    x = g.arg("f32", 21, 80)
    y = x.reshape(3, 7, 80)
    both = (x.permute(1, 0), y.permute(2, 0, 1), y.sum(1), x.reshape(21, 2, 40).reduce("prod", 2))
    yield "row-and-column-transposed", g.returns(*both)
    g = Graph("article")
    x = g.arg("f32", 32, 48)
    yield "pointwise-reduce-pointwise", g.returns((x * 2.0).sum(1) + 1.0)
    g = Graph("reduce_then_broadcast")
    x = g.arg("f32", 13, 29)
    yield "reduce-then-broadcast", g.returns(x - x.mean(1, keep=True), x - x.mean(0, keep=True))
    g = Graph("reduction_of_reduction")
    x = g.arg("f32", 6, 7, 8)
    yield "reduction-of-reduction", g.returns(x.amax(2).sum(1) * 2.0, x.sum(1).amax(0))
    g = Graph("cascade")
    x = g.arg("f32", 9, 50)
    mean = x.mean(1, keep=True)
    variance = ((x - mean) * (x - mean)).mean(1, keep=True)
    yield "variance", g.returns(variance.reshape(9), (x - mean) * (variance + 1e-5).unary("rsqrt"))
    g = Graph("logsumexp")
    x = g.arg("f32", 9, 50)
    m = x.amax(1, keep=True)
    yield "logsumexp", g.returns((exp(x - m).sum(1).unary("log")) + m.reshape(9))
    g = Graph("split")
    x = g.arg("f32", 3, 20000)
    yield "few-long-rows", g.returns(x.sum(1), x.amax(1))
    g = Graph("whole")
    x = g.arg("f32", 70, 300)
    yield "whole-tensor", g.returns((x * x).sum())
    g = Graph("tall")
    x = g.arg("f32", 3000, 5)
    yield "tall-column-sum", g.returns(x.sum(0))
    g = Graph("long_rows")
    x = g.arg("f32", 2, 33000)
    yield "long-row-softmax", g.returns(exp(x - x.amax(1, keep=True)) / exp(x - x.amax(1, keep=True)).sum(1, keep=True))
    g = Graph("reduce_broadcast_operand")
    x, b = g.arg("f32", 8), g.arg("f32", 6, 8)
    yield "sum-of-broadcast", g.returns((x + b).sum(0), x.broadcast((4, 8)).sum(0), x.broadcast((4, 8)).sum(1))
    g = Graph("two_inputs")
    x, y = g.arg("f32", 10, 64), g.arg("f32", 10, 64)
    yield "row-dot", g.returns((x * y).sum(1))
    g = Graph("different_dims")
    x = g.arg("f32", 8, 9, 10)
    yield "reductions-over-different-dims", g.returns(x.sum(0), x.sum(1), x.sum(2), x.sum(0, 2))
    for kind in ("sum", "prod", "max", "min"):
        g = Graph(kind)
        x = g.arg("f32", 6, 25)
        yield f"scan-{kind}", g.returns((x * 0.5).scan(kind, 1), x.scan(kind, 0) + 1.0)
