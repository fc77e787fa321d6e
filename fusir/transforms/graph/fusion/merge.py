"""Whether two groups may become one, and making them one.

`Merger.plan` proves that it is legal and pays, or raises `Refused` with the reason. `Merger.commit` does what was
planned.
"""

from __future__ import annotations

import heapq
from collections import ChainMap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import dropwhile
from typing import cast

from xdsl.ir import SSAValue

from fusir.analysis.space import Aligner, Alignment, Space, SpaceError
from fusir.dialects.graph import Dim, ReduceOp, ScanOp, dims_of
from fusir.transforms.graph.fusion import cost
from fusir.transforms.graph.fusion.groups import Edge, Group, Groups, Maps, Reads, Refused, walked_dims
from fusir.transforms.graph.fusion.order import CyclicError, Passage
from fusir.transforms.graph.fusion.program import Node, Read


@dataclass(slots=True)
class _Part:
    """One of two merging groups, as it is after the merge."""

    reads: Reads
    read_bytes: int
    operations: int
    maps: Maps
    """Nodes whose maps change."""


@dataclass(slots=True)
class Plan:
    """A merge that is legal and pays: all that `commit` changes."""

    first: Group
    second: Group
    edges: list[Edge]
    closed: list[int]
    """Roots of the first group that are none of the whole."""
    space: Space
    aligned: dict[int, Alignment]
    """Nodes of the second group that come to depend on a reduction of the first, and those that become columns."""
    passage: Passage
    parts: tuple[_Part, _Part]
    read_bytes: int
    programs: int


class Merger:
    """Merges groups."""

    def __init__(self, groups: Groups, max_ops: int) -> None:
        self.groups: Groups = groups
        self.max_ops: int = max_ops
        self._nodes: list[Node] = groups.nodes

    def plan(self, a: Group, b: Group) -> Plan:
        """Prove that two groups may merge and that it pays. Raises `Refused`."""
        first, second = (a, b) if a.label < b.label else (b, a)
        if len(first.nodes) + len(second.nodes) > self.max_ops:
            raise Refused(
                f"a kernel of {{}} and {{}} would have more than {self.max_ops} ops",
                _root(first, self._nodes),
                _root(second, self._nodes),
            )
        _check_scans(first, second)
        edges = self._edges(first, second)
        closed = self._closed(edges)
        space = self._space(first, second, closed)
        columns = self._columns(first, second, space)
        self._check_walk(first, second, space, columns)
        aligned, space = self._align(first, second, edges, space, columns)
        self._check_rows(first, second, aligned, space)
        self._check_transposed(first, second, space)
        passage = self._passage(first, second)
        parts = self._parts(first, second, edges, closed, aligned)
        programs = cost.programs(space, self.groups.program.sizes)
        read_bytes = self._check_reads(first, second, edges, closed, parts, programs)
        return Plan(first, second, edges, closed, space, columns | aligned, passage, parts, read_bytes, programs)

    def commit(self, plan: Plan) -> Group:
        """Merge two groups as planned, and return the group that they are now."""
        first, second, groups = plan.first, plan.second, self.groups
        keep, gone = (first, second) if _weight(first) >= _weight(second) else (second, first)
        groups.order.merge(keep, gone, plan.passage)
        reads = self._merged_reads(plan)
        write_bytes = first.write_bytes + second.write_bytes - sum(self._nodes[number].bytes for number in plan.closed)
        operations = sum(part.operations for part in plan.parts)
        roots = {number: None for number in first.roots if number not in plan.closed} | second.roots
        reduction = first.reduction or second.reduction
        for number in gone.nodes:
            groups.of[number] = keep
        for edge in plan.edges:
            groups.inner_uses[edge.producer] += 1
        for number, alignment in plan.aligned.items():
            groups.alignment[number] = alignment
        for part in plan.parts:
            for number, maps in part.maps.items():
                groups.maps[number] = maps
        keep.nodes.extend(gone.nodes)
        keep.space, keep.reduction, keep.scan = plan.space, reduction, first.scan or second.scan
        keep.roots, keep.reads = roots, reads
        keep.is_transposed = first.is_transposed or second.is_transposed
        keep.read_bytes, keep.write_bytes, keep.operations = plan.read_bytes, write_bytes, operations
        keep.programs = plan.programs
        return keep

    def _merged_reads(self, plan: Plan) -> Reads:
        inner = {edge.read.base for edge in plan.edges}
        large, small = (part.reads for part in plan.parts)
        if len(large) < len(small):
            large, small = small, large
        for base, maps in small.items():
            large.setdefault(base, {}).update(maps)
        for base in inner:
            large.pop(base, None)
        return large

    # Legality

    def _edges(self, first: Group, second: Group) -> list[Edge]:
        """All reads by the second group from the first; there are none the other way."""
        edges: list[Edge] = []
        of = self.groups.of
        if second not in first.succs:
            return edges
        if len(first.nodes) < len(second.nodes):
            for number in first.nodes:
                for consumer, position in self._nodes[number].consumers:
                    if of[consumer] is second:
                        edges.append(Edge(number, consumer, position, self._nodes[consumer].reads[position]))
        else:
            for number in second.nodes:
                for position, read in enumerate(self._nodes[number].reads):
                    if read.producer >= 0 and of[read.producer] is first:
                        edges.append(Edge(read.producer, number, position, read))
        for edge in edges:
            if edge.read.in_buffer:
                raise Refused("{} reads {} through too many views", *self._ends(edge), final=True)
        return edges

    def _ends(self, edge: Edge) -> tuple[SSAValue, SSAValue]:
        return self._nodes[edge.consumer].value, self._nodes[edge.producer].value

    def _closed(self, edges: list[Edge]) -> list[int]:
        """The roots of the first group that only the second one still reads."""
        uses: dict[int, int] = {}
        for edge in edges:
            uses[edge.producer] = uses.get(edge.producer, 0) + 1
        inner = self.groups.inner_uses
        return [number for number, count in uses.items() if inner[number] + count == len(self._nodes[number].consumers)]

    def _space(self, first: Group, second: Group, closed: list[int]) -> Space:
        """The space of both together."""
        if first.reduction is None and len(closed) == len(first.roots):
            return second.space
        if is_scalar(first) or is_scalar(second):
            space = second.space if is_scalar(first) else first.space
            if not all(self.groups.program.sizes.is_positive(extent) for extent in space.outer):
                scalar = self._open_root(first, closed) if is_scalar(first) else _root(second, self._nodes)
                raise Refused("a kernel that may have no programs cannot store {}", scalar)
            return space
        if (first.reduction is None) == (second.reduction is None):
            space = first.space.merge(second.space)
            if space is None and first.reduction is None:
                raise self._different_shapes(first, second, closed)
            if space is None:
                space = self._crossed(first, second)
            return space
        reducing, other = (first, second) if first.reduction is not None else (second, first)
        extents = other.space.outer
        of_reducing = reducing.space
        space = of_reducing.refine(extents) or of_reducing.refine_outer(extents) or of_reducing.refine_columns(extents)
        if space is None:
            root = self._open_root(first, closed) if other is first else _root(second, self._nodes)
            assert reducing.reduction is not None
            raise Refused("{} has neither the shape that {} walks nor that of its result", root, reducing.reduction)
        return space

    def _crossed(self, first: Group, second: Group) -> Space:
        """The space of reductions over rows and over columns of one tensor."""
        assert first.reduction is not None and second.reduction is not None
        space = first.space.cross(second.space) if first.scan is None and second.scan is None else None
        if space is None:
            raise _different_reductions(first, second)
        return space

    def _columns(self, first: Group, second: Group, space: Space) -> dict[int, Alignment]:
        """The nodes whose values are per column in the space of both, and were per row in the space of their group."""
        alignment = self.groups.alignment
        columns: dict[int, Alignment] = {}
        for group, other in ((first, second), (second, first)):
            if group.reduction is None or group.space.walked or not space.is_columns(group.space):
                continue
            for number in group.nodes:
                if alignment[number] is Alignment.FULL:
                    assert other.reduction is not None
                    value = self._nodes[number].value
                    raise Refused("{} needs column results in every row, {} those of its row", value, other.reduction)
                if alignment[number] is Alignment.OUTER:
                    columns[number] = Alignment.COLUMN
        return columns

    def _check_walk(self, first: Group, second: Group, space: Space, columns: dict[int, Alignment]) -> None:
        """Refuse a walk over rows whose column results do not stay in registers, or that reads bits of rows."""
        if not space.walked or (first.reduction is None) or (second.reduction is None):
            return
        length = self.groups.program.sizes.numel(space.reduced)
        results = sum(
            columns.get(number, self.groups.alignment[number]) is Alignment.COLUMN
            for group in (first, second)
            for number in group.nodes
            if self._nodes[number].is_reduce
        )
        text = "{} and {} reduce rows and columns: "
        if length > cost.MAX_WALKED_ROW or length * results > cost.MAX_WALKED_RESULTS:
            text += f"{results} results for each of {length} columns do not stay in registers"
        elif length < cost.MIN_WALKED_ROW and not _is_contiguous_walk(space):
            text += f"rows of {length} elements are not next to each other"
        else:
            return
        raise Refused(text, first.reduction, second.reduction, final=True)

    def _different_shapes(self, first: Group, second: Group, closed: list[int]) -> Refused:
        values = self._open_root(first, closed), _root(second, self._nodes)
        shapes = (_shape(dims_of(value)) for value in values)
        return Refused("{} has shape " + next(shapes) + ", {} has shape " + next(shapes), *values)

    def _open_root(self, first: Group, closed: list[int]) -> SSAValue:
        return self._nodes[next(number for number in first.roots if number not in closed)].value

    def _align(
        self, first: Group, second: Group, edges: list[Edge], space: Space, columns: dict[int, Alignment]
    ) -> tuple[dict[int, Alignment], Space]:
        """The alignment of the nodes of the second group that come to depend on a reduction of the first."""
        alignment, of = self.groups.alignment, self.groups.of
        aligner = Aligner(space)
        aligner.has_scan = first.scan is not None
        aligned: dict[int, Alignment] = {}
        known = ChainMap(aligned, columns)
        pending = sorted({edge.consumer for edge in edges if alignment[edge.producer] is not Alignment.FREE})
        queued = set(pending)
        while pending:
            number = heapq.heappop(pending)
            node = self._nodes[number]
            try:
                operands = [self._read_alignment(aligner, read, (first, second), known) for read in node.reads]
                found = aligner.transfer(node.op, operands)
            except SpaceError as error:
                raise Refused("{}: " + _literal(str(error)), node.value) from None
            current = columns.get(number, alignment[number])
            if current is found:
                continue
            if current is not Alignment.FREE:
                raise Refused("{} would be needed at two places of the kernel", node.value)
            aligned[number] = found
            for consumer, _ in node.consumers:
                if of[consumer] is second and consumer not in queued:
                    queued.add(consumer)
                    heapq.heappush(pending, consumer)
        return aligned, aligner.space

    def _read_alignment(
        self, aligner: Aligner, read: Read, groups: tuple[Group, Group], aligned: Mapping[int, Alignment]
    ) -> Alignment:
        if read.producer < 0 or read.in_buffer or self.groups.of[read.producer] not in groups:
            return Alignment.FREE
        alignment = aligned.get(read.producer, self.groups.alignment[read.producer])
        if alignment is not Alignment.FREE:
            for view in reversed(read.views):
                alignment = aligner.transfer(view, (alignment,))
        return alignment

    def _check_rows(self, first: Group, second: Group, aligned: dict[int, Alignment], space: Space) -> None:
        """Refuse few long rows: what is written along them runs faster in a kernel of its own, on the whole device."""
        if first.reduction is None or first.scan is not None or second.reduction is not None:
            return
        written = next((number for number, alignment in aligned.items() if alignment is Alignment.FULL), None)
        if written is None:
            return
        sizes = self.groups.program.sizes
        length = sizes.numel(space.reduced)
        if length > cost.MAX_SHORT_ROW and cost.programs(space, sizes) < cost.BUSY_PROGRAMS:
            rows = sizes.of(space.outer_numel)
            raise Refused(
                f"{{}} reduces {rows} rows of {length} elements: too few rows to keep the device busy writing {{}}",
                first.reduction,
                self._nodes[written].value,
                final=True,
            )

    def _check_transposed(self, first: Group, second: Group, space: Space) -> None:
        """Refuse transposed stores of long rows: a program that reduces these has too few of them at a time."""
        if not (first.is_transposed or second.is_transposed) or not space.factors or not space.factors[-1].reduced:
            return
        length = self.groups.program.sizes.numel(space.reduced)
        if length > cost.MAX_TRANSPOSED_ROW:
            values = _root(first, self._nodes), _root(second, self._nodes)
            raise Refused(f"{{}} and {{}} reduce rows of {length} elements and store them transposed", *values)

    def _passage(self, first: Group, second: Group) -> Passage:
        try:
            return self.groups.order.passage(first, second)
        except CyclicError as error:
            values = (_root(first, self._nodes), _root(second, self._nodes))
            if error.far:
                raise Refused("{} and {} are too far apart", *values) from None
            raise Refused("between {} and {} is an op that is not in their kernel", *values) from None

    # Cost

    def _parts(
        self, first: Group, second: Group, edges: list[Edge], closed: list[int], aligned: dict[int, Alignment]
    ) -> tuple[_Part, _Part]:
        """Both groups with the index maps that they have after the merge."""
        groups = self.groups
        fixed: Maps = {number: (groups.flat(number),) for number in aligned}
        if any(groups.maps[number] != maps for number, maps in fixed.items()):
            second_part = self._recompute(second, second, fixed, {}, ())
        else:
            second_part = _Part(second.reads, second.read_bytes, second.operations, {})
        if self._keeps_maps(edges, closed, second_part.maps):
            return _Part(first.reads, first.read_bytes, first.operations, {}), second_part
        return self._recompute(first, second, {}, second_part.maps, closed), second_part

    def _keeps_maps(self, edges: list[Edge], closed: list[int], maps: Maps) -> bool:
        """Whether the second group reads the values of the first only where they are computed anyway."""
        groups = self.groups
        read_at: dict[int, set[int]] = {}
        for edge in edges:
            if groups.alignment[edge.producer] is Alignment.FREE:
                consumer_maps = maps.get(edge.consumer, groups.maps[edge.consumer])
                node = self._nodes[edge.consumer]
                read_at.setdefault(edge.producer, set()).update(
                    groups.index_maps.of_read(node, edge.position, edge.read, consumer_maps)
                )
        return all(
            at.issubset(groups.maps[number]) and (number not in closed or groups.flat(number) in at)
            for number, at in read_at.items()
        )

    def _recompute(self, group: Group, reader: Group, fixed: Maps, outer: Maps, closed: list[int] | tuple[()]) -> _Part:
        """A group whose values `reader` reads too: the maps of its free nodes follow from those of their readers."""
        groups = self.groups
        maps = dict(fixed)
        for number in sorted(group.nodes, reverse=True):
            if number in fixed or groups.alignment[number] is not Alignment.FREE:
                continue
            is_root = number in group.roots and number not in closed
            found = {groups.flat(number): None} if is_root else {}
            for consumer, position in self._nodes[number].consumers:
                if groups.of[consumer] is not group and groups.of[consumer] is not reader:
                    continue
                node = self._nodes[consumer]
                at = maps.get(consumer) or outer.get(consumer) or groups.maps[consumer]
                found.update(dict.fromkeys(groups.index_maps.of_read(node, position, node.reads[position], at)))
            if len(found) > cost.MAX_INDEX_MAPS:
                raise Refused(
                    "{} would be computed again at more than " + f"{cost.MAX_INDEX_MAPS} places",
                    self._nodes[number].value,
                )
            maps[number] = tuple(found)
        return _Part(*groups.traffic(group, maps), maps)

    def _check_reads(
        self,
        first: Group,
        second: Group,
        edges: list[Edge],
        closed: list[int],
        parts: tuple[_Part, _Part],
        programs: int,
    ) -> int:
        """The bytes that both together read. Refuses too many buffers, and a merge that costs more than it saves."""
        small, large = sorted((part.reads for part in parts), key=len)
        inner = {edge.read.base for edge in edges}
        shared = [base for base in small if base in large]
        buffers = len(small) + len(large) - len(shared) - len(inner)
        buffers += len(first.roots) + len(second.roots) - len(closed)
        values = (_root(first, self._nodes), _root(second, self._nodes))
        if buffers > cost.MAX_BUFFERS:
            raise Refused(
                f"a kernel of {{}} and {{}} would read and write more than {cost.MAX_BUFFERS} tensors", *values
            )
        read_bytes = sum(part.read_bytes for part in parts)
        read_bytes -= sum(size for base in shared for m, size in small[base].items() if m in large[base])
        read_bytes -= sum(sum(parts[1].reads[base].values()) for base in inner)
        write_bytes = first.write_bytes + second.write_bytes - sum(self._nodes[number].bytes for number in closed)
        after = cost.kernel_cost(read_bytes + write_bytes, sum(part.operations for part in parts), programs)
        loss = after - first.cost - second.cost - cost.LAUNCH_BYTES
        if loss > 0:
            raise Refused(
                f"one kernel of {{}} and {{}} takes longer than two, as long as {loss} bytes of traffic", *values
            )
        return read_bytes


def is_scalar(group: Group) -> bool:
    """Whether a group computes single elements: any kernel can do that in its first program."""
    return group.reduction is None and not group.space.factors


def _weight(group: Group) -> int:
    """The work of merging a group into another."""
    return len(group.nodes) + len(group.succs) + len(group.preds)


def _is_contiguous_walk(space: Space) -> bool:
    """Whether the rows that a program walks are next to each other: no parallel factor is inside of a walked one."""
    inner = dropwhile(lambda factor: not factor.walked, space.factors)
    return all(factor.walked or factor.reduced for factor in inner)


def _root(group: Group, nodes: list[Node]) -> SSAValue:
    return nodes[next(iter(group.roots))].value


def _shape(dims: Sequence[Dim]) -> str:
    return "x".join(map(str, dims)) or "()"


def _literal(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")


def _check_scans(first: Group, second: Group) -> None:
    """Refuse scans from both ends, which have no common loop, and scans beside row and column reductions."""
    for one, other in ((first, second), (second, first)):
        if one.scan is not None and other.space.walked and other.reduction is not None:
            raise Refused("{} scans, {} walks over rows", one.scan.result, other.reduction, final=True)
    if first.scan is not None and second.scan is not None and first.scan.reverse != second.scan.reverse:
        raise Refused("{} and {} scan from different ends", first.scan.result, second.scan.result, final=True)


def _different_reductions(first: Group, second: Group) -> Refused:
    assert first.reduction is not None and second.reduction is not None
    left, right = (cast(ReduceOp | ScanOp, value.owner) for value in (first.reduction, second.reduction))
    same = dims_of(left.operand) == dims_of(right.operand)
    verbs = ["scans " if isinstance(op, ScanOp) else "reduces " for op in (left, right)]
    if verbs[0] == verbs[1]:
        verbs[1] = ""
    text = ", ".join(
        f"{{}} {verb}over dims {list(walked_dims(op))}" + ("" if same else f" of {_shape(dims_of(op.operand))}")
        for verb, op in zip(verbs, (left, right), strict=True)
    )
    return Refused(text, first.reduction, second.reduction, final=True)
