"""Types of the `tt` dialect, and small questions about tile types.

A *tile type* is a scalar (float, integer, pointer) or a `TensorType` of scalars. Tensors of `tt` have static extents whose
product is a power of two, and no encoding (encodings are what Triton's later levels add).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias, cast

from xdsl.dialects.builtin import (
    BFloat16Type,
    FixedBitwidthType,
    Float8E4M3FNType,
    Float8E4M3FNUZType,
    Float8E5M2FNUZType,
    Float8E5M2Type,
    Float16Type,
    Float32Type,
    Float64Type,
    IntegerType,
    NoneAttr,
    Signedness,
    TensorType,
    i1,
)
from xdsl.ir import Attribute, ParametrizedAttribute, TypeAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.utils.exceptions import VerifyException

AnyTensor: TypeAlias = TensorType[Attribute]

MAX_TENSOR_ELEMENTS = 1 << 20
"""Triton rejects a tensor with more elements than this."""

POINTER_BITS = 64

_FLOAT8_TYPES = (Float8E4M3FNType, Float8E4M3FNUZType, Float8E5M2FNUZType, Float8E5M2Type)
_FLOAT_TYPES = (Float32Type, BFloat16Type, Float16Type, Float64Type, *_FLOAT8_TYPES)
_INT_WIDTHS = frozenset((1, 4, 8, 16, 32, 64))


def is_float8(type: Attribute) -> bool:
    """Whether `type` is one of Triton's 8-bit float types."""
    return isinstance(type, _FLOAT8_TYPES)


def is_float(type: Attribute) -> bool:
    """Whether `type` is one of Triton's scalar float types."""
    return isinstance(type, _FLOAT_TYPES)


def is_integer(type: Attribute) -> bool:
    """Whether `type` is one of Triton's scalar integer types (signless; `i1` is one of them)."""
    return (
        isinstance(type, IntegerType) and type.signedness.data is Signedness.SIGNLESS and type.width.data in _INT_WIDTHS
    )


@irdl_attr_definition
class PointerType(ParametrizedAttribute, TypeAttribute):
    """`!tt.ptr<f32>`: a pointer to scalars in global memory."""

    name = "tt.ptr"

    pointee: Attribute

    def verify(self) -> None:
        if not is_scalar(self.pointee):
            raise VerifyException(f"!tt.ptr of {self.pointee}: the pointee is a float, a signless integer or a pointer")


@irdl_attr_definition
class TensorDescType(ParametrizedAttribute, TypeAttribute):
    """`!tt.tensordesc<tensor<64x64xf16>>`: describes a tensor in global memory that is read in blocks of that type."""

    name = "tt.tensordesc"

    block_type: AnyTensor

    def verify(self) -> None:
        verify_tensor_type(self.block_type)


def is_pointer(type: Attribute) -> bool:
    """Whether `type` is a scalar pointer."""
    return isinstance(type, PointerType)


def is_scalar(type: Attribute) -> bool:
    """Whether `type` is a legal element of a tile."""
    return is_float(type) or is_integer(type) or is_pointer(type)


def element_of(type: Attribute) -> Attribute:
    """The element type of a tensor, a scalar type itself."""
    return type.element_type if isinstance(type, TensorType) else type


def shape_of(type: Attribute) -> tuple[int, ...]:
    """The extents of a tile type; `()` for a scalar."""
    return cast(AnyTensor, type).get_shape() if isinstance(type, TensorType) else ()


def tile_type(element: Attribute, shape: Sequence[int]) -> Attribute:
    """The tile type of `shape`: the element itself if the shape is empty."""
    return TensorType(element, shape) if shape else element


def with_element(type: Attribute, element: Attribute) -> Attribute:
    """The tile type of the shape of `type` with another element type."""
    return tile_type(element, shape_of(type))


def mask_type_of(type: Attribute) -> Attribute:
    """The `i1` tile type of the shape of `type`."""
    return with_element(type, i1)


def pointee_type_of(type: Attribute) -> Attribute:
    """The tile type that a load from pointers of tile type `type` gives."""
    pointer = element_of(type)
    if not isinstance(pointer, PointerType):
        raise VerifyException(f"expected a pointer or a tensor of pointers, got {type}")
    return with_element(type, pointer.pointee)


def bit_width_of(type: Attribute) -> int:
    """The width in bits of a scalar type or of the elements of a tensor type."""
    element = element_of(type)
    return element.bitwidth if isinstance(element, FixedBitwidthType) else POINTER_BITS


def verify_tensor_type(type: AnyTensor) -> None:
    """Triton's rules for a tensor: static extents, a power-of-two number of elements, scalar elements, no encoding."""
    if type.encoding != NoneAttr():
        raise VerifyException(f"{type}: a tensor of tt has no encoding")
    if not is_scalar(type.element_type):
        raise VerifyException(f"{type}: a tensor element is a float, a signless integer or a pointer")
    count = 1
    for extent in type.get_shape():
        if extent < 1:
            raise VerifyException(f"{type}: the extents of a tile are static and positive")
        count *= extent
    if count & (count - 1):
        raise VerifyException(f"{type}: the number of elements must be a power of two, got {count}")
    if count > MAX_TENSOR_ELEMENTS:
        raise VerifyException(f"{type}: {count} elements, at most {MAX_TENSOR_ELEMENTS} are allowed")


def verify_tile_type(type: Attribute) -> None:
    """`type` is a scalar or a legal tensor of scalars."""
    if isinstance(type, TensorType):
        verify_tensor_type(cast(AnyTensor, type))
    elif not is_scalar(type):
        raise VerifyException(
            f"{type} is not a type of tt: expected a float, a signless integer, a pointer or a tensor"
        )
