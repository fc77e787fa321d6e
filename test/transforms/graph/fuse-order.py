# RUN: %python %s
"""Merging in random acyclic graphs: refused exactly where a path goes around, and the order stays topological."""

from __future__ import annotations

import random
from itertools import pairwise

from fusir.transforms.graph.fusion.order import CyclicError, Member, TopologicalOrder


def random_members(generator: random.Random, count: int, edges: int) -> list[Member]:
    members = [Member() for _ in range(count)]
    for _ in range(edges):
        a, b = sorted(generator.sample(range(count), 2))
        members[a].succs[members[b]] = None
        members[b].preds[members[a]] = None
    return members


def goes_around(a: Member, b: Member) -> bool:
    """Whether a path of at least two edges leads from one to the other, in either direction."""
    return any(
        reaches(middle, goal) for start, goal in ((a, b), (b, a)) for middle in start.succs if middle is not goal
    )


def reaches(start: Member, goal: Member) -> bool:
    seen = {start: None}
    pending = [start]
    for member in pending:
        if member is goal:
            return True
        for succ in member.succs:
            if succ not in seen:
                seen[succ] = None
                pending.append(succ)
    return False


def check_order(order: TopologicalOrder, count: int) -> None:
    members = list(order)
    place = {member: number for number, member in enumerate(members)}
    assert len(members) == count
    assert all(a.label < b.label for a, b in pairwise(members))
    for member in members:
        assert all(place[member] < place[succ] for succ in member.succs)
        assert all(member in succ.preds for succ in member.succs)
        assert all(member in pred.succs for pred in member.preds)


refused = merged = 0
for seed in range(300):
    generator = random.Random(seed)
    count = generator.randint(2, 25)
    order = TopologicalOrder(random_members(generator, count, generator.randint(0, 2 * count)))
    for _ in range(count * 2):
        members = list(order)
        if len(members) < 2:
            break
        a, b = generator.sample(members, 2)
        around = goes_around(a, b)
        try:
            passage = order.passage(a, b)
        except CyclicError as error:
            assert around and not error.far
            refused += 1
            continue
        assert not around
        order.merge(a, b, passage)
        merged += 1
        check_order(order, len(members) - 1)
assert refused > 500 and merged > 500, (refused, merged)

# Beyond its limit the search gives up, and many merges at one place use up the gaps between labels.
fan = [Member() for _ in range(3000)]
for middle in fan[1:-1]:
    for pred, succ in ((fan[0], middle), (middle, fan[-1])):
        pred.succs[succ] = None
        succ.preds[pred] = None
order = TopologicalOrder(fan)
try:
    order.passage(fan[0], fan[-1])
    raise AssertionError("a path was not found")
except CyclicError:
    pass
first = fan[1]
for other in fan[2:-1]:
    order.merge(first, other, order.passage(first, other))
check_order(order, 3)
