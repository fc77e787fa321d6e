"""A topological order of groups that is kept while groups merge.

Merging two groups is legal if no path leaves one and comes back to the other. The search for such a path goes from
both ends at once, only through groups that stand between the two in the order, and ends as soon as one side is
exhausted. Then only what that side met must move, as in the algorithm of Pearce and Kelly, "A dynamic topological
sort algorithm for directed acyclic graphs" (2006), here with contraction, and with labels that leave gaps instead of
consecutive numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

SEARCH_LIMIT = 400
"""Edges that one side of a search follows before it gives up. What stands farther apart is not fused."""

_GAP = 1 << 60
"""Distance of neighbouring labels after relabelling: room for 60 halvings."""


@dataclass(eq=False, slots=True)
class Member:
    """An element of the order."""

    succs: dict[Member, None] = field(default_factory=dict)
    preds: dict[Member, None] = field(default_factory=dict)
    label: int = 0
    before: Member | None = None
    after: Member | None = None


@dataclass(frozen=True, slots=True)
class Passage:
    """The proof that two members may merge: the side that was exhausted and what was met there, in order."""

    first: Member
    last: Member
    forward: bool
    met: tuple[Member, ...]


class CyclicError(Exception):
    """Two members may not merge. `far` if the search gave up."""

    def __init__(self, far: bool) -> None:
        super().__init__()
        self.far: bool = far


class TopologicalOrder:
    """Members in a topological order of their edges."""

    def __init__(self, members: Sequence[Member]) -> None:
        """The members with their edges, in an order that is topological."""
        self._first: Member | None = members[0] if members else None
        for left, right in pairwise(members):
            left.after, right.before = right, left
        self._relabel()

    def __iter__(self) -> Iterator[Member]:
        member = self._first
        while member is not None:
            yield member
            member = member.after

    def passage(self, a: Member, b: Member) -> Passage:
        """Prove that two members may merge. Raises `CyclicError` if a path connects them through others."""
        first, last = (a, b) if a.label < b.label else (b, a)
        sides = (_Side(first, last, forward=True), _Side(last, first, forward=False))
        while True:
            for side in sides:
                if side.step():
                    met = tuple(sorted(side.met, key=lambda member: member.label))
                    return Passage(first, last, side.forward, met)
            if all(side.followed > SEARCH_LIMIT for side in sides):
                raise CyclicError(far=True)

    def merge(self, keep: Member, gone: Member, passage: Passage) -> None:
        """Make `keep` one member with `gone`, at a place that the passage proves to be right."""
        for member in passage.met:
            self._unlink(member)
        if passage.forward:
            chain = (keep, *passage.met)
            place = passage.last
        else:
            chain = (*passage.met, keep)
            place = passage.first
        other = gone if place is keep else keep
        self._unlink(other)
        before, after = place.before, place.after
        self._link(before, chain, after)
        self._contract(keep, gone)

    def _contract(self, keep: Member, gone: Member) -> None:
        for succ in gone.succs:
            del succ.preds[gone]
            if succ is not keep:
                succ.preds[keep] = None
                keep.succs[succ] = None
        for pred in gone.preds:
            del pred.succs[gone]
            if pred is not keep:
                pred.succs[keep] = None
                keep.preds[pred] = None
        gone.succs = {}
        gone.preds = {}

    def _unlink(self, member: Member) -> None:
        if member.before is None:
            self._first = member.after
        else:
            member.before.after = member.after
        if member.after is not None:
            member.after.before = member.before

    def _link(self, before: Member | None, chain: Sequence[Member], after: Member | None) -> None:
        """Put the chain between two neighbours."""
        room = _GAP * (len(chain) + 1)
        low = before.label if before is not None else (after.label if after is not None else 0) - room
        high = after.label if after is not None else low + room
        step = (high - low) // (len(chain) + 1)
        previous = before
        for number, member in enumerate(chain):
            member.label = low + step * (number + 1)
            member.before = previous
            if previous is None:
                self._first = member
            else:
                previous.after = member
            previous = member
        assert previous is not None
        previous.after = after
        if after is not None:
            after.before = previous
        if step == 0:
            self._relabel()

    def _relabel(self) -> None:
        for number, member in enumerate(self):
            member.label = number * _GAP


class _Side:
    """A breadth-first search from one member towards another, through what stands between them."""

    def __init__(self, start: Member, goal: Member, forward: bool) -> None:
        self.forward: bool = forward
        self.goal: Member = goal
        self.met: dict[Member, None] = {}
        self.followed: int = 0
        self._edges: Iterator[Member] = self._walk(start)

    def _walk(self, start: Member) -> Iterator[Member]:
        queue = [start]
        for member in queue:
            for other in member.succs if self.forward else member.preds:
                self.followed += 1
                if other is self.goal:
                    if member is not start:
                        raise CyclicError(far=False)
                elif other not in self.met and (
                    other.label < self.goal.label if self.forward else other.label > self.goal.label
                ):
                    self.met[other] = None
                    queue.append(other)
                yield other

    def step(self) -> bool:
        """Follow some edges. True if there is none left: no path leads to the goal."""
        for _ in range(16):
            if self.followed > SEARCH_LIMIT:
                return False
            if next(self._edges, None) is None:
                return True
        return False
