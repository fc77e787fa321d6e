"""Casts, copies and aliases."""

from __future__ import annotations

import functools
import math
from typing import Any

import torch
from xdsl.dialects.builtin import Float8E4M3FNType, f32, i1, i64
from xdsl.ir import SSAValue

from fusir.dialects import graph
from fusir.dialects.graph import can_convert, dims_of, element_type_of, is_float8, is_unsigned
from fusir.frontend.emitter import Emitter, NotNative, dtype_element, require_native
from fusir.frontend.table.registry import lowering

aten = torch.ops.aten
prims = torch.ops.prims


def cast_to(e: Emitter, x: SSAValue) -> SSAValue:
    """Convert to the result's element type. Identity (also of non-native types) where it is the operand's."""
    if element_type_of(x) == e.element:
        return x
    if is_float8(element_type_of(x)) or is_float8(e.element):
        # Through f32, as PyTorch converts other types.
        if can_convert(element_type_of(x), e.element):
            return e.convert(nan_beyond(e, x), e.element)
        return cast_to(e, cast_through_f32(e, x))
    require_native(x)
    if element_type_of(x) == f32 and is_unsigned(e.element):
        return e.convert(e.convert(x, i64), e.element)
    return e.convert(x, e.element)


@functools.cache
def overflows_to_nan() -> bool:
    """Whether what is too large for float8_e4m3fn becomes NaN in this PyTorch, and not the largest number."""
    return torch.tensor(1000.0).to(torch.float8_e4m3fn).isnan().item() is True


E4M3_OVERFLOW = 464.0
"""What is above it is too large for float8_e4m3fn: halfway between the largest number, 448, and what is next."""


def nan_beyond(e: Emitter, x: SSAValue) -> SSAValue:
    """What `graph.convert` makes of PyTorch's result: with NaN where the type is too small and PyTorch gives NaN."""
    if not isinstance(e.element, Float8E4M3FNType) or not overflows_to_nan():
        return x
    x = e.convert(x, f32)
    size = e.add(graph.AbsOp(x))
    beyond = e.add(graph.CompareOp("gt", size, e.full(E4M3_OVERFLOW, f32, dims_of(x))))
    return e.add(graph.SelectOp(beyond, e.full(math.nan, f32, dims_of(x)), x))


def cast_through_f32(e: Emitter, x: SSAValue) -> SSAValue:
    """The f32 through which other types become 8-bit floats and the other way round."""
    if element_type_of(x) == f32:
        raise NotNative(f"no conversion to {e.element}")
    if not is_float8(element_type_of(x)):
        require_native(x)
    return e.convert(x, f32)


@lowering(prims.convert_element_type.default)
def convert_element_type(e: Emitter, x: SSAValue, dtype: torch.dtype) -> SSAValue:
    return cast_to(e, x)


@lowering(aten._to_copy.default)
def to_copy(
    e: Emitter,
    x: SSAValue,
    *,
    dtype: torch.dtype | None = None,
    layout: torch.layout | None = None,
    device: torch.device | None = None,
    pin_memory: bool | None = None,
    non_blocking: bool = False,
    memory_format: torch.memory_format | None = None,
) -> SSAValue:
    """A conversion on one device; a copy between devices is left to ATen."""
    if pin_memory or e.spec_of(x).device != e.spec.device or e.spec_of(x).element != element_type_of(x):
        raise NotNative("copy between devices")
    return cast_to(e, x)


@lowering(aten.copy.default)
def copy(e: Emitter, x: SSAValue, source: SSAValue, non_blocking: bool = False) -> SSAValue:
    if e.spec_of(source).device != e.spec.device:
        raise NotNative("copy between devices")
    return e.broadcast(cast_to(e, source), e.dims)


def identity(e: Emitter, x: SSAValue, *args: Any, **kwargs: Any) -> SSAValue:
    """Copies and aliases: values have no storage here."""
    return x


for _target in (
    aten.clone.default,
    aten.alias.default,
    aten.alias_copy.default,
    aten.detach.default,
    aten.detach_copy.default,
    aten.lift.default,
    aten.lift_fresh.default,
    aten.lift_fresh_copy.default,
    aten.contiguous.default,
    aten.positive.default,
    aten.resolve_conj.default,
    aten.resolve_neg.default,
    prims.view_of.default,
):
    lowering(_target)(identity)


@lowering(aten.view.dtype)
def view_dtype(e: Emitter, x: SSAValue, dtype: torch.dtype) -> SSAValue:
    """Reinterpretation as another type of the same width."""
    require_native(x)
    source, target = element_type_of(x), dtype_element(dtype, e.element)
    if source == target:
        return x
    if i1 in (source, target) or source.bitwidth != target.bitwidth:  # pyright: ignore[reportAttributeAccessIssue]
        raise NotNative("view of another width")
    return e.add(graph.BitcastOp(x, target))
