"""Integer operations on torch tensors of signless integers: wrapping, signed and unsigned, without faults."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import torch
from torch import Tensor

Function: TypeAlias = Callable[..., Tensor]

_INTEGER_BITS = {torch.bool: 1, torch.int8: 8, torch.int16: 16, torch.int32: 32, torch.int64: 64}


def integer_bits(dtype: torch.dtype) -> int:
    """Width in bits of a signless integer dtype (bool is 1)."""
    return _INTEGER_BITS[dtype]


def wrap(value: int, bits: int) -> int:
    """The signed integer of `bits` bits that is congruent to `value`; for one bit 0 or 1."""
    if bits == 1:
        return value & 1
    half = 1 << (bits - 1)
    return ((value + half) & ((1 << bits) - 1)) - half


def to_unsigned(a: Tensor) -> Tensor:
    """The bits of a signless integer of at most 32 bits as a non-negative int64."""
    if a.dtype == torch.bool:
        return a.to(torch.int64)
    return a.to(torch.int64) & ((1 << integer_bits(a.dtype)) - 1)


def ordered_as_unsigned(a: Tensor) -> Tensor:
    """Integers whose signed order is the unsigned order of `a`: the sign bit is flipped."""
    if a.dtype == torch.bool:
        return a
    return a ^ torch.iinfo(a.dtype).min


def unless_boolean(on_bool: Function, on_integer: Function) -> Function:
    """`on_integer`, for `i1` `on_bool`."""

    def function(a: Tensor, b: Tensor) -> Tensor:
        return on_bool(a, b) if a.dtype == torch.bool else on_integer(a, b)

    return function


def _safe_divisor(b: Tensor) -> Tensor:
    """`b` without the divisors 0 (fault) and -1 (fault at the smallest integer); `_guarded` sets those lanes right."""
    return torch.where((b == 0) | (b == -1), torch.ones_like(b), b)


def _guarded(divide: Function, by_minus_one: Function, by_zero: Function) -> Function:
    """An integer division that never faults: the lanes with divisor -1 and 0 get their results separately."""

    def function(a: Tensor, b: Tensor) -> Tensor:
        if a.dtype == torch.bool:
            return by_zero(a, b)
        if b.numel() == 1 and b.item() not in (0, -1):
            return divide(a, b)
        result = divide(a, _safe_divisor(b))
        result = torch.where(b == -1, by_minus_one(a), result)
        return torch.where(b == 0, by_zero(a, b), result)

    return function


divide_truncating = _guarded(
    lambda a, b: torch.div(a, b, rounding_mode="trunc"), torch.neg, lambda a, b: torch.full_like(a, -1)
)
divide_floor = _guarded(
    lambda a, b: torch.div(a, b, rounding_mode="floor"), torch.neg, lambda a, b: torch.full_like(a, -1)
)
remainder = _guarded(torch.fmod, torch.zeros_like, lambda a, b: a)


def divide_ceil(a: Tensor, b: Tensor) -> Tensor:
    """Signed division rounded up."""
    quotient = divide_truncating(a, b)
    exact = quotient * b == a
    return quotient + (~exact & ((a < 0) == (b < 0))).to(quotient.dtype)


def divide_unsigned(a: Tensor, b: Tensor) -> Tensor:
    """Unsigned division."""
    if a.dtype == torch.bool:
        return a
    if a.dtype != torch.int64:
        return divide_truncating(to_unsigned(a), to_unsigned(b)).to(a.dtype)
    # Halve the dividend to make it non-negative, divide, double, and correct by one (Hacker's Delight 9-3).
    large_divisor = b < 0
    positive = torch.where(large_divisor | (b == 0), torch.ones_like(b), b)
    half = (a >> 1) & ((1 << 63) - 1)
    quotient = torch.div(half, positive, rounding_mode="trunc") << 1
    rest = a - quotient * positive
    quotient = quotient + (ordered_as_unsigned(rest) >= ordered_as_unsigned(positive)).to(torch.int64)
    at_least = (ordered_as_unsigned(a) >= ordered_as_unsigned(b)).to(torch.int64)
    return torch.where(b == 0, torch.full_like(a, -1), torch.where(large_divisor, at_least, quotient))


def remainder_unsigned(a: Tensor, b: Tensor) -> Tensor:
    """Unsigned remainder."""
    if a.dtype == torch.bool:
        return a & ~b
    return torch.where(b == 0, a, a - divide_unsigned(a, b) * b)


def divide_ceil_unsigned(a: Tensor, b: Tensor) -> Tensor:
    """Unsigned division rounded up."""
    quotient = divide_unsigned(a, b)
    return quotient + (quotient * b != a).to(quotient.dtype)


def shift_left(a: Tensor, b: Tensor) -> Tensor:
    """`a << b`, 0 from the width on."""
    if a.dtype == torch.bool:
        return a & ~b
    amount = to_unsigned(b) if b.dtype != torch.int64 else b
    result = a << amount.clamp(0, integer_bits(a.dtype) - 1).to(a.dtype)
    return torch.where((amount < 0) | (amount >= integer_bits(a.dtype)), torch.zeros_like(a), result)


def shift_right(a: Tensor, b: Tensor) -> Tensor:
    """Arithmetic `a >> b`, the sign from the width on."""
    if a.dtype == torch.bool:
        return a
    amount = to_unsigned(b) if b.dtype != torch.int64 else b
    return a >> amount.clamp(0, integer_bits(a.dtype) - 1).to(a.dtype)


def shift_right_unsigned(a: Tensor, b: Tensor) -> Tensor:
    """Logical `a >> b`, 0 from the width on."""
    if a.dtype == torch.bool:
        return a & ~b
    bits = integer_bits(a.dtype)
    amount = to_unsigned(b) if b.dtype != torch.int64 else b
    inside = amount.clamp(0, bits - 1).to(a.dtype)
    # The arithmetic shift leaves copies of the sign above; keep only the low `bits - amount` bits.
    kept = torch.where(inside == 0, torch.full_like(inside, -1), ~(torch.full_like(inside, -1) << (bits - inside)))
    return torch.where((amount < 0) | (amount >= bits), torch.zeros_like(a), (a >> inside) & kept)


def multiply_high_unsigned(a: Tensor, b: Tensor) -> Tensor:
    """The upper half of the unsigned product, in the width of the operands."""
    if a.dtype != torch.int64:
        bits = integer_bits(a.dtype)
        # The product is exact modulo 2**64, and an arithmetic shift leaves the wanted bits in the low ones.
        return ((to_unsigned(a) * to_unsigned(b)) >> bits).to(a.dtype)
    mask = (1 << 32) - 1
    a_low, a_high = a & mask, (a >> 32) & mask
    b_low, b_high = b & mask, (b >> 32) & mask
    low = (a_low * b_low >> 32) & mask
    first = a_high * b_low
    middle = low + (first & mask)
    second = a_low * b_high
    middle = middle + (second & mask)
    carries = ((first >> 32) & mask) + ((second >> 32) & mask) + (middle >> 32)
    return a_high * b_high + carries


def unsigned_extremum(pick_first: Function) -> Function:
    """The operand that `pick_first` chooses by the unsigned order."""

    def function(a: Tensor, b: Tensor) -> Tensor:
        return torch.where(pick_first(ordered_as_unsigned(a), ordered_as_unsigned(b)), a, b)

    return function


def _signed(function: Function) -> Function:
    """`i1` read as signed is 0 or -1, so that true is the smaller value."""

    def wrapped(a: Tensor, b: Tensor) -> Tensor:
        return function(~a, ~b) if a.dtype == torch.bool else function(a, b)

    return wrapped


def _unsigned(function: Function) -> Function:
    def wrapped(a: Tensor, b: Tensor) -> Tensor:
        return function(ordered_as_unsigned(a), ordered_as_unsigned(b))

    return wrapped


INTEGER_COMPARISONS: tuple[Function, ...] = (
    torch.eq,
    torch.ne,
    _signed(torch.lt),
    _signed(torch.le),
    _signed(torch.gt),
    _signed(torch.ge),
    _unsigned(torch.lt),
    _unsigned(torch.le),
    _unsigned(torch.gt),
    _unsigned(torch.ge),
)
"""By the predicate number of `arith.cmpi`."""


def convert_integer(a: Tensor, dtype: torch.dtype, unsigned: bool) -> Tensor:
    """Extension (by zeros if `unsigned`, else by the sign) or truncation to an integer dtype."""
    if a.dtype == dtype:
        return a
    if dtype == torch.bool:
        return (a & 1) != 0
    if a.dtype == torch.bool:
        return a.to(dtype) if unsigned else a.to(dtype).neg()
    if unsigned and integer_bits(dtype) > integer_bits(a.dtype):
        return to_unsigned(a).to(dtype)
    return a.to(dtype)


def population_count(a: Tensor) -> Tensor:
    """How many bits are set."""
    bits = integer_bits(a.dtype)
    return sum(((a >> i) & 1 for i in range(1, bits)), a & 1)


def leading_zeros(a: Tensor) -> Tensor:
    """How many zero bits are above the highest one."""
    bits = integer_bits(a.dtype)
    count = torch.full_like(a, bits)
    for i in range(bits):
        count = torch.where(((a >> i) & 1) != 0, bits - 1 - i, count)
    return count


def trailing_zeros(a: Tensor) -> Tensor:
    """How many zero bits are below the lowest one."""
    bits = integer_bits(a.dtype)
    count = torch.full_like(a, bits)
    for i in reversed(range(bits)):
        count = torch.where(((a >> i) & 1) != 0, i, count)
    return count


def integer_power(a: Tensor, b: Tensor) -> Tensor:
    """`a ** b`, 1 for negative exponents."""
    return torch.pow(a, b.clamp(min=0))
