"""The accesses of a fused kernel as expressions over numbered loop dims.

A fused kernel is one `loop.parallel` whose body holds scalars and sibling inner loops of equal extents. Dims are
numbered: the outer ones, then the inner ones (one number for all siblings), then indices that are computed at run time.

Where rows and columns are reduced, the inner loops are in a walk, a `loop.reduce` over rows, whose dims come between
the outer and the inner ones. The last outer dims are then the columns: they have the extents of the inner dims.

The loop of contractions, of which there is at most one, has the last numbers. It may be inside of an inner loop.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from xdsl.dialects import affine
from xdsl.dialects.builtin import AffineMapAttr, MemRefType
from xdsl.ir import BlockArgument, SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap

from fusir.analysis.expr import (
    Dim,
    dims_used,
    linear_coefficients,
    linearize,
    product,
    simplify,
    substitute,
    symbols_used,
)
from fusir.analysis.nests import CONTRACTION, kernel_extents, symbol_number
from fusir.dialects.loop import KernelOp, LoadOp, LoopOp, ParallelOp, ReduceOp, StoreOp, strides_of

AccessOp = LoadOp | StoreOp | affine.ApplyOp
"""The ops that hold an index map."""


def map_operands(op: AccessOp) -> Sequence[SSAValue]:
    """The operands of the index map of `op`, dims first."""
    return op.mapOperands if isinstance(op, affine.ApplyOp) else op.indices


def exprs_of(op: AccessOp, numbers: Mapping[SSAValue, int]) -> tuple[AffineExpr, ...]:
    """The index expressions of `op` over `d<numbers[index]>` and the symbols of the kernel."""
    index_map, operands = op.map.data, map_operands(op)
    dims = [AffineExpr.dimension(numbers[operand]) for operand in operands[: index_map.num_dims]]
    symbols = [AffineExpr.symbol(symbol_number(symbol)) for symbol in operands[index_map.num_dims :]]
    return tuple(substitute(expr, dims, symbols) for expr in index_map.results)


def build_map(
    exprs: Sequence[AffineExpr], indices: Mapping[int, SSAValue], kernel: KernelOp
) -> tuple[AffineMapAttr, list[SSAValue]]:
    """The map and operands of an access at `exprs`, with `indices[i]` the value of `d<i>`; only what is used."""
    dims = sorted(set[int]().union(*(dims_used(expr) for expr in exprs)))
    symbols = sorted(set[int]().union(*(symbols_used(expr) for expr in exprs)))
    renamed: Sequence[AffineExpr] = exprs
    if dims != list(range(len(dims))) or symbols != list(range(len(symbols))):
        new_dims = {dim: AffineExpr.dimension(i) for i, dim in enumerate(dims)}
        new_symbols = {symbol: AffineExpr.symbol(i) for i, symbol in enumerate(symbols)}
        renamed = [substitute(expr, new_dims, new_symbols) for expr in exprs]
    arguments = kernel.symbols if symbols else []
    operands = [indices[dim] for dim in dims] + [arguments[symbol] for symbol in symbols]
    return AffineMapAttr(AffineMap(len(dims), len(symbols), tuple(renamed))), operands


def is_symbol(value: SSAValue, kernel: KernelOp) -> bool:
    """Whether `value` is an argument of the kernel."""
    return isinstance(value, BlockArgument) and value.block is kernel.body.block


@dataclass
class Access:
    """An op with an index map, in a fused kernel."""

    op: AccessOp
    exprs: tuple[AffineExpr, ...]
    """The indices, over the numbered dims."""
    offset: AffineExpr
    """The offset into the buffer in elements; for a plain index the index itself."""
    coefficients: dict[int, Dim] | None
    """The stride of each dim in `offset`, None where that is not linear."""
    used: set[int]
    """The dims that `offset` depends on."""

    @property
    def is_memory(self) -> bool:
        return not isinstance(self.op, affine.ApplyOp)

    def stride(self, dim: int) -> Dim | None:
        """Elements that a step of `dim` moves; None where that depends on the place."""
        if dim not in self.used:
            return 0
        return None if self.coefficients is None else self.coefficients.get(dim, 0)


class KernelAccesses:
    """The loops of a fused kernel, their dims numbered, and all its accesses."""

    def __init__(
        self,
        kernel: KernelOp,
        outer: ParallelOp,
        inner: Sequence[LoopOp],
        walk: ReduceOp | None = None,
        contraction: ReduceOp | None = None,
    ):
        self.kernel = kernel
        self.outer = outer
        self.walk = walk
        """The loop over rows that holds the inner loops."""
        self.inner = inner
        self.contraction = contraction
        """The loop of the contractions."""
        outer_extents = kernel_extents(outer)
        walk_extents = kernel_extents(walk) if walk is not None else ()
        inner_extents = kernel_extents(inner[0]) if inner else ()
        self.outer_dims = list(range(len(outer_extents)))
        self.walk_dims = [len(outer_extents) + i for i in range(len(walk_extents))]
        self.inner_dims = [len(outer_extents) + len(walk_extents) + i for i in range(len(inner_extents))]
        contracted_extents = kernel_extents(contraction) if contraction is not None else ()
        self.extents: list[Dim] = [*outer_extents, *walk_extents, *inner_extents]
        self.contracted_dims = [len(self.extents) + i for i in range(len(contracted_extents))]
        self.extents += contracted_extents
        self.numbers: dict[SSAValue, int] = {}
        for loop, dims in self.loops():
            self.numbers |= dict(zip(loop.indices, dims, strict=False))
        self.run_time: dict[int, SSAValue] = {}
        self.accesses = [self._access(op) for op in kernel.walk() if isinstance(op, AccessOp)]

    @staticmethod
    def of(kernel: KernelOp) -> KernelAccesses | None:
        """The accesses of a fused kernel, None for a kernel of another form."""
        loops = [op for op in kernel.body.block.ops if isinstance(op, LoopOp)]
        if len(loops) != 1 or not isinstance(loops[0], ParallelOp):
            return None
        contractions = [op for op in kernel.walk() if isinstance(op, ReduceOp) and CONTRACTION in op.attributes]
        if len(contractions) > 1:
            return None
        inner = _inner_loops(loops[0])
        walk: ReduceOp | None = None
        if len(inner) == 1 and isinstance(inner[0], ReduceOp):
            rows = _inner_loops(inner[0])
            if rows:
                walk, inner = inner[0], rows
                extents = kernel_extents(inner[0])
                if kernel_extents(loops[0])[-len(extents) :] != extents:
                    return None
        if any(_inner_loops(loop) for loop in [*inner, *contractions]):
            return None
        if any(kernel_extents(loop) != kernel_extents(inner[0]) for loop in inner):
            return None
        return KernelAccesses(kernel, loops[0], inner, walk, contractions[0] if contractions else None)

    def loops(self) -> list[tuple[LoopOp, list[int]]]:
        """All loops with the numbers of their dims."""
        walk = [(self.walk, self.walk_dims)] if self.walk is not None else []
        contraction = [(self.contraction, self.contracted_dims)] if self.contraction is not None else []
        return [(self.outer, self.outer_dims), *walk, *((loop, self.inner_dims) for loop in self.inner), *contraction]

    @property
    def iterations(self) -> Dim:
        """The points of the box that the kernel walks; the columns of a walk count once, contracted dims not at all."""
        end = len(self.extents) - len(self.contracted_dims) if self.walk is None else self.inner_dims[0]
        counted = self.extents[:end]
        return product(counted)

    @property
    def column_dims(self) -> list[int]:
        """In a walk, the outer dims that are the columns."""
        return self.outer_dims[-len(self.inner_dims) :] if self.walk is not None else []

    def _access(self, op: AccessOp) -> Access:
        for operand in map_operands(op)[: op.map.data.num_dims]:
            if operand not in self.numbers and not is_symbol(operand, self.kernel):
                number = len(self.extents) + len(self.run_time)
                self.numbers[operand] = number
                self.run_time[number] = operand
        exprs = exprs_of(op, self.numbers)
        strides: tuple[Dim, ...] = (1,)
        if not isinstance(op, affine.ApplyOp):
            buffer_type = op.memref.type
            assert isinstance(buffer_type, MemRefType)
            strides = strides_of(buffer_type)
        offset = simplify(linearize(exprs, strides), self.extents)
        linear = linear_coefficients(offset, len(self.extents) + len(self.run_time))
        return Access(op, exprs, offset, None if linear is None else linear[0], dims_used(offset))


def _inner_loops(loop: LoopOp) -> list[LoopOp]:
    """The loops in the body of a loop, but for those of contractions."""
    return [op for op in loop.body.block.ops if isinstance(op, LoopOp) and CONTRACTION not in op.attributes]
