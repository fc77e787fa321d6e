"""Reductions and scans."""

from __future__ import annotations

from typing_extensions import override
from xdsl.ir import SSAValue

from fusir.analysis.expr import product
from fusir.dialects import graph
from fusir.dialects.graph import ReduceKind
from fusir.transforms.graph.patterns.matching import full_scalar, has_float_elements, producer
from fusir.transforms.graph.worklist import Builder, Pattern

_IDEMPOTENT = (ReduceKind.MAX, ReduceKind.MIN, ReduceKind.ANY, ReduceKind.ALL)
_POSITIONS = (ReduceKind.ARGMAX, ReduceKind.ARGMIN)


class ReduceOfUnits(Pattern[graph.ReduceOp]):
    """A reduction over dims of extent 1 is a reshape; the position of its extremum is 0."""

    ops = (graph.ReduceOp,)

    @override
    def apply(self, op: graph.ReduceOp, builder: Builder) -> SSAValue | None:
        dims = graph.dims_of(op.operand)
        if any(dims[d] != 1 for d in op.dims):
            return None
        if op.kind in _POSITIONS:
            return builder.value(graph.FullOp(0, op.result.type))
        return builder.value(graph.ReshapeOp(op.operand, graph.dims_of(op.result)))


class ReduceOfReduce(Pattern[graph.ReduceOp]):
    """A reduction of a reduction of the same kind is one over the dims of both, where no rounding lies between.

    Not for sums and products of half precision, whose inner result is rounded, nor for positions.
    """

    ops = (graph.ReduceOp,)

    @override
    def apply(self, op: graph.ReduceOp, builder: Builder) -> SSAValue | None:
        inner = producer(op.operand, graph.ReduceOp)
        if inner is None or inner.kind is not op.kind or op.kind in _POSITIONS or not inner.result.has_one_use():
            return None
        if op.kind not in _IDEMPOTENT and graph.is_half(graph.element_type_of(op.result)):
            return None
        kept = [i for i in range(len(graph.dims_of(inner.operand))) if i not in inner.dims]
        dims = sorted((*inner.dims, *(kept[d] for d in op.dims)))
        return builder.value(graph.ReduceOp(op.kind, inner.operand, dims))


class ReduceOfFull(Pattern[graph.ReduceOp]):
    """A reduction of `full c` over a known number n of elements: c for `max min any all`, `c * n` for sums of integers
    and of 0, 0 for positions. Empty ranges are left alone."""

    ops = (graph.ReduceOp,)

    @override
    def apply(self, op: graph.ReduceOp, builder: Builder) -> SSAValue | None:
        scalar = full_scalar(op.operand)
        dims = graph.dims_of(op.operand)
        count = product([dims[d] for d in op.dims])
        if scalar is None or not isinstance(count, int) or count == 0:
            return None
        if op.kind in _POSITIONS:
            scalar = 0
        elif op.kind is ReduceKind.SUM and (scalar == 0 or not has_float_elements(op.operand)):
            scalar = scalar * count
        elif op.kind not in _IDEMPOTENT:
            return None
        return builder.value(graph.FullOp(scalar, op.result.type))


class ScanOfUnit(Pattern[graph.ScanOp]):
    """A scan along a dim of extent 1 is its operand."""

    ops = (graph.ScanOp,)

    @override
    def apply(self, op: graph.ScanOp, builder: Builder) -> SSAValue | None:
        return op.operand if graph.dims_of(op.operand)[op.dim] == 1 else None


class ReverseOfScan(Pattern[graph.ReverseOp]):
    """Reversed prefixes are the prefixes of the reversed operand, from the other end if their dim is reversed.

    A reversal in front of a scan is a map of its loads; one behind it would need another kernel.
    """

    ops = (graph.ReverseOp,)

    @override
    def apply(self, op: graph.ReverseOp, builder: Builder) -> SSAValue | None:
        scan = producer(op.operand, graph.ScanOp)
        if scan is None or not scan.result.has_one_use():
            return None
        operand = builder.value(graph.ReverseOp(scan.operand, op.dims))
        return builder.value(graph.ScanOp(scan.kind, operand, scan.dim, scan.reverse != (scan.dim in op.dims)))


REDUCTIONS = (ReduceOfUnits(), ReduceOfReduce(), ReduceOfFull(), ScanOfUnit(), ReverseOfScan())
