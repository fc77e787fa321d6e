"""Indexing operators as `graph.gather`."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from xdsl.dialects.builtin import i64
from xdsl.ir import SSAValue

from fusir.dialects import graph
from fusir.dialects.graph import Dim, dims_of, element_type_of, is_integer, is_unsigned
from fusir.frontend.emitter import Emitter, NotNative, normalize_dim, require_native
from fusir.frontend.table.registry import lowering

aten = torch.ops.aten


def wrap_negative(e: Emitter, index: SSAValue, extent: Dim) -> SSAValue:
    """Indices counted from the end as indices counted from the start."""
    element = element_type_of(index)
    if is_unsigned(element):
        return index
    if not isinstance(extent, int):
        raise NotNative("negative index in a dynamic dim")
    if element != i64:
        index = e.convert(index, i64)
    dims = dims_of(index)
    wrapped = e.binary(graph.AddOp, index, extent)
    return e.select(e.compare("lt", index, e.full(0, i64, dims)), wrapped, index)


def broadcast_shape(shapes: Sequence[tuple[Dim, ...]]) -> tuple[Dim, ...]:
    """The common shape of index tensors."""
    rank = max(len(shape) for shape in shapes)
    result: list[Dim] = [1] * rank
    for shape in shapes:
        for i, extent in enumerate(shape, rank - len(shape)):
            if result[i] == 1:
                result[i] = extent
    return tuple(result)


@lowering(aten.index.Tensor, aten._unsafe_index.Tensor)
def index(e: Emitter, x: SSAValue, indices: Sequence[SSAValue | None]) -> SSAValue:
    """Integer indices in any dims. The index shape takes the place of the indexed dims if they are adjacent, and goes
    first otherwise."""
    require_native(x)
    dims = [dim for dim, index in enumerate(indices) if index is not None]
    tensors = [index for index in indices if index is not None]
    if not tensors or not all(is_integer(element_type_of(t)) for t in tensors):
        raise NotNative("mask index")
    if any(is_unsigned(element_type_of(t)) for t in tensors):
        raise NotNative("mask index")
    shape = broadcast_shape([dims_of(t) for t in tensors])
    extents = dims_of(x)
    wrapped = [e.broadcast(wrap_negative(e, t, extents[d]), shape) for t, d in zip(tensors, dims, strict=True)]
    taken = e.add(graph.GatherOp(x, wrapped, dims))
    adjacent = dims == list(range(dims[0], dims[0] + len(dims)))
    first = dims[0] if adjacent else 0
    lead, rank = len(shape), len(dims_of(taken))
    return e.permute(taken, [*range(lead, lead + first), *range(lead), *range(lead + first, rank)])


@lowering(aten.index_select.default)
def index_select(e: Emitter, x: SSAValue, dim: int, index: SSAValue) -> SSAValue:
    require_native(x)
    rank = len(dims_of(x))
    if rank == 0:
        return x
    dim = normalize_dim(dim, rank)
    taken = e.add(graph.GatherOp(x, [e.reshape(index, e.dims[dim : dim + 1])], (dim,)))
    return e.permute(taken, [*range(1, dim + 1), 0, *range(dim + 1, rank)])


@lowering(aten.embedding.default)
def embedding(
    e: Emitter,
    weight: SSAValue,
    indices: SSAValue,
    padding_idx: int = -1,
    scale_grad_by_freq: bool = False,
    sparse: bool = False,
) -> SSAValue:
    require_native(weight)
    return e.add(graph.GatherOp(weight, [indices], (0,)))


@lowering(aten.gather.default)
def gather(e: Emitter, x: SSAValue, dim: int, index: SSAValue, sparse_grad: bool = False) -> SSAValue:
    """Along one dim; the other indices are the positions themselves."""
    require_native(x)
    rank = len(dims_of(x))
    if rank == 0:
        return e.broadcast(x, e.dims)
    index = e.convert(index, i64)
    if len(dims_of(index)) != rank:
        raise NotNative("gather with a scalar index")
    dim = normalize_dim(dim, rank)
    positions = [index if i == dim else e.iota(i, e.dims) for i in range(rank)]
    return e.add(graph.GatherOp(x, positions, tuple(range(rank))))
