"""Dividing the programs of a launch into chunks that run side by side."""

from __future__ import annotations

from bisect import insort
from collections.abc import Sequence
from math import prod
from typing import NamedTuple


class Cut(Exception):
    """The chunk should be cut at these positions of an axis, so that a mask is decided in its parts."""

    def __init__(self, axis: int, positions: tuple[int, ...]):
        super().__init__(axis, positions)
        self.axis = axis
        self.positions = positions


class Misaligned(Exception):
    """The program number is divided by `modulus`, which whole periods in a chunk would make two digits of it."""

    def __init__(self, modulus: int):
        super().__init__(modulus)
        self.modulus = modulus


class Chunk(NamedTuple):
    """The programs `start + sum(weight * digit)` with `0 <= digit < radix`, one axis for each digit."""

    start: int
    radices: tuple[int, ...]
    weights: tuple[int, ...]
    may_cut: bool = False
    """Whether Cut may be raised before the first effect."""
    may_align: bool = False
    """Whether Misaligned may be raised before the first effect."""
    moduli: frozenset[int] = frozenset()
    """Those that the division into chunks has been asked to respect already."""

    @property
    def size(self) -> int:
        """The number of programs."""
        return prod(self.radices)

    def cut(self, axis: int, positions: Sequence[int]) -> list[Chunk]:
        """The parts between the positions, which lie inside the axis."""
        ends = [*positions, self.radices[axis]]
        parts: list[Chunk] = []
        for begin, end in zip((0, *positions), ends, strict=True):
            radices = (*self.radices[:axis], end - begin, *self.radices[axis + 1 :])
            start = self.start + begin * self.weights[axis]
            parts.append(Chunk(start, radices, self.weights, may_cut=self.may_cut))
        return parts

    def settled(self) -> Chunk:
        """The same programs, to be run as they are."""
        return Chunk(self.start, self.radices, self.weights)


def consecutive(start: int, radices: Sequence[int]) -> Chunk:
    """The programs from `start` on, as many as the product of the radices, outer digits first."""
    weights = tuple(prod(radices[axis + 1 :]) for axis in range(len(radices)))
    return Chunk(start, tuple(radices), weights)


def groups(total: int, together: int, max_count: int) -> list[Chunk]:
    """Chunks of whole groups of `together` consecutive programs, with digits for the group and the place in it.

    A chunk has at most `max_count` programs, or one group. Raises ValueError unless the groups divide the total.
    """
    if total % together:
        raise ValueError(f"{total} programs are no groups of {together}")
    most = max(1, max_count // together) * together
    starts = range(0, total, most)
    return [consecutive(start, (min(most, total - start) // together, together)) for start in starts]


class Division:
    """A division of `0 <= program < total` into chunks of at most `max_count` consecutive programs.

    It learns the moduli by which the program number is divided: each chunk holds whole periods of them, or a part of
    one, and has digits for quotient and remainder.
    """

    def __init__(self, total: int, max_count: int):
        self._total = total
        self._max_count = max_count
        self._moduli: frozenset[int] = frozenset()
        # Each modulus divides the next one.
        self._chain: list[int] = []

    def align(self, modulus: int) -> None:
        """Respect a modulus, if it fits those before."""
        self._moduli |= {modulus}
        if modulus not in self._chain and all(modulus % m == 0 or m % modulus == 0 for m in self._chain):
            insort(self._chain, modulus)

    def at(self, start: int, may_improve: bool) -> Chunk:
        """The chunk that begins at `start`; `may_improve`: whether it may be cut and aligned."""
        count = self._count_at(start)
        radices: list[int] = []
        rest = count
        for modulus in reversed(self._chain):
            if 1 < modulus < rest and rest % modulus == 0:
                radices.append(rest // modulus)
                rest = modulus
        chunk = consecutive(start, [*radices, rest])
        return chunk._replace(may_cut=may_improve, may_align=may_improve, moduli=self._moduli)

    def _count_at(self, start: int) -> int:
        end = min(start + self._max_count, self._total)
        step = 1
        for modulus in self._chain:
            if modulus <= self._max_count:
                step = modulus
            else:
                end = min(end, start - start % modulus + modulus)
        if start % step:
            end = min(end, start - start % step + step)
        elif end - start > step:
            end -= (end - start) % step
        return end - start
