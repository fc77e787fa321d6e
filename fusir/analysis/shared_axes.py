"""How the programs that share an axis divide it."""

from __future__ import annotations

PART_MULTIPLES = (64, 32, 16, 8, 4, 2)
"""Elements that the length of a part is rounded up to a multiple of, where there is room: 64 halves are a cache line,
8 halves or 4 floats a 16-byte access."""


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
