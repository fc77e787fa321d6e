"""The combinations of pairs: of values with indices, of maxima with sums of exponentials."""

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


KEEPS_LAST = (Combiner.LAST_ARGMAX, Combiner.LAST_ARGMIN)
"""The combiners that keep the larger index of equal elements."""

_LARGEST = (Combiner.ARGMAX, Combiner.LAST_ARGMAX)


def compare(emit: Emit, name: str, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
    """A comparison `gt`, `ge`, `eq`, `ne` and so on: of floats ordered unless the name says otherwise, of integers
    signed, of i1 unsigned."""
    element = element_of(lhs.type)
    is_float = isinstance(element, AnyFloat)
    if is_float:
        names, predicate = arith.CMPF_COMPARISON_OPERATIONS, name if name in ("uno", "ord") else f"o{name}"
    else:
        sign = "u" if element == i1 else "s"
        names, predicate = arith.CMPI_COMPARISON_OPERATIONS, name if name in ("eq", "ne") else sign + name
    op_class = arith.CmpfOp if is_float else arith.CmpiOp
    return emit(op_class, [lhs, rhs], i1, {"predicate": IntegerAttr(names.index(predicate), i64)})


def fold_with_index(
    emit: Emit, combiner: Combiner, lhs: Sequence[SSAValue], rhs: Sequence[SSAValue], order: IndexOrder | None
) -> list[SSAValue]:
    """The extremal of two (value, index) pairs: NaN wins, of equals the smaller index, or the larger one.

    `order` is that of the indices, where it is known.
    """
    if order is None:
        kept, other = lhs, rhs
        takes = _takes_first(emit, combiner, lhs, rhs)
    else:
        # Of equals the one is kept whose index says so: it is taken unless it is worse, or the other one alone is NaN.
        is_first = (order is IndexOrder.RISING) == (combiner not in KEEPS_LAST)
        kept, other = (lhs, rhs) if is_first else (rhs, lhs)
        takes = compare(emit, "ge" if combiner in _LARGEST else "le", kept[0], other[0])
        if isinstance(element_of(kept[0].type), AnyFloat):
            takes = emit(arith.OrIOp, [takes, compare(emit, "uno", kept[0], kept[0])], i1, {})
    return [emit(arith.SelectOp, [takes, a, b], element_of(a.type), {}) for a, b in zip(kept, other, strict=True)]


def _takes_first(emit: Emit, combiner: Combiner, lhs: Sequence[SSAValue], rhs: Sequence[SSAValue]) -> SSAValue:
    """Whether the first of two (value, index) pairs in any order is the extremal one."""
    (a, i), (b, j) = lhs, rhs

    def logic(op_class: type[Operation], x: SSAValue, y: SSAValue) -> SSAValue:
        return emit(op_class, [x, y], i1, {})

    before = compare(emit, "gt" if combiner in KEEPS_LAST else "lt", i, j)
    better = compare(emit, "gt" if combiner in _LARGEST else "lt", a, b)
    equal = compare(emit, "eq", a, b)
    if isinstance(element_of(a.type), AnyFloat):
        a_nan = compare(emit, "uno", a, a)
        b_nan = compare(emit, "uno", b, b)
        # a is NaN and b is not, or both are: then the order of the indices decides, as for equals.
        equal = logic(arith.OrIOp, equal, logic(arith.AndIOp, a_nan, b_nan))
        b_number = compare(emit, "ord", b, b)
        better = logic(arith.OrIOp, better, logic(arith.AndIOp, a_nan, b_number))
    return logic(arith.OrIOp, better, logic(arith.AndIOp, equal, before))


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
