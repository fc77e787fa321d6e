"""The combiners of loops on tensors: folds and prefixes over the trailing axes, and the identities of empty ranges."""

from __future__ import annotations

import functools
from collections.abc import Sequence

import torch
from torch import Tensor

from fusir.dialects.loop import Combiner
from fusir.interpreters.combine import (
    FOLDS,
    PREFIXES,
    Combine,
    extremal,
    fold_tree,
    last_extremal,
    scan_tree,
    sum_of_exponentials,
)

_OPERATIONS: dict[Combiner, tuple[str, str]] = {
    Combiner.ADD: ("arith.addf", "arith.addi"),
    Combiner.MUL: ("arith.mulf", "arith.muli"),
    Combiner.MAX: ("arith.maximumf", "arith.maxsi"),
    Combiner.MIN: ("arith.minimumf", "arith.minsi"),
    Combiner.UMAX: ("", "arith.maxui"),
    Combiner.UMIN: ("", "arith.minui"),
    Combiner.AND: ("", "arith.andi"),
    Combiner.OR: ("", "arith.ori"),
    Combiner.XOR: ("", "arith.xori"),
}
"""The operation that combines two floats, and two integers."""


_COMBINATIONS: dict[Combiner, Combine] = {
    Combiner.LAST_ARGMAX: functools.partial(last_extremal, True),
    Combiner.LAST_ARGMIN: functools.partial(last_extremal, False),
    Combiner.SUMEXP: sum_of_exponentials,
}
"""The combination of two elements, where torch has no fold of many."""


def fold(combiner: Combiner, values: Sequence[Tensor], depth: int) -> tuple[Tensor, ...]:
    """Fold the values of one element over all axes from `depth` on, which disappear and are not empty."""
    if combiner in _COMBINATIONS:
        # One of two values may be the same along axes on which the other one depends.
        values = torch.broadcast_tensors(*values)
    flat = [value.reshape(*value.shape[:depth], -1) for value in values]
    if (combine := _COMBINATIONS.get(combiner)) is not None:
        return fold_tree(flat, depth, combine)
    if combiner.arity == 2:
        return extremal(flat[0], flat[1], depth, combiner is Combiner.ARGMAX)
    return (FOLDS[_operation(combiner, flat[0])](flat[0], depth),)


def prefixes(combiner: Combiner, values: Sequence[Tensor], depth: int, reverse: bool) -> tuple[Tensor, ...]:
    """The inclusive prefixes of equally shaped values over all axes from `depth` on, in row-major order, or from the
    end."""
    flat = [value.reshape(*value.shape[:depth], -1) for value in values]
    if reverse:
        flat = [value.flip(depth) for value in flat]
    combine = _COMBINATIONS.get(combiner)
    if combine is None:
        results = (PREFIXES[_operation(combiner, flat[0])](flat[0], depth),)
    else:
        results = scan_tree(flat, depth, combine)
    return tuple((each.flip(depth) if reverse else each).reshape(values[0].shape) for each in results)


def _operation(combiner: Combiner, values: Tensor) -> str:
    on_floats, on_integers = _OPERATIONS[combiner]
    return on_floats if values.dtype.is_floating_point else on_integers


_LARGEST = (Combiner.MAX, Combiner.ARGMAX, Combiner.LAST_ARGMAX, Combiner.SUMEXP)
"""The combiners of which the least number is the identity."""


def identity(combiner: Combiner, dtypes: Sequence[torch.dtype]) -> tuple[float | int, ...]:
    """What the fold of no elements gives, for values whose first dtype is `dtypes[0]`."""
    dtype = dtypes[0]
    if dtype == torch.bool:
        # Read as signed, true is -1, so that the maximum of nothing is the smallest value, true.
        ones = {Combiner.MUL, Combiner.AND, Combiner.UMIN, *_LARGEST}
        number: float | int = int(combiner in ones)
    elif combiner in (Combiner.ADD, Combiner.OR, Combiner.XOR, Combiner.UMAX):
        number = 0
    elif combiner is Combiner.MUL:
        number = 1
    elif combiner in (Combiner.AND, Combiner.UMIN):
        number = -1
    else:
        smallest = combiner in _LARGEST
        if dtype.is_floating_point:
            number = float("-inf") if smallest else float("inf")
        else:
            number = torch.iinfo(dtype).min if smallest else torch.iinfo(dtype).max
    if combiner.arity == 1:
        return (number,)
    if combiner is Combiner.SUMEXP:
        return number, 0.0
    return number, 0 if combiner in (Combiner.ARGMAX, Combiner.ARGMIN) else -1
