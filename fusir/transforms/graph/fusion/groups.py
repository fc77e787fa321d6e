"""Groups of nodes that share a kernel, and what is known about each node in its group."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import cast

from xdsl.ir import SSAValue

from fusir.analysis.space import Aligner, Alignment, Space, walked_order
from fusir.dialects.graph import PermuteOp, ReduceOp, ScanOp, dims_of
from fusir.transforms.graph.fusion import cost
from fusir.transforms.graph.fusion.index_maps import IndexMaps
from fusir.transforms.graph.fusion.order import Member, TopologicalOrder
from fusir.transforms.graph.fusion.program import Node, Program, Read

Reads = dict[SSAValue, dict[int, int]]
"""For each value that a group reads, the index maps at which it does, with the bytes touched."""

Maps = dict[int, tuple[int, ...]]
"""For some nodes, the index maps at which they are computed."""


EVERYWHERE = Space(())
"""The space of an opaque node."""


def walked_dims(op: ReduceOp | ScanOp) -> tuple[int, ...]:
    """The dims of the operand that the inner loop of a reduction or a scan walks."""
    return op.dims if isinstance(op, ReduceOp) else (op.dim,)


class Refused(Exception):
    """Two groups do not merge. The text has a `{}` for the name of each value."""

    def __init__(self, text: str, *values: SSAValue, final: bool = False) -> None:
        super().__init__(text)
        self.text: str = text
        self.values: tuple[SSAValue, ...] = values
        self.final: bool = final
        """Whether no other merge can change it."""


@dataclass(eq=False, slots=True)
class Group(Member):
    """Nodes that share a kernel, or one opaque node.

    Nodes that depend on a reduction of the group are aligned with its space; all others are computed on demand at any
    index map. Each dim of a root is a run of factors of the space.
    """

    nodes: list[int] = field(default_factory=list)
    copies: dict[int, None] = field(default_factory=dict)
    """Nodes of other groups that this one computes too."""
    is_code: bool = False
    space: Space = EVERYWHERE
    reduction: SSAValue | None = None
    """The result of a reduction or a scan, if there is one."""
    scan: ScanOp | None = None
    """One of the scans, if there is one."""
    is_transposed: bool = False
    """Whether a root is stored in another order of dims than the space has."""
    roots: dict[int, None] = field(default_factory=dict)
    """The nodes whose results are used outside."""
    reads: Reads = field(default_factory=dict)
    read_bytes: int = 0
    write_bytes: int = 0
    operations: int = 0
    programs: int = 1

    @property
    def cost(self) -> int:
        """What the kernel takes, without its launch, in bytes of traffic."""
        return cost.kernel_cost(self.read_bytes + self.write_bytes, self.operations, self.programs)


@dataclass(slots=True)
class Edge:
    """A read by a node of one group from a node of another."""

    producer: int
    consumer: int
    position: int
    read: Read


class Groups:
    """The groups of a program, at first one for each node, and the state of each node in its group."""

    def __init__(self, program: Program) -> None:
        self.program: Program = program
        self.nodes: list[Node] = program.nodes
        self.index_maps: IndexMaps = IndexMaps(program)
        self.alignment: list[Alignment] = [Alignment.FREE] * len(self.nodes)
        self.maps: list[tuple[int, ...]] = [()] * len(self.nodes)
        """The index maps at which each node is computed: for an aligned node its place in the space."""
        self.inner_uses: list[int] = [0] * len(self.nodes)
        """The number of reads of each node by nodes of its own group."""
        self.of: list[Group] = []
        """The group of each node."""
        for node in self.nodes:
            self.of.append(self._single(node))
            for producer in (node.after, *(read.producer for read in node.reads)):
                if producer >= 0:
                    self.of[producer].succs[self.of[-1]] = None
                    self.of[-1].preds[self.of[producer]] = None
        self.order: TopologicalOrder = TopologicalOrder(self.of)

    def __iter__(self) -> Iterator[Group]:
        """The groups in a topological order that stays close to the program's."""
        return cast("Iterator[Group]", iter(self.order))

    def flat(self, number: int) -> int:
        """The index map of a node that is computed once for each of its elements."""
        return self.index_maps.flat(self.nodes[number].numel, self.nodes[number].size)

    def _single(self, node: Node) -> Group:
        group = Group(nodes=[node.number], is_code=node.is_code)
        if not node.is_code:
            return group
        group.space = Space.of(walked_order(node.value))
        group.is_transposed = isinstance(node.op, PermuteOp)
        group.roots[node.number] = None
        group.write_bytes = node.bytes
        if isinstance(node.op, ReduceOp | ScanOp):
            aligner = Aligner(Space.of(dims_of(node.op.operand), walked_dims(node.op)))
            self.alignment[node.number] = aligner.transfer(node.op, (Alignment.FREE,))
            group.space = aligner.space
            group.reduction = node.value
            group.scan = node.op if isinstance(node.op, ScanOp) else None
        group.programs = cost.programs(group.space, self.program.sizes)
        self.maps[node.number] = (self.flat(node.number),)
        group.reads, group.read_bytes, group.operations = self.traffic(group, {})
        return group

    def traffic(self, group: Group, maps: Maps) -> tuple[Reads, int, int]:
        """What a group reads, how many bytes that is, and how many operations it takes, with some maps replaced."""
        reads: Reads = {}
        total = operations = 0
        points, touched = self.index_maps.points, self.index_maps.touched
        for number in group.nodes:
            node = self.nodes[number]
            at = maps[number] if number in maps else self.maps[number]
            if node.is_reduce:
                operations += self.program.extent(node.op.operands[0])[1]
            else:
                operations += cost.weight(node.op) * sum(points[m] for m in at)
            for position, read in enumerate(node.reads):
                if read.is_constant or (read.producer >= 0 and self._is_inside(read, group)):
                    continue
                known = reads.setdefault(read.base, {})
                size = self.program.element_bytes(read.base)
                for m in self.index_maps.of_read(node, position, read, at):
                    if m not in known:
                        known[m] = touched[m] * size
                        total += known[m]
        return reads, total, operations

    def _is_inside(self, read: Read, group: Group) -> bool:
        return not read.in_buffer and self.of[read.producer] is group
