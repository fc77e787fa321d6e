"""Index maps as numbers: at which elements a kernel computes a value, told apart only by how it got there.

A map is the flat index of a box of points, followed through views. Two maps with the same number are the same
function; that two maps with different numbers are different is an assumption on the safe side.
"""

from __future__ import annotations

from collections.abc import Hashable

from xdsl.ir import Operation

from fusir.analysis.space import keeps_flat_index
from fusir.dialects.graph import ConcatOp, Dim, GatherOp, PadOp, PermuteOp, ViewOp
from fusir.transforms.graph.fusion.program import Node, Program, Read

SCALAR = 0
"""The map of every one-element tensor."""


class IndexMaps:
    """The maps met so far.

    `points[m]` is how often a value at map `m` is computed, `touched[m]` a bound on the distinct elements among these.
    """

    def __init__(self, program: Program) -> None:
        self._program: Program = program
        self._numbers: dict[Hashable, int] = {}
        self._view_keys: dict[Hashable, int] = {}
        self._key_of_view: dict[Operation, int | None] = {}
        self.points: list[int] = [1]
        self.touched: list[int] = [1]

    def flat(self, numel: Dim, size: int) -> int:
        """The identity on the flat index of a tensor of `numel` elements, estimated as `size`."""
        if numel == 1:
            return SCALAR
        return self._number(numel, size, size)

    def of_read(self, node: Node, position: int, read: Read, maps: tuple[int, ...]) -> list[int]:
        """The maps at which a node computed at `maps` reads the base of one of its reads."""
        result: list[int] = []
        for start in self._of_operand(node, position, maps):
            number = start
            for view in read.views:
                number = self._through(number, view)
            if number not in result:
                result.append(number)
        return result

    def _of_operand(self, node: Node, position: int, maps: tuple[int, ...]) -> tuple[int, ...]:
        op = node.op
        if node.is_reduce:
            operand = op.operands[0]
            return (self.flat(*self._program.extent(operand)),)
        if isinstance(op, PermuteOp) and maps == (self.flat(node.numel, node.size),):
            # A transposed copy walks the elements of its operand in their order.
            return maps
        if isinstance(op, ViewOp):
            return tuple(self._through(number, op) for number in maps)
        if isinstance(op, ConcatOp | PadOp | GatherOp):
            size = self._program.extent(op.operands[position])[1]
            share = size / node.size if isinstance(op, ConcatOp) and node.size else 1.0
            return tuple(self._compose(number, (node.number, position), size, share) for number in maps)
        return maps

    def _through(self, number: int, view: Operation) -> int:
        """The map of the operand of a view whose result is read at a map."""
        if not view.operands:
            return number
        if view not in self._key_of_view:
            self._key_of_view[view] = self._view_key(view)
        key = self._key_of_view[view]
        if key is None:
            return number
        return self._compose(number, key, self._program.extent(view.operands[0])[1], 1.0)

    def _view_key(self, view: Operation) -> int | None:
        """A number for what a view does, equal for equal views; None if it keeps the flat index."""
        if keeps_flat_index(view):
            return None
        properties = tuple(sorted(view.properties.items()))
        key = (view.name, view.operands[0].type, view.results[0].type, properties)
        return self._view_keys.setdefault(key, len(self._view_keys))

    def _compose(self, number: int, key: Hashable, size: int, share: float) -> int:
        if size <= 1:
            return SCALAR
        points = max(1, round(self.points[number] * share))
        return self._number((number, key), points, min(self.touched[number], size))

    def _number(self, key: Hashable, points: int, touched: int) -> int:
        found = self._numbers.get(key)
        if found is None:
            found = len(self.points)
            self._numbers[key] = found
            self.points.append(points)
            self.touched.append(touched)
        return found
