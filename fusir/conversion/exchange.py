"""Reductions along a shared axis: the programs that share it exchange what each has folded.

    partials[group, part] = value          each program writes what it has folded of its part,
    counter[group] += 1                    then says so,
    wait until counter[group] = parts      waits for the others of its group,
    value = fold of partials[group, :]     and folds the values of all parts, in the order of the parts.

A `loop.online` exchanges all that it carries at once, and its merge makes the results of it.
So every program of a group gets the same bits, in every run.

Programs that wait must not keep those that they wait for from starting. Therefore they are numbered in the order in
which they start, by a ticket, and the parts of a group have consecutive numbers: of the first group that is not
finished, all programs have started or are the next to start, and those before them end without waiting for any other
group. Progress needs only that the device can hold the programs of one group at a time; whoever launches makes sure of
it (`fusir.together` is their number).

The workspace of a launch is a buffer of counters that starts as zeros (the ticket, then a counter for each exchange and
group) and a buffer of partial values for each element type.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerAttr, MemRefType, StringAttr, UnitAttr, i32
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.ir.affine import AffineConstantExpr
from xdsl.utils.exceptions import DiagnosticException

from fusir.conversion.tile_axes import TileAxes
from fusir.conversion.tile_builder import SIGNED_LESS_THAN, Tile, TileBuilder
from fusir.conversion.tile_memory import from_stored, stored_type, to_stored
from fusir.conversion.tile_reduction import identities, reduce_axis
from fusir.dialects import tt
from fusir.dialects.loop import Combiner, OnlineOp, ReduceOp
from fusir.dialects.tt import MemSemantic, tile_type

PARTS = "PARTS"
"""The name of the number of lanes for the parts in the source."""


class Exchange:
    """The exchanges of a kernel with a shared axis.

    Raises DiagnosticException if the number of groups is not static.
    """

    def __init__(self, builder: TileBuilder, axes: TileAxes, reductions: Sequence[ReduceOp | OnlineOp]):
        """`reductions` are those along the shared axis."""
        self.builder = builder
        self.axes = axes
        self.parts, _ = axes.parts()
        grid = axes.grid()
        if not isinstance(grid, AffineConstantExpr):
            raise DiagnosticException("programs that share an axis in a grid of symbolic extent")
        self.groups = grid.value // self.parts
        self.reductions: dict[Operation, int] = {op: number for number, op in enumerate(reductions)}
        self._slots: dict[SSAValue, tuple[Attribute, int]] = {}
        """Where the partial values of a result are: the type in memory, and how many results are before them there."""
        counts: dict[Attribute, int] = {}
        for op in reductions:
            for result in op.results:
                stored = stored_type(result.type)
                self._slots[result] = (stored, counts.get(stored, 0))
                counts[stored] = counts.get(stored, 0) + 1
        sizes = {stored: count * self.groups * self.parts for stored, count in counts.items()}
        self.workspace = [
            MemRefType(i32, [1 + len(reductions) * self.groups]),
            *(MemRefType(stored, [size]) for stored, size in sizes.items()),
        ]
        self._types = list(sizes)
        self._counters: SSAValue | None = None
        self._partials: Mapping[Attribute, SSAValue] = {}
        # The parts are one more tile axis, behind those of the schedule.
        self._axis = builder.add_axis(1 << max(0, self.parts - 1).bit_length())

    @property
    def lanes(self) -> int:
        """Lanes of a tile with a value of each part, a power of two."""
        return self.builder.sizes[self._axis]

    def add_arguments(self, block: Block, position: int) -> None:
        """Let the function take the workspace, from argument `position` on."""
        names = ["counters", *(f"partials_{stored}" for stored in self._types)]
        if len(self._types) == 1:
            names[1] = "partials"
        arguments: list[SSAValue] = []
        for offset, (buffer, name) in enumerate(zip(self.workspace, names, strict=True)):
            argument = block.insert_arg(tt.PointerType(buffer.element_type), position + offset)
            argument.name_hint = name
            arguments.append(argument)
        self._counters = arguments[0]
        self._partials = dict(zip(self._types, arguments[1:], strict=True))

    def ticket(self) -> SSAValue:
        """The number of this program in the order in which they start."""
        assert self._counters is not None
        one = self.builder.constant(1, i32)
        ticket = tt.AtomicRMWOp("add", self._counters, one.value, sem=MemSemantic.RELAXED)
        ticket.attributes[tt.TICKET] = UnitAttr()
        return self.builder.add(ticket)

    def all_parts(self, op: ReduceOp | OnlineOp, own: Sequence[Tile], others: Sequence[Tile]) -> list[Tile]:
        """A tile over the parts of each result of a reduction; `own` are the values of this program.

        `others` are the values of the lanes past the last part.
        Raises DiagnosticException where a program has more than one value of a result, or the reduction in a loop.
        """
        builder = self.builder
        if len(builder.scopes) > 1:
            raise DiagnosticException("a reduction along a shared axis inside of a loop")
        if any(tile.axes for tile in own):
            raise DiagnosticException("a reduction along a shared axis with several results in a program")
        for result, tile in zip(op.results, own, strict=True):
            pointer = self._pointer(result, self._index(self.axes.part))
            builder.add_effect(tt.StoreOp(pointer.value, to_stored(builder, tile).value))
        self._wait_for_all(op)
        return [self._load(result, other) for result, other in zip(op.results, others, strict=True)]

    def fold(self, combiner: Combiner, tiles: Sequence[Tile]) -> list[Tile]:
        """The fold of values over the parts, whose tiles may have any value in the lanes past the last."""
        builder = self.builder
        spread = [builder.spread(tile, (self._axis,)) for tile in tiles]
        if self.lanes > self.parts:
            elements = [tile.element for tile in spread]
            neutral = [
                builder.constant(number, element)
                for number, element in zip(identities(combiner, elements), elements, strict=True)
            ]
            spread = [builder.select(self._mask(), tile, n) for tile, n in zip(spread, neutral, strict=True)]
        return reduce_axis(builder, combiner, spread, self._axis)

    def fold_filled(self, combiner: Combiner, tiles: Sequence[Tile]) -> list[Tile]:
        """The fold of values over the parts, whose tiles have identities in the lanes past the last."""
        return reduce_axis(self.builder, combiner, tiles, self._axis)

    def _wait_for_all(self, op: Operation) -> None:
        """Say that this program has written its values, and wait for the others of its group."""
        builder = self.builder
        assert self._counters is not None
        number = builder.constant(1 + self.reductions[op] * self.groups, i32)
        offset = number if self.axes.group is None else builder.integer(arith.AddiOp, self.axes.group, number)
        counter = builder.pure(tt.AddPtrOp, [self._counters, offset.value], self._counters.type)
        counter.name_hint = "counter"
        one, zero, parts = (builder.constant(value, i32).value for value in (1, 0, self.parts))
        builder.add(tt.AtomicRMWOp("add", counter, one, sem=MemSemantic.RELEASE))
        builder.add_effect(tt.wait_until(counter, parts, zero))

    def _lanes(self) -> Tile:
        """The numbers of the parts."""
        size = self.lanes
        named = {"fusir.name": StringAttr(PARTS)}
        properties = {"start": IntegerAttr(0, i32), "end": IntegerAttr(size, i32)}
        lanes = self.builder.pure(tt.MakeRangeOp, [], tile_type(i32, [size]), properties, named)
        lanes.name_hint = "parts"
        return Tile(lanes, (self._axis,))

    def _mask(self) -> Tile:
        """The lanes of parts that are there."""
        return self.builder.compare(self._lanes(), self.builder.constant(self.parts, i32), SIGNED_LESS_THAN)

    def _load(self, result: SSAValue, other: Tile) -> Tile:
        """The values of all parts; `other` in the lanes past the last."""
        builder = self.builder
        values, axes = builder.together([self._pointer(result, None), self._index(self._lanes())])
        pointers = builder.pure(tt.AddPtrOp, values, values[0].type)
        # The values were written by other multiprocessors: they are in the L2 cache, not in the L1 cache of this one.
        if self.lanes == self.parts:
            load = tt.LoadOp(pointers, cache="cg")
        else:
            filler = builder.spread(to_stored(builder, other), axes)
            load = tt.LoadOp(pointers, self._mask().value, filler.value, cache="cg")
        return from_stored(builder, Tile(builder.add(load), axes), other.element)

    def _index(self, part: Tile | None) -> Tile:
        """Where the value of a part of this group is among those of a result."""
        builder = self.builder
        part = builder.constant(0, i32) if part is None else part
        if self.axes.group is None:
            return part
        first = builder.integer(arith.MuliOp, self.axes.group, builder.constant(self.parts, i32))
        return builder.integer(arith.AddiOp, first, part)

    def _pointer(self, result: SSAValue, index: Tile | None) -> Tile:
        """The pointer to a value of a result, or to the first."""
        builder = self.builder
        stored, slot = self._slots[result]
        pointer = self._partials[stored]
        offsets = [builder.constant(slot * self.groups * self.parts, i32)] if slot else []
        offsets += [] if index is None else [index]
        for offset in offsets:
            pointer = builder.pure(tt.AddPtrOp, [pointer, offset.value], pointer.type)
        return Tile(pointer)
