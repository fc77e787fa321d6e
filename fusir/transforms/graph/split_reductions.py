"""`split-reductions`: a reduction that would keep few programs busy becomes two.

The reduced range is cut into parts that are reduced in parallel, then the partial results are reduced:

```
%s = graph.reduce sum %x dims [0] : tensor<1048576xf32> -> tensor<f32>
```
becomes
```
%0 = graph.reshape %x : tensor<1048576xf32> -> tensor<512x2048xf32>
%1 = graph.reduce sum %0 dims [1] : tensor<512x2048xf32> -> tensor<512xf32>
%s = graph.reduce sum %1 dims [0] : tensor<512xf32> -> tensor<f32>
```

The order of a float sum changes (it gets more exact: parts are shorter). A range without a good divisor is padded with
the value that changes nothing; the padding is a mask of the kernel. Half precision sums keep their partial results in
f32.

The position of an extremum is found in two steps as well. Each part gives its extremum and the position of that in the
part; the first part with the best extremum has the position:

```
%p = graph.reduce argmax %x dims [0] : tensor<1048576xf32> -> tensor<i64>
```
becomes
```
%0 = graph.reshape %x : tensor<1048576xf32> -> tensor<256x4096xf32>
%v = graph.reduce max %0 dims [1] : tensor<256x4096xf32> -> tensor<256xf32>
%i = graph.reduce argmax %0 dims [1] : tensor<256x4096xf32> -> tensor<256xi64>
%b = graph.reduce argmax %v dims [0] : tensor<256xf32> -> tensor<i64>
%p = %b * 4096 + graph.gather %i[%b] dims [0]
```
Of equal elements the first still wins, and so does the first NaN: its part is the first whose extremum is NaN. A padded
element is behind all others. Reductions of one operand over the same dims share its parts and their extrema.

A reduction over rows as well of what depends on a reduction of each row is cut there, whatever its size: the row is at
hand in the kernel that reduces it. So a loss over log probabilities needs them nowhere but in registers:

```
%m = graph.reduce max %x dims [1] : tensor<4096x1000xf32> -> tensor<4096xf32>
%y = graph.sub %x, (graph.broadcast %m dims [0])
%s = graph.reduce sum %y dims [0, 1] : tensor<4096x1000xf32> -> tensor<f32>
```
becomes
```
%0 = graph.reduce sum %y dims [1] : tensor<4096x1000xf32> -> tensor<4096xf32>
%s = graph.reduce sum %0 dims [0] : tensor<4096xf32> -> tensor<f32>
```
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, f32, i64
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from fusir.dialects import graph
from fusir.dialects.graph import Dim, dims_of, element_type_of, is_float, is_half, is_unsigned, tensor_type
from fusir.remarks import remark

BUSY_PROGRAMS = 132
"""Programs below which a reduction is split: one for each multiprocessor of an H200."""

TARGET_PROGRAMS = 528
"""Programs that a split reduction is cut into: four for each multiprocessor."""

COLUMN_BLOCK = 64
"""Neighbouring columns that one program reduces together where the reduced dim is not contiguous."""

MIN_ROW_PART = 4096
"""Least contiguous elements that one program reduces: one step of a looped reduction."""

MIN_COLUMN_PART = 32
"""Least rows that one program of a column reduction reduces: one step."""

MAX_SHORT_ROW = 32768
"""Contiguous elements up to which one program reduces a row: it reads them in about the time of a second launch."""

MAX_CONE = 64
"""Values behind the operand of a reduction among which a reduction of its rows is looked for."""

_EXTREMUM = {"argmax": "max", "argmin": "min"}
"""The reduction whose position an arg reduction gives."""


@dataclass(frozen=True)
class SplitReductionsPass(ModulePass):
    """Split the reductions at the top level of every function that would keep few programs busy."""

    name = "split-reductions"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        splitter = _Splitter()
        for reduce in [inner for inner in op.walk() if isinstance(inner, graph.ReduceOp)]:
            rows = decide_rows(reduce)
            if rows is not None:
                message = f"{reduce.kind} over {_text(reduce)}: first over dims {list(rows)}, where rows are reduced"
                remark("schedule", self.name, message, reduce.location)
                reduce = split_rows(reduce, rows)
            parts = decide_parts(reduce)
            if parts is not None:
                location = reduce.location
                message = f"{reduce.kind} over {_text(reduce)} in {parts.count} parts, then over the parts"
                splitter.split(reduce, parts)
                remark("schedule", self.name, message, location)


@dataclass(frozen=True)
class Parts:
    """How a reduction is cut: the neighbouring reduced dims `first..last` together, into `count` parts."""

    first: int
    last: int
    count: int


def decide_parts(reduce: graph.ReduceOp) -> Parts | None:
    """How to cut a reduction; None leaves it whole."""
    dims = dims_of(reduce.operand)
    if not all(isinstance(dim, int) for dim in dims):
        return None
    if isinstance(reduce.parent_op(), graph.FusionOp):
        return None
    extents = _static(dims)
    if math.prod(extents) == 0:
        return None
    runs = _runs(reduce.dims)
    if str(reduce.kind) in _EXTREMUM and len(runs) > 1:
        # The parts would not follow each other in the order in which positions count.
        return None
    first, last = max(runs, key=lambda run: math.prod(extents[run[0] : run[1] + 1]))
    length = math.prod(extents[first : last + 1])
    columns = math.prod(extents[max(reduce.dims) + 1 :])
    rows = math.prod(extents[i] for i in range(len(extents)) if i not in reduce.dims) // columns
    contiguous = columns == 1
    programs = rows if contiguous else rows * -(-columns // COLUMN_BLOCK)
    if programs >= BUSY_PROGRAMS:
        return None
    if contiguous and length <= MAX_SHORT_ROW:
        return None
    least = MIN_ROW_PART if contiguous else MIN_COLUMN_PART
    most_parts = length // least
    parts = min(_power_of_two_below(most_parts), _power_of_two_below(TARGET_PROGRAMS // programs))
    return Parts(first, last, parts) if parts >= 2 else None


def decide_rows(reduce: graph.ReduceOp) -> tuple[int, ...] | None:
    """The dims of a row, if a reduction covers whole rows and its operand depends on a reduction of each of them."""
    dims = dims_of(reduce.operand)
    if str(reduce.kind) in _EXTREMUM or isinstance(reduce.parent_op(), graph.FusionOp):
        return None
    seen: set[SSAValue] = set()
    pending: list[SSAValue] = [reduce.operand]
    while pending and len(seen) < MAX_CONE:
        value = pending.pop()
        if value in seen:
            continue
        seen.add(value)
        op = value.owner
        if isinstance(op, graph.ReduceOp):
            if set(op.dims) < set(reduce.dims) and dims_of(op.operand) == dims:
                return op.dims
        elif isinstance(op, graph.PointwiseOp | graph.BroadcastOp | graph.ReshapeOp):
            pending.extend(op.operands)
    return None


def split_rows(reduce: graph.ReduceOp, rows: tuple[int, ...]) -> graph.ReduceOp:
    """Replace a reduction by one over the dims `rows`, then one over the others, which is returned."""
    new = _Inserter(reduce)
    value = reduce.operand
    element = element_type_of(value)
    if is_half(element) and reduce.kind in ("sum", "prod"):
        value = new.add(graph.ConvertOp(value, f32))
    inner = new.add(graph.ReduceOp(reduce.kind, value, rows))
    rest = [dim - sum(row < dim for row in rows) for dim in reduce.dims if dim not in rows]
    outer = graph.ReduceOp(reduce.kind, inner, rest)
    result = new.add(outer)
    if element_type_of(result) != element:
        result = new.add(graph.ConvertOp(result, element))
    _replace(reduce, result)
    return outer


def _replace(reduce: graph.ReduceOp, value: SSAValue) -> None:
    value.name_hint = reduce.result.name_hint
    reduce.result.replace_all_uses_with(value)
    reduce.detach()
    reduce.erase()


@dataclass
class _Splitter:
    """Cuts reductions in two. What is made of one operand is made once."""

    values: dict[object, SSAValue] = field(default_factory=dict)
    """Parts and partial results by what they are."""

    def split(self, reduce: graph.ReduceOp, parts: Parts) -> None:
        """Replace the reduction by one over each of the parts, then one over the parts."""
        new = _Inserter(reduce)
        kind, element = str(reduce.kind), element_type_of(reduce.operand)
        position = sum(1 for dim in range(parts.first) if dim not in reduce.dims)
        extremum = _EXTREMUM.get(kind)
        if extremum is not None:
            value = self._position(new, reduce, parts, kind, extremum, position)
        else:
            value = new.add(graph.ReduceOp(kind, self._partial(new, reduce, parts, kind), [position]))
            if element_type_of(value) != element:
                value = new.add(graph.ConvertOp(value, element))
        _replace(reduce, value)

    def _partial(self, new: _Inserter, reduce: graph.ReduceOp, parts: Parts, kind: str) -> SSAValue:
        """The reduction of each part; `kind` is that of `reduce`, or that of the extremum whose position it gives."""
        key = (reduce.operand, reduce.parent, reduce.dims, parts, kind)
        if key not in self.values:
            cut = self._cut(new, reduce, parts, _EXTREMUM.get(kind, kind))
            # Positions in the cut operand, where the dims from `first` to `last` are the parts and their elements.
            merged = parts.last - parts.first
            outside = [dim for dim in reduce.dims if not parts.first <= dim <= parts.last]
            moved = [dim if dim < parts.first else dim + 1 - merged for dim in outside]
            self.values[key] = new.add(graph.ReduceOp(kind, cut, sorted([*moved, parts.first + 1])))
        return self.values[key]

    def _cut(self, new: _Inserter, reduce: graph.ReduceOp, parts: Parts, kind: str) -> SSAValue:
        """The operand with the dims to cut as parts by elements, in the type of the partial results."""
        key = (reduce.operand, reduce.parent, parts, kind)
        if key in self.values:
            return self.values[key]
        value: SSAValue = reduce.operand
        if is_half(element_type_of(value)) and kind in ("sum", "prod"):
            value = new.add(graph.ConvertOp(value, f32))
        extents = _static(dims_of(value))
        length = math.prod(extents[parts.first : parts.last + 1])
        head, tail = extents[: parts.first], extents[parts.last + 1 :]
        size = -(-length // parts.count)
        padding = parts.count * size - length
        if padding:
            if parts.last > parts.first:
                value = new.add(graph.ReshapeOp(value, [*head, length, *tail]))
            low = [0] * (len(head) + 1 + len(tail))
            high = [padding if i == parts.first else 0 for i in range(len(low))]
            value = new.add(graph.PadOp(value, low, high, _neutral(kind, element_type_of(value))))
        value = new.add(graph.ReshapeOp(value, [*head, parts.count, size, *tail]))
        self.values[key] = value
        return value

    def _position(
        self, new: _Inserter, reduce: graph.ReduceOp, parts: Parts, kind: str, extremum: str, position: int
    ) -> SSAValue:
        """The position of the extremum: that in the first part that has it, behind the parts before."""
        extrema = self._partial(new, reduce, parts, extremum)
        inside = self._partial(new, reduce, parts, kind)
        best = new.add(graph.ReduceOp(kind, extrema, [position]))
        kept = dims_of(best)
        places = [
            best if dim == position else new.add(graph.IotaOp(dim - (dim > position), tensor_type(i64, kept)))
            for dim in range(len(kept) + 1)
        ]
        found = new.add(graph.GatherOp(inside, places, range(len(places))))
        extents = _static(dims_of(reduce.operand))
        size = -(-math.prod(extents[parts.first : parts.last + 1]) // parts.count)
        before = new.add(graph.MulOp(best, new.add(graph.FullOp(size, tensor_type(i64, kept)))))
        return new.add(graph.AddOp(before, found))


@dataclass
class _Inserter:
    """Inserts ops in front of a reduction, with its location."""

    reduce: graph.ReduceOp

    def add(self, op: Operation) -> SSAValue:
        op.location = self.reduce.location
        Rewriter.insert_op(op, InsertPoint.before(self.reduce))
        return op.results[0]


def _static(dims: Sequence[Dim]) -> list[int]:
    """Dims of which none is symbolic."""
    return [dim for dim in dims if isinstance(dim, int)]


def _runs(dims: Sequence[int]) -> list[tuple[int, int]]:
    """The reduced dims in runs of neighbours, each as (first, last)."""
    runs: list[tuple[int, int]] = []
    for dim in sorted(dims):
        if runs and runs[-1][1] == dim - 1:
            runs[-1] = (runs[-1][0], dim)
        else:
            runs.append((dim, dim))
    return runs


def _neutral(kind: str, element: Attribute) -> float | int | bool:
    """The value that changes nothing in a reduction."""
    if kind in ("sum", "any"):
        return 0.0 if is_float(element) else False if kind == "any" else 0
    if kind in ("prod", "all"):
        return 1.0 if is_float(element) else True if kind == "all" else 1
    if is_float(element):
        return -math.inf if kind == "max" else math.inf
    width = element.width.data  # pyright: ignore
    if is_unsigned(element):
        return 0 if kind == "max" else (1 << width) - 1
    return -(1 << (width - 1)) if kind == "max" else (1 << (width - 1)) - 1


def _power_of_two_below(count: int) -> int:
    """The largest power of two that is at most `count`; 1 for less."""
    return 1 << max(0, count.bit_length() - 1)


def _text(reduce: graph.ReduceOp) -> str:
    extents = dims_of(reduce.operand)
    return "x".join(str(extents[dim]) for dim in reduce.dims)
