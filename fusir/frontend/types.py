"""Torch dtypes, devices and sizes as types and attributes of the graph dialect."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from xdsl.dialects.builtin import (
    ComplexType,
    Float8E4M3FNType,
    Float8E4M3FNUZType,
    Float8E5M2FNUZType,
    Float8E5M2Type,
    Float8E8M0FNUType,
    IntegerType,
    Signedness,
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
from xdsl.ir import Attribute

from fusir.dialects.graph import Dim, DimsAttr, numel, tensor_type
from fusir.dialects.graph.types import AnyTensor
from fusir.frontend.dims import SymbolTable, UnsupportedGraph

ELEMENT_TYPES: dict[torch.dtype, Attribute] = {
    torch.float16: f16,
    torch.bfloat16: bf16,
    torch.float32: f32,
    torch.float64: f64,
    torch.bool: i1,
    torch.int8: i8,
    torch.int16: i16,
    torch.int32: i32,
    torch.int64: i64,
    torch.uint8: IntegerType(8, Signedness.UNSIGNED),
    torch.uint16: IntegerType(16, Signedness.UNSIGNED),
    torch.uint32: IntegerType(32, Signedness.UNSIGNED),
    torch.uint64: IntegerType(64, Signedness.UNSIGNED),
    torch.complex32: ComplexType(f16),
    torch.complex64: ComplexType(f32),
    torch.complex128: ComplexType(f64),
    torch.float8_e4m3fn: Float8E4M3FNType(),
    torch.float8_e4m3fnuz: Float8E4M3FNUZType(),
    torch.float8_e5m2: Float8E5M2Type(),
    torch.float8_e5m2fnuz: Float8E5M2FNUZType(),
    torch.float8_e8m0fnu: Float8E8M0FNUType(),
}


def element_type(dtype: torch.dtype) -> Attribute:
    """The element type of a dtype. Raises UnsupportedGraph for quantized and other exotic dtypes."""
    type_ = ELEMENT_TYPES.get(dtype)
    if type_ is None:
        raise UnsupportedGraph(f"no tensor type for {dtype}")
    return type_


@dataclass(frozen=True)
class TensorSpec:
    """What tracing found out about one tensor."""

    dims: tuple[Dim, ...]
    strides: tuple[Dim, ...]
    element: Attribute
    device: torch.device
    offset: Dim = 0
    """Position of the first element in its storage."""

    @property
    def type(self) -> AnyTensor:
        return tensor_type(self.element, self.dims)

    @property
    def is_empty(self) -> bool:
        return 0 in self.dims

    @property
    def is_contiguous(self) -> bool:
        """True if the elements are in row-major order without gaps, for every value of the symbols."""
        return self.is_empty or is_dense_in_order(self.dims, self.strides, range(len(self.dims)))

    @property
    def is_permuted_dense(self) -> bool:
        """True if the elements fill their storage without gaps in another order than row-major (channels last)."""
        if self.is_contiguous or not all(isinstance(s, int) for s in self.strides):
            return False
        order = sorted(range(len(self.dims)), key=lambda i: -_as_int(self.strides[i]))
        return is_dense_in_order(self.dims, self.strides, order)

    @property
    def strides_attribute(self) -> DimsAttr:
        return DimsAttr(self.strides)


def _as_int(dim: Dim) -> int:
    assert isinstance(dim, int)
    return dim


def is_dense_in_order(dims: Sequence[Dim], strides: Sequence[Dim], order: Sequence[int]) -> bool:
    """True if walking the dims in `order`, the last one fastest, walks the storage without gaps."""
    suffix: list[Dim] = []
    for i in reversed(order):
        if dims[i] != 1 and strides[i] != numel_of(suffix):
            return False
        suffix.insert(0, dims[i])
    return True


def numel_of(dims: Sequence[Dim]) -> Dim:
    """The product of the dims in normal form."""
    from fusir.analysis.expr import simplify
    from fusir.dialects.graph import as_dim

    product = numel(dims)
    return product if isinstance(product, int) else as_dim(simplify(product))


def tensor_spec(value: torch.Tensor, symbols: SymbolTable) -> TensorSpec:
    """The spec of a fake, meta or real tensor. Raises UnsupportedGraph for sparse and other unusual tensors."""
    if value.layout is not torch.strided:
        raise UnsupportedGraph(f"no tensor type for layout {value.layout}")
    if value.is_quantized:
        raise UnsupportedGraph("quantized tensor")
    dims = symbols.dims(value.shape)
    strides = symbols.strides(value.stride())
    return TensorSpec(dims, strides, element_type(value.dtype), value.device, symbols.dim(value.storage_offset()))
