"""`split-scans`: a scan of few long rows is cut into parts that keep the device busy.

The parts are reduced, the totals of the parts before each one are folded, and each part is scanned from there:

```
%p = graph.scan sum %x dim 0 : tensor<16777216xf32>
```
becomes
```
%0 = graph.reshape %x : tensor<16777216xf32> -> tensor<1024x16384xf32>
%1 = graph.reduce sum %0 dims [1] : tensor<1024x16384xf32> -> tensor<1024xf32>
%2 = graph.slice %1 starts [0] steps [1] : tensor<1024xf32> -> tensor<1023xf32>
%3 = graph.pad %2 low [1] high [0] value 0.0 : tensor<1023xf32> -> tensor<1024xf32>
%4 = graph.scan sum %3 dim 0 : tensor<1024xf32>
%5 = graph.broadcast %4 dims [0] : tensor<1024xf32> -> tensor<1024x16384xf32>
%6 = graph.scan sum %0 dim 1 : tensor<1024x16384xf32>
%7 = graph.add %5, %6 : tensor<1024x16384xf32>
%p = graph.reshape %7 : tensor<1024x16384xf32> -> tensor<16777216xf32>
```
These are three kernels: `%1`, `%4` and `%7`, which read the elements twice and write them once, in an order that does
not change from run to run. The order of a float sum does change (it gets more exact: parts are shorter). A length
without a good divisor stays whole.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, f32
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from fusir.dialects import graph
from fusir.dialects.graph import ReduceKind, dims_of, element_type_of, is_half
from fusir.remarks import remark
from fusir.transforms.graph.reduction_parts import neutral
from fusir.transforms.graph.split_reductions import BUSY_PROGRAMS, COLUMN_BLOCK

TARGET_PROGRAMS = 1056
"""Programs that a split scan is cut into: eight for each multiprocessor of an H200, of which five run at a time."""

MAX_PARTS = 4096
"""Most parts of a row, whose totals are scanned in one tile."""

MIN_ROW_PART = 4096
"""Least contiguous elements that one program scans: one step."""

MIN_COLUMN_PART = 128
"""Least rows that one program of a scan along columns walks: four steps."""

MAX_SHORT_ROW = 32768
"""Contiguous elements that one program scans in the time of three launches: eight steps."""

MAX_SHORT_COLUMN = 1024
"""Rows that one program of a scan along columns walks in the time of three launches."""

ALIGNED = 16
"""A divisor of the length of a contiguous part that keeps every part as aligned as the row: 16 bytes in any type."""

_COMBINATIONS: dict[ReduceKind, type[graph.BinaryOp]] = {
    ReduceKind.SUM: graph.AddOp,
    ReduceKind.PROD: graph.MulOp,
    ReduceKind.MAX: graph.MaximumOp,
    ReduceKind.MIN: graph.MinimumOp,
}
"""The op that folds two partial results."""

_WITH_POSITION = {ReduceKind.MAX: ReduceKind.ARGMAX, ReduceKind.MIN: ReduceKind.ARGMIN}


@dataclass(frozen=True)
class SplitScansPass(ModulePass):
    """Split the scans at the top level of every function that would keep few programs busy."""

    name = "split-scans"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for scan in [inner for inner in op.walk() if isinstance(inner, graph.ScanOp)]:
            parts = decide_parts(scan)
            if parts is not None:
                length = dims_of(scan.operand)[scan.dim]
                remark("schedule", self.name, f"prefixes ({scan.kind}) of {length} in {parts} parts", scan.location)
                split(scan, parts)


def decide_parts(scan: graph.ScanOp) -> int | None:
    """The number of parts to cut the scanned dim into; None leaves the scan whole."""
    dims = dims_of(scan.operand)
    extents = [dim for dim in dims if isinstance(dim, int)]
    if scan.kind not in _COMBINATIONS or len(extents) < len(dims) or isinstance(scan.parent_op(), graph.FusionOp):
        return None
    if math.prod(extents) == 0 or _finds_position(scan):
        return None
    length, columns = extents[scan.dim], math.prod(extents[scan.dim + 1 :])
    contiguous = columns == 1
    rows = math.prod(extents[: scan.dim])
    # A program takes a block of columns, of several rows where these have few.
    programs = rows if contiguous else -(-rows * columns // COLUMN_BLOCK)
    if programs >= BUSY_PROGRAMS or length <= (MAX_SHORT_ROW if contiguous else MAX_SHORT_COLUMN):
        return None
    wanted = TARGET_PROGRAMS * (1 if contiguous else COLUMN_BLOCK) // (rows * columns)
    most = min(MAX_PARTS, wanted, length // (MIN_ROW_PART if contiguous else MIN_COLUMN_PART))
    for part in (ALIGNED, 1) if contiguous else (1,):
        # Fewer than half of the parts would leave the device idle: then other ways are better.
        for parts in range(most, max(1, most // 2), -1):
            if length % (parts * part) == 0:
                return parts
    return None


def _finds_position(scan: graph.ScanOp) -> bool:
    """Whether the positions of the extrema are looked for too, with which these come."""
    kind = _WITH_POSITION.get(scan.kind)
    users = (use.operation for use in scan.operand.uses)
    return any(isinstance(user, graph.ScanOp) and user.kind is kind and user.dim == scan.dim for user in users)


def split(scan: graph.ScanOp, parts: int) -> None:
    """Replace the scan by one over each of `parts` parts of the dim, folded with the totals of the parts before."""
    before: list[Operation] = []

    def add(op: Operation) -> SSAValue:
        op.location = scan.location
        before.append(op)
        return op.results[0]

    dim, element = scan.dim, element_type_of(scan.operand)
    value: SSAValue = scan.operand
    widened = is_half(element) and scan.kind in (ReduceKind.SUM, ReduceKind.PROD)
    if widened:
        value = add(graph.ConvertOp(value, f32))
    extents = [extent for extent in dims_of(value) if isinstance(extent, int)]
    cut = [*extents[:dim], parts, extents[dim] // parts, *extents[dim + 1 :]]
    value = add(graph.ReshapeOp(value, cut))
    totals = add(graph.ReduceOp(scan.kind, value, [dim + 1]))
    outer = [*cut[: dim + 1], *cut[dim + 2 :]]
    # Shifted by one part: a part starts from the fold of those before it, the first one from nothing.
    starts, ends = [0] * len(outer), [0] * len(outer)
    (starts if scan.reverse else ends)[dim] = 1
    kept = [extent - (1 if i == dim else 0) for i, extent in enumerate(outer)]
    others = add(graph.SliceOp(totals, starts, [1] * len(outer), kept))
    shifted = add(graph.PadOp(others, ends, starts, neutral(str(scan.kind), element_type_of(value))))
    carries = add(graph.ScanOp(scan.kind, shifted, dim, scan.reverse))
    around = [i for i in range(len(cut)) if i != dim + 1]
    carries = add(graph.BroadcastOp(carries, around, cut))
    prefixes = add(graph.ScanOp(scan.kind, value, dim + 1, scan.reverse))
    folded = add(_COMBINATIONS[scan.kind](carries, prefixes))
    result = add(graph.ReshapeOp(folded, extents))
    if widened:
        result = add(graph.ConvertOp(result, element))
    result.name_hint = scan.result.name_hint
    Rewriter.insert_op(before, InsertPoint.before(scan))
    scan.result.replace_all_uses_with(result)
    Rewriter.erase_op(scan)
