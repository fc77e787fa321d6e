"""Index arithmetic: canonical forms, bounds and proofs for `AffineExpr` over loop dimensions and symbols.

Dimensions `d0, d1, ...` are loop indices, symbols `s0, s1, ...` are run-time extents, strides and offsets. Products of
symbols and dimensions and division by symbols are allowed (xDSL's own operators refuse them: build with `mul`,
`floordiv`, `mod`). Division rounds down, divisors are positive, as in Python with a positive right operand.

Wherever ranges are taken, `dims[i]` is the extent of `d<i>` (`0 <= d<i> < extent`), a `Range`, or `None`; `symbols[i]`
is the `Range` of `s<i>` or `None`. Entries that are missing at the end count as `None`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineSymExpr,
)

from fusir.analysis.index_ranges import Range
from fusir.analysis.index_space import IndexSpace
from fusir.analysis.polynomial import (
    DIM,
    SYMBOL,
    Atom,
    Monomial,
    Polynomial,
    add_scaled,
    exact_quotient,
    multiply,
)

__all__ = [
    "Dim",
    "DimRange",
    "Range",
    "as_dim",
    "as_expr",
    "bounds",
    "delinearize",
    "dim_equal",
    "dims_used",
    "divide_exact",
    "extent_lt",
    "floordiv",
    "linear_coefficients",
    "linearize",
    "mod",
    "mul",
    "product",
    "prove_lt",
    "prove_nonneg",
    "row_major_strides",
    "simplify",
    "substitute",
    "symbols_used",
]

Dim: TypeAlias = int | AffineExpr
DimRange: TypeAlias = int | AffineExpr | Range | None

SPACE_LIMIT = 512
"""Sets of ranges whose memo tables are kept."""

_spaces: dict[tuple[tuple[DimRange, ...], tuple[Range | None, ...]], IndexSpace] = {}
_no_ranges = IndexSpace((), ())


def _space(dims: Sequence[DimRange], symbols: Sequence[Range | None]) -> IndexSpace:
    # An empty range would prove anything, also that an index is 0: it must say nothing.
    key = (tuple(None if isinstance(dim, int) and dim == 0 else dim for dim in dims), tuple(symbols))
    space = _spaces.get(key)
    if space is None:
        space = IndexSpace(*key)
        if len(_spaces) >= SPACE_LIMIT:
            _spaces.pop(next(iter(_spaces)), None)
        _spaces[key] = space
    return space


# Construction


def as_expr(dim: Dim) -> AffineExpr:
    """An integer as a constant expression; an expression as it is."""
    return AffineConstantExpr(dim) if isinstance(dim, int) else dim


def as_dim(expr: Dim) -> Dim:
    """A constant as an `int`, any other expression in canonical form."""
    if isinstance(expr, int):
        return expr
    simple = simplify(expr)
    return simple.value if isinstance(simple, AffineConstantExpr) else simple


def mul(lhs: Dim, rhs: Dim) -> AffineExpr:
    """`lhs * rhs`, also of two expressions that are not constant."""
    lhs, rhs = as_expr(lhs), as_expr(rhs)
    if isinstance(lhs, AffineConstantExpr) or isinstance(rhs, AffineConstantExpr):
        return lhs * rhs
    return AffineBinaryOpExpr(AffineBinaryOpKind.Mul, lhs, rhs)


def floordiv(lhs: Dim, rhs: Dim) -> AffineExpr:
    """`lhs floordiv rhs`, also by an expression; not simplified except for constants."""
    lhs, rhs = as_expr(lhs), as_expr(rhs)
    if isinstance(rhs, AffineConstantExpr):
        return lhs if rhs.value == 1 else lhs // rhs
    return AffineBinaryOpExpr(AffineBinaryOpKind.FloorDiv, lhs, rhs)


def mod(lhs: Dim, rhs: Dim) -> AffineExpr:
    """`lhs mod rhs`, also by an expression; not simplified except for constants."""
    lhs, rhs = as_expr(lhs), as_expr(rhs)
    if isinstance(rhs, AffineConstantExpr):
        return AffineConstantExpr(0) if rhs.value == 1 else lhs % rhs
    return AffineBinaryOpExpr(AffineBinaryOpKind.Mod, lhs, rhs)


def substitute(
    expr: AffineExpr,
    dim_replacements: Sequence[Dim] | Mapping[int, Dim],
    symbol_replacements: Sequence[Dim] | Mapping[int, Dim] | None = None,
) -> AffineExpr:
    """`expr` with `d<i>` replaced by `dim_replacements[i]`, symbols likewise, all at once.

    Dimensions and symbols without a replacement stay. The result is not simplified.
    """
    if isinstance(expr, AffineConstantExpr):
        return expr
    if isinstance(expr, AffineDimExpr):
        return _replacement(expr, expr.position, dim_replacements)
    if isinstance(expr, AffineSymExpr):
        return _replacement(expr, expr.position, symbol_replacements or ())
    assert isinstance(expr, AffineBinaryOpExpr)
    lhs = substitute(expr.lhs, dim_replacements, symbol_replacements)
    rhs = substitute(expr.rhs, dim_replacements, symbol_replacements)
    match expr.kind:
        case AffineBinaryOpKind.Add:
            return lhs + rhs
        case AffineBinaryOpKind.Mul:
            return mul(lhs, rhs)
        case AffineBinaryOpKind.FloorDiv:
            return floordiv(lhs, rhs)
        case AffineBinaryOpKind.Mod:
            return mod(lhs, rhs)
        case AffineBinaryOpKind.CeilDiv:
            return AffineBinaryOpExpr(AffineBinaryOpKind.CeilDiv, lhs, rhs)


def _replacement(expr: AffineExpr, position: int, replacements: Sequence[Dim] | Mapping[int, Dim]) -> AffineExpr:
    if isinstance(replacements, Mapping):
        return as_expr(replacements[position]) if position in replacements else expr
    return as_expr(replacements[position]) if position < len(replacements) else expr


def linearize(indices: Sequence[Dim], strides: Sequence[Dim]) -> AffineExpr:
    """The canonical `sum(index * stride)`."""
    result: AffineExpr = AffineConstantExpr(0)
    for index, stride in zip(indices, strides, strict=True):
        result = result + mul(index, stride)
    return simplify(result)


def delinearize(
    index: AffineExpr,
    extents: Sequence[Dim],
    dims: Sequence[DimRange] = (),
    symbols: Sequence[Range | None] = (),
) -> list[AffineExpr]:
    """The row-major indices of a flat `index` in `0 <= index < product(extents)`, one for each extent.

    The first index has no `mod`: the range of `index` makes it superfluous.
    """
    space = _space(dims, symbols)
    result: list[AffineExpr] = []
    strides = row_major_strides(extents)
    for position, (extent, stride) in enumerate(zip(extents, strides, strict=True)):
        part = floordiv(index, stride)
        result.append(space.simplify(mod(part, extent) if position else part))
    return result


def row_major_strides(extents: Sequence[Dim]) -> list[Dim]:
    """The strides, in elements, of a contiguous row-major tensor."""
    strides: list[Dim] = []
    stride: Dim = 1
    for extent in reversed(extents):
        strides.append(stride)
        stride = product((extent, stride))
    return strides[::-1]


# Canonical form and ranges


def simplify(expr: AffineExpr, dims: Sequence[DimRange] = (), symbols: Sequence[Range | None] = ()) -> AffineExpr:
    """The canonical form of `expr` under the ranges.

    A sum of `atom * ... * atom * coefficient` in a fixed order, the constant last, with atoms dimensions, symbols,
    `x floordiv a` and `x mod a`. Expressions that are equal by the laws of division and by the ranges get one form:

    - `(a*q + r) floordiv a` is `q + r floordiv a`, `(a*q + r) mod a` is `r mod a`; `r` vanishes where `0 <= r < a`
    - `(x floordiv a) floordiv b` is `x floordiv (a*b)`; common factors leave `floordiv` and `mod`
    - `a * (x floordiv a) + x mod a` is `x`, in any sum, scaled, and over several levels

    Raises `ValueError` for division by a constant that is not positive.
    """
    if isinstance(expr, AffineConstantExpr):
        return expr
    return _space(dims, symbols).simplify(expr)


def bounds(
    expr: AffineExpr, dims: Sequence[DimRange] = (), symbols: Sequence[Range | None] = ()
) -> tuple[int | None, int | None]:
    """Inclusive integer bounds of the value, `None` where there is none known. Not always the tightest."""
    space = _space(dims, symbols)
    low, high = space.interval(space.polynomial(expr))
    return None if math.isinf(low) else int(low), None if math.isinf(high) else int(high)


def prove_nonneg(expr: AffineExpr, dims: Sequence[DimRange] = (), symbols: Sequence[Range | None] = ()) -> bool:
    """Whether `expr >= 0` follows from the ranges. False means "not known"."""
    space = _space(dims, symbols)
    return space.prove_nonnegative(space.polynomial(expr))


def prove_lt(expr: AffineExpr, bound: Dim, dims: Sequence[DimRange] = (), symbols: Sequence[Range | None] = ()) -> bool:
    """Whether `expr < bound` follows from the ranges. False means "not known"."""
    space = _space(dims, symbols)
    gap = space.polynomial(as_expr(bound))
    add_scaled(gap, space.polynomial(expr), -1)
    add_scaled(gap, {(): -1})
    return space.prove_nonnegative(gap)


def extent_lt(lhs: Dim, rhs: Dim, symbols: Sequence[Range | None] = ()) -> bool:
    """Whether the extent `lhs` is known to be less than the extent `rhs`."""
    if isinstance(lhs, int) and isinstance(rhs, int):
        return lhs < rhs
    return prove_lt(as_expr(lhs), rhs, (), symbols)


# Extents


def product(dims: Iterable[Dim]) -> Dim:
    """The product of extents; 1 for none."""
    constant = 1
    symbolic: Polynomial | None = None
    for dim in dims:
        if isinstance(dim, int):
            constant *= dim
        else:
            factor = _no_ranges.polynomial(dim)
            symbolic = factor if symbolic is None else multiply(symbolic, factor)
    if symbolic is None:
        return constant
    return _polynomial_dim(multiply(symbolic, {(): constant}) if constant else {})


def divide_exact(a: Dim, b: Dim) -> Dim | None:
    """The `q` with `a == q * b` for all values of the symbols, `None` if there is none known (or `b` is 0)."""
    if isinstance(a, int) and isinstance(b, int):
        return a // b if b and a % b == 0 else None
    divisor = _no_ranges.polynomial(as_expr(b))
    if not divisor:
        return None
    quotient = exact_quotient(_no_ranges.polynomial(as_expr(a)), divisor)
    return None if quotient is None else _polynomial_dim(quotient)


def dim_equal(a: Dim, b: Dim) -> bool:
    """Whether two extents are equal for all values of the symbols, as far as canonical forms show it."""
    if a is b:
        return True
    if isinstance(a, int) and isinstance(b, int):
        return a == b
    return _no_ranges.polynomial(as_expr(a)) == _no_ranges.polynomial(as_expr(b))


def _polynomial_dim(polynomial: Polynomial) -> Dim:
    expr = _no_ranges.expression(polynomial)
    return expr.value if isinstance(expr, AffineConstantExpr) else expr


# Structure


def dims_used(expr: AffineExpr) -> set[int]:
    """The positions of the dimensions that occur in `expr`."""
    found: set[int] = set()
    stack = [expr]
    while stack:
        node = stack.pop()
        if isinstance(node, AffineDimExpr):
            found.add(node.position)
        elif isinstance(node, AffineBinaryOpExpr):
            stack += (node.lhs, node.rhs)
    return found


def symbols_used(expr: AffineExpr) -> set[int]:
    """The positions of the symbols that occur in `expr`."""
    found: set[int] = set()
    stack = [expr]
    while stack:
        node = stack.pop()
        if isinstance(node, AffineSymExpr):
            found.add(node.position)
        elif isinstance(node, AffineBinaryOpExpr):
            stack += (node.lhs, node.rhs)
    return found


def linear_coefficients(expr: AffineExpr, num_dims: int) -> tuple[dict[int, Dim], AffineExpr] | None:
    """`({i: c_i}, rest)` with `expr == sum(c_i * d<i>) + rest`, coefficients and rest over symbols only.

    `None` if `expr` is not of this form, or uses a dimension from `num_dims` on. Coefficients of 0 are left out; the
    keys ascend.
    """
    coefficients: dict[int, Polynomial] = {}
    rest: Polynomial = {}
    for monomial, coefficient in _no_ranges.polynomial(expr).items():
        dims = [atom for atom in monomial if atom[0] == DIM]
        others: Monomial = tuple(atom for atom in monomial if atom[0] != DIM)
        if len(dims) > 1 or any(_mentions_dim(atom) for atom in others):
            return None
        if not dims:
            rest[monomial] = coefficient
        elif dims[0][1] >= num_dims:
            return None
        else:
            coefficients.setdefault(dims[0][1], {})[others] = coefficient
    linear = {position: _polynomial_dim(coefficients[position]) for position in sorted(coefficients)}
    return linear, _no_ranges.expression(rest)


def _mentions_dim(atom: Atom) -> bool:
    if atom[0] in (DIM, SYMBOL):
        return atom[0] == DIM
    return any(_mentions_dim(inner) for part in atom[1:] for monomial, _ in part for inner in monomial)
