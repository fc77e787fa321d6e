"""Folding a tile along an axis: the combiners that torch has, and any other associative function in log steps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

import torch
from torch import Tensor
from xdsl.ir import Block, SSAValue

from fusir.interpreters.integers import ordered_as_unsigned
from fusir.interpreters.scalars import elementwise, torch_dtype

Combine: TypeAlias = Callable[..., tuple[Tensor, ...]]
"""From two tuples of n values, one after the other, to their combination."""
Fold: TypeAlias = Callable[[Tensor, int], Tensor]
"""A reduction of one dimension, which disappears."""


def _sum(a: Tensor, axis: int) -> Tensor:
    if a.dtype == torch.bool:
        return a.sum(axis) % 2 != 0
    return torch.sum(a, axis, dtype=a.dtype)


def _product(a: Tensor, axis: int) -> Tensor:
    if a.dtype == torch.bool:
        return a.all(axis)
    return torch.prod(a, axis, dtype=a.dtype)


def _maximum(a: Tensor, axis: int) -> Tensor:
    return a.all(axis) if a.dtype == torch.bool else torch.amax(a, axis)


def _minimum(a: Tensor, axis: int) -> Tensor:
    return a.any(axis) if a.dtype == torch.bool else torch.amin(a, axis)


def _ignoring_nan(fold: Fold, neutral: float) -> Fold:
    def folded(a: Tensor, axis: int) -> Tensor:
        result = fold(a, axis)
        if not bool(torch.isnan(result).any()):
            return result
        missing = torch.isnan(a)
        result = fold(torch.where(missing, neutral, a), axis)
        return torch.where(missing.all(axis), float("nan"), result)

    return folded


def _unsigned(fold: Fold) -> Fold:
    return lambda a, axis: ordered_as_unsigned(fold(ordered_as_unsigned(a), axis))


def _bitwise(function: Callable[[Tensor, Tensor], Tensor]) -> Fold:
    def folded(a: Tensor, axis: int) -> Tensor:
        return fold_tree((a,), axis, lambda x, y: (function(x, y),))[0]

    return folded


FOLDS: dict[str, Fold] = {
    "arith.addf": _sum,
    "arith.addi": _sum,
    "arith.mulf": _product,
    "arith.muli": _product,
    "arith.maximumf": _maximum,
    "arith.minimumf": _minimum,
    "arith.maxnumf": _ignoring_nan(_maximum, float("-inf")),
    "arith.minnumf": _ignoring_nan(_minimum, float("inf")),
    "arith.maxsi": _maximum,
    "arith.minsi": _minimum,
    "arith.maxui": lambda a, axis: a.any(axis) if a.dtype == torch.bool else _unsigned(_maximum)(a, axis),
    "arith.minui": lambda a, axis: a.all(axis) if a.dtype == torch.bool else _unsigned(_minimum)(a, axis),
    "arith.andi": lambda a, axis: a.all(axis) if a.dtype == torch.bool else _bitwise(torch.bitwise_and)(a, axis),
    "arith.ori": lambda a, axis: a.any(axis) if a.dtype == torch.bool else _bitwise(torch.bitwise_or)(a, axis),
    "arith.xori": lambda a, axis: _sum(a, axis) if a.dtype == torch.bool else _bitwise(torch.bitwise_xor)(a, axis),
}
"""By the name of the operation that combines two elements."""

PREFIXES: dict[str, Fold] = {
    "arith.addf": lambda a, axis: torch.cumsum(a, axis, dtype=a.dtype),
    "arith.addi": lambda a, axis: torch.cumsum(a, axis, dtype=a.dtype),
    "arith.mulf": lambda a, axis: torch.cumprod(a, axis, dtype=a.dtype),
    "arith.muli": lambda a, axis: torch.cumprod(a, axis, dtype=a.dtype),
    "arith.maximumf": lambda a, axis: torch.cummax(a, axis).values,
    "arith.minimumf": lambda a, axis: torch.cummin(a, axis).values,
    "arith.maxsi": lambda a, axis: torch.cummax(a, axis).values,
    "arith.minsi": lambda a, axis: torch.cummin(a, axis).values,
    "arith.maxui": lambda a, axis: ordered_as_unsigned(torch.cummax(ordered_as_unsigned(a), axis).values),
    "arith.minui": lambda a, axis: ordered_as_unsigned(torch.cummin(ordered_as_unsigned(a), axis).values),
}
"""Inclusive prefixes, by the name of the operation."""


def extremal(values: Tensor, indices: Tensor, axis: int, largest: bool) -> tuple[Tensor, Tensor]:
    """The extremal value, NaN before all others, and the smallest index at which it is; both operands of one shape."""
    if values.dtype != torch.bool and _is_rising_line(indices, axis):
        # The first position of torch's is that with the smallest index.
        best, position = torch.max(values, axis) if largest else torch.min(values, axis)
        return best, indices[tuple(slice(None) if dim == axis else 0 for dim in range(indices.dim()))][position]
    kind = "arith.maximumf" if largest else "arith.minimumf"
    if not values.dtype.is_floating_point:
        kind = "arith.maxsi" if largest else "arith.minsi"
    best = FOLDS[kind](values, axis)
    candidates = values == best.unsqueeze(axis)
    if values.dtype.is_floating_point:
        candidates |= torch.isnan(values)
    return best, torch.where(candidates, indices, torch.iinfo(indices.dtype).max).amin(axis)


def last_extremal(largest: bool, a: Tensor, i: Tensor, b: Tensor, j: Tensor) -> tuple[Tensor, Tensor]:
    """The extremal of two (value, index) pairs: NaN wins, of equals the larger index."""
    better, equal = (a > b if largest else a < b), a == b
    if a.dtype.is_floating_point:
        a_nan, b_nan = torch.isnan(a), torch.isnan(b)
        better, equal = better | (a_nan & ~b_nan), equal | (a_nan & b_nan)
    first = better | (equal & (i > j))
    return torch.where(first, a, b), torch.where(first, i, j)


def sum_of_exponentials(m: Tensor, s: Tensor, n: Tensor, t: Tensor) -> tuple[Tensor, Tensor]:
    """The maximum of two and a sum of exponentials relative to it, from two such pairs."""
    greater = torch.maximum(m, n)
    first, second = (torch.where(each == greater, 1.0, torch.exp(each - greater)) for each in (m, n))
    return greater, s * first.to(s.dtype) + t * second.to(s.dtype)


def _is_rising_line(indices: Tensor, axis: int) -> bool:
    """Whether the indices vary along the axis only and rise there."""
    if any(extent > 1 and stride for extent, stride in _others(indices, axis)):
        return False
    line = indices[tuple(slice(None) if dim == axis else 0 for dim in range(indices.dim()))]
    return bool((line[1:] > line[:-1]).all())


def _others(tensor: Tensor, axis: int) -> list[tuple[int, int]]:
    """Extent and stride of the other axes."""
    dims = list(zip(tensor.shape, tensor.stride(), strict=True))
    return dims[:axis] + dims[axis + 1 :]


_SELECTING = {"arith.cmpf", "arith.cmpi", "arith.andi", "arith.ori", "arith.xori", "arith.select"}


def is_extremal(block: Block) -> bool | None:
    """Whether a combine region of (value, index) is that of `extremal`: True for the largest, False for the smallest.

    A region of comparisons of its arguments, selected by them, is known by what it gives for every order of two values
    and two indices.
    """
    if len(block.args) != 4:
        return None
    arguments = set(block.args)
    for op in block.ops:
        if op is block.last_op:
            continue
        if op.name not in _SELECTING:
            return None
        if op.name in ("arith.cmpf", "arith.cmpi") and not set(op.operands) <= arguments:
            return None
    dtype = torch_dtype(block.args[0].type)
    numbers = [-2, -1, 0, 3]
    samples = [*numbers, float("inf"), float("-inf"), float("nan")] if dtype.is_floating_point else numbers
    values = torch.tensor(samples).to(dtype)
    index = torch.arange(3).to(torch_dtype(block.args[1].type))
    if index.dtype.is_floating_point:
        return None
    sources = (values, index, values, index)
    places = torch.meshgrid(*(torch.arange(len(source)) for source in sources), indexing="ij")
    grid = [source[place] for source, place in zip(sources, places, strict=True)]
    results: dict[SSAValue, Tensor] = dict(zip(block.args, grid, strict=True))
    for op in block.ops:
        function = elementwise(op)
        if function is not None:
            results[op.results[0]] = function(*(results[operand] for operand in op.operands))
    assert block.last_op is not None
    found = [results[value] for value in block.last_op.operands]
    both = torch.stack(grid[0::2], -1), torch.stack(grid[1::2], -1)
    for largest in (True, False):
        expected = extremal(*both, both[0].dim() - 1, largest)
        if all(
            torch.equal(torch.nan_to_num(a, nan=7), torch.nan_to_num(b, nan=7))
            for a, b in zip(found, expected, strict=True)
        ):
            return largest
    return None


def fold_tree(values: Sequence[Tensor], axis: int, combine: Combine) -> tuple[Tensor, ...]:
    """Fold equally shaped tensors along an axis of extent at least 1 by combining neighbours, in order."""
    values = tuple(values)
    extent = values[0].shape[axis]
    while extent > 1:
        pairs = extent // 2
        left = [value.narrow(axis, 0, 2 * pairs).unflatten(axis, (pairs, 2)).select(axis + 1, 0) for value in values]
        right = [value.narrow(axis, 0, 2 * pairs).unflatten(axis, (pairs, 2)).select(axis + 1, 1) for value in values]
        combined = combine(*left, *right)
        if extent % 2:
            rest = (value.narrow(axis, extent - 1, 1) for value in values)
            combined = tuple(torch.cat(both, axis) for both in zip(combined, rest, strict=True))
        values = combined
        extent = pairs + extent % 2
    return tuple(value.select(axis, 0) for value in values)


def scan_tree(values: Sequence[Tensor], axis: int, combine: Combine) -> tuple[Tensor, ...]:
    """The inclusive prefixes of equally shaped tensors along an axis, in log steps."""
    values = tuple(values)
    extent = values[0].shape[axis]
    distance = 1
    while distance < extent:
        before = [value.narrow(axis, 0, extent - distance) for value in values]
        after = [value.narrow(axis, distance, extent - distance) for value in values]
        combined = combine(*before, *after)
        values = tuple(
            torch.cat((value.narrow(axis, 0, distance), tail), axis)
            for value, tail in zip(values, combined, strict=True)
        )
        distance *= 2
    return values
