"""Numbers computed from the symbols (`x / x.shape[0]`) as rank-0 tensors."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce
from typing import Any, TypeAlias

import sympy
from torch.utils._sympy.functions import FloatPow, FloatTrueDiv, IntTrueDiv, OpaqueUnaryFn_sqrt, ToFloat
from xdsl.dialects.builtin import f64, i64
from xdsl.ir import Operation, SSAValue

from fusir.analysis.expr import as_dim
from fusir.dialects import graph
from fusir.dialects.graph import Dim, tensor_type
from fusir.frontend.dims import SymbolTable, UnsupportedGraph

Emit: TypeAlias = Callable[[Operation], SSAValue]
"""Appends an op and gives its only result."""


@dataclass(frozen=True)
class SymbolicFloat:
    """A floating-point number computed from the symbols."""

    expr: sympy.Expr


def integer_tensor(emit: Emit, dim: Dim) -> SSAValue:
    """The value of a dim as a `tensor<i64>`: the last of the indices 0 to dim, which a kernel just computes."""
    if isinstance(dim, int):
        return emit(graph.FullOp(dim, tensor_type(i64, ())))
    indices = emit(graph.IotaOp(0, tensor_type(i64, (as_dim(dim + 1),))))
    last = emit(graph.SliceOp(indices, (dim,), (1,), (1,)))
    return emit(graph.ReshapeOp(last, ()))


def float_tensor(emit: Emit, expr: Any, symbols: SymbolTable) -> SSAValue:
    """The value of an expression as a `tensor<f64>`. Raises UnsupportedGraph for functions other than arithmetic."""
    if expr.is_number:
        return emit(graph.FullOp(float(expr), tensor_type(f64, ())))
    if expr.is_integer:
        return emit(graph.ConvertOp(integer_tensor(emit, symbols.dim_of(expr)), f64))
    if isinstance(expr, ToFloat):
        return float_tensor(emit, expr.args[0], symbols)
    if isinstance(expr, OpaqueUnaryFn_sqrt):
        return emit(graph.SqrtOp(float_tensor(emit, expr.args[0], symbols)))
    operation = _OPERATIONS.get(expr.func)
    if operation is None:
        raise UnsupportedGraph(f"the number {expr} is not arithmetic")
    ordered = expr.args if expr.func in _ORDERED else sorted(expr.args, key=str)
    operands = [float_tensor(emit, argument, symbols) for argument in ordered]
    return reduce(lambda a, b: emit(operation(a, b)), operands)


_OPERATIONS: dict[Any, Callable[..., Operation]] = {
    sympy.Add: graph.AddOp,
    sympy.Mul: graph.MulOp,
    sympy.Pow: graph.PowOp,
    FloatPow: graph.PowOp,
    IntTrueDiv: graph.DivOp,
    FloatTrueDiv: graph.DivOp,
}
_ORDERED = (sympy.Pow, FloatPow, IntTrueDiv, FloatTrueDiv)
