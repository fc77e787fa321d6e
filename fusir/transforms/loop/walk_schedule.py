"""The schedule of kernels that reduce over rows and over columns in one walk over rows.

A program walks its rows step by step. The columns of a step are one tile in registers, for the row reductions and for
the accumulators of the column reductions; short rows share a step.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from xdsl.dialects.builtin import FixedBitwidthType, MemRefType

from fusir.analysis.accesses import Access, KernelAccesses
from fusir.analysis.expr import Dim
from fusir.analysis.factors import power_of_two
from fusir.dialects.loop import AxisAttr, AxisKind, LoadOp

WALK_STEP = 4096
"""Elements of a step below which several rows share it: 16 a thread with 8 warps."""

ELEMENTS_PER_WARP = 512
"""Elements of a step for each warp, 16 a thread: what is loaded, and one accumulator for each column reduction."""

MAX_WARPS = 16

PIPELINE_STAGES = 3
"""Stages of the loop over long rows: while a step is computed, the loads of the two after it are under way. Short rows
that share a step have programs enough to overlap: transpose and both sums of 16384x8192 floats, in tiles of 64x64, take
0.295 ms with one stage and 0.388 with three on an H200."""

STAGE_BYTES = 96 << 10
"""Shared memory of the loads under way, of the 227 KiB of a multiprocessor of an H200: two programs fit."""

WalkPlan = tuple[tuple[AxisAttr, ...], dict[int, str], int, int, str]
"""Axes, the axis of each dim, warps, stages and the reason: the fields of a `Plan`."""


def plan_walk(accesses: KernelAccesses, memory: Sequence[Access]) -> WalkPlan:
    """The schedule of a kernel with a walk; all its extents are static."""
    columns = accesses.column_dims
    programs = accesses.outer_dims[: -len(columns)]
    axis_of = (
        dict.fromkeys(programs, "x")
        | dict.fromkeys(accesses.walk_dims, "y")
        | dict.fromkeys([*columns, *accesses.inner_dims], "r")
    )
    extents = accesses.extents
    rows, length = _count(extents, accesses.walk_dims), _count(extents, columns)
    r = power_of_two(length)
    y = min(max(1, WALK_STEP // r), power_of_two(rows))
    kind = AxisKind.TILE if y >= rows else AxisKind.LOOP
    axes = [AxisAttr(("y", kind, y)), AxisAttr(("r", AxisKind.TILE, r))]
    if programs:
        axes.insert(0, AxisAttr(("x", AxisKind.PROGRAM, 1)))
    most = PIPELINE_STAGES if y == 1 else 1
    stages = min(most, 1 + STAGE_BYTES // max(1, _step_bytes(accesses, memory, y * r)))
    warps = min(MAX_WARPS, max(1, power_of_two(y * r // ELEMENTS_PER_WARP)))
    count = _count(extents, programs)
    reason = f"rows and columns in one walk, {count} programs of {rows} rows of {length}, {y} a step, {stages} stages"
    return tuple(axes), axis_of, warps, stages, reason


def _step_bytes(accesses: KernelAccesses, memory: Sequence[Access], elements: int) -> int:
    """Bytes that a step loads: each buffer once that depends on the row."""
    widths = {
        access.op.memref: access.op.memref.type.element_type
        for access in memory
        if isinstance(access.op, LoadOp)
        and isinstance(access.op.memref.type, MemRefType)
        and access.used.intersection(accesses.walk_dims)
        and access.used.intersection((*accesses.column_dims, *accesses.inner_dims))
    }
    sizes = [element.bitwidth // 8 for element in widths.values() if isinstance(element, FixedBitwidthType)]
    return sum(max(1, size) * elements for size in sizes)


def _count(extents: Sequence[Dim], dims: Sequence[int]) -> int:
    counts = [extents[dim] for dim in dims]
    return math.prod(count for count in counts if isinstance(count, int))
