"""Cutting reductions over rows and over columns of one tensor so that one pass over it computes both.

A program that walks over some rows can reduce each row, and fold the columns of its rows on the way. So the column
reduction becomes one over the rows of each program, then one over the programs:

```
%s = graph.reduce sum %x dims [1] : tensor<16384x4096xf32> -> tensor<16384xf32>
%t = graph.reduce sum %x dims [0] : tensor<16384x4096xf32> -> tensor<4096xf32>
```
becomes
```
%s = graph.reduce sum %x dims [1] : tensor<16384x4096xf32> -> tensor<16384xf32>
%0 = graph.reshape %x : tensor<16384x4096xf32> -> tensor<256x64x4096xf32>
%1 = graph.reduce sum %0 dims [1] : tensor<256x64x4096xf32> -> tensor<256x4096xf32>
%t = graph.reduce sum %1 dims [0] : tensor<256x4096xf32> -> tensor<4096xf32>
```

`fuse` puts `%s` and `%1` into one kernel.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from xdsl.ir import Block, Operation, SSAValue

from fusir.analysis.bytes import element_bytes
from fusir.analysis.space import Space, keeps_flat_index
from fusir.dialects.graph import PointwiseOp, ReduceOp, dims_of, element_type_of

SPLITTABLE = ("sum", "prod", "max", "min", "any", "all")
"""The kinds of reductions whose partial results the same kind of reduction combines."""

TARGET_PROGRAMS = 264
"""Most programs that walk over rows: two for each multiprocessor of an H200, all resident at once."""

LEAST_PROGRAMS = 132
"""Fewest programs that walk over rows, one for each multiprocessor; fewer leave the reductions to other kernels."""

MAX_ROW = 8192
"""Most columns of a walk: their results are kept in registers."""

PARTIAL_SHARE = 4
"""The partial results may take at most this part (one quarter) of the traffic that is saved."""

MAX_CONE = 256
"""Ops above a reduction that are searched for the tensors that it reads."""


@dataclass(frozen=True)
class Cut:
    """A column reduction that is cut: the neighbouring reduced dims `first..last`, into `parts`."""

    reduce: ReduceOp
    first: int
    last: int
    parts: int


def plan_cuts(reductions: Sequence[ReduceOp]) -> list[Cut]:
    """The column reductions among those of one function to cut, given in program order."""
    by_size: dict[int, list[ReduceOp]] = {}
    for reduce in reductions:
        extents = _static(reduce)
        if extents is not None and math.prod(extents) > 0:
            by_size.setdefault(math.prod(extents), []).append(reduce)
    cuts: list[Cut] = []
    for group in by_size.values():
        if len(group) < 2:
            continue
        read: dict[ReduceOp, set[SSAValue]] = {}
        for columns in group:
            run = _column_run(columns) if columns.kind in SPLITTABLE else None
            if run is None:
                continue
            shared: set[SSAValue] = set()
            for rows in group:
                if rows is not columns and _are_rows(rows, columns):
                    for each in (rows, columns):
                        if each not in read:
                            read[each] = _tensors_read(each)
                    shared |= read[rows] & read[columns]
            parts = _parts(columns, run, shared) if shared else None
            if parts is not None:
                cuts.append(Cut(columns, *run, parts))
    return cuts


def _static(reduce: ReduceOp) -> list[int] | None:
    dims = dims_of(reduce.operand)
    extents = [dim for dim in dims if isinstance(dim, int)]
    return extents if len(extents) == len(dims) else None


def _column_run(reduce: ReduceOp) -> tuple[int, int] | None:
    """The reduced dims of a column reduction as (first, last): neighbours, with columns after them."""
    extents = _static(reduce)
    dims = sorted(reduce.dims)
    if extents is None or not dims or dims != list(range(dims[0], dims[-1] + 1)):
        return None
    columns = math.prod(extents[dims[-1] + 1 :])
    return (dims[0], dims[-1]) if 1 < columns <= MAX_ROW else None


def _are_rows(rows: ReduceOp, columns: ReduceOp) -> bool:
    """Whether one reduction folds the columns of each row that the other folds."""
    of_rows = Space.of(dims_of(rows.operand), rows.dims)
    of_columns = Space.of(dims_of(columns.operand), columns.dims)
    space = of_rows.cross(of_columns)
    return space is not None and space.is_columns(of_columns)


def _tensors_read(reduce: ReduceOp) -> set[SSAValue]:
    """The tensors with an element for each one that is reduced, of which these are computed."""
    count = math.prod(_static(reduce) or ())
    found: set[SSAValue] = set()
    pending = [reduce.operand]
    seen: set[SSAValue] = set(pending)
    while pending and len(seen) < MAX_CONE:
        value = pending.pop()
        op = value.owner
        operands = list(_operands(op))
        if not operands:
            found.add(value)
        for operand in operands:
            dims = dims_of(operand)
            if operand not in seen and all(isinstance(dim, int) for dim in dims) and math.prod(dims) == count:  # pyright: ignore
                seen.add(operand)
                pending.append(operand)
    return found


def _operands(op: Operation | Block) -> Iterator[SSAValue]:
    """The values that a value is computed from at the same flat index; none of a tensor that is read."""
    if isinstance(op, PointwiseOp) or (isinstance(op, Operation) and op.operands and keeps_flat_index(op)):
        yield from op.operands


def _parts(reduce: ReduceOp, run: tuple[int, int], shared: set[SSAValue]) -> int | None:
    """Into how many parts to cut the reduced dims; None leaves them whole."""
    extents = _static(reduce)
    assert extents is not None
    first, last = run
    length, columns = math.prod(extents[first : last + 1]), math.prod(extents[last + 1 :])
    outer = math.prod(extents[:first])
    parts = max((n for n in _divisors(length) if n * outer <= TARGET_PROGRAMS), default=None)
    if parts is None or parts < 2 or parts * outer < LEAST_PROGRAMS:
        return None
    saved = sum(math.prod(extents) * element_bytes(element_type_of(value)) for value in shared)
    partial = 2 * outer * parts * columns * max(4, element_bytes(element_type_of(reduce.operand)))
    return parts if partial * PARTIAL_SHARE <= saved else None


def _divisors(number: int) -> list[int]:
    small = [n for n in range(1, math.isqrt(number) + 1) if number % n == 0]
    return sorted({*small, *(number // n for n in small)})
