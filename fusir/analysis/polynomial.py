"""Polynomials over loop dimensions, symbols and floor divisions: the arithmetic under `fusir.analysis.expr`.

A polynomial maps monomials to integer coefficients. A monomial is a sorted tuple of atoms, an atom is a dimension, a
symbol, or a floor division of two polynomials. There is no atom for `mod`: `x mod a` is kept as `x - a * (x floordiv a)`,
so that pieces of a delinearised index recombine by mere cancellation. `IndexSpace.view` finds the `mod`s again where
ranges are needed and for the final expression; it depends on nothing but the polynomial, so equal polynomials give equal
expressions.

Atoms, monomials and frozen polynomials are nested tuples of integers: they hash, compare and sort by structure.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias

from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineSymExpr,
)

Atom: TypeAlias = tuple[Any, ...]
"""`(DIM, i)`, `(SYMBOL, i)`, `(FLOORDIV, numerator, divisor)`, and in views only `(MOD, numerator, divisor)`."""
Monomial: TypeAlias = tuple[Atom, ...]
Polynomial: TypeAlias = dict[Monomial, int]
Frozen: TypeAlias = tuple[tuple[Monomial, int], ...]
Interval: TypeAlias = tuple[float, float]
"""Inclusive bounds: integers, or minus and plus infinity."""

DIM, SYMBOL, FLOORDIV, MOD = 0, 1, 2, 3
CONSTANT: Monomial = ()

MEMO_LIMIT = 1 << 14
"""Entries of a memo table before it is emptied: bounds the memory of a long-lived process."""

MAX_ROUNDS = 4
"""Rounds of simplification of one expression; a second round that changes anything is rare."""


class Range(NamedTuple):
    """The inclusive range of a dimension or symbol (`None`: unbounded)."""

    minimum: int | None = None
    maximum: int | None = None


def freeze(polynomial: Mapping[Monomial, int]) -> Frozen:
    return tuple(sorted(polynomial.items()))


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


def _by_degree(monomial: Monomial) -> tuple[int, Monomial]:
    return -len(monomial), monomial


def _atom_order(atom: Atom) -> tuple[int, Frozen, Frozen]:
    return len(atom[2]), atom[2], atom[1]


def leading_term(polynomial: Mapping[Monomial, int]) -> tuple[Monomial, int]:
    """The term of highest degree, the first in order among equals."""
    monomial = min(polynomial, key=_by_degree)
    return monomial, polynomial[monomial]


def _truncated(dividend: int, divisor: int) -> int:
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
    for monomial in sorted(dividend, key=_by_degree):
        rest = divide_monomial(monomial, lead)
        coefficient = remainder.get(monomial, 0)
        if rest is None or not coefficient:
            continue
        if len(divisor) > 1:
            part = min(
                (_truncated(remainder.get(times(rest, other), 0), factor) for other, factor in divisor.items()),
                key=abs,
            )
            if (part > 0) != (_truncated(coefficient, lead_coefficient) > 0):
                continue
        elif monomial or lead:
            part = _truncated(coefficient, lead_coefficient)
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


def _floor_bound(value: float, divisor: float) -> float:
    if math.isinf(value):
        return value
    if math.isinf(divisor):
        return 0 if value >= 0 else -1
    return value // divisor


def _interval_product(a: Interval, b: Interval) -> Interval:
    products = [0 if x == 0 or y == 0 else x * y for x in a for y in b]
    return min(products), max(products)


def _floor_atoms(polynomial: Iterable[Monomial]) -> bool:
    for monomial in polynomial:
        for atom in monomial:
            if atom[0] == FLOORDIV:
                return True
    return False


class IndexSpace:
    """The ranges under which index expressions are simplified, with memo tables of what was simplified.

    An entry of `dims` is an extent (`0 <= d < extent`, an integer or an expression over symbols), a `Range`, or `None`.
    An entry of `symbols` is a `Range` or `None`. A symbol that is a factor of a one-term extent is at least 1, because
    an iteration exists; a symbol that divides is at least 1, because divisors are positive.
    """

    def __init__(self, dims: Sequence[int | AffineExpr | Range | None], symbols: Sequence[Range | None]) -> None:
        self._symbols: dict[int, Interval] = {}
        for position, bounds in enumerate(symbols):
            if bounds is not None:
                minimum = -math.inf if bounds.minimum is None else bounds.minimum
                maximum = math.inf if bounds.maximum is None else bounds.maximum
                self._symbols[position] = (minimum, maximum)
        self._expressions: dict[AffineExpr, AffineExpr] = {}
        self._floordivs: dict[tuple[Frozen, Frozen], Polynomial] = {}
        self._intervals: dict[Atom, Interval] = {}
        self._atoms: dict[Atom, AffineExpr] = {}
        self._limits: list[tuple[Polynomial | None, Polynomial | None]] = []
        self._positive_spaces: dict[frozenset[int], IndexSpace] = {}
        for bounds in dims:
            self._limits.append(self._dim_limits(bounds))

    def _dim_limits(self, bounds: int | AffineExpr | Range | None) -> tuple[Polynomial | None, Polynomial | None]:
        if bounds is None:
            return None, None
        if isinstance(bounds, Range):
            minimum = None if bounds.minimum is None else constant(bounds.minimum)
            return minimum, None if bounds.maximum is None else constant(bounds.maximum)
        if isinstance(bounds, int):
            return {}, constant(max(bounds, 1) - 1)
        extent = self.polynomial(bounds)
        if len(extent) == 1:
            for atom in next(iter(extent)):
                if atom[0] == SYMBOL:
                    self._raise_minimum(atom[1])
        last = dict(extent)
        add_scaled(last, {CONSTANT: -1})
        return {}, last

    def _raise_minimum(self, position: int) -> None:
        minimum, maximum = self._symbols.get(position, (-math.inf, math.inf))
        self._symbols[position] = (max(minimum, 1), max(maximum, 1))

    def _positive(self, divisor: Mapping[Monomial, int]) -> IndexSpace:
        """This space with the symbols of a one-term divisor known to be at least 1."""
        if len(divisor) != 1:
            return self
        positions = frozenset(
            atom[1]
            for monomial in divisor
            for atom in monomial
            if atom[0] == SYMBOL and self._symbols.get(atom[1], (-math.inf, 0))[0] < 1
        )
        if not positions:
            return self
        space = self._positive_spaces.get(positions)
        if space is None:
            space = IndexSpace((), ())
            space._limits = self._limits
            space._symbols = dict(self._symbols)
            for position in sorted(positions):
                space._raise_minimum(position)
            self._positive_spaces[positions] = space
        return space

    # Conversion

    def simplify(self, expr: AffineExpr) -> AffineExpr:
        found = self._expressions.get(expr)
        if found is None:
            polynomial = self.polynomial(expr)
            found = self.expression(polynomial)
            if _floor_atoms(polynomial):
                found = self._settled(found)
            if len(self._expressions) >= MEMO_LIMIT:
                self._expressions.clear()
            self._expressions[expr] = found
        return found

    def _settled(self, expr: AffineExpr) -> AffineExpr:
        """The fixed point of simplification: a `mod` recovered in one round may let the ranges prove more in the next."""
        for _ in range(MAX_ROUNDS):
            again = self.expression(self.polynomial(expr))
            if again == expr:
                break
            expr = again
        return expr

    def polynomial(self, expr: AffineExpr) -> Polynomial:
        if isinstance(expr, AffineConstantExpr):
            return constant(expr.value)
        if isinstance(expr, AffineDimExpr):
            if expr.position < len(self._limits):
                minimum, maximum = self._limits[expr.position]
                if minimum is not None and minimum == maximum:
                    return dict(minimum)
            return {((DIM, expr.position),): 1}
        if isinstance(expr, AffineSymExpr):
            minimum, maximum = self._symbols.get(expr.position, (-math.inf, math.inf))
            if minimum == maximum:
                return constant(int(minimum))
            return {((SYMBOL, expr.position),): 1}
        assert isinstance(expr, AffineBinaryOpExpr)
        lhs = self.polynomial(expr.lhs)
        rhs = self.polynomial(expr.rhs)
        match expr.kind:
            case AffineBinaryOpKind.Add:
                add_scaled(lhs, rhs)
                return lhs
            case AffineBinaryOpKind.Mul:
                return multiply(lhs, rhs)
            case AffineBinaryOpKind.FloorDiv:
                return dict(self.floordiv(lhs, rhs))
            case AffineBinaryOpKind.Mod:
                return self.mod(lhs, rhs)
            case AffineBinaryOpKind.CeilDiv:
                negated = {monomial: -coefficient for monomial, coefficient in lhs.items()}
                return {monomial: -coefficient for monomial, coefficient in self.floordiv(negated, rhs).items()}

    def expression(self, polynomial: Polynomial) -> AffineExpr:
        """The canonical expression: terms in the order of their monomials, the constant last."""
        view = self.view(polynomial)
        result: AffineExpr | None = None
        for monomial in sorted(view):
            if not monomial:
                continue
            term: AffineExpr | None = None
            for atom in monomial:
                factor = self._atom_expression(atom)
                term = factor if term is None else AffineBinaryOpExpr(AffineBinaryOpKind.Mul, term, factor)
            assert term is not None
            coefficient = view[monomial]
            if coefficient != 1:
                term = AffineBinaryOpExpr(AffineBinaryOpKind.Mul, term, AffineConstantExpr(coefficient))
            result = term if result is None else AffineBinaryOpExpr(AffineBinaryOpKind.Add, result, term)
        offset = view.get(CONSTANT, 0)
        if result is None:
            return AffineConstantExpr(offset)
        if offset:
            result = AffineBinaryOpExpr(AffineBinaryOpKind.Add, result, AffineConstantExpr(offset))
        return result

    def _atom_expression(self, atom: Atom) -> AffineExpr:
        found = self._atoms.get(atom)
        if found is None:
            if atom[0] == DIM:
                found = AffineDimExpr(atom[1])
            elif atom[0] == SYMBOL:
                found = AffineSymExpr(atom[1])
            else:
                kind = AffineBinaryOpKind.FloorDiv if atom[0] == FLOORDIV else AffineBinaryOpKind.Mod
                found = AffineBinaryOpExpr(kind, self.expression(dict(atom[1])), self.expression(dict(atom[2])))
            if len(self._atoms) >= MEMO_LIMIT:
                self._atoms.clear()
            self._atoms[atom] = found
        return found

    # Floor division

    def mod(self, dividend: Polynomial, divisor: Polynomial) -> Polynomial:
        """`x mod a == x - a * (x floordiv a)`."""
        result = dict(dividend)
        add_scaled(result, multiply(self.floordiv(dividend, divisor), divisor), -1)
        return result

    def floordiv(self, dividend: Polynomial, divisor: Polynomial) -> Polynomial:
        """The polynomial of `dividend floordiv divisor`; the divisor is positive.

        The result belongs to the memo table: do not change it.
        """
        value = as_integer(divisor)
        if value is not None:
            if value <= 0:
                raise ValueError(f"division by {value}: divisors of index expressions are positive")
            if value == 1:
                return dividend
        key = (freeze(dividend), freeze(divisor))
        found = self._floordivs.get(key)
        if found is None:
            found = self._floordiv(dividend, divisor)
            if len(self._floordivs) >= MEMO_LIMIT:
                self._floordivs.clear()
            self._floordivs[key] = found
        return found

    def _floordiv(self, dividend: Polynomial, divisor: Polynomial) -> Polynomial:
        quotient: Polynomial = {}
        remainder: Polynomial = {}
        for quotient, remainder in self._divisions(dividend, divisor):
            offset = self._constant_floor(remainder, divisor)
            if offset is not None:
                add_scaled(quotient, constant(offset))
                return quotient
        add_scaled(quotient, self._reduced(self.expand(remainder), divisor))
        return quotient

    def _divisions(self, dividend: Polynomial, divisor: Polynomial) -> Iterator[tuple[Polynomial, Polynomial]]:
        """Ways to write `dividend == q * divisor + r`; the remainder is a view.

        A `mod` of the dividend stays one term at first, `((x mod 12) + y) floordiv 5` must not take it apart. At last it
        is taken apart where the divisor divides what it subtracts: `(x mod 12) floordiv 4` is
        `x floordiv 4 - 3 * (x floordiv 12)`.
        """
        if not _floor_atoms(dividend):
            yield divide_polynomial(dividend, divisor)
            return
        view = self.view(dividend, divisor)
        yield self._divide(view, divisor, split_mods=False)
        full = self.full_view(dividend)
        if full != view:
            yield self._divide(full, divisor, split_mods=False)
        yield self._divide(view, divisor, split_mods=True)

    def _divide(self, view: Polynomial, divisor: Polynomial, *, split_mods: bool) -> tuple[Polynomial, Polynomial]:
        subtracted: Polynomial = {}
        kept: Polynomial = {}
        for monomial, coefficient in view.items():
            mods = [atom for atom in monomial if atom[0] == MOD]
            if split_mods and len(mods) == 1:
                _, value, modulus = mods[0]
                rest = divide_monomial(monomial, (mods[0],))
                assert rest is not None
                scale = {rest: coefficient}
                multiple = exact_quotient(multiply(scale, dict(modulus)), divisor)
                if multiple is not None and exact_quotient(scale, divisor) is None:
                    add_scaled(subtracted, multiply(multiple, self.floordiv(dict(value), dict(modulus))), -1)
                    add_scaled(kept, multiply(scale, dict(value)))
                    continue
            add_scaled(kept, {monomial: coefficient})
        quotient, remainder = divide_polynomial(kept, divisor)
        quotient = dict(self.expand(quotient))
        add_scaled(quotient, subtracted)
        return quotient, remainder

    def _constant_floor(self, remainder: Polynomial, divisor: Polynomial) -> int | None:
        """The value of `remainder floordiv divisor` if the ranges leave only one."""
        value = as_integer(divisor)
        if value is not None:
            low, high = self.interval(remainder)
            if math.isfinite(low) and math.isfinite(high) and low // value == high // value:
                return int(low // value)
        space = self._positive(divisor)
        if value is not None and not space._has_symbols(remainder):
            return None
        for candidate in (0, -1):
            above = dict(remainder)
            add_scaled(above, divisor, -candidate)
            if not space.prove_nonnegative(above):
                continue
            below = dict(divisor)
            add_scaled(below, above, -1)
            add_scaled(below, {CONSTANT: -1})
            if space.prove_nonnegative(below):
                return candidate
        return None

    def _reduced(self, dividend: Polynomial, divisor: Polynomial) -> Polynomial:
        """`dividend floordiv divisor` where no term of the dividend is a multiple of the divisor."""
        for factor in self._common_factors(dividend, divisor):
            found = self._without_fine_part(dividend, divisor, factor)
            if found is not None:
                return found

        flipped = self._flipped(dividend, divisor)
        if flipped is not None:
            return {monomial: -coefficient for monomial, coefficient in self.floordiv(flipped, divisor).items()}

        for monomial in sorted(dividend):
            if dividend[monomial] == 1 and len(monomial) == 1 and monomial[0][0] == FLOORDIV:
                _, numerator, inner = monomial[0]
                rest = dict(dividend)
                del rest[monomial]
                flat = multiply(rest, dict(inner))
                add_scaled(flat, dict(numerator))
                return self.floordiv(flat, multiply(divisor, dict(inner)))
        return {((FLOORDIV, freeze(dividend), freeze(divisor)),): 1}

    def _without_fine_part(self, dividend: Polynomial, divisor: Polynomial, factor: Polynomial) -> Polynomial | None:
        """`(g*x + r) floordiv (g*a)` as `(x + r floordiv g) floordiv a`, if `r floordiv g` is a constant."""
        for coarse, fine in self._divisions(dividend, factor):
            offset = coarse.pop(CONSTANT, 0)
            if not coarse:
                continue
            step = self._constant_floor(fine, factor)
            if step is None:
                continue
            divided = exact_quotient(divisor, factor)
            assert divided is not None
            add_scaled(coarse, constant(offset + step))
            return self.floordiv(coarse, divided)
        return None

    def _common_factors(self, dividend: Polynomial, divisor: Polynomial) -> Iterator[Polynomial]:
        """Factors of the divisor that divide some term of the dividend, coarse to fine."""
        if len(divisor) != 1:
            return
        base, value = next(iter(divisor.items()))
        seen: set[tuple[Monomial, int]] = set()
        for monomial, coefficient in self.view(dividend).items():
            if not monomial:
                continue
            unmatched = list(monomial)
            shared: list[Atom] = []
            for atom in base:
                if atom in unmatched:
                    unmatched.remove(atom)
                    shared.append(atom)
            seen.add((tuple(shared), math.gcd(coefficient, value)))
        for common, factor in sorted(seen, key=lambda f: (-len(f[0]), -f[1], f[0])):
            if common or factor > 1:
                yield {common: factor}

    def _flipped(self, dividend: Polynomial, divisor: Polynomial) -> Polynomial | None:
        """The dividend `y` of `x floordiv a == -(y floordiv a)`, `y = a - 1 - x`, if the first term of x is negative."""
        view = self.view(dividend)
        first = min((monomial for monomial in view if monomial), default=None)
        if first is None or view[first] > 0:
            return None
        flipped = {monomial: -coefficient for monomial, coefficient in dividend.items()}
        add_scaled(flipped, divisor)
        add_scaled(flipped, {CONSTANT: -1})
        return flipped if self.view(flipped).get(first, 0) > 0 else None

    # The view with mod

    def view(self, polynomial: Polynomial, divisor: Polynomial | None = None) -> Polynomial:
        """The same value with `x - a * (x floordiv a)` written as the atom `x mod a` again, where that is shorter.

        With a divisor, also where the coefficient of `x floordiv a` becomes a multiple of the divisor.
        """
        if (len(polynomial) < 2 and divisor is None) or not _floor_atoms(polynomial):
            return polynomial
        work = dict(polynomial)
        atoms = {atom for monomial in polynomial for atom in monomial if atom[0] == FLOORDIV}
        for atom in sorted(atoms, key=_atom_order):
            aligned = divisor if divisor is not None and self._align(work, atom, divisor) else None
            if len(atom[2]) > 1:
                self._find_whole_mod(work, atom)
                continue
            for monomial in sorted(monomial for monomial in work if atom in monomial):
                while self._find_mod(work, monomial, atom, aligned):
                    pass
        return work

    def full_view(self, polynomial: Polynomial) -> Polynomial:
        """The same value with as many `mod`s as can be taken out, also where the terms get longer.

        `6 * x + y` with `x = z floordiv 5`, `y = z floordiv 10` becomes `6 * (x mod 2) + 13 * y`.
        """
        work = dict(polynomial)
        atoms = {atom for monomial in polynomial for atom in monomial if atom[0] == FLOORDIV}
        for atom in sorted(atoms, key=_atom_order):
            for step, modulus in _factorisations(atom[2]):
                base = self.floordiv(dict(atom[1]), step)
                count = _multiples_within(work, base)
                if count:
                    self._take_mod(work, atom, base, modulus, count)
                    break
        return work

    @staticmethod
    def _take_mod(work: Polynomial, atom: Atom, base: Polynomial, modulus: Polynomial, count: Polynomial) -> None:
        """Write `count * base` in `work` as `count * (base mod modulus + modulus * atom)`."""
        add_scaled(work, multiply(base, count), -1)
        add_scaled(work, multiply(multiply(modulus, count), {(atom,): 1}))
        add_scaled(work, multiply(count, {((MOD, freeze(base), freeze(modulus)),): 1}))

    def _align(self, work: Polynomial, atom: Atom, divisor: Polynomial) -> bool:
        """Make the coefficient of `x floordiv a` a multiple of the divisor by taking out a `mod`. Returns whether it is one.

        `x + 15 * (x floordiv 5)` is `x mod 5 + 20 * (x floordiv 5)` when it is to be divided by 20.
        """
        factors = _factors(work, atom)
        if exact_quotient(factors, divisor) is not None:
            return True
        for step, modulus in _factorisations(atom[2]):
            base = self.floordiv(dict(atom[1]), step)
            count = _multiples_within(work, base)
            left = dict(factors)
            add_scaled(left, multiply(count, modulus))
            if count and exact_quotient(left, divisor) is not None:
                self._take_mod(work, atom, base, modulus, count)
                return True
        return False

    def _find_mod(self, work: Polynomial, monomial: Monomial, atom: Atom, divisor: Polynomial | None) -> bool:
        """Take `c * rest * (y mod m)` out of `work` if that makes the coefficient of `rest * m * atom` smaller.

        With a divisor, only if this coefficient is then a multiple of it.
        """
        coefficient = work.get(monomial, 0)
        if not coefficient:
            return False
        others = divide_monomial(monomial, (atom,))
        assert others is not None
        chosen: tuple[int, Polynomial, Polynomial, Monomial] | None = None
        for step, modulus in _one_term_factorisations(atom[2]):
            symbols, value = next(iter(modulus.items()))
            rest = divide_monomial(others, symbols)
            if rest is None:
                continue
            base = self.floordiv(dict(atom[1]), step)
            available = _multiple_within(work, multiply(base, {rest: 1}) if rest else base)
            if not available or (available > 0) == (coefficient > 0):
                continue
            count = available
            if abs(coefficient + count * value) >= abs(coefficient):
                nearest = (2 * abs(coefficient) + value) // (2 * value)
                count = min(nearest, abs(available)) if available > 0 else -min(nearest, abs(available))
            left = coefficient + count * value
            if abs(left) >= abs(coefficient):
                continue
            if divisor is not None and exact_quotient({others: left} if left else {}, divisor) is None:
                continue
            if chosen is None or left == 0:
                chosen = (count, base, modulus, rest)
            if left == 0:
                break
        if chosen is None:
            return False
        count, base, modulus, rest = chosen
        self._take_mod(work, atom, base, modulus, {rest: count})
        return True

    def _find_whole_mod(self, work: Polynomial, atom: Atom) -> None:
        """Take `c * (x mod m)` out of `work`, `atom` being `x floordiv m`, if it is there as a whole."""
        _, numerator, divisor = atom
        factors = _factors(work, atom, -1)
        count = exact_quotient(factors, dict(divisor))
        if not count or _multiple_within(work, multiply(dict(numerator), count)) < 1:
            return
        self._take_mod(work, atom, dict(numerator), dict(divisor), count)

    def expand(self, view: Polynomial) -> Polynomial:
        """The polynomial of a view: each `x mod a` becomes `x - a * (x floordiv a)` again."""
        if all(atom[0] != MOD for monomial in view for atom in monomial):
            return view
        result: Polynomial = {}
        for monomial, coefficient in view.items():
            term: Polynomial = {CONSTANT: coefficient}
            for atom in monomial:
                factor = self.mod(dict(atom[1]), dict(atom[2])) if atom[0] == MOD else {(atom,): 1}
                term = multiply(term, factor)
            add_scaled(result, term)
        return result

    # Ranges

    def interval(self, polynomial: Polynomial) -> Interval:
        """Inclusive integer bounds of the value."""
        low: float = 0
        high: float = 0
        for monomial, coefficient in self.view(polynomial).items():
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
            return self._symbols.get(atom[1], (-math.inf, math.inf))
        if atom[0] == DIM:
            if atom[1] >= len(self._limits):
                return -math.inf, math.inf
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

    def _has_symbols(self, polynomial: Polynomial) -> bool:
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
                elif self._has_symbols(dict(atom[1])) or self._has_symbols(dict(atom[2])):
                    return True
        return False

    def prove_nonnegative(self, polynomial: Polynomial) -> bool:
        """Whether the value is known to be at least 0."""
        if self.interval(polynomial)[0] >= 0:
            return True
        if not self._has_symbols(polynomial):
            return False
        bound = self._symbolic_limit(polynomial, lower=True)
        return bound is not None and self._symbol_minimum(bound) >= 0

    def _symbolic_limit(self, polynomial: Polynomial, *, lower: bool) -> Polynomial | None:
        """A lower or upper bound over symbols only: each other atom is replaced by its extreme value."""
        result: Polynomial = {}
        factors: dict[Atom, Polynomial] = {}
        for monomial, coefficient in self.view(polynomial).items():
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
        result = self.floordiv(limit, divisor)
        return result if not _floor_atoms(result) else None

    def _symbol_minimum(self, polynomial: Polynomial) -> float:
        """A lower bound of a polynomial over symbols: by intervals, else with each symbol as its minimum plus `t >= 0`."""
        minimum = self.interval(polynomial)[0]
        if minimum >= 0:
            return minimum
        shifted: Polynomial = {}
        for monomial, coefficient in polynomial.items():
            term: Polynomial = {CONSTANT: coefficient}
            for atom in monomial:
                low = self._symbols.get(atom[1], (-math.inf, math.inf))[0] if atom[0] == SYMBOL else -math.inf
                if math.isinf(low):
                    return minimum
                factor: Polynomial = {(atom,): 1}
                add_scaled(factor, {CONSTANT: int(low)})
                term = multiply(term, factor)
            add_scaled(shifted, term)
        if all(coefficient > 0 for monomial, coefficient in shifted.items() if monomial):
            return max(minimum, shifted.get(CONSTANT, 0))
        return minimum


def constant(value: int) -> Polynomial:
    return {CONSTANT: value} if value else {}


def _multiple_within(work: Polynomial, part: Polynomial) -> int:
    """The signed count of greatest size such that `count * part` is contained in `work`, the constant aside."""
    best: int | None = None
    for monomial, coefficient in part.items():
        if not monomial:
            continue
        present = work.get(monomial)
        if not present:
            return 0
        count = abs(present) // abs(coefficient)
        if (present > 0) != (coefficient > 0):
            count = -count
        if not count or (best is not None and (count > 0) != (best > 0)):
            return 0
        if best is None or abs(count) < abs(best):
            best = count
    return best or 0


def _multiples_within(work: Polynomial, part: Polynomial) -> Polynomial:
    """The sum of `count * monomial` over the monomials for which `count * monomial * part` is contained in `work`."""
    lead = min((monomial for monomial in part if monomial), key=_by_degree, default=None)
    result: Polynomial = {}
    if lead is None:
        return result
    for monomial in work:
        rest = divide_monomial(monomial, lead)
        if rest is not None:
            count = _multiple_within(work, multiply(part, {rest: 1}))
            if count:
                result[rest] = count
    return result


def _factors(work: Polynomial, atom: Atom, scale: int = 1) -> Polynomial:
    """`scale` times the polynomial that `atom` is multiplied by."""
    result: Polynomial = {}
    for monomial, coefficient in work.items():
        rest = divide_monomial(monomial, (atom,))
        if rest is not None:
            result[rest] = scale * coefficient
    return result


def _factorisations(divisor: Frozen) -> tuple[tuple[Polynomial, Polynomial], ...]:
    """Pairs `(step, modulus)` with `step * modulus == divisor`; only the trivial step for a divisor of several terms."""
    if len(divisor) != 1:
        return (({CONSTANT: 1}, dict(divisor)),)
    return _one_term_factorisations(divisor)


@lru_cache(maxsize=4096)
def _one_term_factorisations(divisor: Frozen) -> tuple[tuple[Polynomial, Polynomial], ...]:
    """Pairs `(step, modulus)` of one term each with `step * modulus == divisor`, the greatest step first."""
    monomial, value = divisor[0]
    pairs: list[tuple[Monomial, int, Monomial, int]] = []
    for mask in range(1 << len(monomial)):
        inside = tuple(atom for bit, atom in enumerate(monomial) if mask >> bit & 1)
        outside = tuple(atom for bit, atom in enumerate(monomial) if not mask >> bit & 1)
        for factor in divisors(value):
            if outside or factor < value:
                pairs.append((inside, factor, outside, value // factor))
    pairs.sort(key=lambda p: (-len(p[0]), -p[1], p[0]))
    return tuple(({inside: factor}, {outside: modulus}) for inside, factor, outside, modulus in pairs)
