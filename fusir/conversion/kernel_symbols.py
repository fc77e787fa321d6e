"""The symbols of a kernel: those of the function that its fusion uses, numbered from 0."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from xdsl.dialects.builtin import MemRefType
from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineExpr

from fusir.analysis.expr import Dim, as_dim, as_expr, simplify, substitute, symbols_used
from fusir.dialects import graph
from fusir.dialects.graph import dims_of
from fusir.dialects.loop import StridedAttr, signless, strides_of


class KernelSymbols:
    """Which symbols of the function a fusion uses, and what dims over them are in its kernel."""

    def __init__(self, fusion: graph.FusionOp, buffer_types: Sequence[MemRefType]):
        """`buffer_types` are the types of the buffers of the kernel, over the symbols of the function."""
        self.positions = _symbols_of(fusion, buffer_types)
        """The positions of the symbols in the function, in the order of the kernel."""
        self._numbers = {position: AffineExpr.symbol(number) for number, position in enumerate(self.positions)}

    def dim(self, dim: Dim) -> Dim:
        """A dim over the function's symbols, over the kernel's."""
        if isinstance(dim, int):
            return dim
        return as_dim(simplify(substitute(dim, (), self._numbers)))

    def dims_of(self, value: SSAValue) -> tuple[Dim, ...]:
        """The extents of a tensor of the fusion."""
        return tuple(self.dim(dim) for dim in dims_of(value.type))

    def buffer_type(self, type_: MemRefType) -> MemRefType:
        """The type of a buffer in the kernel: signless elements, and strides over the kernel's symbols."""
        layout = type_.layout
        if isinstance(layout, StridedAttr):
            layout = StridedAttr(tuple(as_expr(self.dim(stride)) for stride in layout.data))
        return MemRefType(signless(type_.element_type), type_.shape, layout)


def _symbols_of(fusion: graph.FusionOp, buffer_types: Iterable[MemRefType]) -> tuple[int, ...]:
    """Positions of the function symbols that occur in shapes, slice starts, paddings and strides, sorted."""
    used: set[int] = set()

    def note(dims: Iterable[Dim]) -> None:
        for dim in dims:
            if not isinstance(dim, int):
                used.update(symbols_used(dim))

    for type_ in buffer_types:
        note(strides_of(type_))
    for arg in fusion.block.args:
        note(dims_of(arg.type))
    for op in fusion.block.ops:
        for result in op.results:
            note(dims_of(result.type))
        if isinstance(op, graph.SliceOp):
            note(op.starts)
        elif isinstance(op, graph.PadOp):
            note((*op.low, *op.high))
    return tuple(sorted(used))
