"""How a value that is summed up changes when a result that it depends on changes.

A cascade computes `r`, then `s = sum over k of f(k, r)`. To have both in one walk, f is evaluated at an estimate of r,
and when a better estimate comes, the sum so far is corrected. That needs f at the new estimate to be a *linear form*: a
sum of terms that were evaluated at the old one, with coefficients that are the same for all k:

    f(k, new) = sum over j of c_j(old, new) * t_j(k, old)

The form is derived from the expression of f by these laws (u is a uniform value: it depends on r, not on k; a does not
depend on r):

| value | what it becomes |
|---|---|
| a(k) | itself |
| x ± u, a * x for a uniform a, ... | a *shift*: itself plus `u(new) - u(old)` |
| exp of x - m, m the extremum of all these x, or of a multiple | a *scale*: itself times `exp(shift)` |
| products and quotients of scaled values | themselves times the product or quotient of the scales |
| sums, products, multiples by u(new), masks | of the forms of their parts |

So `exp(x - m)` is scaled by `exp(m(old) - m(new))`, and `(x - mean)^2` has the terms itself, `x - mean` and 1.

Any finite estimate would do if numbers had no end. `exp` of another shifted value has no form because at the estimate
of a part it may overflow where at the result it would not; `x - m` is below 0 at any estimate.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Set
from dataclasses import dataclass
from math import inf
from typing import TypeAlias, TypeVar

from xdsl.dialects import arith, math
from xdsl.dialects.builtin import AnyFloat, FloatAttr
from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue

from fusir.dialects.loop import ReduceOp

MAX_TERMS = 6
"""Terms that one sum may need: each is a reduction of its own."""


# Coefficients: scalars made of uniform values at the old and at the new estimates.


@dataclass(frozen=True)
class Number:
    """A constant."""

    value: float


@dataclass(frozen=True)
class At:
    """A uniform value at the new or at the old estimates."""

    value: SSAValue
    new: bool


@dataclass(frozen=True)
class Apply:
    """An op on coefficients."""

    op: type[Operation]
    operands: tuple[Coefficient, ...]


Coefficient: TypeAlias = Number | At | Apply

ZERO, ONE = Number(0.0), Number(1.0)


def add(a: Coefficient, b: Coefficient) -> Coefficient:
    """`a + b`."""
    return b if a == ZERO else a if b == ZERO else Apply(arith.AddfOp, (a, b))


def subtract(a: Coefficient, b: Coefficient) -> Coefficient:
    """`a - b`."""
    if a == b:
        return ZERO
    if a == ZERO and isinstance(b, Apply) and b.op is arith.SubfOp:
        return Apply(arith.SubfOp, b.operands[::-1])
    return a if b == ZERO else Apply(arith.SubfOp, (a, b))


def multiply(a: Coefficient, b: Coefficient) -> Coefficient:
    """`a * b`, where a factor 0 stands for a term that is not there."""
    if ZERO in (a, b):
        return ZERO
    return b if a == ONE else a if b == ONE else Apply(arith.MulfOp, (a, b))


def divide(a: Coefficient, b: Coefficient) -> Coefficient:
    """`a / b`."""
    return a if a == ZERO or b == ONE else Apply(arith.DivfOp, (a, b))


def settled(coefficient: Coefficient) -> Coefficient:
    """The coefficient where the estimates do not change: differences vanish."""
    match coefficient:
        case At():
            return At(coefficient.value, True)
        case Apply():
            operands = tuple(settled(operand) for operand in coefficient.operands)
            match coefficient.op:
                case arith.AddfOp:
                    return add(*operands)
                case arith.SubfOp:
                    return subtract(*operands)
                case arith.MulfOp:
                    return multiply(*operands)
                case arith.DivfOp:
                    return divide(*operands)
                case math.ExpOp | math.Exp2Op if operands[0] == ZERO:
                    return ONE
                case _:
                    return Apply(coefficient.op, operands)
        case _:
            return coefficient


# Terms: values for each k, evaluated at the estimates of their block.


@dataclass(frozen=True)
class Unit:
    """The term 1: its sum is the number of iterations."""


@dataclass(frozen=True)
class Product:
    """The product of two terms that the kernel does not compute itself."""

    lhs: Term
    rhs: Term


@dataclass(frozen=True)
class Masked:
    """A term where a condition holds (or does not hold), else 0."""

    condition: SSAValue
    holds: bool
    term: Term


Term: TypeAlias = SSAValue | Unit | Product | Masked
Form: TypeAlias = Mapping[Term, Coefficient]

UNIT = Unit()


@dataclass(frozen=True)
class Extremum:
    """That a result is the maximum, or the minimum, of a value in the body of another reduction."""

    value: SSAValue
    maximum: bool


class Rescaling:
    """Derives linear forms of the values in the body of one reduction."""

    def __init__(self, body: Block, dependent: Set[SSAValue], extrema: Mapping[SSAValue, Extremum]):
        """`dependent` are the values, in the body or outside of it, that depend on the results which are estimated;
        `extrema` are those of the results that are maxima or minima.
        """
        self.body = body
        self.dependent = dependent
        self.extrema = extrema
        self._shifts: dict[SSAValue, Coefficient | None] = {}
        self._scales: dict[SSAValue, Coefficient | None] = {}
        self._forms: dict[Term, Form | None] = {}

    def is_uniform(self, value: SSAValue) -> bool:
        """Whether a value is the same for all iterations."""
        return value.owner is not self.body and not (
            isinstance(value.owner, Operation) and value.owner.parent is self.body
        )

    def shift(self, value: SSAValue) -> Coefficient | None:
        """The d of `value(new) = value(old) + d`, None if there is none."""
        return _memo(self._shifts, value, self._shift)

    def scale(self, value: SSAValue) -> Coefficient | None:
        """The c of `value(new) = value(old) * c`, None if there is none."""
        return _memo(self._scales, value, self._scale)

    def form(self, term: Term) -> Form | None:
        """The linear form of a term, None if it has none."""
        return _memo(self._forms, term, self._form)

    def closure(self, terms: Iterable[Term]) -> dict[Term, Form] | None:
        """The forms of the terms and of all that occur in these forms; None if one has no form, or there are too many.

        The order is that in which the terms were found.
        """
        forms: dict[Term, Form] = {}
        pending = list(terms)
        while pending:
            term = pending.pop(0)
            if term in forms:
                continue
            form = self.form(term)
            if form is None or len(forms) == MAX_TERMS:
                return None
            forms[term] = form
            pending += form
        return forms

    def _shift(self, value: SSAValue) -> Coefficient | None:
        if value not in self.dependent:
            return ZERO
        if not isinstance(value.type, AnyFloat):
            return None
        if self.is_uniform(value):
            return subtract(At(value, True), At(value, False))
        match value.owner:
            case arith.AddfOp(lhs=lhs, rhs=rhs):
                return _both(add, self.shift(lhs), self.shift(rhs))
            case arith.SubfOp(lhs=lhs, rhs=rhs):
                return _both(subtract, self.shift(lhs), self.shift(rhs))
            case arith.NegfOp(operand=operand):
                return _both(subtract, ZERO, self.shift(operand))
            case arith.MulfOp(lhs=lhs, rhs=rhs):
                for factor, other in ((lhs, rhs), (rhs, lhs)):
                    if self.is_uniform(factor) and factor not in self.dependent:
                        return _both(multiply, At(factor, True), self.shift(other))
                return None
            case arith.DivfOp(lhs=lhs, rhs=rhs) if self.is_uniform(rhs) and rhs not in self.dependent:
                return _both(divide, self.shift(lhs), At(rhs, True))
            case _:
                return None

    def _scale(self, value: SSAValue) -> Coefficient | None:
        if value not in self.dependent:
            return ONE
        if self.is_uniform(value):
            return None
        match value.owner:
            case math.ExpOp(operand=operand) | math.Exp2Op(operand=operand):
                shift = self.shift(operand) if self._is_from_extremum(operand) else None
                return None if shift is None else Apply(type(value.owner), (shift,))
            case arith.MulfOp(lhs=lhs, rhs=rhs):
                return _both(multiply, self.scale(lhs), self.scale(rhs))
            case arith.DivfOp(lhs=lhs, rhs=rhs):
                return _both(divide, self.scale(lhs), self.scale(rhs))
            case arith.NegfOp(operand=operand):
                return self.scale(operand)
            case arith.SelectOp(cond=cond, lhs=lhs, rhs=rhs) if cond not in self.dependent:
                if is_zero(rhs):
                    return self.scale(lhs)
                return self.scale(rhs) if is_zero(lhs) else None
            case _:
                return None

    def _is_from_extremum(self, value: SSAValue) -> bool:
        """Whether a value is `x - m`, or a multiple of it, with m the maximum or the minimum of all x."""
        match value.owner:
            case arith.SubfOp(lhs=lhs, rhs=rhs):
                return self._is_extremum_of(rhs, lhs, maximum=True) or self._is_extremum_of(lhs, rhs, maximum=False)
            case arith.MulfOp(lhs=lhs, rhs=rhs):
                return any(
                    self.is_uniform(factor) and factor not in self.dependent and self._is_from_extremum(other)
                    for factor, other in ((lhs, rhs), (rhs, lhs))
                )
            case arith.DivfOp(lhs=lhs, rhs=rhs):
                return self.is_uniform(rhs) and rhs not in self.dependent and self._is_from_extremum(lhs)
            case arith.NegfOp(operand=operand):
                return self._is_from_extremum(operand)
            case _:
                return False

    def _is_extremum_of(self, result: SSAValue, value: SSAValue, maximum: bool) -> bool:
        """Whether `result` is an extremum of the values of all iterations, or 0 in its place where it is infinite."""
        if (extremum := self.extrema.get(result)) is not None:
            return extremum.maximum is maximum and same_value(extremum.value, value)
        match result.owner, value.owner:
            case arith.ExtFOp(input=narrow), arith.ExtFOp(input=source) if result.type == value.type:
                return self._is_extremum_of(narrow, source, maximum)
            case arith.SelectOp(cond=cond, lhs=lhs, rhs=rhs), _ if is_zero(lhs) and _is_infinite(cond, rhs):
                return self._is_extremum_of(rhs, value, maximum)
            case _:
                return False

    def _form(self, term: Term) -> Form | None:
        match term:
            case Unit():
                return {UNIT: ONE}
            case Product(lhs=lhs, rhs=rhs):
                return self._product(lhs, rhs, None)
            case Masked(condition=condition, holds=holds, term=inner):
                return _masked(condition, holds, self.form(inner))
            case _:
                return self._form_of_value(term)

    def _form_of_value(self, value: SSAValue) -> Form | None:
        if self.is_uniform(value):
            return {} if is_zero(value) else {UNIT: At(value, True)}
        if (scale := self.scale(value)) is not None:
            return {value: scale}
        if (shift := self.shift(value)) is not None:
            return {value: ONE, UNIT: shift}
        match value.owner:
            case arith.AddfOp(lhs=lhs, rhs=rhs):
                return _sum(self.form(lhs), self.form(rhs), add)
            case arith.SubfOp(lhs=lhs, rhs=rhs):
                return _sum(self.form(lhs), self.form(rhs), subtract)
            case arith.NegfOp(operand=operand):
                return _sum({}, self.form(operand), subtract)
            case arith.MulfOp(lhs=lhs, rhs=rhs):
                for factor, other in ((lhs, rhs), (rhs, lhs)):
                    if self.is_uniform(factor):
                        return _times(self.form(other), lambda c, u=factor: multiply(c, At(u, True)))
                return self._product(lhs, rhs, value)
            case arith.DivfOp(lhs=lhs, rhs=rhs) if self.is_uniform(rhs):
                return _times(self.form(lhs), lambda c: divide(c, At(rhs, True)))
            case arith.SelectOp(cond=cond, lhs=lhs, rhs=rhs) if cond not in self.dependent and not self.is_uniform(
                cond
            ):
                return _sum(_masked(cond, True, self.form(lhs)), _masked(cond, False, self.form(rhs)), add)
            case _:
                return None

    def _product(self, lhs: Term, rhs: Term, value: SSAValue | None) -> Form | None:
        """The form of the product of two terms, which is `value` if the kernel computes it."""
        left, right = self.form(lhs), self.form(rhs)
        if left is None or right is None:
            return None
        form: dict[Term, Coefficient] = {}
        for a, c in left.items():
            for b, d in right.items():
                if (a, b) == (lhs, rhs):
                    term = Product(a, b) if value is None else value
                else:
                    term = b if a == UNIT else a if b == UNIT else Product(a, b)
                form[term] = add(form.get(term, ZERO), multiply(c, d))
        return form


def same_value(a: SSAValue, b: SSAValue) -> bool:
    """Whether values in the bodies of two loops over the same iterations are computed in the same way."""
    return _same(a, b, {})


def _same(a: SSAValue, b: SSAValue, known: dict[tuple[SSAValue, SSAValue], bool]) -> bool:
    if a is b:
        return True
    if (found := known.get((a, b))) is not None:
        return found
    if isinstance(a, BlockArgument) and isinstance(b, BlockArgument):
        loops = (a.block.parent_op(), b.block.parent_op())
        found = a.index == b.index and all(isinstance(loop, ReduceOp) for loop in loops)
    elif isinstance(a, OpResult) and isinstance(b, OpResult):
        first, second = a.op, b.op
        found = (
            (type(first), a.index, a.type, first.properties) == (type(second), b.index, b.type, second.properties)
            and not first.regions
            and len(first.operands) == len(second.operands)
            and all(_same(x, y, known) for x, y in zip(first.operands, second.operands, strict=True))
        )
    else:
        found = False
    known[a, b] = found
    return found


def _is_infinite(condition: SSAValue, value: SSAValue) -> bool:
    """Whether a condition is `|value| == inf`."""
    match condition.owner:
        case arith.CmpfOp(lhs=lhs, rhs=rhs) if condition.owner.predicate.value.data == _EQUAL:
            magnitude, limit = lhs.owner, rhs.owner
            return (
                isinstance(magnitude, math.AbsFOp)
                and magnitude.operand is value
                and isinstance(limit, arith.ConstantOp)
                and isinstance(limit.value, FloatAttr)
                and limit.value.value.data == inf
            )
        case _:
            return False


_EQUAL = arith.CMPF_COMPARISON_OPERATIONS.index("oeq")


def is_zero(value: SSAValue) -> bool:
    """Whether a value is the constant 0."""
    owner = value.owner
    return isinstance(owner, arith.ConstantOp) and isinstance(owner.value, FloatAttr) and owner.value.value.data == 0


_K = TypeVar("_K")
_V = TypeVar("_V")


def _memo(cache: dict[_K, _V], key: _K, derive: Callable[[_K], _V]) -> _V:
    if key not in cache:
        cache[key] = derive(key)
    return cache[key]


def _both(
    combine: Callable[[Coefficient, Coefficient], Coefficient], a: Coefficient | None, b: Coefficient | None
) -> Coefficient | None:
    return None if a is None or b is None else combine(a, b)


def _sum(a: Form | None, b: Form | None, combine: Callable[[Coefficient, Coefficient], Coefficient]) -> Form | None:
    if a is None or b is None:
        return None
    return {term: combine(a.get(term, ZERO), b.get(term, ZERO)) for term in (*a, *(t for t in b if t not in a))}


def _times(form: Form | None, scale: Callable[[Coefficient], Coefficient]) -> Form | None:
    return None if form is None else {term: scale(coefficient) for term, coefficient in form.items()}


def _masked(condition: SSAValue, holds: bool, form: Form | None) -> Form | None:
    if form is None:
        return None
    return {Masked(condition, holds, term): coefficient for term, coefficient in form.items() if coefficient != ZERO}
