"""Tensor types with symbolic dims, and the element types that fusir generates code for."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, TypeAlias, cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    BFloat16Type,
    Float8E4M3FNType,
    Float8E5M2Type,
    Float16Type,
    Float32Type,
    Float64Type,
    IntegerType,
    NoneAttr,
    Signedness,
    TensorType,
    bf16,
    f16,
    f32,
    f64,
    i1,
    i8,
    i16,
    i32,
    i64,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.ir.affine import AffineBinaryOpKind, AffineExpr
from xdsl.utils.exceptions import VerifyException

from fusir.dialects.affine_text import binary
from fusir.dialects.graph.attrs import Dim, DimsAttr, as_dim

AnyTensor: TypeAlias = TensorType[Any]

ui8 = IntegerType(8, Signedness.UNSIGNED)
"""`torch.uint8`."""

NATIVE_FLOATS = (f16, bf16, f32, f64)
NATIVE_INTEGERS = (i8, i16, i32, i64, ui8)
_NATIVE = frozenset((*NATIVE_FLOATS, *NATIVE_INTEGERS, i1))
_FLOAT_CLASSES = (Float16Type, BFloat16Type, Float32Type, Float64Type)


def is_native(element_type: Attribute) -> bool:
    """True for the element types that may be computed with: `f16 bf16 f32 f64 i1 i8 i16 i32 i64 ui8`."""
    return element_type in _NATIVE


def is_float(element_type: Attribute) -> bool:
    """True for `f16 bf16 f32 f64`."""
    return isinstance(element_type, _FLOAT_CLASSES)


def is_float8(element_type: Attribute) -> bool:
    """True for `f8E4M3FN f8E5M2`, which are stored, converted and contracted; nothing else computes with them."""
    return isinstance(element_type, (Float8E4M3FNType, Float8E5M2Type))


def is_stored(element_type: Attribute) -> bool:
    """True for what kernels load and store: native element types and the 8-bit floats."""
    return is_native(element_type) or is_float8(element_type)


def is_half(element_type: Attribute) -> bool:
    """True for `f16 bf16`."""
    return isinstance(element_type, (Float16Type, BFloat16Type))


def is_integer(element_type: Attribute) -> bool:
    """True for the native integers, without `i1`."""
    return isinstance(element_type, IntegerType) and element_type in NATIVE_INTEGERS


def is_bool(element_type: Attribute) -> bool:
    """True for `i1`."""
    return element_type == i1


def is_unsigned(element_type: Attribute) -> bool:
    """True for integers whose comparisons, divisions and right shifts are unsigned: `ui8`."""
    return isinstance(element_type, IntegerType) and element_type.signedness.data == Signedness.UNSIGNED


def bit_width(element_type: Attribute) -> int:
    """The width of a native element type in bits; 1 for i1."""
    if not isinstance(element_type, (IntegerType, *_FLOAT_CLASSES)):
        raise ValueError(f"{element_type} is not a native element type")
    return element_type.bitwidth


@lru_cache(maxsize=1 << 16)
def _tensor_type(element_type: Attribute, dims: tuple[Dim, ...]) -> AnyTensor:
    if all(isinstance(d, int) for d in dims):
        return TensorType(element_type, cast(tuple[int, ...], dims))
    shape = [d if isinstance(d, int) else DYNAMIC_INDEX for d in dims]
    return TensorType(element_type, shape, DimsAttr(dims))


def tensor_type(element_type: Attribute, dims: Sequence[Dim]) -> AnyTensor:
    """The tensor type with these dims; equal arguments give the same object.

    A static type has no encoding; otherwise dynamic dims are `?` and the encoding lists every dim.
    """
    return _tensor_type(element_type, tuple(as_dim(d) for d in dims))


def dims_of(value: SSAValue | Attribute) -> tuple[Dim, ...]:
    """The dims of a tensor type, or of the type of a value. A `?` without an encoding is an error."""
    type_ = value.type if isinstance(value, SSAValue) else value
    if not isinstance(type_, TensorType):
        raise VerifyException(f"expected a tensor type, got {type_}")
    encoding = type_.encoding
    if isinstance(encoding, DimsAttr):
        return encoding.data
    shape = cast(AnyTensor, type_).get_shape()
    if DYNAMIC_INDEX in shape:
        raise VerifyException(f"dynamic tensor type needs a #graph.dims encoding: {type_}")
    return shape


def element_type_of(value: SSAValue | Attribute) -> Attribute:
    """The element type of a tensor type, or of the type of a value."""
    type_ = value.type if isinstance(value, SSAValue) else value
    if not isinstance(type_, TensorType):
        raise VerifyException(f"expected a tensor type, got {type_}")
    return cast(Attribute, type_.element_type)


@lru_cache(maxsize=1 << 16)
def check_tensor_type(type_: Attribute) -> None:
    """Raise VerifyException unless this is a tensor type whose dims are all known and consistent."""
    if not isinstance(type_, TensorType):
        raise VerifyException(f"expected a tensor type, got {type_}")
    shape = cast(AnyTensor, type_).get_shape()
    encoding = type_.encoding
    if isinstance(encoding, NoneAttr):
        if DYNAMIC_INDEX in shape:
            raise VerifyException(f"dynamic tensor type needs a #graph.dims encoding: {type_}")
    elif not isinstance(encoding, DimsAttr):
        raise VerifyException(f"the encoding of a tensor type must be #graph.dims, got {encoding}")
    elif encoding.is_static:
        raise VerifyException(f"a static tensor type has no encoding: {type_}")
    elif tuple(d if isinstance(d, int) else DYNAMIC_INDEX for d in encoding.data) != shape:
        raise VerifyException(f"the encoding does not agree with the shape: {type_}")
    if any(isinstance(d, int) and d < 0 for d in dims_of(type_)):
        raise VerifyException(f"negative extent in {type_}")


def numel(dims: Sequence[Dim]) -> Dim:
    """Product of the dims; an int if all are ints (1 for rank 0) or one of them is 0."""
    static = 1
    symbolic: AffineExpr | None = None
    for dim in dims:
        if isinstance(dim, int):
            static *= dim
        else:
            symbolic = dim if symbolic is None else binary(AffineBinaryOpKind.Mul, symbolic, dim)
    if symbolic is None or static == 0:
        return static
    return symbolic if static == 1 else symbolic * static
