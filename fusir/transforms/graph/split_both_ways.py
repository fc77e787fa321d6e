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

`fuse` puts `%s` and `%1` into one kernel. Where nothing of the size of the tensor depends on the row results, rows that
are long, or that are stored transposed, are cut as well, so that a program has a tile of the tensor:

```
%2 = graph.reshape %x : tensor<16384x8192xf32> -> tensor<16384x128x64xf32>
%3 = graph.reduce sum %2 dims [2] : tensor<16384x128x64xf32> -> tensor<16384x128xf32>
%s = graph.reduce sum %3 dims [1] : tensor<16384x128xf32> -> tensor<16384xf32>
```
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from xdsl.dialects.func import ReturnOp
from xdsl.ir import Block, Operation, SSAValue

from fusir.analysis.bytes import element_bytes
from fusir.analysis.space import Space, keeps_flat_index
from fusir.dialects.graph import PermuteOp, PointwiseOp, ReduceOp, dims_of, element_type_of
from fusir.transforms.graph.fusion.cost import MAX_WALKED_ROW
from fusir.transforms.graph.reduction_parts import SPLITTABLE, Parts

TARGET_PROGRAMS = 264
"""Most programs that walk over whole rows: two for each multiprocessor of an H200, all resident at once."""

LEAST_PROGRAMS = 132
"""Fewest programs that walk over rows, one for each multiprocessor; fewer leave the reductions to other kernels."""

INTERLEAVED_ROW = 1024
"""Columns from which the rows of a program are every n-th one: the programs read neighbouring rows at a time."""

TILE_COLUMNS = 1024
"""Columns of a program where long rows are cut."""

TRANSPOSED_BYTES = 256
"""Bytes of a row of a program where rows are stored transposed: 64 columns in float."""

TILE_ROWS = 512
"""Most rows that a program walks where rows are cut: 8 steps."""

TILE_PROGRAMS = 1056
"""Programs down to which a program walks more rows: eight for each multiprocessor."""

TILE_STEP = 64
"""Rows of a step there; the rows of a program are a multiple of them if possible."""

PARTIAL_SHARE = 4
"""The partial results may take at most this part (one quarter) of the traffic that is saved."""

MAX_READERS = 32
"""Reductions that read a tensor, in program order, among which the rows of its columns are looked for."""

MAX_CONE = 256
"""Ops around a reduction that are searched for the tensors that it reads, and for those that depend on it."""


@dataclass(frozen=True)
class Cut:
    """A reduction that is cut."""

    reduce: ReduceOp
    parts: Parts


@dataclass(frozen=True)
class Whole:
    """A reduction that is not cut, though rows and columns of a tensor are reduced, and why."""

    reduce: ReduceOp
    reason: str


@dataclass
class _Family:
    """A column reduction and the row reductions of tensors that it reads."""

    columns: ReduceOp
    run: tuple[int, int]
    """The reduced dims of the column reduction, as (first, last)."""
    rows: list[ReduceOp] = field(default_factory=list)
    shared: list[SSAValue] = field(default_factory=list)
    """The tensors that both read."""

    @property
    def extents(self) -> list[int]:
        return _static(self.columns) or []

    @property
    def length(self) -> int:
        """The rows that the column reduction folds."""
        return math.prod(self.extents[self.run[0] : self.run[1] + 1])

    @property
    def width(self) -> int:
        """The columns."""
        return math.prod(self.extents[self.run[1] + 1 :])

    @property
    def outer(self) -> int:
        return math.prod(self.extents[: self.run[0]])


def plan_cuts(reductions: Sequence[ReduceOp]) -> list[Cut | Whole]:
    """Which of the reductions of one block, given in program order, to cut, and which not."""
    cuts: dict[ReduceOp, Cut | Whole] = {}
    for family in _families(reductions):
        transposed = [value for value in family.shared if _is_transposed(value)]
        is_tiled = (transposed or family.width > MAX_WALKED_ROW) and all(_may_cut(rows) for rows in family.rows)
        widest = max((element_bytes(element_type_of(value)) for value in transposed), default=0)
        parts = _tiles(family, TRANSPOSED_BYTES // widest if widest else TILE_COLUMNS) if is_tiled else None
        if parts is not None:
            cuts[family.columns] = Cut(family.columns, Parts(*family.run, parts[0]))
            cuts |= {rows: Cut(rows, Parts(min(rows.dims), max(rows.dims), parts[1])) for rows in family.rows}
            continue
        programs = _whole_rows(family)
        if isinstance(programs, int):
            whole = Parts(*family.run, programs, family.width >= INTERLEAVED_ROW)
            cuts[family.columns] = Cut(family.columns, whole)
        else:
            cuts.setdefault(family.columns, Whole(family.columns, programs))
    return list(cuts.values())


def _families(reductions: Sequence[ReduceOp]) -> Iterator[_Family]:
    by_size: dict[int, list[ReduceOp]] = {}
    for reduce in reductions:
        extents = _static(reduce)
        if extents is not None and math.prod(extents) > 0:
            by_size.setdefault(math.prod(extents), []).append(reduce)
    for group in by_size.values():
        runs = {each: run for each in group if each.kind in SPLITTABLE and (run := _column_run(each)) is not None}
        if not runs or len(group) < 2:
            continue
        read = {reduce: _tensors_read(reduce) for reduce in group}
        readers: dict[SSAValue, list[ReduceOp]] = {}
        for reduce, tensors in read.items():
            for tensor in tensors:
                readers.setdefault(tensor, []).append(reduce)
        for columns, run in runs.items():
            family = _Family(columns, run)
            for tensor in read[columns]:
                rows = [each for each in readers[tensor][:MAX_READERS] if each is not columns]
                rows = [each for each in rows if _are_rows(each, columns)]
                if rows:
                    family.shared.append(tensor)
                family.rows += [each for each in rows if each not in family.rows]
            if family.rows:
                yield family


def _static(reduce: ReduceOp) -> list[int] | None:
    dims = dims_of(reduce.operand)
    extents = [dim for dim in dims if isinstance(dim, int)]
    return extents if len(extents) == len(dims) else None


def _count(value: SSAValue) -> int | None:
    """The elements of a tensor of static shape."""
    dims = [dim for dim in dims_of(value) if isinstance(dim, int)]
    return math.prod(dims) if len(dims) == len(dims_of(value)) else None


def _column_run(reduce: ReduceOp) -> tuple[int, int] | None:
    """The reduced dims of a column reduction as (first, last): neighbours, with columns after them."""
    extents = _static(reduce)
    dims = sorted(reduce.dims)
    if extents is None or not dims or dims != list(range(dims[0], dims[-1] + 1)):
        return None
    return (dims[0], dims[-1]) if math.prod(extents[dims[-1] + 1 :]) > 1 else None


def _are_rows(rows: ReduceOp, columns: ReduceOp) -> bool:
    """Whether one reduction folds the columns of each row that the other folds."""
    of_rows = Space.of(dims_of(rows.operand), rows.dims)
    of_columns = Space.of(dims_of(columns.operand), columns.dims)
    space = of_rows.cross(of_columns)
    return space is not None and space.is_columns(of_columns) and not space.parallel[_outer_factors(of_columns) :]


def _outer_factors(columns: Space) -> int:
    """The factors before the reduced ones: no other outer ones may be between rows and columns."""
    return next(i for i, factor in enumerate(columns.factors) if factor.reduced)


def _tensors_read(reduce: ReduceOp) -> list[SSAValue]:
    """The tensors with an element for each one that is reduced, of which these are computed."""
    count = _count(reduce.operand)
    found: list[SSAValue] = []
    pending = [reduce.operand]
    seen: set[SSAValue] = set(pending)
    while pending and len(seen) < MAX_CONE:
        value = pending.pop()
        operands = list(_operands(value.owner))
        if not operands:
            found.append(value)
        for operand in operands:
            if operand not in seen and _count(operand) == count:
                seen.add(operand)
                pending.append(operand)
    return found


def _operands(op: Operation | Block) -> Iterator[SSAValue]:
    """The values that a value is computed from at the same flat index; none of a tensor that is read."""
    if isinstance(op, PointwiseOp) or (isinstance(op, Operation) and op.operands and keeps_flat_index(op)):
        yield from op.operands


def _may_cut(rows: ReduceOp) -> bool:
    """Whether no tensor of the size of the operand depends on the results, and the parts can be combined."""
    dims = sorted(rows.dims)
    if rows.kind not in SPLITTABLE or dims != list(range(dims[0], dims[-1] + 1)):
        return False
    count = _count(rows.operand)
    pending: list[SSAValue] = [rows.result]
    seen: set[SSAValue] = set(pending)
    while pending:
        value = pending.pop()
        for use in value.uses:
            for result in use.operation.results:
                if result in seen:
                    continue
                of_result = _count(result)
                if of_result is None or of_result == count or len(seen) > MAX_CONE:
                    return False
                seen.add(result)
                pending.append(result)
    return True


def _is_transposed(value: SSAValue) -> bool:
    """Whether a transposed copy of the tensor may be stored: the result of a permute is returned."""
    permutes = [use.operation for use in value.uses if isinstance(use.operation, PermuteOp)]
    return any(isinstance(use.operation, ReturnOp) for op in permutes for use in op.result.uses)


def _whole_rows(family: _Family) -> int | str:
    """Into how many parts to cut the column reduction, so that programs walk over whole rows; or why not."""
    outer, length, width = family.outer, family.length, family.width
    if width > MAX_WALKED_ROW:
        return f"the results of {width} columns do not stay in registers"
    parts = max((n for n in _divisors(length) if n * outer <= TARGET_PROGRAMS), default=1)
    if parts < 2 or parts * outer < LEAST_PROGRAMS:
        return f"no {LEAST_PROGRAMS} to {TARGET_PROGRAMS} programs share {outer} times {length} rows evenly"
    if not _pays(family, outer * parts * width):
        return f"the partial results of {outer * parts} programs take too much of what one pass saves"
    return parts


def _tiles(family: _Family, most_columns: int) -> tuple[int, int] | None:
    """Into how many parts to cut the column reduction and the row reductions, so that programs walk over tiles.

    A tile has at most `most_columns` and at least half of them.
    """
    outer, length, width = family.outer, family.length, family.width
    columns = max((n for n in _divisors(width) if n <= most_columns), default=1)
    fitting = [n for n in _divisors(length) if TILE_STEP <= n <= TILE_ROWS]
    steps = [n for n in fitting if n % TILE_STEP == 0] or fitting
    if columns < most_columns // 2 or columns == width or not steps:
        return None
    tiles = outer * length * width // columns
    rows = max((n for n in steps if tiles // n >= TILE_PROGRAMS), default=min(steps))
    parts = length // rows, width // columns
    if parts[0] < 2 or tiles // rows < LEAST_PROGRAMS:
        return None
    partial = outer * (parts[0] * width + parts[1] * length * len(family.rows))
    return parts if _pays(family, partial) else None


def _pays(family: _Family, partial: int) -> bool:
    """Whether writing and reading so many partial results is little beside what is read once less."""
    saved = sum(math.prod(family.extents) * element_bytes(element_type_of(value)) for value in family.shared)
    width = max(4, *(element_bytes(element_type_of(each.operand)) for each in (family.columns, *family.rows)))
    return 2 * partial * width * PARTIAL_SHARE <= saved


def _divisors(number: int) -> list[int]:
    small = [n for n in range(1, math.isqrt(number) + 1) if number % n == 0]
    return sorted({*small, *(number // n for n in small)})
