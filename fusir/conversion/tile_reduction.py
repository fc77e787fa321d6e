"""Combiners at tile level: identities, folding of two tiles, and `tt.reduce` and `tt.scan` along an axis."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from xdsl.dialects import arith
from xdsl.dialects.builtin import AnyFloat, IntegerAttr, IntegerType, i1, i64
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from fusir.conversion.tile_builder import Tile, TileBuilder
from fusir.dialects import tt
from fusir.dialects.loop import Combiner
from fusir.dialects.tt import tile_type

_FOLDS: dict[Combiner, tuple[type[Operation] | None, type[Operation]]] = {
    Combiner.ADD: (arith.AddfOp, arith.AddiOp),
    Combiner.MUL: (arith.MulfOp, arith.MuliOp),
    Combiner.MAX: (arith.MaximumfOp, arith.MaxSIOp),
    Combiner.MIN: (arith.MinimumfOp, arith.MinSIOp),
    Combiner.UMAX: (None, arith.MaxUIOp),
    Combiner.UMIN: (None, arith.MinUIOp),
    Combiner.AND: (None, arith.AndIOp),
    Combiner.OR: (None, arith.OrIOp),
    Combiner.XOR: (None, arith.XOrIOp),
}

Emit = Callable[[type[Operation], Sequence[SSAValue], Attribute, dict[str, Attribute]], SSAValue]
"""Emits an elementwise op on values of one shape: class, operands, element type of the result, properties."""


def identities(combiner: Combiner, elements: Sequence[Attribute]) -> list[float | int]:
    """The values that change nothing when folded in, one for each value of an element."""
    element = elements[0]
    if isinstance(element, AnyFloat):
        if combiner in (Combiner.MAX, Combiner.ARGMAX):
            value: float | int = -math.inf
        elif combiner in (Combiner.MIN, Combiner.ARGMIN):
            value = math.inf
        else:
            value = 1.0 if combiner is Combiner.MUL else 0.0
    else:
        assert isinstance(element, IntegerType)
        width = element.width.data
        match combiner:
            case Combiner.MAX | Combiner.ARGMAX:
                value = -(1 << (width - 1))
            case Combiner.MIN | Combiner.ARGMIN:
                value = (1 << (width - 1)) - 1
            case Combiner.UMIN | Combiner.AND:
                value = (1 << width) - 1
            case Combiner.MUL:
                value = 1
            case _:
                value = 0
    # At a tie with this value every element has it, so the first one is at index 0.
    return [value, 0] if combiner.arity == 2 else [value]


def fold(
    emit: Emit,
    combiner: Combiner,
    lhs: Sequence[SSAValue],
    rhs: Sequence[SSAValue],
    elements: Sequence[Attribute],
    ordered: bool = False,
) -> list[SSAValue]:
    """The combination of two elements. `ordered`: the index of `lhs`, if any, is known to be the smaller one."""
    element = elements[0]
    if combiner.arity == 2:
        return _fold_arg(emit, combiner, lhs, rhs, elements, ordered)
    float_op, integer_op = _FOLDS[combiner]
    op_class = float_op if isinstance(element, AnyFloat) else integer_op
    assert op_class is not None
    return [emit(op_class, [lhs[0], rhs[0]], element, {})]


def _fold_arg(
    emit: Emit,
    combiner: Combiner,
    lhs: Sequence[SSAValue],
    rhs: Sequence[SSAValue],
    elements: Sequence[Attribute],
    ordered: bool,
) -> list[SSAValue]:
    """The extremal of two (value, index) pairs: NaN wins, of equals the smaller index."""
    (a, i), (b, j) = lhs, rhs
    element, index = elements
    largest = combiner is Combiner.ARGMAX

    def compare(op_class: type[Operation], name: str, x: SSAValue, y: SSAValue) -> SSAValue:
        names = arith.CMPF_COMPARISON_OPERATIONS if op_class is arith.CmpfOp else arith.CMPI_COMPARISON_OPERATIONS
        return emit(op_class, [x, y], i1, {"predicate": IntegerAttr(names.index(name), i64)})

    def logic(op_class: type[Operation], x: SSAValue, y: SSAValue) -> SSAValue:
        return emit(op_class, [x, y], i1, {})

    sign = "u" if element == i1 else "s"
    if ordered and isinstance(element, AnyFloat):
        no_worse = compare(arith.CmpfOp, "oge" if largest else "ole", a, b)
        first = logic(arith.OrIOp, no_worse, compare(arith.CmpfOp, "uno", a, a))
    elif ordered:
        first = compare(arith.CmpiOp, sign + ("ge" if largest else "le"), a, b)
    elif isinstance(element, AnyFloat):
        before = compare(arith.CmpiOp, "slt", i, j)
        better = compare(arith.CmpfOp, "ogt" if largest else "olt", a, b)
        equal = compare(arith.CmpfOp, "oeq", a, b)
        a_nan = compare(arith.CmpfOp, "uno", a, a)
        b_nan = compare(arith.CmpfOp, "uno", b, b)
        # a is NaN and b is not, or both are: then the order of the indices decides, as for equals.
        equal = logic(arith.OrIOp, equal, logic(arith.AndIOp, a_nan, b_nan))
        b_number = compare(arith.CmpfOp, "ord", b, b)
        better = logic(arith.OrIOp, better, logic(arith.AndIOp, a_nan, b_number))
        first = logic(arith.OrIOp, better, logic(arith.AndIOp, equal, before))
    else:
        before = compare(arith.CmpiOp, "slt", i, j)
        better = compare(arith.CmpiOp, sign + ("gt" if largest else "lt"), a, b)
        equal = compare(arith.CmpiOp, "eq", a, b)
        first = logic(arith.OrIOp, better, logic(arith.AndIOp, equal, before))
    return [
        emit(arith.SelectOp, [first, a, b], element, {}),
        emit(arith.SelectOp, [first, i, j], index, {}),
    ]


def fold_tiles(
    builder: TileBuilder, combiner: Combiner, lhs: Sequence[Tile], rhs: Sequence[Tile], ordered: bool = False
) -> list[Tile]:
    """Fold tiles of one support element by element. `ordered`: see `fold`."""
    axes = lhs[0].axes

    def emit(
        op_class: type[Operation], operands: Sequence[SSAValue], element: Attribute, properties: dict[str, Attribute]
    ) -> SSAValue:
        return builder.pure(op_class, operands, tile_type(element, builder.shape(axes)), properties)

    elements = [tile.element for tile in lhs]
    results = fold(emit, combiner, [t.value for t in lhs], [t.value for t in rhs], elements, ordered)
    return [Tile(value, axes) for value in results]


def reduce_axis(builder: TileBuilder, combiner: Combiner, tiles: Sequence[Tile], axis: int) -> list[Tile]:
    """Fold the elements of tiles of one support along a tile axis."""
    axes = tiles[0].axes
    position = axes.index(axis)
    block, results = _combination(combiner, [tile.element for tile in tiles])
    block.add_op(tt.ReduceReturnOp(*results))
    op = tt.ReduceOp([tile.value for tile in tiles], position, Region(block))
    builder.add(op)
    rest = axes[:position] + axes[position + 1 :]
    return [Tile(result, rest) for result in op.results]


def scan_axis(builder: TileBuilder, combiner: Combiner, tile: Tile, axis: int, reverse: bool) -> Tile:
    """The inclusive prefixes of a tile along one of its axes, or the suffixes if `reverse`."""
    block, results = _combination(combiner, [tile.element])
    block.add_op(tt.ScanReturnOp(*results))
    op = tt.ScanOp([tile.value], tile.axes.index(axis), Region(block), reverse=reverse)
    builder.add(op)
    return Tile(op.results[0], tile.axes)


def _combination(combiner: Combiner, elements: Sequence[Attribute]) -> tuple[Block, list[SSAValue]]:
    """A block that combines two elements, without its terminator, and the values it ends with."""
    block = Block(arg_types=[*elements, *elements])

    def emit(
        op_class: type[Operation], operands: Sequence[SSAValue], element: Attribute, properties: dict[str, Attribute]
    ) -> SSAValue:
        op = op_class.create(operands=operands, result_types=[element], properties=properties)
        block.add_op(op)
        return op.results[0]

    count = len(elements)
    return block, fold(emit, combiner, block.args[:count], block.args[count:], elements)
