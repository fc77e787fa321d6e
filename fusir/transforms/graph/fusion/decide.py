"""Which ops share a kernel: greedy merging of groups, the largest saving first.

First along producers and consumers, then among kernels that read the same tensor. Each pair is looked at a bounded
number of times, and each look costs about the smaller of the two groups.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import cast

from xdsl.ir import SSAValue

from fusir.analysis.space import Space
from fusir.dialects.graph import Dim
from fusir.transforms.graph.fusion import cost
from fusir.transforms.graph.fusion.groups import Group, Groups, Refused
from fusir.transforms.graph.fusion.merge import Merger, is_scalar
from fusir.transforms.graph.fusion.program import Program
from fusir.transforms.graph.fusion.recompute import Recomputation

MAX_ROUNDS = 4
"""How often the refused edges are tried again: a merge elsewhere may have removed the reason."""

MAX_SIBLINGS = 4
"""How many kernels that read a tensor, over as many elements, one more reader of it is compared with."""


@dataclass
class Decision:
    """The groups of a program, and why others are none."""

    groups: Groups
    refusals: list[tuple[int, int, Refused]]
    """Two nodes that are connected or read the same tensor, but are in different groups, and the reason."""


def decide(program: Program, enabled: bool, max_ops: int) -> Decision:
    """Group the code nodes of a program. Not enabled: each is a group of its own."""
    groups = Groups(program)
    if not enabled:
        return Decision(groups, [])
    merger = Merger(groups, max_ops)
    vertical = _Edges(merger)
    vertical.merge_all()
    siblings = _merge_siblings(merger)
    _merge_readers(merger)
    _merge_small(merger)
    vertical.merge_all()
    Recomputation(groups, max_ops).run()
    refusals = [*vertical.refused, *siblings]
    return Decision(groups, [entry for entry in refusals if groups.of[entry[0]] is not groups.of[entry[1]]])


class _Edges:
    """The reads of code nodes from code nodes, those first where not storing what is read saves the most bytes."""

    def __init__(self, merger: Merger) -> None:
        self._merger: Merger = merger
        self._pending: list[tuple[int, int]] = self._all()
        self.refused: list[tuple[int, int, Refused]] = []

    def _all(self) -> list[tuple[int, int]]:
        nodes = self._merger.groups.nodes
        edges: dict[tuple[int, int], int] = {}
        for node in nodes:
            for read in node.reads if node.is_code else ():
                if read.producer >= 0 and nodes[read.producer].is_code:
                    producer = nodes[read.producer]
                    only = len(producer.consumers) == 1
                    edges[(node.number, producer.number)] = producer.bytes * (2 if only else 1)
        return sorted(edges, key=lambda edge: (-edges[edge], edge))

    def merge_all(self) -> None:
        """Merge along the edges, again and again while that makes others possible."""
        of = self._merger.groups.of
        final = [entry for entry in self.refused if entry[2].final]
        for _ in range(MAX_ROUNDS):
            retry: list[tuple[int, int, Refused]] = []
            merged = False
            for consumer, producer in self._pending:
                a, b = of[producer], of[consumer]
                if a is b:
                    continue
                try:
                    self._merger.commit(self._merger.plan(a, b))
                    merged = True
                except Refused as refusal:
                    (final if refusal.final else retry).append((producer, consumer, refusal))
            self._pending = [(consumer, producer) for producer, consumer, _ in retry]
            self.refused = final + retry
            if not merged:
                break


def _merge_siblings(merger: Merger) -> list[tuple[int, int, Refused]]:
    """Merge kernels that read the same tensor, the largest tensors first. Returns what was refused."""
    program, of = merger.groups.program, merger.groups.of
    readers: dict[SSAValue, list[int]] = {}
    for node in program.nodes:
        for read in node.reads if node.is_code else ():
            if not read.is_constant:
                readers.setdefault(read.base, []).append(node.number)
    shared = [value for value, numbers in readers.items() if len(numbers) > 1]
    sizes = {value: program.tensor_bytes(value) for value in shared}
    refused: list[tuple[int, int, Refused]] = []
    for value in sorted(shared, key=lambda value: -sizes[value]):
        seen: set[Group] = set()
        kernels: dict[Dim, list[int]] = {}
        for number in readers[value]:
            if of[number] not in seen:
                alike = kernels.setdefault(of[number].space.full_numel, [])
                if not _merge_with_one(merger, number, alike[-MAX_SIBLINGS:], sizes[value], refused):
                    alike.append(number)
                seen.add(of[number])
    return refused


def _merge_with_one(
    merger: Merger, number: int, others: list[int], shared: int, refused: list[tuple[int, int, Refused]]
) -> bool:
    """Merge the group of a node with the first possible one among those of other nodes."""
    of = merger.groups.of
    for other in reversed(others):
        if not _worth_sharing(of[number], of[other], shared):
            continue
        try:
            merger.commit(merger.plan(of[other], of[number]))
        except Refused as refusal:
            refused.append((other, number, refusal))
        else:
            return True
    return False


def _merge_readers(merger: Merger) -> None:
    """Merge short kernels over one space that read results of one kernel, such as the finishes of partial results."""
    of = merger.groups.of
    for producer in [group for group in merger.groups if group.is_code]:
        if of[producer.nodes[0]] is not producer:
            continue
        last: dict[Space, int] = {}
        for reader in sorted(cast("list[Group]", list(producer.succs)), key=lambda group: min(group.nodes)):
            if not reader.is_code or reader.cost > cost.SHORT_BYTES or of[reader.nodes[0]] is not reader:
                continue
            other = last.get(reader.space)
            last[reader.space] = reader.nodes[0]
            if other is not None:
                with suppress(Refused):
                    merger.commit(merger.plan(of[other], reader))


def _merge_small(merger: Merger) -> None:
    """Merge kernels that are no longer than their launch, such as the counters of many layers."""
    of = merger.groups.of
    last: dict[Space, int] = {}
    for group in list(merger.groups):
        if not group.is_code or group.cost > cost.LAUNCH_BYTES:
            continue
        other = last.get(group.space)
        last[group.space] = group.nodes[0]
        if other is not None:
            with suppress(Refused):
                merger.commit(merger.plan(of[other], group))
    _merge_scalars(merger)


def _merge_scalars(merger: Merger) -> None:
    """Let a neighbouring kernel compute what is left of single elements, such as the counter of a batch norm."""
    of = merger.groups.of
    groups = [group for group in merger.groups if group.is_code]
    for position, group in enumerate(groups):
        if not is_scalar(group) or of[group.nodes[0]] is not group:
            continue
        places = range(max(0, position - MAX_SIBLINGS), min(len(groups), position + MAX_SIBLINGS + 1))
        for place in sorted(places, key=lambda place: abs(place - position)):
            other = groups[place]
            if other is group or is_scalar(other) or of[other.nodes[0]] is not other:
                continue
            try:
                merger.commit(merger.plan(other, group))
            except Refused:
                continue
            break


def _worth_sharing(a: Group, b: Group, shared: int) -> bool:
    """Whether a shared input is a large part of the traffic, or the kernels are so short that a launch is."""
    traffic = min(group.read_bytes + group.write_bytes for group in (a, b))
    return min(a.cost, b.cost) < cost.LAUNCH_BYTES or shared * cost.SHARED_FRACTION >= traffic
