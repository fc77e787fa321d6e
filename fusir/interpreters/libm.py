"""C math functions and libdevice symbols on torch tensors, by name.

`libm_function("__nv_tanhf")` and `libm_function("tanh")` are the same function. Results have the dtype of the first
operand except for predicates (int32, as libdevice returns them; `torch.bool` is never a result here) and conversions.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TypeAlias

import torch
from torch import Tensor

Function: TypeAlias = Callable[..., Tensor]


def in_double(function: Function) -> Function:
    """`function` evaluated in f64 and rounded once to the dtype of the operand."""

    def wrapped(*operands: Tensor) -> Tensor:
        return function(*(a.to(torch.float64) for a in operands)).to(operands[0].dtype)

    return wrapped


def power(a: Tensor, b: Tensor) -> Tensor:
    """C `pow`."""
    return torch.pow(a, b)


def round_half_away(a: Tensor) -> Tensor:
    """C `round`: halves go away from zero."""
    whole = torch.trunc(a)
    return torch.where((a - whole).abs() >= 0.5, whole + torch.sign(a), whole).copysign(a)


def _predicate(function: Function) -> Function:
    return lambda *operands: function(*operands).to(torch.int32)


def _cbrt(a: Tensor) -> Tensor:
    root = a.abs().pow(1.0 / 3.0).copysign(a)
    # One Newton step: 1/3 is not a double, so that pow alone is off in the last places.
    corrected = root - (root * root * root - a) / (3 * root * root)
    return torch.where(torch.isfinite(corrected), corrected, root)


def _erfc(a: Tensor) -> Tensor:
    return torch.special.erfc(a)


def _erfcx(a: Tensor) -> Tensor:
    return torch.special.erfcx(a)


def _fdim(a: Tensor, b: Tensor) -> Tensor:
    return torch.where(a <= b, torch.zeros_like(a), a - b)


def _remainder(a: Tensor, b: Tensor) -> Tensor:
    """IEEE remainder: the quotient is rounded to the nearest integer, halves to even."""
    rest = torch.fmod(a, 2 * b)
    magnitude, divisor = rest.abs(), b.abs()
    above_half = magnitude > divisor / 2
    magnitude = torch.where(above_half, magnitude - divisor, magnitude)
    magnitude = torch.where(above_half & (magnitude >= divisor / 2), magnitude - divisor, magnitude)
    return torch.where(torch.signbit(a), -magnitude, magnitude)


def _tgamma(a: Tensor) -> Tensor:
    gamma = torch.lgamma(a).exp()
    negative = (a < 0) & (torch.remainder(torch.floor(a), 2) == 1)
    pole = (a < 0) & (a == torch.floor(a))
    result = torch.where(negative, -gamma, gamma)
    result = torch.where(pole, torch.full_like(a, float("nan")), result)
    return torch.where(a == 0, torch.full_like(a, float("inf")).copysign(a), result)


def _logb(a: Tensor) -> Tensor:
    exponent = torch.frexp(a).exponent.to(a.dtype) - 1
    exponent = torch.where(a == 0, torch.full_like(a, float("-inf")), exponent)
    return torch.where(torch.isfinite(a), exponent, a.abs())


def _saturate(a: Tensor) -> Tensor:
    return torch.nan_to_num(a, nan=0.0).clamp(0.0, 1.0)


def _integer_power(a: Tensor, b: Tensor) -> Tensor:
    return torch.pow(a, b.to(a.dtype))


def _norm(*operands: Tensor) -> Tensor:
    return sum(a * a for a in operands[1:]).add(operands[0] * operands[0]).sqrt()  # pyright: ignore[reportAttributeAccessIssue]


def _to_integer(rounding: Function, dtype: torch.dtype) -> Function:
    return lambda a: rounding(a).to(dtype)


_FUNCTIONS: dict[str, Function] = {
    "abs": torch.abs,
    "llabs": torch.abs,
    "fabs": torch.abs,
    "acos": torch.acos,
    "acosh": torch.acosh,
    "asin": torch.asin,
    "asinh": torch.asinh,
    "atan": torch.atan,
    "atan2": torch.atan2,
    "atanh": torch.atanh,
    "cbrt": in_double(_cbrt),
    "ceil": torch.ceil,
    "copysign": torch.copysign,
    "cos": torch.cos,
    "cosh": torch.cosh,
    "cospi": in_double(lambda a: torch.cos(torch.pi * torch.remainder(a, 2))),
    "cyl_bessel_i0": torch.special.i0,
    "cyl_bessel_i1": torch.special.i1,
    "erf": torch.erf,
    "erfc": _erfc,
    "erfcinv": in_double(lambda a: torch.erfinv(1 - a)),
    "erfcx": _erfcx,
    "erfinv": torch.erfinv,
    "exp": torch.exp,
    "exp10": in_double(lambda a: torch.pow(10.0, a)),
    "exp2": torch.exp2,
    "expm1": torch.expm1,
    "fdim": _fdim,
    "finite": _predicate(torch.isfinite),
    "isfinite": _predicate(torch.isfinite),
    "floor": torch.floor,
    "fma": in_double(lambda a, b, c: a * b + c),
    "fmax": torch.fmax,
    "fmin": torch.fmin,
    "fmod": torch.fmod,
    "hypot": torch.hypot,
    "ilogb": lambda a: _logb(a).to(torch.int32),
    "isinf": _predicate(torch.isinf),
    "isnan": _predicate(torch.isnan),
    "j0": torch.special.bessel_j0,
    "j1": torch.special.bessel_j1,
    "ldexp": in_double(torch.ldexp),
    "lgamma": torch.lgamma,
    "llrint": _to_integer(torch.round, torch.int64),
    "llround": _to_integer(round_half_away, torch.int64),
    "log": torch.log,
    "log10": torch.log10,
    "log1p": torch.log1p,
    "log2": torch.log2,
    "logb": _logb,
    "nearbyint": torch.round,
    "nextafter": torch.nextafter,
    "norm3d": in_double(_norm),
    "norm4d": in_double(_norm),
    "normcdf": torch.special.ndtr,
    "normcdfinv": torch.special.ndtri,
    "pow": power,
    "powi": _integer_power,
    "rcbrt": in_double(lambda a: 1 / _cbrt(a)),
    "remainder": _remainder,
    "rhypot": in_double(lambda a, b: torch.hypot(a, b).reciprocal()),
    "rint": torch.round,
    "roundeven": torch.round,
    "round": round_half_away,
    "rsqrt": torch.rsqrt,
    "saturate": _saturate,
    "scalbn": in_double(torch.ldexp),
    "signbit": _predicate(torch.signbit),
    "sin": torch.sin,
    "sinh": torch.sinh,
    "sinpi": in_double(lambda a: torch.sin(torch.pi * torch.remainder(a, 2))),
    "sqrt": torch.sqrt,
    "tan": torch.tan,
    "tanh": torch.tanh,
    "tgamma": in_double(_tgamma),
    "trunc": torch.trunc,
    "y0": torch.special.bessel_y0,
    "y1": torch.special.bessel_y1,
    "fast_cos": torch.cos,
    "fast_exp": torch.exp,
    "fast_exp10": in_double(lambda a: torch.pow(10.0, a)),
    "fast_fdivide": torch.div,
    "fast_log": torch.log,
    "fast_log10": torch.log10,
    "fast_log2": torch.log2,
    "fast_pow": torch.pow,
    "fast_sin": torch.sin,
    "fast_tan": torch.tan,
    "fdiv_rn": torch.div,
    "ddiv_rn": torch.div,
    "fadd_rn": torch.add,
    "dadd_rn": torch.add,
    "fsub_rn": torch.sub,
    "dsub_rn": torch.sub,
    "fmul_rn": torch.mul,
    "dmul_rn": torch.mul,
    "frcp_rn": torch.reciprocal,
    "drcp_rn": torch.reciprocal,
    "fsqrt_rn": torch.sqrt,
    "dsqrt_rn": torch.sqrt,
    "frsqrt_rn": torch.rsqrt,
    "fma_rn": in_double(lambda a, b, c: a * b + c),
    "float_as_int": lambda a: a.view(torch.int32),
    "float_as_uint": lambda a: a.view(torch.int32),
    "int_as_float": lambda a: a.view(torch.float32),
    "uint_as_float": lambda a: a.view(torch.float32),
    "double_as_longlong": lambda a: a.view(torch.int64),
    "longlong_as_double": lambda a: a.view(torch.float64),
}

_SPELLINGS = (("__nv_", ""), ("__ocml_", "_f32"), ("__ocml_", "_f64"))


@cache
def libm_function(symbol: str) -> Function:
    """The function called `symbol`: a C name, or a libdevice (`__nv_..f`) or ocml (`__ocml_.._f32`) symbol.

    Raises ValueError for a name that is not known.
    """
    for name in _candidates(symbol):
        function = _FUNCTIONS.get(name)
        if function is not None:
            return function
    raise ValueError(f"the interpreters do not know the math function '{symbol}'")


def _candidates(symbol: str) -> list[str]:
    names = [symbol]
    for prefix, suffix in _SPELLINGS:
        if symbol.startswith(prefix) and symbol.endswith(suffix):
            names.append(symbol[len(prefix) : len(symbol) - len(suffix)])
    # libdevice ends f32 variants with `f`; `isnand`, `isfinited`, `signbitd` are the f64 variants of predicates.
    names += [name[:-1] for name in names if name.endswith(("f", "d"))]
    names += [name.replace("f_rn", "_rn") for name in names if name.endswith("f_rn")]
    return names
