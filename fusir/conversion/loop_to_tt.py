"""`convert-loop-to-tt`: a scheduled kernel becomes the code of one program instance.

The schedule decides everything; this pass is mechanics:

| loop level | tile level |
|---|---|
| dim on a program axis | `program tile * size + make_range`, a scalar if the size is 1 |
| dims flattened on one axis | quotients and remainders of the axis index, simplified into the offsets |
| `loop.reduce` on tile axes | identity in the lanes past the end, then `tt.reduce` along the axes |
| `loop.reduce` on loop axes | `scf.for` with accumulator tiles, folded along the axes after the loop |
| extent that the size does not divide | a mask |
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import affine, arith, scf
from xdsl.dialects.builtin import (
    AffineMapAttr,
    DictionaryAttr,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    ModuleOp,
    StringAttr,
    i1,
    i8,
    i32,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineExpr, AffineMap
from xdsl.passes import ModulePass
from xdsl.utils.exceptions import DiagnosticException

from fusir.analysis.expr import Dim, as_expr, floordiv, linearize, mod, mul, product, simplify, substitute
from fusir.analysis.nests import kernel_extents, symbol_number
from fusir.analysis.support import Support, supports
from fusir.conversion.philox import uniform
from fusir.conversion.scalar_to_tile import scalar_to_tile
from fusir.conversion.tile_builder import Axes, Tile, TileBuilder, union
from fusir.conversion.tile_reduction import fold_tiles, identities, reduce_axis
from fusir.dialects import tt
from fusir.dialects.loop import (
    AxisKind,
    Combiner,
    KernelOp,
    LoadOp,
    LoopOp,
    ParallelOp,
    RandomOp,
    ReduceOp,
    ScheduleAttr,
    StoreOp,
    strides_of,
)
from fusir.dialects.tt import tile_type
from fusir.remarks import remark

POINTER_ALIGNMENT = 16
"""Bytes that a buffer is taken to be aligned to; the runtime compiles another variant for buffers that are not."""


@dataclass(frozen=True)
class ConvertLoopToTtPass(ModulePass):
    """Lower every scheduled kernel; a kernel that cannot be lowered stays, with a remark."""

    name = "convert-loop-to-tt"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        block = op.body.block
        for kernel in list(block.ops):
            if not isinstance(kernel, KernelOp):
                continue
            if kernel.schedule is None:
                remark("fallback", self.name, f"@{kernel.sym_name.data} has no schedule", kernel.location)
                continue
            try:
                function = lower_kernel(kernel)
            except DiagnosticException as error:
                remark("fallback", self.name, f"@{kernel.sym_name.data}: {error}", kernel.location)
                continue
            block.insert_op_before(function, kernel)
            kernel.detach()
            kernel.erase()


def lower_kernel(kernel: KernelOp) -> tt.FuncOp:
    """The tile-level function of a scheduled kernel.

    Raises DiagnosticException, naming the op, for what has no form at tile level.
    """
    if kernel.schedule is None:
        raise DiagnosticException("the kernel has no schedule")
    return _Lowering(kernel, kernel.schedule).run()


class _Lowering:
    def __init__(self, kernel: KernelOp, schedule: ScheduleAttr):
        self.kernel = kernel
        self.schedule = schedule
        self.positions = {axis.axis: position for position, axis in enumerate(schedule.axes)}
        self.index_type = i32 if schedule.index_bits == 32 else i64
        self.supports = supports(kernel)
        pointers = [_pointer_type(buffer.type) for buffer in kernel.buffers]
        self.block = Block(arg_types=[*pointers, *[self.index_type] * len(kernel.symbols)])
        self.builder = TileBuilder(self.block, [axis.size for axis in schedule.axes])
        arguments = dict(zip(kernel.body.block.args, self.block.args, strict=True))
        for old, new in arguments.items():
            new.name_hint = old.name_hint
        self.pointers = {buffer: arguments[buffer] for buffer in kernel.buffers}
        for number, symbol in enumerate(kernel.symbols):
            self.builder.leaves[AffineExpr.symbol(number)] = Tile(arguments[symbol])
        self.tiles: dict[SSAValue, Tile] = {}
        self.indices: dict[SSAValue, AffineExpr] = {}
        """Index values as expressions over `d<axis>`, run-time indices and the symbols."""
        self.axis_of: dict[SSAValue, int] = {}
        self.extents: list[Dim | None] = [None] * len(schedule.axes)
        self.masks: dict[int, Tile | None] = {}
        self.run_time_count = 0

    def run(self) -> tt.FuncOp:
        for op in self.kernel.walk():
            if isinstance(op, LoopOp):
                self._note_axes(op)
        self._program_axes()
        for op in self.kernel.body.block.ops:
            self._convert(op)
        self.block.add_op(tt.ReturnOp())
        return self._function()

    def _function(self) -> tt.FuncOp:
        aligned = DictionaryAttr({"tt.divisibility": IntegerAttr(POINTER_ALIGNMENT, i32)})
        count = len(self.kernel.buffers)
        attributes = [aligned if i < count else DictionaryAttr({}) for i in range(len(self.block.args))]
        function = tt.FuncOp(
            self.kernel.sym_name.data,
            ([arg.type for arg in self.block.args], []),
            Region(self.block),
            arg_attrs=[each.data for each in attributes],
            location=self.kernel.location,
        )
        names = {_block_name(axis.axis): IntegerAttr(axis.size, i32) for axis in self.schedule.axes if axis.size > 1}
        function.attributes |= {
            "fusir.grid": AffineMapAttr(AffineMap(0, len(self.kernel.symbols), (self._grid(),))),
            "fusir.num_warps": IntegerAttr(self.schedule.num_warps, i32),
            "fusir.num_stages": IntegerAttr(self.schedule.num_stages, i32),
            "fusir.constexprs": DictionaryAttr(names),
        }
        return function

    # Axes

    def _note_axes(self, loop: LoopOp) -> None:
        """Learn the extents of the axes of a loop, and its indices as quotients and remainders of the axis indices."""
        assert loop.axes is not None
        extents = kernel_extents(loop)
        groups: dict[int, list[int]] = {}
        for dim, name in enumerate(loop.axes):
            groups.setdefault(self.positions[name.data], []).append(dim)
        for axis, dims in groups.items():
            total = product(extents[dim] for dim in dims)
            self.extents[axis] = total
            stride: Dim = 1
            for dim in reversed(dims):
                part = floordiv(AffineExpr.dimension(axis), stride)
                expr = part if dim == dims[0] else mod(part, extents[dim])
                self.indices[loop.indices[dim]] = simplify(expr, self.extents)
                self.axis_of[loop.indices[dim]] = axis
                stride = product((stride, extents[dim]))

    def _tile_count(self, axis: int) -> AffineExpr:
        """Tiles along an axis, over the symbols."""
        extent = self.extents[axis]
        size = self.schedule.axes[axis].size
        assert extent is not None
        if isinstance(extent, int):
            return AffineExpr.constant(-(-extent // size))
        return simplify(floordiv(extent + (size - 1), size))

    def _grid(self) -> AffineExpr:
        count: AffineExpr = AffineExpr.constant(1)
        for axis, attr in enumerate(self.schedule.axes):
            if attr.kind is AxisKind.PROGRAM:
                count = simplify(mul(count, self._tile_count(axis)))
        return count

    def _program_axes(self) -> None:
        """Which tile of each program axis this program has; the last axis varies fastest."""
        axes = [axis for axis, attr in enumerate(self.schedule.axes) if attr.kind is AxisKind.PROGRAM]
        builder = self.builder
        pid = builder.add(tt.GetProgramIdOp(0))
        pid.name_hint = "pid"
        rest = Tile(pid)
        if self.index_type == i64:
            rest = builder.widen(rest)
        for axis in reversed(axes):
            tiles = self._tile_count(axis)
            if tiles == AffineConstantExpr(1):
                tile = None
            elif axis == axes[0] or all(self._tile_count(a) == AffineConstantExpr(1) for a in axes[: axes.index(axis)]):
                tile = rest
            else:
                count = builder.index(tiles)
                tile = builder.integer(arith.RemSIOp, rest, count)
                rest = builder.integer(arith.DivSIOp, rest, count)
            self._set_axis(axis, self._flat_index(axis, self._scaled(axis, tile)))

    def _scaled(self, axis: int, tile: Tile | None) -> Tile | None:
        """The first index of a tile of an axis; None for the only tile."""
        size = self.schedule.axes[axis].size
        if size == 1 or tile is None:
            return tile
        block = self.builder.constant(size, self.index_type, _block_name(self.schedule.axes[axis].axis))
        return self.builder.integer(arith.MuliOp, tile, block)

    def _flat_index(self, axis: int, start: Tile | None) -> Tile:
        """The indices `start, start + 1, ...` of a tile."""
        attr = self.schedule.axes[axis]
        if attr.size == 1:
            return self.builder.constant(0, self.index_type) if start is None else start
        properties = {"start": IntegerAttr(0, i32), "end": IntegerAttr(attr.size, i32)}
        named = {"fusir.name": StringAttr(_block_name(attr.axis))}
        value = self.builder.pure(tt.MakeRangeOp, [], tile_type(i32, [attr.size]), properties, named)
        lanes = Tile(value, (axis,))
        if self.index_type == i64:
            lanes = self.builder.widen(lanes)
        return lanes if start is None else self.builder.integer(arith.AddiOp, start, lanes)

    def _set_axis(self, axis: int, index: Tile) -> None:
        """Make `index` the index of an axis from here on, with the mask of the lanes that are in range."""
        attr = self.schedule.axes[axis]
        index.value.name_hint = attr.axis if attr.size > 1 else f"{attr.axis}0"
        self.builder.leaves[AffineExpr.dimension(axis)] = index
        extent = self.extents[axis]
        assert extent is not None
        exact = isinstance(extent, int) and extent % attr.size == 0 and (extent > 0 or attr.kind is not AxisKind.TILE)
        if attr.size == 1 and attr.kind is not AxisKind.TILE:
            exact = True
        self.masks[axis] = None if exact else self.builder.compare(index, self._extent_tile(axis), _SLT)
        mask = self.masks[axis]
        if mask is not None:
            mask.value.name_hint = f"{attr.axis}mask"

    def _extent_tile(self, axis: int) -> Tile:
        extent = self.extents[axis]
        assert extent is not None
        return self._constant_index(extent) if isinstance(extent, int) else self.builder.index(as_expr(extent))

    def _constant_index(self, value: int) -> Tile:
        return self.builder.constant(value, self.index_type)

    def _mask_of(self, axes: Axes) -> Tile | None:
        """The lanes of a tile over `axes` that are in range; none at all in a loop that has no iterations."""
        mask: Tile | None = None
        for axis, own in self.masks.items():
            if axis in axes or self.schedule.axes[axis].size == 1:
                mask = self.builder.both(mask, own)
        return mask

    # Ops

    def _convert(self, op: Operation) -> None:
        builder = self.builder
        builder.location = op.location
        match op:
            case arith.ConstantOp():
                self._constant(op)
            case affine.ApplyOp():
                self.indices[op.result] = self._exprs(op.map.data, op.mapOperands)[0]
            case arith.IndexCastOp() if isinstance(op.result.type, IndexType):
                self.indices[op.result] = self._run_time_index(self.tiles[op.input])
            case arith.IndexCastOp():
                tile = builder.index(self.indices[op.input])
                assert isinstance(op.result.type, IntegerType)
                if op.result.type == i64:
                    tile = builder.widen(tile)
                elif tile.element != op.result.type:
                    tile = builder.elementwise(arith.TruncIOp, [tile], op.result.type)
                self.tiles[op.result] = tile
            case arith.CmpiOp() if isinstance(op.lhs.type, IndexType):
                lhs, rhs = builder.index(self._index(op.lhs)), builder.index(self._index(op.rhs))
                self.tiles[op.result] = builder.compare(lhs, rhs, op.predicate.value.data)
            case LoadOp():
                self.tiles[op.result] = self._load(op)
            case StoreOp():
                self._store(op)
            case RandomOp():
                seed, offset, index = (self.tiles[value] for value in op.operands)
                self.tiles[op.result] = uniform(builder, seed, offset, index)
            case ParallelOp():
                self._parallel(op)
            case ReduceOp():
                self._reduce(op)
            case _:
                tile = scalar_to_tile(builder, op, [self.tiles[operand] for operand in op.operands])
                self.tiles[op.results[0]] = tile
        for result in op.results:
            tile = self.tiles.get(result)
            if tile is not None and tile.value.name_hint is None:
                tile.value.name_hint = result.name_hint

    def _constant(self, op: arith.ConstantOp) -> None:
        value = op.value
        assert isinstance(value, IntegerAttr | FloatAttr)
        if isinstance(op.result.type, IndexType):
            self.indices[op.result] = AffineConstantExpr(int(value.value.data))
        else:
            self.tiles[op.result] = self.builder.constant(value.value.data, op.result.type)

    def _index(self, value: SSAValue) -> AffineExpr:
        expr = self.indices.get(value)
        return AffineExpr.symbol(symbol_number(value)) if expr is None else expr

    def _exprs(self, map: AffineMap, operands: Sequence[SSAValue]) -> list[AffineExpr]:
        exprs = [self._index(operand) for operand in operands]
        dims, symbols = exprs[: map.num_dims], exprs[map.num_dims :]
        return [simplify(substitute(expr, dims, symbols), self.extents) for expr in map.results]

    def _run_time_index(self, tile: Tile) -> AffineExpr:
        self.run_time_count += 1
        expr = AffineExpr.dimension(len(self.schedule.axes) + self.run_time_count)
        self.builder.leaves[expr] = tile
        return expr

    # Memory

    def _pointers(
        self, memref: SSAValue, map: AffineMap, indices: Sequence[SSAValue], predicate: SSAValue | None
    ) -> tuple[Tile, Tile | None]:
        """The pointers of an access and the mask of the lanes that take part."""
        type = memref.type
        assert isinstance(type, MemRefType)
        offset = simplify(linearize(self._exprs(map, indices), strides_of(type)), self.extents)
        offsets = self.builder.index(offset)
        condition = None if predicate is None else self.tiles[predicate]
        axes = offsets.axes if condition is None else union(offsets.axes, condition.axes)
        mask = self.builder.both(self._mask_of(axes), condition)
        offsets = self.builder.spread(offsets, axes)
        pointer = Tile(self.pointers[memref])
        if offset == AffineConstantExpr(0):
            return self.builder.spread(pointer, axes), mask
        values, axes = self.builder.together([pointer, offsets])
        result = self.builder.pure(tt.AddPtrOp, values, values[0].type)
        return Tile(result, axes), mask

    def _load(self, op: LoadOp) -> Tile:
        builder = self.builder
        pointers, mask = self._pointers(op.memref, op.map.data, op.indices, op.predicate)
        axes = pointers.axes
        other = None if op.other is None else self.tiles[op.other]
        stored = _stored(op.result.type)
        if mask is not None:
            if other is None:
                other = builder.constant(0, stored)
            elif stored != op.result.type:
                other = builder.elementwise(arith.ExtUIOp, [other], stored)
            axes = union(axes, mask.axes, other.axes)
            pointers, mask = builder.spread(pointers, axes), builder.spread(mask, axes)
            other = builder.spread(other, axes)
        key = ("load", pointers, mask, other)
        tile = builder.find(key)
        if tile is None:
            if mask is None or other is None:
                load = tt.LoadOp(pointers.value)
            else:
                load = tt.LoadOp(pointers.value, mask.value, other.value)
            tile = builder.number(key, Tile(builder.add(load), axes))
        if stored != op.result.type:
            zero = builder.constant(0, stored)
            properties = {"predicate": IntegerAttr(_NE, i64)}
            tile = builder.elementwise(arith.CmpiOp, [tile, zero], i1, properties)
        return tile

    def _store(self, op: StoreOp) -> None:
        builder = self.builder
        value = self.tiles[op.value]
        stored = _stored(op.value.type)
        if stored != op.value.type:
            value = builder.elementwise(arith.ExtUIOp, [value], stored)
        pointers, mask = self._pointers(op.memref, op.map.data, op.indices, op.predicate)
        if not set(value.axes) <= set(pointers.axes):
            raise DiagnosticException("a store whose address does not depend on all that its value depends on")
        axes = pointers.axes if mask is None else union(pointers.axes, mask.axes)
        operands = [builder.spread(tile, axes).value for tile in (pointers, value, mask) if tile is not None]
        store = tt.StoreOp(*operands)
        store.location = op.location
        builder.block.add_op(store)

    # Loops

    def _loop_axes(self, op: LoopOp) -> list[int]:
        assert op.axes is not None
        return sorted({self.positions[name.data] for name in op.axes})

    def _parallel(self, op: ParallelOp) -> None:
        axes = self._loop_axes(op)
        masks = dict(self.masks)
        self._tile_axes(axes)
        walked = [axis for axis in axes if self.schedule.axes[axis].kind is AxisKind.LOOP]
        self._walk(walked, [], lambda _: self._body(op))
        self.masks = masks

    def _body(self, op: LoopOp) -> list[Tile]:
        for inner in op.body.block.ops:
            if inner is not op.body.block.last_op or not isinstance(op, ReduceOp):
                self._convert(inner)
        return []

    def _tile_axes(self, axes: Sequence[int]) -> None:
        """Set the indices of the axes that are one tile."""
        for axis in axes:
            if self.schedule.axes[axis].kind is AxisKind.TILE:
                self._set_axis(axis, self._flat_index(axis, None))

    def _walk(self, axes: Sequence[int], carried: list[Tile], body: Callable[[list[Tile]], list[Tile]]) -> list[Tile]:
        """Loops over the tiles of `axes`, the last innermost, that hand `carried` from step to step through `body`."""
        if not axes:
            return body(carried)
        axis, rest = axes[0], axes[1:]
        builder = self.builder
        attr = self.schedule.axes[axis]
        start = self._constant_index(0)
        end = self._extent_tile(axis)
        step = builder.constant(attr.size, self.index_type, _block_name(attr.axis) if attr.size > 1 else None)
        block = Block(arg_types=[self.index_type, *(tile.value.type for tile in carried)])
        inner = [Tile(arg, tile.axes) for arg, tile in zip(block.args[1:], carried, strict=True)]
        masks = dict(self.masks)
        with builder.scope(block):
            first = Tile(block.args[0])
            first.value.name_hint = f"{attr.axis}start"
            self._set_axis(axis, self._flat_index(axis, first))
            results = self._walk(rest, inner, body)
            block.add_op(scf.YieldOp(*(tile.value for tile in results)))
        self.masks = masks
        loop = scf.ForOp(
            start.value, end.value, step.value, [tile.value for tile in carried], Region(block)
        )
        if builder.location is not None:
            loop.location = builder.location
        builder.block.add_op(loop)
        return [Tile(value, tile.axes) for value, tile in zip(loop.results, carried, strict=True)]

    def _reduce(self, op: ReduceOp) -> None:
        builder = self.builder
        axes = self._loop_axes(op)
        if any(self.schedule.axes[axis].kind is AxisKind.PROGRAM for axis in axes):
            raise DiagnosticException("a reduction along a program axis")
        masks = dict(self.masks)
        self._tile_axes(axes)
        walked = [axis for axis in axes if self.schedule.axes[axis].kind is AxisKind.LOOP]
        reduced: Axes = tuple(axis for axis in axes if self.schedule.axes[axis].size > 1)
        groups = _combiner_groups(op)
        identity_tiles = [
            self._identities(op, combiner.data, group) for combiner, group in zip(op.combiners, groups, strict=True)
        ]

        def terms() -> list[list[Tile]]:
            """The values of one step with identities in the lanes that are out of range."""
            self._body(op)
            mask = self._mask_of(axes)
            result: list[list[Tile]] = []
            for group, neutral in zip(groups, identity_tiles, strict=True):
                tiles = [self.tiles[op.yield_op.values[i]] for i in group]
                if mask is not None:
                    tiles = [builder.select(mask, tile, n) for tile, n in zip(tiles, neutral, strict=True)]
                result.append(tiles)
            return result

        if walked:
            carried: list[Tile] = []
            for group, neutral in zip(groups, identity_tiles, strict=True):
                support = union(reduced, *(self._axes_of(op.yield_op.values[i]) for i in group))
                carried += [builder.spread(tile, support) for tile in neutral]

            def step(accumulators: list[Tile]) -> list[Tile]:
                results: list[Tile] = []
                for combiner, group, tiles in zip(op.combiners, groups, terms(), strict=True):
                    own = [accumulators[i] for i in group]
                    spread = [builder.spread(tile, acc.axes) for tile, acc in zip(tiles, own, strict=True)]
                    results += fold_tiles(builder, combiner.data, own, spread)
                return results

            flat = self._walk(walked, carried, step)
            folded = [[flat[i] for i in group] for group in groups]
        else:
            folded = [
                [builder.spread(tile, union(reduced, *(t.axes for t in tiles))) for tile in tiles] for tiles in terms()
            ]
        self.masks = masks
        for combiner, group, tiles in zip(op.combiners, groups, folded, strict=True):
            for axis in reversed(reduced):
                tiles = reduce_axis(builder, combiner.data, tiles, axis)
            for position, tile in zip(group, tiles, strict=True):
                self.tiles[op.results[position]] = tile

    def _axes_of(self, value: SSAValue) -> Axes:
        """The tile axes of the support of a value."""
        support: Support = self.supports.get(value, frozenset())
        axes = {self.axis_of[index] for index in support}
        return tuple(sorted(axis for axis in axes if self.schedule.axes[axis].size > 1))

    def _identities(self, op: ReduceOp, combiner: Combiner, group: Sequence[int]) -> list[Tile]:
        elements = [op.results[i].type for i in group]
        values = identities(combiner, elements)
        return [self.builder.constant(v, element) for v, element in zip(values, elements, strict=True)]


def _combiner_groups(op: ReduceOp) -> list[list[int]]:
    """The positions of the values of each combiner."""
    groups: list[list[int]] = []
    position = 0
    for combiner in op.combiners:
        groups.append(list(range(position, position + combiner.data.arity)))
        position += combiner.data.arity
    return groups


def _pointer_type(type: Attribute) -> tt.PointerType:
    assert isinstance(type, MemRefType)
    return tt.PointerType(_stored(type.element_type))


def _stored(element: Attribute) -> Attribute:
    """The type of an element in memory: a byte for i1."""
    return i8 if element == i1 else element


def _block_name(axis: str) -> str:
    """The name of the block size of an axis in the source."""
    return f"{axis.upper()}BLOCK"


_SLT = arith.CMPI_COMPARISON_OPERATIONS.index("slt")
_NE = arith.CMPI_COMPARISON_OPERATIONS.index("ne")
