"""Pad and concat, and slices of them."""

from __future__ import annotations

from collections.abc import Sequence

from typing_extensions import override
from xdsl.ir import SSAValue

from fusir.dialects import graph
from fusir.dialects.graph import Dim
from fusir.transforms.graph.patterns.matching import producer
from fusir.transforms.graph.patterns.views import add
from fusir.transforms.graph.worklist import Builder, Pattern


def _all_static(*lists: Sequence[Dim]) -> bool:
    return all(isinstance(d, int) for dims in lists for d in dims)


class PadByNothing(Pattern[graph.PadOp]):
    """A pad of no elements is its operand."""

    ops = (graph.PadOp,)

    @override
    def apply(self, op: graph.PadOp, builder: Builder) -> SSAValue | None:
        return op.operand if all(amount == 0 for amount in (*op.low, *op.high)) else None


class PadOfFull(Pattern[graph.PadOp]):
    """A pad of `full c` with c is a larger `full c`."""

    ops = (graph.PadOp,)

    @override
    def apply(self, op: graph.PadOp, builder: Builder) -> SSAValue | None:
        full = producer(op.operand, graph.FullOp)
        if full is None or full.value != op.value:
            return None
        return builder.value(graph.FullOp(op.value, op.result.type))


class PadOfPad(Pattern[graph.PadOp]):
    """`pad (pad x low a high b) low c high d` with one value is `pad x low a + c high b + d`."""

    ops = (graph.PadOp,)

    @override
    def apply(self, op: graph.PadOp, builder: Builder) -> SSAValue | None:
        inner = producer(op.operand, graph.PadOp)
        if inner is None or inner.value != op.value:
            return None
        low = [add(a, b) for a, b in zip(inner.low, op.low, strict=True)]
        high = [add(a, b) for a, b in zip(inner.high, op.high, strict=True)]
        return builder.value(graph.PadOp(inner.operand, low, high, op.value, result_dims=graph.dims_of(op.result)))


class SliceOfPad(Pattern[graph.SliceOp]):
    """A slice of a pad that reads elements of the padded tensor only is a slice of that tensor."""

    ops = (graph.SliceOp,)

    @override
    def apply(self, op: graph.SliceOp, builder: Builder) -> SSAValue | None:
        pad = producer(op.operand, graph.PadOp)
        if pad is None:
            return None
        source, target = graph.dims_of(pad.operand), graph.dims_of(op.result)
        starts: list[Dim] = []
        for start, step, size, low, extent in zip(op.starts, op.steps, target, pad.low, source, strict=True):
            if start == low and step == 1 and size == extent:
                starts.append(0)
                continue
            if not (isinstance(start, int) and isinstance(size, int) and isinstance(low, int)):
                return None
            if not isinstance(extent, int) or size == 0:
                return None
            if start < low or start - low + (size - 1) * step >= extent:
                return None
            starts.append(start - low)
        return builder.value(graph.SliceOp(pad.operand, starts, op.steps, target))


class ConcatOfOne(Pattern[graph.ConcatOp]):
    """A concat of one operand is the operand."""

    ops = (graph.ConcatOp,)

    @override
    def apply(self, op: graph.ConcatOp, builder: Builder) -> SSAValue | None:
        return op.inputs[0] if len(op.inputs) == 1 and op.inputs[0].type == op.result.type else None


class ConcatOfEmpty(Pattern[graph.ConcatOp]):
    """Operands without elements along the dim leave a concat, as long as one is left."""

    ops = (graph.ConcatOp,)

    @override
    def apply(self, op: graph.ConcatOp, builder: Builder) -> SSAValue | None:
        kept = [v for v in op.inputs if graph.dims_of(v)[op.dim] != 0]
        if len(kept) == len(op.inputs) or not kept:
            return None
        return builder.value(graph.ConcatOp(kept, op.dim, result_dim=graph.dims_of(op.result)[op.dim]))


class ConcatOfConcat(Pattern[graph.ConcatOp]):
    """`concat (concat x, y dim d), z dim d` is `concat x, y, z dim d`, if the inner result has no other use."""

    ops = (graph.ConcatOp,)

    @override
    def apply(self, op: graph.ConcatOp, builder: Builder) -> SSAValue | None:
        inputs: list[SSAValue] = []
        for value in op.inputs:
            inner = producer(value, graph.ConcatOp)
            if inner is not None and inner.dim == op.dim and inner.result.has_one_use():
                inputs.extend(inner.inputs)
            else:
                inputs.append(value)
        if len(inputs) == len(op.inputs):
            return None
        return builder.value(graph.ConcatOp(inputs, op.dim, result_dim=graph.dims_of(op.result)[op.dim]))


class ConcatOfSlices(Pattern[graph.ConcatOp]):
    """A concat of consecutive slices of one tensor along the dim is one slice of it."""

    ops = (graph.ConcatOp,)

    @override
    def apply(self, op: graph.ConcatOp, builder: Builder) -> SSAValue | None:
        slices = [producer(v, graph.SliceOp) for v in op.inputs]
        first = slices[0]
        if first is None or not _all_static(first.starts) or any(s != 1 for s in first.steps):
            return None
        position = first.starts[op.dim]
        for piece in slices:
            if piece is None or piece.operand is not first.operand or piece.steps != first.steps:
                return None
            extent = graph.dims_of(piece.result)[op.dim]
            others_agree = all(
                a == b for i, (a, b) in enumerate(zip(piece.starts, first.starts, strict=True)) if i != op.dim
            )
            if not others_agree or piece.starts[op.dim] != position or not isinstance(extent, int):
                return None
            position = add(position, extent)
        return builder.value(graph.SliceOp(first.operand, first.starts, first.steps, graph.dims_of(op.result)))


class SliceOfConcat(Pattern[graph.SliceOp]):
    """A slice of a concat that reads one operand only is a slice of that operand."""

    ops = (graph.SliceOp,)

    @override
    def apply(self, op: graph.SliceOp, builder: Builder) -> SSAValue | None:
        concat = producer(op.operand, graph.ConcatOp)
        if concat is None:
            return None
        dim = concat.dim
        start, size = op.starts[dim], graph.dims_of(op.result)[dim]
        if not isinstance(start, int) or not isinstance(size, int) or size == 0:
            return None
        last = start + (size - 1) * op.steps[dim]
        for value in concat.inputs:
            extent = graph.dims_of(value)[dim]
            if not isinstance(extent, int):
                return None
            if start < extent:
                if last >= extent:
                    return None
                starts = [start if i == dim else s for i, s in enumerate(op.starts)]
                return builder.value(graph.SliceOp(value, starts, op.steps, graph.dims_of(op.result)))
            start, last = start - extent, last - extent
        return None


MOVEMENT = (
    PadByNothing(),
    PadOfFull(),
    PadOfPad(),
    SliceOfPad(),
    ConcatOfOne(),
    ConcatOfEmpty(),
    ConcatOfConcat(),
    ConcatOfSlices(),
    SliceOfConcat(),
)
