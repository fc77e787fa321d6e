"""Polynomials over loop dimensions, symbols and floor divisions: the arithmetic under `fusir.analysis.expr`.

A polynomial maps monomials to integer coefficients. A monomial is a sorted tuple of atoms, an atom is a dimension, a
symbol, or a floor division of two polynomials. There is no atom for `mod`: `x mod a` is kept as
`x - a * (x floordiv a)`, so that the pieces of a delinearised index recombine by mere cancellation. A *view* is a
polynomial with atoms `x mod a` again, see `fusir.analysis.mod_views`.

Atoms, monomials and frozen polynomials are nested tuples of integers: they hash, compare and sort by structure.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, TypeAlias

Atom: TypeAlias = tuple[Any, ...]
"""`(DIM, i)`, `(SYMBOL, i)`, `(FLOORDIV, numerator, divisor)`, and in views only `(MOD, numerator, divisor)`."""
Monomial: TypeAlias = tuple[Atom, ...]
Polynomial: TypeAlias = dict[Monomial, int]
Frozen: TypeAlias = tuple[tuple[Monomial, int], ...]
DIM, SYMBOL, FLOORDIV, MOD = 0, 1, 2, 3
CONSTANT: Monomial = ()


MEMO_LIMIT = 1 << 14
"""Entries of a memo table before it is emptied: bounds the memory of a long-lived process."""


def constant(value: int) -> Polynomial:
    return {CONSTANT: value} if value else {}


def freeze(polynomial: Mapping[Monomial, int]) -> Frozen:
    return tuple(sorted(polynomial.items())) if len(polynomial) > 1 else tuple(polynomial.items())


def add_scaled(target: Polynomial, source: Mapping[Monomial, int], scale: int = 1) -> None:
    """`target += scale * source`, in place."""
    for monomial, coefficient in source.items():
        total = target.get(monomial, 0) + scale * coefficient
        if total:
            target[monomial] = total
        else:
            target.pop(monomial, None)


def multiply(lhs: Mapping[Monomial, int], rhs: Mapping[Monomial, int]) -> Polynomial:
    result: Polynomial = {}
    for left, left_coefficient in lhs.items():
        for right, right_coefficient in rhs.items():
            monomial = times(left, right)
            total = result.get(monomial, 0) + left_coefficient * right_coefficient
            if total:
                result[monomial] = total
            else:
                result.pop(monomial, None)
    return result


def times(left: Monomial, right: Monomial) -> Monomial:
    if not left:
        return right
    if not right:
        return left
    return tuple(sorted(left + right))


def divide_monomial(dividend: Monomial, divisor: Monomial) -> Monomial | None:
    """The monomial `q` with `q * divisor == dividend`, if there is one."""
    if not divisor:
        return dividend
    rest = list(dividend)
    for atom in divisor:
        if atom not in rest:
            return None
        rest.remove(atom)
    return tuple(rest)


def as_integer(polynomial: Mapping[Monomial, int]) -> int | None:
    """The value of a constant polynomial, else `None`."""
    if not polynomial:
        return 0
    if len(polynomial) == 1 and CONSTANT in polynomial:
        return polynomial[CONSTANT]
    return None


def by_degree(monomial: Monomial) -> tuple[int, Monomial]:
    return -len(monomial), monomial


def leading_term(polynomial: Mapping[Monomial, int]) -> tuple[Monomial, int]:
    """The term of highest degree, the first in order among equals."""
    monomial = min(polynomial, key=by_degree)
    return monomial, polynomial[monomial]


def truncated(dividend: int, divisor: int) -> int:
    """The quotient rounded toward zero."""
    quotient = abs(dividend) // abs(divisor)
    return quotient if (dividend >= 0) == (divisor > 0) else -quotient


def divide_polynomial(
    dividend: Mapping[Monomial, int], divisor: Mapping[Monomial, int]
) -> tuple[Polynomial, Polynomial]:
    """`(q, r)` with `dividend == q * divisor + r`, where terms of the dividend are whole multiples of the divisor.

    Coefficients are divided toward zero, so each keeps its sign in the remainder; a constant remainder is brought to
    `[0, divisor)` if the divisor is an integer. A multiple of a divisor of several terms is taken out only where it is
    there term by term: the remainder has no terms that the dividend has not.
    """
    quotient: Polynomial = {}
    remainder = dict(dividend)
    lead, lead_coefficient = leading_term(divisor)
    for monomial in sorted(dividend, key=by_degree):
        rest = divide_monomial(monomial, lead)
        coefficient = remainder.get(monomial, 0)
        if rest is None or not coefficient:
            continue
        if len(divisor) > 1:
            part = min(
                (truncated(remainder.get(times(rest, other), 0), factor) for other, factor in divisor.items()),
                key=abs,
            )
            if (part > 0) != (truncated(coefficient, lead_coefficient) > 0):
                continue
        elif monomial or lead:
            part = truncated(coefficient, lead_coefficient)
        else:
            part = coefficient // lead_coefficient
        if part:
            add_scaled(quotient, {rest: part})
            add_scaled(remainder, multiply({rest: part}, divisor), -1)
    return quotient, remainder


def exact_quotient(dividend: Mapping[Monomial, int], divisor: Mapping[Monomial, int]) -> Polynomial | None:
    """The polynomial `q` with `dividend == q * divisor`, if there is one (long division)."""
    quotient: Polynomial = {}
    remainder = dict(dividend)
    lead, lead_coefficient = leading_term(divisor)
    while remainder:
        monomial, coefficient = leading_term(remainder)
        rest = divide_monomial(monomial, lead)
        if rest is None or coefficient % lead_coefficient:
            return None
        part = {rest: coefficient // lead_coefficient}
        add_scaled(quotient, part)
        add_scaled(remainder, multiply(part, divisor), -1)
    return quotient


@lru_cache(maxsize=4096)
def divisors(value: int) -> tuple[int, ...]:
    """The divisors of a positive integer, ascending."""
    small = [k for k in range(1, math.isqrt(value) + 1) if value % k == 0]
    return tuple(small + [value // k for k in reversed(small) if k * k != value])


def has_floordiv(polynomial: Iterable[Monomial]) -> bool:
    for monomial in polynomial:
        for atom in monomial:
            if atom[0] == FLOORDIV:
                return True
    return False
