"""The base class of all `tt` ops, and the checks that several of them share."""

from __future__ import annotations

from abc import ABC
from collections.abc import Mapping, Sequence

from xdsl.dialects.builtin import LocationAttr
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.irdl import IRDLOperation
from xdsl.utils.exceptions import VerifyException

from fusir.dialects.tt.types import element_of, shape_of, verify_tile_type


class TTOperation(IRDLOperation, ABC):
    """An op of the `tt` dialect: every operand and result is a legal tile type."""

    def __init__(
        self,
        *,
        operands: Sequence[SSAValue | Operation | Sequence[SSAValue | Operation] | None] = (),
        result_types: Sequence[Attribute | Sequence[Attribute] | None] = (),
        properties: Mapping[str, Attribute | None] | None = None,
        regions: Sequence[Region | Sequence[Operation] | Sequence[Block]] = (),
        location: LocationAttr | None = None,
    ):
        super().__init__(operands=operands, result_types=result_types, properties=properties, regions=regions)
        if location is not None:
            self.location = location

    def verify_(self) -> None:
        for value in (*self.operands, *self.results):
            verify_tile_type(value.type)


def require(condition: bool, message: str) -> None:
    """Fail the verification of an op with `message` unless the condition holds."""
    if not condition:
        raise VerifyException(message)


def require_same_shape(*types: Attribute) -> None:
    """All tile types have the shape of the first."""
    shape = shape_of(types[0])
    for other in types[1:]:
        if shape_of(other) != shape:  # the text of a type is dear, and verifiers run often
            raise VerifyException(f"shapes differ: {types[0]} and {other}")


def require_same_element(first: Attribute, second: Attribute) -> None:
    """Two tile types have one element type."""
    if element_of(first) != element_of(second):
        raise VerifyException(f"element types differ: {first} and {second}")
