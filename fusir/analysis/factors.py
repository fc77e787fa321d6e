"""Common refinement of two row-major boxes with the same number of elements."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from xdsl.ir.affine import AffineExpr

from fusir.analysis.expr import Dim, dim_equal, divide_exact, linearize, row_major_strides


class Piece(NamedTuple):
    """A factor of the extents of both boxes."""

    extent: Dim
    first: int
    """The dim of the first box that it is a factor of."""
    second: int
    """The dim of the second box that it is a factor of."""


def common_refinement(first: Sequence[Dim], second: Sequence[Dim]) -> list[Piece] | None:
    """Cut the extents of both boxes into the fewest common factors, in row-major order and none of extent 1.

    None if the boxes do not have the same number of elements, or if a boundary of one falls inside a factor of the
    other that it does not divide. Symbolic extents match if they are equal or divide exactly; boxes with an extent of 0
    match dim by dim only.

    `[6, 4]` and `[2, 12]` have the factors `[2, 3, 4]`; `[6, 4]` and `[4, 6]` have none.
    """
    if 0 in first or 0 in second:
        return _match_dims(first, second)
    pieces: list[Piece] = []
    i = j = 0
    left: Dim = 1
    right: Dim = 1
    while True:
        while left == 1 and i < len(first):
            left = first[i]
            i += 1
        while right == 1 and j < len(second):
            right = second[j]
            j += 1
        if left == 1 and right == 1:
            return pieces
        if left == 1 or right == 1:
            return None
        if dim_equal(left, right):
            pieces.append(Piece(left, i - 1, j - 1))
            left = right = 1
        elif (quotient := divide_exact(left, right)) is not None:
            pieces.append(Piece(right, i - 1, j - 1))
            left, right = quotient, 1
        elif (quotient := divide_exact(right, left)) is not None:
            pieces.append(Piece(left, i - 1, j - 1))
            left, right = 1, quotient
        else:
            return None


def _match_dims(first: Sequence[Dim], second: Sequence[Dim]) -> list[Piece] | None:
    """The refinement of boxes that are equal but for extents of 1."""
    of_first = [i for i, dim in enumerate(first) if dim != 1]
    of_second = [i for i, dim in enumerate(second) if dim != 1]
    if [first[i] for i in of_first] != [second[i] for i in of_second]:
        return None
    return [Piece(first[i], i, j) for i, j in zip(of_first, of_second, strict=True)]


def runs_of(dims: Iterable[int], rank: int) -> list[list[int]]:
    """For each dim of a box of this rank the positions of its factors, given the dim of each factor."""
    runs: list[list[int]] = [[] for _ in range(rank)]
    for position, dim in enumerate(dims):
        runs[dim].append(position)
    return runs


def dim_exprs(runs: Sequence[Sequence[int]], factors: Sequence[Dim], indices: Sequence[AffineExpr]) -> list[AffineExpr]:
    """The index along each dim, given the `indices` of the factors: the row-major index within its run."""
    result: list[AffineExpr] = []
    for run in runs:
        strides = row_major_strides([factors[i] for i in run])
        result.append(linearize([indices[i] for i in run], strides))
    return result


def power_of_two(count: int) -> int:
    """The least power of two that is at least `count`, and at least 1."""
    return 1 << max(0, count - 1).bit_length()
