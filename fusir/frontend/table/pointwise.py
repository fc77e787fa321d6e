"""Pointwise operators: arithmetic, comparison, bits, transcendental functions, activations, casts."""

from __future__ import annotations

import math
from typing import Any

import torch
from xdsl.dialects.builtin import i1, i8, i16, i32, i64
from xdsl.ir import Attribute, SSAValue

from fusir.dialects import graph
from fusir.dialects.graph import element_type_of, is_float, is_unsigned
from fusir.frontend.emitter import (
    BinaryClass,
    Emitter,
    NotNative,
    Operand,
    Scalar,
    check_scalar,
    integral,
    require_native,
)
from fusir.frontend.table.registry import lowering

aten = torch.ops.aten
prims = torch.ops.prims

MAX_UNROLLED_POWER = 4
"""Integer exponents up to this one are written as products."""

# Functions of one floating-point operand

_FLOAT_UNARY: dict[Any, BinaryClass] = {
    aten.exp: graph.ExpOp,
    aten.exp2: graph.Exp2Op,
    aten.expm1: graph.Expm1Op,
    aten.log: graph.LogOp,
    aten.log2: graph.Log2Op,
    aten.log10: graph.Log10Op,
    aten.log1p: graph.Log1pOp,
    aten.sqrt: graph.SqrtOp,
    aten.rsqrt: graph.RsqrtOp,
    aten.reciprocal: graph.ReciprocalOp,
    aten.sin: graph.SinOp,
    aten.cos: graph.CosOp,
    aten.tan: graph.TanOp,
    aten.asin: graph.AsinOp,
    aten.acos: graph.AcosOp,
    aten.atan: graph.AtanOp,
    aten.sinh: graph.SinhOp,
    aten.cosh: graph.CoshOp,
    aten.tanh: graph.TanhOp,
    aten.asinh: graph.AsinhOp,
    aten.acosh: graph.AcoshOp,
    aten.atanh: graph.AtanhOp,
    aten.erf: graph.ErfOp,
    aten.erfc: graph.ErfcOp,
    aten.sigmoid: graph.SigmoidOp,
}


def _register_float_unary(packet: Any, op: BinaryClass) -> None:
    @lowering(packet.default)
    def import_float_unary(e: Emitter, x: SSAValue) -> SSAValue:
        return e.unary(op, e.operand(x, e.element))


for _packet, _op in _FLOAT_UNARY.items():
    _register_float_unary(_packet, _op)


@lowering(aten.neg.default, aten.negative.default)
def neg(e: Emitter, x: SSAValue) -> SSAValue:
    return e.unary(graph.NegOp, _number(x))


@lowering(aten.abs.default)
def absolute(e: Emitter, x: SSAValue) -> SSAValue:
    if is_unsigned(element_type_of(x)) or element_type_of(x) == i1:
        return x
    return e.unary(graph.AbsOp, _number(x))


@lowering(aten.sign.default)
def sign(e: Emitter, x: SSAValue) -> SSAValue:
    return x if element_type_of(x) == i1 else e.unary(graph.SignOp, _number(x))


@lowering(aten.relu.default)
def relu(e: Emitter, x: SSAValue) -> SSAValue:
    return e.unary(graph.ReluOp, _number(x))


_ROUNDING: dict[Any, BinaryClass] = {
    aten.floor: graph.FloorOp,
    aten.ceil: graph.CeilOp,
    aten.round: graph.RoundOp,
    aten.trunc: graph.TruncOp,
}


def _register_rounding(packet: Any, op: BinaryClass) -> None:
    @lowering(packet.default)
    def import_rounding(e: Emitter, x: SSAValue) -> SSAValue:
        return x if integral(element_type_of(x)) else e.unary(op, _number(x))


for _packet, _op in _ROUNDING.items():
    _register_rounding(_packet, _op)


@lowering(aten.bitwise_not.default)
def bitwise_not(e: Emitter, x: SSAValue) -> SSAValue:
    require_native(x)
    return e.unary(graph.NotOp, x)


@lowering(aten.logical_not.default)
def logical_not(e: Emitter, x: SSAValue) -> SSAValue:
    return e.convert(e.unary(graph.NotOp, e.operand(x, i1)), e.element)


@lowering(aten.isnan.default)
def isnan(e: Emitter, x: SSAValue) -> SSAValue:
    return _float_test(e, graph.IsNanOp, x)


@lowering(aten.isinf.default)
def isinf(e: Emitter, x: SSAValue) -> SSAValue:
    return _float_test(e, graph.IsInfOp, x)


def _float_test(e: Emitter, op: BinaryClass, x: SSAValue) -> SSAValue:
    require_native(x)
    return e.unary(op, x) if is_float(element_type_of(x)) else e.full(False, i1, e.dims)


_BITS: dict[int, Attribute] = {8: i8, 16: i16, 32: i32, 64: i64}


@lowering(aten.signbit.default)
def signbit(e: Emitter, x: SSAValue) -> SSAValue:
    require_native(x)
    element = element_type_of(x)
    if is_unsigned(element) or element == i1:
        return e.full(False, i1, e.dims)
    if is_float(element):
        x = e.add(graph.BitcastOp(x, _BITS[element.bitwidth]))  # pyright: ignore[reportAttributeAccessIssue]
    return e.compare("lt", x, e.full(0, element_type_of(x), e.dims))


def _number(x: SSAValue) -> SSAValue:
    """The value itself unless its element type is i1 or not native."""
    require_native(x)
    if element_type_of(x) == i1:
        raise NotNative("arithmetic on bool")
    return x


# Arithmetic of two operands

_BOOL_ARITHMETIC: dict[BinaryClass, BinaryClass] = {
    graph.AddOp: graph.OrOp,
    graph.MulOp: graph.AndOp,
    graph.MaximumOp: graph.OrOp,
    graph.MinimumOp: graph.AndOp,
    graph.FmaxOp: graph.OrOp,
    graph.FminOp: graph.AndOp,
}


def arithmetic(e: Emitter, op: BinaryClass, x: Operand, y: Operand) -> SSAValue:
    """A binary op in the type that ATen promotes the operands to, which is the result's."""
    if e.element == i1:
        if op not in _BOOL_ARITHMETIC:
            raise NotNative("arithmetic on bool")
        op = _BOOL_ARITHMETIC[op]
    compute = e.compute_element(x, y)
    return e.convert(e.binary(op, e.operand(x, compute), e.operand(y, compute)), e.element)


def _scaled_sum(e: Emitter, op: BinaryClass, x: Operand, y: Operand, alpha: Scalar) -> SSAValue:
    """`x op alpha * y`."""
    if check_scalar(alpha) == 1:
        return arithmetic(e, op, x, y)
    if e.element == i1:
        raise NotNative("alpha on bool")
    compute = e.compute_element(composite=True)
    scaled = e.binary(graph.MulOp, e.operand(y, compute), alpha)
    return e.convert(e.binary(op, e.operand(x, compute), scaled), e.element)


@lowering(aten.add.Tensor, aten.add.Scalar)
def add(e: Emitter, x: Operand, y: Operand, alpha: Scalar = 1) -> SSAValue:
    return _scaled_sum(e, graph.AddOp, x, y, alpha)


@lowering(aten.sub.Tensor, aten.sub.Scalar)
def sub(e: Emitter, x: Operand, y: Operand, alpha: Scalar = 1) -> SSAValue:
    return _scaled_sum(e, graph.SubOp, x, y, alpha)


@lowering(aten.rsub.Tensor, aten.rsub.Scalar)
def rsub(e: Emitter, x: Operand, y: Operand, alpha: Scalar = 1) -> SSAValue:
    if check_scalar(alpha) != 1:
        raise NotNative("rsub with alpha")
    return arithmetic(e, graph.SubOp, y, x)


@lowering(aten.mul.Tensor, aten.mul.Scalar)
def mul(e: Emitter, x: Operand, y: Operand) -> SSAValue:
    return arithmetic(e, graph.MulOp, x, y)


@lowering(
    aten.div.Tensor,
    aten.div.Scalar,
    aten.div.Tensor_mode,
    aten.div.Scalar_mode,
    aten.true_divide.Tensor,
    prims.div.default,
)
def div(e: Emitter, x: Operand, y: Operand, rounding_mode: str | None = None) -> SSAValue:
    if rounding_mode == "floor":
        return arithmetic(e, graph.FloorDivOp, x, y)
    if rounding_mode == "trunc" and is_float(e.element):
        return e.unary(graph.TruncOp, arithmetic(e, graph.DivOp, x, y))
    return arithmetic(e, graph.DivOp, x, y)


@lowering(aten.floor_divide.default)
def floor_divide(e: Emitter, x: Operand, y: Operand) -> SSAValue:
    return arithmetic(e, graph.FloorDivOp, x, y)


@lowering(aten.remainder.Tensor, aten.remainder.Scalar, aten.remainder.Scalar_Tensor)
def remainder(e: Emitter, x: Operand, y: Operand) -> SSAValue:
    return arithmetic(e, graph.ModOp, x, y)


@lowering(aten.fmod.Tensor, aten.fmod.Scalar)
def fmod(e: Emitter, x: Operand, y: Operand) -> SSAValue:
    return arithmetic(e, graph.RemOp, x, y)


@lowering(aten.atan2.default)
def atan2(e: Emitter, x: Operand, y: Operand) -> SSAValue:
    return arithmetic(e, graph.Atan2Op, x, y)


@lowering(aten.maximum.default)
def maximum(e: Emitter, x: Operand, y: Operand) -> SSAValue:
    return arithmetic(e, graph.MaximumOp, x, y)


@lowering(aten.minimum.default)
def minimum(e: Emitter, x: Operand, y: Operand) -> SSAValue:
    return arithmetic(e, graph.MinimumOp, x, y)


@lowering(aten.fmax.default)
def fmax(e: Emitter, x: Operand, y: Operand) -> SSAValue:
    return arithmetic(e, graph.FmaxOp if is_float(e.element) else graph.MaximumOp, x, y)


@lowering(aten.fmin.default)
def fmin(e: Emitter, x: Operand, y: Operand) -> SSAValue:
    return arithmetic(e, graph.FminOp if is_float(e.element) else graph.MinimumOp, x, y)


@lowering(aten.pow.Tensor_Tensor, aten.pow.Scalar)
def pow_tensor(e: Emitter, x: Operand, y: Operand) -> SSAValue:
    if not is_float(e.element):
        raise NotNative("integer power")
    return arithmetic(e, graph.PowOp, x, y)


@lowering(aten.pow.Tensor_Scalar)
def pow_scalar(e: Emitter, x: SSAValue, exponent: Scalar) -> SSAValue:
    """Small whole exponents are products, as in ATen; 0.5 and -0.5 are roots."""
    check_scalar(exponent)
    if e.element == i1:
        raise NotNative("power of bool")
    compute = e.compute_element(composite=abs(exponent) > 2)
    base = e.operand(x, compute)
    if exponent == int_or_none(exponent) and 0 <= exponent <= MAX_UNROLLED_POWER:
        return e.convert(_product_power(e, base, int(exponent)), e.element)
    if not is_float(e.element):
        raise NotNative("integer power")
    roots: dict[float, BinaryClass] = {0.5: graph.SqrtOp, -0.5: graph.RsqrtOp, -1.0: graph.ReciprocalOp}
    if exponent in roots:
        return e.unary(roots[exponent], e.operand(x, e.element))
    if exponent == -2:
        compute = e.compute_element(composite=True)
        base = e.operand(x, compute)
        return e.convert(e.unary(graph.ReciprocalOp, e.binary(graph.MulOp, base, base)), e.element)
    return arithmetic(e, graph.PowOp, x, exponent)


def int_or_none(value: Scalar) -> int | None:
    """The scalar as an int if it is a whole number."""
    return int(value) if math.isfinite(value) and value == int(value) else None


def _product_power(e: Emitter, base: SSAValue, exponent: int) -> SSAValue:
    if exponent == 0:
        return e.full(1, element_type_of(base), e.dims)
    if exponent == 1:
        return base
    square = e.binary(graph.MulOp, base, base)
    if exponent == 2:
        return square
    return e.binary(graph.MulOp, square, base if exponent == 3 else square)


@lowering(aten.copysign.Tensor, aten.copysign.Scalar)
def copysign(e: Emitter, x: Operand, y: Operand) -> SSAValue:
    element = e.element
    if not is_float(element):
        raise NotNative("copysign of an integer")
    magnitude = e.unary(graph.AbsOp, e.operand(x, element))
    bits = e.add(graph.BitcastOp(e.operand(y, element), _BITS[element.bitwidth]))  # pyright: ignore[reportAttributeAccessIssue]
    negative = e.compare("lt", bits, e.full(0, element_type_of(bits), e.dims))
    return e.select(negative, e.unary(graph.NegOp, magnitude), magnitude)
