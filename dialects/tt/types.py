"""Types of the `tt` dialect, and small questions about tile types.

A *tile type* is a scalar (float, integer, pointer) or a `TensorType` of scalars. Tensors of `tt` have static extents
whose product is a power of two, and no encoding (encodings are what Triton's later levels add).
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


def is_float8(scalar: Attribute) -> bool:
    """Whether `scalar` is one of Triton's 8-bit float types."""
    return isinstance(scalar, _FLOAT8_TYPES)


def is_float(scalar: Attribute) -> bool:
    """Whether `scalar` is one of Triton's scalar float types."""
    return isinstance(scalar, _FLOAT_TYPES)


def is_integer(scalar: Attribute) -> bool:
    """Whether `scalar` is one of Triton's scalar integer types (signless; `i1` is one of them)."""
    return (
        isinstance(scalar, IntegerType)
        and scalar.signedness.data is Signedness.SIGNLESS
        and scalar.width.data in _INT_WIDTHS
    )


@irdl_attr_definition
class PointerType(ParametrizedAttribute, TypeAttribute):
    """`!tt.ptr<f32>`: a pointer to scalars in global memory."""

    name = "tt.ptr"

    pointee: Attribute

    def verify(self) -> None:
        if not (is_float(self.pointee) or is_integer(self.pointee)):
            raise VerifyException(f"!tt.ptr of {self.pointee}: the pointee is a float or a signless integer")


def is_pointer(scalar: Attribute) -> bool:
    """Whether `scalar` is a scalar pointer."""
    return isinstance(scalar, PointerType)


def is_scalar(scalar: Attribute) -> bool:
    """Whether `scalar` is a legal element of a scalar."""
    return is_float(scalar) or is_integer(scalar) or is_pointer(scalar)


def element_of(tile: Attribute) -> Attribute:
    """The element type of a tensor, a scalar type itself."""
    return tile.element_type if isinstance(tile, TensorType) else tile


def shape_of(tile: Attribute) -> tuple[int, ...]:
    """The extents of a tile type; `()` for a scalar."""
    return cast(AnyTensor, tile).get_shape() if isinstance(tile, TensorType) else ()


def tile_type(element: Attribute, shape: Sequence[int]) -> Attribute:
    """The tile type of `shape`: the element itself if the shape is empty."""
    return TensorType(element, shape) if shape else element


def with_element(tile: Attribute, element: Attribute) -> Attribute:
    """The tile type of the shape of `tile` with another element type."""
    return tile_type(element, shape_of(tile))


def mask_type_of(tile: Attribute) -> Attribute:
    """The `i1` tile type of the shape of `tile`."""
    return with_element(tile, i1)


def pointee_type_of(tile: Attribute) -> Attribute:
    """The tile type that a load from pointers of tile type `tile` gives."""
    pointer = element_of(tile)
    if not isinstance(pointer, PointerType):
        raise VerifyException(f"expected a pointer or a tensor of pointers, got {tile}")
    return with_element(tile, pointer.pointee)


def bit_width_of(tile: Attribute) -> int:
    """The width in bits of a scalar or of the elements of a tensor."""
    element = element_of(tile)
    return element.bitwidth if isinstance(element, FixedBitwidthType) else POINTER_BITS


def verify_tensor_type(tile: AnyTensor) -> None:
    """Triton's rules for a tensor: static extents, a power-of-two number of elements, scalar elements, no encoding."""
    if tile.encoding != NoneAttr():
        raise VerifyException(f"{tile}: a tensor of tt has no encoding")
    if not is_scalar(tile.element_type):
        raise VerifyException(f"{tile}: a tensor element is a float, a signless integer or a pointer")
    count = 1
    for extent in tile.get_shape():
        if extent < 1:
            raise VerifyException(f"{tile}: the extents of a tile are static and positive")
        count *= extent
    if count & (count - 1):
        raise VerifyException(f"{tile}: the number of elements must be a power of two, got {count}")
    if count > MAX_TENSOR_ELEMENTS:
        raise VerifyException(f"{tile}: {count} elements, at most {MAX_TENSOR_ELEMENTS} are allowed")


def verify_tile_type(tile: Attribute) -> None:
    """`tile` is a scalar or a legal tensor of scalars."""
    if isinstance(tile, TensorType):
        verify_tensor_type(cast(AnyTensor, tile))
    elif not is_scalar(tile):
        raise VerifyException(f"{tile}: expected a float, a signless integer, a pointer or a tensor of these")
