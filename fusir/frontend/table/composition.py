"""Pointwise operators that are small compositions: activations, interpolation, scaled sums.

A half-precision composition is computed in f32 and rounded once, as ATen does.
"""

from __future__ import annotations

import math

import torch
from xdsl.ir import SSAValue

from fusir.dialects import graph
from fusir.dialects.graph import is_float
from fusir.frontend.emitter import BinaryClass, Emitter, NotNative, Operand, Scalar, check_scalar
from fusir.frontend.table.comparison import clamp
from fusir.frontend.table.registry import lowering

aten = torch.ops.aten


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
