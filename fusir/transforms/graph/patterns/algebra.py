"""Arithmetic on floats and integers.

Every law holds bit for bit in IEEE arithmetic, with infinities, NaN (without its payload) and signed zeros, and in
wrapping integers.
"""

from __future__ import annotations

import math
from typing import ClassVar

from typing_extensions import override
from xdsl.dialects.builtin import AnyFloat
from xdsl.ir import Attribute, SSAValue

from fusir.dialects import graph
from fusir.transforms.graph.patterns.matching import full_scalar, has_float_elements, is_full, producer, type_of
from fusir.transforms.graph.worklist import Builder, Pattern

_IDEMPOTENT = (graph.AbsOp, graph.ReluOp, graph.SignOp)
_INTEGRAL = (graph.FloorOp, graph.CeilOp, graph.RoundOp, graph.TruncOp)


class NeutralFloatOperand(Pattern[graph.BinaryOp]):
    """`x * 1`, `x / 1`, `x - 0.0`, `x + -0.0` and `pow(x, 1)` are `x`. (`x + 0.0` is not: it turns -0.0 into 0.0.)"""

    ops = (graph.MulOp, graph.DivOp, graph.SubOp, graph.AddOp, graph.PowOp)

    _neutral: ClassVar[dict[type[graph.BinaryOp], float]] = {
        graph.MulOp: 1.0,
        graph.DivOp: 1.0,
        graph.SubOp: 0.0,
        graph.AddOp: -0.0,
        graph.PowOp: 1.0,
    }

    @override
    def apply(self, op: graph.BinaryOp, builder: Builder) -> SSAValue | None:
        return op.lhs if is_full(op.rhs, self._neutral[type(op)]) else None


class NeutralExtremum(Pattern[graph.BinaryOp]):
    """`maximum(x, -inf)`, `minimum(x, inf)`, `fmax(x, nan)` and `fmin(x, nan)` are `x`."""

    ops = (graph.MaximumOp, graph.MinimumOp, graph.FmaxOp, graph.FminOp)

    @override
    def apply(self, op: graph.BinaryOp, builder: Builder) -> SSAValue | None:
        scalar = full_scalar(op.rhs)
        if not isinstance(scalar, float):
            return None
        match op:
            case graph.MaximumOp():
                neutral = scalar == -math.inf
            case graph.MinimumOp():
                neutral = scalar == math.inf
            case _:
                neutral = math.isnan(scalar)
        return op.lhs if neutral else None


class SameOperands(Pattern[graph.BinaryOp]):
    """`maximum(x, x)`, `minimum(x, x)`, `fmax(x, x)`, `fmin(x, x)`, `x & x` and `x | x` are `x`."""

    ops = (graph.MaximumOp, graph.MinimumOp, graph.FmaxOp, graph.FminOp, graph.AndOp, graph.OrOp)

    @override
    def apply(self, op: graph.BinaryOp, builder: Builder) -> SSAValue | None:
        return op.lhs if op.lhs is op.rhs else None


class Involution(Pattern[graph.UnaryOp]):
    """`neg (neg x)` and `not (not x)` are `x`."""

    ops = (graph.NegOp, graph.NotOp)

    @override
    def apply(self, op: graph.UnaryOp, builder: Builder) -> SSAValue | None:
        inner = producer(op.operand, type(op))
        return None if inner is None else inner.operand


class Idempotent(Pattern[graph.UnaryOp]):
    """`f (f x)` is `f x` for abs, relu and sign; an op that rounds to integral values keeps the result of any other."""

    ops = (*_IDEMPOTENT, *_INTEGRAL)

    @override
    def apply(self, op: graph.UnaryOp, builder: Builder) -> SSAValue | None:
        classes = _INTEGRAL if isinstance(op, _INTEGRAL) else (type(op),)
        return op.operand if any(producer(op.operand, c) for c in classes) else None


class UnsignedIdentity(Pattern[graph.UnaryOp]):
    """`abs x` and `relu x` are `x` on unsigned integers."""

    ops = (graph.AbsOp, graph.ReluOp)

    @override
    def apply(self, op: graph.UnaryOp, builder: Builder) -> SSAValue | None:
        return op.operand if graph.is_unsigned(graph.element_type_of(op.operand)) else None


class AbsOfNeg(Pattern[graph.AbsOp]):
    """`abs (neg x)` is `abs x`, except on unsigned integers, where `neg` wraps around and `abs` does nothing."""

    ops = (graph.AbsOp,)

    @override
    def apply(self, op: graph.AbsOp, builder: Builder) -> SSAValue | None:
        inner = producer(op.operand, graph.NegOp)
        if inner is None or graph.is_unsigned(graph.element_type_of(op.operand)):
            return None
        return builder.value(graph.AbsOp(inner.operand))


class AddOfNeg(Pattern[graph.AddOp]):
    """`x + neg y` and `neg y + x` are `x - y`."""

    ops = (graph.AddOp,)

    @override
    def apply(self, op: graph.AddOp, builder: Builder) -> SSAValue | None:
        if (inner := producer(op.rhs, graph.NegOp)) is not None:
            return builder.value(graph.SubOp(op.lhs, inner.operand))
        if (inner := producer(op.lhs, graph.NegOp)) is not None:
            return builder.value(graph.SubOp(op.rhs, inner.operand))
        return None


class SubOfNeg(Pattern[graph.SubOp]):
    """`x - neg y` is `x + y`."""

    ops = (graph.SubOp,)

    @override
    def apply(self, op: graph.SubOp, builder: Builder) -> SSAValue | None:
        inner = producer(op.rhs, graph.NegOp)
        return None if inner is None else builder.value(graph.AddOp(op.lhs, inner.operand))


class ProductOfNegs(Pattern[graph.BinaryOp]):
    """`neg x * neg y` is `x * y`, and `neg x / neg y` is `x / y` on floats."""

    ops = (graph.MulOp, graph.DivOp)

    @override
    def apply(self, op: graph.BinaryOp, builder: Builder) -> SSAValue | None:
        if isinstance(op, graph.DivOp) and not has_float_elements(op.lhs):
            return None
        lhs, rhs = producer(op.lhs, graph.NegOp), producer(op.rhs, graph.NegOp)
        if lhs is None or rhs is None:
            return None
        return builder.value(type(op)(lhs.operand, rhs.operand))


class MulByMinusOne(Pattern[graph.MulOp]):
    """`x * -1` is `neg x`."""

    ops = (graph.MulOp,)

    @override
    def apply(self, op: graph.MulOp, builder: Builder) -> SSAValue | None:
        if is_full(op.rhs, -1.0) or is_full(op.rhs, -1):
            return builder.value(graph.NegOp(op.lhs))
        return None


class DivByPowerOfTwo(Pattern[graph.DivOp]):
    """`x / c` is `x * (1 / c)` on floats where c is a power of two whose reciprocal is a normal number."""

    ops = (graph.DivOp,)

    @override
    def apply(self, op: graph.DivOp, builder: Builder) -> SSAValue | None:
        scalar = full_scalar(op.rhs)
        if not isinstance(scalar, float) or not math.isfinite(scalar) or abs(math.frexp(scalar)[0]) != 0.5:
            return None
        type_ = type_of(op.rhs)
        if not _is_normal(scalar, type_.element_type) or not _is_normal(1 / scalar, type_.element_type):
            return None
        return builder.value(graph.MulOp(op.lhs, builder.insert(graph.FullOp(1 / scalar, type_))))


_SMALLEST_NORMAL_EXPONENT = {"f16": -14, "bf16": -126, "f32": -126, "f64": -1022}


def _is_normal(value: float, element_type: Attribute) -> bool:
    """True if the value is a normal number of the float type."""
    assert isinstance(element_type, AnyFloat)
    return element_type.round(value) == value and abs(value) >= 2.0 ** _SMALLEST_NORMAL_EXPONENT[element_type.name]


class Reciprocal(Pattern[graph.BinaryOp]):
    """`1 / x` and `pow(x, -1)` are `reciprocal x` on floats."""

    ops = (graph.DivOp, graph.PowOp)

    @override
    def apply(self, op: graph.BinaryOp, builder: Builder) -> SSAValue | None:
        if isinstance(op, graph.DivOp):
            return builder.value(graph.ReciprocalOp(op.rhs)) if is_full(op.lhs, 1.0) else None
        return builder.value(graph.ReciprocalOp(op.lhs)) if is_full(op.rhs, -1.0) else None


class PowBySquare(Pattern[graph.PowOp]):
    """`pow(x, 2)` is `x * x`, which is correctly rounded; `pow(x, 0)` is `full 1`, NaN included."""

    ops = (graph.PowOp,)

    @override
    def apply(self, op: graph.PowOp, builder: Builder) -> SSAValue | None:
        exponent = full_scalar(op.rhs)
        if exponent == 2:
            return builder.value(graph.MulOp(op.lhs, op.lhs))
        return builder.value(graph.FullOp(1, type_of(op.lhs))) if exponent == 0 else None


ALGEBRA = (
    NeutralFloatOperand(),
    NeutralExtremum(),
    SameOperands(),
    Involution(),
    Idempotent(),
    UnsignedIdentity(),
    AbsOfNeg(),
    AddOfNeg(),
    SubOfNeg(),
    ProductOfNegs(),
    MulByMinusOne(),
    DivByPowerOfTwo(),
    Reciprocal(),
    PowBySquare(),
)
