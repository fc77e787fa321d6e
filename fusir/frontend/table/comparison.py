"""Comparison, logic, bits, selection and clamping."""

from __future__ import annotations

import math
from typing import Any

import torch
from xdsl.dialects.builtin import i1
from xdsl.ir import Attribute, SSAValue
from xdsl.ir.affine import AffineExpr

from fusir.dialects import graph
from fusir.dialects.graph import dims_of, element_type_of
from fusir.frontend.emitter import BinaryClass, Emitter, NotNative, Operand, check_scalar, integral
from fusir.frontend.symbolic import SymbolicFloat
from fusir.frontend.table.registry import lowering
from fusir.frontend.types import ELEMENT_TYPES, element_type

aten = torch.ops.aten
prims = torch.ops.prims

_COMPARISONS: dict[Any, str] = {
    aten.eq: "eq",
    aten.ne: "ne",
    aten.lt: "lt",
    aten.le: "le",
    aten.gt: "gt",
    aten.ge: "ge",
}


def promoted_element(*operands: Operand) -> Attribute:
    """The element type that ATen promotes operands to, by `torch.result_type`."""
    dtypes = {element: dtype for dtype, element in ELEMENT_TYPES.items()}
    proxies: list[Any] = []
    for operand in operands:
        if isinstance(operand, SSAValue):
            shape = [1] * len(dims_of(operand))
            proxies.append(torch.empty(shape, dtype=dtypes[element_type_of(operand)], device="meta"))
        elif isinstance(operand, AffineExpr | SymbolicFloat):
            proxies.append(1 if isinstance(operand, AffineExpr) else 1.0)
        else:
            proxies.append(check_scalar(operand))
    return element_type(torch.result_type(*proxies))


def _register_comparison(packet: Any, predicate: str) -> None:
    @lowering(packet.Tensor, packet.Scalar)
    def import_comparison(e: Emitter, x: SSAValue, y: Operand) -> SSAValue:
        element = promoted_element(x, y)
        return e.compare(predicate, e.operand(x, element), e.operand(y, element))


for _packet, _predicate in _COMPARISONS.items():
    _register_comparison(_packet, _predicate)

_LOGICAL: dict[Any, BinaryClass] = {
    aten.logical_and: graph.AndOp,
    aten.logical_or: graph.OrOp,
    aten.logical_xor: graph.XorOp,
}


def _register_logical(packet: Any, op: BinaryClass) -> None:
    @lowering(packet.default)
    def import_logical(e: Emitter, x: SSAValue, y: SSAValue) -> SSAValue:
        return e.convert(e.binary(op, e.operand(x, i1), e.operand(y, i1)), e.element)


for _packet, _op in _LOGICAL.items():
    _register_logical(_packet, _op)

_BITWISE: dict[Any, BinaryClass] = {
    aten.bitwise_and: graph.AndOp,
    aten.bitwise_or: graph.OrOp,
    aten.bitwise_xor: graph.XorOp,
    aten.bitwise_left_shift: graph.ShlOp,
    aten.bitwise_right_shift: graph.ShrOp,
}


def _register_bitwise(packet: Any, op: BinaryClass) -> None:
    overloads = ["Tensor", "Scalar", "Scalar_Tensor"]
    if packet in (aten.bitwise_left_shift, aten.bitwise_right_shift):
        overloads[1] = "Tensor_Scalar"

    @lowering(*(getattr(packet, name) for name in overloads))
    def import_bitwise(e: Emitter, x: Operand, y: Operand) -> SSAValue:
        return e.binary(op, e.operand(x, e.element), e.operand(y, e.element))


for _packet, _op in _BITWISE.items():
    _register_bitwise(_packet, _op)


@lowering(aten.__lshift__.Tensor, aten.__lshift__.Scalar)
def left_shift(e: Emitter, x: Operand, y: Operand) -> SSAValue:
    if not integral(e.element):
        raise NotNative("shift of a float")
    return e.binary(graph.ShlOp, e.operand(x, e.element), e.operand(y, e.element))


@lowering(aten.__rshift__.Tensor, aten.__rshift__.Scalar)
def right_shift(e: Emitter, x: Operand, y: Operand) -> SSAValue:
    if not integral(e.element):
        raise NotNative("shift of a float")
    return e.binary(graph.ShrOp, e.operand(x, e.element), e.operand(y, e.element))


# Selection and clamping


@lowering(aten.where.self, aten.where.ScalarSelf, aten.where.ScalarOther, aten.where.Scalar, prims.where.default)
def where(e: Emitter, condition: SSAValue, x: Operand, y: Operand) -> SSAValue:
    return e.select(e.operand(condition, i1), e.operand(x, e.element), e.operand(y, e.element))


@lowering(aten.masked_fill.Scalar, aten.masked_fill.Tensor)
def masked_fill(e: Emitter, x: SSAValue, mask: SSAValue, value: Operand) -> SSAValue:
    return e.select(e.operand(mask, i1), e.operand(value, e.element), e.operand(x, e.element))


@lowering(aten.clamp.default, aten.clamp.Tensor)
def clamp(e: Emitter, x: SSAValue, low: Operand | None = None, high: Operand | None = None) -> SSAValue:
    """`min(max(x, low), high)`; NaN in any operand gives NaN."""
    compute = e.element
    value = e.operand(x, compute)
    for op, bound in ((graph.MaximumOp, low), (graph.MinimumOp, high)):
        if bound is not None:
            if isinstance(bound, float) and math.isnan(bound):
                return e.full(math.nan, compute, e.dims)
            value = e.binary(op, value, e.operand(bound, compute))
    return value


@lowering(aten.clamp_min.default, aten.clamp_min.Tensor)
def clamp_min(e: Emitter, x: SSAValue, low: Operand) -> SSAValue:
    return clamp(e, x, low)


@lowering(aten.clamp_max.default, aten.clamp_max.Tensor)
def clamp_max(e: Emitter, x: SSAValue, high: Operand) -> SSAValue:
    return clamp(e, x, None, high)
