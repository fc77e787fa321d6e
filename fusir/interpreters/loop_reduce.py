"""The combiners of loops on tensors: folds and prefixes over the trailing axes, and the identities of empty ranges."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from fusir.dialects.loop import Combiner
from fusir.interpreters.combine import FOLDS, PREFIXES, extremal

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


def fold(combiner: Combiner, values: Sequence[Tensor], depth: int) -> tuple[Tensor, ...]:
    """Fold the values of one element over all axes from `depth` on, which disappear and are not empty."""
    flat = [value.reshape(*value.shape[:depth], -1) for value in values]
    if combiner.arity == 2:
        return extremal(flat[0], flat[1], depth, combiner is Combiner.ARGMAX)
    return (FOLDS[_operation(combiner, flat[0])](flat[0], depth),)


def prefixes(combiner: Combiner, values: Tensor, depth: int, reverse: bool) -> Tensor:
    """The inclusive prefixes of the values over all axes from `depth` on, in row-major order, or from the end."""
    flat = values.reshape(*values.shape[:depth], -1)
    if reverse:
        flat = flat.flip(depth)
    result = PREFIXES[_operation(combiner, flat)](flat, depth)
    return (result.flip(depth) if reverse else result).reshape(values.shape)


def _operation(combiner: Combiner, values: Tensor) -> str:
    on_floats, on_integers = _OPERATIONS[combiner]
    return on_floats if values.dtype.is_floating_point else on_integers


def identity(combiner: Combiner, dtypes: Sequence[torch.dtype]) -> tuple[float | int, ...]:
    """What the fold of no elements gives, for values whose first dtype is `dtypes[0]`."""
    dtype = dtypes[0]
    if dtype == torch.bool:
        # Read as signed, true is -1, so that the maximum of nothing is the smallest value, true.
        ones = {Combiner.MUL, Combiner.AND, Combiner.UMIN, Combiner.MAX, Combiner.ARGMAX}
        number: float | int = int(combiner in ones)
    elif combiner in (Combiner.ADD, Combiner.OR, Combiner.XOR, Combiner.UMAX):
        number = 0
    elif combiner is Combiner.MUL:
        number = 1
    elif combiner in (Combiner.AND, Combiner.UMIN):
        number = -1
    else:
        smallest = combiner in (Combiner.MAX, Combiner.ARGMAX)
        if dtype.is_floating_point:
            number = float("-inf") if smallest else float("inf")
        else:
            number = torch.iinfo(dtype).min if smallest else torch.iinfo(dtype).max
    return (number,) if combiner.arity == 1 else (number, 0)
