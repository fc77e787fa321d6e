"""Constant folding of pointwise ops on Python scalars, with the rounding and wrapping of the element type.

Floats are computed in double precision and rounded once. For `+ - * /` and the square root that is the correctly
rounded result in every narrower type; functions that Python's `math` has are at least as accurate as any run-time
library.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping
from typing import cast

from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Attribute, Operation

from fusir.dialects import graph
from fusir.dialects.graph import Scalar

FloatUnary = Callable[[float], float]
FloatBinary = Callable[[float, float], float]


def _sign(x: float) -> float:
    return float((x > 0) - (x < 0))


def _integral(function: Callable[[float], int]) -> FloatUnary:
    return lambda x: math.copysign(float(function(x)), x) if math.isfinite(x) else x


def _div(x: float, y: float) -> float:
    if y == 0:
        return math.nan if x == 0 or math.isnan(x) else math.copysign(math.inf, x) * math.copysign(1.0, y)
    return x / y


def _maximum(x: float, y: float) -> float:
    return math.nan if math.isnan(x) or math.isnan(y) else max(x, y)


def _minimum(x: float, y: float) -> float:
    return math.nan if math.isnan(x) or math.isnan(y) else min(x, y)


def _truncated(x: int, y: int) -> int:
    quotient = abs(x) // abs(y)
    return quotient if (x < 0) == (y < 0) else -quotient


_FLOAT_UNARY: Mapping[type[Operation], FloatUnary] = {
    graph.NegOp: operator.neg,
    graph.AbsOp: abs,
    graph.SignOp: _sign,
    graph.ExpOp: math.exp,
    graph.Expm1Op: math.expm1,
    graph.LogOp: math.log,
    graph.Log2Op: math.log2,
    graph.Log10Op: math.log10,
    graph.Log1pOp: math.log1p,
    graph.SqrtOp: math.sqrt,
    graph.ReciprocalOp: lambda x: _div(1.0, x),
    graph.SinOp: math.sin,
    graph.CosOp: math.cos,
    graph.TanOp: math.tan,
    graph.TanhOp: math.tanh,
    graph.ErfOp: math.erf,
    graph.ErfcOp: math.erfc,
    graph.ReluOp: lambda x: x if math.isnan(x) else max(x, 0.0),
    graph.FloorOp: _integral(math.floor),
    graph.CeilOp: _integral(math.ceil),
    graph.RoundOp: _integral(round),
    graph.TruncOp: _integral(math.trunc),
}

_FLOAT_BINARY: Mapping[type[Operation], FloatBinary] = {
    graph.AddOp: operator.add,
    graph.SubOp: operator.sub,
    graph.MulOp: operator.mul,
    graph.DivOp: _div,
    graph.MaximumOp: _maximum,
    graph.MinimumOp: _minimum,
}

_INTEGER_UNARY: Mapping[type[Operation], Callable[[int], int]] = {
    graph.NegOp: operator.neg,
    graph.AbsOp: abs,
    graph.SignOp: lambda x: (x > 0) - (x < 0),
    graph.ReluOp: lambda x: max(x, 0),
    graph.NotOp: operator.invert,
}

_INTEGER_BINARY: Mapping[type[Operation], Callable[[int, int], int]] = {
    graph.AddOp: operator.add,
    graph.SubOp: operator.sub,
    graph.MulOp: operator.mul,
    graph.MaximumOp: max,
    graph.MinimumOp: min,
    graph.AndOp: operator.and_,
    graph.OrOp: operator.or_,
    graph.XorOp: operator.xor,
    graph.FloorDivOp: operator.floordiv,
    graph.ModOp: operator.mod,
    graph.DivOp: _truncated,
    graph.RemOp: lambda x, y: x - y * _truncated(x, y),
}

_COMPARE: Mapping[graph.ComparePredicate, Callable[[Scalar, Scalar], bool]] = {
    graph.ComparePredicate.EQ: operator.eq,
    graph.ComparePredicate.NE: operator.ne,
    graph.ComparePredicate.LT: operator.lt,
    graph.ComparePredicate.LE: operator.le,
    graph.ComparePredicate.GT: operator.gt,
    graph.ComparePredicate.GE: operator.ge,
}


def fold(op: Operation, operands: list[Scalar]) -> Scalar | None:
    """The value of a pointwise op on scalars, None if it is not folded (a result that is undefined or not exact)."""
    try:
        return _fold(op, operands)
    except (ValueError, OverflowError, ZeroDivisionError):
        # Outside the domain of Python's function: infinities and NaN are left to run time.
        return None


def _fold(op: Operation, operands: list[Scalar]) -> Scalar | None:
    match op:
        case graph.SelectOp():
            return operands[1] if operands[0] else operands[2]
        case graph.CompareOp():
            return _COMPARE[op.predicate](*operands)
        case graph.IsNanOp():
            return math.isnan(operands[0])
        case graph.IsInfOp():
            return math.isinf(operands[0])
        case graph.ConvertOp():
            if not graph.is_native(graph.element_type_of(op.result)):
                return None
            return convert(operands[0], graph.element_type_of(op.result))
        case graph.UnaryOp() | graph.BinaryOp():
            return _fold_arithmetic(type(op), operands)
        case _:
            return None


def _fold_arithmetic(class_: type[Operation], operands: list[Scalar]) -> Scalar | None:
    """An op on operands of one type, before rounding and wrapping to it."""
    if isinstance(operands[0], bool):
        if class_ is graph.NotOp:
            return not operands[0]
        function = _INTEGER_BINARY.get(class_)
        return None if function is None else bool(function(*cast(list[int], operands)))
    table = ((_FLOAT_UNARY, _FLOAT_BINARY) if isinstance(operands[0], float) else (_INTEGER_UNARY, _INTEGER_BINARY))[
        len(operands) - 1
    ]
    function = cast("Callable[..., Scalar] | None", table.get(class_))
    return None if function is None else function(*operands)


def convert(value: Scalar, target: Attribute) -> Scalar | None:
    """The value before rounding or wrapping to the element type; None where the conversion is undefined (a float out of
    the integer's range) or would be rounded twice (an integer that is no double)."""
    if graph.is_float(target):
        return float(value) if int(float(value)) == value or isinstance(value, float) else None
    if graph.is_bool(target) or not isinstance(value, float):
        return value
    if not math.isfinite(value):
        return None
    least, bound = cast(IntegerType, target).value_range()
    signed_bound = bound if graph.is_unsigned(target) else -least
    truncated = math.trunc(value)
    return truncated if least <= truncated < signed_bound else None
