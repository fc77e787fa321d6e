"""`convert-loop-to-tt`: a scheduled kernel becomes the code of one program instance.

The schedule decides everything; this pass is mechanics:

| loop level | tile level |
|---|---|
| dim on a program axis | `program tile * size + make_range`, a scalar if the size is 1 |
| dims flattened on one axis | quotients and remainders of the axis index, simplified into the offsets |
| `loop.reduce` on tile axes | identity in the lanes past the end, then `tt.reduce` along the axes |
| `loop.reduce` on loop axes | `scf.for` with accumulator tiles, folded along the axes after the loop |
| contraction | `scf.for` over the contracted axis with a `tt.dot` of two tiles in each step (`tile_contraction.py`) |
| `loop.online` | `scf.for` that carries the folded values; `loop.fold` is a `tt.reduce` in each step |
| `loop.reduce` on a shared axis | folded in each program, then exchanged between the programs (`exchange.py`) |
| `loop.online` on a shared axis | a walk in each program; what all carry is exchanged at once and merged |
| loops and stores in a `loop.reduce` | in the body of its `scf.for`; loops that share an axis share its index tile |
| `num_stages` above 1 | an attribute of every `scf.for` |
| `loop.prefix` on a tile axis | `tt.scan` along the axis |
| `loop.prefix` on a loop axis | `tt.scan` in each step, folded with a carry: the fold of the steps before |
| extent that the size does not divide | a mask |
| axis in segments | the body once for the tile of the edges, once for the whole groups (`row_segments.py`) |
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import affine, arith, scf
from xdsl.dialects.builtin import (
    AffineMapAttr,
    ArrayAttr,
    DictionaryAttr,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    ModuleOp,
    UnitAttr,
    i32,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineExpr, AffineMap
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter
from xdsl.utils.exceptions import DiagnosticException

from fusir.analysis.expr import linear_coefficients, simplify, substitute
from fusir.analysis.nests import CONTRACTION, symbol_number
from fusir.analysis.support import Support, supports
from fusir.conversion.block_loads import BlockLoads
from fusir.conversion.exchange import PARTS, Exchange
from fusir.conversion.fold_pairs import KEEPS_LAST, IndexOrder
from fusir.conversion.philox import uniform
from fusir.conversion.scalar_to_tile import scalar_to_tile
from fusir.conversion.tile_axes import TileAxes, block_name, edges_name
from fusir.conversion.tile_builder import EQUAL, Axes, Tile, TileBuilder, union
from fusir.conversion.tile_contraction import StackedContraction, TileContraction
from fusir.conversion.tile_memory import TileMemory, pointer_type
from fusir.conversion.tile_reduction import fold_tiles, identities, reduce_axis, scan_axis
from fusir.dialects import host, tt
from fusir.dialects.loop import (
    STACKED,
    AxisKind,
    Combiner,
    FoldOp,
    KernelOp,
    LoadOp,
    LoopOp,
    OnlineOp,
    ParallelOp,
    PrefixOp,
    RandomOp,
    ReduceOp,
    ScanOp,
    ScheduleAttr,
    StoreOp,
    WalkedOp,
    YieldOp,
)
from fusir.remarks import remark

POINTER_ALIGNMENT = 16
"""Bytes that a buffer is taken to be aligned to; the runtime compiles another variant for buffers that are not."""

FLATTEN = "tt.flatten"
"""Attribute of a loop over tiles: the loads of the next tile may start while one is being computed."""

NUM_STAGES = "tt.num_stages"
"""Attribute of a loop: how many of its steps have loads under way. Without it Triton overlaps those of dots only."""


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
                replace_kernel(kernel)
            except DiagnosticException as error:
                remark("fallback", self.name, f"@{kernel.sym_name.data}: {error}", kernel.location)


def replace_kernel(kernel: KernelOp) -> tt.FuncOp:
    """Put the tile-level function of a scheduled kernel of a module in its place; its launches get the workspace.

    Raises DiagnosticException, naming the op, for what has no form at tile level; the kernel then stays.
    """
    function = lower_kernel(kernel)
    block = kernel.parent_block()
    module = kernel.parent_op()
    assert block is not None and module is not None
    block.insert_op_before(function, kernel)
    if function.workspace:
        for launch in [op for op in module.walk() if isinstance(op, host.LaunchOp)]:
            if launch.kernel.root_reference.data == function.sym_name.data:
                _give_workspace(launch, function.workspace)
    kernel.detach()
    kernel.erase()
    return function


def _give_workspace(launch: host.LaunchOp, types: Sequence[Attribute]) -> None:
    """Let a launch have the workspace of its kernel behind its buffers; the first one is zeros."""
    allocs: list[host.AllocOp] = []
    for position, type_ in enumerate(types):
        assert isinstance(type_, MemRefType)
        alloc = host.AllocOp(type_.get_shape(), [1], type_, zero=position == 0)
        alloc.location = launch.location
        allocs.append(alloc)
    count = len(launch.tensors)
    arguments = [*launch.arguments[:count], *(alloc.result for alloc in allocs), *launch.arguments[count:]]
    with_workspace = host.LaunchOp(launch.kernel, arguments)
    with_workspace.attributes |= launch.attributes
    with_workspace.attributes[host.WORKSPACE] = IntegerAttr(len(allocs), i64)
    with_workspace.location = launch.location
    Rewriter.replace_op(launch, [*allocs, with_workspace], [])


def lower_kernel(kernel: KernelOp) -> tt.FuncOp:
    """The tile-level function of a scheduled kernel.

    Raises DiagnosticException, naming the op, for what has no form at tile level.
    """
    if kernel.schedule is None:
        raise DiagnosticException("the kernel has no schedule")
    return _Lowering(kernel, kernel.schedule).run()


class _Lowering:
    """One kernel on its way down: the tiles of its scalars, and the index expressions of its indices."""

    def __init__(self, kernel: KernelOp, schedule: ScheduleAttr):
        self.kernel = kernel
        self.schedule = schedule
        self.supports = supports(kernel)
        index_type = i32 if schedule.index_bits == 32 else i64
        pointers = [pointer_type(buffer) for buffer in kernel.buffers]
        self.block = Block(arg_types=[*pointers, *[index_type] * len(kernel.symbols)])
        self.builder = TileBuilder(self.block, [axis.size for axis in schedule.axes])
        self.axes = TileAxes(schedule, self.builder)
        arguments = dict(zip(kernel.body.block.args, self.block.args, strict=True))
        for old, new in arguments.items():
            new.name_hint = old.name_hint
        self.memory = TileMemory(self.builder, self.axes, {buffer: arguments[buffer] for buffer in kernel.buffers})
        self.blocks = BlockLoads(self.builder, self.axes, self.memory.pointers)
        for number, symbol in enumerate(kernel.symbols):
            self.builder.leaves[AffineExpr.symbol(number)] = Tile(arguments[symbol])
        self.tiles: dict[SSAValue, Tile] = {}
        self.indices = self.axes.indices
        """Index values as expressions over `d<axis>`, run-time indices and the symbols."""
        self.carries: dict[PrefixOp, list[Tile]] = {}
        """The folds of the steps before, in a scan that is walked in steps."""
        self.exchange: Exchange | None = None
        """What the programs that share an axis exchange."""

    def run(self) -> tt.FuncOp:
        for op in self.kernel.walk():
            if isinstance(op, LoopOp):
                self.axes.note(op)
        outermost = next((op for op in self.kernel.body.block.ops if isinstance(op, LoopOp)), None)
        if outermost is not None:
            self.axes.note_segments(outermost)
        number: SSAValue | None = None
        if self.axes.segments is not None:
            self._refuse_reading_back("threads that all compute the edges of a row")
        if self.axes.shared is not None:
            self._refuse_reading_back("programs that share an axis")
            self.exchange = Exchange(self.builder, self.axes, self._along_shared())
            self.exchange.add_arguments(self.block, len(self.kernel.buffers))
            number = self.exchange.ticket()
        else:
            number = self.builder.add(tt.GetProgramIdOp(0))
        number.name_hint = "pid"
        if self.schedule.programs:
            self._each_tile(number)
        else:
            self._program(number)
        self.block.add_op(tt.ReturnOp())
        return self._function()

    def _program(self, number: SSAValue) -> None:
        """What is computed for one tile of each program axis, those with this number."""
        self.axes.enter_program(number)
        for op in self.kernel.body.block.ops:
            self._convert(op)

    def _each_tile(self, program: SSAValue) -> None:
        """A loop of this program over tiles, the next one as many further as there are programs."""
        if self.exchange is not None:
            raise DiagnosticException("programs that compute several tiles and share an axis")
        builder = self.builder
        count = builder.index(self.axes.tile_count())
        step = builder.constant(self.schedule.programs, count.element, "PROGRAMS")
        first = builder.widen(Tile(program)) if count.element == i64 else Tile(program)
        block = Block(arg_types=[count.element])
        with builder.scope(block):
            block.args[0].name_hint = "tile"
            self._program(block.args[0])
            block.add_op(scf.YieldOp())
        loop = scf.ForOp(first.value, count.value, step.value, [], Region(block))
        loop.attributes[FLATTEN] = UnitAttr()
        builder.block.add_op(loop)

    def _function(self) -> tt.FuncOp:
        aligned = {"tt.divisibility": IntegerAttr(POINTER_ALIGNMENT, i32)}
        workspace = [] if self.exchange is None else self.exchange.workspace
        count = len(self.kernel.buffers) + len(workspace)
        function = tt.FuncOp(
            self.kernel.sym_name.data,
            ([arg.type for arg in self.block.args], []),
            Region(self.block),
            arg_attrs=[aligned if i < count else {} for i in range(len(self.block.args))],
            location=self.kernel.location,
        )
        names = {block_name(axis): IntegerAttr(axis.size, i32) for axis in self.schedule.axes if axis.size > 1}
        if self.schedule.programs:
            names["PROGRAMS"] = IntegerAttr(self.schedule.programs, i32)
        if self.axes.segments is not None:
            attr = self.schedule.axes[self.axes.segments.axis]
            names[edges_name(attr)] = IntegerAttr(2 * self.axes.segments.group, i32)
        if self.exchange is not None and self.exchange.reductions:
            names[PARTS] = IntegerAttr(self.exchange.lanes, i32)
        function.attributes |= {
            "fusir.grid": AffineMapAttr(AffineMap(0, len(self.kernel.symbols), (self.axes.grid(),))),
            "fusir.num_warps": IntegerAttr(self.schedule.num_warps, i32),
            "fusir.num_stages": IntegerAttr(self.schedule.num_stages, i32),
            "fusir.constexprs": DictionaryAttr(names),
        }
        if self.exchange is not None:
            function.attributes[tt.TOGETHER] = IntegerAttr(self.exchange.parts, i32)
            function.attributes[tt.WORKSPACE_TYPES] = ArrayAttr(workspace)
        return function

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
                if (block := self.blocks.load(op)) is not None:
                    self.tiles[op.result] = block
                    return
                indices = self._exprs(op.map.data, op.indices)
                self.tiles[op.result] = self.memory.load(op, indices, self._tile(op.predicate), self._tile(op.other))
            case StoreOp():
                indices = self._exprs(op.map.data, op.indices)
                predicate = builder.both(self._writes(op), self._tile(op.predicate))
                self.memory.store(op, indices, self.tiles[op.value], predicate)
            case RandomOp():
                seed, offset, index = (self.tiles[value] for value in op.operands)
                self.tiles[op.result] = uniform(builder, seed, offset, index)
            case ParallelOp():
                self._parallel(op)
            case ReduceOp() if CONTRACTION in op.attributes:
                self._contract(op)
            case ReduceOp():
                self._reduce(op)
            case OnlineOp():
                self._online(op)
            case FoldOp():
                self._fold(op)
            case WalkedOp():
                loop = op.parent_op()
                assert isinstance(loop, OnlineOp)
                self.indices[op.result] = self._run_time_index(self.axes.walked(self.axes.of_loop(loop)))
            case ScanOp():
                self._scan(op)
            case PrefixOp():
                self._prefix(op)
            case _:
                tile = scalar_to_tile(builder, op, [self.tiles[operand] for operand in op.operands])
                self.tiles[op.results[0]] = tile
        for result in op.results:
            tile = self.tiles.get(result)
            if tile is not None and tile.value.name_hint is None:
                tile.value.name_hint = result.name_hint

    def _tile(self, value: SSAValue | None) -> Tile | None:
        return None if value is None else self.tiles[value]

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

    def _exprs(self, index_map: AffineMap, operands: Sequence[SSAValue]) -> list[AffineExpr]:
        exprs = [self._index(operand) for operand in operands]
        dims, symbols = exprs[: index_map.num_dims], exprs[index_map.num_dims :]
        return [simplify(substitute(expr, dims, symbols), self.axes.extents) for expr in index_map.results]

    def _run_time_index(self, tile: Tile) -> AffineExpr:
        expr = self.builder.new_leaf()
        self.builder.leaves[expr] = tile
        return expr

    # Programs that share an axis

    def _along_shared(self) -> list[ReduceOp | OnlineOp]:
        """The reductions along the shared axis."""
        reductions = [op for op in self.kernel.walk() if isinstance(op, ReduceOp | OnlineOp)]
        return [op for op in reductions if self.axes.shared in self.axes.of_loop(op)]

    def _refuse_reading_back(self, who: str) -> None:
        """What several programs or threads compute alike, one of them may have stored before another one reads."""
        written = {op.memref for op in self.kernel.walk() if isinstance(op, StoreOp)}
        if any(isinstance(op, LoadOp) and op.memref in written for op in self.kernel.walk()):
            raise DiagnosticException(f"a buffer that is read and written by {who}")

    def _writes(self, op: StoreOp) -> Tile | None:
        """Whether this program stores: only the first of those that share an axis does, unless each stores its part."""
        if self.axes.part is None:
            return None
        loop = op.parent_op()
        while isinstance(loop, LoopOp):
            if self.axes.shared in self.axes.of_loop(loop):
                return None
            loop = loop.parent_op()
        return self.builder.compare(self.axes.part, self.axes.constant(0), EQUAL)

    # Loops

    def _parallel(self, op: ParallelOp) -> None:
        axes = self.axes.of_loop(op)
        masks = dict(self.axes.masks)
        for walked in self.axes.enter_segments(axes):
            self._walk(walked, [], lambda _: self._body(op))
        self.axes.masks = masks

    def _body(self, op: LoopOp) -> list[Tile]:
        for inner in op.body.block.ops:
            if inner is not op.body.block.last_op or not isinstance(op, ReduceOp | OnlineOp):
                self._convert(inner)
        return []

    def _walk(
        self,
        axes: Sequence[int],
        carried: list[Tile],
        body: Callable[[list[Tile]], list[Tile]],
        reverse: bool = False,
    ) -> list[Tile]:
        """Loops over the tiles of `axes`, the last innermost, that hand `carried` from step to step through `body`."""
        if not axes:
            return body(carried)
        axis, rest = axes[0], axes[1:]
        builder = self.builder
        start, end, step = self.axes.constant(0), self.axes.end_tile(axis), self.axes.size_tile(axis)
        block = Block(arg_types=[self.axes.index_type, *(tile.value.type for tile in carried)])
        inner = [Tile(arg, tile.axes) for arg, tile in zip(block.args[1:], carried, strict=True)]
        masks = dict(self.axes.masks)
        last = self.axes.last_step(axis) if reverse else None
        with builder.scope(block):
            first = Tile(block.args[0])
            if last is not None:
                first = builder.integer(arith.SubiOp, last, first)
            self.axes.enter_step(axis, first)
            results = self._walk(rest, inner, body, reverse)
            block.add_op(scf.YieldOp(*(tile.value for tile in results)))
        self.axes.masks = masks
        loop = scf.ForOp(start.value, end.value, step.value, [tile.value for tile in carried], Region(block))
        if builder.location is not None:
            loop.location = builder.location
        if self.schedule.num_stages > 1:
            loop.attributes[NUM_STAGES] = IntegerAttr(self.schedule.num_stages, i32)
        builder.block.add_op(loop)
        return [Tile(value, tile.axes) for value, tile in zip(loop.results, carried, strict=True)]

    def _contract(self, op: ReduceOp) -> None:
        """Dots of tiles of the factors, summed up over the steps along the contracted dims."""
        kind = StackedContraction if STACKED in op.attributes else TileContraction
        contraction = kind(self.builder, self.axes, op, self.supports)
        axes = self.axes.of_loop(op)
        masks = dict(self.axes.masks)

        def step(sums: list[Tile]) -> list[Tile]:
            for inner in contraction.factor_ops:
                self._convert(inner)
            return contraction.dots(self.tiles, sums)

        self.axes.enter_tile(axes)
        contraction.describe(self.blocks, lambda load: self._exprs(load.map.data, load.indices))
        sums = self._walk(self.axes.of_kind(axes, AxisKind.LOOP), contraction.zeros(), step)
        self.axes.masks = masks
        self.tiles.update(zip(op.results, contraction.results(sums), strict=True))

    def _reduce(self, op: ReduceOp) -> None:
        builder = self.builder
        axes = self.axes.of_loop(op)
        if self.axes.of_kind(axes, AxisKind.PROGRAM):
            raise DiagnosticException("a reduction along a program axis")
        masks = dict(self.axes.masks)
        segments = [self._fold_segment(op, walked) for walked in self.axes.enter_segments(axes)]
        self.axes.masks = masks
        folded: list[list[Tile]] = []
        for number, combiner in enumerate(op.combiners):
            total: list[Tile] | None = None
            for reduced, values in segments:
                tiles = values[number]
                for axis in reversed(reduced):
                    tiles = reduce_axis(builder, combiner.data, tiles, axis)
                total = tiles if total is None else fold_tiles(builder, combiner.data, total, tiles)
            assert total is not None
            folded.append(total)
        if self.exchange is not None and op in self.exchange.reductions:
            groups = _combiner_groups(op)
            own = [tile for tiles in folded for tile in tiles]
            others = [tile for tiles in self._reduction_identities(op) for tile in tiles]
            parts = self.exchange.all_parts(op, own, others)
            folded = [
                self.exchange.fold_filled(combiner.data, [parts[i] for i in group])
                for combiner, group in zip(op.combiners, groups, strict=True)
            ]
            assert self.axes.shared is not None
            self.memory.recompute(self.axes.shared)
        results = [tile for tiles in folded for tile in tiles]
        self.tiles.update(zip(op.results, results, strict=True))

    def _fold_segment(self, op: ReduceOp, walked: Sequence[int]) -> tuple[Axes, list[list[Tile]]]:
        """The values of a reduction in the segment that is entered, those of each combiner, and the axes on which they
        are still to be reduced: all steps of the `walked` axes are folded into one tile."""
        builder = self.builder
        axes = self.axes.of_loop(op)
        reduced = self.axes.in_tiles(axes)
        groups = _combiner_groups(op)
        identity_tiles = self._reduction_identities(op)

        def terms() -> list[list[Tile]]:
            """The values of one step with identities in the lanes that are out of range."""
            self._body(op)
            mask = self.axes.mask_of(tuple(axes))
            result: list[list[Tile]] = []
            for combiner, group, neutral in zip(op.combiners, groups, identity_tiles, strict=True):
                tiles = [self.tiles[op.yield_op.values[i]] for i in group]
                result.append(self._in_range(combiner.data, tiles, neutral, mask))
            return result

        if not walked:
            return reduced, [
                [builder.spread(tile, union(reduced, *(t.axes for t in tiles))) for tile in tiles] for tiles in terms()
            ]
        carried: list[Tile] = []
        for group, neutral in zip(groups, identity_tiles, strict=True):
            support = union(reduced, *(self._axes_of(op.yield_op.values[i]) for i in group))
            carried += [builder.spread(tile, support) for tile in neutral]

        def step(accumulators: list[Tile]) -> list[Tile]:
            results: list[Tile] = []
            for combiner, group, tiles in zip(op.combiners, groups, terms(), strict=True):
                own = [accumulators[i] for i in group]
                spread = [builder.spread(tile, acc.axes) for tile, acc in zip(tiles, own, strict=True)]
                order = self._order(combiner.data, op.yield_op.values[group[-1]], walked)
                results += fold_tiles(builder, combiner.data, own, spread, order)
            return results

        flat = self._walk(walked, carried, step)
        return reduced, [[flat[i] for i in group] for group in groups]

    def _reduction_identities(self, op: ReduceOp) -> list[list[Tile]]:
        """The identities of the combiners of a reduction."""
        return [
            self._identities([op.results[i].type for i in group], combiner.data)
            for combiner, group in zip(op.combiners, _combiner_groups(op), strict=True)
        ]

    def _online(self, op: OnlineOp) -> None:
        """A loop over blocks that hands folded values on; one block where the axes are tiles."""
        axes = self.axes.of_loop(op)
        walked = self.axes.of_kind(axes, AxisKind.LOOP)
        if self.axes.of_kind(axes, AxisKind.PROGRAM) or len(walked) > 1:
            raise DiagnosticException("an online reduction along a program axis, or several walked ones")
        if self.axes.has_segments(axes) and len(axes) > 1:
            raise DiagnosticException("an online reduction along several axes, one of them in segments")
        masks = dict(self.axes.masks)
        supports_of = [self._axes_of(result) for result in op.results]
        inits = [
            self.builder.spread(self.tiles[init], support) for init, support in zip(op.inits, supports_of, strict=True)
        ]

        def step(carried: list[Tile]) -> list[Tile]:
            self.tiles |= zip(op.carried, carried, strict=True)
            self._body(op)
            yielded = [self.tiles[value] for value in op.yield_op.values]
            return [self.builder.spread(tile, support) for tile, support in zip(yielded, supports_of, strict=True)]

        results = inits
        for walked in self.axes.enter_segments(axes):
            results = self._walk(walked, results, step)
        self.axes.masks = masks
        if self.exchange is not None and op in self.exchange.reductions:
            results = self._merge(self.exchange, op, results, inits)
            assert self.axes.shared is not None
            self.memory.recompute(self.axes.shared)
        self.tiles |= zip(op.results, results, strict=True)

    def _merge(self, exchange: Exchange, op: OnlineOp, own: Sequence[Tile], inits: Sequence[Tile]) -> list[Tile]:
        """The results of the walks of all programs that share an axis; `own` are those of this one."""
        if op.merge is None:
            raise DiagnosticException("an online reduction without a merge along a shared axis")
        for tile, value in zip(own, op.results, strict=True):
            if tile.value.name_hint is None:
                tile.value.name_hint = value.name_hint
        merge = op.merge.block
        self.tiles |= zip(merge.args, exchange.all_parts(op, own, inits), strict=True)
        for value in merge.args:
            self.tiles[value].value.name_hint = f"{value.name_hint or 'carried'}_parts"
        terminator = merge.last_op
        assert isinstance(terminator, YieldOp)
        read = [value for value, result in zip(terminator.values, op.results, strict=True) if result.uses]
        needed = _made_of(read, merge)
        for inner in merge.ops:
            if inner in needed:
                self._convert(inner)
        return [self.tiles.get(value, tile) for value, tile in zip(terminator.values, own, strict=True)]

    def _fold(self, op: FoldOp) -> None:
        """The fold of the tiles of one block, or of all parts."""
        loop = op.parent_op()
        assert isinstance(loop, OnlineOp)
        if op.parent is not loop.body.block:
            assert self.exchange is not None
            results = self.exchange.fold(op.combiner, [self.tiles[value] for value in op.values])
            self.tiles |= zip(op.results, results, strict=True)
            return
        builder, axes = self.builder, self.axes.of_loop(loop)
        folded = self.axes.in_tiles(axes)
        tiles = [self.tiles[value] for value in op.values]
        spread = union(folded, *(tile.axes for tile in tiles))
        tiles = [builder.spread(tile, spread) for tile in tiles]
        mask = self.axes.mask_of(tuple(axes))
        neutral = self._identities([value.type for value in op.values], op.combiner)
        tiles = self._in_range(op.combiner, tiles, neutral, mask)
        for axis in reversed(folded):
            tiles = reduce_axis(builder, op.combiner, tiles, axis)
        self.tiles |= zip(op.results, tiles, strict=True)

    def _scan(self, op: ScanOp) -> None:
        axes = self.axes.of_loop(op)
        if len(axes) > 1 or self.axes.of_kind(axes, AxisKind.PROGRAM) or self.axes.shared in axes:
            raise DiagnosticException("a scan along more than one axis, or one of several programs")
        if not op.reverse and axes[0] in self.axes.reversed:
            raise DiagnosticException("scans from both ends along one axis")
        if self.axes.has_segments(axes):
            raise DiagnosticException("a scan along an axis in segments")
        masks = dict(self.axes.masks)
        self.axes.enter_tile(axes)
        prefixes = [inner for inner in op.body.block.ops if isinstance(inner, PrefixOp)]
        carried: list[Tile] = []
        for prefix in prefixes:
            rest = tuple(axis for axis in self._axes_of(prefix.results[0]) if axis not in axes)
            carried += [self.builder.spread(tile, rest) for tile in self._identity(prefix)]

        def step(folds: list[Tile]) -> list[Tile]:
            remaining = iter(folds)
            self.carries = {prefix: [next(remaining) for _ in prefix.results] for prefix in prefixes}
            self._body(op)
            return [tile for prefix in prefixes for tile in self.carries[prefix]]

        walked = self.axes.of_kind(axes, AxisKind.LOOP)
        if walked:
            self._walk(walked, carried, step, op.reverse)
            self.carries = {}
        else:
            self._body(op)
        self.axes.masks = masks

    def _identity(self, op: PrefixOp) -> list[Tile]:
        """What changes nothing when folded in."""
        numbers = identities(op.combiner, [value.type for value in op.values])
        types = [value.type if _cast_index(value) is None else self.axes.index_type for value in op.values]
        return [self.builder.constant(*each) for each in zip(numbers, types, strict=True)]

    def _prefix(self, op: PrefixOp) -> None:
        """The prefixes within the tile, folded with the carry of the steps before; leaves the carry of the next one."""
        scan = op.parent_op()
        assert isinstance(scan, ScanOp)
        builder, combiner = self.builder, op.combiner
        (axis,) = self.axes.of_loop(scan)
        support = self._axes_of(op.results[0])
        order = _index_order(op, scan)
        tiles = [builder.spread(self._folded(value), support) for value in op.values]
        # From the front, the lanes that are out of range come last, where no one looks.
        mask = self.axes.mask_of((axis,)) if scan.reverse else None
        if mask is not None:
            tiles = [builder.select(mask, *both) for both in zip(tiles, self._identity(op), strict=True)]
        prefixes = tiles
        if axis in support:
            prefixes = scan_axis(builder, combiner, tiles, axis, self.axes.reversed.get(axis, 1), order)
        carry = self.carries.get(op)
        if carry is not None:
            before = [builder.spread(tile, support) for tile in carry]
            prefixes = fold_tiles(builder, combiner, before, prefixes, order)
            self.carries[op] = self._next_carry(op, axis, carry, tiles, prefixes)
        for result, tile in zip(op.results, prefixes, strict=True):
            self.tiles[result] = tile if tile.element == result.type else builder.widen(tile)

    def _next_carry(
        self, op: PrefixOp, axis: int, carry: Sequence[Tile], tiles: Sequence[Tile], prefixes: Sequence[Tile]
    ) -> list[Tile]:
        """The fold of all steps up to one with these tiles and prefixes."""
        builder, support = self.builder, tiles[0].axes
        if axis not in support:
            return list(prefixes)
        if len(tiles) > 1:
            return [self._last(tile, axis) for tile in prefixes]
        if support == (axis,):
            # A fold of its own does not wait for the prefixes.
            return fold_tiles(builder, op.combiner, carry, reduce_axis(builder, op.combiner, tiles, axis))
        # Triton 3.6 mistakes the fold of a loaded tile of more axes for an accumulator that is read after the loop.
        last = self.axes.last_lane(axis)
        found = [builder.select(last, *both) for both in zip(prefixes, self._identity(op), strict=True)]
        return reduce_axis(builder, op.combiner, found, axis)

    def _last(self, tile: Tile, axis: int) -> Tile:
        """The last lane along an axis: the maximum of it and of what is less than anything."""
        (least,) = identities(Combiner.MAX, [tile.element])
        lanes = self.builder.select(self.axes.last_lane(axis), tile, self.builder.constant(least, tile.element))
        return reduce_axis(self.builder, Combiner.MAX, [lanes], axis)[0]

    def _folded(self, value: SSAValue) -> Tile:
        """A value that is folded; an index of loops in the width of the index arithmetic, not in its 64 bits."""
        index = _cast_index(value)
        return self.tiles[value] if index is None else self.builder.index(self._index(index))

    def _axes_of(self, value: SSAValue) -> Axes:
        """The tile axes of the support of a value."""
        support: Support = self.supports.get(value, frozenset())
        return self.axes.in_tiles(sorted({self.axes.axis_of[index] for index in support}))

    def _in_range(
        self, combiner: Combiner, tiles: Sequence[Tile], neutral: Sequence[Tile], mask: Tile | None
    ) -> list[Tile]:
        """Values that are folded, with identities in the lanes that are out of range."""
        if mask is None:
            return list(tiles)
        # With the least value, every index loses or ties with the first one, which is 0; the last one is at hand only.
        count = 1 if combiner in (Combiner.ARGMAX, Combiner.ARGMIN) else len(tiles)
        masked = [self.builder.select(mask, *both) for both in zip(tiles[:count], neutral, strict=False)]
        return [*masked, *tiles[count:]]

    def _order(self, combiner: Combiner, index: SSAValue, walked: Sequence[int]) -> IndexOrder | None:
        """How an index goes, in each lane, from step to step of a loop over an axis, where that is known."""
        cast = index.owner
        if combiner in KEEPS_LAST or len(walked) != 1:
            # The identity in lanes out of range has the index -1.
            return None
        if not isinstance(cast, arith.IndexCastOp) or cast.input not in self.indices:
            return None
        linear = linear_coefficients(self.indices[cast.input], len(self.schedule.axes))
        coefficient = None if linear is None else linear[0].get(walked[0])
        return IndexOrder.RISING if isinstance(coefficient, int) and coefficient > 0 else None

    def _identities(self, elements: Sequence[Attribute], combiner: Combiner) -> list[Tile]:
        values = identities(combiner, elements)
        return [self.builder.constant(v, element) for v, element in zip(values, elements, strict=True)]


def _cast_index(value: SSAValue) -> SSAValue | None:
    """The index, known from loops and symbols alone, that an integer is."""

    def is_known(index: SSAValue) -> bool:
        owner = index.owner
        return not isinstance(owner, Operation) or (
            isinstance(owner, affine.ApplyOp) and all(is_known(operand) for operand in owner.mapOperands)
        )

    owner = value.owner
    if not isinstance(owner, arith.IndexCastOp) or value.type != i64 or not is_known(owner.input):
        return None
    return owner.input


def _index_order(op: PrefixOp, scan: ScanOp) -> IndexOrder | None:
    """How the indices that are folded go along the scan, if they are those of its iterations."""
    if not op.combiner.has_index or _cast_index(op.values[1]) not in scan.indices or len(scan.indices) > 1:
        return None
    return IndexOrder.FALLING if scan.reverse else IndexOrder.RISING


def _made_of(values: Sequence[SSAValue], block: Block) -> set[Operation]:
    """The ops of a block that values are computed with."""
    needed: set[Operation] = set()
    waiting = list(values)
    while waiting:
        owner = waiting.pop().owner
        if isinstance(owner, Operation) and owner.parent is block and owner not in needed:
            needed.add(owner)
            waiting += owner.operands
    return needed


def _combiner_groups(op: ReduceOp) -> list[list[int]]:
    """The positions of the values of each combiner."""
    groups: list[list[int]] = []
    position = 0
    for combiner in op.combiners:
        groups.append(list(range(position, position + combiner.data.arity)))
        position += combiner.data.arity
    return groups
