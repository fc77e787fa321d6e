"""Reductions and prefixes: sums, means, extrema, logical ones, positions, variances."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from xdsl.dialects.builtin import IntegerType, f32, f64, i1, i8, i16, i64
from xdsl.ir import Attribute, SSAValue

from fusir.dialects import graph
from fusir.dialects.graph import Dim, dims_of, element_type_of, is_float, is_half, is_unsigned
from fusir.frontend.emitter import Emitter, NotNative, Scalar, normalize_dims, require_native
from fusir.frontend.table.registry import lowering
from fusir.frontend.types import numel_of

aten = torch.ops.aten
prims = torch.ops.prims

Dims = int | Sequence[int] | None


def accumulator(element: Attribute) -> Attribute:
    """The element type in which sums and products are accumulated."""
    return f32 if is_half(element) else element


def _extent(x: SSAValue, dims: Sequence[int]) -> Dim:
    shape = dims_of(x)
    return numel_of([shape[d] for d in dims])


def _count(e: Emitter, x: SSAValue, dims: Sequence[int], element: Attribute, shape: Sequence[Dim]) -> SSAValue:
    """The number of reduced elements as a tensor."""
    return e.operand(_extent(x, dims), element, shape)


@lowering(aten.sum.default, aten.sum.dim_IntList, prims.sum.default)
def sum_(e: Emitter, x: SSAValue, dims: Dims = None, keepdim: bool = False, *, dtype: Any = None, **_: Any) -> SSAValue:
    require_native(x)
    total = e.reduce("sum", e.convert(x, accumulator(e.element)), normalize_dims(dims, len(dims_of(x))))
    return e.reshape(e.convert(total, e.element), e.dims)


@lowering(aten.mean.default, aten.mean.dim)
def mean(e: Emitter, x: SSAValue, dims: Dims = None, keepdim: bool = False, *, dtype: Any = None) -> SSAValue:
    require_native(x)
    positions = normalize_dims(dims, len(dims_of(x)))
    average = mean_of(e, e.convert(x, accumulator(e.element)), positions)
    return e.reshape(e.convert(average, e.element), e.dims)


def mean_of(e: Emitter, x: SSAValue, dims: Sequence[int]) -> SSAValue:
    """The mean over the dims, which disappear."""
    total = e.reduce("sum", x, dims)
    return e.binary(graph.DivOp, total, _count(e, x, dims, element_type_of(x), dims_of(total)))


@lowering(aten.prod.default)
def prod_all(e: Emitter, x: SSAValue, *, dtype: Any = None) -> SSAValue:
    return _product(e, x, tuple(range(len(dims_of(x)))))


@lowering(aten.prod.dim_int)
def prod(e: Emitter, x: SSAValue, dim: int, keepdim: bool = False, *, dtype: Any = None) -> SSAValue:
    return _product(e, x, normalize_dims(dim, len(dims_of(x))))


def _product(e: Emitter, x: SSAValue, dims: Sequence[int]) -> SSAValue:
    require_native(x)
    if e.element == i1:
        raise NotNative("product of bool")
    product = e.reduce("prod", e.convert(x, accumulator(e.element)), dims)
    return e.reshape(e.convert(product, e.element), e.dims)


@lowering(aten.cumsum.default)
def cumsum(e: Emitter, x: SSAValue, dim: int, *, dtype: Any = None) -> SSAValue:
    return _prefixes(e, "sum", x, dim)


@lowering(aten.cumprod.default)
def cumprod(e: Emitter, x: SSAValue, dim: int, *, dtype: Any = None) -> SSAValue:
    return _prefixes(e, "prod", x, dim)


def _prefixes(e: Emitter, kind: str, x: SSAValue, dim: int) -> SSAValue:
    """Every prefix along a dim, of elements in the type of the result: i64 for integers without a dtype."""
    require_native(x)
    if e.element == i1 or not graph.is_native(e.element):
        raise NotNative(f"prefixes of {e.element}")
    x = e.convert(x, e.element)
    rank = len(dims_of(x))
    if rank == 0:
        return x
    (position,) = normalize_dims(dim, rank)
    return e.convert(e.add(graph.ScanOp(kind, e.convert(x, accumulator(e.element)), position)), e.element)


@lowering(aten.logcumsumexp.default)
def logcumsumexp(e: Emitter, x: SSAValue, dim: int) -> SSAValue:
    return _prefixes(e, "logsumexp", x, dim)


def _extremal_prefixes(e: Emitter, kind: str, x: SSAValue, dim: int) -> list[SSAValue]:
    """The extremum of every prefix along a dim, and the last index at which it is."""
    require_native(x)
    rank = len(dims_of(x))
    if rank == 0:
        return [x, e.full(0, i64, ())]
    (position,) = normalize_dims(dim, rank)
    is_bool = element_type_of(x) == i1
    numbers = e.convert(x, i8) if is_bool else x
    extremum = e.add(graph.ScanOp(kind, numbers, position))
    return [e.convert(extremum, i1) if is_bool else extremum, e.add(graph.ScanOp(f"arg{kind}", numbers, position))]


@lowering(aten.cummax.default)
def cummax(e: Emitter, x: SSAValue, dim: int) -> list[SSAValue]:
    return _extremal_prefixes(e, "max", x, dim)


@lowering(aten.cummin.default)
def cummin(e: Emitter, x: SSAValue, dim: int) -> list[SSAValue]:
    return _extremal_prefixes(e, "min", x, dim)


# Extrema


def extremum(e: Emitter, kind: str, x: SSAValue, dims: Sequence[int]) -> SSAValue:
    """The largest (`max`) or smallest (`min`) element over the dims, which disappear."""
    require_native(x)
    if element_type_of(x) == i1:
        kind = "any" if kind == "max" else "all"
    return e.reduce(kind, x, dims)


@lowering(aten.amax.default, prims.amax.default)
def amax(e: Emitter, x: SSAValue, dims: Dims = (), keepdim: bool = False, **_: Any) -> SSAValue:
    return e.reshape(extremum(e, "max", x, normalize_dims(dims, len(dims_of(x)))), e.dims)


@lowering(aten.amin.default, prims.amin.default)
def amin(e: Emitter, x: SSAValue, dims: Dims = (), keepdim: bool = False, **_: Any) -> SSAValue:
    return e.reshape(extremum(e, "min", x, normalize_dims(dims, len(dims_of(x)))), e.dims)


@lowering(aten.max.default)
def max_all(e: Emitter, x: SSAValue) -> SSAValue:
    return extremum(e, "max", x, range(len(dims_of(x))))


@lowering(aten.min.default)
def min_all(e: Emitter, x: SSAValue) -> SSAValue:
    return extremum(e, "min", x, range(len(dims_of(x))))


def position(e: Emitter, kind: str, x: SSAValue, dims: Sequence[int]) -> SSAValue:
    """The index of the first extremal element over the dims, which disappear."""
    require_native(x)
    if not dims:
        return e.full(0, i64, dims_of(x))
    if element_type_of(x) == i1:
        x = e.convert(x, i8)
    return e.reduce(f"arg{kind}", x, dims)


def _with_position(e: Emitter, kind: str, x: SSAValue, dim: int) -> list[SSAValue]:
    require_native(x)
    dims = normalize_dims(dim, len(dims_of(x)))
    element = element_type_of(x)
    # As signed integers, booleans and bytes have one order for values and positions: one reduction gives both.
    x = e.convert(x, i8 if element == i1 else i16 if is_unsigned(element) else element)
    found = [e.convert(extremum(e, kind, x, dims), element), position(e, kind, x, dims)]
    return [e.reshape(value, spec.dims) for value, spec in zip(found, e.specs, strict=True)]


@lowering(aten.max.dim)
def max_dim(e: Emitter, x: SSAValue, dim: int, keepdim: bool = False) -> list[SSAValue]:
    return _with_position(e, "max", x, dim)


@lowering(aten.min.dim)
def min_dim(e: Emitter, x: SSAValue, dim: int, keepdim: bool = False) -> list[SSAValue]:
    return _with_position(e, "min", x, dim)


@lowering(aten.argmax.default)
def argmax(e: Emitter, x: SSAValue, dim: int | None = None, keepdim: bool = False) -> SSAValue:
    return e.reshape(position(e, "max", x, normalize_dims(dim, len(dims_of(x)))), e.dims)


@lowering(aten.argmin.default)
def argmin(e: Emitter, x: SSAValue, dim: int | None = None, keepdim: bool = False) -> SSAValue:
    return e.reshape(position(e, "min", x, normalize_dims(dim, len(dims_of(x)))), e.dims)


@lowering(aten.aminmax.default)
def aminmax(e: Emitter, x: SSAValue, *, dim: int | None = None, keepdim: bool = False) -> list[SSAValue]:
    dims = normalize_dims(dim, len(dims_of(x)))
    found = [extremum(e, "min", x, dims), extremum(e, "max", x, dims)]
    return [e.reshape(value, spec.dims) for value, spec in zip(found, e.specs, strict=True)]


@lowering(aten.topk.default)
def topk(e: Emitter, x: SSAValue, k: int, dim: int = -1, largest: bool = True, *_: Any, **__: Any) -> list[SSAValue]:
    """One element of each row is an extremum with its position. NaN is larger than all numbers to PyTorch here."""
    require_native(x)
    element = element_type_of(x)
    if k != 1:
        raise NotNative("the largest elements, more than one")
    if element == i1:
        raise NotNative("top of bool")
    if largest or not is_float(element):
        return _with_position(e, "max" if largest else "min", x, dim)
    dims = normalize_dims(dim, len(dims_of(x)))
    wide = e.convert(x, accumulator(element))
    keys = _ordered_bits(e, wide)
    bits = _swap_negative(e, e.reduce("min", keys, dims))
    smallest = e.convert(e.add(graph.BitcastOp(bits, element_type_of(wide))), element)
    found = [smallest, position(e, "min", keys, dims)]
    return [e.reshape(value, spec.dims) for value, spec in zip(found, e.specs, strict=True)]


def _ordered_bits(e: Emitter, x: SSAValue) -> SSAValue:
    """Signed integers in the order of the floats `x`, with every NaN as the largest."""
    integer = IntegerType(64) if element_type_of(x) == f64 else IntegerType(32)
    bits = _swap_negative(e, e.add(graph.BitcastOp(x, integer)))
    top = e.full((1 << (integer.width.data - 1)) - 1, integer, dims_of(x))
    return e.add(graph.SelectOp(e.add(graph.IsNanOp(x)), top, bits))


def _swap_negative(e: Emitter, bits: SSAValue) -> SSAValue:
    """Sign and magnitude to two's complement, but for the distance of the two zeros; its own inverse."""
    element = element_type_of(bits)
    assert isinstance(element, IntegerType)
    width = element.width.data
    sign = e.binary(graph.ShrOp, bits, width - 1)
    return e.binary(graph.XorOp, bits, e.binary(graph.AndOp, sign, (1 << (width - 1)) - 1))


# Logical reductions


def _logical(e: Emitter, kind: str, x: SSAValue, dims: Sequence[int]) -> SSAValue:
    require_native(x)
    return e.reshape(e.convert(e.reduce(kind, e.convert(x, i1), dims), e.element), e.dims)


@lowering(aten.any.default, aten.any.dim, aten.any.dims)
def any_(e: Emitter, x: SSAValue, dims: Dims = None, keepdim: bool = False) -> SSAValue:
    return _logical(e, "any", x, normalize_dims(dims, len(dims_of(x))))


@lowering(aten.all.default, aten.all.dim, aten.all.dims)
def all_(e: Emitter, x: SSAValue, dims: Dims = None, keepdim: bool = False) -> SSAValue:
    return _logical(e, "all", x, normalize_dims(dims, len(dims_of(x))))


# Variance: the mean, then the mean of squared differences


def variance(e: Emitter, x: SSAValue, dims: Sequence[int], correction: Scalar) -> tuple[SSAValue, SSAValue]:
    """Variance and mean over the dims, which disappear: two passes, so nothing cancels."""
    element = element_type_of(x)
    average = mean_of(e, x, dims)
    kept = tuple(1 if i in dims else extent for i, extent in enumerate(dims_of(x)))
    centered = e.binary(graph.SubOp, x, e.broadcast(e.reshape(average, kept), dims_of(x)))
    squares = e.reduce("sum", e.binary(graph.MulOp, centered, centered), dims)
    shape = dims_of(squares)
    count = _extent(x, dims)
    if isinstance(count, int):
        freedom = e.full(max(count - correction, 0), element, shape)
    else:
        freedom = e.binary(graph.SubOp, _count(e, x, dims, element, shape), correction)
        freedom = e.binary(graph.MaximumOp, freedom, 0)
    return e.binary(graph.DivOp, squares, freedom), average


def _moments(e: Emitter, x: SSAValue, dims: Dims, correction: Scalar | None, root: bool) -> list[SSAValue]:
    require_native(x)
    if not is_float(element_type_of(x)):
        raise NotNative("variance of an integer")
    positions = normalize_dims(dims, len(dims_of(x)))
    compute = f64 if element_type_of(x) == f64 else f32
    spread, average = variance(e, e.convert(x, compute), positions, 1 if correction is None else correction)
    if root:
        spread = e.unary(graph.SqrtOp, spread)
    return [
        e.reshape(e.convert(value, spec.element), spec.dims)
        for value, spec in zip((spread, average), e.specs, strict=False)
    ]


@lowering(aten.var.correction)
def var(
    e: Emitter, x: SSAValue, dims: Dims = None, *, correction: Scalar | None = None, keepdim: bool = False
) -> SSAValue:
    return _moments(e, x, dims, correction, root=False)[0]


@lowering(prims.var.default)
def prims_var(e: Emitter, x: SSAValue, dims: Dims, correction: Scalar = 1, **_: Any) -> SSAValue:
    return _moments(e, x, dims, correction, root=False)[0]


@lowering(aten.std.correction)
def std(
    e: Emitter, x: SSAValue, dims: Dims = None, *, correction: Scalar | None = None, keepdim: bool = False
) -> SSAValue:
    return _moments(e, x, dims, correction, root=True)[0]


@lowering(aten.var_mean.correction)
def var_mean(
    e: Emitter, x: SSAValue, dims: Dims = None, *, correction: Scalar | None = None, keepdim: bool = False
) -> list[SSAValue]:
    return _moments(e, x, dims, correction, root=False)


@lowering(aten.std_mean.correction)
def std_mean(
    e: Emitter, x: SSAValue, dims: Dims = None, *, correction: Scalar | None = None, keepdim: bool = False
) -> list[SSAValue]:
    return _moments(e, x, dims, correction, root=True)
