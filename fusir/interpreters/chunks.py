"""Dividing the programs of a launch into chunks that run side by side."""

from __future__ import annotations

from bisect import bisect_right, insort
from math import lcm

MAX_IMPROVEMENTS = 64
"""Cuts and moduli that a plan takes before it stays as it is."""


class Chunks:
    """A division of `0 <= program < grid` into chunks of at most `max_count` programs.

    It learns while it is used: positions at which a mask changes, so that it is decided in every chunk, and moduli by
    which the program number is divided, so that quotient and remainder are digits in every chunk.
    """

    def __init__(self, grid: int, max_count: int):
        self._grid = grid
        self._max_count = max_count
        self._cuts: list[int] = [grid]
        self.moduli: list[int] = []
        """The moduli known, ascending."""
        self._step = 1

    @property
    def may_improve(self) -> bool:
        """Whether the plan still takes improvements."""
        return len(self._cuts) + len(self.moduli) <= MAX_IMPROVEMENTS

    def cut(self, positions: tuple[int, ...]) -> None:
        """End chunks at these positions."""
        for position in positions:
            if position not in self._cuts:
                insort(self._cuts, position)

    def align(self, modulus: int) -> None:
        """Divide so that each chunk holds whole periods of `modulus` programs, or a part of one."""
        if modulus not in self.moduli:
            insort(self.moduli, modulus)
            self._step = 1
            for each in self.moduli:
                joint = lcm(self._step, each)
                if joint <= self._max_count:
                    self._step = joint

    def count_at(self, start: int) -> int:
        """The number of programs of the chunk that begins at `start`."""
        end = min(start + self._max_count, self._cuts[bisect_right(self._cuts, start)])
        for modulus in self.moduli:
            if self._step % modulus:
                end = min(end, start - start % modulus + modulus)
        if self._step > 1:
            if start % self._step:
                end = min(end, start - start % self._step + self._step)
            elif end - start > self._step:
                end -= (end - start) % self._step
        return end - start
