"""What a kernel costs, in bytes of global memory traffic, and every number that the choice of fusions depends on."""

from __future__ import annotations

import math
from itertools import takewhile

from xdsl.ir import Operation

from fusir.analysis.bytes import SizeEstimate
from fusir.analysis.devices import DEFAULT_MULTIPROCESSORS
from fusir.analysis.shared_axes import shared_programs
from fusir.analysis.space import Space

LAUNCH_BYTES = 8 << 20
"""The traffic that takes as long as one more launch: about 2 us at 4.2 TB/s, the copy rate of an H200.

Any two kernels over the same space that take no longer than that merge."""

OPS_PER_BYTE = 12
"""Simple f32 operations in the time of one byte of traffic: 60 TFLOP/s of an H200 over its 4.8 TB/s."""

MAX_BUFFERS = 48
"""Tensors that one kernel reads and writes. More of them spill registers and overflow the argument list."""

MAX_INDEX_MAPS = 8
"""Different index maps at which one kernel computes one value: the bound on repeated work."""

BUSY_PROGRAMS = 96
"""Programs that reach the bandwidth of the device: 4.2 TB/s of an H200, at 45 GB/s a program of 4 to 8 warps."""

POINTWISE_BLOCK = 1024
"""Elements that one program of a kernel without a reduction computes."""

COLUMN_BLOCK = 64
"""Neighbouring columns that one program reduces together, so that it reads whole sectors of memory."""

MAX_SHORT_ROW = 32768
"""Elements that one program can reduce and write again without holding up the device, even if there are few rows."""

MAX_WALKED_ROW = 8192
"""Most columns whose results a program that walks over rows keeps in registers: at 16 warps 16 a thread and result."""

MAX_WALKED_RESULTS = 16384
"""Most column results of such a program: two of 8192 columns take 128 registers a thread with what is loaded."""

MIN_WALKED_ROW = 32
"""Fewest elements of rows that are apart for a program that walks over them: two sectors in half precision."""

MAX_TRANSPOSED_ROW = 128
"""Longest row that a kernel reduces and stores transposed: its tiles have 16 rows, one sector in half precision."""

SHORT_BYTES = 4 * LAUNCH_BYTES
"""Kernels with at most this traffic merge if they read results of one kernel: a launch is much of their time."""

SHARED_FRACTION = 8
"""Kernels that only share an input merge if it is at least this part (one eighth) of the traffic of the smaller one."""

_SIMPLE = 1
_DIVISION = 4
_TRANSCENDENTAL = 10
_RANDOM = 40

_WEIGHTS = {
    **dict.fromkeys(
        ("graph.div", "graph.rsqrt", "graph.sqrt", "graph.reciprocal", "graph.rem", "graph.mod"), _DIVISION
    ),
    **dict.fromkeys(
        (
            *("graph.exp", "graph.exp2", "graph.expm1", "graph.log", "graph.log2", "graph.log10", "graph.log1p"),
            *("graph.sin", "graph.cos", "graph.tan", "graph.asin", "graph.acos", "graph.atan", "graph.atan2"),
            *("graph.sinh", "graph.cosh", "graph.tanh", "graph.asinh", "graph.acosh", "graph.atanh"),
            *("graph.erf", "graph.erfc", "graph.sigmoid", "graph.pow", "graph.floor_div"),
        ),
        _TRANSCENDENTAL,
    ),
    "graph.random": _RANDOM,
}


def weight(op: Operation) -> int:
    """Simple operations that one element of the op takes."""
    return _WEIGHTS.get(op.name, _SIMPLE)


def programs(space: Space, sizes: SizeEstimate) -> int:
    """The number of programs that a kernel over this space has; only long contiguous rows are shared by several."""
    if not space.reduced:
        return -(-sizes.numel(space.outer) // POINTWISE_BLOCK)
    if space.walked:
        return sizes.numel(space.parallel)
    if space.factors[-1].reduced and (shared := _programs_of_shared_rows(space)):
        return shared
    columns = sizes.numel([factor.extent for factor in takewhile(lambda f: not f.reduced, reversed(space.factors))])
    return sizes.numel(space.outer) // max(1, columns) * -(-columns // COLUMN_BLOCK)


def _programs_of_shared_rows(space: Space) -> int:
    """The programs of a kernel whose rows are shared; 0 if they are not."""
    extents = [factor.extent for factor in space.factors if isinstance(factor.extent, int)]
    if len(extents) < len(space.factors):
        return 0
    length = math.prod(factor.extent for factor in space.factors if factor.reduced and isinstance(factor.extent, int))
    rows = math.prod(extents) // max(1, length)
    return shared_programs(length, rows, DEFAULT_MULTIPROCESSORS) if length > MAX_SHORT_ROW else 0


def kernel_cost(traffic: int, operations: int, count: int) -> int:
    """The bytes that the device moves in the time that a kernel of `count` programs takes, without its launch.

    Traffic and arithmetic overlap; few programs use a part of the device only.
    """
    return max(traffic, operations // OPS_PER_BYTE) * BUSY_PROGRAMS // max(1, min(count, BUSY_PROGRAMS))
