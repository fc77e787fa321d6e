"""Tensors in global memory as descriptors, whose blocks are loaded and stored as a whole (by TMA where there is one).

What is outside of the tensor is zero when it is loaded, and is not stored.
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Sequence
from math import prod
from typing import cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    IntegerAttr,
    IntegerType,
    LocationAttr,
    Signedness,
    StringAttr,
    TensorType,
    i32,
    i64,
)
from xdsl.ir import Attribute, Operation, ParametrizedAttribute, SSAValue, TypeAttribute
from xdsl.irdl import (
    SameVariadicOperandSize,
    irdl_attr_definition,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.irdl import base as base_of
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect, Pure
from xdsl.utils.exceptions import VerifyException

from fusir.dialects.tt.constants import constant_number
from fusir.dialects.tt.enums import CacheModifier, EvictionPolicy, PaddingOption
from fusir.dialects.tt.memory import parse_clauses_and_attributes, print_clauses_and_attributes
from fusir.dialects.tt.operation import TTOperation, require
from fusir.dialects.tt.types import (
    AnyTensor,
    PointerType,
    bit_width_of,
    element_of,
    is_float,
    is_integer,
    shape_of,
    verify_tensor_type,
    verify_tile_type,
)

BLOCK_NAMES = "fusir.names"
"""The attribute of a `tt.make_tensor_descriptor` with the names of the extents of its block."""

MAX_DESCRIPTOR_RANK = 5
MIN_ROW_BYTES = 16
"""The least size of the last dimension of a block."""


def _signless(scalar: Attribute) -> Attribute:
    return IntegerType(scalar.width.data) if isinstance(scalar, IntegerType) else scalar


def _signed(scalar: Attribute) -> Attribute:
    """The element type of a block, as Triton's front end has it: integers are signed."""
    return IntegerType(scalar.width.data, Signedness.SIGNED) if isinstance(scalar, IntegerType) else scalar


@irdl_attr_definition
class TensorDescType(ParametrizedAttribute, TypeAttribute):
    """`!tt.tensordesc<tensor<128x64xbf16>>`: a tensor in global memory that is accessed in blocks of this type.

    The elements of a block may be integers with a sign, which values of the block do not have.
    """

    name = "tt.tensordesc"

    block: AnyTensor

    @property
    def block_shape(self) -> tuple[int, ...]:
        """The extents of a block."""
        return self.block.get_shape()

    @property
    def tile(self) -> AnyTensor:
        """The type of a block as a value."""
        return TensorType(_signless(self.block.element_type), self.block_shape)

    def verify(self) -> None:
        element = _signless(self.block.element_type)
        if not (is_float(element) or is_integer(element)):
            raise VerifyException(f"!tt.tensordesc of {self.block}: the elements of a block are floats or integers")
        verify_tensor_type(TensorType(element, self.block_shape, self.block.encoding))


class _DescriptorOperation(TTOperation, ABC):
    """An op with a descriptor among its operands or results, which is no tile."""

    def verify_(self) -> None:
        for value in (*self.operands, *self.results):
            if not isinstance(value.type, TensorDescType):
                verify_tile_type(value.type)


def _parse_angle_brackets(parser: Parser, name: str) -> Attribute:
    """A type of the `tt` dialect in full, or only its parameter in angle brackets."""
    if not parser.parse_optional_punctuation("<"):
        return parser.parse_type()
    parameter = parser.parse_type()
    parser.parse_punctuation(">")
    if name == PointerType.name:
        return PointerType(parameter)
    if not isinstance(parameter, TensorType):
        parser.raise_error(f"expected the tensor type of a block, got {parameter}")
    return TensorDescType(cast(AnyTensor, parameter))


@irdl_op_definition
class MakeTensorDescriptorOp(_DescriptorOperation):
    """`tt.make_tensor_descriptor %p, [%m, %n], [%s, %one] : <bf16>, <tensor<128x64xbf16>>`: the tensor at `p` with
    these extents (`i32`) and strides in elements (`i64`), of which the last is the constant 1.

    With TMA the pointer and the strides but the last are multiples of 16 bytes.
    """

    name = "tt.make_tensor_descriptor"

    base = operand_def(base_of(PointerType))
    shape = var_operand_def(i32)
    strides = var_operand_def(i64)
    padding = opt_prop_def(IntegerAttr, PaddingOption.ZERO.attr)
    result = result_def(base_of(TensorDescType))

    irdl_options = (SameVariadicOperandSize(),)
    traits = traits_def(Pure())

    def __init__(
        self,
        base: SSAValue | Operation,
        shape: Sequence[SSAValue | Operation],
        strides: Sequence[SSAValue | Operation],
        block_shape: Sequence[int],
        *,
        names: Sequence[str] = (),
        padding: PaddingOption | str = PaddingOption.ZERO,
        location: LocationAttr | None = None,
    ):
        """`names` says for each dimension of the block which block size it is in the source, "" for none."""
        pointer = SSAValue.get(base).type
        assert isinstance(pointer, PointerType)
        padding = PaddingOption.of(padding)
        super().__init__(
            operands=[base, shape, strides],
            result_types=[TensorDescType(TensorType(_signed(pointer.pointee), block_shape))],
            properties={"padding": None if padding is PaddingOption.ZERO else padding.attr},
            location=location,
        )
        if any(names):
            self.attributes[BLOCK_NAMES] = ArrayAttr([StringAttr(name) for name in names])

    @property
    def descriptor_type(self) -> TensorDescType:
        """The type of the descriptor."""
        return self.result.type

    @property
    def block_names(self) -> tuple[str, ...]:
        """Which block size each dimension of the block is in the source, "" for none."""
        names = self.attributes.get(BLOCK_NAMES)
        if not isinstance(names, ArrayAttr):
            return ("",) * len(self.strides)
        return tuple(each.data if isinstance(each, StringAttr) else "" for each in names)

    @property
    def padding_option(self) -> PaddingOption:
        """What a load gives outside of the tensor."""
        return PaddingOption.from_attr(self.padding)

    def verify_(self) -> None:
        super().verify_()
        block = self.descriptor_type.block
        pointee = cast(PointerType, self.base.type).pointee
        if _signless(block.element_type) != pointee:
            raise VerifyException(f"{self.base.type} does not point to the elements of {block}")
        rank = len(block.get_shape())
        require(1 <= rank <= MAX_DESCRIPTOR_RANK, f"a descriptor has 1 to {MAX_DESCRIPTOR_RANK} dimensions, not {rank}")
        require(
            len(self.shape) == rank == len(self.strides),
            f"a block of {rank} dimensions needs as many extents and strides, "
            f"got {len(self.shape)} and {len(self.strides)}",
        )
        row = block.get_shape()[-1] * bit_width_of(pointee) // 8
        require(row >= MIN_ROW_BYTES, f"the last dimension of {block} has {row} bytes, at least {MIN_ROW_BYTES} needed")
        require(constant_number(self.strides[-1]) == 1, "the last stride must be the constant 1")
        if self.padding_option is PaddingOption.NAN:
            require(is_float(pointee), f"elements of type {pointee} cannot be padded with NaN")

    @classmethod
    def parse(cls, parser: Parser) -> MakeTensorDescriptorOp:
        pos = parser.pos
        pointer = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        shape = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, parser.parse_unresolved_operand)
        parser.parse_punctuation(",")
        strides = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, parser.parse_unresolved_operand)
        attributes = parser.parse_optional_attr_dict()
        padding = attributes.pop("padding", None)
        parser.parse_punctuation(":")
        pointer_type = _parse_angle_brackets(parser, PointerType.name)
        parser.parse_punctuation(",")
        type_pos = parser.pos
        result_type = _parse_angle_brackets(parser, TensorDescType.name)
        if not isinstance(result_type, TensorDescType):
            parser.raise_error(f"expected a descriptor, got {result_type}", type_pos)
        if len(shape) != len(strides):
            parser.raise_error(f"{len(shape)} extents, but {len(strides)} strides", pos)
        op = cls.create(
            operands=[
                parser.resolve_operand(pointer, pointer_type),
                *parser.resolve_operands(shape, [i32] * len(shape), pos),
                *parser.resolve_operands(strides, [i64] * len(strides), pos),
            ],
            result_types=[result_type],
        )
        if padding is not None:
            op.properties["padding"] = padding
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_operand(self.base)
        for values in (self.shape, self.strides):
            printer.print_string(", [")
            printer.print_list(values, printer.print_operand)
            printer.print_string("]")
        padding = {} if self.padding_option is PaddingOption.ZERO else {"padding": self.padding_option.attr}
        printer.print_op_attributes({**padding, **self.attributes})
        printer.print_string(" : <")
        printer.print_attribute(cast(PointerType, self.base.type).pointee)
        printer.print_string(">, <")
        printer.print_attribute(self.descriptor_type.block)
        printer.print_string(">")


def _parse_access(parser: Parser) -> tuple[int, list[UnresolvedOperand]]:
    """Parse `%desc[%i, %j]`: also the position."""
    pos = parser.pos
    descriptor = parser.parse_unresolved_operand()
    indices = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, parser.parse_unresolved_operand)
    return pos, [descriptor, *indices]


def _print_access(printer: Printer, desc: SSAValue, indices: Sequence[SSAValue]) -> None:
    printer.print_string(" ")
    printer.print_operand(desc)
    printer.print_string("[")
    printer.print_list(indices, printer.print_operand)
    printer.print_string("]")


def _parse_descriptor_type(parser: Parser) -> TensorDescType:
    pos = parser.pos
    descriptor = parser.parse_type()
    if not isinstance(descriptor, TensorDescType):
        parser.raise_error(f"expected a descriptor, got {descriptor}", pos)
    return descriptor


def _verify_access(descriptor: TensorDescType, indices: Sequence[SSAValue], tile: Attribute) -> None:
    """There is an index for each dimension, and the tile is a block, perhaps without leading dimensions of 1."""
    block = descriptor.block_shape
    require(len(indices) == len(block), f"{len(indices)} indices into a descriptor of {len(block)} dimensions")
    shape = shape_of(tile)
    dropped = len(block) - len(shape)
    is_block = dropped >= 0 and block[dropped:] == shape and prod(block[:dropped]) == 1
    if not (is_block and shape and element_of(tile) == descriptor.tile.element_type):
        raise VerifyException(f"a block is {descriptor.tile}, or that without leading dimensions of 1, not {tile}")


@irdl_op_definition
class DescriptorLoadOp(_DescriptorOperation):
    """`tt.descriptor_load %d[%i, %j] : !tt.tensordesc<tensor<128x64xbf16>> -> tensor<128x64xbf16>`: the block whose
    first element has these indices (`i32`). Leading dimensions of extent 1 may be left out of the result."""

    name = "tt.descriptor_load"

    desc = operand_def(base_of(TensorDescType))
    indices = var_operand_def(i32)
    cache = opt_prop_def(IntegerAttr, CacheModifier.NONE.attr)
    evict = opt_prop_def(IntegerAttr, EvictionPolicy.EVICT_NORMAL.attr)
    result = result_def(base_of(TensorType[Attribute]))

    traits = traits_def(MemoryReadEffect())

    def __init__(
        self,
        desc: SSAValue | Operation,
        indices: Sequence[SSAValue | Operation],
        shape: Sequence[int] | None = None,
        *,
        location: LocationAttr | None = None,
    ):
        """`shape` is that of the result, if it is not the block's."""
        descriptor = SSAValue.get(desc).type
        assert isinstance(descriptor, TensorDescType)
        tile = descriptor.tile
        super().__init__(
            operands=[desc, indices],
            result_types=[tile if shape is None else TensorType(tile.element_type, shape)],
            properties={"cache": CacheModifier.NONE.attr, "evict": EvictionPolicy.EVICT_NORMAL.attr},
            location=location,
        )

    @property
    def descriptor_type(self) -> TensorDescType:
        """The type of the descriptor."""
        return cast(TensorDescType, self.desc.type)

    @property
    def dropped_dims(self) -> int:
        """How many leading dimensions of the block the result does not have."""
        return len(self.descriptor_type.block_shape) - len(shape_of(self.result.type))

    @property
    def cache_modifier(self) -> CacheModifier:
        """Which caches are used."""
        return CacheModifier.from_attr(self.cache)

    @property
    def eviction_policy(self) -> EvictionPolicy:
        """How long the lines should stay."""
        return EvictionPolicy.from_attr(self.evict)

    def verify_(self) -> None:
        super().verify_()
        _verify_access(self.descriptor_type, self.indices, self.result.type)
        CacheModifier.from_attr(self.cache)
        EvictionPolicy.from_attr(self.evict)

    @classmethod
    def parse(cls, parser: Parser) -> DescriptorLoadOp:
        pos, operands = _parse_access(parser)
        properties, attributes = parse_clauses_and_attributes(parser)
        parser.parse_punctuation(":")
        descriptor = _parse_descriptor_type(parser)
        parser.parse_punctuation("->")
        result = parser.parse_type()
        desc, *indices = parser.resolve_operands(operands, [descriptor, *[i32] * (len(operands) - 1)], pos)
        op = cls(desc, indices, shape_of(result))
        if op.result.type != result:
            parser.raise_error(f"a block has elements of type {descriptor.tile.element_type}, got {result}", pos)
        op.properties |= properties
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        _print_access(printer, self.desc, self.indices)
        print_clauses_and_attributes(printer, self, {})
        printer.print_string(" : ")
        printer.print_attribute(self.desc.type)
        printer.print_string(" -> ")
        printer.print_attribute(self.result.type)


@irdl_op_definition
class DescriptorStoreOp(_DescriptorOperation):
    """`tt.descriptor_store %d[%i, %j], %v : !tt.tensordesc<tensor<128x64xbf16>>, tensor<128x64xbf16>`: the tile to the
    block whose first element has these indices. The tile may lack leading dimensions of extent 1 of the block."""

    name = "tt.descriptor_store"

    desc = operand_def(base_of(TensorDescType))
    src = operand_def(base_of(TensorType[Attribute]))
    indices = var_operand_def(i32)

    traits = traits_def(MemoryWriteEffect())

    def __init__(
        self,
        desc: SSAValue | Operation,
        indices: Sequence[SSAValue | Operation],
        src: SSAValue | Operation,
        *,
        location: LocationAttr | None = None,
    ):
        super().__init__(operands=[desc, src, indices], location=location)

    @property
    def descriptor_type(self) -> TensorDescType:
        """The type of the descriptor."""
        return cast(TensorDescType, self.desc.type)

    @property
    def dropped_dims(self) -> int:
        """How many leading dimensions of the block the tile does not have."""
        return len(self.descriptor_type.block_shape) - len(shape_of(self.src.type))

    def verify_(self) -> None:
        super().verify_()
        _verify_access(self.descriptor_type, self.indices, self.src.type)

    @classmethod
    def parse(cls, parser: Parser) -> DescriptorStoreOp:
        pos, operands = _parse_access(parser)
        parser.parse_punctuation(",")
        source = parser.parse_unresolved_operand()
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        descriptor = _parse_descriptor_type(parser)
        parser.parse_punctuation(",")
        value = parser.resolve_operand(source, parser.parse_type())
        desc, *indices = parser.resolve_operands(operands, [descriptor, *[i32] * (len(operands) - 1)], pos)
        op = cls(desc, indices, value)
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        _print_access(printer, self.desc, self.indices)
        printer.print_string(", ")
        printer.print_operand(self.src)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.desc.type)
        printer.print_string(", ")
        printer.print_attribute(self.src.type)
