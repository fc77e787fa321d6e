"""Reads and writes of the `loop` dialect: one element at an index map."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from xdsl.dialects.builtin import (
    AffineMapAttr,
    IndexType,
    LocationAttr,
    MemRefType,
    i1,
)
from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineMap
from xdsl.irdl import (
    AttrSizedOperandSegments,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import (
    MemoryReadEffect,
    MemoryWriteEffect,
)
from xdsl.utils.exceptions import VerifyException

from fusir.dialects.affine_text import parse_map_of_operands, print_map_of_operands
from fusir.dialects.loop.ops import LocatedOp, is_kernel_symbol


def _verify_access(memref: SSAValue, index_map: AffineMap, indices: Sequence[SSAValue]) -> MemRefType:
    memref_type = memref.type
    assert isinstance(memref_type, MemRefType)
    if len(index_map.results) != memref_type.get_num_dims():
        raise VerifyException(
            f"expected {memref_type.get_num_dims()} indices into {memref_type}, got {len(index_map.results)}"
        )
    if index_map.num_dims + index_map.num_symbols != len(indices):
        count = index_map.num_dims + index_map.num_symbols
        raise VerifyException(f"the map takes {count} operands, got {len(indices)}")
    return memref_type


@irdl_op_definition
class LoadOp(LocatedOp):
    """Read one element: `loop.load %x[%i, %k * 2 + 1] if %p else %o : memref<4x8xf32>`.

    Where the predicate is false nothing is read and the value is `other` (undefined without one).
    """

    name = "loop.load"

    memref = operand_def(MemRefType)
    indices = var_operand_def(IndexType)
    predicate = opt_operand_def(i1)
    other = opt_operand_def()
    map = prop_def(AffineMapAttr)
    result = result_def()

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(MemoryReadEffect())

    def __init__(
        self,
        memref: SSAValue,
        index_map: AffineMapAttr,
        indices: Sequence[SSAValue],
        predicate: SSAValue | None = None,
        other: SSAValue | None = None,
        location: LocationAttr | None = None,
    ):
        memref_type = cast(MemRefType, memref.type)
        super().__init__(
            operands=[memref, indices, predicate, other],
            properties={"map": index_map},
            result_types=[memref_type.element_type],
            location=location,
        )

    def verify_(self) -> None:
        memref_type = _verify_access(self.memref, self.map.data, self.indices)
        if self.result.type != memref_type.element_type:
            raise VerifyException(f"a load from {memref_type} gives {memref_type.element_type}, got {self.result.type}")
        if self.other is not None:
            if self.predicate is None:
                raise VerifyException("a load with 'else' needs a predicate")
            if self.other.type != memref_type.element_type:
                raise VerifyException(f"the 'else' value has type {memref_type.element_type}, got {self.other.type}")

    @classmethod
    def parse(cls, parser: Parser) -> LoadOp:
        memref = parser.parse_unresolved_operand()
        index_map, indices = parse_map_of_operands(parser, is_kernel_symbol)
        predicate = other = None
        if parser.parse_optional_keyword("if") is not None:
            predicate = parser.parse_unresolved_operand()
            if parser.parse_optional_keyword("else") is not None:
                other = parser.parse_unresolved_operand()
        attributes = parser.parse_optional_attr_dict()
        memref_type = _parse_memref_type(parser)
        op = LoadOp(
            parser.resolve_operand(memref, memref_type),
            AffineMapAttr(index_map),
            indices,
            None if predicate is None else parser.resolve_operand(predicate, i1),
            None if other is None else parser.resolve_operand(other, memref_type.element_type),
        )
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.memref)
        print_map_of_operands(printer, self.map.data, self.indices)
        if self.predicate is not None:
            printer.print_string(" if ")
            printer.print_ssa_value(self.predicate)
        if self.other is not None:
            printer.print_string(" else ")
            printer.print_ssa_value(self.other)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.memref.type)


def _parse_memref_type(parser: Parser) -> MemRefType:
    parser.parse_punctuation(":")
    memref_type = parser.parse_type()
    if not isinstance(memref_type, MemRefType):
        parser.raise_error(f"expected a memref type, got {memref_type}")
    return cast(MemRefType, memref_type)


@irdl_op_definition
class StoreOp(LocatedOp):
    """Write one element: `loop.store %v, %out[%i, %j] if %p : memref<4x8xf32>`."""

    name = "loop.store"

    value = operand_def()
    memref = operand_def(MemRefType)
    indices = var_operand_def(IndexType)
    predicate = opt_operand_def(i1)
    map = prop_def(AffineMapAttr)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(MemoryWriteEffect())

    def __init__(
        self,
        value: SSAValue,
        memref: SSAValue,
        index_map: AffineMapAttr,
        indices: Sequence[SSAValue],
        predicate: SSAValue | None = None,
        location: LocationAttr | None = None,
    ):
        super().__init__(operands=[value, memref, indices, predicate], properties={"map": index_map}, location=location)

    def verify_(self) -> None:
        memref_type = _verify_access(self.memref, self.map.data, self.indices)
        if self.value.type != memref_type.element_type:
            raise VerifyException(f"a store to {memref_type} takes {memref_type.element_type}, got {self.value.type}")

    @classmethod
    def parse(cls, parser: Parser) -> StoreOp:
        value = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        memref = parser.parse_unresolved_operand()
        index_map, indices = parse_map_of_operands(parser, is_kernel_symbol)
        predicate = None
        if parser.parse_optional_keyword("if") is not None:
            predicate = parser.resolve_operand(parser.parse_unresolved_operand(), i1)
        attributes = parser.parse_optional_attr_dict()
        memref_type = _parse_memref_type(parser)
        op = StoreOp(
            parser.resolve_operand(value, memref_type.element_type),
            parser.resolve_operand(memref, memref_type),
            AffineMapAttr(index_map),
            indices,
            predicate,
        )
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.value)
        printer.print_string(", ")
        printer.print_ssa_value(self.memref)
        print_map_of_operands(printer, self.map.data, self.indices)
        if self.predicate is not None:
            printer.print_string(" if ")
            printer.print_ssa_value(self.predicate)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.memref.type)
