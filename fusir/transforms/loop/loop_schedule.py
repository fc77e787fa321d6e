"""`loop-schedule`: choose tile axes, their sizes and the launch parameters of every kernel.

The decision reads extents and strides only. Four shapes of kernels are told apart: pointwise, pointwise with operands
that are contiguous along different dims (tiled), reductions, which are *inner* where the reduced dims are
contiguous in memory and *outer* where the kept ones are, and reductions over rows and columns (`walk_schedule.py`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ArrayAttr, FixedBitwidthType, IntegerAttr, MemRefType, ModuleOp, StringAttr, i64
from xdsl.ir import Attribute, SSAValue
from xdsl.passes import ModulePass

from fusir.analysis.accesses import Access, KernelAccesses
from fusir.analysis.devices import DEFAULT_MULTIPROCESSORS
from fusir.analysis.expr import Dim, product
from fusir.analysis.factors import power_of_two
from fusir.analysis.shared_axes import parts_of
from fusir.dialects.loop import (
    CACHE_HINT,
    LANE_GROUP,
    AxisAttr,
    AxisKind,
    KernelOp,
    LoadOp,
    PrefixOp,
    ReduceOp,
    RowStart,
    ScanOp,
    Schedule,
    ScheduleAttr,
    StoreOp,
    strides_of,
)
from fusir.remarks import remark
from fusir.transforms.loop.contraction_schedule import plan_contraction
from fusir.transforms.loop.row_schedule import is_rewritten, row_step, row_tile_elements, row_tile_warps
from fusir.transforms.loop.row_starts import row_start, row_tile
from fusir.transforms.loop.shared_rows import shared_rows
from fusir.transforms.loop.walk_schedule import plan_walk

DYNAMIC_EXTENT = 4096
"""Iterations that a symbolic extent is taken for."""

POINTWISE_BLOCK = 1024
"""Elements of a program of a pointwise kernel: 4 warps, 8 elements a thread, one 16-byte access in half precision."""

SPLIT_WASTE = 1.1
"""Idle lanes that are worth an axis of its own for the outer dims, as padded extent over extent."""

TILE_SIDE = {1: 64, 2: 64, 4: 32, 8: 32}
"""Side of a square tile for transposed operands, by bytes of an element: a row of a tile is at least 64 bytes."""

TRANSPOSE_SHARE = 4
"""A transposed operand with at least this fraction (1/4) of the elements of the kernel makes it tiled."""

PERSISTENT_BLOCK = 2048
"""Elements of a program of a persistent reduction over short rows; several rows share a program."""

SCAN_BLOCK = 8192
"""Longest contiguous row whose prefixes are computed in one tile, in float; a longer one is walked in steps of so many
elements that hand on a carry. A step waits for its loads, then for the partial results of all warps: several programs
on a multiprocessor fill these gaps for each other, and larger steps leave registers for fewer of them. Cumulative sums
of 32768 rows of 32768 floats take 2.24 ms in steps of 8192 on an H200, 2.30 in steps of 4096, 2.68 of 16384."""

SCAN_ELEMENTS_PER_WARP = 2048
"""Elements of a tile of a scan along rows for each warp, 64 a thread: each thread folds the partial results of all
warps by itself, which is less work for each element the more elements a thread has. With 32 a thread the scan of masked
elements takes 2.58 ms, with 64 2.56."""

MAX_LANE_GROUP = 4
"""Most neighbouring elements that a thread keeps together in a scan from the end: 16 bytes in float, 8 in half
precision."""

VECTOR_BYTES = 16
"""Widest access of a thread."""

COLUMN_BLOCK, COLUMN_STEP = 128, 64
"""Columns of a program of an outer reduction, and rows of a step. Sums over dim 1 of 128x4096x4095 floats take 2.22 ms
on an H200 so, 2.47 with 64 columns and 32 rows."""

SMALL_COLUMN_BLOCK, SMALL_COLUMN_STEP = 64, 32
"""The same for prefixes and for positions, of which each element takes more registers, and for columns that are written
again: RMS norm over dim 1 of 112x64x512x512 floats takes 3.80 so, 4.75 with 128 columns and 64 rows."""

MIN_COLUMN_BLOCK = 16
"""Fewest columns of a program of an outer reduction that would have few programs: two sectors of 32 bytes in float."""

ELEMENTS_PER_WARP = 512
"""Elements of a tile for each warp: 16 a thread."""

MAX_WARPS = 16

MIN_PROGRAMS = 264
"""Programs that a small problem is cut into, two for each multiprocessor of an H200, before programs get larger."""

MIN_POINTWISE_BLOCK = 128
"""Least elements of a program of a pointwise kernel: one warp with 4 elements a thread."""

INT32_OFFSETS = 2**31 - 2**22
"""Buffers with an offset past this use 64-bit index arithmetic; the margin is for tiles that hang over the end."""


@dataclass(frozen=True)
class LoopSchedulePass(ModulePass):
    """Give every fused kernel a schedule."""

    name = "loop-schedule"

    multiprocessors: int = DEFAULT_MULTIPROCESSORS
    """Of the GPU: as many programs may wait for each other."""
    descriptors: bool = True
    """Whether the GPU copies blocks that tensor descriptors describe."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for kernel in op.ops:
            if isinstance(kernel, KernelOp):
                schedule_kernel(kernel, self.multiprocessors, self.descriptors)


def schedule_kernel(kernel: KernelOp, multiprocessors: int = DEFAULT_MULTIPROCESSORS, descriptors: bool = True) -> None:
    """Write the schedule of `kernel` and the axes of its loops; kernels that are not fused are left alone."""
    accesses = KernelAccesses.of(kernel)
    if accesses is None:
        return
    plan = _Planner(accesses, multiprocessors, descriptors).plan()
    if plan is None:
        return
    bits = _index_bits(kernel, accesses.iterations)
    schedule = Schedule(plan.axes, plan.num_warps, plan.num_stages, bits, plan.group, plan.programs)
    kernel.properties["schedule"] = ScheduleAttr(schedule)
    _write_cache_hints(accesses, plan)
    for loop, dims in accesses.loops():
        loop.properties["axes"] = ArrayAttr([StringAttr(plan.axis_of[dim]) for dim in dims])
        if isinstance(loop, ScanOp) and loop.reverse and plan.lane_group > 1:
            loop.attributes[LANE_GROUP] = IntegerAttr(plan.lane_group, i64)
    remark("schedule", "loop-schedule", f"@{kernel.sym_name.data}: {plan.reason}", kernel.location)


def is_walked(kernel: KernelOp, multiprocessors: int = DEFAULT_MULTIPROCESSORS) -> bool:
    """Whether the programs of a fused kernel will walk what they reduce in steps, or share it."""
    accesses = KernelAccesses.of(kernel)
    if accesses is None or not accesses.inner or accesses.walk is not None or accesses.contraction is not None:
        return False
    plan = _Planner(accesses, multiprocessors).plan()
    return plan is not None and any(axis.kind in (AxisKind.LOOP, AxisKind.SHARED) for axis in plan.axes)


def _write_cache_hints(accesses: KernelAccesses, plan: Plan) -> None:
    """Say which loads of a reduction leave the cache first.

    A load that depends on every dim reads each element in one program only: it goes first, unless a later loop of the
    kernel reads the buffer again, for which it stays. 16384 sums of 4096 floats take 0.067 ms so, 0.070 without, and
    softmax over 512x131072 0.133 and 0.140. A kernel that has its rows in registers and writes as much as it reads is
    better left alone: residual add and RMS norm over 16384x4096 take 0.134 ms without, 0.141 so (H200).
    """
    if not accesses.inner or accesses.walk is not None or accesses.contraction is not None:
        return
    looped = any(axis.kind is AxisKind.LOOP for axis in plan.axes)
    every = {dim for dim, extent in enumerate(accesses.extents) if extent != 1}
    if not looped and any(isinstance(each.op, StoreOp) and every <= each.used for each in accesses.accesses):
        return
    later: set[SSAValue] = set()
    for loop in reversed(accesses.inner):
        loads = [
            access.op
            for access in accesses.accesses
            if isinstance(access.op, LoadOp) and access.op.parent_op() is loop and every <= access.used
        ]
        for load in loads:
            load.attributes[CACHE_HINT] = StringAttr("evict_last" if load.memref in later else "evict_first")
        if looped:
            later |= {load.memref for load in loads}


@dataclass(frozen=True)
class Plan:
    """A schedule before it is written down."""

    axes: tuple[AxisAttr, ...]
    axis_of: dict[int, str]
    """The axis of each numbered dim."""
    num_warps: int
    num_stages: int
    reason: str
    lane_group: int = 1
    """Lanes that stay together in a scan from the end."""
    group: int = 1
    """Tiles of rows of a product that are computed before the next tile of columns."""
    programs: int = 0
    """Programs that compute one tile after the other; 0 for a program for each tile."""


def row_kind(accesses: KernelAccesses, multiprocessors: int = DEFAULT_MULTIPROCESSORS) -> AxisKind:
    """How an inner reduction walks its rows: in one tile, in a tile of each of several programs, or in steps."""
    extent = product(accesses.extents[dim] for dim in accesses.inner_dims)
    if isinstance(extent, int) and row_tile(accesses, extent)[0] <= row_tile_elements(accesses):
        return AxisKind.TILE
    return AxisKind.LOOP if shared_rows(accesses, multiprocessors) is None else AxisKind.SHARED


class _Planner:
    def __init__(self, accesses: KernelAccesses, multiprocessors: int, descriptors: bool = True):
        self.accesses = accesses
        self.descriptors = descriptors
        self.multiprocessors = multiprocessors
        self.memory = [access for access in accesses.accesses if access.is_memory]
        self.kind = "scan" if any(isinstance(loop, ScanOp) for loop in accesses.inner) else "reduction"

    def plan(self) -> Plan | None:
        """The schedule; None for contractions that are no dots of tiles."""
        if self.accesses.contraction is not None:
            planned = plan_contraction(self.accesses, self.multiprocessors, self.descriptors)
            return None if planned is None else Plan(*planned[:5], group=planned[5], programs=planned[6])
        if self.accesses.walk is not None:
            return Plan(*plan_walk(self.accesses, self.memory))
        if self.accesses.inner:
            return self._reduction()
        transposed = self._transposed_dim()
        if transposed is not None:
            return self._tiled(transposed)
        return self._pointwise()

    # Questions about dims

    def _extent(self, dims: Sequence[int]) -> Dim:
        return product(self.accesses.extents[dim] for dim in dims)

    def _estimate(self, dims: Sequence[int]) -> int:
        return math.prod(_estimate(self.accesses.extents[dim]) for dim in dims)

    def _element_bytes(self) -> int:
        """Bytes of the widest element that covers the most elements."""
        largest = max(self.memory, key=lambda access: (self._covered(access), _bytes(access)))
        return _bytes(largest)

    def _covered(self, access: Access) -> int:
        return self._estimate([dim for dim in access.used if dim < len(self.accesses.extents)])

    def _unit_dim(self, access: Access) -> int | None:
        """The dim along which an access is contiguous."""
        return next((dim for dim in sorted(access.used, reverse=True) if access.stride(dim) in (1, -1)), None)

    # Pointwise kernels

    def _pointwise(self) -> Plan:
        dims = self.accesses.outer_dims
        inner = self._flat_tail(dims)
        outer = dims[: len(dims) - len(inner)]
        count = self._estimate(inner)
        block = min(POINTWISE_BLOCK, power_of_two(count))
        while block > MIN_POINTWISE_BLOCK and self._estimate(dims) < MIN_PROGRAMS * block:
            block //= 2
        if outer:
            block = _fitting_block(count, block)
        axis_of = dict.fromkeys(outer, "y") | dict.fromkeys(inner, "x")
        axes = [AxisAttr(("y", AxisKind.PROGRAM, 1))] if outer else []
        axes.append(AxisAttr(("x", AxisKind.PROGRAM, block)))
        warps = _warps(block, ELEMENTS_PER_WARP // 2)
        return Plan(tuple(axes), axis_of, warps, 1, f"pointwise, {block} elements a program")

    def _flat_tail(self, dims: list[int]) -> list[int]:
        """The innermost dims that fill a block; all of them where an axis of their own would leave lanes idle."""
        for start in reversed(range(1, len(dims))):
            count = self._estimate(dims[start:])
            if count >= POINTWISE_BLOCK:
                block = _fitting_block(count, POINTWISE_BLOCK)
                waste = -(-count // block) * block / count
                return dims[start:] if waste <= SPLIT_WASTE else dims
        return dims

    def _transposed_dim(self) -> int | None:
        """A dim other than the last along which a large access is contiguous that is strided along the last."""
        dims = self.accesses.outer_dims
        if len(dims) < 2:
            return None
        fast = dims[-1]
        best: tuple[int, int] | None = None
        total = self._estimate(dims)
        for access in self.memory:
            unit = self._unit_dim(access)
            if unit is None or unit == fast or access.stride(fast) in (0, 1, -1, None) or unit not in dims:
                continue
            covered = self._covered(access)
            if covered * TRANSPOSE_SHARE >= total and (best is None or covered > best[0]):
                best = (covered, unit)
        return None if best is None else best[1]

    def _tiled(self, other: int) -> Plan:
        dims = self.accesses.outer_dims
        fast = dims[-1]
        side = TILE_SIDE[self._element_bytes()]
        x = min(side, power_of_two(self._estimate([fast])))
        y = min(side, power_of_two(self._estimate([other])))
        # A short side leaves room for a longer other one.
        if y < side:
            x = min(power_of_two(self._estimate([fast])), side * side // y)
        elif x < side:
            y = min(power_of_two(self._estimate([other])), side * side // x)
        axis_of = dict.fromkeys(dims, "z") | {other: "y", fast: "x"}
        axes = [AxisAttr(("y", AxisKind.PROGRAM, y)), AxisAttr(("x", AxisKind.PROGRAM, x))]
        if len(dims) > 2:
            axes.insert(0, AxisAttr(("z", AxisKind.PROGRAM, 1)))
        warps = _warps(x * y, ELEMENTS_PER_WARP)
        return Plan(tuple(axes), axis_of, warps, 1, f"tiles of {y}x{x}: operands are contiguous along different dims")

    # Reductions

    def _reduction(self) -> Plan:
        outer, inner = self.accesses.outer_dims, self.accesses.inner_dims
        weight_inner = weight_outer = 0
        unit_outer: int | None = None
        for access in self.memory:
            unit = self._unit_dim(access)
            if unit is None or not any(dim in access.used for dim in inner):
                continue
            if unit in inner:
                weight_inner += self._covered(access)
            elif unit in outer:
                weight_outer += self._covered(access)
                unit_outer = unit
        if unit_outer is not None and weight_outer > weight_inner:
            return self._outer_reduction(unit_outer)
        return self._inner_scan() if self.kind == "scan" else self._inner_reduction()

    def _inner_reduction(self) -> Plan:
        outer, inner = self.accesses.outer_dims, self.accesses.inner_dims
        extent = self._extent(inner)
        axis_of = dict.fromkeys(outer, "x") | dict.fromkeys(inner, "r")
        rows = self._estimate(outer)
        kind = row_kind(self.accesses, self.multiprocessors)
        if kind is AxisKind.SHARED:
            return self._shared_rows(axis_of)
        if kind is AxisKind.TILE:
            assert isinstance(extent, int)
            elements, start = row_tile(self.accesses, extent)
            r = power_of_two(elements)
            # Rows that start at different places do not share a program.
            x = 1 if start is not None else self._rows_together(r, rows)
            warps = row_tile_warps(self.accesses, x * r)
            reason = f"persistent reduction, {x} rows of {extent} in registers"
        else:
            start = row_start(self.accesses)
            step = row_step(self.accesses, extent if isinstance(extent, int) else None, start is not None)
            x, r, warps = 1, step.elements, step.num_warps
            reason = f"looped reduction of rows of {extent}, {r} elements a step"
        axes = (AxisAttr(("x", AxisKind.PROGRAM, x)), _axis("r", kind, r, start))
        reason += _start_reason(start)
        return Plan(axes, axis_of, warps, 1, reason)

    def _shared_rows(self, axis_of: dict[int, str]) -> Plan:
        shared = shared_rows(self.accesses, self.multiprocessors)
        assert shared is not None
        extent = self._extent(self.accesses.inner_dims)
        assert isinstance(extent, int)
        _, length = parts_of(extent, shared.size)
        axes = (AxisAttr(("x", AxisKind.PROGRAM, 1)), AxisAttr(("r", AxisKind.SHARED, shared.size)))
        reason = f"rows of {extent} shared by {shared.parts} programs, {length} elements each in registers"
        return Plan(axes, axis_of, shared.num_warps, 1, reason)

    def _rows_together(self, length: int, rows: int) -> int:
        """How many rows, padded to `length`, share a program that has them in registers."""
        together = min(max(1, PERSISTENT_BLOCK // length), power_of_two(rows))
        while together > 1 and rows < MIN_PROGRAMS * together:
            together //= 2
        return together

    def _inner_scan(self) -> Plan:
        """Prefixes along contiguous rows."""
        outer, inner = self.accesses.outer_dims, self.accesses.inner_dims
        extent = self._extent(inner)
        # As many registers for numbers of 64 bits.
        block = SCAN_BLOCK * 4 // max(4, self._folded_bytes())
        if isinstance(extent, int) and extent <= block:
            r = power_of_two(extent)
            x, kind = self._rows_together(r, self._estimate(outer)), AxisKind.TILE
            reason = f"persistent scan, {x} rows of {extent} in registers"
        else:
            r, x, kind = block, 1, AxisKind.LOOP
            reason = f"looped scan of rows of {extent}, {r} elements a step"
        axis_of = dict.fromkeys(outer, "x") | dict.fromkeys(inner, "r")
        axes = (AxisAttr(("x", AxisKind.PROGRAM, x)), AxisAttr(("r", kind, r)))
        warps = _warps(x * r, SCAN_ELEMENTS_PER_WARP * block // SCAN_BLOCK)
        return Plan(axes, axis_of, warps, 1, reason, self._lane_group(r))

    def _folded_bytes(self) -> int:
        """Bytes of the widest number that is folded into prefixes."""
        prefixes = (op for loop in self.accesses.inner for op in loop.body.block.ops if isinstance(op, PrefixOp))
        return max((element_bytes(op.values[0].type) for op in prefixes), default=4)

    def _lane_group(self, size: int) -> int:
        """How many neighbours along a tile of contiguous rows one access of a thread may take, as alignment allows."""
        group = 1
        for access in self.memory:
            if self._unit_dim(access) not in self.accesses.inner_dims:
                continue
            strides = [access.stride(dim) for dim in access.used]
            most = min(MAX_LANE_GROUP, VECTOR_BYTES // _bytes(access), size)
            while most > group and any(
                stride not in (1, -1) and (not isinstance(stride, int) or stride % most) for stride in strides
            ):
                most //= 2
            group = max(group, most)
        return group

    def _outer_reduction(self, unit: int) -> Plan:
        outer, inner = self.accesses.outer_dims, self.accesses.inner_dims
        fast = outer[outer.index(unit) :]
        slow = outer[: outer.index(unit)]
        columns = self._estimate(fast)
        small = self._takes_pairs() or is_rewritten(self.accesses)
        block, rows = (SMALL_COLUMN_BLOCK, SMALL_COLUMN_STEP) if small else (COLUMN_BLOCK, COLUMN_STEP)
        if columns < block // 2:
            fast, slow = outer, []
            columns = self._estimate(fast)
        x = min(block, power_of_two(columns))
        least = MIN_COLUMN_BLOCK if self.kind == "reduction" else block
        while x > least and self._estimate(slow) * -(-columns // x) < MIN_PROGRAMS:
            x //= 2
        extent = self._extent(inner)
        steps = _estimate(extent)
        r = min(rows * block // x, power_of_two(steps))
        kind = AxisKind.TILE if isinstance(extent, int) and r >= extent else AxisKind.LOOP
        axis_of = dict.fromkeys(slow, "y") | dict.fromkeys(fast, "x") | dict.fromkeys(inner, "r")
        axes = [AxisAttr(("x", AxisKind.PROGRAM, x)), AxisAttr(("r", kind, r))]
        if slow:
            axes.insert(0, AxisAttr(("y", AxisKind.PROGRAM, 1)))
        reason = f"outer {self.kind}, {x} columns a program, {r} of {extent} rows a step"
        return Plan(tuple(axes), axis_of, _warps(x * r, ELEMENTS_PER_WARP), 1, reason)

    def _takes_pairs(self) -> bool:
        """Whether there are prefixes, or positions of extrema."""
        return any(
            isinstance(loop, ScanOp)
            or (isinstance(loop, ReduceOp) and any(combiner.data.arity > 1 for combiner in loop.combiners))
            for loop in self.accesses.inner
        )


def _axis(name: str, kind: AxisKind, size: int, start: RowStart | None) -> AxisAttr:
    return AxisAttr((name, kind, size) if start is None else (name, kind, size, start))


def _start_reason(start: RowStart | None) -> str:
    """What the remark says about rows that do not start at wide accesses."""
    return "" if start is None else f"; rows start within groups of {start.group}: their edges are a tile of their own"


def _estimate(dim: Dim) -> int:
    return dim if isinstance(dim, int) else DYNAMIC_EXTENT


def _bytes(access: Access) -> int:
    assert isinstance(access.op, LoadOp | StoreOp)
    buffer_type = access.op.memref.type
    assert isinstance(buffer_type, MemRefType)
    return element_bytes(buffer_type.element_type)


def element_bytes(element: Attribute) -> int:
    """Bytes of an element in memory; i1 takes one."""
    return max(1, element.bitwidth // 8) if isinstance(element, FixedBitwidthType) else 8


def _fitting_block(count: int, largest: int) -> int:
    """The block up to `largest`, and at least a quarter of it, that pads `count` the least; the larger of equals."""
    blocks = [largest, largest // 2, largest // 4]
    return min(blocks, key=lambda block: (-(-count // block) * block, -block))


def _warps(elements: int, per_warp: int) -> int:
    return min(MAX_WARPS, max(1, power_of_two(elements // per_warp)))


def _index_bits(kernel: KernelOp, iterations: Dim) -> int:
    """64 if an offset into a buffer or the index of flattened dims can pass 32 bits; symbols are not known to fit."""
    if kernel.symbols or not isinstance(iterations, int) or iterations > INT32_OFFSETS:
        return 64
    for buffer in kernel.buffers:
        buffer_type = buffer.type
        assert isinstance(buffer_type, MemRefType)
        reach = 0
        for extent, stride in zip(buffer_type.get_shape(), strides_of(buffer_type), strict=True):
            assert isinstance(stride, int)
            reach += max(0, extent - 1) * abs(stride)
        if reach > INT32_OFFSETS:
            return 64
    return 32
