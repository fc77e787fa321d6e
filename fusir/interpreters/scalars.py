"""Exact `arith` and `math` on torch tensors.

`elementwise(op)` turns one scalar or tile operation into a function from operand tensors to the result tensor. Values
have the representation that `torch_dtype` gives: floats and signless integers as the torch dtype of that width, `i1`
as `torch.bool`, `index` as int64. Integer arithmetic wraps at its width, unsigned operations read the bits as
unsigned, 16-bit floats round once an operation. Operands may be broadcast against each other.

Where the operation is undefined (division by zero, shifts past the width) the result is some fixed value, and no
fault: masked lanes hold anything.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, TypeAlias, cast

import torch
from torch import Tensor
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, FloatAttr, IntegerAttr, StringAttr

from fusir.interpreters.libm import libm_function, power

if TYPE_CHECKING:
    from xdsl.ir import Attribute, Operation

Function: TypeAlias = Callable[..., Tensor]

_DTYPES: dict[str, torch.dtype] = {
    "i1": torch.bool,
    "i8": torch.int8,
    "i16": torch.int16,
    "i32": torch.int32,
    "i64": torch.int64,
    "ui8": torch.uint8,
    "index": torch.int64,
    "f16": torch.float16,
    "bf16": torch.bfloat16,
    "f32": torch.float32,
    "f64": torch.float64,
    "f8E4M3FN": torch.float8_e4m3fn,
    "f8E4M3FNUZ": torch.float8_e4m3fnuz,
    "f8E5M2": torch.float8_e5m2,
    "f8E5M2FNUZ": torch.float8_e5m2fnuz,
}

_INTEGER_BITS = {torch.bool: 1, torch.int8: 8, torch.int16: 16, torch.int32: 32, torch.int64: 64}
_MIN_INT64 = -(1 << 63)


@cache
def torch_dtype(element_type: Attribute) -> torch.dtype:
    """The torch dtype that holds values of a scalar type; raises ValueError if there is none."""
    dtype = _DTYPES.get(str(element_type))
    if dtype is None:
        raise ValueError(f"the interpreters have no values of type {element_type}")
    return dtype


def integer_bits(dtype: torch.dtype) -> int:
    """Width in bits of a signless integer dtype (bool is 1)."""
    return _INTEGER_BITS[dtype]


def wrap(value: int, bits: int) -> int:
    """The signed integer of `bits` bits that is congruent to `value`; for one bit 0 or 1."""
    if bits == 1:
        return value & 1
    half = 1 << (bits - 1)
    return ((value + half) & ((1 << bits) - 1)) - half


def element_type_of(type_: Attribute) -> Attribute:
    """The element type of a tensor type, or the type itself."""
    return getattr(type_, "element_type", type_)


def splat_value(op: Operation) -> float | int | None:
    """The number in every element of an `arith.constant`, or None if they differ."""
    value = op.properties["value"]
    if isinstance(value, (IntegerAttr, FloatAttr)):
        return value.value.data
    assert isinstance(value, DenseIntOrFPElementsAttr)
    return cast("float | int", next(iter(value.iter_values()))) if value.is_splat() else None


def elementwise_function(name: str) -> Function:
    """The function of an operation whose name alone says what it computes, as `arith.addi`."""
    return _FIXED[name]


def elementwise(op: Operation) -> Function | None:
    """The function of one elementwise operation, or None if `op` is not one of those known here."""
    fixed = _FIXED.get(op.name)
    if fixed is not None:
        return fixed
    build = _BUILDERS.get(op.name)
    return build(op) if build is not None else None


# --- integers ----------


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


def _boolean_or(on_bool: Function, on_integer: Function) -> Function:
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


_div_trunc = _guarded(
    lambda a, b: torch.div(a, b, rounding_mode="trunc"), torch.neg, lambda a, b: torch.full_like(a, -1)
)
_div_floor = _guarded(
    lambda a, b: torch.div(a, b, rounding_mode="floor"), torch.neg, lambda a, b: torch.full_like(a, -1)
)
_rem_trunc = _guarded(torch.fmod, torch.zeros_like, lambda a, b: a)


def _div_ceil(a: Tensor, b: Tensor) -> Tensor:
    quotient = _div_trunc(a, b)
    exact = quotient * b == a
    return quotient + (~exact & ((a < 0) == (b < 0))).to(quotient.dtype)


def _div_unsigned(a: Tensor, b: Tensor) -> Tensor:
    if a.dtype == torch.bool:
        return a
    if a.dtype != torch.int64:
        return _div_trunc(to_unsigned(a), to_unsigned(b)).to(a.dtype)
    # Halve the dividend to make it non-negative, divide, double, and correct by one (Hacker's Delight 9-3).
    large_divisor = b < 0
    positive = torch.where(large_divisor | (b == 0), torch.ones_like(b), b)
    half = (a >> 1) & ((1 << 63) - 1)
    quotient = torch.div(half, positive, rounding_mode="trunc") << 1
    rest = a - quotient * positive
    quotient = quotient + (ordered_as_unsigned(rest) >= ordered_as_unsigned(positive)).to(torch.int64)
    at_least = (ordered_as_unsigned(a) >= ordered_as_unsigned(b)).to(torch.int64)
    return torch.where(b == 0, torch.full_like(a, -1), torch.where(large_divisor, at_least, quotient))


def _rem_unsigned(a: Tensor, b: Tensor) -> Tensor:
    if a.dtype == torch.bool:
        return a & ~b
    return torch.where(b == 0, a, a - _div_unsigned(a, b) * b)


def _div_ceil_unsigned(a: Tensor, b: Tensor) -> Tensor:
    quotient = _div_unsigned(a, b)
    return quotient + (quotient * b != a).to(quotient.dtype)


def _shift_left(a: Tensor, b: Tensor) -> Tensor:
    if a.dtype == torch.bool:
        return a & ~b
    amount = to_unsigned(b) if b.dtype != torch.int64 else b
    result = a << amount.clamp(0, integer_bits(a.dtype) - 1).to(a.dtype)
    return torch.where((amount < 0) | (amount >= integer_bits(a.dtype)), torch.zeros_like(a), result)


def _shift_right(a: Tensor, b: Tensor) -> Tensor:
    if a.dtype == torch.bool:
        return a
    amount = to_unsigned(b) if b.dtype != torch.int64 else b
    return a >> amount.clamp(0, integer_bits(a.dtype) - 1).to(a.dtype)


def _shift_right_unsigned(a: Tensor, b: Tensor) -> Tensor:
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


def multiply_high_signed(a: Tensor, b: Tensor) -> Tensor:
    """The upper half of the signed product, in the width of the operands."""
    if a.dtype != torch.int64:
        return (a.to(torch.int64) * b.to(torch.int64) >> integer_bits(a.dtype)).to(a.dtype)
    high = multiply_high_unsigned(a, b)
    return high - torch.where(a < 0, b, torch.zeros_like(b)) - torch.where(b < 0, a, torch.zeros_like(a))


def _unsigned_extremum(pick_first: Function) -> Function:
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


def _unordered(function: Function) -> Function:
    def wrapped(a: Tensor, b: Tensor) -> Tensor:
        return function(a, b) | torch.isnan(a) | torch.isnan(b)

    return wrapped


def _constant_comparison(value: bool) -> Function:
    def wrapped(a: Tensor, b: Tensor) -> Tensor:
        return torch.full(torch.broadcast_shapes(a.shape, b.shape), value)

    return wrapped


FLOAT_COMPARISONS: tuple[Function, ...] = (
    _constant_comparison(False),
    torch.eq,
    torch.gt,
    torch.ge,
    torch.lt,
    torch.le,
    lambda a, b: (a < b) | (a > b),
    lambda a, b: ~(torch.isnan(a) | torch.isnan(b)),
    _unordered(torch.eq),
    _unordered(torch.gt),
    _unordered(torch.ge),
    _unordered(torch.lt),
    _unordered(torch.le),
    torch.ne,
    lambda a, b: torch.isnan(a) | torch.isnan(b),
    _constant_comparison(True),
)
"""By the predicate number of `arith.cmpf`."""

# --- conversions ----------


def _result_dtype(op: Operation) -> torch.dtype:
    return torch_dtype(element_type_of(op.results[0].type))


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


def integer_to_float(a: Tensor, dtype: torch.dtype, unsigned: bool) -> Tensor:
    """The nearest float to the signed or unsigned integer."""
    if a.dtype == torch.bool:
        return a.to(dtype) if unsigned else a.to(dtype).neg()
    if not unsigned:
        return a.to(dtype)
    if a.dtype != torch.int64:
        return to_unsigned(a).to(dtype)
    # Halving with a sticky low bit keeps the rounding of the doubled result right.
    halved = ((a >> 1) & ((1 << 63) - 1)) | (a & 1)
    return torch.where(a < 0, halved.to(dtype) * 2, a.to(dtype))


def float_to_integer(a: Tensor, dtype: torch.dtype, unsigned: bool) -> Tensor:
    """Truncation toward zero; out of range as the conversion of torch on the CPU."""
    if dtype == torch.bool:
        return a != 0
    if not unsigned:
        return a.to(dtype)
    if dtype != torch.int64:
        return a.to(torch.int64).to(dtype)
    large = a >= 2.0**63
    return torch.where(large, (a - 2.0**63).to(torch.int64) ^ _MIN_INT64, a.to(torch.int64))


def _conversion(
    convert: Callable[[Tensor, torch.dtype, bool], Tensor], unsigned: bool
) -> Callable[[Operation], Function]:
    def build(op: Operation) -> Function:
        dtype = _result_dtype(op)
        return lambda a: convert(a, dtype, unsigned)

    return build


def _float_conversion(op: Operation) -> Function:
    dtype = _result_dtype(op)
    return lambda a: a.to(dtype)


def bitcast(a: Tensor, dtype: torch.dtype) -> Tensor:
    """The same bits as another dtype of the same width."""
    if a.dtype == dtype:
        return a
    if torch.bool in (a.dtype, dtype):
        return a.to(dtype)
    return a.view(dtype)


def _bitcast(op: Operation) -> Function:
    dtype = _result_dtype(op)
    return lambda a: bitcast(a, dtype)


# --- floats ----------


def fused_multiply_add(a: Tensor, b: Tensor, c: Tensor) -> Tensor:
    """`a * b + c`; below f64 the product is exact and the sum is rounded from double."""
    if a.dtype == torch.float64:
        return a * b + c
    return (a.to(torch.float64) * b.to(torch.float64) + c.to(torch.float64)).to(a.dtype)


def select(condition: Tensor, on_true: Tensor, on_false: Tensor) -> Tensor:
    """`on_true` where the condition holds."""
    return torch.where(condition, on_true, on_false)


def _population_count(a: Tensor) -> Tensor:
    bits = integer_bits(a.dtype)
    return sum(((a >> i) & 1 for i in range(1, bits)), a & 1)


def _leading_zeros(a: Tensor) -> Tensor:
    bits = integer_bits(a.dtype)
    count = torch.full_like(a, bits)
    for i in range(bits):
        count = torch.where(((a >> i) & 1) != 0, bits - 1 - i, count)
    return count


def _trailing_zeros(a: Tensor) -> Tensor:
    bits = integer_bits(a.dtype)
    count = torch.full_like(a, bits)
    for i in reversed(range(bits)):
        count = torch.where(((a >> i) & 1) != 0, i, count)
    return count


def _integer_power(a: Tensor, b: Tensor) -> Tensor:
    return torch.pow(a, b.clamp(min=0))


def predicate_of(op: Operation) -> int:
    """The predicate number of `arith.cmpi` or `arith.cmpf` on scalars or tiles."""
    predicate = op.properties["predicate"]
    assert isinstance(predicate, IntegerAttr)
    return predicate.value.data


def _by_predicate(table: tuple[Function, ...]) -> Callable[[Operation], Function]:
    return lambda op: table[predicate_of(op)]


def _by_name(attribute: str) -> Callable[[Operation], Function]:
    def build(op: Operation) -> Function:
        name = op.properties[attribute]
        assert isinstance(name, StringAttr)
        return libm_function(name.data)

    return build


_FIXED: dict[str, Function] = {
    "arith.addi": _boolean_or(torch.logical_xor, torch.add),
    "arith.subi": _boolean_or(torch.logical_xor, torch.sub),
    "arith.muli": _boolean_or(torch.logical_and, torch.mul),
    "arith.divsi": _div_trunc,
    "arith.divui": _div_unsigned,
    "arith.floordivsi": _div_floor,
    "arith.ceildivsi": _div_ceil,
    "arith.ceildivui": _div_ceil_unsigned,
    "arith.remsi": _rem_trunc,
    "arith.remui": _rem_unsigned,
    "arith.andi": torch.bitwise_and,
    "arith.ori": torch.bitwise_or,
    "arith.xori": torch.bitwise_xor,
    "arith.shli": _shift_left,
    "arith.shrsi": _shift_right,
    "arith.shrui": _shift_right_unsigned,
    "arith.maxsi": _boolean_or(torch.logical_and, torch.maximum),
    "arith.minsi": _boolean_or(torch.logical_or, torch.minimum),
    "arith.maxui": _boolean_or(torch.logical_or, _unsigned_extremum(torch.ge)),
    "arith.minui": _boolean_or(torch.logical_and, _unsigned_extremum(torch.le)),
    "tt.mulhiui": multiply_high_unsigned,
    "arith.addf": torch.add,
    "arith.subf": torch.sub,
    "arith.mulf": torch.mul,
    "arith.divf": torch.div,
    "arith.remf": torch.fmod,
    "arith.negf": torch.neg,
    "arith.maximumf": torch.maximum,
    "arith.minimumf": torch.minimum,
    "arith.maxnumf": torch.fmax,
    "arith.minnumf": torch.fmin,
    "arith.select": select,
    "tt.precise_divf": torch.div,
    "tt.precise_sqrt": torch.sqrt,
    "math.absi": torch.abs,
    "math.absf": torch.abs,
    "math.fma": fused_multiply_add,
    "math.powf": power,
    "math.ipowi": _integer_power,
    "math.fpowi": lambda a, b: torch.pow(a, b.to(a.dtype)),
    "math.ctpop": _population_count,
    "math.ctlz": _leading_zeros,
    "math.cttz": _trailing_zeros,
    "math.roundeven": torch.round,
    "math.isnan": torch.isnan,
    "math.isinf": torch.isinf,
    "math.isfinite": torch.isfinite,
}

for _name in (
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atanh",
    "atan2",
    "cbrt",
    "ceil",
    "copysign",
    "cos",
    "cosh",
    "erf",
    "erfc",
    "exp",
    "exp2",
    "expm1",
    "floor",
    "log",
    "log10",
    "log1p",
    "log2",
    "round",
    "rsqrt",
    "sin",
    "sinh",
    "sqrt",
    "tan",
    "tanh",
    "trunc",
):
    _FIXED["math." + _name] = libm_function(_name)

_BUILDERS: dict[str, Callable[[Operation], Function]] = {
    "arith.cmpi": _by_predicate(INTEGER_COMPARISONS),
    "arith.cmpf": _by_predicate(FLOAT_COMPARISONS),
    "arith.extsi": _conversion(convert_integer, unsigned=False),
    "arith.extui": _conversion(convert_integer, unsigned=True),
    "arith.trunci": _conversion(convert_integer, unsigned=False),
    "arith.index_cast": _conversion(convert_integer, unsigned=False),
    "arith.index_castui": _conversion(convert_integer, unsigned=True),
    "arith.sitofp": _conversion(integer_to_float, unsigned=False),
    "arith.uitofp": _conversion(integer_to_float, unsigned=True),
    "arith.fptosi": _conversion(float_to_integer, unsigned=False),
    "arith.fptoui": _conversion(float_to_integer, unsigned=True),
    "arith.extf": _float_conversion,
    "arith.truncf": _float_conversion,
    "arith.bitcast": _bitcast,
    "loop.libm": _by_name("function"),
    "tt.extern_elementwise": _by_name("symbol"),
}
