"""What patterns ask about values."""

from __future__ import annotations

from typing import TypeVar, cast

from xdsl.ir import Operation, OpResult, SSAValue

from fusir.dialects import graph

OpT = TypeVar("OpT", bound=Operation)


def producer(value: SSAValue, class_: type[OpT]) -> OpT | None:
    """The op that defines the value, if it is of the class."""
    if isinstance(value, OpResult) and isinstance(value.op, class_):
        return value.op
    return None


def full_scalar(value: SSAValue) -> graph.Scalar | None:
    """The scalar that every element of the value has, if it comes from `graph.full`."""
    full = producer(value, graph.FullOp)
    return None if full is None else full.scalar


def is_full(value: SSAValue, scalar: graph.Scalar) -> bool:
    """True if every element is the scalar (-0.0 and 0.0 are different; True is not 1)."""
    found = full_scalar(value)
    return found is not None and type(found) is type(scalar) and found == scalar and repr(found) == repr(scalar)


def has_float_elements(value: SSAValue) -> bool:
    return graph.is_float(graph.element_type_of(value))


def type_of(value: SSAValue) -> graph.AnyTensor:
    """The type of a tensor value."""
    return cast(graph.AnyTensor, value.type)
