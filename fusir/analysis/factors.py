"""Common refinement of two row-major boxes with the same number of elements."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir.affine import AffineExpr

from fusir.analysis.expr import Dim, dim_equal, divide_exact, linearize, row_major_strides


def common_refinement(
    first: Sequence[Dim], second: Sequence[Dim]
) -> tuple[list[Dim], list[list[int]], list[list[int]]] | None:
    """Split the extents of both boxes into the fewest common factors.

    Returns (factors, runs of `first`, runs of `second`): the run of a dim lists the factors that it is the row-major product
    of, none for an extent of 1. None if there is no common refinement; boxes with an extent of 0 only match dim by dim.

    `[6, 4]` and `[2, 12]` have the factors `[2, 3, 4]`; `[6, 4]` and `[4, 6]` have none.
    """
    if 0 in first or 0 in second:
        return _match_dims(first, second)
    factors: list[Dim] = []
    runs: tuple[list[list[int]], list[list[int]]] = ([[] for _ in first], [[] for _ in second])
    sides = (first, second)
    position = [0, 0]
    remaining: list[Dim] = [1, 1]

    def advance(side: int) -> bool:
        """Take the next extent other than 1 where the current one is used up; False at the end."""
        while remaining[side] == 1:
            if position[side] == len(sides[side]):
                return False
            remaining[side] = sides[side][position[side]]
            position[side] += 1
        return True

    while True:
        alive = advance(0), advance(1)
        if not all(alive):
            return None if any(alive) else (factors, *runs)
        a, b = remaining
        if dim_equal(a, b):
            factor, rest_a, rest_b = a, 1, 1
        elif (quotient := divide_exact(a, b)) is not None:
            factor, rest_a, rest_b = b, quotient, 1
        elif (quotient := divide_exact(b, a)) is not None:
            factor, rest_a, rest_b = a, 1, quotient
        else:
            return None
        for side in (0, 1):
            runs[side][position[side] - 1].append(len(factors))
        factors.append(factor)
        remaining[0], remaining[1] = rest_a, rest_b


def _match_dims(
    first: Sequence[Dim], second: Sequence[Dim]
) -> tuple[list[Dim], list[list[int]], list[list[int]]] | None:
    factors = [dim for dim in first if dim != 1]
    if factors != [dim for dim in second if dim != 1]:
        return None

    def runs(dims: Sequence[Dim]) -> list[list[int]]:
        numbers = iter(range(len(factors)))
        return [[] if dim == 1 else [next(numbers)] for dim in dims]

    return factors, runs(first), runs(second)


def dim_exprs(runs: Sequence[Sequence[int]], factors: Sequence[Dim], indices: Sequence[AffineExpr]) -> list[AffineExpr]:
    """The index along each dim, given the `indices` of the factors: the row-major index within its run."""
    result: list[AffineExpr] = []
    for run in runs:
        strides = row_major_strides([factors[i] for i in run])
        result.append(linearize([indices[i] for i in run], strides))
    return result
