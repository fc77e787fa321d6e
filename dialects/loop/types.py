"""Helpers for memref types whose extents and strides may be symbolic."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    IntegerType,
    MemRefType,
    NoneAttr,
    Signedness,
    StridedLayoutAttr,
)
from xdsl.ir import Attribute
from xdsl.ir.affine import AffineBinaryOpKind, AffineConstantExpr, AffineExpr

from fusir.dialects.affine_text import binary
from fusir.dialects.loop.attrs import Dim, StridedAttr


def contiguous_strides(dims: Sequence[Dim]) -> tuple[Dim, ...]:
    """Row-major strides, in elements, of a buffer with extents `dims`."""
    strides: list[Dim] = []
    stride: Dim = 1
    for dim in reversed(dims):
        strides.append(stride)
        stride = multiply(stride, dim)
    return tuple(reversed(strides))


def multiply(a: Dim, b: Dim) -> Dim:
    """The product of two extents or strides."""
    if isinstance(a, int) and isinstance(b, int):
        return a * b
    if a == 0 or b == 0:
        return 0
    if a == 1:
        return b
    if b == 1:
        return a
    lhs = AffineExpr.constant(a) if isinstance(a, int) else a
    rhs = AffineExpr.constant(b) if isinstance(b, int) else b
    return binary(AffineBinaryOpKind.Mul, lhs, rhs)


def memref_type(element: Attribute, dims: Sequence[Dim], strides: Sequence[Dim] | None = None) -> MemRefType:
    """A memref type with the given extents and strides in elements (default: row-major).

    A static row-major buffer has no layout, a static strided one `strided<...>`, any other `#loop.strided<...>`.
    """
    shape = [dim if isinstance(dim, int) else DYNAMIC_INDEX for dim in dims]
    row_major = contiguous_strides(dims)
    strides = row_major if strides is None else tuple(strides)
    if all(isinstance(stride, int) for stride in strides):
        if strides == row_major:
            return MemRefType(element, shape)
        return MemRefType(element, shape, StridedLayoutAttr([s for s in strides if isinstance(s, int)]))
    layout = StridedAttr(tuple(AffineExpr.constant(s) if isinstance(s, int) else s for s in strides))
    return MemRefType(element, shape, layout)


def strides_of(memref: MemRefType) -> tuple[Dim, ...]:
    """The strides of a memref in elements.

    Raises ValueError for layouts that fusir does not make (affine maps, dynamic `strided<...>`, dynamic inner extents
    without a layout).
    """
    layout = memref.layout
    if isinstance(layout, StridedAttr):
        return tuple(expr.value if isinstance(expr, AffineConstantExpr) else expr for expr in layout.data)
    if isinstance(layout, StridedLayoutAttr):
        strides = layout.get_strides()
        if all(stride is not None for stride in strides):
            return tuple(stride for stride in strides if stride is not None)
    elif isinstance(layout, NoneAttr):
        shape = memref.get_shape()
        if DYNAMIC_INDEX not in shape[1:]:
            return contiguous_strides(shape)
    raise ValueError(f"unsupported memref layout: {memref}")


def signless(element: Attribute) -> Attribute:
    """The element type a kernel uses for buffers of `element`: integers without sign."""
    if isinstance(element, IntegerType) and element.signedness.data is not Signedness.SIGNLESS:
        return IntegerType(element.width.data)
    return element
