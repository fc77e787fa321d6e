"""Index maps between operands of ops and expressions over numbered loop dims and the symbols of the kernel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.dialects import affine
from xdsl.dialects.builtin import AffineMapAttr
from xdsl.ir import BlockArgument, SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap

from fusir.analysis.expr import dims_used, substitute, symbols_used
from fusir.analysis.nests import symbol_number
from fusir.dialects.loop import KernelOp, LoadOp, StoreOp

AccessOp = LoadOp | StoreOp | affine.ApplyOp
"""The ops that hold an index map."""


def map_operands(op: AccessOp) -> Sequence[SSAValue]:
    """The operands of the index map of `op`, dims first."""
    return op.mapOperands if isinstance(op, affine.ApplyOp) else op.indices


def exprs_of(op: AccessOp, numbers: Mapping[SSAValue, int]) -> tuple[AffineExpr, ...]:
    """The index expressions of `op` over `d<numbers[index]>` and the symbols of the kernel."""
    map, operands = op.map.data, map_operands(op)
    dims = [AffineExpr.dimension(numbers[operand]) for operand in operands[: map.num_dims]]
    symbols = [AffineExpr.symbol(symbol_number(symbol)) for symbol in operands[map.num_dims :]]
    return tuple(substitute(expr, dims, symbols) for expr in map.results)


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
