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

from fusir.interpreters import integers
from fusir.interpreters.float8 import narrowed
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

_MIN_INT64 = -(1 << 63)


@cache
def torch_dtype(element_type: Attribute) -> torch.dtype:
    """The torch dtype that holds values of a scalar type; raises ValueError if there is none."""
    dtype = _DTYPES.get(str(element_type))
    if dtype is None:
        raise ValueError(f"the interpreters have no values of type {element_type}")
    return dtype


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


def integer_to_float(a: Tensor, dtype: torch.dtype, unsigned: bool) -> Tensor:
    """The nearest float to the signed or unsigned integer."""
    if a.dtype == torch.bool:
        return a.to(dtype) if unsigned else a.to(dtype).neg()
    if not unsigned:
        return a.to(dtype)
    if a.dtype != torch.int64:
        return integers.to_unsigned(a).to(dtype)
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
    return lambda a: narrowed(a, dtype)


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
    "arith.addi": integers.unless_boolean(torch.logical_xor, torch.add),
    "arith.subi": integers.unless_boolean(torch.logical_xor, torch.sub),
    "arith.muli": integers.unless_boolean(torch.logical_and, torch.mul),
    "arith.divsi": integers.divide_truncating,
    "arith.divui": integers.divide_unsigned,
    "arith.floordivsi": integers.divide_floor,
    "arith.ceildivsi": integers.divide_ceil,
    "arith.ceildivui": integers.divide_ceil_unsigned,
    "arith.remsi": integers.remainder,
    "arith.remui": integers.remainder_unsigned,
    "arith.andi": torch.bitwise_and,
    "arith.ori": torch.bitwise_or,
    "arith.xori": torch.bitwise_xor,
    "arith.shli": integers.shift_left,
    "arith.shrsi": integers.shift_right,
    "arith.shrui": integers.shift_right_unsigned,
    "arith.maxsi": integers.unless_boolean(torch.logical_and, torch.maximum),
    "arith.minsi": integers.unless_boolean(torch.logical_or, torch.minimum),
    "arith.maxui": integers.unless_boolean(torch.logical_or, integers.unsigned_extremum(torch.ge)),
    "arith.minui": integers.unless_boolean(torch.logical_and, integers.unsigned_extremum(torch.le)),
    "tt.mulhiui": integers.multiply_high_unsigned,
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
    "math.ipowi": integers.integer_power,
    "math.fpowi": lambda a, b: torch.pow(a, b.to(a.dtype)),
    "math.ctpop": integers.population_count,
    "math.ctlz": integers.leading_zeros,
    "math.cttz": integers.trailing_zeros,
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
    "arith.cmpi": _by_predicate(integers.INTEGER_COMPARISONS),
    "arith.cmpf": _by_predicate(FLOAT_COMPARISONS),
    "arith.extsi": _conversion(integers.convert_integer, unsigned=False),
    "arith.extui": _conversion(integers.convert_integer, unsigned=True),
    "arith.trunci": _conversion(integers.convert_integer, unsigned=False),
    "arith.index_cast": _conversion(integers.convert_integer, unsigned=False),
    "arith.index_castui": _conversion(integers.convert_integer, unsigned=True),
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
