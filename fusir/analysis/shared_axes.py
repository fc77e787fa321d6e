"""How programs that share an axis divide it, and in how many parts it is best divided."""

from __future__ import annotations

from fusir.analysis.factors import power_of_two

PART_MULTIPLES = (64, 32, 16, 8, 4, 2)
"""Elements that the length of a part is rounded up to a multiple of, where there is room: 64 halves are a cache line,
8 halves or 4 floats a 16-byte access."""

SHARED_ELEMENTS = 16384
"""Elements of a part of one tensor: at 16 warps 32 a thread, which leaves room for two programs of floats (softmax: 64
registers) or three of halves (40 registers) on a multiprocessor of an H200, of which one loads while another waits."""

SHARED_LONG_ELEMENTS = 32768
"""Elements of a part of a row that has too many parts otherwise: one program a multiprocessor, which may spill (layer
norm with weight and bias: 136 bytes a thread)."""

SHARED_FEWEST_ELEMENTS = 4096
"""Least elements of a part, of rows so few that smaller parts keep more multiprocessors busy."""

SHARED_WASTE = 1.1
"""Idle lanes, as lanes of large parts over lanes of parts half as long, that make the shorter parts better."""

MAX_SHARED_PROGRAMS = 128
"""Most programs that share a row, even if there are more multiprocessors: each waits for the slowest of them."""

FLOAT_BYTES = 4
"""Bytes that an element of one tensor needs in registers."""


def parts_of(extent: int, size: int) -> tuple[int, int]:
    """How many programs share an axis of `extent` elements in tiles of `size`, and how many elements each has.

    Program `c` has the elements from `c * length` on; the last one has what is left. There is one program at least.
    """
    count = max(1, -(-extent // size))
    length = max(1, -(-extent // count))
    for multiple in PART_MULTIPLES:
        rounded = -(-length // multiple) * multiple
        if rounded <= size and (count - 1) * rounded < extent:
            return count, rounded
    return count, length


def part_size(extent: int, rows: int, kept_bytes: int, multiprocessors: int) -> int | None:
    """Lanes of a part of rows of `extent` elements; None if the programs would be too many.

    `kept_bytes` is what an element needs in registers while its program waits.
    """
    most = min(MAX_SHARED_PROGRAMS, multiprocessors)
    tensors = power_of_two(-(-kept_bytes // FLOAT_BYTES))
    size = max(SHARED_FEWEST_ELEMENTS, SHARED_ELEMENTS // tensors)
    if parts_of(extent, size)[0] > most:
        size = SHARED_LONG_ELEMENTS // tensors
        return size if parts_of(extent, size)[0] <= most else None

    def lanes(part: int) -> int:
        return parts_of(extent, part)[0] * part

    def fits(part: int) -> bool:
        return part >= SHARED_FEWEST_ELEMENTS and parts_of(extent, part)[0] <= most

    if fits(size // 2) and lanes(size) > SHARED_WASTE * lanes(size // 2):
        size //= 2
    while fits(size // 2) and rows * parts_of(extent, size)[0] < multiprocessors:
        size //= 2
    return size


def shared_programs(extent: int, rows: int, multiprocessors: int) -> int:
    """The programs of a kernel that keeps one tensor of `rows` rows in registers; 0 if they cannot share the rows."""
    size = part_size(extent, rows, FLOAT_BYTES, multiprocessors)
    return 0 if size is None else rows * parts_of(extent, size)[0]
