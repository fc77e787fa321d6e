"""A hypothesis strategy for the schedules of a fused kernel: any that is legal, not only those worth running."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn
from xdsl.dialects.builtin import ArrayAttr, IntegerAttr, StringAttr, i64
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineExpr, AffineMap

from fusir.analysis.accesses import KernelAccesses
from fusir.analysis.expr import Dim, product
from fusir.dialects.loop import (
    LANE_GROUP,
    TILES,
    AxisAttr,
    AxisKind,
    KernelOp,
    LoadOp,
    LoopOp,
    OnlineOp,
    ParallelOp,
    RowStart,
    ScanOp,
    ScheduleAttr,
    StoreOp,
    Tiles,
    TilesAttr,
)
from fusir.transforms.loop.loop_schedule import schedule_kernel

SIZES = (1, 2, 4, 8, 16, 32, 64)
MAX_TILE = 1 << 14
"""Elements of a tile over all axes."""
MAX_STEPS = 256
"""Steps of all loops of a program."""
WALKS = [AxisKind.PROGRAM, AxisKind.TILE, AxisKind.LOOP]
MAX_PARTS = 64
"""Programs that share an axis."""
MAX_COLUMNS = 512
"""Columns of a walk that may be one tile."""
GROUPS = (2, 4, 8)
"""Elements of a group, where rows start within groups."""
SYMBOLS = (24,) * 8
"""What symbolic extents are taken for."""

TILE_SIZES = st.sampled_from((16, 32, 64))
SOME_TILES = st.builds(
    Tiles,
    m=TILE_SIZES,
    n=TILE_SIZES,
    k=st.sampled_from((16, 32)),
    group=st.sampled_from((1, 2, 8)),
    warps=st.just(4),
    stages=st.sampled_from((1, 3)),
    descriptors=st.sampled_from((0, 1)),
    persistent=st.sampled_from((0, 1)),
    stacked=st.sampled_from((0, 1)),
)
"""Tiles of kernels that compute contractions."""


class _Axes:
    """The axes of a schedule that grows by random choices."""

    def __init__(self, draw: DrawFn):
        self.draw = draw
        self.axes: list[AxisAttr] = []
        self.extents: list[Dim] = []
        self.elements = 1
        self.steps = 1
        self.has_shared = False
        self.scalar_rows = False
        """Whether the axes to come are program axes of size 1."""

    def assign(
        self, extents: Sequence[Dim], kinds: Sequence[AxisKind], together: bool = False
    ) -> ArrayAttr[StringAttr]:
        """New axes for the dims of a loop, of which some share one, or all if they are `together`."""
        groups = self.draw(st.lists(st.integers(0, 0 if together else 2), min_size=len(extents), max_size=len(extents)))
        names: dict[int, StringAttr] = {}
        for group in sorted(set(groups)):
            extent = product(e for e, own in zip(extents, groups, strict=True) if own == group)
            names[group] = self._axis(extent, kinds)
        return ArrayAttr([names[group] for group in groups])

    def _axis(self, extent: Dim, kinds: Sequence[AxisKind]) -> StringAttr:
        count = extent if isinstance(extent, int) else extent.eval([], SYMBOLS)
        whole = 1 << max(0, count - 1).bit_length()
        room = MAX_TILE // self.elements
        if not isinstance(extent, int) or whole > room:
            kinds = [kind for kind in kinds if kind is not AxisKind.TILE]
        if self.has_shared:
            kinds = [kind for kind in kinds if kind is not AxisKind.SHARED]
        kind = self.draw(st.sampled_from(kinds))
        self.has_shared |= kind is AxisKind.SHARED
        if kind is AxisKind.TILE:
            size = whole
        elif self.scalar_rows:
            size = 1
        else:
            least = 1
            if kind is AxisKind.LOOP:
                while self.steps * -(-count // least) > MAX_STEPS and least < room:
                    least *= 2
                self.steps *= max(1, -(-count // least))
            if kind is AxisKind.SHARED:
                least = 1 << max(0, -(-count // MAX_PARTS) - 1).bit_length()
                room = max(least, whole // 2)
            size = self.draw(st.sampled_from([each for each in SIZES if least <= each <= room] or [least]))
        self.elements *= size
        name = f"a{len(self.axes)}"
        self.axes.append(AxisAttr((name, kind, size)))
        self.extents.append(extent)
        return StringAttr(name)

    def cut_one(self, draw: DrawFn, kernel: KernelOp, outer: set[str], used: set[str]) -> None:
        """Let one of the axes of the inner loops be in segments, if a program has one row at a time."""
        if any(axis.size > 1 for axis in self.axes if axis.axis in outer):
            return
        for position, axis in enumerate(self.axes):
            extent, group = self.extents[position], draw(st.sampled_from(GROUPS))
            if axis.axis in outer or axis.axis not in used or not isinstance(extent, int) or extent < group:
                continue
            if axis.kind not in (AxisKind.TILE, AxisKind.LOOP) or axis.size < group:
                continue
            if draw(st.integers(0, 3)):
                offset: AffineExpr = AffineConstantExpr(draw(st.integers(0, 9)))
                loop = next(op for op in kernel.body.block.ops if isinstance(op, LoopOp))
                for dim in range(len(loop.indices)):
                    offset = offset + AffineDimExpr(dim) * draw(st.integers(0, 40))
                start = RowStart(group, AffineMap(len(loop.indices), len(kernel.symbols), (offset,)))
                self.axes[position] = AxisAttr((axis.axis, axis.kind, axis.size, start))
                return


def _reads_back(kernel: KernelOp) -> bool:
    written = {op.memref for op in kernel.walk() if isinstance(op, StoreOp)}
    return any(isinstance(op, LoadOp) and op.memref in written for op in kernel.walk())


def draw_schedule(draw: DrawFn, kernel: KernelOp, rows: bool = False) -> None:
    """Give a fused kernel a random legal schedule.

    `rows` lets a program have one row at a time wherever that is possible, so that more axes are shared or in segments.
    """
    accesses = KernelAccesses.of(kernel)
    assert accesses is not None, f"not fused:\n{kernel}"
    if accesses.contraction is not None:
        # Which axis a dim is on is not free: the factors of dots are matrices.
        kernel.attributes[TILES] = TilesAttr(draw(SOME_TILES))
        schedule_kernel(kernel)
        return
    axes = _Axes(draw)
    outer = [accesses.extents[dim] for dim in accesses.outer_dims]
    inner = [accesses.extents[dim] for dim in accesses.inner_dims]
    in_order = any(isinstance(loop, ScanOp | OnlineOp) for loop in accesses.inner)
    scans = any(isinstance(loop, ScanOp) for loop in accesses.inner)
    # Programs that share an axis, or have one in segments, have one row; of the former the number is static.
    axes.scalar_rows = bool(inner) and accesses.walk is None and not scans and (rows or draw(st.booleans()))
    may_share = axes.scalar_rows and all(isinstance(each, int) for each in accesses.extents)
    within = [*([AxisKind.SHARED] * 2 if may_share else []), AxisKind.TILE, AxisKind.LOOP]
    shared = None
    if accesses.walk is None:
        _set(accesses.outer, axes.assign(outer, [AxisKind.PROGRAM] if axes.scalar_rows else WALKS))
        axes.scalar_rows = False
    else:
        # The columns are parallel, and where they are one tile the row reductions may have the same.
        programs = axes.assign(outer[: -len(inner)], WALKS)
        is_tile = draw(st.booleans()) and product(inner) <= MAX_COLUMNS
        columns = axes.assign(inner, [AxisKind.TILE] if is_tile else WALKS, is_tile)
        _set(accesses.outer, ArrayAttr([*programs, *columns]))
        walked = [accesses.extents[dim] for dim in accesses.walk_dims]
        _set(accesses.walk, axes.assign(walked, [AxisKind.TILE, AxisKind.LOOP]))
        shared = columns if is_tile else None
    if inner and shared is None:
        shared = axes.assign(inner, within, in_order)
    for loop in accesses.inner:
        assert shared is not None
        own = draw(st.integers(0, 3)) == 0
        # A reduction lies in one program; so does a loop without iterations, or nobody would store the other results.
        may_spread = isinstance(loop, ParallelOp) and 0 not in inner
        kinds = WALKS if may_spread else [AxisKind.TILE, AxisKind.LOOP]
        _set(loop, axes.assign(inner, kinds, in_order) if own else shared)
        if isinstance(loop, ScanOp) and loop.reverse:
            loop.attributes[LANE_GROUP] = IntegerAttr(draw(st.sampled_from((1, 2, 4))), i64)
    used = {name.data for loop, _ in accesses.loops() for name in loop.axes or ()}
    outer_axes = {name.data for name in accesses.outer.axes or ()}
    if not scans and not _reads_back(kernel):
        axes.cut_one(draw, kernel, outer_axes, used)
    order = tuple(draw(st.permutations([axis for axis in axes.axes if axis.axis in used])))
    bits = draw(st.sampled_from((32, 64)))
    kernel.properties["schedule"] = ScheduleAttr((order, draw(st.sampled_from((1, 4))), 1, bits))


def _set(loop: LoopOp, names: ArrayAttr[StringAttr]) -> None:
    loop.properties["axes"] = names
