"""Bounds of polynomials, and proofs that they are not negative, from the ranges of dimensions and symbols."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol, TypeAlias

from fusir.analysis.polynomial import (
    CONSTANT,
    DIM,
    MEMO_LIMIT,
    MOD,
    SYMBOL,
    Atom,
    Polynomial,
    add_scaled,
    divide_monomial,
    has_floordiv,
    multiply,
)

Interval: TypeAlias = tuple[float, float]
"""Inclusive bounds: integers, or minus and plus infinity."""

UNKNOWN: Interval = (-math.inf, math.inf)

Limits: TypeAlias = tuple[Polynomial | None, Polynomial | None]
"""The least and the greatest value of a dimension, over symbols; `None`: unbounded."""


class Range(NamedTuple):
    """The inclusive range of a dimension or symbol (`None`: unbounded)."""

    minimum: int | None = None
    maximum: int | None = None


class Arithmetic(Protocol):
    """What proofs need beside ranges."""

    def view(self, polynomial: Polynomial) -> Polynomial: ...

    def floordiv(self, dividend: Polynomial, divisor: Polynomial) -> Polynomial: ...


class IndexRanges:
    """The ranges of dimensions and symbols, and what follows from them.

    The sequence of limits and the table of symbols are those of the caller, who may fill them later.
    """

    def __init__(self, limits: Sequence[Limits], symbols: Mapping[int, Interval], arithmetic: Arithmetic) -> None:
        self._limits = limits
        self._symbols = symbols
        self._arithmetic = arithmetic
        self._intervals: dict[Atom, Interval] = {}

    def interval(self, polynomial: Polynomial) -> Interval:
        """Inclusive integer bounds of the value."""
        low: float = 0
        high: float = 0
        for monomial, coefficient in self._arithmetic.view(polynomial).items():
            bounds: Interval = (coefficient, coefficient)
            for atom in monomial:
                bounds = _interval_product(bounds, self._atom_interval(atom))
            low += bounds[0]
            high += bounds[1]
        return low, high

    def _atom_interval(self, atom: Atom) -> Interval:
        found = self._intervals.get(atom)
        if found is None:
            found = self._compute_interval(atom)
            if len(self._intervals) >= MEMO_LIMIT:
                self._intervals.clear()
            self._intervals[atom] = found
        return found

    def _compute_interval(self, atom: Atom) -> Interval:
        if atom[0] == SYMBOL:
            return self._symbols.get(atom[1], UNKNOWN)
        if atom[0] == DIM:
            if atom[1] >= len(self._limits):
                return UNKNOWN
            minimum, maximum = self._limits[atom[1]]
            low = -math.inf if minimum is None else self.interval(minimum)[0]
            high = math.inf if maximum is None else self.interval(maximum)[1]
            return low, max(low, high)
        divisor = self.interval(dict(atom[2]))
        largest = max(divisor[1], 1)
        if atom[0] == MOD:
            return 0, largest - 1
        smallest = max(divisor[0], 1)
        low, high = self.interval(dict(atom[1]))
        return (
            _floor_bound(low, largest if low >= 0 else smallest),
            _floor_bound(high, smallest if high >= 0 else largest),
        )

    def has_symbols(self, polynomial: Polynomial) -> bool:
        """Whether symbols occur in the value or in the range of one of its dimensions."""
        for monomial in polynomial:
            for atom in monomial:
                if atom[0] == SYMBOL:
                    return True
                if atom[0] == DIM:
                    if atom[1] < len(self._limits):
                        maximum = self._limits[atom[1]][1]
                        if maximum is not None and any(maximum.keys()):
                            return True
                elif self.has_symbols(dict(atom[1])) or self.has_symbols(dict(atom[2])):
                    return True
        return False

    def prove_nonnegative(self, polynomial: Polynomial) -> bool:
        """Whether the value is known to be at least 0."""
        if self.interval(polynomial)[0] >= 0:
            return True
        if not self.has_symbols(polynomial):
            return False
        bound = self._symbolic_limit(polynomial, lower=True)
        return bound is not None and self._symbol_minimum(bound) >= 0

    def _symbolic_limit(self, polynomial: Polynomial, *, lower: bool) -> Polynomial | None:
        """A lower or upper bound over symbols only: each other atom is replaced by its extreme value."""
        result: Polynomial = {}
        factors: dict[Atom, Polynomial] = {}
        for monomial, coefficient in self._arithmetic.view(polynomial).items():
            others = [atom for atom in monomial if atom[0] != SYMBOL]
            if not others:
                add_scaled(result, {monomial: coefficient})
            elif len(others) == 1:
                rest = divide_monomial(monomial, (others[0],))
                assert rest is not None
                add_scaled(factors.setdefault(others[0], {}), {rest: coefficient})
            else:
                return None
        for atom, factor in factors.items():
            if self._symbol_minimum(factor) >= 0:
                limit = self._atom_limit(atom, lower=lower)
            elif self._symbol_minimum({monomial: -coefficient for monomial, coefficient in factor.items()}) >= 0:
                limit = self._atom_limit(atom, lower=not lower)
            else:
                return None
            if limit is None:
                return None
            add_scaled(result, multiply(factor, limit))
        return result

    def _atom_limit(self, atom: Atom, *, lower: bool) -> Polynomial | None:
        if atom[0] == DIM:
            return self._limits[atom[1]][0 if lower else 1] if atom[1] < len(self._limits) else None
        divisor = dict(atom[2])
        if any(other[0] != SYMBOL for monomial in divisor for other in monomial):
            return None
        if atom[0] == MOD:
            if lower:
                return {}
            add_scaled(divisor, {CONSTANT: -1})
            return divisor
        limit = self._symbolic_limit(dict(atom[1]), lower=lower)
        if limit is None:
            return None
        result = self._arithmetic.floordiv(limit, divisor)
        return result if not has_floordiv(result) else None

    def _symbol_minimum(self, polynomial: Polynomial) -> float:
        """A lower bound over symbols: by intervals, else with each symbol as its minimum plus `t >= 0`."""
        minimum = self.interval(polynomial)[0]
        if minimum >= 0:
            return minimum
        shifted: Polynomial = {}
        for monomial, coefficient in polynomial.items():
            term: Polynomial = {CONSTANT: coefficient}
            for atom in monomial:
                low = self._symbols.get(atom[1], UNKNOWN)[0] if atom[0] == SYMBOL else -math.inf
                if math.isinf(low):
                    return minimum
                factor: Polynomial = {(atom,): 1}
                add_scaled(factor, {CONSTANT: int(low)})
                term = multiply(term, factor)
            add_scaled(shifted, term)
        if all(coefficient > 0 for monomial, coefficient in shifted.items() if monomial):
            return max(minimum, shifted.get(CONSTANT, 0))
        return minimum


def _floor_bound(value: float, divisor: float) -> float:
    if math.isinf(value):
        return value
    if math.isinf(divisor):
        return 0 if value >= 0 else -1
    return value // divisor


def _interval_product(a: Interval, b: Interval) -> Interval:
    products = [0 if x == 0 or y == 0 else x * y for x in a for y in b]
    return min(products), max(products)
