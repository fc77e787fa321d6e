"""Dividing the programs of a launch into chunks that run side by side."""

from __future__ import annotations

from bisect import bisect_right, insort
from math import prod
from typing import NamedTuple

MAX_IMPROVEMENTS = 64
"""Cuts and moduli that a plan takes before it stays as it is."""


class Cut(Exception):
    """The chunk of programs should be split at these program numbers, so that masks are decided in its parts."""

    def __init__(self, positions: tuple[int, ...]):
        super().__init__(positions)
        self.positions = positions


class Misaligned(Exception):
    """The program number is divided by `modulus`, which whole periods in a chunk would make two digits of it."""

    def __init__(self, modulus: int):
        super().__init__(modulus)
        self.modulus = modulus


class Chunk(NamedTuple):
    """Programs `start`, `start + 1`, ... , as many as the product of the radices.

    A program number is `start + sum(weight * digit)` with `0 <= digit < radix`; outer digits come first.
    """

    start: int
    radices: tuple[int, ...]
    may_replan: bool = False
    """Whether Cut and Misaligned may be raised before the first effect, to get better chunks."""
    moduli: frozenset[int] = frozenset()
    """Those that the division into chunks has been asked to respect already."""

    @property
    def size(self) -> int:
        """The number of programs."""
        return prod(self.radices)

    @property
    def weights(self) -> tuple[int, ...]:
        """The number of programs in one step of each digit."""
        return tuple(prod(self.radices[position + 1 :]) for position in range(len(self.radices)))


class Chunks:
    """A division of `0 <= program < grid` into chunks of at most `max_count` programs.

    It learns while it is used: positions at which a mask changes, so that it is decided in every chunk, and moduli by
    which the program number is divided, so that quotient and remainder are digits in every chunk.
    """

    def __init__(self, grid: int, max_count: int):
        self._grid = grid
        self._max_count = max_count
        self._cuts: list[int] = [grid]
        self._moduli: frozenset[int] = frozenset()
        # Each modulus divides the next one.
        self._chain: list[int] = []

    def cut(self, positions: tuple[int, ...]) -> None:
        """End chunks at these positions."""
        for position in positions:
            if position not in self._cuts:
                insort(self._cuts, position)

    def align(self, modulus: int) -> None:
        """Divide so that each chunk holds whole periods of `modulus` programs, or a part of one."""
        self._moduli |= {modulus}
        if modulus not in self._chain and all(modulus % m == 0 or m % modulus == 0 for m in self._chain):
            insort(self._chain, modulus)

    def at(self, start: int) -> Chunk:
        """The chunk that begins at `start`."""
        count = self._count_at(start)
        radices: list[int] = []
        rest = count
        for modulus in reversed(self._chain):
            if 1 < modulus < rest and rest % modulus == 0:
                radices.append(rest // modulus)
                rest = modulus
        may_replan = len(self._cuts) + len(self._moduli) <= MAX_IMPROVEMENTS
        return Chunk(start, (*radices, rest), may_replan, self._moduli)

    def _count_at(self, start: int) -> int:
        end = min(start + self._max_count, self._cuts[bisect_right(self._cuts, start)])
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
