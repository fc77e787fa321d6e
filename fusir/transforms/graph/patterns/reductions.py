"""Reductions and scans."""

from __future__ import annotations

import math

from typing_extensions import override
from xdsl.ir import SSAValue

from fusir.analysis.expr import product
from fusir.dialects import graph
from fusir.dialects.graph import ReduceKind, tensor_type
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
    """A scan along a dim of extent 1 is its operand; the position of its extremum is 0."""

    ops = (graph.ScanOp,)

    @override
    def apply(self, op: graph.ScanOp, builder: Builder) -> SSAValue | None:
        if graph.dims_of(op.operand)[op.dim] != 1:
            return None
        return builder.value(graph.FullOp(0, op.result.type)) if op.kind in _POSITIONS else op.operand


class ReverseOfScan(Pattern[graph.ReverseOp]):
    """Reversed prefixes are the prefixes of the reversed operand, from the other end if their dim is reversed.

    A reversal in front of a scan is a map of its loads; one behind it would need another kernel.
    """

    ops = (graph.ReverseOp,)

    @override
    def apply(self, op: graph.ReverseOp, builder: Builder) -> SSAValue | None:
        scan = _scan_of(op.operand)
        if scan is None or (scan.kind in _POSITIONS and scan.dim in op.dims):
            return None
        operand = builder.value(graph.ReverseOp(scan.operand, op.dims))
        moved = graph.ScanOp(scan.kind, operand, scan.dim, scan.reverse != (scan.dim in op.dims))
        return _rounded(builder, moved, op)


class SliceOfScan(Pattern[graph.SliceOp]):
    """The first prefixes are the prefixes of the first elements."""

    ops = (graph.SliceOp,)

    @override
    def apply(self, op: graph.SliceOp, builder: Builder) -> SSAValue | None:
        scan = _scan_of(op.operand)
        if scan is None or scan.reverse:
            return None
        if op.starts[scan.dim] != 0 or op.steps[scan.dim] != 1:
            return None
        operand = builder.value(graph.SliceOp(scan.operand, op.starts, op.steps, graph.dims_of(op.result)))
        return _rounded(builder, graph.ScanOp(scan.kind, operand, scan.dim), op)


class PadOfScan(Pattern[graph.PadOp]):
    """Prefixes behind a pad that changes nothing when folded in are the prefixes of the padded operand.

    So an exclusive scan, shifted prefixes, is one kernel: the pad of an operand is a mask of its loads.
    """

    ops = (graph.PadOp,)

    @override
    def apply(self, op: graph.PadOp, builder: Builder) -> SSAValue | None:
        scan = _scan_of(op.operand)
        if scan is None:
            return None
        identity = _identity(scan)
        if identity is None or op.scalar != identity:
            return None
        behind = op.low if scan.reverse else op.high
        if behind[scan.dim] != 0:
            return None
        operand = builder.value(graph.PadOp(scan.operand, op.low, op.high, op.scalar))
        return _rounded(builder, graph.ScanOp(scan.kind, operand, scan.dim, scan.reverse), op)


class ConcatOfScan(Pattern[graph.ConcatOp]):
    """Prefixes behind elements that change nothing when folded in are the prefixes of both together."""

    ops = (graph.ConcatOp,)

    @override
    def apply(self, op: graph.ConcatOp, builder: Builder) -> SSAValue | None:
        if len(op.operands) != 2:
            return None
        first, second = op.operands
        for filler, scanned, reverse in ((first, second, False), (second, first, True)):
            scan = _scan_of(scanned)
            if scan is None or scan.dim != op.dim or scan.reverse != reverse:
                continue
            identity = _identity(scan)
            if identity is not None and full_scalar(filler) == identity:
                element = graph.element_type_of(scan.operand)
                wide = builder.value(graph.FullOp(identity, tensor_type(element, graph.dims_of(filler))))
                parts = [scan.operand, wide] if reverse else [wide, scan.operand]
                operand = builder.value(graph.ConcatOp(parts, op.dim, result_dim=graph.dims_of(op.result)[op.dim]))
                return _rounded(builder, graph.ScanOp(scan.kind, operand, scan.dim, reverse), op)
        return None


def _scan_of(value: SSAValue) -> graph.ScanOp | None:
    """The scan whose prefixes are a value that has one use, or are rounded to half precision to give it."""
    if not value.has_one_use():
        return None
    convert = producer(value, graph.ConvertOp)
    if convert is not None and graph.is_half(graph.element_type_of(value)):
        value = convert.operand
    scan = producer(value, graph.ScanOp)
    return scan if scan is not None and value.has_one_use() and (convert is None or has_float_elements(value)) else None


def _rounded(builder: Builder, scan: graph.ScanOp, op: graph.GraphOp) -> SSAValue:
    """The prefixes in the precision of the op that they replace."""
    element = graph.element_type_of(op.results[0])
    prefixes = builder.value(scan)
    return prefixes if graph.element_type_of(prefixes) == element else builder.value(graph.ConvertOp(prefixes, element))


def _identity(scan: graph.ScanOp) -> graph.Scalar | None:
    """What changes nothing when it is folded in; None for an extremum of integers, and for positions."""
    match scan.kind:
        case ReduceKind.SUM:
            return 0
        case ReduceKind.PROD:
            return 1
        case ReduceKind.LOGSUMEXP:
            return -math.inf
        case ReduceKind.MAX | ReduceKind.MIN if has_float_elements(scan.operand):
            return -math.inf if scan.kind is ReduceKind.MAX else math.inf
        case _:
            return None


REDUCTIONS = (
    ReduceOfUnits(),
    ReduceOfReduce(),
    ReduceOfFull(),
    ScanOfUnit(),
    ReverseOfScan(),
    SliceOfScan(),
    PadOfScan(),
    ConcatOfScan(),
)
