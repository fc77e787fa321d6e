"""Integer tiles as affine functions of the axes of a tile, and masks as conjunctions of their comparisons.

A tile value of the interpreters has leading axes for what runs side by side (the program instances of a launch) and
then one for each dim of the tile. An index tile is almost always affine in the positions on these axes, after the axes
have been cut into the digits of a mixed radix: with `0 <= x < 1024`, `x floordiv 64` and `x mod 64` are two digits of
x. So an address is a list of strides, a load is a strided view of the memory, and whether a mask holds is decided
from ranges.

A digit `(axis, low, high)` of an axis with position `p` is `(p mod high) floordiv low`; `low` divides `high`, `high`
divides the extent of the axis, so the digit takes `high / low` values from 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

import torch
from torch import Tensor

CACHED_RESULTS = 1 << 12
"""Remembered results of index arithmetic: a launch repeats that of the one before."""


class Term(NamedTuple):
    """`factor` times a digit of an axis."""

    axis: int
    low: int
    high: int
    factor: int

    @property
    def extent(self) -> int:
        """The number of values of the digit."""
        return self.high // self.low


class Affine:
    """`constant + sum of terms`, an exact integer, with its range `minimum <= value <= maximum` (both attained)."""

    __slots__ = ("constant", "maximum", "minimum", "terms")

    def __init__(self, constant: int, terms: tuple[Term, ...] = ()):
        self.constant = constant
        self.terms = terms
        self.minimum = self.maximum = constant
        for _, low, high, factor in terms:
            reach = factor * (high // low - 1)
            if reach < 0:
                self.minimum += reach
            else:
                self.maximum += reach

    def __repr__(self) -> str:
        return f"Affine({self.constant}, {[tuple(term) for term in self.terms]})"

    def shift(self, amount: int) -> Affine:
        """`self + amount`."""
        result = Affine.__new__(Affine)
        result.constant = self.constant + amount
        result.terms = self.terms
        result.minimum = self.minimum + amount
        result.maximum = self.maximum + amount
        return result

    def scale(self, factor: int) -> Affine:
        """`self * factor`."""
        if factor == 1:
            return self
        if factor == 0:
            return Affine(0)
        return Affine(self.constant * factor, tuple(Term(a, lo, hi, f * factor) for a, lo, hi, f in self.terms))

    def move_axes(self, position: Callable[[int], int]) -> Affine:
        """The same function with axis `a` called `position(a)`."""
        return Affine(self.constant, tuple(sorted(Term(position(a), lo, hi, f) for a, lo, hi, f in self.terms)))


def axis_position(axis: int, extent: int, start: int = 0) -> Affine:
    """`start` plus the position on an axis."""
    return Affine(start, (Term(axis, 1, extent, 1),) if extent > 1 else ())


def add(a: Affine, b: Affine) -> Affine | None:
    """`a + b`, or None if their digits have no common refinement."""
    if not b.terms:
        return a.shift(b.constant)
    if not a.terms:
        return b.shift(a.constant)
    terms = normalize(a.terms + b.terms)
    return None if terms is None else Affine(a.constant + b.constant, terms)


def subtract(a: Affine, b: Affine) -> Affine | None:
    """`a - b`, or None if their digits have no common refinement."""
    if not b.terms:
        return a.shift(-b.constant)
    return add(a, b.scale(-1))


@lru_cache(CACHED_RESULTS)
def normalize(terms: tuple[Term, ...]) -> tuple[Term, ...] | None:
    """Terms with disjoint digits, sorted, as few as possible; None if digits have no common refinement."""
    by_axis: dict[int, list[Term]] = {}
    for term in terms:
        by_axis.setdefault(term.axis, []).append(term)
    result: list[Term] = []
    for axis in sorted(by_axis):
        group = by_axis[axis]
        if len(group) == 1:
            result.append(group[0])
            continue
        refined = _refine(axis, group)
        if refined is None:
            return None
        result += refined
    return tuple(result)


def _refine(axis: int, terms: list[Term]) -> list[Term] | None:
    cuts = sorted({cut for term in terms for cut in (term.low, term.high)})
    if any(high % low for low, high in pairwise(cuts)):
        return None
    result: list[Term] = []
    for low, high in pairwise(cuts):
        factor = sum(t.factor * (low // t.low) for t in terms if t.low <= low and high <= t.high)
        if factor == 0:
            continue
        if result and result[-1].high == low and factor == result[-1].factor * result[-1].extent:
            result[-1] = Term(axis, result[-1].low, high, result[-1].factor)
        else:
            result.append(Term(axis, low, high, factor))
    return result


def divide(a: Affine, divisor: int) -> tuple[Affine, Affine] | None:
    """Floor quotient and remainder by a positive number, or None if they are not affine in digits."""
    quotient: list[Term] = []
    rest: list[Term] = []
    for term in a.terms:
        axis, low, high, factor = term
        if factor % divisor == 0:
            quotient.append(Term(axis, low, high, factor // divisor))
            continue
        period = divisor // abs(factor) if divisor % factor == 0 else 0
        if factor > 0 and 1 < period < term.extent:
            if term.extent % period:
                return None
            rest.append(Term(axis, low, low * period, factor))
            quotient.append(Term(axis, low * period, high, 1))
        else:
            rest.append(term)
    remainder = Affine(a.constant % divisor, tuple(rest))
    if remainder.minimum < 0 or remainder.maximum >= divisor:
        return None
    terms = normalize(tuple(quotient))
    return None if terms is None else (Affine(a.constant // divisor, terms), remainder)


def reshape(a: Affine, lead: int, old: Sequence[int], new: Sequence[int]) -> Affine | None:
    """The function on the dims `new`, in the row-major order of `old`, after `lead` axes that stay.

    None if the digits do not fit.
    """
    terms = [term for term in a.terms if term.axis < lead]
    for axis, low, high, factor in a.terms[len(terms) :]:
        inner = _product(old[axis - lead + 1 :])
        flat_low, flat_high = low * inner, high * inner
        stride = _product(new)
        for position, extent in enumerate(new, start=lead):
            stride //= extent
            lower, upper = max(flat_low, stride), min(flat_high, stride * extent)
            if lower >= upper:
                continue
            if lower % stride or upper % lower or lower % flat_low:
                return None
            terms.append(Term(position, lower // stride, upper // stride, factor * (lower // flat_low)))
    normal = normalize(tuple(terms))
    return None if normal is None else Affine(a.constant, normal)


def _product(extents: Iterable[int]) -> int:
    product = 1
    for extent in extents:
        product *= extent
    return product


def materialize(a: Affine, sizes: Sequence[int]) -> Tensor:
    """The values as int64; an axis that `a` does not depend on has extent 1."""
    result = torch.full((1,) * len(sizes), a.constant, dtype=torch.int64)
    for axis, low, high, factor in a.terms:
        position = torch.arange(sizes[axis])
        if high != sizes[axis]:
            position %= high
        if low != 1:
            position //= low
        if factor != 1:
            position *= factor
        shape = [1] * len(sizes)
        shape[axis] = sizes[axis]
        result = result + position.view(shape)
    return result


class Strides(NamedTuple):
    """A strided window that begins at the smallest address.

    `extents` and non-negative `strides` are those of the digits, `shape` is the tile shape that they are reshaped to,
    `digits` how many there are on each axis; on the digits `reversed` the address falls where the position rises.
    """

    extents: tuple[int, ...]
    strides: tuple[int, ...]
    shape: tuple[int, ...]
    digits: tuple[int, ...]
    reversed: tuple[int, ...]


def strides_of(a: Affine, sizes: Sequence[int]) -> Strides:
    """The strides of `a` on the digits of each axis, outer digits first; an axis without terms gets extent 1."""
    return _strides_of(a.terms, tuple(sizes))


@lru_cache(CACHED_RESULTS)
def _strides_of(terms: tuple[Term, ...], sizes: tuple[int, ...]) -> Strides:
    extents: list[int] = []
    strides: list[int] = []
    shape: list[int] = []
    counts: list[int] = []
    for axis in reversed(range(len(sizes))):
        digits: list[tuple[int, int]] = []
        bottom = sizes[axis]
        for term in (term for term in reversed(terms) if term.axis == axis):
            if term.high != bottom:
                digits.append((bottom // term.high, 0))
            digits.append((term.extent, term.factor))
            bottom = term.low
        if not digits:
            extents.append(1)
            strides.append(0)
            shape.append(1)
            counts.append(1)
            continue
        if bottom != 1:
            digits.append((bottom, 0))
        for extent, stride in reversed(digits):
            extents.append(extent)
            strides.append(stride)
        shape.append(sizes[axis])
        counts.append(len(digits))
    for each in (extents, strides, shape, counts):
        each.reverse()
    falling = tuple(digit for digit, stride in enumerate(strides) if stride < 0)
    return Strides(tuple(extents), tuple(map(abs, strides)), tuple(shape), tuple(counts), falling)


def injective(strides: Strides) -> bool:
    """Whether no two positions have one address, decided by nesting of the dims (so that false may be wrong)."""
    reach = 0
    for stride, extent in sorted(zip(strides.strides, strides.extents, strict=True)):
        if extent == 1:
            continue
        if stride <= reach:
            return False
        reach += stride * (extent - 1)
    return True


class Mask:
    """All of `atoms` are at least 0. Masks that are decided everywhere are Python's True and False instead."""

    __slots__ = ("atoms",)

    def __init__(self, atoms: tuple[Affine, ...]):
        self.atoms = atoms


Truth = Mask | bool


def at_least_zero(a: Affine | None) -> Truth | None:
    """The mask `a >= 0`; None stays None."""
    if a is None:
        return None
    if a.minimum >= 0:
        return True
    return False if a.maximum < 0 else Mask((a,))


def conjunction(a: Truth, b: Truth) -> Truth:
    """Both masks."""
    if a is True or b is False:
        return b
    if b is True or a is False:
        return a
    assert isinstance(a, Mask) and isinstance(b, Mask)
    return Mask(a.atoms + b.atoms)


def negation(a: Truth) -> Truth | None:
    """Not the mask; None if it has several atoms."""
    if isinstance(a, bool):
        return not a
    first, *rest = a.atoms
    return None if rest else at_least_zero(first.scale(-1).shift(-1))


def materialize_mask(mask: Mask, sizes: Sequence[int]) -> Tensor:
    """The mask as a bool tensor; axes that it does not depend on have extent 1."""
    result = materialize(mask.atoms[0], sizes) >= 0
    for atom in mask.atoms[1:]:
        result = result & (materialize(atom, sizes) >= 0)
    return result


Box = dict[int, tuple[int, int]]
"""By axis the half-open range of positions; axes that are not listed are whole."""


def box_of(mask: Mask, sizes: Sequence[int]) -> Box | None:
    """The positions where the mask holds, if each atom bounds the position on one axis."""
    box: Box = {}
    for atom in mask.atoms:
        axis, low, high, factor = next(iter(atom.terms))
        if len(atom.terms) > 1 or low != 1 or high != sizes[axis]:
            return None
        begin, end = box.get(axis, (0, high))
        if factor < 0:
            end = min(end, atom.constant // -factor + 1)
        else:
            begin = max(begin, -(atom.constant // factor))
        box[axis] = (begin, max(begin, end))
    return box
