"""Shape operators: views, concatenation, padding, and their scatter forms."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from xdsl.dialects.builtin import i64
from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineExpr

from fusir.analysis.expr import as_dim
from fusir.dialects import graph
from fusir.dialects.graph import Dim, dims_of, element_type_of, tensor_type
from fusir.frontend.emitter import Emitter, NotNative, Scalar, is_tensor, normalize_dim, normalize_dims, require_native
from fusir.frontend.table.registry import lowering
from fusir.frontend.types import numel_of

aten = torch.ops.aten
prims = torch.ops.prims

SLICE_TO_END = 2**62
"""Slice ends from here on mean the end of the dim."""


def minus(a: Dim, b: Dim) -> Dim:
    """`a - b` in normal form."""
    if isinstance(a, int) and isinstance(b, int):
        return a - b
    return as_dim(_expr(a) + _expr(b) * -1)


def plus(a: Dim, b: Dim) -> Dim:
    """`a + b` in normal form."""
    return a + b if isinstance(a, int) and isinstance(b, int) else as_dim(_expr(a) + _expr(b))


def _expr(dim: Dim) -> AffineExpr:
    return AffineExpr.constant(dim) if isinstance(dim, int) else dim


@lowering(
    aten.view.default,
    aten.reshape.default,
    aten._unsafe_view.default,
    aten._reshape_alias.default,
    aten.view_copy.default,
    aten.unsqueeze.default,
    aten.unsqueeze_copy.default,
    aten.squeeze.default,
    aten.squeeze.dim,
    aten.squeeze.dims,
    aten.squeeze_copy.default,
    aten.squeeze_copy.dim,
    aten.squeeze_copy.dims,
    aten.flatten.using_ints,
    aten.unflatten.int,
)
def reshape(e: Emitter, x: SSAValue, *args: Any, **kwargs: Any) -> SSAValue:
    return e.reshape(x, e.dims)


@lowering(aten.permute.default, aten.permute_copy.default, prims.transpose.default)
def permute(e: Emitter, x: SSAValue, dims: Sequence[int]) -> SSAValue:
    rank = len(dims_of(x))
    return e.permute(x, [normalize_dim(d, rank) for d in dims])


@lowering(aten.transpose.int, aten.transpose_copy.int)
def transpose(e: Emitter, x: SSAValue, first: int, second: int) -> SSAValue:
    rank = len(dims_of(x))
    order = list(range(rank))
    if rank:
        first, second = normalize_dim(first, rank), normalize_dim(second, rank)
        order[first], order[second] = order[second], order[first]
    return e.permute(x, order)


@lowering(aten.t.default, aten.t_copy.default)
def transpose_matrix(e: Emitter, x: SSAValue) -> SSAValue:
    return e.permute(x, range(len(dims_of(x)) - 1, -1, -1))


@lowering(aten.expand.default, aten.expand_copy.default)
def expand(e: Emitter, x: SSAValue, size: Sequence[Dim], implicit: bool = False) -> SSAValue:
    return e.broadcast(x, e.dims)


@lowering(prims.broadcast_in_dim.default)
def broadcast_in_dim(e: Emitter, x: SSAValue, shape: Sequence[Dim], dims: Sequence[int]) -> SSAValue:
    return e.add(graph.BroadcastOp(x, tuple(dims), tensor_type(element_type_of(x), e.dims)))


@lowering(aten.slice.Tensor, aten.slice_copy.Tensor)
def slice_dim(
    e: Emitter, x: SSAValue, dim: int = 0, start: Dim | None = None, end: Dim | None = None, step: int = 1
) -> SSAValue:
    dim = normalize_dim(dim, len(dims_of(x)))
    first = slice_start(dims_of(x)[dim], start)
    return e.slice(x, dim, first, e.dims[dim], step)


def slice_start(extent: Dim, start: Dim | None) -> Dim:
    """The first index of a slice. Raises NotNative where it depends on the value of a symbol."""
    if start is None or start == 0:
        return 0
    if isinstance(extent, int) and isinstance(start, int):
        return min(max(start + extent if start < 0 else start, 0), extent)
    if isinstance(start, int) and start < 0:
        raise NotNative("slice from the end of a dynamic dim")
    return start


def slice_end(extent: Dim, end: Dim | None) -> Dim:
    """The end of a slice. Raises NotNative where it depends on the value of a symbol."""
    if end is None or end == extent or (isinstance(end, int) and end >= SLICE_TO_END):
        return extent
    if isinstance(extent, int) and isinstance(end, int):
        return min(max(end + extent if end < 0 else end, 0), extent)
    raise NotNative("slice end in a dynamic dim")


@lowering(aten.select.int, aten.select_copy.int)
def select(e: Emitter, x: SSAValue, dim: int, index: Dim) -> SSAValue:
    dim = normalize_dim(dim, len(dims_of(x)))
    extent = dims_of(x)[dim]
    if isinstance(index, int) and index < 0:
        index = plus(extent, index)
    return e.reshape(e.slice(x, dim, index, 1), e.dims)


@lowering(aten.narrow.default)
def narrow(e: Emitter, x: SSAValue, dim: int, start: Dim, length: Dim) -> SSAValue:
    return slice_dim(e, x, dim, start)


def _pieces(e: Emitter, x: SSAValue, dim: int) -> list[SSAValue]:
    """Consecutive slices along a dim, as long as the results."""
    dim = normalize_dim(dim, len(dims_of(x)))
    start: Dim = 0
    pieces: list[SSAValue] = []
    for spec in e.specs:
        pieces.append(e.slice(x, dim, start, spec.dims[dim]))
        start = plus(start, spec.dims[dim])
    return pieces


@lowering(aten.split.Tensor, aten.split_copy.Tensor, aten.unsafe_split.Tensor)
def split(e: Emitter, x: SSAValue, size: Dim, dim: int = 0) -> list[SSAValue]:
    return _pieces(e, x, dim)


@lowering(aten.split_with_sizes.default, aten.split_with_sizes_copy.default, aten.unsafe_split_with_sizes.default)
def split_with_sizes(e: Emitter, x: SSAValue, sizes: Sequence[Dim], dim: int = 0) -> list[SSAValue]:
    return _pieces(e, x, dim)


@lowering(aten.chunk.default)
def chunk(e: Emitter, x: SSAValue, chunks: int, dim: int = 0) -> list[SSAValue]:
    return _pieces(e, x, dim)


@lowering(aten.unbind.int, aten.unbind_copy.int)
def unbind(e: Emitter, x: SSAValue, dim: int = 0) -> list[SSAValue]:
    dim = normalize_dim(dim, len(dims_of(x)))
    return [e.reshape(e.slice(x, dim, i, 1), spec.dims) for i, spec in enumerate(e.specs)]


@lowering(aten.flip.default, prims.rev.default)
def flip(e: Emitter, x: SSAValue, dims: Sequence[int]) -> SSAValue:
    rank = len(dims_of(x))
    require_native(x)
    reversed_dims = normalize_dims(dims, rank) if dims else ()
    return e.add(graph.ReverseOp(x, reversed_dims)) if reversed_dims else x


@lowering(aten.roll.default)
def roll(e: Emitter, x: SSAValue, shifts: Sequence[Dim] | int, dims: Sequence[int] | int = ()) -> SSAValue:
    """Each rolled dim is its tail followed by its head."""
    require_native(x)
    shifts = (shifts,) if isinstance(shifts, int) else shifts
    dims = (dims,) if isinstance(dims, int) else dims
    shape = dims_of(x)
    value = x
    if not dims:
        value = e.reshape(value, (numel_of(shape),))
        dims = (0,)
    for shift, dim in zip(shifts, dims, strict=True):
        dim = normalize_dim(dim, len(dims_of(value)))
        extent = dims_of(value)[dim]
        if not isinstance(extent, int) or not isinstance(shift, int):
            raise NotNative("roll of a dynamic dim")
        shift = shift % extent if extent else 0
        if shift:
            tail = e.slice(value, dim, extent - shift, shift)
            value = e.concat([tail, e.slice(value, dim, 0, extent - shift)], dim)
    return e.reshape(value, shape)


@lowering(aten.cat.default, aten.concat.default)
def cat(e: Emitter, tensors: Sequence[SSAValue], dim: int = 0) -> SSAValue:
    """Operands are promoted to one type; one-dimensional empty ones are skipped, as in ATen."""
    dim = normalize_dim(dim, len(e.dims))
    parts: list[SSAValue] = []
    for tensor in tensors:
        require_native(tensor)
        if dims_of(tensor) != (0,) or len(e.dims) == 1:
            parts.append(e.convert(tensor, e.element))
    if len(parts) == 1:
        return parts[0]
    return e.add(graph.ConcatOp(parts, dim, result_dim=e.dims[dim]))


@lowering(aten.stack.default)
def stack(e: Emitter, tensors: Sequence[SSAValue], dim: int = 0) -> SSAValue:
    dim = normalize_dim(dim, len(e.dims))
    shape = (*e.dims[:dim], 1, *e.dims[dim + 1 :])
    for tensor in tensors:
        require_native(tensor)
    return e.concat([e.reshape(e.convert(t, e.element), shape) for t in tensors], dim)


@lowering(aten.constant_pad_nd.default)
def constant_pad(e: Emitter, x: SSAValue, pad: Sequence[Dim], value: Scalar = 0) -> SSAValue:
    """Negative padding crops. `pad` lists (before, after) from the last dim on."""
    require_native(x)
    if not all(isinstance(p, int) for p in pad):
        raise NotNative("dynamic padding")
    shape = dims_of(x)
    low = [0] * len(shape)
    high = [0] * len(shape)
    for i in range(len(pad) // 2):
        low[-1 - i], high[-1 - i] = int(pad[2 * i]), int(pad[2 * i + 1])  # pyright: ignore[reportArgumentType]
    cropped = x
    for dim, (before, after) in enumerate(zip(low, high, strict=True)):
        if before < 0 or after < 0:
            extent = plus(shape[dim], min(before, 0) + min(after, 0))
            cropped = e.slice(cropped, dim, max(-before, 0), extent)
    low, high = [max(p, 0) for p in low], [max(p, 0) for p in high]
    return e.pad(cropped, low, high, value)


@lowering(aten.repeat.default)
def repeat(e: Emitter, x: SSAValue, repeats: Sequence[Dim]) -> SSAValue:
    """Each dim of extent n becomes (repeats, 1, n) expanded and folded together again."""
    shape = dims_of(x)
    lead = len(repeats) - len(shape)
    padded = (*(1 for _ in range(lead)), *shape)
    unfolded: list[Dim] = []
    expanded: list[Dim] = []
    for times, extent in zip(repeats, padded, strict=True):
        if times != 1:
            unfolded.append(1)
            expanded.append(times)
        unfolded.append(extent)
        expanded.append(extent)
    return e.reshape(e.broadcast(e.reshape(x, unfolded), expanded), e.dims)


# Writing a part of a tensor


@lowering(aten.slice_scatter.default)
def slice_scatter(
    e: Emitter,
    x: SSAValue,
    source: SSAValue,
    dim: int = 0,
    start: Dim | None = None,
    end: Dim | None = None,
    step: int = 1,
) -> SSAValue:
    """Head of x, the source, tail of x."""
    require_native(x)
    if step != 1:
        raise NotNative("slice_scatter with a step")
    dim = normalize_dim(dim, len(e.dims))
    first = slice_start(e.dims[dim], start)
    return overwrite(e, x, e.convert(source, e.element), dim, first)


@lowering(aten.select_scatter.default)
def select_scatter(e: Emitter, x: SSAValue, source: SSAValue, dim: int, index: Dim) -> SSAValue:
    require_native(x)
    dim = normalize_dim(dim, len(e.dims))
    if isinstance(index, int) and index < 0:
        index = plus(e.dims[dim], index)
    shape = (*e.dims[:dim], 1, *e.dims[dim + 1 :])
    return overwrite(e, x, e.reshape(e.convert(source, e.element), shape), dim, index)


def overwrite(e: Emitter, x: SSAValue, source: SSAValue, dim: int, start: Dim) -> SSAValue:
    """x with the source in place of its elements from `start` on."""
    length = dims_of(source)[dim]
    source = e.broadcast(source, (*e.dims[:dim], length, *e.dims[dim + 1 :]))
    end = plus(start, length)
    tail = minus(e.dims[dim], end)
    parts = [source]
    if start != 0:
        parts.insert(0, e.slice(x, dim, 0, start))
    if tail != 0:
        parts.append(e.slice(x, dim, end, tail))
    if len(parts) == 1:
        return source
    return e.add(graph.ConcatOp(parts, dim, result_dim=e.dims[dim]))


@lowering(aten.slice_backward.default)
def slice_backward(
    e: Emitter, grad: SSAValue, input_sizes: Sequence[Dim], dim: int, start: Dim, end: Dim, step: int
) -> SSAValue:
    """The gradient between zeros."""
    if step != 1:
        raise NotNative("slice_backward with a step")
    dim = normalize_dim(dim, len(e.dims))
    return surround(e, grad, dim, slice_start(e.dims[dim], start))


@lowering(aten.select_backward.default)
def select_backward(e: Emitter, grad: SSAValue, input_sizes: Sequence[Dim], dim: int, index: Dim) -> SSAValue:
    dim = normalize_dim(dim, len(e.dims))
    if isinstance(index, int) and index < 0:
        index = plus(e.dims[dim], index)
    return surround(e, e.reshape(grad, (*e.dims[:dim], 1, *e.dims[dim + 1 :])), dim, index)


def surround(e: Emitter, x: SSAValue, dim: int, start: Dim) -> SSAValue:
    """x at `start` in a tensor of zeros."""
    require_native(x)
    low: list[Dim] = [0] * len(e.dims)
    high: list[Dim] = [0] * len(e.dims)
    low[dim] = start
    high[dim] = minus(e.dims[dim], plus(start, dims_of(x)[dim]))
    if not all(isinstance(p, int) for p in (*low, *high)):
        raise NotNative("dynamic padding")
    return e.pad(x, low, high, 0)


# Views with computed positions


@lowering(aten.diagonal.default, aten.diagonal_copy.default)
def diagonal(e: Emitter, x: SSAValue, offset: int = 0, dim1: int = 0, dim2: int = 1) -> SSAValue:
    """A gather along both dims at once; the diagonal is the last dim of the result."""
    require_native(x)
    rank = len(dims_of(x))
    dim1, dim2 = normalize_dim(dim1, rank), normalize_dim(dim2, rank)
    length = e.dims[-1:]
    position = e.iota(0, length)

    def shifted(by: int) -> SSAValue:
        return position if by == 0 else e.add(graph.AddOp(position, e.full(by, i64, length)))

    taken = e.add(graph.GatherOp(x, [shifted(max(-offset, 0)), shifted(max(offset, 0))], (dim1, dim2)))
    return e.permute(taken, [*range(1, rank - 1), 0])


@lowering(aten.as_strided.default, aten.as_strided_copy.default)
def as_strided(
    e: Emitter, x: SSAValue, size: Sequence[Dim], stride: Sequence[Dim], storage_offset: Dim | None = None
) -> SSAValue:
    """A gather from the flat elements of a contiguous tensor; only where its storage is known."""
    spec = e.spec_of(x)
    if spec.dims == e.dims and spec.strides == tuple(stride) and storage_offset in (None, spec.offset):
        return x
    require_native(x)
    if not spec.is_contiguous or spec.offset != 0 or e.spec.is_empty or not all(isinstance(s, int) for s in stride):
        raise NotNative("as_strided of a tensor that is a view itself")
    flat = e.reshape(x, (numel_of(spec.dims),))
    index = e.operand(storage_offset or 0, i64)
    for dim, step in enumerate(stride):
        scaled = e.binary(graph.MulOp, e.iota(dim, e.dims), int(step))  # pyright: ignore[reportArgumentType]
        index = e.binary(graph.AddOp, index, scaled)
    return e.add(graph.GatherOp(flat, [index], (0,)))


@lowering(aten.broadcast_tensors.default)
def broadcast_tensors(e: Emitter, tensors: Sequence[SSAValue]) -> list[SSAValue]:
    assert all(is_tensor(t) for t in tensors)
    return [e.broadcast(t, spec.dims) for t, spec in zip(tensors, e.specs, strict=True)]
