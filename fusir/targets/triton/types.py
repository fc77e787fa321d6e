"""Scalar types as Triton's Python language and its launch signatures name them.

Signless integers are signed in Python; ops that read them as unsigned say so.
"""

from __future__ import annotations

from xdsl.dialects.builtin import (
    BFloat16Type,
    Float8E4M3FNType,
    Float8E4M3FNUZType,
    Float8E5M2FNUZType,
    Float8E5M2Type,
    Float16Type,
    Float32Type,
    Float64Type,
    IntegerType,
)
from xdsl.ir import Attribute

from fusir.dialects.tt import PointerType

_FLOATS: dict[type[Attribute], tuple[str, str]] = {
    Float16Type: ("float16", "fp16"),
    BFloat16Type: ("bfloat16", "bf16"),
    Float32Type: ("float32", "fp32"),
    Float64Type: ("float64", "fp64"),
    Float8E4M3FNType: ("float8e4nv", "fp8e4nv"),
    Float8E4M3FNUZType: ("float8e4b8", "fp8e4b8"),
    Float8E5M2Type: ("float8e5", "fp8e5"),
    Float8E5M2FNUZType: ("float8e5b16", "fp8e5b16"),
}
"""Float type -> its name in `triton.language`, its name in a launch signature."""


def dtype_name(scalar: Attribute, *, unsigned: bool = False) -> str:
    """The type in Python source: `tl.float32`, `tl.int32`, `tl.uint32`, `tl.pointer_type(tl.float32)`."""
    if isinstance(scalar, IntegerType):
        prefix = "u" if unsigned and scalar.width.data > 1 else ""
        return f"tl.{prefix}int{scalar.width.data}"
    if isinstance(scalar, PointerType):
        return f"tl.pointer_type({dtype_name(scalar.pointee)})"
    return f"tl.{_FLOATS[type(scalar)][0]}"


def signature_type(scalar: Attribute) -> str:
    """The type of an argument in a launch signature: `*bf16`, `i32`, `fp32`."""
    if isinstance(scalar, PointerType):
        return "*" + signature_type(scalar.pointee)
    if isinstance(scalar, IntegerType):
        return f"i{scalar.width.data}"
    return _FLOATS[type(scalar)][1]
