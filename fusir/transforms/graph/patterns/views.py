"""Views of views: reshape, permute, broadcast, slice, reverse."""

from __future__ import annotations

from collections.abc import Sequence

from typing_extensions import override
from xdsl.ir import SSAValue

from fusir.analysis.expr import product, simplify
from fusir.dialects import graph
from fusir.dialects.graph import Dim
from fusir.transforms.graph.patterns.matching import producer
from fusir.transforms.graph.worklist import Builder, Pattern


def without_units(dims: Sequence[Dim]) -> list[Dim]:
    """The dims that are not 1."""
    return [d for d in dims if d != 1]


def add(a: Dim, b: Dim) -> Dim:
    """The sum of two dims in normal form."""
    if isinstance(a, int) and isinstance(b, int):
        return a + b
    return graph.as_dim(simplify(graph.as_expr(a) + graph.as_expr(b)))


class IdentityView(Pattern[graph.ViewOp]):
    """A view that moves nothing is its operand: equal types, and no permutation, reversal, offset or step."""

    ops = (graph.ViewOp,)

    @override
    def apply(self, op: graph.ViewOp, builder: Builder) -> SSAValue | None:
        if op.operand.type != op.result.type:
            return None
        match op:
            case graph.PermuteOp():
                moves = any(i != p for i, p in enumerate(op.permutation))
            case graph.ReverseOp():
                moves = len(op.dims) > 0
            case graph.SliceOp():
                moves = any(s != 0 for s in op.starts) or any(s != 1 for s in op.steps)
            case _:
                moves = False
        return None if moves else op.operand


class ReshapeOfReshape(Pattern[graph.ReshapeOp]):
    """`reshape (reshape x)` is `reshape x`."""

    ops = (graph.ReshapeOp,)

    @override
    def apply(self, op: graph.ReshapeOp, builder: Builder) -> SSAValue | None:
        inner = producer(op.operand, graph.ReshapeOp)
        if inner is None:
            return None
        return builder.value(graph.ReshapeOp(inner.operand, graph.dims_of(op.result)))


class PermuteOfPermute(Pattern[graph.PermuteOp]):
    """`permute (permute x dims p) dims q` is `permute x dims p[q]`."""

    ops = (graph.PermuteOp,)

    @override
    def apply(self, op: graph.PermuteOp, builder: Builder) -> SSAValue | None:
        inner = producer(op.operand, graph.PermuteOp)
        if inner is None:
            return None
        permutation = inner.permutation
        return builder.value(graph.PermuteOp(inner.operand, [permutation[q] for q in op.permutation]))


class PermuteOfUnits(Pattern[graph.PermuteOp]):
    """A permutation that only moves dims of extent 1 is a reshape."""

    ops = (graph.PermuteOp,)

    @override
    def apply(self, op: graph.PermuteOp, builder: Builder) -> SSAValue | None:
        dims = graph.dims_of(op.operand)
        moved = [p for p in op.permutation if dims[p] != 1]
        if moved != sorted(moved):
            return None
        return builder.value(graph.ReshapeOp(op.operand, graph.dims_of(op.result)))


class BroadcastOfBroadcast(Pattern[graph.BroadcastOp]):
    """`broadcast (broadcast x dims p) dims q` is `broadcast x dims q[p]`."""

    ops = (graph.BroadcastOp,)

    @override
    def apply(self, op: graph.BroadcastOp, builder: Builder) -> SSAValue | None:
        inner = producer(op.operand, graph.BroadcastOp)
        if inner is None:
            return None
        outer_dims = op.dims
        return builder.value(graph.BroadcastOp(inner.operand, [outer_dims[p] for p in inner.dims], op.result.type))


class BroadcastByUnits(Pattern[graph.BroadcastOp]):
    """A broadcast that only inserts dims of extent 1 is a reshape."""

    ops = (graph.BroadcastOp,)

    @override
    def apply(self, op: graph.BroadcastOp, builder: Builder) -> SSAValue | None:
        dims = graph.dims_of(op.result)
        if without_units(graph.dims_of(op.operand)) != without_units(dims):
            return None
        return builder.value(graph.ReshapeOp(op.operand, dims))


class BroadcastOfUnitReshape(Pattern[graph.BroadcastOp]):
    """`broadcast (reshape x)` is `broadcast x` where the reshape only inserts dims of extent 1 into x."""

    ops = (graph.BroadcastOp,)

    @override
    def apply(self, op: graph.BroadcastOp, builder: Builder) -> SSAValue | None:
        inner = producer(op.operand, graph.ReshapeOp)
        if inner is None:
            return None
        source, middle = graph.dims_of(inner.operand), graph.dims_of(op.operand)
        places = [i for i, d in enumerate(middle) if d != 1]
        if list(source) != [middle[i] for i in places]:
            return None
        dims = op.dims
        return builder.value(graph.BroadcastOp(inner.operand, [dims[i] for i in places], op.result.type))


class SliceOfSlice(Pattern[graph.SliceOp]):
    """`slice (slice x starts a steps s) starts b steps t` is `slice x starts a + b * s steps s * t`."""

    ops = (graph.SliceOp,)

    @override
    def apply(self, op: graph.SliceOp, builder: Builder) -> SSAValue | None:
        inner = producer(op.operand, graph.SliceOp)
        if inner is None or 0 in graph.dims_of(op.result):
            return None
        starts = [add(a, product((b, s))) for a, b, s in zip(inner.starts, op.starts, inner.steps, strict=True)]
        steps = [s * t for s, t in zip(inner.steps, op.steps, strict=True)]
        return builder.value(graph.SliceOp(inner.operand, starts, steps, graph.dims_of(op.result)))


class SliceOfBroadcast(Pattern[graph.SliceOp]):
    """`slice (broadcast x)` is a smaller `broadcast x` where every sliced dim is one that the broadcast made."""

    ops = (graph.SliceOp,)

    @override
    def apply(self, op: graph.SliceOp, builder: Builder) -> SSAValue | None:
        inner = producer(op.operand, graph.BroadcastOp)
        if inner is None:
            return None
        before, after = graph.dims_of(op.operand), graph.dims_of(op.result)
        source = graph.dims_of(inner.operand)
        if 0 in after:
            return None
        starts, steps = op.starts, op.steps
        for extent, dim in zip(source, inner.dims, strict=True):
            kept = starts[dim] == 0 and steps[dim] == 1 and before[dim] == after[dim]
            if not kept and extent != 1:
                return None
        return builder.value(graph.BroadcastOp(inner.operand, inner.dims, op.result.type))


class ReverseOfReverse(Pattern[graph.ReverseOp]):
    """`reverse (reverse x dims p) dims q` reverses the dims that are in one of p and q but not in both."""

    ops = (graph.ReverseOp,)

    @override
    def apply(self, op: graph.ReverseOp, builder: Builder) -> SSAValue | None:
        inner = producer(op.operand, graph.ReverseOp)
        if inner is None:
            return None
        return builder.value(graph.ReverseOp(inner.operand, sorted(set(inner.dims) ^ set(op.dims))))


class ReverseOfConvertedReverse(Pattern[graph.ReverseOp]):
    """`reverse (convert (reverse x dims p)) dims q` is `convert (reverse (reverse x dims p) dims q)`."""

    ops = (graph.ReverseOp,)

    @override
    def apply(self, op: graph.ReverseOp, builder: Builder) -> SSAValue | None:
        convert = producer(op.operand, graph.ConvertOp)
        if convert is None or producer(convert.operand, graph.ReverseOp) is None:
            return None
        moved = builder.value(graph.ReverseOp(convert.operand, op.dims))
        return builder.value(graph.ConvertOp(moved, graph.element_type_of(op.result)))


class ReverseOfUnits(Pattern[graph.ReverseOp]):
    """Dims of extent 1 need not be reversed."""

    ops = (graph.ReverseOp,)

    @override
    def apply(self, op: graph.ReverseOp, builder: Builder) -> SSAValue | None:
        dims = graph.dims_of(op.operand)
        reversed_dims = [d for d in op.dims if dims[d] != 1]
        if len(reversed_dims) == len(op.dims):
            return None
        return builder.value(graph.ReverseOp(op.operand, reversed_dims))


VIEWS = (
    IdentityView(),
    ReshapeOfReshape(),
    PermuteOfPermute(),
    PermuteOfUnits(),
    BroadcastOfBroadcast(),
    BroadcastByUnits(),
    BroadcastOfUnitReshape(),
    SliceOfSlice(),
    SliceOfBroadcast(),
    ReverseOfReverse(),
    ReverseOfConvertedReverse(),
    ReverseOfUnits(),
)
