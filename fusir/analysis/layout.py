"""Strides of the top-level values of a graph function, and which shape ops are views of a strided buffer.

Strides and offsets are in elements. A value of the graph level has no layout of its own; the layout here is the one
of the buffer that it gets, or that it is a view of.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from xdsl.dialects.builtin import ArrayAttr, TensorType
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, BlockArgument, Operation, SSAValue

from fusir.analysis.expr import as_dim, as_expr, dim_equal, product, row_major_strides
from fusir.dialects.graph import (
    BroadcastOp,
    CallAtenOp,
    Dim,
    DimsAttr,
    PermuteOp,
    ReshapeOp,
    SliceOp,
    dims_of,
    element_type_of,
    is_native,
)

Strides = tuple[Dim, ...]

STRIDES = "graph.strides"
"""The attribute that carries strides on function arguments and results, and the layout hint on ops."""


@dataclass(frozen=True)
class View:
    """Elements of a buffer seen as a tensor: `dims`, `strides`, and the offset of the first element."""

    dims: tuple[Dim, ...]
    strides: Strides
    offset: Dim = 0


def row_major(dims: Sequence[Dim]) -> Strides:
    """The strides of a contiguous tensor, as PyTorch gives them: an empty dim counts as one of extent 1."""
    at_least_one = [1 if dim == 0 else dim for dim in dims]
    return tuple(row_major_strides(at_least_one))


def same_layout(dims: Sequence[Dim], a: Sequence[Dim], b: Sequence[Dim]) -> bool:
    """Whether strides `a` and `b` address the same elements of a tensor: dims of extent 1 do not matter."""
    if 0 in dims:
        return True
    return all(dim == 1 or dim_equal(x, y) for dim, x, y in zip(dims, a, b, strict=True))


def is_contiguous(dims: Sequence[Dim], strides: Sequence[Dim]) -> bool:
    """Whether a tensor with these dims and strides is stored row-major without gaps."""
    return same_layout(dims, strides, row_major(dims))


def can_view(strides: Sequence[Dim], from_dims: Sequence[Dim], to_dims: Sequence[Dim]) -> Strides | None:
    """The strides with which a tensor of `from_dims` and `strides` is reshaped to `to_dims` in place, or None.

    The rule is that of `Tensor.view`: neighbouring dims `i, i+1` join where `stride[i] == dim[i+1] * stride[i+1]`,
    and the new dims must cut each joined run exactly. Where that depends on the value of a symbol the answer is None.
    """
    if 0 in from_dims:
        return row_major(to_dims)
    kept = [(dim, stride) for dim, stride in zip(from_dims, strides, strict=True) if dim != 1]
    result: list[Dim] = [1] * len(to_dims)
    position = len(to_dims) - 1
    index = len(kept) - 1
    while index >= 0:
        base = kept[index][1]
        run = kept[index][0]
        while index > 0 and dim_equal(kept[index - 1][1], product((run, base))):
            run = product((run, kept[index - 1][0]))
            index -= 1
        index -= 1
        covered: Dim = 1
        while not dim_equal(covered, run):
            if position < 0 or (isinstance(covered, int) and isinstance(run, int) and covered > run):
                return None
            result[position] = product((covered, base))
            covered = product((covered, to_dims[position]))
            position -= 1
    # What is left has extent 1: any stride will do, and the row-major one is what PyTorch shows.
    while position >= 0:
        if to_dims[position] != 1:
            return None
        if position + 1 < len(to_dims):
            result[position] = product((result[position + 1], to_dims[position + 1]))
        position -= 1
    return tuple(result)


def view_through(op: Operation, source: Sequence[Dim]) -> View | None:
    """The result of a shape op as a view of its operand, whose strides are `source`; None if it is not one."""
    match op:
        case ReshapeOp():
            dims = dims_of(op.result)
            strides = can_view(source, dims_of(op.operand), dims)
            return None if strides is None else View(dims, strides)
        case PermuteOp():
            return View(dims_of(op.result), tuple(source[axis] for axis in op.permutation))
        case BroadcastOp():
            return _broadcast(op, source)
        case SliceOp():
            return _slice(op, source)
        case _:
            return None


def _broadcast(op: BroadcastOp, source: Sequence[Dim]) -> View:
    dims = dims_of(op.result)
    strides: list[Dim] = [0] * len(dims)
    for axis, extent, stride in zip(op.dims, dims_of(op.operand), source, strict=True):
        if extent != 1 or dims[axis] == 1:
            strides[axis] = stride
    return View(dims, tuple(strides))


def _slice(op: SliceOp, source: Sequence[Dim]) -> View:
    offset: Dim = 0
    strides: list[Dim] = []
    for start, step, stride in zip(op.starts, op.steps, source, strict=True):
        offset = as_dim(as_expr(offset) + as_expr(product((start, stride))))
        strides.append(product((step, stride)))
    dims = dims_of(op.result)
    return View(dims, tuple(strides), 0 if 0 in dims else offset)


def argument_strides(func: FuncOp, index: int) -> Strides:
    """The strides of a tensor argument of a graph function."""
    return _attribute_strides(func.arg_attrs, index) or row_major(dims_of(func.body.block.args[index]))


def result_strides(func: FuncOp, index: int) -> Strides:
    """The strides that a tensor result of a graph function must have."""
    returned = cast(ReturnOp, func.body.block.last_op).arguments[index]
    return _attribute_strides(func.res_attrs, index) or row_major(dims_of(returned))


def _attribute_strides(attributes: ArrayAttr[Attribute] | None, index: int) -> Strides | None:
    if attributes is None:
        return None
    strides = cast("dict[str, Attribute]", getattr(attributes.data[index], "data", {})).get(STRIDES)
    return strides.data if isinstance(strides, DimsAttr) else None


def _hint(op: Operation, index: int) -> Strides | None:
    """The layout hint of a result: one DimsAttr, or an ArrayAttr with one for each result."""
    hint = op.attributes.get(STRIDES)
    if isinstance(hint, ArrayAttr):
        hint = cast(ArrayAttr[Attribute], hint).data[index]
    return hint.data if isinstance(hint, DimsAttr) else None


def layouts_of(func: FuncOp) -> dict[SSAValue, Strides]:
    """The strides of the tensor values at the top level of a graph function.

    - Arguments: as declared.
    - `graph.call_aten`: its `result_strides`, or row-major.
    - Shape ops that are views: by stride algebra. A reshape that is no view is a row-major copy.
    - Everything else gets a fresh buffer: as the function or an ATen call wants the value, else as its hint says,
      else row-major.
    """
    layouts: dict[SSAValue, Strides] = {}
    for index, argument in enumerate(func.body.block.args):
        if _is_tensor(argument):
            layouts[argument] = argument_strides(func, index)
    wanted = _wanted_strides(func)
    for op in func.body.block.ops:
        for index, result in enumerate(op.results):
            if not _is_tensor(result):
                continue
            if isinstance(op, CallAtenOp):
                layouts[result] = aten_result_strides(op, index)
                continue
            source = layouts.get(op.operands[0]) if op.operands else None
            view = None if source is None else view_through(op, source)
            if view is not None:
                layouts[result] = view.strides
            else:
                layouts[result] = wanted.get(result) or _hint(op, index) or row_major(dims_of(result))
    return layouts


def transposed_results(func: FuncOp) -> set[PermuteOp]:
    """The permutes that only the end of a graph function reads and that it must not return as views of a buffer."""
    returned = func.body.block.last_op
    found: set[PermuteOp] = set()
    if not isinstance(returned, ReturnOp):
        return found
    layouts: dict[SSAValue, Strides] | None = None
    for index, value in enumerate(returned.arguments):
        op = value.owner
        if not isinstance(op, PermuteOp) or not is_native(element_type_of(value)) or 0 in dims_of(value):
            continue
        if any(use.operation is not returned for use in value.uses):
            continue
        layouts = layouts_of(func) if layouts is None else layouts
        if not same_layout(dims_of(value), layouts[value], result_strides(func, index)):
            found.add(op)
    return found


def aten_result_strides(op: CallAtenOp, index: int) -> Strides:
    """The strides of a result of an ATen call."""
    recorded = op.result_strides
    return row_major(dims_of(op.results[index])) if recorded is None else recorded[index].data


def aten_operand_strides(op: CallAtenOp, index: int) -> Strides | None:
    """The strides in which an ATen call wants an operand, or None if it takes any."""
    recorded = op.operand_strides
    return None if recorded is None else recorded[index].data


def _wanted_strides(func: FuncOp) -> dict[SSAValue, Strides]:
    """The strides that a value needs to be returned, or else to be handed to an ATen call, without a copy.

    Only dense layouts: a buffer is never allocated with gaps.
    """
    wanted: dict[SSAValue, Strides] = {}
    block = func.body.block
    if isinstance(block.last_op, ReturnOp):
        for index, value in enumerate(block.last_op.arguments):
            if _is_tensor(value) and not isinstance(value, BlockArgument):
                wanted.setdefault(value, result_strides(func, index))
    for op in block.ops:
        if isinstance(op, CallAtenOp):
            for index, value in enumerate(op.operands):
                strides = aten_operand_strides(op, index)
                if strides is not None:
                    wanted.setdefault(value, strides)
    return {value: strides for value, strides in wanted.items() if is_dense(dims_of(value), strides)}


def dense_strides(dims: Sequence[Dim], order: Sequence[int]) -> Strides:
    """The strides of a tensor without gaps whose dims lie in memory in `order`, the last one fastest."""
    strides: list[Dim] = [1] * len(dims)
    step: Dim = 1
    for dim in reversed(order):
        strides[dim] = step
        step = product((step, 1 if dims[dim] == 0 else dims[dim]))
    return tuple(strides)


def channels_last(dims: Sequence[Dim]) -> Strides:
    """The strides of a batch of images or volumes (batch, channels, *) with the channels fastest."""
    return dense_strides(dims, (0, *range(2, len(dims)), 1))


def is_dense(dims: Sequence[Dim], strides: Sequence[Dim]) -> bool:
    """Whether the strides are those of a permuted row-major tensor: every element once, no gaps."""
    if 0 in dims:
        return True
    open_dims = [(dim, stride) for dim, stride in zip(dims, strides, strict=True) if dim != 1]
    expected: Dim = 1
    while open_dims:
        match = next((pair for pair in open_dims if dim_equal(pair[1], expected)), None)
        if match is None:
            return False
        open_dims.remove(match)
        expected = product((expected, match[0]))
    return True


def _is_tensor(value: SSAValue) -> bool:
    return isinstance(value.type, TensorType)
