# RUN: %python %s
"""Common refinements of extents, spaces of fusions, and what breaks their rules."""

from __future__ import annotations

import itertools
import math

from graph_builder import Graph, Tensor
from xdsl.ir import Block, Region, SSAValue
from xdsl.ir.affine import AffineExpr

from fusir.analysis.factors import common_refinement
from fusir.analysis.space import Alignment, Factor, Space, SpaceError, group_space, verify_fusion_space
from fusir.dialects.graph import Dim, FusionOp, YieldOp


def boundaries(extents: tuple[int, ...]) -> list[int]:
    """The strides of the dims in elements, with the number of elements: where a row-major list can be cut."""
    return [math.prod(extents[i:]) for i in range(len(extents) + 1)]


def check_refinements() -> None:
    shapes = [s for rank in range(4) for s in itertools.product((1, 2, 3, 4, 6), repeat=rank)]
    compared = 0
    for a, b in itertools.product(shapes, shapes[::3]):
        pieces = common_refinement(a, b)
        if math.prod(a) != math.prod(b):
            assert pieces is None, (a, b)
            continue
        cuts = sorted({*boundaries(a), *boundaries(b)}, reverse=True)
        possible = all(high % low == 0 for high, low in itertools.pairwise(cuts))
        assert (pieces is not None) == possible, (a, b, pieces)
        if pieces is not None:
            compared += 1
            assert [extent for extent, _, _ in pieces] == [high // low for high, low in itertools.pairwise(cuts)]
            for extents, side in ((a, 1), (b, 2)):
                for axis, extent in enumerate(extents):
                    part = (piece for piece in pieces if piece[side] == axis)
                    assert math.prod(piece[0] for piece in part if isinstance(piece[0], int)) == extent
    assert compared > 300, compared


def check_symbols() -> None:
    s0, s1 = AffineExpr.symbol(0), AffineExpr.symbol(1)
    g = Graph("symbols")
    n, c = g.symbol(1, 64), g.symbol(1, 64)
    merged = g.arg("f32", n, c).reshape(_product(n, c)).dims
    assert common_refinement((s0, s1), merged) == [(s0, 0, 0), (s1, 1, 0)]
    assert common_refinement((s0,), (s1,)) is None
    assert common_refinement((s0 * 4, 2), (s0, 8)) == [(s0, 0, 0), (4, 0, 1), (2, 1, 1)]


def check_zero_extents() -> None:
    assert common_refinement((0, 4), (0, 4)) == [(0, 0, 0), (4, 1, 1)]
    assert common_refinement((0, 4), (1, 0, 4, 1)) == [(0, 0, 1), (4, 1, 2)]
    assert common_refinement((0, 4), (0, 2, 2)) is None
    assert common_refinement((0, 4), (0,)) is None
    assert common_refinement((4, 0), (0, 4)) is None
    assert common_refinement((2, 0), (2, 3)) is None


def _product(a: AffineExpr, b: AffineExpr) -> Dim:
    from fusir.analysis.expr import product

    return product((a, b))


def fusion(results: list[SSAValue], inputs: list[SSAValue], block: Block) -> FusionOp:
    """The block of a graph as a fusion; its arguments are the inputs."""
    block.add_op(YieldOp(results))
    return FusionOp(inputs, [value.type for value in results], Region(block))


def of_graph(build: object) -> FusionOp:
    g = Graph("space")
    results = build(g)  # pyright: ignore
    outside = Block(arg_types=[argument.type for argument in g.block.args])
    return fusion([each.value for each in results], list(outside.args), g.block)


def check_group_norm() -> None:
    def build(g: Graph) -> object:
        x, w = g.arg("f32", 4, 6, 5, 5), g.arg("f32", 6)
        y = x.reshape(4, 3, 50)
        d = y - y.sum(2, keep=True)
        scaled = d.reshape(4, 6, 5, 5) * w.reshape(6, 1, 1)
        return [scaled, (d * d).sum(2)]

    op = of_graph(build)
    found = group_space(op)
    assert str(found.space) == "[4, 3, 2:r, 5:r, 5:r]", str(found.space)
    assert found.roots == (Alignment.FULL, Alignment.OUTER)
    values = [found.alignments[each.results[0]] for each in op.block.ops if each.results]
    assert values.count(Alignment.OUTER) == 3 and Alignment.FULL in values and Alignment.FREE in values
    assert found.space.runs((4, 6, 5, 5)) == ((0,), (1, 2), (3,), (4,))
    assert found.space.outer_runs((12,)) == ((0, 1),)


def check_rows_and_columns() -> None:
    """Column results are those of the walked factors, in whichever order the reductions come."""

    def build(g: Graph) -> object:
        x = g.arg("f32", 12, 5, 6)
        rows = x.sum(1, 2, keep=True)
        columns = (x * rows).reshape(3, 4, 30).sum(1)
        return [columns.unary("exp"), x - rows, rows, x.permute(2, 0, 1)]

    op = of_graph(build)
    found = group_space(op)
    assert str(found.space) == "[3, 4:w, 5:r, 6:r]", str(found.space)
    assert found.roots == (Alignment.COLUMN, Alignment.FULL, Alignment.OUTER, Alignment.FULL), found.roots
    rows, columns = Space.of((12, 30), (1,)), Space.of((3, 4, 30), (1,))
    space = rows.cross(columns)
    assert space is not None and space == columns.cross(rows)
    assert space.parallel == (3,) and space.walked == (4,) and space.columns == (3, 30) and space.outer == (3, 4)
    assert space.is_columns(columns) and not space.is_columns(rows)
    assert space.cross(columns) == space and space.merge(rows) == space and space.merge(columns) is None
    assert space.refine_columns((3, 5, 6)) == Space((*space.factors[:2], Factor(5, True), Factor(6, True)))
    assert rows.cross(Space.of((12, 30), (0, 1))) is None, "a factor that both reduce"
    assert rows.cross(Space.of((360,), (0,))) is None
    assert Space.of((4, 0), (1,)).cross(Space.of((4, 0), (0,))) is None, "no elements"


def refuses(message: str, build: object) -> None:
    try:
        verify_fusion_space(of_graph(build))
    except SpaceError as error:
        assert message in str(error), f"{error} instead of {message}"
    else:
        raise AssertionError(f"not refused: {message}")


def check_rules() -> None:
    def square(g: Graph):
        return g.arg("f32", 4, 4)

    refuses("which is not the space [4, 4:r]", lambda g: [(x := square(g)).sum(1), x.reshape(16).sum(0)])
    refuses("which is not the space [4:w, 4:r]", lambda g: [(x := square(g)).sum(1), x.sum(0), x.reshape(16).sum(0)])
    refuses("reduces again", lambda g: [(x := square(g)).sum(1), x.sum(0).sum(0)])
    refuses("exists after the walk", lambda g: [(x := square(g)).sum(1), x - x.sum(0, keep=True)])
    refuses("reduces again", lambda g: [square(g).sum(1).sum(0)])
    refuses("not the reduced ones", lambda g: [(x := square(g)) - x.sum(1)])
    refuses("needs that value at other places", lambda g: [softmax(square(g)).permute(1, 0)])
    refuses("needs that value at other places", lambda g: [softmax(square(g)).slice(1, 0, 2)])
    refuses("graph.gather of a value that depends", lambda g: [picked(g, softmax(square(g)), (1, 0))])
    refuses("graph.gather of a value that depends", lambda g: [picked(g, softmax(square(g)), (0, 1), other_rows=True)])
    refuses("graph.gather of a value that depends", lambda g: [softmax(square(g)).gather([g.arg("i64", 4)], [1])])
    refuses("graph.gather of a value that depends", lambda g: [picked(g, square(g).scan("sum", 1), (0, 1))])
    refuses("already has the whole space", lambda g: [softmax(square(g)).broadcast((3, 4, 4))])
    refuses("is no run of the factors", lambda g: [(x := g.arg("f32", 4, 6)).unary("exp"), x.reshape(6, 4)])
    refuses("is no run of the factors", lambda g: [(x := square(g)).sum(1), x.slice(0, 0, 3).unary("exp")])


def check_picked() -> None:
    """Elements of rows, each in its own row, are there when the reductions of the row are."""
    found = group_space(of_graph(lambda g: [picked(g, softmax(g.arg("f32", 6, 8)), (0, 1))]))
    assert found.roots == (Alignment.OUTER,)

    def spatial(g: Graph) -> object:
        x = g.arg("f32", 2, 3, 4, 5)
        places = [g.iota(dim, 2, 1, 4, 5) for dim in range(4)]
        places[1] = g.arg("i64", 2, 1, 4, 5)
        return [softmax(x).gather(places, range(4)).reshape(2, 20)]

    found = group_space(of_graph(spatial))
    assert str(found.space) == "[2, 3:r, 4, 5]", str(found.space)
    assert found.roots == (Alignment.OUTER,)


def picked(g: Graph, x: Tensor, order: tuple[int, int], other_rows: bool = False) -> Tensor:
    """An element of each row of x, at an index that is an argument; `order` (1, 0) is one of each column."""
    n = x.dims[order[0]]
    rows = g.arg("i64", n) if other_rows else g.iota(0, n)
    places = [rows, g.arg("i64", n)]
    return x.gather([places[i] for i in order], [0, 1])


def softmax(x: Tensor) -> Tensor:
    return x / x.sum(1, keep=True)


assert Space.of((4, 1, 6), (2,)).refine((4, 2, 3)) == Space.of((4, 2, 3), (1, 2))
assert Space.of((4, 6), (1,)).merge(Space.of((4, 6), (0,))) is None
assert Space.of((4, 6), (0,)).refine_outer((2, 3)) == Space.of((4, 2, 3), (0,))
check_refinements()
check_symbols()
check_zero_extents()
check_group_norm()
check_rules()
check_rows_and_columns()
check_picked()
