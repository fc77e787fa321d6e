"""Corpus graphs: prefixes along a dim."""

from __future__ import annotations

from collections.abc import Iterator

from graph_builder import Graph, exp
from xdsl.dialects.builtin import ModuleOp

from fusir.dialects import graph

Named = tuple[str, ModuleOp]

KINDS = ("sum", "prod", "max", "min")
SHAPES = {
    "inner": ((6, 25), 1),
    "outer": ((25, 70), 0),
    "middle": ((3, 17, 10), 1),
    "row": ((100,), 0),
    "one": ((5, 1), 1),
    "one-row": ((1, 37), 1),
    "prime": ((7, 1009), 1),
    "power-of-two": ((16, 64), 1),
    "tall-outer": ((300, 4), 0),
}


def scans() -> Iterator[Named]:
    yield from _shapes()
    yield from _elements()
    yield from _neighbours()
    yield from _pairs()
    yield from _long()
    yield from _split()
    yield from _symbolic()


def _shapes() -> Iterator[Named]:
    for name, (dims, dim) in SHAPES.items():
        for reverse in (False, True):
            g = Graph(name)
            x = g.arg("f32", *dims)
            yield f"sum-{name}{'-reverse' if reverse else ''}", g.returns(x.scan("sum", dim, reverse))
    for name, dims, dim in (("no-rows", (0, 5), 1), ("empty-rows", (5, 0), 1), ("empty-columns", (0, 5), 0)):
        g = Graph(name)
        yield name, g.returns(g.arg("f32", *dims).scan("sum", dim))
    for kind in KINDS:
        g = Graph(kind)
        x = g.arg("f32", 9, 40)
        yield f"{kind}-reverse", g.returns(x.scan(kind, 1, True), x.scan(kind, 0, True))


def _elements() -> Iterator[Named]:
    for element in ("f16", "bf16", "f64"):
        g = Graph(element)
        x = g.arg(element, 5, 60)
        yield f"sum-{element}", g.returns(x.scan("sum", 1), x.scan("max", 1))
    for element in ("i8", "i16", "i32", "i64", "ui8"):
        g = Graph(element)
        x = g.arg(element, 5, 23, low=0, high=5)
        scanned = [x.scan(kind, 1) for kind in KINDS]
        yield f"{element}", g.returns(*scanned, *[x.scan(kind, 1, True) for kind in ("max", "min")])
    g = Graph("bool")
    x = g.arg("i1", 5, 23)
    yield "count-of-bool", g.returns(x.convert("i64").scan("sum", 1))
    g = Graph("nan")
    x = g.arg("f32", 6, 21)
    y = (x.compare("gt", 1.0)).select(x / x - x / x, x)
    root = (x - 0.5).unary("sqrt")
    yield "max-of-nan", g.returns(y.scan("max", 1), root.scan("max", 1), root.scan("min", 0))


def _neighbours() -> Iterator[Named]:
    g = Graph("masked")
    x, mask = g.arg("f32", 8, 50), g.arg("i1", 8, 50)
    yield "masked-sum", g.returns((x * mask.convert("f32")).scan("sum", 1))
    g = Graph("exclusive_by_difference")
    x = g.arg("f32", 8, 50)
    yield "exclusive-by-difference", g.returns(exp(x.scan("sum", 1) - x))
    g = Graph("exclusive_by_pad")
    x = g.arg("f32", 8, 50)
    yield "exclusive-by-pad", g.returns(x.slice(1, 0, 49).pad((0, 1), (0, 0), 0.0).scan("sum", 1))
    g = Graph("exclusive_by_concat")
    x = g.arg("f32", 8, 50)
    yield "exclusive-by-concat", g.returns(g.concat(1, g.full(0.0, "f32", (8, 1)), x).slice(1, 0, 50).scan("sum", 1))
    g = Graph("shifted_result")
    x = g.arg("f32", 8, 50)
    yield "shifted-result", g.returns(x.scan("sum", 1).slice(1, 0, 49).pad((0, 1), (0, 0), 0.0) * 2.0)
    for kind, value in (("sum", 0.0), ("prod", 1.0), ("max", float("-inf"))):
        g = Graph(f"exclusive_{kind}")
        x = g.arg("f32", 8, 50)
        first = g.full(value, "f32", (8, 1))
        reversed_ = g.concat(1, x.slice(1, 1, 50).scan(kind, 1, True), first)
        yield f"exclusive-{kind}", g.returns(g.concat(1, first, x.slice(1, 0, 49).scan(kind, 1)), reversed_)
    g = Graph("not_exclusive")
    x, i = g.arg("f32", 8, 50), g.arg("i32", 8, 50)
    behind = g.concat(1, x.scan("sum", 1), g.full(0.0, "f32", (8, 1)))
    other = g.concat(1, g.full(1.0, "f32", (8, 1)), (x * 2.0).scan("sum", 1))
    extremum = g.concat(1, i, i.scan("max", 1))
    turned = g.concat(1, g.full(0.0, "f32", (8, 1)), (x * 4.0).scan("sum", 1, True))
    yield "not-exclusive", g.returns(behind, other, extremum, turned, (x * 3.0).scan("sum", 1).pad((0, 1), (0, 2), 0.0))
    g = Graph("reverse_by_views")
    x = g.arg("f32", 4, 9, 10)
    yield "reverse-by-views", g.returns(x.reverse(1).scan("sum", 1).reverse(1) + 1.0)
    g = Graph("moved_halves")
    x = g.arg("bf16", 6, 48)
    rounded = x.reverse(1).convert("f32").scan("sum", 1).convert("bf16")
    first = g.full(0.0, "bf16", (6, 1))
    behind = g.concat(1, first, x.convert("f32").scan("sum", 1).convert("bf16").slice(1, 0, 47))
    yield "moved-halves", g.returns(rounded.reverse(1), behind)
    g = Graph("transposed")
    x = g.arg("f32", 12, 30)
    yield "transposed-operand", g.returns(x.permute(1, 0).scan("sum", 1), x.permute(1, 0).scan("sum", 0))
    g = Graph("several")
    x, y = g.arg("f32", 6, 33), g.arg("f32", 6, 33)
    yield "several-scans", g.returns(x.scan("sum", 1) / (y.scan("max", 1) + 10.0), (x * y).scan("sum", 1))
    g = Graph("scan_of_scan")
    x = g.arg("f32", 6, 33)
    yield "scan-of-scan", g.returns((x.scan("sum", 1) * 0.1).scan("sum", 1))
    g = Graph("different_dims")
    x = g.arg("f32", 12, 33)
    yield "summed-area", g.returns(x.scan("sum", 1).scan("sum", 0))
    g = Graph("both_ends")
    x = g.arg("f32", 6, 33)
    yield "both-ends", g.returns(x.scan("sum", 1) + x.scan("sum", 1, True))
    g = Graph("constant")
    x = g.arg("f32", 6, 33)
    yield "scan-of-constant", g.returns(g.full(1.0, "f32", (6, 33)).scan("sum", 1) * x)
    g = Graph("row_operand")
    x, b = g.arg("f32", 6, 33), g.arg("f32", 33)
    yield "scan-of-broadcast", g.returns(b.broadcast((6, 33)).scan("sum", 1) * x, (x + b).scan("sum", 0))
    g = Graph("normalized")
    x = g.arg("f32", 6, 33)
    weights = exp(x - x.amax(1, keep=True))
    yield "scan-of-softmax", g.returns((weights / weights.sum(1, keep=True)).scan("sum", 1))
    g = Graph("reduced")
    x = g.arg("f32", 6, 33)
    yield "maximum-of-prefixes", g.returns(x.scan("sum", 1).amax(1), x.scan("sum", 1).sum(0))
    g = Graph("beside_reductions")
    x = g.arg("f32", 40, 300)
    weights = exp(x - x.amax(1, keep=True))
    prefixes = weights.scan("sum", 1, True)
    yield "scan-beside-reductions", g.returns(x.amax(1), prefixes, weights.sum(1), prefixes.sum(1), x.sum(1))
    g = Graph("last")
    x = g.arg("f32", 6, 33)
    yield "last-prefix", g.returns(x.scan("sum", 1).slice(1, 32, 33), x.scan("sum", 1))
    g = Graph("split")
    x, y = g.arg("f32", 6, 32), g.arg("f32", 6, 4, 8)
    yield "reshaped-result", g.returns(x.scan("sum", 1).reshape(6, 4, 8) * y, x.scan("sum", 1).reshape(3, 64))


def _pairs() -> Iterator[Named]:
    """Prefixes that are folded as pairs: extrema with their positions, logarithms of sums of exponentials."""
    for name in ("inner", "outer", "middle", "row", "prime"):
        dims, dim = SHAPES[name]
        g = Graph(name)
        x = g.arg("f32", *dims)
        yield f"cummax-{name}", g.returns(x.scan("max", dim), x.scan("argmax", dim))
        g = Graph(name)
        x = g.arg("f32", *dims)
        yield f"logsumexp-{name}", g.returns((x * 3.0).scan("logsumexp", dim))
    for element in ("bf16", "f64", "i8", "i64", "ui8"):
        g = Graph(element)
        x = g.arg(element, 5, 60) if element in ("bf16", "f64") else g.arg(element, 5, 60, low=0, high=5)
        values = [x.scan("min", 1), x.scan("argmin", 1), x.scan("argmax", 0)]
        yield f"cummin-{element}", g.returns(*values)
    for element in ("f16", "f64"):
        g = Graph(element)
        x = g.arg(element, 5, 60)
        yield f"logsumexp-{element}", g.returns(x.scan("logsumexp", 1), x.scan("logsumexp", 0, True))
    g = Graph("positions_from_the_end")
    x = g.arg("i32", 5, 64, low=0, high=5)
    yield "positions-reverse", g.returns(x.scan("argmax", 1, True), x.scan("argmin", 0, True), x.scan("max", 1, True))
    g = Graph("positions_of_nan")
    x = g.arg("f32", 6, 21)
    root = (x - 0.5).unary("sqrt")
    infinite = (x - 0.5) / (x - x)
    positions = [root.scan("argmax", 1), root.scan("argmin", 0), infinite.scan("argmax", 1), infinite.scan("max", 1)]
    yield "positions-of-nan", g.returns(*positions)
    g = Graph("logsumexp_of_infinities")
    x = g.arg("f32", 6, 21)
    infinity = g.full(float("inf"), "f32", (6, 21))
    y = (x.compare("gt", 1.0)).select(infinity, (x.compare("lt", 0.0)).select(infinity * -1.0, x))
    yield (
        "logsumexp-of-infinities",
        g.returns(y.scan("logsumexp", 1), (y * -1.0).scan("logsumexp", 1), y.scan("max", 1)),
    )
    g = Graph("position_beside_others")
    x = g.arg("f32", 6, 32)
    marked = x.scan("argmax", 1).convert("f32") * x.scan("max", 1)
    yield "position-beside-others", g.returns(marked, x.scan("sum", 1), x.scan("argmin", 1), x.scan("logsumexp", 1))
    for name, reverse in (("long-cummax", False), ("long-cummax-reverse", True)):
        g = Graph(name.replace("-", "_"))
        x = g.arg("i32", 3, 9008 if reverse else 9001, low=0, high=1000)
        yield name, g.returns(x.scan("max", 1, reverse), x.scan("argmax", 1, reverse), x.scan("argmin", 1, reverse))
    g = Graph("extrema_at_the_ends_of_steps")
    x = g.arg("f32", 2, 9008)
    falling = x - g.iota(1, 2, 9008).binary(graph.RemOp, 4096).convert("f32") * 100.0
    positions = falling.scan("argmax", 1), falling.scan("argmax", 1, True), falling.reverse(1).scan("argmax", 1, True)
    yield "extrema-at-the-ends-of-steps", g.returns(*positions, falling.scan("max", 1, True))
    g = Graph("long_logsumexp")
    x = g.arg("f32", 2, 9008)
    yield "long-logsumexp", g.returns(x.scan("logsumexp", 1), (x * 100.0).scan("logsumexp", 1, True))
    g = Graph("long_columns_of_pairs")
    x, i = g.arg("f32", 700, 40), g.arg("i32", 700, 40, low=0, high=9)
    yield "long-columns-of-pairs", g.returns(x.scan("logsumexp", 0), i.scan("argmax", 0), i.scan("argmin", 0))
    g = Graph("symbolic_pairs")
    n = g.symbol(2, 64)
    x, i = g.arg("f32", 5, n), g.arg("i32", 5, n, low=0, high=9)
    yield "symbolic-pairs", g.returns(x.scan("logsumexp", 1), i.scan("argmax", 1), i.scan("max", 1))
    g = Graph("no_pairs")
    x = g.arg("f32", 0, 5)
    yield "no-pairs", g.returns(x.scan("argmax", 1), x.scan("argmax", 0), x.scan("logsumexp", 0))


def _long() -> Iterator[Named]:
    for kind, reverse in (("sum", False), ("sum", True), ("max", False), ("min", True)):
        g = Graph(kind)
        x = g.arg("f32", 3, 20011)
        y = x * 0.01
        yield f"long-{kind}{'-reverse' if reverse else ''}", g.returns(y.scan(kind, 1, reverse) - y)
    for element, length in (("bf16", 20480), ("f64", 9001), ("i8", 8200)):
        g = Graph(element)
        x = g.arg(element, 3, length)
        yield f"long-reverse-{element}", g.returns(x.scan("max", 1, True))
    g = Graph("long_exact")
    x = g.arg("i32", 2, 24576, low=0, high=9)
    yield "long-integers", g.returns(x.convert("i64").scan("sum", 1), x.scan("max", 1))
    g = Graph("long_chain")
    x = g.arg("f32", 2, 16400)
    y = (x * 0.01).scan("sum", 1)
    yield "long-scan-of-scan", g.returns((y * 0.001).scan("sum", 1), y.scan("max", 1))
    g = Graph("long_softmax")
    x = g.arg("f32", 2, 16400)
    weights = exp(x - x.amax(1, keep=True))
    yield "long-scan-of-softmax", g.returns((weights / weights.sum(1, keep=True)).scan("sum", 1))
    g = Graph("long_columns")
    x = g.arg("f32", 1000, 70)
    yield "long-columns", g.returns(x.scan("sum", 0), x.scan("max", 0) + x)
    g = Graph("long_columns_reverse")
    x = g.arg("f32", 1000, 70)
    yield "long-columns-reverse", g.returns(x.scan("sum", 0, True))
    g = Graph("single_row")
    x = g.arg("f32", 40000)
    yield "single-long-row", g.returns((x * 0.01).scan("sum", 0), (x * 0.01).scan("sum", 0, True), x.scan("max", 0))


def _split() -> Iterator[Named]:
    """Few long rows, which are cut into parts."""
    for reverse in (False, True):
        g = Graph("row")
        x = g.arg("f32", 1, 65536)
        scanned = (x * 0.01).scan("sum", 1, reverse)
        yield f"split-sum{'-reverse' if reverse else ''}", g.returns(scanned * 2.0, x.scan("min", 1, reverse))
    for element, kind in (("bf16", "sum"), ("f64", "max"), ("i8", "prod"), ("ui8", "min"), ("i32", "max")):
        g = Graph(element)
        x = g.arg(element, 2, 40960) if element in ("bf16", "f64") else g.arg(element, 2, 40960, low=0, high=5)
        yield f"split-{kind}-{element}", g.returns(x.scan(kind, 1), x.scan(kind, 1, True))
    g = Graph("columns")
    x = g.arg("f32", 2, 2048, 3)
    yield "split-columns", g.returns(x.scan("sum", 1), x.scan("max", 1, True))
    g = Graph("prime")
    x = g.arg("f32", 32771)
    yield "whole-prime", g.returns(x.scan("sum", 0), x.scan("max", 0))
    g = Graph("with_positions")
    x = g.arg("f32", 34000)
    yield "whole-cummax", g.returns(x.scan("max", 0), x.scan("argmax", 0))


def _symbolic() -> Iterator[Named]:
    for name, reverse in (("symbolic-length", False), ("symbolic-length-reverse", True)):
        g = Graph(name)
        n = g.symbol(2, 64)
        x = g.arg("f32", 5, n)
        yield name, g.returns(x.scan("sum", 1, reverse) * 2.0)
    g = Graph("symbolic_rows")
    n = g.symbol(2, 64)
    x = g.arg("f32", n, 12)
    yield "symbolic-rows", g.returns(x.scan("sum", 1), x.scan("sum", 0))
