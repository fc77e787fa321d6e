"""Where the elements of a graph value come from, once views are index maps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.ir import Attribute, SSAValue
from xdsl.ir.affine import AffineExpr

from fusir.analysis.expr import (
    Dim,
    as_expr,
    delinearize,
    linearize,
    product,
    row_major_strides,
    simplify,
    substitute,
)
from fusir.conversion.kernel_symbols import KernelSymbols
from fusir.diagnostics import CompileError
from fusir.dialects import graph


@dataclass(frozen=True)
class Source:
    """Where a graph value comes from: a buffer element, an index, or a constant.

    `exprs` are over the dims of the value: the indices into `buffer`, or for an iota the index itself.
    """

    buffer: SSAValue | None
    exprs: tuple[AffineExpr, ...]
    constant: Attribute | None = None

    @staticmethod
    def of_buffer(buffer: SSAValue, rank: int) -> Source:
        """A value whose element at `d` is the element of `buffer` at `d`."""
        return Source(buffer, tuple(AffineExpr.dimension(i) for i in range(rank)))

    @staticmethod
    def of_constant(value: Attribute) -> Source:
        """A value all of whose elements are `value`."""
        return Source(None, (), value)

    @staticmethod
    def of_index(dim: int) -> Source:
        """A value whose element at `d` is `d[dim]`."""
        return Source(None, (AffineExpr.dimension(dim),))

    def view(self, exprs: Sequence[AffineExpr], dims: Sequence[Dim]) -> Source:
        """The source of a view whose element at `d` is the element of this value at `exprs(d)`, of extents `dims`."""
        composed = tuple(simplify(substitute(expr, exprs), dims) for expr in self.exprs)
        return Source(self.buffer, composed, self.constant)


def view_exprs(op: graph.ViewOp, symbols: KernelSymbols) -> list[AffineExpr]:
    """The index map of a view: the indices into its operand over the dims of its result."""
    dims, operand_dims = symbols.dims_of(op.results[0]), symbols.dims_of(op.operands[0])
    d = [AffineExpr.dimension(i) for i in range(len(dims))]
    match op:
        case graph.ReshapeOp():
            if product(dims) == 0:
                return [AffineExpr.constant(0) for _ in operand_dims]
            flat = linearize(d, row_major_strides(dims))
            return [simplify(expr, dims) for expr in delinearize(flat, operand_dims, dims)]
        case graph.PermuteOp():
            exprs = [AffineExpr.constant(0)] * len(d)
            for position, source in enumerate(op.permutation):
                exprs[source] = d[position]
            return exprs
        case graph.BroadcastOp():
            return [
                AffineExpr.constant(0) if operand_dims[i] == 1 else d[position] for i, position in enumerate(op.dims)
            ]
        case graph.SliceOp():
            starts = [as_expr(symbols.dim(start)) for start in op.starts]
            return [simplify(d[i] * step + starts[i], dims) for i, step in enumerate(op.steps)]
        case graph.ReverseOp():
            reversed_dims = set(op.dims)
            return [
                simplify(as_expr(dim) - 1 - d[i], dims) if i in reversed_dims else d[i] for i, dim in enumerate(dims)
            ]
        case _:
            raise CompileError(op, f"{op.name} has no index map")
