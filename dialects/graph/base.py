"""What all graph ops share: the base class, element classes, and the assembly of derived types."""

from __future__ import annotations

import abc
from collections.abc import Sequence
from enum import Flag, auto
from functools import lru_cache
from typing import cast

from typing_extensions import override
from xdsl.dialects.builtin import DenseArrayBase, IntegerType, TensorType, i1, i64
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import BaseAttr, IRDLOperation
from xdsl.irdl.declarative_assembly_format import (
    CustomDirective,
    ParsingState,
    PrintingState,
    TypeDirective,
    irdl_custom_directive,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from fusir.dialects.graph.types import AnyTensor, dims_of, is_float, is_native, tensor_type

ANY_TENSOR = BaseAttr(TensorType)
INT_LIST = DenseArrayBase.constr(i64)


class GraphOp(IRDLOperation, abc.ABC):
    """Base of all ops of the dialect."""


class ElementClass(Flag):
    """Classes of native element types that an op accepts."""

    FLOAT = auto()
    INTEGER = auto()
    BOOL = auto()

    NUMBER = FLOAT | INTEGER
    INTEGRAL = INTEGER | BOOL
    ANY = FLOAT | INTEGER | BOOL

    def describe(self) -> str:
        """For error messages: `floating-point or integer`."""
        names = {ElementClass.FLOAT: "floating-point", ElementClass.INTEGER: "integer", ElementClass.BOOL: "i1"}
        return " or ".join(text for kind, text in names.items() if kind in self)


@lru_cache(maxsize=256)
def element_class(element_type: Attribute) -> ElementClass | None:
    """The class of a native element type, None for all others."""
    if is_float(element_type):
        return ElementClass.FLOAT
    if element_type == i1:
        return ElementClass.BOOL
    return ElementClass.INTEGER if is_native(element_type) else None


def check_element(op: Operation, element_type: Attribute, accepted: ElementClass) -> None:
    """Raise VerifyException unless the element type is native and in one of the accepted classes."""
    kind = element_class(element_type)
    if kind is None:
        raise VerifyException(f"{op.name} works on native element types only, got {element_type}")
    if kind not in accepted:
        raise VerifyException(f"{op.name} expects {accepted.describe()} elements, got {element_type}")


def expect(condition: bool, message: str) -> None:
    """Raise VerifyException with the message unless the condition holds."""
    if not condition:
        raise VerifyException(message)


def check_dim_list(op: Operation, dims: Sequence[int], rank: int, what: str = "dims") -> None:
    """Raise VerifyException unless the dims are distinct positions below the rank."""
    for dim in dims:
        if not 0 <= dim < rank:
            raise VerifyException(f"{op.name}: {what} {dim} is out of range for rank {rank}")
    if len(set(dims)) != len(dims):
        raise VerifyException(f"{op.name}: {what} {list(dims)} repeat a dim")


def check_result_type(op: Operation, expected: Attribute) -> None:
    """Raise VerifyException unless the only result has this type."""
    actual = op.results[0].type
    if actual is not expected and actual != expected:
        raise VerifyException(f"{op.name}: result type must be {expected}, got {actual}")


def int_list(values: Sequence[int]) -> DenseArrayBase[IntegerType]:
    """A list of 64-bit integers as an attribute."""
    return DenseArrayBase.from_list(i64, values)


def ints(attribute: Attribute) -> tuple[int, ...]:
    """The values of `int_list`."""
    return cast("DenseArrayBase[IntegerType]", attribute).get_values()


def result_of(value: SSAValue | Operation) -> SSAValue:
    """The value itself, or the only result of an op."""
    return value if isinstance(value, SSAValue) else SSAValue.get(value)


def type_of(value: SSAValue) -> AnyTensor:
    """The tensor type of a value."""
    return cast(AnyTensor, value.type)


def predicate_type(type_: Attribute) -> AnyTensor:
    """The i1 tensor type with the dims of the given tensor type."""
    return tensor_type(i1, dims_of(type_))


@irdl_custom_directive
class WithPredicate(CustomDirective):
    """`custom<WithPredicate>(type($x), type($p))`: one type in the text; the second is the i1 tensor of its shape."""

    value: TypeDirective
    predicate: TypeDirective

    @override
    def parse(self, parser: Parser, state: ParsingState) -> None:
        position = parser.pos
        type_ = parser.parse_type()
        if not isinstance(type_, TensorType):
            parser.raise_error("expected a tensor type", position, parser.pos)
        self.value.inner.set_types(state, (type_,))
        self.predicate.inner.set_types(state, (predicate_type(type_),))

    @override
    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        state.print_whitespace(printer)
        printer.print_attribute(self.value.inner.get_types(op)[0])
