"""The tile axes of a kernel that is being lowered: their extents, the index tiles, and which lanes are in range."""

from __future__ import annotations

from collections.abc import Generator, Sequence

from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerAttr, StringAttr, i32, i64
from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineExpr
from xdsl.utils.exceptions import DiagnosticException

from fusir.analysis.expr import Dim, as_expr, dims_used, floordiv, mod, mul, product, simplify, substitute
from fusir.analysis.nests import kernel_extents
from fusir.analysis.shared_axes import parts_of
from fusir.conversion.row_segments import RowSegments
from fusir.conversion.tile_builder import EQUAL, SIGNED_LESS_THAN, Axes, Tile, TileBuilder
from fusir.dialects import tt
from fusir.dialects.loop import AxisAttr, AxisKind, LoopOp, ScanOp, ScheduleAttr
from fusir.dialects.tt import tile_type

_ONE = AffineConstantExpr(1)


def block_name(axis: AxisAttr) -> str:
    """The name of the block size of an axis in the source."""
    return f"{axis.axis.upper()}BLOCK"


def edges_name(axis: AxisAttr) -> str:
    """The name of the size of the tile of the edges of an axis in the source."""
    return f"{axis.axis.upper()}EDGES"


class TileAxes:
    """The axes of a schedule by position. `builder.leaves` gets the index tile of axis `i` as `d<i>`."""

    def __init__(self, schedule: ScheduleAttr, builder: TileBuilder):
        self.attrs = schedule.axes
        self.group_size = schedule.group
        self.programs = schedule.programs
        self.builder = builder
        self.index_type = i32 if schedule.index_bits == 32 else i64
        self.extents: list[Dim | None] = [None] * len(self.attrs)
        self.indices: dict[SSAValue, AffineExpr] = {}
        """The loop indices as quotients and remainders of the axis indices."""
        self.axis_of: dict[SSAValue, int] = {}
        """The axis of each loop index."""
        self.masks: dict[int, Tile | None] = {}
        """The lanes of an axis that are in range; None for all."""
        self._starts: dict[int, Tile] = {}
        """The first index of the current tile of an axis that has several."""
        self.reversed: dict[int, int] = {}
        """The axes whose lanes come from the end, as a scan wants them, and how many lanes stay together there."""
        self._positions = {axis.axis: position for position, axis in enumerate(self.attrs)}
        self.shared = next((i for i, axis in enumerate(self.attrs) if axis.kind is AxisKind.SHARED), None)
        """The axis that several programs share."""
        self.part: Tile | None = None
        """Which part of the shared axis this program has; None for the only part."""
        self.group: Tile | None = None
        """Which of the groups of programs that share the axis this program is in; None for the only group."""
        self.segments: RowSegments | None = None
        """The segments of the axis that has them."""
        self._in_edges = False

    def note(self, loop: LoopOp) -> None:
        """Learn the extents of the axes of a loop, and what its indices are.

        Raises DiagnosticException for an axis that is one tile, but does not fit into it.
        """
        assert loop.axes is not None
        extents = kernel_extents(loop)
        groups: dict[int, list[int]] = {}
        for dim, name in enumerate(loop.axes):
            groups.setdefault(self._positions[name.data], []).append(dim)
        for axis, dims in groups.items():
            if isinstance(loop, ScanOp) and loop.reverse and self.attrs[axis].size > 1:
                self.reversed[axis] = min(loop.lane_group, self.attrs[axis].size)
            extent = self.extents[axis] = product(extents[dim] for dim in dims)
            attr = self.attrs[axis]
            if attr.kind is AxisKind.TILE and attr.rows is None and isinstance(extent, int) and extent > attr.size:
                raise DiagnosticException(f"axis '{attr.axis}' is a tile of {attr.size}, but has {extent} iterations")
            stride: Dim = 1
            for dim in reversed(dims):
                part = floordiv(AffineExpr.dimension(axis), stride)
                # A loop without iterations has indices as well: nobody divides by 0 for them.
                extent = 1 if extents[dim] == 0 else extents[dim]
                expr = part if dim == dims[0] else mod(part, extent)
                self.indices[loop.indices[dim]] = simplify(expr, self.extents)
                self.axis_of[loop.indices[dim]] = axis
                stride = product((stride, extent))

    def note_segments(self, outermost: LoopOp) -> None:
        """Learn where the rows start along the axis in segments, if there is one; every loop must have been noted.

        Raises DiagnosticException where a program has more than one row at a time.
        """
        for axis, attr in enumerate(self.attrs):
            if attr.rows is None or self.extents[axis] is None:
                continue
            indices = [self.indices[index] for index in outermost.indices]
            offset = simplify(substitute(attr.rows.offset.results[0], indices), self.extents)
            if axis in self.of_loop(outermost) or any(self.attrs[dim].size > 1 for dim in dims_used(offset)):
                raise DiagnosticException("segments of rows of which a program has more than one at a time")
            self.segments = segments = RowSegments(self.builder, self.index_type, axis, attr.rows, offset, self.extents)
            if attr.kind is AxisKind.TILE and segments.most_whole > attr.size:
                raise DiagnosticException("a tile that does not hold the whole groups of a row")

    def of_loop(self, loop: LoopOp) -> list[int]:
        """The axes of a loop, rising."""
        assert loop.axes is not None
        return sorted({self._positions[name.data] for name in loop.axes})

    def of_kind(self, axes: Sequence[int], kind: AxisKind) -> list[int]:
        """Those of the axes that are walked in this way."""
        return [axis for axis in axes if self.attrs[axis].kind is kind]

    def in_tiles(self, axes: Sequence[int]) -> Axes:
        """Those of the axes that are dims of tiles: the others have one element."""
        return tuple(sorted(self._lanes_of(axis) for axis in axes if self.attrs[axis].size > 1))

    def _lanes_of(self, axis: int) -> int:
        """The tile axis on which an axis is in the current segment."""
        if self._in_edges and self.segments is not None and axis == self.segments.axis:
            return self.segments.edges
        return axis

    def extent(self, axis: int) -> Dim:
        """The extent of an axis that a loop has."""
        extent = self.extents[axis]
        assert extent is not None
        return extent

    # The grid

    def grid(self) -> AffineExpr:
        """The number of programs, over the symbols."""
        count = self.tile_count()
        if not self.programs:
            return count
        return AffineConstantExpr(
            min(self.programs, count.value) if isinstance(count, AffineConstantExpr) else self.programs
        )

    def tile_count(self) -> AffineExpr:
        """The number of tiles that the programs compute, over the symbols."""
        count: AffineExpr = _ONE
        for axis in self._program_axes():
            count = simplify(mul(count, self._tile_count(axis)))
        return count

    def _program_axes(self) -> list[int]:
        """The axes that the grid walks, the shared one last."""
        every = range(len(self.attrs))
        return [*self.of_kind(every, AxisKind.PROGRAM), *self.of_kind(every, AxisKind.SHARED)]

    def _tile_count(self, axis: int) -> AffineExpr:
        """Tiles along an axis, over the symbols."""
        extent, size = self.extent(axis), self.attrs[axis].size
        if axis == self.shared:
            return AffineConstantExpr(self.parts()[0])
        if isinstance(extent, int):
            return AffineConstantExpr(-(-extent // size))
        return simplify(floordiv(extent + (size - 1), size))

    def parts(self) -> tuple[int, int]:
        """How many programs share the shared axis, and how many elements each has.

        Raises DiagnosticException for a symbolic extent.
        """
        assert self.shared is not None
        extent = self.extent(self.shared)
        if not isinstance(extent, int):
            raise DiagnosticException("a shared axis of symbolic extent")
        return parts_of(extent, self.attrs[self.shared].size)

    def enter_program(self, number: SSAValue) -> None:
        """Set the indices of the program axes, and which part of the shared axis this program has.

        `number` is that of this program: a tile of each axis, the last one varying fastest.
        """
        builder = self.builder
        rest = Tile(number)
        if self.index_type == i64:
            rest = builder.widen(rest)
        axes = self._program_axes()
        if self.group_size > 1:
            rest = self._enter_grouped(rest, *axes[-2:], is_last=len(axes) == 2)
            axes = axes[:-2]
        for position, axis in reversed(list(enumerate(axes))):
            tiles = self._tile_count(axis)
            if tiles == _ONE:
                tile = None
            elif all(self._tile_count(slower) == _ONE for slower in axes[:position]):
                tile = rest
            else:
                count = builder.index(tiles)
                tile = builder.integer(arith.RemSIOp, rest, count)
                rest = builder.integer(arith.DivSIOp, rest, count)
            if axis == self.shared:
                self.part = tile
                if tile is not None:
                    tile.value.name_hint = "part"
                self.group = None if tile is rest else rest
            else:
                self._enter_program_tile(axis, tile)

    def _enter_program_tile(self, axis: int, tile: Tile | None) -> None:
        """Set the index of a program axis to its tile with this number, None for the only one."""
        first = self._first(axis, tile)
        if first is not None:
            self._starts[axis] = first
        self._set_index(axis, self._lanes(axis, first))

    def start_of(self, axis: int) -> Tile | None:
        """The first index of the current tile of an axis; None for 0."""
        return self._starts.get(axis)

    def _enter_grouped(self, number: Tile, slow: int, fast: int, is_last: bool) -> Tile:
        """Set the indices of two program axes so that programs in succession compute groups of tiles.

        A group is `group_size` tiles along the first axis (fewer at its end), for all tiles along the second one: what
        its programs load stays in the cache. `number` counts the tiles of both, and what is left is returned.
        """
        builder = self.builder
        slow_count, fast_count = self._tile_count(slow), self._tile_count(fast)
        rest = number
        if not is_last:
            both = builder.index(simplify(mul(slow_count, fast_count)))
            rest = builder.integer(arith.DivSIOp, number, both)
            number = builder.integer(arith.RemSIOp, number, both)
        size = self.group_size
        first: Tile | None = None
        height = builder.index(slow_count)
        if not (isinstance(slow_count, AffineConstantExpr) and slow_count.value <= size):
            tiles = builder.index(simplify(mul(fast_count, AffineConstantExpr(size))))
            first = builder.integer(arith.DivSIOp, number, tiles)
            first = builder.integer(arith.MuliOp, first, self.constant(size))
            first.value.name_hint = "first"
            number = builder.integer(arith.RemSIOp, number, tiles)
            if isinstance(slow_count, AffineConstantExpr) and slow_count.value % size == 0:
                height = self.constant(size)
            else:
                left = builder.integer(arith.SubiOp, height, first)
                height = builder.integer(arith.MinSIOp, left, self.constant(size))
                height.value.name_hint = "height"
        row = builder.integer(arith.RemSIOp, number, height)
        if first is not None:
            row = builder.integer(arith.AddiOp, first, row)
        for axis, tile in ((slow, row), (fast, builder.integer(arith.DivSIOp, number, height))):
            tile.value.name_hint = f"{self.attrs[axis].axis}tile"
            self._enter_program_tile(axis, tile)
        return rest

    def _first(self, axis: int, tile: Tile | None) -> Tile | None:
        """The first index of a tile of an axis; None for the only tile."""
        if tile is None or self.attrs[axis].size == 1:
            return tile
        return self.builder.integer(arith.MuliOp, tile, self.size_tile(axis))

    # Indices and masks

    def constant(self, value: int) -> Tile:
        """A constant in the width of the indices."""
        return self.builder.constant(value, self.index_type)

    def extent_tile(self, axis: int) -> Tile:
        """The extent of an axis."""
        extent = self.extent(axis)
        return self.constant(extent) if isinstance(extent, int) else self.builder.index(as_expr(extent))

    def size_tile(self, axis: int) -> Tile:
        """The size of the tiles of an axis, a named constant unless it is 1."""
        attr = self.attrs[axis]
        return self.builder.constant(attr.size, self.index_type, block_name(attr) if attr.size > 1 else None)

    def enter_segments(self, axes: Sequence[int]) -> Generator[list[int]]:
        """Enter the tiles of the axes of a loop, for each segment of them; gives the axes that are to be walked there.

        The edges come before the whole groups, at whose end the threads of a program meet: none of them stores what
        another one has yet to reduce. There are always elements in the edges.
        """
        walked = self.of_kind(axes, AxisKind.LOOP)
        segments = self.segments
        if segments is not None and self.has_segments(axes):
            rest = [axis for axis in axes if axis != segments.axis]
            masks, leaves = dict(self.masks), dict(self.builder.leaves)
            self._in_edges, self.builder.segment = True, "edges"
            self.enter_tile(rest)
            self._enter_edges(segments)
            yield [axis for axis in walked if axis != segments.axis]
            self._in_edges, self.builder.segment = False, None
            self.masks, self.builder.leaves = masks, leaves
        self.enter_tile(axes)
        yield walked

    def has_segments(self, axes: Sequence[int]) -> bool:
        """Whether one of the axes is in segments."""
        return self.segments is not None and self.segments.axis in axes

    def _enter_edges(self, segments: RowSegments) -> None:
        """Set the index of an axis to the edges of its row."""
        builder, axis = self.builder, segments.axis
        index, mask = segments.edge_index(self._range(segments.edges))
        index.value.name_hint = f"{self.attrs[axis].axis}edge"
        mask.value.name_hint = f"{self.attrs[axis].axis}edgemask"
        builder.leaves[AffineExpr.dimension(axis)] = index
        self.masks.pop(axis, None)
        self.masks[segments.edges] = mask

    def in_groups(self, offset: AffineExpr) -> AffineExpr:
        """An offset into a buffer in a form that shows where groups of elements start, if it has one."""
        return offset if self.segments is None or self._in_edges else self.segments.in_groups(offset)

    def enter_tile(self, axes: Sequence[int]) -> None:
        """Set the indices of those of the axes that are one tile of this program."""
        for axis in self.of_kind(axes, AxisKind.TILE):
            self._enter_lanes(axis, None)
        for axis in self.of_kind(axes, AxisKind.SHARED):
            self._enter_part(axis)

    def _enter_part(self, axis: int) -> None:
        """Set the index of the shared axis: the lanes of the part of this program."""
        builder = self.builder
        count, length = self.parts()
        start = None if self.part is None else builder.integer(arith.MuliOp, self.part, self.constant(length))
        if start is not None:
            start.value.name_hint = f"{self.attrs[axis].axis}start"
        self._set_index(axis, self._lanes(axis, start), count * length == self.extent(axis))
        if length < self.attrs[axis].size:
            own = builder.compare(self._lanes(axis, None), self.constant(length), SIGNED_LESS_THAN)
            self.masks[axis] = builder.both(own, self.masks[axis])

    def _part_length(self) -> Tile:
        """How many iterations along the shared axis this program has."""
        assert self.shared is not None
        count, length = self.parts()
        extent = self.extent_tile(self.shared)
        if self.part is None:
            return extent
        if count * length == self.extent(self.shared):
            return self.constant(length)
        start = self.builder.integer(arith.MuliOp, self.part, self.constant(length))
        rest = self.builder.integer(arith.SubiOp, extent, start)
        return self.builder.integer(arith.MinSIOp, rest, self.constant(length))

    def _enter_lanes(self, axis: int, start: Tile | None) -> None:
        """Set the index of an axis to the lanes of a tile from `start` on."""
        if self.segments is not None and axis == self.segments.axis:
            self._enter_whole(self.segments, start)
        else:
            self._set_index(axis, self._lanes(axis, start))

    def _enter_whole(self, segments: RowSegments, start: Tile | None) -> None:
        """Set the index of an axis to elements of its whole groups, from `start` on."""
        axis, attr = segments.axis, self.attrs[segments.axis]
        index = segments.whole_index(self._lanes(axis, start))
        index.value.name_hint = attr.axis
        self.builder.leaves[AffineExpr.dimension(axis)] = index
        self.masks[axis] = None
        if attr.kind is not AxisKind.TILE or segments.least_whole < attr.size:
            self.masks[axis] = mask = segments.whole_mask(self._lanes(axis, None), start)
            mask.value.name_hint = f"{attr.axis}mask"

    def end_tile(self, axis: int) -> Tile:
        """Where the steps of a loop that walks an axis end."""
        if self.segments is not None and axis == self.segments.axis:
            return self.segments.tile(self.segments.whole)
        return self.extent_tile(axis)

    def last_step(self, axis: int) -> Tile:
        """The first index of the last tile of an axis that is walked in a loop; it has at least one tile there."""
        size = self.attrs[axis].size
        extent = self.extent(axis)
        if isinstance(extent, int):
            return self.constant((extent - 1) // size * size)
        return self.builder.index(simplify(mul(floordiv(extent + -1, size), size)))

    def enter_step(self, axis: int, first: Tile) -> None:
        """Set the index of an axis in a step of a loop whose first index is `first`."""
        first.value.name_hint = f"{self.attrs[axis].axis}start"
        self._starts[axis] = first
        self._enter_lanes(axis, first)

    def walked(self, axes: Sequence[int]) -> Tile:
        """The iterations of a loop on these axes, at most one of which is walked, up to the end of the current step.

        Along the shared axis they are those of this program.
        """
        total = self.constant(1)
        for axis in axes:
            edges = self.segments.edge_count() if self.segments is not None and self.has_segments([axis]) else None
            count = self._part_length() if axis == self.shared else self.extent_tile(axis)
            if edges is not None and self._in_edges:
                count = edges
            elif self.attrs[axis].kind is AxisKind.LOOP:
                end = self.builder.integer(arith.AddiOp, self._starts[axis], self.size_tile(axis))
                if edges is not None:
                    end = self.builder.integer(arith.AddiOp, end, edges)
                is_exact = edges is None and self._is_exact(axis)
                count = end if is_exact else self.builder.integer(arith.MinSIOp, end, count)
            total = self.builder.integer(arith.MuliOp, total, count) if len(axes) > 1 else count
        return total

    def last_lane(self, axis: int) -> Tile:
        """Which lane of the tiles of an axis comes last in a scan: from the end, the first one of the last group."""
        last = self.constant(self.attrs[axis].size - self.reversed.get(axis, 1))
        return self.builder.compare(self._range(axis), last, EQUAL)

    def mask_of(self, axes: Axes) -> Tile | None:
        """The lanes of a tile over `axes` that are in range; none at all in a loop that has no iterations."""
        mask: Tile | None = None
        lanes = {self._lanes_of(axis) for axis in axes}
        for axis, own in self.masks.items():
            if axis in lanes or self.builder.sizes[axis] == 1:
                mask = self.builder.both(mask, own)
        return mask

    def _lanes(self, axis: int, start: Tile | None) -> Tile:
        """The indices `start, start + 1, ...` of a tile."""
        if self.attrs[axis].size == 1:
            return self.constant(0) if start is None else start
        lanes = self._from_the_end(axis) if axis in self.reversed else self._range(axis)
        return lanes if start is None else self.builder.integer(arith.AddiOp, start, lanes)

    def _from_the_end(self, axis: int) -> Tile:
        """The numbers of the lanes in groups, last group first: `4, 5, 6, 7, 0, 1, 2, 3`.

        A scan from the end is one from the front over these lanes: Triton's own reverse scan shuffles each element
        across the warp ten times. A thread's elements stay neighbours in memory where a group is what it loads at once.
        """
        builder, group = self.builder, self.reversed[axis]
        lanes, size, count = self._range(axis), self.size_tile(axis), self.constant(group)
        first = lanes
        if group > 1:
            first = builder.integer(arith.MuliOp, builder.integer(arith.DivSIOp, lanes, count), count)
        tile = builder.integer(arith.SubiOp, builder.integer(arith.SubiOp, size, first), count)
        if group == 1:
            return tile
        return builder.integer(arith.AddiOp, tile, builder.integer(arith.RemSIOp, lanes, count))

    def _range(self, axis: int) -> Tile:
        """The numbers of the lanes of a tile along an axis, or along that of the edges."""
        if self.segments is not None and axis == self.segments.edges:
            name = edges_name(self.attrs[self.segments.axis])
        else:
            name = block_name(self.attrs[axis])
        size = self.builder.sizes[axis]
        named = {"fusir.name": StringAttr(name)}
        properties = {"start": IntegerAttr(0, i32), "end": IntegerAttr(size, i32)}
        lanes = Tile(self.builder.pure(tt.MakeRangeOp, [], tile_type(i32, [size]), properties, named), (axis,))
        return self.builder.widen(lanes) if self.index_type == i64 else lanes

    def _set_index(self, axis: int, index: Tile, is_exact: bool | None = None) -> None:
        """Make `index` the index of an axis from here on, with the mask of the lanes that are in range.

        `is_exact` says whether all are, if it is not a question of the kind of the axis.
        """
        attr = self.attrs[axis]
        index.value.name_hint = attr.axis if attr.size > 1 else f"{attr.axis}0"
        self.builder.leaves[AffineExpr.dimension(axis)] = index
        mask = None
        if not (self._is_exact(axis) if is_exact is None else is_exact):
            mask = self.builder.compare(index, self.extent_tile(axis), SIGNED_LESS_THAN)
            mask.value.name_hint = f"{attr.axis}mask"
        self.masks[axis] = mask

    def _is_exact(self, axis: int) -> bool:
        """Whether every tile of an axis that is walked lies within the extent."""
        attr, extent = self.attrs[axis], self.extent(axis)
        if attr.kind is not AxisKind.TILE:
            return attr.size == 1 or (isinstance(extent, int) and extent % attr.size == 0)
        # The only tile is walked also where there are no iterations.
        return isinstance(extent, int) and extent > 0 and extent % attr.size == 0
