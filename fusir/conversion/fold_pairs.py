"""The combinations of prefixes that are pairs: of values with indices that have an order, of maxima with sums."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum

from xdsl.dialects import arith, math
from xdsl.dialects.builtin import AnyFloat, Float32Type, Float64Type, FloatAttr, IntegerAttr, i1, i64
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.exceptions import DiagnosticException

from fusir.dialects.loop import Combiner
from fusir.dialects.tt import element_of

Emit = Callable[[type[Operation], Sequence[SSAValue], Attribute, dict[str, Attribute]], SSAValue]
"""Emits an elementwise op on values of one shape: class, operands, element type of the result, properties."""


class IndexOrder(Enum):
    """How the indices go from the first of two elements to the second."""

    RISING = "rising"
    FALLING = "falling"


def compare(emit: Emit, name: str, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
    """A comparison of floats, ordered unless the name says otherwise, or of signed integers: `gt`, `ge`, `eq`, `ne`."""
    is_float = isinstance(element_of(lhs.type), AnyFloat)
    if is_float:
        names, predicate = arith.CMPF_COMPARISON_OPERATIONS, "une" if name == "ne" else f"o{name}"
    else:
        names, predicate = arith.CMPI_COMPARISON_OPERATIONS, name if name in ("eq", "ne") else f"s{name}"
    op_class = arith.CmpfOp if is_float else arith.CmpiOp
    return emit(op_class, [lhs, rhs], i1, {"predicate": IntegerAttr(names.index(predicate), i64)})


def fold_in_order(
    emit: Emit, combiner: Combiner, lhs: Sequence[SSAValue], rhs: Sequence[SSAValue], order: IndexOrder
) -> list[SSAValue]:
    """The extremal of two (value, index) pairs: NaN wins, of equals the larger index, which `order` tells.

    That is the one with the larger index if it is NaN, or no worse than the other one: a NaN there is no better.
    """
    larger, other = (rhs, lhs) if order is IndexOrder.RISING else (lhs, rhs)
    takes = compare(emit, "ge" if combiner is Combiner.LAST_ARGMAX else "le", larger[0], other[0])
    if isinstance(element_of(larger[0].type), AnyFloat):
        takes = emit(arith.OrIOp, [takes, compare(emit, "ne", larger[0], larger[0])], i1, {})
    return [emit(arith.SelectOp, [takes, a, b], element_of(a.type), {}) for a, b in zip(larger, other, strict=True)]


def fold_sums_of_exponentials(
    emit: Emit, lhs: Sequence[SSAValue], rhs: Sequence[SSAValue], element: Attribute
) -> list[SSAValue]:
    """`(max(m, n), s * exp(m - max(m, n)) + t * exp(n - max(m, n)))` of two pairs `(m, s)` and `(n, t)`.

    Of the two factors one is 1. Both are where the maxima are equal, infinities as well, which have no difference.
    """
    if not isinstance(element, Float32Type | Float64Type):
        raise DiagnosticException(f"{Combiner.SUMEXP} of {element} has no form at tile level")
    (m, s), (n, t) = lhs, rhs
    greater = emit(arith.MaximumfOp, [m, n], element, {})
    smaller = emit(arith.MinimumfOp, [m, n], element, {})
    factor = emit(math.ExpOp, [emit(arith.SubfOp, [smaller, greater], element, {})], element, {})
    one = emit(arith.ConstantOp, [], element, {"value": FloatAttr(1.0, element)})
    factor = emit(arith.SelectOp, [compare(emit, "eq", m, n), one, factor], element, {})
    first = compare(emit, "gt", m, n)
    whole = emit(arith.SelectOp, [first, s, t], element, {})
    scaled = emit(arith.MulfOp, [emit(arith.SelectOp, [first, t, s], element, {}), factor], element, {})
    return [greater, emit(arith.AddfOp, [whole, scaled], element, {})]
