"""Constant folding, and where constants stand."""

from __future__ import annotations

from typing import cast

from typing_extensions import override
from xdsl.ir import SSAValue
from xdsl.traits import Commutative, is_side_effect_free

from fusir.dialects import graph
from fusir.transforms.graph.patterns.matching import full_scalar, producer
from fusir.transforms.graph.scalars import fold
from fusir.transforms.graph.worklist import Builder, Pattern

_SWAPPED = {"eq": "eq", "ne": "ne", "lt": "gt", "le": "ge", "gt": "lt", "ge": "le"}


class FoldPointwise(Pattern[graph.PointwiseOp]):
    """`f(full a, full b, ...)` is `full f(a, b, ...)`, rounded to the element type."""

    ops = (graph.PointwiseOp,)

    @override
    def apply(self, op: graph.PointwiseOp, builder: Builder) -> SSAValue | None:
        scalars: list[graph.Scalar] = []
        for operand in op.operands:
            scalar = full_scalar(operand)
            if scalar is None:
                return None
            scalars.append(scalar)
        value = fold(op, scalars)
        if value is None:
            return None
        return builder.value(graph.FullOp(value, cast(graph.AnyTensor, op.results[0].type)))


class FullOfView(Pattern[graph.ViewOp]):
    """A view of `full c` is `full c` of the view's shape."""

    ops = (graph.ViewOp,)

    @override
    def apply(self, op: graph.ViewOp, builder: Builder) -> SSAValue | None:
        full = producer(op.operand, graph.FullOp)
        return None if full is None else builder.value(graph.FullOp(full.value, op.result.type))


class NoElements(Pattern[graph.GraphOp]):
    """A tensor without elements is `full 0`: there is nothing to compute."""

    ops = (graph.GraphOp,)

    @override
    def apply(self, op: graph.GraphOp, builder: Builder) -> SSAValue | None:
        if len(op.results) != 1 or isinstance(op, (graph.FullOp, graph.FusionOp)):
            return None
        type_ = cast(graph.AnyTensor, op.results[0].type)
        if 0 not in graph.dims_of(type_) or not graph.is_native(type_.element_type):
            return None
        return builder.value(graph.FullOp(0, type_)) if is_side_effect_free(op) else None


class SplatConstant(Pattern[graph.ConstantOp]):
    """`constant dense<c>` with one value is `full c`."""

    ops = (graph.ConstantOp,)

    @override
    def apply(self, op: graph.ConstantOp, builder: Builder) -> SSAValue | None:
        if not op.value.is_splat():
            return None
        scalar = next(iter(op.value.get_values()))
        return builder.value(graph.FullOp(cast(graph.Scalar, scalar), op.result.type))


class ConstantOperandRight(Pattern[graph.BinaryOp]):
    """`f(full c, x)` is `f(x, full c)` for commutative f: a constant operand stands on the right."""

    ops = (graph.BinaryOp,)

    @override
    def apply(self, op: graph.BinaryOp, builder: Builder) -> SSAValue | None:
        if full_scalar(op.lhs) is None or full_scalar(op.rhs) is not None or not op.has_trait(Commutative):
            return None
        return builder.value(type(op)(op.rhs, op.lhs))


class ConstantCompareRight(Pattern[graph.CompareOp]):
    """`compare p (full c), x` is `compare q x, (full c)` with the mirrored predicate q."""

    ops = (graph.CompareOp,)

    @override
    def apply(self, op: graph.CompareOp, builder: Builder) -> SSAValue | None:
        if full_scalar(op.lhs) is None or full_scalar(op.rhs) is not None:
            return None
        return builder.value(graph.CompareOp(_SWAPPED[op.predicate], op.rhs, op.lhs))


class IotaOfUnitDim(Pattern[graph.IotaOp]):
    """An index along a dim of extent 1 is `full 0`."""

    ops = (graph.IotaOp,)

    @override
    def apply(self, op: graph.IotaOp, builder: Builder) -> SSAValue | None:
        if graph.dims_of(op.result)[op.dim] != 1:
            return None
        return builder.value(graph.FullOp(0, op.result.type))


class BroadcastOfIota(Pattern[graph.BroadcastOp]):
    """`broadcast (iota dim d) dims [..., e, ...]` is `iota dim e` where dim d becomes dim e."""

    ops = (graph.BroadcastOp,)

    @override
    def apply(self, op: graph.BroadcastOp, builder: Builder) -> SSAValue | None:
        iota = producer(op.operand, graph.IotaOp)
        if iota is None:
            return None
        target = op.dims[iota.dim]
        if graph.dims_of(op.operand)[iota.dim] != graph.dims_of(op.result)[target]:
            return None
        return builder.value(graph.IotaOp(target, op.result.type))


class PermuteOfIota(Pattern[graph.PermuteOp]):
    """`permute (iota dim d)` is the iota along the place to which dim d goes."""

    ops = (graph.PermuteOp,)

    @override
    def apply(self, op: graph.PermuteOp, builder: Builder) -> SSAValue | None:
        iota = producer(op.operand, graph.IotaOp)
        if iota is None:
            return None
        return builder.value(graph.IotaOp(op.permutation.index(iota.dim), op.result.type))


CONSTANTS = (
    NoElements(),
    SplatConstant(),
    IotaOfUnitDim(),
    FoldPointwise(),
    FullOfView(),
    ConstantOperandRight(),
    ConstantCompareRight(),
    BroadcastOfIota(),
    PermuteOfIota(),
)
