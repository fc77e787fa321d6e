"""Values that are cheaper to compute again in the kernels that read them than to store.

A result of one kernel that only other kernels read is not written if these can compute it from less: `x - mean` of a
batch norm from `x` and the small `mean`, a converted tensor from the original, an element of a log softmax from `x`,
the maximum and the sum. The readers get copies of the few ops between.
"""

from __future__ import annotations

from dataclasses import dataclass

from fusir.analysis.space import Aligner, Space, SpaceError, walked_order
from fusir.dialects.graph import PointwiseOp
from fusir.transforms.graph.fusion import cost
from fusir.transforms.graph.fusion.groups import Group, Groups, Maps, Reads

MAX_COPIES = 8
"""Ops that a kernel copies to compute one value again."""

MAX_READERS = 4
"""Kernels that compute one value again."""

SMALL_FRACTION = 16
"""A value of at most this part (one sixteenth) of the bytes of the avoided one is stored for the readers instead."""


@dataclass
class _Reader:
    """What one reader gains."""

    group: Group
    reads: Reads
    """What it reads more."""
    read_bytes: int
    operations: int


class Recomputation:
    """Avoids stores of the groups, one result at a time, in program order."""

    def __init__(self, groups: Groups, max_ops: int) -> None:
        self._groups: Groups = groups
        self._max_ops: int = max_ops
        self._pinned: set[int] = set()
        """Nodes whose stored results copies read."""

    def run(self) -> None:
        """Try every result of every group."""
        for group in list(self._groups):
            if group.is_code:
                for number in sorted(group.roots, key=lambda root: (-self._groups.nodes[root].bytes, root)):
                    self._try(group, number)

    def _try(self, group: Group, number: int) -> None:
        readers = self._readers(group, number)
        if not readers:
            return
        cone, stored, space = self._cone(group, number)
        if not cone:
            return
        if len(group.reads) + len(group.roots) + len(stored) > cost.MAX_BUFFERS:
            return
        changes = [self._reader(reader, number, cone) for reader in readers]
        vanishes = set(group.nodes) == {number} and not group.copies
        gain = self._groups.nodes[number].bytes + cost.LAUNCH_BYTES * vanishes
        gain -= sum(self._groups.nodes[each].bytes for each in stored if each not in group.roots)
        for change in changes:
            if change is None:
                return
            before = change.group.cost
            traffic = change.read_bytes + change.group.write_bytes
            gain += before - cost.kernel_cost(
                traffic, change.group.operations + change.operations, change.group.programs
            )
        if gain > 0:
            self._commit(group, number, cone, stored, space, [change for change in changes if change is not None])

    def _readers(self, group: Group, number: int) -> list[Group]:
        """The groups that read a result, if all are kernels and they are few."""
        if number in self._pinned:
            return []
        found: dict[Group, None] = {}
        for consumer, position in self._groups.nodes[number].consumers:
            reader = self._groups.of[consumer]
            if not reader.is_code or self._groups.nodes[consumer].reads[position].in_buffer:
                return []
            if reader is not group:
                found[reader] = None
        return list(found) if len(found) <= MAX_READERS else []

    def _cone(self, group: Group, number: int) -> tuple[list[int], list[int], Space]:
        """The nodes to copy, the nodes of the group whose results the copies read, and the space with these as roots.

        No nodes if the value cannot be computed from outside.
        """
        nodes = self._groups.nodes
        small = nodes[number].bytes // SMALL_FRACTION
        aligner = Aligner(group.space)
        cone = {number: None}
        stored: dict[int, None] = {}
        pending = [number]
        for each in pending:
            if not isinstance(nodes[each].op, PointwiseOp) or len(cone) > MAX_COPIES:
                return [], [], group.space
            for read in nodes[each].reads:
                producer = read.producer
                if producer < 0 or read.in_buffer or not self._is_inside(group, producer) or producer in cone:
                    continue
                if producer in group.roots or (
                    nodes[producer].bytes <= small and self._can_store(aligner, group, producer)
                ):
                    stored[producer] = None
                else:
                    cone[producer] = None
                    pending.append(producer)
        return sorted(cone), list(stored), aligner.space

    def _is_inside(self, group: Group, number: int) -> bool:
        return self._groups.of[number] is group or number in group.copies

    def _can_store(self, aligner: Aligner, group: Group, number: int) -> bool:
        """Whether a node of a group can be one of its results; refines the space for it."""
        if self._groups.of[number] is not group:
            return False
        try:
            aligner.root(walked_order(self._groups.nodes[number].value), self._groups.alignment[number])
        except SpaceError:
            return False
        return True

    def _reader(self, reader: Group, number: int, cone: list[int]) -> _Reader | None:
        """What a reader reads more with copies of the cone, None if it cannot have them."""
        groups, index_maps = self._groups, self._groups.index_maps
        if len(reader.nodes) + len(reader.copies) + len(cone) > self._max_ops:
            return None
        maps: Maps = {}
        reads: Reads = {}
        read_bytes = reader.read_bytes - sum(reader.reads[groups.nodes[number].value].values())
        operations = 0
        inside = set(cone)
        for each in reversed(cone):
            node = groups.nodes[each]
            found = self._maps_of_copy(reader, each, maps)
            if each in reader.copies or len(found) > cost.MAX_INDEX_MAPS:
                return None
            maps[each] = found
            operations += cost.weight(node.op) * sum(index_maps.points[m] for m in found)
            for position, read in enumerate(node.reads):
                if read.is_constant or (read.producer in inside and not read.in_buffer):
                    continue
                size = groups.program.element_bytes(read.base)
                for m in index_maps.of_read(node, position, read, found):
                    if m not in reader.reads.get(read.base, ()) and m not in reads.setdefault(read.base, {}):
                        reads[read.base][m] = index_maps.touched[m] * size
                        read_bytes += reads[read.base][m]
        tensors = len(reader.reads) + len(reader.roots) + sum(base not in reader.reads for base in reads) - 1
        if tensors > cost.MAX_BUFFERS:
            return None
        return _Reader(reader, reads, read_bytes, operations)

    def _maps_of_copy(self, reader: Group, number: int, maps: Maps) -> tuple[int, ...]:
        """Where the copy of a node is read by the nodes of a group and by the copies above."""
        groups = self._groups
        found: dict[int, None] = {}
        for consumer, position in groups.nodes[number].consumers:
            at = maps.get(consumer)
            if at is None and groups.of[consumer] is reader:
                at = groups.maps[consumer]
            if at is not None:
                node = groups.nodes[consumer]
                found.update(dict.fromkeys(groups.index_maps.of_read(node, position, node.reads[position], at)))
        return tuple(found)

    def _commit(
        self, group: Group, number: int, cone: list[int], stored: list[int], space: Space, changes: list[_Reader]
    ) -> None:
        groups = self._groups
        value = groups.nodes[number].value
        for change in changes:
            reader = change.group
            del reader.reads[value]
            for base, maps in change.reads.items():
                reader.reads.setdefault(base, {}).update(maps)
            reader.read_bytes = change.read_bytes
            reader.operations += change.operations
            reader.copies.update(dict.fromkeys(cone))
        for each in cone:
            self._pinned.update(read.producer for read in groups.nodes[each].reads)
        del group.roots[number]
        group.write_bytes -= groups.nodes[number].bytes
        for each in stored:
            if each not in group.roots:
                group.roots[each] = None
                group.write_bytes += groups.nodes[each].bytes
        group.space = space
        self._drop_unused(group)

    def _drop_unused(self, group: Group) -> None:
        """Remove the nodes of a group that nothing in it needs any more."""
        groups = self._groups
        needed = set(group.roots)
        members = sorted((*group.nodes, *group.copies), reverse=True)
        for number in members:
            if number in needed:
                needed.update(read.producer for read in groups.nodes[number].reads)
        if len(needed.intersection(members)) == len(members):
            return
        group.nodes = [number for number in group.nodes if number in needed]
        group.copies = {number: None for number in group.copies if number in needed}
