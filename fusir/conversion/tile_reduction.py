"""Combiners at tile level: identities, folding of two tiles, and `tt.reduce` and `tt.scan` along an axis."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    AnyFloat,
    FloatAttr,
    IntegerType,
    StringAttr,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from fusir.conversion.fold_pairs import KEEPS_LAST, Emit, IndexOrder, fold_sums_of_exponentials, fold_with_index
from fusir.conversion.tile_builder import Tile, TileBuilder
from fusir.dialects import tt
from fusir.dialects.loop import Combiner
from fusir.dialects.tt import shape_of, tile_type

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


def identities(combiner: Combiner, elements: Sequence[Attribute]) -> list[float | int]:
    """The values that change nothing when folded in, one for each value of an element."""
    element = elements[0]
    if isinstance(element, AnyFloat):
        if combiner in (Combiner.MAX, Combiner.ARGMAX, Combiner.LAST_ARGMAX, Combiner.SUMEXP):
            value: float | int = -inf
        elif combiner in (Combiner.MIN, Combiner.ARGMIN, Combiner.LAST_ARGMIN):
            value = inf
        else:
            value = 1.0 if combiner is Combiner.MUL else 0.0
    else:
        assert isinstance(element, IntegerType)
        width = element.width.data
        match combiner:
            case Combiner.MAX | Combiner.ARGMAX | Combiner.LAST_ARGMAX:
                value = -(1 << (width - 1))
            case Combiner.MIN | Combiner.ARGMIN | Combiner.LAST_ARGMIN:
                value = (1 << (width - 1)) - 1
            case Combiner.UMIN | Combiner.AND:
                value = (1 << width) - 1
            case Combiner.MUL:
                value = 1
            case _:
                value = 0
    if combiner is Combiner.SUMEXP:
        return [value, 0.0]
    if combiner.arity == 1:
        return [value]
    # At a tie with this value every element has it, so the first one is at index 0; the last one is behind -1.
    return [value, -1 if combiner in KEEPS_LAST else 0]


def fold(
    emit: Emit,
    combiner: Combiner,
    lhs: Sequence[SSAValue],
    rhs: Sequence[SSAValue],
    element: Attribute,
    order: IndexOrder | None = None,
) -> list[SSAValue]:
    """The combination of two elements; `order` is that of their indices where it is known."""
    if combiner is Combiner.SUMEXP:
        return fold_sums_of_exponentials(emit, lhs, rhs, element)
    if combiner.has_index:
        return fold_with_index(emit, combiner, lhs, rhs, order)
    float_op, integer_op = _FOLDS[combiner]
    op_class = float_op if isinstance(element, AnyFloat) else integer_op
    assert op_class is not None
    return [emit(op_class, [lhs[0], rhs[0]], element, {})]


def fold_tiles(
    builder: TileBuilder,
    combiner: Combiner,
    lhs: Sequence[Tile],
    rhs: Sequence[Tile],
    order: IndexOrder | None = None,
) -> list[Tile]:
    """Fold tiles of one support element by element."""
    axes = lhs[0].axes

    def emit(
        op_class: type[Operation], operands: Sequence[SSAValue], element: Attribute, properties: dict[str, Attribute]
    ) -> SSAValue:
        if op_class is arith.ConstantOp and isinstance(value := properties["value"], FloatAttr):
            return builder.spread(builder.constant(value.value.data, element), axes).value
        return builder.pure(op_class, operands, tile_type(element, builder.shape(axes)), properties)

    results = fold(emit, combiner, [t.value for t in lhs], [t.value for t in rhs], lhs[0].element, order)
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


def scan_axis(
    builder: TileBuilder,
    combiner: Combiner,
    tiles: Sequence[Tile],
    axis: int,
    group: int = 1,
    order: IndexOrder | None = None,
) -> list[Tile]:
    """The inclusive prefixes of tiles of one support along an axis, of whose lanes each `group` is in the opposite
    order."""
    block, results = _combination(combiner, [tile.element for tile in tiles], order)
    block.add_op(tt.ScanReturnOp(*results))
    axes = tiles[0].axes
    position = axes.index(axis)
    sources = [_reverse_groups(builder, tile.value, position, group) for tile in tiles]
    op = tt.ScanOp(sources, position, Region(block))
    builder.add(op)
    return [Tile(_reverse_groups(builder, result, position, group), axes) for result in op.results]


def _reverse_groups(builder: TileBuilder, value: SSAValue, dim: int, group: int) -> SSAValue:
    """The elements of each group of neighbours along a dim in the opposite order.

    Where a thread holds a group, this only renames registers: halves are split and joined the other way round.
    """
    if group == 1:
        return value

    def add(op: Operation) -> SSAValue:
        op.attributes["fusir.helper"] = StringAttr("reverse_groups")
        return builder.add(op)

    def flip(half: SSAValue, bits: int) -> SSAValue:
        """The elements of the last dims, of extent 2 each, in the opposite row-major order."""
        halves = tt.SplitOp(half)
        add(halves)
        even, odd = ((each if bits == 1 else flip(each, bits - 1)) for each in halves.results)
        return add(tt.JoinOp(odd, even))

    shape = shape_of(value.type)
    order = [*(i for i in range(len(shape)) if i != dim), dim]
    if order[dim] != dim:
        value = add(tt.TransOp(value, order))
    *rest, extent = (shape[i] for i in order)
    bits = group.bit_length() - 1
    value = add(tt.ReshapeOp(value, [*rest, extent // group, *[2] * bits]))
    value = add(tt.ReshapeOp(flip(value, bits), [*rest, extent]))
    return value if order[dim] == dim else add(tt.TransOp(value, [order.index(i) for i in range(len(shape))]))


def _combination(
    combiner: Combiner, elements: Sequence[Attribute], order: IndexOrder | None = None
) -> tuple[Block, list[SSAValue]]:
    """A block that combines two elements, without its terminator, and the values it ends with."""
    block = Block(arg_types=[*elements, *elements])

    def emit(
        op_class: type[Operation], operands: Sequence[SSAValue], element: Attribute, properties: dict[str, Attribute]
    ) -> SSAValue:
        op = op_class.create(operands=operands, result_types=[element], properties=properties)
        block.add_op(op)
        return op.results[0]

    count = len(elements)
    return block, fold(emit, combiner, block.args[:count], block.args[count:], elements[0], order)
