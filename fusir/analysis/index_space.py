"""Simplification of index expressions under ranges: from `AffineExpr` to polynomials and back, and floor division."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineSymExpr,
)

from fusir.analysis.index_ranges import UNKNOWN, IndexRanges, Interval, Limits, Range
from fusir.analysis.mod_views import ModViews
from fusir.analysis.polynomial import (
    CONSTANT,
    DIM,
    FLOORDIV,
    MEMO_LIMIT,
    MOD,
    SYMBOL,
    Atom,
    Frozen,
    Monomial,
    Polynomial,
    add_scaled,
    as_integer,
    constant,
    divide_monomial,
    divide_polynomial,
    exact_quotient,
    freeze,
    has_floordiv,
    multiply,
)

MAX_ROUNDS = 4
"""Rounds of simplification of one expression; a second round that changes anything is rare."""


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
        self._atoms: dict[Atom, AffineExpr] = {}
        self._limits: list[Limits] = []
        self._views = ModViews(self.floordiv)
        self._ranges = IndexRanges(self._limits, self._symbols, self)
        self._positive_spaces: dict[frozenset[int], IndexSpace] = {}
        for bounds in dims:
            self._limits.append(self._dim_limits(bounds))

    def _dim_limits(self, bounds: int | AffineExpr | Range | None) -> Limits:
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
        minimum, maximum = self._symbols.get(position, UNKNOWN)
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
            space._limits.extend(self._limits)
            space._symbols.update(self._symbols)
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
            if has_floordiv(polynomial) and self._ranges.has_symbols(polynomial):
                found = self._settled(found)
            if len(self._expressions) >= MEMO_LIMIT:
                self._expressions.clear()
            self._expressions[expr] = found
        return found

    def _settled(self, expr: AffineExpr) -> AffineExpr:
        """The fixed point of simplification: a `mod` found in one round may let the ranges prove more in the next."""
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
            minimum, maximum = self._symbols.get(expr.position, UNKNOWN)
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
        if len(dividend) == 1:
            monomial, coefficient = next(iter(dividend.items()))
            if coefficient == 1 and len(monomial) == 1 and monomial[0][0] == FLOORDIV:
                return self._nested(monomial[0], dividend, divisor)
        quotient: Polynomial = {}
        remainder: Polynomial = {}
        for quotient, remainder in self._divisions(dividend, divisor):
            offset = self._constant_floor(remainder, divisor)
            if offset is not None:
                add_scaled(quotient, constant(offset))
                return quotient
        add_scaled(quotient, self._reduced(self._views.expand(remainder), divisor))
        return quotient

    def _nested(self, atom: Atom, dividend: Polynomial, divisor: Polynomial) -> Polynomial:
        """`(x floordiv a) floordiv b` as `x floordiv (a*b)`."""
        value = self._constant_floor(dividend, divisor)
        if value is not None:
            return constant(value)
        return self.floordiv(dict(atom[1]), multiply(dict(atom[2]), divisor))

    def _divisions(self, dividend: Polynomial, divisor: Polynomial) -> Iterator[tuple[Polynomial, Polynomial]]:
        """Ways to write `dividend == q * divisor + r`; the remainder is a view.

        A `mod` of the dividend stays one term at first, `((x mod 12) + y) floordiv 5` must not take it apart. At last
        it is taken apart where the divisor divides what it subtracts: `(x mod 12) floordiv 4` is
        `x floordiv 4 - 3 * (x floordiv 12)`.
        """
        if not has_floordiv(dividend):
            yield divide_polynomial(dividend, divisor)
            return
        view = self._views.view(dividend, divisor)
        yield self._divide(view, divisor, split_mods=False)
        full = self._views.full_view(dividend)
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
        quotient = dict(self._views.expand(quotient))
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
        if value is not None and not space._ranges.has_symbols(remainder):
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
        """`y = a - 1 - x`, with `x floordiv a == -(y floordiv a)`, if the first term of `x` is negative."""
        view = self.view(dividend)
        first = min((monomial for monomial in view if monomial), default=None)
        if first is None or view[first] > 0:
            return None
        flipped = {monomial: -coefficient for monomial, coefficient in dividend.items()}
        add_scaled(flipped, divisor)
        add_scaled(flipped, {CONSTANT: -1})
        return flipped if self.view(flipped).get(first, 0) > 0 else None

    # Views and ranges

    def view(self, polynomial: Polynomial) -> Polynomial:
        """The polynomial with `mod` in it again."""
        return self._views.view(polynomial)

    def interval(self, polynomial: Polynomial) -> Interval:
        """Inclusive integer bounds of the value."""
        return self._ranges.interval(polynomial)

    def prove_nonnegative(self, polynomial: Polynomial) -> bool:
        """Whether the value is known to be at least 0."""
        return self._ranges.prove_nonnegative(polynomial)
