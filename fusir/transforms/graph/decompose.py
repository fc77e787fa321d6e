"""Pointwise ops without a direct scalar form, written with ops that have one."""

from __future__ import annotations

from dataclasses import dataclass

from typing_extensions import override
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, f32
from xdsl.ir import SSAValue
from xdsl.passes import ModulePass

from fusir.dialects import graph
from fusir.transforms.graph.patterns.matching import full_scalar, has_float_elements, type_of
from fusir.transforms.graph.worklist import AnyPattern, Builder, Driver, Pattern

_ROUND_UP_ABOVE = 0.5
"""`torch.floor_divide` corrects a quotient that rounding has put this far above its floor."""


class _Emitter:
    """Short names for the ops of an expansion; all values have one type."""

    def __init__(self, builder: Builder, like: SSAValue) -> None:
        self._builder = builder
        self._type = type_of(like)

    def op(self, class_: type[graph.BinaryOp], x: SSAValue, y: SSAValue) -> SSAValue:
        return self._builder.value(class_(x, y))

    def unary(self, class_: type[graph.UnaryOp], x: SSAValue) -> SSAValue:
        return self._builder.value(class_(x))

    def full(self, scalar: graph.Scalar) -> SSAValue:
        return self._builder.value(graph.FullOp(scalar, self._type))

    def compare(self, predicate: str, x: SSAValue, y: SSAValue) -> SSAValue:
        return self._builder.value(graph.CompareOp(predicate, x, y))

    def negative(self, x: SSAValue) -> SSAValue:
        return self.compare("lt", x, self.full(0))

    def select(self, condition: SSAValue, x: SSAValue, y: SSAValue) -> SSAValue:
        return self._builder.value(graph.SelectOp(condition, x, y))

    def crosses_zero(self, remainder: SSAValue, divisor: SSAValue) -> SSAValue:
        """True where a remainder that is not 0 has the other sign than the divisor."""
        differ = self.op(graph.XorOp, self.negative(remainder), self.negative(divisor))
        return self.op(graph.AndOp, self.compare("ne", remainder, self.full(0)), differ)


def _is_unsigned(value: SSAValue) -> bool:
    return graph.is_unsigned(graph.element_type_of(value))


class WidenHalf(Pattern[graph.BinaryOp]):
    """`floor_div` and `mod` on half precision are computed in f32, and rounded once."""

    ops = (graph.FloorDivOp, graph.ModOp)

    @override
    def apply(self, op: graph.BinaryOp, builder: Builder) -> SSAValue | None:
        element = graph.element_type_of(op.lhs)
        if not graph.is_half(element):
            return None
        lhs = builder.value(graph.ConvertOp(op.lhs, f32))
        rhs = builder.value(graph.ConvertOp(op.rhs, f32))
        return builder.value(graph.ConvertOp(builder.value(type(op)(lhs, rhs)), element))


class FloatMod(Pattern[graph.ModOp]):
    """`mod(x, y)` is `r = rem(x, y)`, plus y where r is not 0 and has the other sign than y."""

    ops = (graph.ModOp,)

    @override
    def apply(self, op: graph.ModOp, builder: Builder) -> SSAValue | None:
        if _is_unsigned(op.lhs):
            return builder.value(graph.RemOp(op.lhs, op.rhs))
        e = _Emitter(builder, op.lhs)
        remainder = e.op(graph.RemOp, op.lhs, op.rhs)
        corrected = e.op(graph.AddOp, remainder, op.rhs)
        return e.select(e.crosses_zero(remainder, op.rhs), corrected, remainder)


class IntegerFloorDiv(Pattern[graph.FloorDivOp]):
    """`floor_div(x, y)` of integers is the truncated quotient, less 1 where the remainder has the other sign than y."""

    ops = (graph.FloorDivOp,)

    @override
    def apply(self, op: graph.FloorDivOp, builder: Builder) -> SSAValue | None:
        if has_float_elements(op.lhs):
            return None
        if _is_unsigned(op.lhs):
            return builder.value(graph.DivOp(op.lhs, op.rhs))
        e = _Emitter(builder, op.lhs)
        quotient = e.op(graph.DivOp, op.lhs, op.rhs)
        remainder = e.op(graph.RemOp, op.lhs, op.rhs)
        lower = e.op(graph.SubOp, quotient, e.full(1))
        return e.select(e.crosses_zero(remainder, op.rhs), lower, quotient)


class FloatFloorDiv(Pattern[graph.FloorDivOp]):
    """`floor_div(x, y)` of floats, as `torch.floor_divide` computes it.

    With `r = rem(x, y)`, the quotient is `q = (x - r) / y`, less 1 where r has the other sign than y. The result is its
    floor, corrected for the rounding of the division; a zero with the sign of `x / y`; and `x / y` where y is 0.
    """

    ops = (graph.FloorDivOp,)

    @override
    def apply(self, op: graph.FloorDivOp, builder: Builder) -> SSAValue | None:
        if not has_float_elements(op.lhs):
            return None
        e = _Emitter(builder, op.lhs)
        x, y = op.lhs, op.rhs
        zero = e.full(0)
        true_quotient = e.op(graph.DivOp, x, y)
        remainder = e.op(graph.RemOp, x, y)
        quotient = e.op(graph.DivOp, e.op(graph.SubOp, x, remainder), y)
        quotient = e.select(e.crosses_zero(remainder, y), e.op(graph.SubOp, quotient, e.full(1)), quotient)
        floor = e.unary(graph.FloorOp, quotient)
        too_low = e.compare("gt", e.op(graph.SubOp, quotient, floor), e.full(_ROUND_UP_ABOVE))
        floor = e.select(too_low, e.op(graph.AddOp, floor, e.full(1)), floor)
        signed_zero = e.op(graph.MulOp, true_quotient, zero)
        result = e.select(e.compare("ne", quotient, zero), floor, signed_zero)
        return e.select(e.compare("eq", y, zero), true_quotient, result)


class IntegerPow(Pattern[graph.PowOp]):
    """`pow` of integers by squaring: the product of `x^(2^k)` over the bits k of the exponent.

    A negative exponent gives the truncated reciprocal: 1 for x = 1, 1 or -1 for x = -1, otherwise 0.
    """

    ops = (graph.PowOp,)

    @override
    def apply(self, op: graph.PowOp, builder: Builder) -> SSAValue | None:
        if has_float_elements(op.lhs):
            return None
        e = _Emitter(builder, op.lhs)
        exponent = full_scalar(op.rhs)
        if exponent is not None and exponent >= 0:
            return self._constant_power(e, op.lhs, int(exponent))
        width = graph.bit_width(graph.element_type_of(op.lhs))
        one, zero = e.full(1), e.full(0)
        result, power, bits = one, op.lhs, op.rhs
        for bit in range(width):
            is_set = e.compare("ne", e.op(graph.AndOp, bits, one), zero)
            result = e.select(is_set, e.op(graph.MulOp, result, power), result)
            if bit + 1 < width:
                power = e.op(graph.MulOp, power, power)
                bits = e.op(graph.ShrOp, bits, one)
        if _is_unsigned(op.lhs):
            return result
        minus_one = e.full(-1)
        odd = e.compare("ne", e.op(graph.AndOp, op.rhs, one), zero)
        of_minus_one = e.select(e.compare("eq", op.lhs, minus_one), e.select(odd, minus_one, one), zero)
        reciprocal = e.select(e.compare("eq", op.lhs, one), one, of_minus_one)
        return e.select(e.negative(op.rhs), reciprocal, result)

    def _constant_power(self, e: _Emitter, base: SSAValue, exponent: int) -> SSAValue:
        result: SSAValue | None = None
        power = base
        while exponent:
            if exponent & 1:
                result = power if result is None else e.op(graph.MulOp, result, power)
            exponent >>= 1
            if exponent:
                power = e.op(graph.MulOp, power, power)
        return e.full(1) if result is None else result


class GuardedShift(Pattern[graph.BinaryOp]):
    """A shift by an amount that may be negative or not below the width: `shl` gives 0, `shr` the sign (0 if unsigned).

    The amount is put in range first, because machines disagree about amounts that are not. Constant amounts in range
    are left alone.
    """

    ops = (graph.ShlOp, graph.ShrOp)

    @override
    def apply(self, op: graph.BinaryOp, builder: Builder) -> SSAValue | None:
        width = graph.bit_width(graph.element_type_of(op.lhs))
        amount = full_scalar(op.rhs)
        if _is_in_range(op.rhs, width):
            return None
        e = _Emitter(builder, op.lhs)
        left = isinstance(op, graph.ShlOp)
        if amount is not None:
            # Out of range: every bit is shifted out.
            return e.full(0) if left or _is_unsigned(op.lhs) else e.op(type(op), op.lhs, e.full(width - 1))
        out_of_range = e.compare("ge", op.rhs, e.full(width))
        if not _is_unsigned(op.lhs):
            out_of_range = e.op(graph.OrOp, out_of_range, e.negative(op.rhs))
        last = e.full(width - 1)
        shifted = e.op(type(op), op.lhs, e.select(out_of_range, last, op.rhs))
        return e.select(out_of_range, e.full(0), shifted) if left or _is_unsigned(op.lhs) else shifted


def _is_in_range(amount: SSAValue, width: int) -> bool:
    """True for a constant in range, and for the guarded amount of `GuardedShift`."""
    scalar = full_scalar(amount)
    if scalar is not None:
        return 0 <= scalar < width
    owner = amount.owner
    return isinstance(owner, graph.SelectOp) and full_scalar(owner.on_true) == width - 1


DECOMPOSITION: tuple[AnyPattern, ...] = (
    WidenHalf(),
    FloatMod(),
    IntegerFloorDiv(),
    FloatFloorDiv(),
    IntegerPow(),
    GuardedShift(),
)


@dataclass(frozen=True)
class DecomposePass(ModulePass):
    """Rewrite `mod`, `floor_div`, integer `pow` and shifts by variable amounts into ops with a direct scalar form."""

    name = "decompose"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        Driver(DECOMPOSITION).run(op.body)
