"""Tensors from nothing: constants and ranges."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from xdsl.dialects.builtin import f64, i64
from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineExpr

from fusir.dialects import graph
from fusir.dialects.graph import Dim, is_float, is_native
from fusir.frontend.emitter import Emitter, NotNative, Operand, integral
from fusir.frontend.table.registry import lowering

aten = torch.ops.aten
prims = torch.ops.prims


def _full(e: Emitter, value: Operand) -> SSAValue:
    if not is_native(e.element):
        raise NotNative(f"element type {e.element}")
    return e.operand(value, e.element)


@lowering(aten.full.default)
def full(e: Emitter, size: Sequence[Dim], value: Operand, **_: Any) -> SSAValue:
    return _full(e, value)


@lowering(aten.full_like.default, aten.fill.Scalar)
def full_like(e: Emitter, x: SSAValue, value: Operand, **_: Any) -> SSAValue:
    return _full(e, value)


@lowering(aten.new_full.default)
def new_full(e: Emitter, x: SSAValue, size: Sequence[Dim], value: Operand, **_: Any) -> SSAValue:
    return _full(e, value)


@lowering(aten.fill.Tensor)
def fill(e: Emitter, x: SSAValue, value: SSAValue) -> SSAValue:
    return e.operand(value, e.element)


@lowering(aten.scalar_tensor.default)
def scalar_tensor(e: Emitter, value: Operand, **_: Any) -> SSAValue:
    return _full(e, value)


@lowering(aten.ones.default, aten.ones_like.default, aten.new_ones.default)
def ones(e: Emitter, *_: Any, **__: Any) -> SSAValue:
    return _full(e, 1)


@lowering(
    aten.zeros.default,
    aten.zeros_like.default,
    aten.new_zeros.default,
    aten.zero.default,
    aten.empty.memory_format,
    aten.empty_like.default,
    aten.empty_strided.default,
    aten.new_empty.default,
    aten.new_empty_strided.default,
    aten.empty_permuted.default,
)
def zeros(e: Emitter, *_: Any, **__: Any) -> SSAValue:
    """Also for uninitialized memory, whose values are anything."""
    return _full(e, 0)


@lowering(aten.arange.default)
def arange_end(e: Emitter, end: Operand, **_: Any) -> SSAValue:
    return _arange(e, 0, 1)


@lowering(aten.arange.start)
def arange_start(e: Emitter, start: Operand, end: Operand, **_: Any) -> SSAValue:
    return _arange(e, start, 1)


@lowering(aten.arange.start_step)
def arange(e: Emitter, start: Operand, end: Operand, step: Operand = 1, **_: Any) -> SSAValue:
    return _arange(e, start, step)


@lowering(prims.iota.default)
def iota(e: Emitter, length: Dim, *, start: Operand, step: Operand, **_: Any) -> SSAValue:
    return _arange(e, start, step)


def _arange(e: Emitter, start: Operand, step: Operand) -> SSAValue:
    """`start + i * step`, in f64 or i64, then converted: as ATen's accumulate type on the CPU."""
    if not is_native(e.element) or not (integral(e.element) or is_float(e.element)):
        raise NotNative(f"element type {e.element}")
    whole = isinstance(start, int | AffineExpr) and isinstance(step, int | AffineExpr)
    index = e.iota(0, e.dims)
    if not whole:
        index = e.convert(index, f64)
    if step != 1:
        index = e.binary(graph.MulOp, index, step)
    if start != 0:
        index = e.binary(graph.AddOp, index, start)
    return e.convert(index, e.element)


@lowering(aten.tril.default)
def tril(e: Emitter, x: SSAValue, diagonal: Dim = 0) -> SSAValue:
    return _triangle(e, x, "le", diagonal)


@lowering(aten.triu.default)
def triu(e: Emitter, x: SSAValue, diagonal: Dim = 0) -> SSAValue:
    return _triangle(e, x, "ge", diagonal)


def _triangle(e: Emitter, x: SSAValue, predicate: str, diagonal: Dim) -> SSAValue:
    """Elements with `column - row` on the wanted side of the diagonal, zeros elsewhere."""
    if not is_native(e.element) or not isinstance(diagonal, int):
        raise NotNative(f"triangle of {e.element}")
    matrix = e.dims[-2:]
    distance = e.add(graph.SubOp(e.iota(1, matrix), e.iota(0, matrix)))
    inside = e.compare(predicate, distance, e.full(diagonal, i64, matrix))
    return e.select(e.broadcast(inside, e.dims), x, e.full(0, e.element, e.dims))
