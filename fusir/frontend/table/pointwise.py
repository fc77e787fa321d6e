"""Pointwise operators: arithmetic, comparison, bits, transcendental functions, activations, casts."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import torch
from xdsl.dialects.builtin import f32, i1, i8, i16, i32, i64
from xdsl.ir import Attribute, SSAValue

from fusir.dialects import graph
from fusir.dialects.graph import dims_of, element_type_of, is_float, is_unsigned
from fusir.frontend.emitter import (
    BinaryClass,
    Emitter,
    NotNative,
    Operand,
    Scalar,
    check_scalar,
    dtype_element,
    integral,
    require_native,
)
from fusir.frontend.table.registry import lowering
from fusir.frontend.types import ELEMENT_TYPES, element_type

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
    aten.div.Tensor, aten.div.Scalar, aten.div.Tensor_mode, aten.div.Scalar_mode, aten.true_divide.Tensor, prims.div.default
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


# Comparison and logic

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


# Compositions


@lowering(aten.addcmul.default)
def addcmul(e: Emitter, x: SSAValue, y: SSAValue, z: SSAValue, value: Scalar = 1) -> SSAValue:
    return _add_scaled(e, graph.MulOp, x, y, z, value)


@lowering(aten.addcdiv.default)
def addcdiv(e: Emitter, x: SSAValue, y: SSAValue, z: SSAValue, value: Scalar = 1) -> SSAValue:
    return _add_scaled(e, graph.DivOp, x, y, z, value)


def _add_scaled(e: Emitter, op: BinaryClass, x: SSAValue, y: SSAValue, z: SSAValue, value: Scalar) -> SSAValue:
    """`x + value * y op z`, rounded once."""
    if not is_float(e.element):
        raise NotNative("integer addcmul")
    compute = e.compute_element(composite=True)
    scaled = e.operand(y, compute)
    if check_scalar(value) != 1:
        scaled = e.binary(graph.MulOp, scaled, value)
    term = e.binary(op, scaled, e.operand(z, compute))
    return e.convert(e.binary(graph.AddOp, e.operand(x, compute), term), e.element)


@lowering(aten.lerp.Scalar, aten.lerp.Tensor)
def lerp(e: Emitter, start: SSAValue, end: SSAValue, weight: Operand) -> SSAValue:
    """`start + w * (end - start)` for |w| < 0.5, `end - (end - start) * (1 - w)` otherwise, as ATen."""
    compute = e.compute_element(composite=True)
    if not is_float(compute):
        raise NotNative("integer lerp")
    first, last, w = e.operand(start, compute), e.operand(end, compute), e.operand(weight, compute)
    span = e.binary(graph.SubOp, last, first)
    near_start = e.binary(graph.AddOp, first, e.binary(graph.MulOp, w, span))
    rest = e.binary(graph.SubOp, e.full(1.0, compute, e.dims), w)
    near_end = e.binary(graph.SubOp, last, e.binary(graph.MulOp, span, rest))
    if not isinstance(weight, SSAValue):
        return e.convert(near_start if abs(check_scalar(weight)) < 0.5 else near_end, e.element)
    small = e.compare("lt", e.unary(graph.AbsOp, w), e.full(0.5, compute, e.dims))
    return e.convert(e.select(small, near_start, near_end), e.element)


@lowering(aten.silu.default)
def silu(e: Emitter, x: SSAValue) -> SSAValue:
    compute = e.compute_element(composite=True)
    value = e.operand(x, compute)
    return e.convert(e.binary(graph.MulOp, value, e.unary(graph.SigmoidOp, value)), e.element)


GELU_TANH_SCALE = math.sqrt(2.0 / math.pi)
GELU_TANH_CUBIC = 0.044715


@lowering(aten.gelu.default)
def gelu(e: Emitter, x: SSAValue, approximate: str = "none") -> SSAValue:
    """`x/2 * (1 + erf(x / sqrt 2))`, or with tanh in place of erf."""
    compute = e.compute_element(composite=True)
    value = e.operand(x, compute)
    if approximate == "tanh":
        cubed = e.binary(graph.MulOp, e.binary(graph.MulOp, value, value), value)
        inner = e.binary(graph.AddOp, value, e.binary(graph.MulOp, cubed, GELU_TANH_CUBIC))
        bell = e.unary(graph.TanhOp, e.binary(graph.MulOp, inner, GELU_TANH_SCALE))
    else:
        bell = e.unary(graph.ErfOp, e.binary(graph.MulOp, value, math.sqrt(0.5)))
    half = e.binary(graph.MulOp, value, 0.5)
    return e.convert(e.binary(graph.MulOp, half, e.binary(graph.AddOp, bell, 1.0)), e.element)


@lowering(aten.leaky_relu.default)
def leaky_relu(e: Emitter, x: SSAValue, negative_slope: Scalar = 0.01) -> SSAValue:
    compute = e.compute_element(negative_slope)
    value = e.operand(x, compute)
    positive = e.compare("gt", value, e.full(0, compute, e.dims))
    scaled = e.binary(graph.MulOp, value, check_scalar(negative_slope))
    return e.convert(e.select(positive, value, scaled), e.element)


@lowering(aten.elu.default)
def elu(e: Emitter, x: SSAValue, alpha: Scalar = 1, scale: Scalar = 1, input_scale: Scalar = 1) -> SSAValue:
    compute = e.compute_element(composite=True)
    value = e.operand(x, compute)
    inner = value if input_scale == 1 else e.binary(graph.MulOp, value, check_scalar(input_scale))
    negative = e.binary(graph.MulOp, e.unary(graph.Expm1Op, inner), check_scalar(alpha) * check_scalar(scale))
    positive = value if scale == 1 else e.binary(graph.MulOp, value, check_scalar(scale))
    chosen = e.select(e.compare("gt", value, e.full(0, compute, e.dims)), positive, negative)
    return e.convert(chosen, e.element)


@lowering(aten.hardtanh.default)
def hardtanh(e: Emitter, x: SSAValue, min_val: Scalar = -1, max_val: Scalar = 1) -> SSAValue:
    return clamp(e, x, min_val, max_val)


@lowering(aten.threshold.default)
def threshold(e: Emitter, x: SSAValue, threshold: Scalar, value: Scalar) -> SSAValue:
    operand = e.operand(x, e.element)
    above = e.compare("le", operand, e.operand(threshold, e.element))
    return e.select(above, e.operand(value, e.element), operand)


@lowering(aten.softplus.default)
def softplus(e: Emitter, x: SSAValue, beta: Scalar = 1, threshold: Scalar = 20) -> SSAValue:
    """`log1p(exp(beta * x)) / beta`; x where `beta * x` is above the threshold."""
    compute = e.compute_element(composite=True)
    value = e.operand(x, compute)
    scaled = value if beta == 1 else e.binary(graph.MulOp, value, check_scalar(beta))
    soft = e.unary(graph.Log1pOp, e.unary(graph.ExpOp, scaled))
    if beta != 1:
        soft = e.binary(graph.DivOp, soft, beta)
    linear = e.compare("gt", scaled, e.full(check_scalar(threshold), compute, e.dims))
    return e.convert(e.select(linear, value, soft), e.element)


# Casts


def cast_to(e: Emitter, x: SSAValue) -> SSAValue:
    """Convert to the result's element type. Identity (also of non-native types) where it is the operand's."""
    if element_type_of(x) == e.element:
        return x
    require_native(x)
    if element_type_of(x) == f32 and is_unsigned(e.element):
        return e.convert(e.convert(x, i64), e.element)
    return e.convert(x, e.element)


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


