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

So do reductions over rows and over columns of one tensor, for one pass over it: `split_both_ways.py`.

The order of a float sum changes (it gets more exact: parts are shorter). A range without a good divisor is padded with
the value that changes nothing; the padding is a mask of the kernel. Half precision sums keep their partial results in
f32.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, f32
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from fusir.analysis.devices import DEFAULT_MULTIPROCESSORS
from fusir.analysis.shared_axes import shared_programs
from fusir.dialects import graph
from fusir.dialects.graph import dims_of, element_type_of, is_float, is_half, is_unsigned, numel
from fusir.remarks import remark
from fusir.transforms.graph.fusion import cost
from fusir.transforms.graph.split_both_ways import SPLITTABLE, Whole, plan_cuts

BUSY_PROGRAMS = 132
"""Programs below which a reduction is split: one for each multiprocessor of an H200."""

TARGET_PROGRAMS = 528
"""Programs that a split reduction of columns is cut into: four for each multiprocessor."""

TARGET_ROW_PROGRAMS = 2112
"""Programs that a split reduction of rows is cut into: sixteen for each multiprocessor, so that the last ones end
together. The mean of 2^30 squared differences takes 1.92 ms on an H200 so, 1.95 with 528 programs."""

COLUMN_BLOCK = 64
"""Neighbouring columns that one program reduces together where the reduced dim is not contiguous."""

MIN_ROW_PART = 4096
"""Least contiguous elements that one program reduces: one step of a looped reduction."""

MIN_COLUMN_PART = 32
"""Least rows that one program of a column reduction reduces: one step."""

MAX_SHORT_ROW = 32768
"""Contiguous elements up to which one program reduces a row: it reads them in about the time of a second launch."""


@dataclass(frozen=True)
class SplitReductionsPass(ModulePass):
    """Split the reductions at the top level of every function that would keep few programs busy."""

    name = "split-reductions"

    multiprocessors: int = DEFAULT_MULTIPROCESSORS
    """Of the GPU: as many programs may share a row."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        reductions = [inner for inner in op.walk() if isinstance(inner, graph.ReduceOp)]
        cuts = self._both_ways(reductions)
        for reduce in reductions:
            parts = decide_parts(reduce, self.multiprocessors) if reduce not in cuts else None
            if parts is not None:
                location = reduce.location
                message = f"{reduce.kind} over {_text(reduce)} in {parts[2]} parts, then over the parts"
                split(reduce, *parts)
                remark("schedule", self.name, message, location)

    def _both_ways(self, reductions: Sequence[graph.ReduceOp]) -> set[graph.ReduceOp]:
        """Cut reductions of tensors whose rows and columns are reduced, so that one pass reads these tensors."""
        by_block: dict[Block | None, list[graph.ReduceOp]] = {}
        for reduce in reductions:
            if not isinstance(reduce.parent_op(), graph.FusionOp):
                by_block.setdefault(reduce.parent, []).append(reduce)
        done: set[graph.ReduceOp] = set()
        for cut in [each for group in by_block.values() for each in plan_cuts(group)]:
            location, what = cut.reduce.location, f"{cut.reduce.kind} over {_text(cut.reduce)}"
            if isinstance(cut, Whole):
                message = f"{what} not in one pass over rows and columns: {cut.reason}"
            else:
                split(cut.reduce, cut.first, cut.last, cut.parts, cut.is_interleaved)
                message = f"{what} in {cut.parts} parts, for one pass over rows and columns"
                done.add(cut.reduce)
            remark("schedule", self.name, message, location)
        return done


def decide_parts(reduce: graph.ReduceOp, multiprocessors: int = DEFAULT_MULTIPROCESSORS) -> tuple[int, int, int] | None:
    """The neighbouring reduced dims `first..last` to cut and the number of parts; None leaves the reduction whole.

    Rows that are read again when their reduction is known are left whole too: several programs share them
    (`loop-schedule`) and keep them in registers meanwhile.
    """
    dims = dims_of(reduce.operand)
    if reduce.kind not in SPLITTABLE or not all(isinstance(dim, int) for dim in dims):
        return None
    if isinstance(reduce.parent_op(), graph.FusionOp):
        return None
    extents = [dim for dim in dims if isinstance(dim, int)]
    if math.prod(extents) == 0:
        return None
    runs = _runs(reduce.dims)
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
    whole = math.prod(extents[dim] for dim in reduce.dims)
    shared = shared_programs(whole, rows, multiprocessors) if contiguous else 0
    if shared >= cost.BUSY_PROGRAMS and _returns_to_rows(reduce):
        return None
    least = MIN_ROW_PART if contiguous else MIN_COLUMN_PART
    most_parts = length // least
    target = TARGET_ROW_PROGRAMS if contiguous else TARGET_PROGRAMS
    parts = min(_power_of_two_below(most_parts), _power_of_two_below(target // programs))
    return (first, last, parts) if parts >= 2 else None


def _returns_to_rows(reduce: graph.ReduceOp) -> bool:
    """Whether something of the size of the operand is made of the reduced values, and not reduced again itself."""
    count = numel(dims_of(reduce.operand))
    seen: set[tuple[Operation, bool]] = set()
    waiting = [(use.operation, False) for use in reduce.result.uses]
    while waiting:
        op, is_row = waiting.pop()
        if (op, is_row) in seen or isinstance(op, graph.ReduceOp):
            continue
        seen.add((op, is_row))
        if isinstance(op, graph.PointwiseOp | graph.ViewOp):
            is_row |= isinstance(op, graph.BroadcastOp) and numel(dims_of(op.result)) == count
            waiting += [(use.operation, is_row) for use in op.results[0].uses]
        elif is_row:
            return True
    return False


def split(reduce: graph.ReduceOp, first: int, last: int, parts: int, is_interleaved: bool = False) -> None:
    """Replace the reduction by one over each of `parts` parts of the dims `first..last`, then one over the parts.

    A part is a run of neighbours, or interleaved: every `parts`-th element.
    """
    location = reduce.location
    before: list[Operation] = []

    def add(op: Operation) -> SSAValue:
        op.location = location
        before.append(op)
        return op.results[0]

    value: SSAValue = reduce.operand
    element = element_type_of(value)
    widened = is_half(element) and reduce.kind in ("sum", "prod")
    if widened:
        value = add(graph.ConvertOp(value, f32))
    extents = [dim for dim in dims_of(value) if isinstance(dim, int)]
    length = math.prod(extents[first : last + 1])
    head, tail = extents[:first], extents[last + 1 :]
    size = -(-length // parts)
    padding = parts * size - length
    if padding:
        if last > first:
            value = add(graph.ReshapeOp(value, [*head, length, *tail]))
        low = [0] * (len(head) + 1 + len(tail))
        high = [padding if i == first else 0 for i in range(len(low))]
        value = add(graph.PadOp(value, low, high, neutral(str(reduce.kind), element_type_of(value))))
    cut = [size, parts] if is_interleaved else [parts, size]
    value = add(graph.ReshapeOp(value, [*head, *cut, *tail]))
    # Positions after the reshape: the dims from `first` to `last` are now the parts and their elements.
    moved = {dim: dim if dim < first else dim + 1 - (last - first) for dim in reduce.dims if not first <= dim <= last}
    value = add(graph.ReduceOp(reduce.kind, value, sorted([*moved.values(), first if is_interleaved else first + 1])))
    position = sum(1 for dim in range(first) if dim not in reduce.dims)
    value = add(graph.ReduceOp(reduce.kind, value, [position]))
    if widened:
        value = add(graph.ConvertOp(value, element))
    value.name_hint = reduce.result.name_hint
    Rewriter.insert_op(before, InsertPoint.before(reduce))
    reduce.result.replace_all_uses_with(value)
    reduce.detach()
    reduce.erase()


def _runs(dims: Sequence[int]) -> list[tuple[int, int]]:
    """The reduced dims in runs of neighbours, each as (first, last)."""
    runs: list[tuple[int, int]] = []
    for dim in sorted(dims):
        if runs and runs[-1][1] == dim - 1:
            runs[-1] = (runs[-1][0], dim)
        else:
            runs.append((dim, dim))
    return runs


def neutral(kind: str, element: Attribute) -> float | int | bool:
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
