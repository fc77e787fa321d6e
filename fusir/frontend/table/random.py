"""Random numbers: `graph.random` with one seed tensor for each call. Not bit-equal to eager, but governed by
`torch.manual_seed`, because the seed is drawn from PyTorch's generator."""

from __future__ import annotations

from typing import Any

import torch
from xdsl.dialects.builtin import bf16, f16, f32, i1
from xdsl.ir import SSAValue

from fusir.dialects import graph
from fusir.dialects.graph import is_float, tensor_type
from fusir.frontend.emitter import Emitter, NotNative, Scalar, check_scalar, require_native
from fusir.frontend.table.registry import lowering
from fusir.frontend.types import TensorSpec

aten = torch.ops.aten

UNIFORM_STEPS = {f16: 2**11, bf16: 2**8}
"""Uniform numbers of a half type are multiples of 1/steps, so that none is rounded up to 1."""


def uniform(e: Emitter, spec: TensorSpec) -> SSAValue:
    """Uniform f32 numbers in [0, 1) of the spec's shape."""
    return e.add(graph.RandomOp(e.random.seed, e.random.next_offset(), tensor_type(f32, spec.dims)))


def _rand(e: Emitter) -> SSAValue:
    if not is_float(e.element):
        raise NotNative("random integers")
    value = uniform(e, e.spec)
    steps = UNIFORM_STEPS.get(e.element)  # pyright: ignore[reportArgumentType, reportCallIssue]
    if steps is not None:
        value = e.unary(graph.FloorOp, e.binary(graph.MulOp, value, float(steps)))
        value = e.binary(graph.MulOp, value, 1.0 / steps)
    return e.convert(value, e.element)


@lowering(aten.rand.default, aten.rand_like.default)
def rand(e: Emitter, *_: Any, **__: Any) -> SSAValue:
    return _rand(e)


@lowering(aten.uniform.default)
def uniform_range(e: Emitter, x: SSAValue, low: float = 0.0, high: float = 1.0, generator: Any = None) -> SSAValue:
    _no_generator(generator)
    if not is_float(e.element):
        raise NotNative("random integers")
    value = e.binary(graph.MulOp, uniform(e, e.spec), check_scalar(high) - check_scalar(low))
    return e.convert(e.binary(graph.AddOp, value, low), e.element)


@lowering(aten.bernoulli.p)
def bernoulli_p(e: Emitter, x: SSAValue, p: Scalar = 0.5, generator: Any = None) -> SSAValue:
    _no_generator(generator)
    hit = e.compare("lt", uniform(e, e.spec), e.full(check_scalar(p), f32, e.dims))
    return e.convert(hit, e.element)


@lowering(aten.bernoulli.default)
def bernoulli(e: Emitter, p: SSAValue, generator: Any = None) -> SSAValue:
    _no_generator(generator)
    require_native(p)
    return e.convert(e.compare("lt", uniform(e, e.spec), e.operand(p, f32)), e.element)


@lowering(aten.native_dropout.default)
def native_dropout(e: Emitter, x: SSAValue, p: float, train: bool | None) -> list[SSAValue]:
    """Each element is kept with probability 1 - p and scaled by 1 / (1 - p). Results: the values, the kept mask."""
    value_spec, mask_spec = e.specs
    require_native(x)
    if train is False:
        return [x, e.full(True, i1, mask_spec.dims)]
    keep = e.compare("ge", uniform(e, mask_spec), e.full(check_scalar(p), f32, mask_spec.dims))
    compute = f32 if graph.is_half(value_spec.element) else value_spec.element
    scale = 0.0 if p == 1 else 1.0 / (1.0 - p)
    zero = e.full(0, compute, value_spec.dims)
    scaled = e.binary(graph.MulOp, e.convert(x, compute), scale)
    return [e.convert(e.select(keep, scaled, zero), value_spec.element), keep]


def _no_generator(generator: Any) -> None:
    if generator is not None:
        raise NotNative("explicit generator")
