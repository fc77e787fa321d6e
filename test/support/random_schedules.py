"""A hypothesis strategy for the schedules of a fused kernel: any that is legal, not only those worth running."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn
from xdsl.dialects.builtin import ArrayAttr, IntegerAttr, StringAttr, i64

from fusir.analysis.accesses import KernelAccesses
from fusir.analysis.expr import Dim, product
from fusir.dialects.loop import LANE_GROUP, AxisAttr, AxisKind, KernelOp, LoopOp, ParallelOp, ScanOp, ScheduleAttr

SIZES = (1, 2, 4, 8, 16, 32, 64)
MAX_TILE = 1 << 14
"""Elements of a tile over all axes."""
MAX_STEPS = 256
"""Steps of all loops of a program."""
SYMBOLS = (24,) * 8
"""What symbolic extents are taken for."""


class _Axes:
    """The axes of a schedule that grows by random choices."""

    def __init__(self, draw: DrawFn):
        self.draw = draw
        self.axes: list[AxisAttr] = []
        self.elements = 1
        self.steps = 1

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
        kind = self.draw(st.sampled_from(kinds))
        if kind is AxisKind.TILE:
            size = whole
        else:
            least = 1
            if kind is AxisKind.LOOP:
                while self.steps * -(-count // least) > MAX_STEPS and least < room:
                    least *= 2
                self.steps *= max(1, -(-count // least))
            size = self.draw(st.sampled_from([each for each in SIZES if least <= each <= room] or [least]))
        self.elements *= size
        name = f"a{len(self.axes)}"
        self.axes.append(AxisAttr((name, kind, size)))
        return StringAttr(name)


def draw_schedule(draw: DrawFn, kernel: KernelOp) -> None:
    """Give a fused kernel a random legal schedule."""
    accesses = KernelAccesses.of(kernel)
    assert accesses is not None, f"not fused:\n{kernel}"
    axes = _Axes(draw)
    outer = [accesses.extents[dim] for dim in accesses.outer_dims]
    inner = [accesses.extents[dim] for dim in accesses.inner_dims]
    _set(accesses.outer, axes.assign(outer, list(AxisKind)))
    scans = any(isinstance(loop, ScanOp) for loop in accesses.inner)
    shared = axes.assign(inner, [AxisKind.TILE, AxisKind.LOOP], scans) if inner else None
    for loop in accesses.inner:
        assert shared is not None
        own = draw(st.integers(0, 3)) == 0
        # A reduction lies in one program; so does a loop without iterations, or nobody would store the other results.
        may_spread = isinstance(loop, ParallelOp) and 0 not in inner
        kinds = list(AxisKind) if may_spread else [AxisKind.TILE, AxisKind.LOOP]
        _set(loop, axes.assign(inner, kinds, scans) if own else shared)
        if isinstance(loop, ScanOp) and loop.reverse:
            loop.attributes[LANE_GROUP] = IntegerAttr(draw(st.sampled_from((1, 2, 4))), i64)
    order = tuple(draw(st.permutations(axes.axes)))
    bits = draw(st.sampled_from((32, 64)))
    kernel.properties["schedule"] = ScheduleAttr((order, draw(st.sampled_from((1, 4))), 1, bits))


def _set(loop: LoopOp, names: ArrayAttr[StringAttr]) -> None:
    loop.properties["axes"] = names
