"""Views of polynomials: `x - a * (x floordiv a)` written as `x mod a` again.

Ranges are tighter and texts shorter with `mod`. A view depends on nothing but the polynomial, so equal polynomials give
equal expressions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

from fusir.analysis.polynomial import (
    CONSTANT,
    FLOORDIV,
    MOD,
    Atom,
    Frozen,
    Monomial,
    Polynomial,
    add_scaled,
    by_degree,
    divide_monomial,
    divisors,
    exact_quotient,
    freeze,
    has_floordiv,
    multiply,
)


class ModViews:
    """Finds `mod`s in polynomials; `floordiv` gives the canonical polynomial of a floor division."""

    def __init__(self, floordiv: Callable[[Polynomial, Polynomial], Polynomial]) -> None:
        self._floordiv = floordiv

    def view(self, polynomial: Polynomial, divisor: Polynomial | None = None) -> Polynomial:
        """The same value with `x - a * (x floordiv a)` written as the atom `x mod a` again, where that is shorter.

        With a divisor, also where the coefficient of `x floordiv a` becomes a multiple of the divisor.
        """
        if (len(polynomial) < 2 and divisor is None) or not has_floordiv(polynomial):
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
            for step, modulus in _steps(work, atom):
                base = self._floordiv(dict(atom[1]), step)
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
        """Make the coefficient of `x floordiv a` a multiple of the divisor by taking out a `mod`, if it is none.

        `x + 15 * (x floordiv 5)` is `x mod 5 + 20 * (x floordiv 5)` when it is to be divided by 20.
        Returns whether the coefficient is a multiple now.
        """
        factors = _factors(work, atom)
        if exact_quotient(factors, divisor) is not None:
            return True
        for step, modulus in _steps(work, atom):
            base = self._floordiv(dict(atom[1]), step)
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
        for step, modulus in _steps(work, atom):
            symbols, value = next(iter(modulus.items()))
            rest = divide_monomial(others, symbols)
            if rest is None:
                continue
            base = self._floordiv(dict(atom[1]), step)
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
                factor: Polynomial = {(atom,): 1}
                if atom[0] == MOD:
                    value, modulus = dict(atom[1]), dict(atom[2])
                    factor = dict(value)
                    add_scaled(factor, multiply(self._floordiv(value, modulus), modulus), -1)
                term = multiply(term, factor)
            add_scaled(result, term)
        return result


def _atom_order(atom: Atom) -> tuple[int, Frozen, Frozen]:
    return len(atom[2]), atom[2], atom[1]


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
    lead = min((monomial for monomial in part if monomial), key=by_degree, default=None)
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


def _steps(work: Polynomial, atom: Atom) -> Sequence[tuple[Polynomial, Polynomial]]:
    """Pairs `(step, modulus)` with `step * modulus == a` for which `x floordiv step` may occur in `work`.

    `atom` is `x floordiv a`. Where x is a dimension or symbol, `x floordiv step` is one atom, which is looked for.
    """
    pairs = _factorisations(atom[2])
    monomial, coefficient = atom[1][0]
    if len(atom[1]) > 1 or coefficient != 1 or len(monomial) != 1 or monomial[0][0] == FLOORDIV:
        return pairs
    present = {
        other[2] for term in work for other in term if other[0] == FLOORDIV and other[1] == atom[1] and other != atom
    }
    if monomial in work or any(monomial[0] in term for term in work):
        present.add(freeze({CONSTANT: 1}))
    return [pair for pair in pairs if freeze(pair[0]) in present]


def _factorisations(divisor: Frozen) -> tuple[tuple[Polynomial, Polynomial], ...]:
    """Pairs `(step, modulus)` with `step * modulus == divisor`; for a divisor of several terms only step 1."""
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
        pairs += [(inside, k, outside, value // k) for k in divisors(value) if outside or k < value]
    pairs.sort(key=lambda p: (-len(p[0]), -p[1], p[0]))
    return tuple(({inside: factor}, {outside: modulus}) for inside, factor, outside, modulus in pairs)
