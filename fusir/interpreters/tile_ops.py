"""Tile operations that are one function of tensors: joins, gathers, dots, the updates of atomics.

The first `lead` axes of every tensor are the programs and may have extent 1.
"""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor
from xdsl.ir import Operation

from fusir.dialects import tt
from fusir.interpreters.float8 import narrowed
from fusir.interpreters.memory import Update, joint_shape
from fusir.interpreters.scalars import Function, bitcast, elementwise_function, torch_dtype


def same_programs(lead: int, *tiles: Tensor) -> tuple[Tensor, ...]:
    """The tiles with the same extents of the `lead` axes of the programs."""
    programs = joint_shape(*(tile.shape[:lead] for tile in tiles))
    return tuple(tile.expand(*programs, *tile.shape[lead:]) for tile in tiles)


def dot(a: Tensor, b: Tensor, c: Tensor, precision: tt.InputPrecision = tt.InputPrecision.IEEE) -> Tensor:
    """`a @ b + c`: products of half and 8-bit floats are summed in f32, of integers exactly; of f32 as asked for."""
    if a.dtype == torch.float32 and precision is not tt.InputPrecision.IEEE:
        return _dot_of_pieces(a, b, precision) + c
    if not a.dtype.is_floating_point:
        return (a.to(torch.float64) @ b.to(torch.float64)).to(c.dtype) + c
    wide = torch.float64 if a.dtype == torch.float64 else torch.float32
    return (a.to(wide) @ b.to(wide) + c.to(wide)).to(c.dtype)


def _dot_of_pieces(a: Tensor, b: Tensor, precision: tt.InputPrecision) -> Tensor:
    """The product of f32 as Triton computes it with matrix instructions that take fewer bits.

    Each factor is a sum of pieces, rounded to nearest to bf16, or cut off to tf32. The products of small pieces are
    summed up first. An infinite factor leaves NaN in its smaller pieces: these products are dropped.
    """
    if precision is tt.InputPrecision.TF32:
        return _cut_to_tf32(a) @ _cut_to_tf32(b)
    count, smallest, piece = {
        tt.InputPrecision.TF32X3: (2, 1, _cut_to_tf32),
        tt.InputPrecision.BF16X3: (2, 1, _round_to_bf16),
        tt.InputPrecision.BF16X6: (3, 2, _round_to_bf16),
    }[precision]
    lhs, rhs = _pieces(a, count, piece), _pieces(b, count, piece)
    small = torch.zeros((), dtype=a.dtype)
    for order in range(smallest, 0, -1):
        for i in range(order + 1):
            small = small + lhs[i] @ rhs[order - i]
    return torch.where(small.isnan(), 0.0, small) + lhs[0] @ rhs[0]


def _pieces(x: Tensor, count: int, piece: Function) -> list[Tensor]:
    pieces: list[Tensor] = []
    for _ in range(count):
        pieces.append(piece(x))
        x = x - pieces[-1]
    return pieces


def _round_to_bf16(x: Tensor) -> Tensor:
    return x.to(torch.bfloat16).to(x.dtype)


def _cut_to_tf32(x: Tensor) -> Tensor:
    return (x.view(torch.int32) & ~0x1FFF).view(x.dtype)


def _clamp(x: Tensor, low: Tensor, high: Tensor) -> Tensor:
    return torch.fmin(torch.fmax(x, low), high)


def _clamp_with_nan(x: Tensor, low: Tensor, high: Tensor) -> Tensor:
    return torch.where(torch.isnan(x), x, _clamp(x, low, high))


def _toward_zero(dtype: torch.dtype) -> Function:
    def convert(a: Tensor) -> Tensor:
        rounded = a.to(dtype)
        bits = rounded.view(torch.int8 if rounded.element_size() == 1 else torch.int16)
        # The bits of floats are ordered by magnitude, so one less is the next float toward zero.
        away = rounded.to(a.dtype).abs() > a.abs()
        return torch.where(away, bits - 1, bits).view(dtype)

    return convert


def elementwise(op: Operation) -> Function | None:
    """The function of an elementwise operation of `tt` that `scalars` does not know."""
    match op:
        case tt.ClampFOp():
            return _clamp if op.propagate_nan.value.data == tt.PropagateNan.NONE else _clamp_with_nan
        case tt.ElementwiseInlineAsmOp():
            return lambda a: a
        case tt.BitcastOp():
            dtype = torch_dtype(tt.element_of(op.result.type))
            return lambda a: bitcast(a, dtype)
        case tt.FpToFpOp():
            dtype = torch_dtype(tt.element_of(op.result.type))
            if op.rounding_mode == tt.RoundingMode.RTZ:
                return _toward_zero(dtype)
            return lambda a: narrowed(a, dtype)
        case _:
            return None


def _join(lead: int, a: Tensor, b: Tensor) -> Tensor:
    return torch.stack(same_programs(lead, a, b), -1)


def _split(lead: int, a: Tensor) -> tuple[Tensor, Tensor]:
    return a.select(-1, 0), a.select(-1, 1)


def _cat(lead: int, a: Tensor, b: Tensor) -> Tensor:
    return torch.cat(same_programs(lead, a, b), lead)


def _gather(op: Operation) -> Function:
    assert isinstance(op, tt.GatherOp)
    axis = op.axis.value.data

    def function(lead: int, source: Tensor, indices: Tensor) -> Tensor:
        source, indices = same_programs(lead, source, indices)
        return torch.gather(source, lead + axis, indices.to(torch.int64))

    return function


def _histogram(op: Operation) -> Function:
    (bins,) = tt.shape_of(op.results[0].type)

    def function(lead: int, values: Tensor) -> Tensor:
        values = values.to(torch.int64)
        # What is outside of all bins is counted in one more and dropped.
        values = torch.where((values < 0) | (values >= bins), bins, values)
        counts = torch.zeros((*values.shape[:lead], bins + 1), dtype=torch.int32)
        ones = torch.ones((), dtype=torch.int32).expand(values.shape)
        return counts.scatter_add_(lead, values, ones)[..., :bins]

    return function


WHOLE: dict[str, Callable[[Operation], Callable[..., Tensor | tuple[Tensor, ...]]]] = {
    "tt.join": lambda op: _join,
    "tt.split": lambda op: _split,
    "tt.cat": lambda op: _cat,
    "tt.gather": _gather,
    "tt.histogram": _histogram,
}
"""Operations on `lead` and operands of their whole shape, by name."""


def compare_and_swap(old: Tensor, expected: Tensor, new: Tensor) -> Tensor:
    """The memory after a compare-and-swap."""
    return torch.where(old == expected, new, old)


def _exchange(old: Tensor, new: Tensor) -> Tensor:
    return new


UPDATES: dict[str, Update] = {
    "and": elementwise_function("arith.andi"),
    "or": elementwise_function("arith.ori"),
    "xor": elementwise_function("arith.xori"),
    "add": elementwise_function("arith.addi"),
    "fadd": elementwise_function("arith.addf"),
    "max": elementwise_function("arith.maxsi"),
    "min": elementwise_function("arith.minsi"),
    "umax": elementwise_function("arith.maxui"),
    "umin": elementwise_function("arith.minui"),
    "exch": _exchange,
}
"""The new memory from the old one and the operand, by the keyword of `tt.atomic_rmw`."""
