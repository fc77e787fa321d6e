"""A graph function as fusion sees it: nodes that are code or opaque, and reads through views.

- **Code** ops compute: they end up in a fusion.
- **Free** ops are views and constants. They are no nodes: a fusion that reads through them takes a copy of them in,
  which costs nothing, and what reads them outside of fusions gets a view of a buffer.
- **Opaque** ops run outside of fusions: ATen calls, contractions, the return.

A free op that is used outside and is no view of a buffer there (a constant, a reversal, a reshape of strided data) is
also a code node: it is copied. So is a transposed result that must have another layout than the view.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue

from fusir.analysis.bytes import SizeEstimate, element_bytes
from fusir.analysis.expr import product
from fusir.analysis.layout import Strides, layouts_of, transposed_results, view_through
from fusir.dialects.graph import (
    BroadcastOp,
    CallAtenOp,
    ConcatOp,
    ConvertOp,
    Dim,
    FullOp,
    GatherOp,
    GraphOp,
    IotaOp,
    PadOp,
    PermuteOp,
    PointwiseOp,
    RandomOp,
    ReduceOp,
    ReshapeOp,
    ScanOp,
    SliceOp,
    ViewOp,
    YieldOp,
    dims_of,
    element_type_of,
    is_native,
    is_stored,
)

MAX_VIEWS = 16
"""Views in a row that a fusion takes in; it reads a longer chain as a view of a buffer. So copies are linear in ops."""

_CODE = (PointwiseOp, ReduceOp, ScanOp, PadOp, ConcatOp, GatherOp, RandomOp)
_FREE = (ViewOp, FullOp, IotaOp)
_BUFFER_VIEWS = (PermuteOp, BroadcastOp, SliceOp)
"""Views that can always be views of a buffer."""


def is_code(op: Operation) -> bool:
    """Whether an op computes something that a kernel can."""
    known = is_stored if isinstance(op, ConvertOp) else is_native
    return isinstance(op, _CODE) and all(known(element_type_of(value)) for value in (*op.operands, *op.results))


@dataclass(slots=True)
class Read:
    """One operand of a node."""

    base: SSAValue
    """The value that is read: an argument, the result of a node, a view outside of fusions, or a constant."""
    producer: int
    """The number of the node that computes the base, or what it is a view of; -1 if none does."""
    views: tuple[Operation, ...] = ()
    """The free ops between the operand and the base, the one next to the operand first."""
    is_constant: bool = False
    """Whether the base is a constant, which every fusion makes itself."""
    in_buffer: bool = False
    """Whether the base is a view outside of fusions, so that its producer must have stored its result."""


@dataclass(slots=True)
class Node:
    """An op that is in a fusion, or outside of all fusions."""

    number: int
    op: Operation
    is_code: bool
    reads: tuple[Read, ...] = ()
    consumers: list[tuple[int, int]] = field(default_factory=list)
    """Reads of its results by nodes: the number of the reader, and which of its reads."""
    after: int = -1
    """The number of a node that must run before, beside those that it reads from."""
    dims: tuple[Dim, ...] = ()
    numel: Dim = 1
    size: int = 1
    """The estimated number of elements of the result of a code node."""
    bytes: int = 0
    """Estimated bytes of the result of a code node."""

    is_reduce: bool = False

    @property
    def value(self) -> SSAValue:
        """The result of a code node."""
        return self.op.results[0]


class Program:
    """The nodes of a function in program order. Building it erases the ops that nobody uses."""

    def __init__(self, func: FuncOp) -> None:
        self.func: FuncOp = func
        self.sizes: SizeEstimate = SizeEstimate(func)
        self.nodes: list[Node] = []
        self.free: set[Operation] = set()
        self.outside: set[Operation] = set()
        """Free ops that are used outside of fusions and stay there."""
        self._cut: set[Operation] = set()
        self._copied: set[Operation] = set()
        self._number: dict[Operation, int] = {}
        """The number of each op that is a node, and for a view that is none, of the node that it is a view of."""
        self._extents: dict[SSAValue, tuple[Dim, int]] = {}
        _erase_dead(func)
        self._classify()
        self._build()

    def extent(self, value: SSAValue) -> tuple[Dim, int]:
        """The number of elements of a value, exactly and as an estimate."""
        found = self._extents.get(value)
        if found is None:
            count = product(dims_of(value))
            found = count, self.sizes.of(count)
            self._extents[value] = found
        return found

    def element_bytes(self, value: SSAValue) -> int:
        """Bytes of one element of a value."""
        return element_bytes(element_type_of(value))

    def tensor_bytes(self, value: SSAValue) -> int:
        """The estimated bytes of a value."""
        return self.extent(value)[1] * self.element_bytes(value)

    def _classify(self) -> None:
        """Find the free ops, those where chains are cut, and those that are needed outside."""
        depth: dict[Operation, int] = {}
        wanted: list[SSAValue] = []
        for op in self.func.body.block.ops:
            if isinstance(op, _FREE):
                self.free.add(op)
                above = op.operands[0].owner if op.operands else None
                length = depth.get(above, 0) + 1 if isinstance(above, Operation) else 1
                if length == MAX_VIEWS:
                    self._cut.add(op)
                    wanted.append(op.results[0])
                    length = 0
                depth[op] = length
            elif not is_code(op):
                wanted.extend(op.operands)
        self._mark_transposed()
        self._mark_outside(wanted)

    def _mark_transposed(self) -> None:
        """Mark the permuted results that must be copied, so that a kernel that has the elements writes them."""
        self._copied |= transposed_results(self.func)

    def _mark_outside(self, values: Iterable[SSAValue]) -> None:
        layouts: dict[SSAValue, Strides] | None = None
        for value in values:
            while (op := self._free_owner(value)) and op not in self.outside and op not in self._copied:
                is_view = isinstance(op, _BUFFER_VIEWS)
                if isinstance(op, ReshapeOp):
                    layouts = layouts_of(self.func) if layouts is None else layouts
                    is_view = view_through(op, layouts[op.operand]) is not None
                if not is_view and is_native(element_type_of(op.results[0])):
                    self._copied.add(op)
                    break
                self.outside.add(op)
                if op.operands:
                    value = op.operands[0]

    def _build(self) -> None:
        last_impure = -1
        for op in self.func.body.block.ops:
            if op in self.free and op not in self._copied:
                self._number[op] = self._producer_behind(op.operands[0]) if op.operands else -1
                continue
            number = len(self.nodes)
            node = Node(number, op, op in self._copied or is_code(op))
            self._number[op] = number
            self.nodes.append(node)
            if node.is_code:
                node.is_reduce = isinstance(op, ReduceOp)
                node.dims = dims_of(node.value)
                node.numel, node.size = self.extent(node.value)
                node.bytes = self.tensor_bytes(node.value)
                node.reads = tuple(self._read(operand) for operand in op.operands)
            else:
                node.reads = tuple(Read(operand, self._producer_behind(operand)) for operand in op.operands)
                if not isinstance(op, GraphOp) or (isinstance(op, CallAtenOp) and not op.pure):
                    node.after = last_impure
                    last_impure = number
            for position, read in enumerate(node.reads):
                if read.producer >= 0:
                    self.nodes[read.producer].consumers.append((number, position))

    def _read(self, operand: SSAValue) -> Read:
        """What a code node reads when it follows the views above an operand."""
        views: list[Operation] = []
        base = operand
        while op := self._free_owner(base):
            if not op.operands:
                return Read(base, -1, tuple(views), is_constant=True)
            if op in self._cut:
                copied = op in self._copied
                return Read(base, self._producer_behind(base), tuple(views), in_buffer=not copied)
            views.append(op)
            base = op.operands[0]
        return Read(base, self._producer_behind(base), tuple(views))

    def _producer_behind(self, value: SSAValue) -> int:
        """The number of the node whose result a value is, or is a view of outside of fusions."""
        return self._number.get(value.owner, -1) if isinstance(value.owner, Operation) else -1

    def _free_owner(self, value: SSAValue) -> Operation | None:
        op = value.owner
        return op if isinstance(op, Operation) and op in self.free else None


def _erase_dead(func: FuncOp) -> None:
    """Erase the pure graph ops whose results nobody uses."""
    block = func.body.block
    op = block.last_op
    while op is not None:
        previous = op.prev_op
        removable = isinstance(op, GraphOp) and not isinstance(op, YieldOp)
        removable = removable and not (isinstance(op, CallAtenOp) and not op.pure)
        if removable and not any(result.uses for result in op.results):
            op.detach()
            op.erase()
        op = previous
