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

A sum of squared deviations `(x - m)^2` from something that is the same for the whole range, as the mean is, takes the
deviations from the mean of each part, so that x is read once, before m is known (`reduction_parts.py`).

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
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass

from fusir.analysis.devices import DEFAULT_MULTIPROCESSORS
from fusir.analysis.shared_axes import shared_programs
from fusir.dialects import graph
from fusir.dialects.graph import dims_of, numel
from fusir.remarks import remark
from fusir.transforms.graph.fusion import cost
from fusir.transforms.graph.reduction_parts import EXTREMUM, SPLITTABLE, Parts, Splitter, split_rows
from fusir.transforms.graph.split_both_ways import Whole, plan_cuts

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

MAX_CONE = 64
"""Values behind the operand of a reduction among which a reduction of its rows is looked for."""


@dataclass(frozen=True)
class SplitReductionsPass(ModulePass):
    """Split the reductions at the top level of every function that would keep few programs busy."""

    name = "split-reductions"

    multiprocessors: int = DEFAULT_MULTIPROCESSORS
    """Of the GPU: as many programs may share a row."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        reductions = [inner for inner in op.walk() if isinstance(inner, graph.ReduceOp)]
        both_ways = self._both_ways(reductions)
        splitter = Splitter()
        for reduce in reductions:
            if (parts := both_ways.get(reduce)) is not None:
                splitter.split(reduce, parts)
                continue
            rows = decide_rows(reduce)
            if rows is not None:
                self._remark(reduce, f"first over dims {list(rows)}, where rows are reduced")
                reduce = split_rows(reduce, rows)
            parts = decide_parts(reduce, self.multiprocessors)
            if parts is not None:
                self._remark(reduce, f"in {parts.count} parts, then over the parts")
                splitter.split(reduce, parts)

    def _both_ways(self, reductions: Sequence[graph.ReduceOp]) -> dict[graph.ReduceOp, Parts]:
        """The cuts of reductions over rows and over columns of one tensor, so that one pass reads it."""
        by_block: dict[Block | None, list[graph.ReduceOp]] = {}
        for reduce in reductions:
            if not isinstance(reduce.parent_op(), graph.FusionOp):
                by_block.setdefault(reduce.parent, []).append(reduce)
        cuts: dict[graph.ReduceOp, Parts] = {}
        for cut in [each for group in by_block.values() for each in plan_cuts(group)]:
            if isinstance(cut, Whole):
                self._remark(cut.reduce, f"not in one pass over rows and columns: {cut.reason}")
            else:
                self._remark(cut.reduce, f"in {cut.parts.count} parts, for one pass over rows and columns")
                cuts[cut.reduce] = cut.parts
        return cuts

    def _remark(self, reduce: graph.ReduceOp, what: str) -> None:
        remark("schedule", self.name, f"{reduce.kind} over {_text(reduce)} {what}", reduce.location)


def decide_parts(reduce: graph.ReduceOp, multiprocessors: int = DEFAULT_MULTIPROCESSORS) -> Parts | None:
    """How to cut a reduction; None leaves it whole.

    Rows that are read again when their reduction is known are left whole too: several programs share them
    (`loop-schedule`) and keep them in registers meanwhile.
    """
    dims = dims_of(reduce.operand)
    extents = [dim for dim in dims if isinstance(dim, int)]
    if reduce.kind not in (*SPLITTABLE, *EXTREMUM) or isinstance(reduce.parent_op(), graph.FusionOp):
        return None
    if len(extents) < len(dims) or math.prod(extents) == 0:
        return None
    runs = _runs(reduce.dims)
    if str(reduce.kind) in EXTREMUM and len(runs) > 1:
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
    whole = math.prod(extents[dim] for dim in reduce.dims)
    shared = shared_programs(whole, rows, multiprocessors) if contiguous else 0
    if shared >= cost.BUSY_PROGRAMS and _returns_to_rows(reduce):
        return None
    least = MIN_ROW_PART if contiguous else MIN_COLUMN_PART
    most_parts = length // least
    target = TARGET_ROW_PROGRAMS if contiguous else TARGET_PROGRAMS
    parts = min(_power_of_two_below(most_parts), _power_of_two_below(target // programs))
    return Parts(first, last, parts) if parts >= 2 else None


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


def decide_rows(reduce: graph.ReduceOp) -> tuple[int, ...] | None:
    """The dims of a row, if a reduction covers whole rows and its operand depends on a reduction of each of them."""
    dims = dims_of(reduce.operand)
    if str(reduce.kind) in EXTREMUM or isinstance(reduce.parent_op(), graph.FusionOp):
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


def _runs(dims: Sequence[int]) -> list[tuple[int, int]]:
    """The reduced dims in runs of neighbours, each as (first, last)."""
    runs: list[tuple[int, int]] = []
    for dim in sorted(dims):
        if runs and runs[-1][1] == dim - 1:
            runs[-1] = (runs[-1][0], dim)
        else:
            runs.append((dim, dim))
    return runs


def _power_of_two_below(count: int) -> int:
    """The largest power of two that is at most `count`; 1 for less."""
    return 1 << max(0, count.bit_length() - 1)


def _text(reduce: graph.ReduceOp) -> str:
    extents = dims_of(reduce.operand)
    return "x".join(str(extents[dim]) for dim in reduce.dims)
