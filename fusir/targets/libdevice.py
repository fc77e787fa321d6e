"""Names of device library functions: NVIDIA's symbols, AMD's symbols, and `triton.language.extra.libdevice`.

The IR has NVIDIA's symbols (`__nv_tanhf`). A function of `libdevice` is called the same for all float types, and finds
the symbol by the target and the type.
"""

from __future__ import annotations

_REGULAR = frozenset(
    [
        "acos",
        "acosh",
        "asin",
        "asinh",
        "atan",
        "atan2",
        "atanh",
        "cbrt",
        "ceil",
        "copysign",
        "cos",
        "cosh",
        "cospi",
        "cyl_bessel_i0",
        "cyl_bessel_i1",
        "erf",
        "erfc",
        "erfcinv",
        "erfcx",
        "erfinv",
        "exp",
        "exp10",
        "exp2",
        "expm1",
        "fdim",
        "floor",
        "fma",
        "fmod",
        "hypot",
        "j0",
        "j1",
        "lgamma",
        "log",
        "log10",
        "log1p",
        "log2",
        "logb",
        "nearbyint",
        "nextafter",
        "normcdf",
        "normcdfinv",
        "pow",
        "rcbrt",
        "remainder",
        "rhypot",
        "rint",
        "round",
        "rsqrt",
        "sin",
        "sinh",
        "sinpi",
        "sqrt",
        "tan",
        "tanh",
        "tgamma",
        "trunc",
        "y0",
        "y1",
    ]
)
"""Functions of floats whose symbols are `__nv_<name>f` for f32 and `__nv_<name>` for f64."""

_NV_IRREGULAR = {
    "__nv_fabsf": ("abs", 32),
    "__nv_fabs": ("abs", 64),
    "__nv_powif": ("pow", 32),
    "__nv_powi": ("pow", 64),
    "__nv_isnanf": ("isnan", 32),
    "__nv_isnand": ("isnan", 64),
    "__nv_isinff": ("isinf", 32),
    "__nv_isinfd": ("isinf", 64),
    "__nv_signbitf": ("signbit", 32),
    "__nv_signbitd": ("signbit", 64),
    "__nv_ldexpf": ("ldexp", 32),
    "__nv_ldexp": ("ldexp", 64),
    "__nv_ilogbf": ("ilogb", 32),
    "__nv_ilogb": ("ilogb", 64),
}
"""Symbols that do not follow the rule, with the function and the width of its float operand in bits."""

_OCML_NAMES = {
    "__nv_fabsf": "fabs",
    "__nv_fabs": "fabs",
    "__nv_powif": "pown",
    "__nv_powi": "pown",
    "cyl_bessel_i0": "i0",
    "cyl_bessel_i1": "i1",
    "normcdf": "ncdf",
    "normcdfinv": "ncdfinv",
}
"""Where AMD's name is another: by symbol or by function."""

_NV_PREFIX = "__nv_"

_PORTABLE = {"rint": "nearbyint"}
"""Functions that AMD's `libdevice` lacks in Python, and the same function by a name that it has."""


def parse_symbol(symbol: str) -> tuple[str, int] | None:
    """The function of `libdevice` and the width in bits of its float operand; None if the symbol is not known."""
    if symbol in _NV_IRREGULAR:
        return _NV_IRREGULAR[symbol]
    name = symbol.removeprefix(_NV_PREFIX)
    if name == symbol:
        return None
    if name in _REGULAR:
        return name, 64
    if name.endswith("f") and name[:-1] in _REGULAR:
        return name[:-1], 32
    return None


def portable_function(symbol: str) -> str | None:
    """The function of `libdevice` to call on every target; None if the symbol is not known."""
    parsed = parse_symbol(symbol)
    return None if parsed is None else _PORTABLE.get(parsed[0], parsed[0])


def amd_symbol(symbol: str) -> str | None:
    """AMD's symbol for one of NVIDIA's: `__ocml_tanh_f32` for `__nv_tanhf`; None if it is not known."""
    parsed = parse_symbol(symbol)
    if parsed is None:
        return None
    name, bits = parsed
    return f"__ocml_{_OCML_NAMES.get(symbol, _OCML_NAMES.get(name, name))}_f{bits}"
