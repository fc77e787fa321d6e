"""Laws that hold for wrapping integers only."""

from __future__ import annotations

from typing_extensions import override
from xdsl.dialects.builtin import i64
from xdsl.ir import SSAValue

from fusir.dialects import graph
from fusir.transforms.graph.patterns.matching import full_scalar, has_float_elements, producer, type_of
from fusir.transforms.graph.worklist import Builder, Pattern


class NeutralIntegerOperand(Pattern[graph.BinaryOp]):
    """`x + 0`, `x - 0`, `x | 0`, `x ^ 0`, `x << 0`, `x >> 0`, `x * 1`, `x / 1`, `floor_div(x, 1)` are `x`."""

    ops = (
        graph.AddOp,
        graph.SubOp,
        graph.OrOp,
        graph.XorOp,
        graph.ShlOp,
        graph.ShrOp,
        graph.MulOp,
        graph.DivOp,
        graph.FloorDivOp,
        graph.PowOp,
    )

    _ones = (graph.MulOp, graph.DivOp, graph.FloorDivOp, graph.PowOp)

    @override
    def apply(self, op: graph.BinaryOp, builder: Builder) -> SSAValue | None:
        scalar = full_scalar(op.rhs)
        if scalar is None or isinstance(scalar, float):
            return None
        return op.lhs if scalar == (1 if isinstance(op, self._ones) else 0) else None


class AbsorbingIntegerOperand(Pattern[graph.BinaryOp]):
    """`x * 0`, `x & 0`, `rem(x, 1)` and `mod(x, 1)` are `full 0`."""

    ops = (graph.MulOp, graph.AndOp, graph.RemOp, graph.ModOp)

    @override
    def apply(self, op: graph.BinaryOp, builder: Builder) -> SSAValue | None:
        scalar = full_scalar(op.rhs)
        if scalar is None or isinstance(scalar, float):
            return None
        if scalar != (1 if isinstance(op, (graph.RemOp, graph.ModOp)) else 0):
            return None
        return builder.value(graph.FullOp(0, type_of(op.lhs)))


class AllOnes(Pattern[graph.BinaryOp]):
    """With every bit set in c (true on i1): `x & c` is `x`, `x | c` is `c`, `x ^ c` is `not x`."""

    ops = (graph.AndOp, graph.OrOp, graph.XorOp)

    @override
    def apply(self, op: graph.BinaryOp, builder: Builder) -> SSAValue | None:
        scalar = full_scalar(op.rhs)
        element = graph.element_type_of(op.rhs)
        ones = True if graph.is_bool(element) else 255 if graph.is_unsigned(element) else -1
        if scalar is None or scalar != ones:
            return None
        match op:
            case graph.AndOp():
                return op.lhs
            case graph.OrOp():
                return op.rhs
            case _:
                return builder.value(graph.NotOp(op.lhs))


class Cancel(Pattern[graph.BinaryOp]):
    """`x - x` and `x ^ x` are `full 0` on integers (`inf - inf` is not)."""

    ops = (graph.SubOp, graph.XorOp)

    @override
    def apply(self, op: graph.BinaryOp, builder: Builder) -> SSAValue | None:
        if op.lhs is not op.rhs or has_float_elements(op.lhs):
            return None
        return builder.value(graph.FullOp(0, type_of(op.lhs)))


class ReassociateConstants(Pattern[graph.BinaryOp]):
    """`(x + a) + b` is `x + (a + b)`, and `(x * a) * b` is `x * (a * b)`, for constants a and b of an integer type."""

    ops = (graph.AddOp, graph.MulOp)

    @override
    def apply(self, op: graph.BinaryOp, builder: Builder) -> SSAValue | None:
        outer = full_scalar(op.rhs)
        inner = producer(op.lhs, type(op))
        if outer is None or isinstance(outer, float) or inner is None:
            return None
        scalar = full_scalar(inner.rhs)
        if scalar is None:
            return None
        total = scalar + outer if isinstance(op, graph.AddOp) else scalar * outer
        return builder.value(type(op)(inner.lhs, builder.insert(graph.FullOp(total, type_of(op.rhs)))))


class CompareIota(Pattern[graph.CompareOp]):
    """A comparison of `iota` with `full c` is `full`, where it is the same for all indices: no index is negative."""

    ops = (graph.CompareOp,)

    @override
    def apply(self, op: graph.CompareOp, builder: Builder) -> SSAValue | None:
        iota = producer(op.lhs, graph.IotaOp)
        scalar = full_scalar(op.rhs)
        if iota is None or scalar is None or graph.element_type_of(op.lhs) != i64:
            return None
        extent = graph.dims_of(op.lhs)[iota.dim]
        all_below = isinstance(extent, int) and extent <= scalar
        none_below = scalar <= 0
        none_above = isinstance(extent, int) and extent <= scalar + 1
        all_above = scalar < 0
        match op.predicate:
            case graph.ComparePredicate.LT:
                found = (all_below, none_below)
            case graph.ComparePredicate.GE:
                found = (none_below, all_below)
            case graph.ComparePredicate.LE:
                found = (none_above, all_above)
            case graph.ComparePredicate.GT:
                found = (all_above, none_above)
            case graph.ComparePredicate.EQ:
                found = (False, all_above or all_below)
            case graph.ComparePredicate.NE:
                found = (all_above or all_below, False)
        if not any(found):
            return None
        return builder.value(graph.FullOp(found[0], op.result.type))


INTEGERS = (
    NeutralIntegerOperand(),
    AbsorbingIntegerOperand(),
    AllOnes(),
    Cancel(),
    ReassociateConstants(),
    CompareIota(),
)
