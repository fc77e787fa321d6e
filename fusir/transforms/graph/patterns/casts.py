"""Conversions of the element type."""

from __future__ import annotations

from typing_extensions import override
from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Attribute, SSAValue

from fusir.dialects import graph
from fusir.transforms.graph.patterns.matching import producer
from fusir.transforms.graph.worklist import Builder, Pattern

_EXPONENT_BITS = {"f8E4M3FN": 4, "f8E5M2": 5, "f16": 5, "bf16": 8, "f32": 8, "f64": 11}
_PRECISION_BITS = {"f8E4M3FN": 4, "f8E5M2": 3, "f16": 11, "bf16": 8, "f32": 24, "f64": 53}


def is_exact(source: Attribute, target: Attribute) -> bool:
    """True if the target type holds every value of the source type."""
    if source == target or graph.is_bool(source):
        return True
    if graph.is_bool(target):
        return False
    if isinstance(source, IntegerType):
        magnitude = _magnitude_bits(source)
        if isinstance(target, IntegerType):
            signed_fits = graph.is_unsigned(source) or not graph.is_unsigned(target)
            return signed_fits and _magnitude_bits(target) >= magnitude
        # Every integer up to 2^magnitude; no integer type overflows a float type of that precision.
        return _PRECISION_BITS[target.name] >= magnitude
    if isinstance(target, IntegerType):
        return False
    return (
        _EXPONENT_BITS[target.name] >= _EXPONENT_BITS[source.name]
        and _PRECISION_BITS[target.name] >= _PRECISION_BITS[source.name]
    )


def _magnitude_bits(integer_type: Attribute) -> int:
    """Bits besides the sign."""
    return graph.bit_width(integer_type) - (not graph.is_unsigned(integer_type))


class ConvertToSame(Pattern[graph.ElementCastOp]):
    """A conversion or bitcast to the same type is its operand."""

    ops = (graph.ElementCastOp,)

    @override
    def apply(self, op: graph.ElementCastOp, builder: Builder) -> SSAValue | None:
        return op.operand if op.operand.type == op.result.type else None


class ConvertOfExactConvert(Pattern[graph.ConvertOp]):
    """`convert (convert x : A -> B) : B -> C` is `convert x : A -> C` if B holds every value of A."""

    ops = (graph.ConvertOp,)

    @override
    def apply(self, op: graph.ConvertOp, builder: Builder) -> SSAValue | None:
        inner = producer(op.operand, graph.ConvertOp)
        if inner is None:
            return None
        source, middle = graph.element_type_of(inner.operand), graph.element_type_of(op.operand)
        target = graph.element_type_of(op.result)
        if source != target and not graph.can_convert(source, target):
            return None
        if not is_exact(source, middle) and not _truncates_twice(source, middle, target):
            return None
        return builder.value(graph.ConvertOp(inner.operand, target))


def _truncates_twice(source: Attribute, middle: Attribute, target: Attribute) -> bool:
    """True for integers of which the target keeps no bit that the middle type has lost."""
    return all(graph.is_integer(t) for t in (source, middle, target)) and (
        graph.bit_width(middle) >= graph.bit_width(target)
    )


class BitcastOfBitcast(Pattern[graph.BitcastOp]):
    """`bitcast (bitcast x)` is `bitcast x`."""

    ops = (graph.BitcastOp,)

    @override
    def apply(self, op: graph.BitcastOp, builder: Builder) -> SSAValue | None:
        inner = producer(op.operand, graph.BitcastOp)
        if inner is None:
            return None
        return builder.value(graph.BitcastOp(inner.operand, graph.element_type_of(op.result)))


CASTS = (ConvertToSame(), ConvertOfExactConvert(), BitcastOfBitcast())
