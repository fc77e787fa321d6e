"""What a kernel costs, in bytes of global memory traffic, and every number that the choice of fusions depends on."""

from __future__ import annotations

from xdsl.ir import Operation

LAUNCH_BYTES = 8 << 20
"""The traffic that takes as long as one more launch: about 2 us at 4.2 TB/s, the copy rate of an H200."""

OPS_PER_BYTE = 12
"""Simple f32 operations in the time of one byte of traffic: 60 TFLOP/s of an H200 over its 4.8 TB/s."""

MAX_BUFFERS = 48
"""Tensors that one kernel reads and writes. More of them spill registers and overflow the argument list."""

MAX_INDEX_MAPS = 8
"""Different index maps at which one kernel computes one value: the bound on repeated work."""

MIN_ROWS = 128
"""Rows that keep the device busy, one program each: an H200 has 132 multiprocessors."""

MAX_SHORT_ROW = 32768
"""Elements that one program can reduce and write again without holding up the device, even if there are few rows."""

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


def kernel_cost(traffic: int, operations: int) -> int:
    """The bytes of traffic that take as long as a kernel, without its launch: traffic and arithmetic overlap."""
    return max(traffic, operations // OPS_PER_BYTE)
