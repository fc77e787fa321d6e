"""From SymPy to dims: the symbols of a traced graph and affine expressions over them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce
from typing import Any

import sympy
import torch
from torch.utils._sympy.functions import CleanDiv, FloorDiv, Max, Mod, ModularIndexing, PythonMod
from xdsl.ir.affine import AffineBinaryOpKind, AffineExpr

from fusir.analysis.expr import simplify
from fusir.dialects.affine_text import binary
from fusir.dialects.graph import Dim, SymbolAttr, as_dim

UNBOUNDED = 2**62
"""Upper bounds from here on say nothing: PyTorch's default is close to the largest index."""


class UnsupportedGraph(Exception):
    """The graph holds something that the graph dialect cannot say; it has to run through FX."""


class SymbolTable:
    """The symbols `s0, s1, ...` of one function, in the order in which they were declared."""

    def __init__(self) -> None:
        self._positions: dict[sympy.Symbol, int] = {}
        self._cache: dict[sympy.Expr, Dim] = {}

    def __len__(self) -> int:
        return len(self._positions)

    def declare(self, symbol: sympy.Symbol) -> int:
        """Give the symbol the next position; its position if it has one already."""
        return self._positions.setdefault(symbol, len(self._positions))

    def is_declared(self, symbol: sympy.Symbol) -> bool:
        return symbol in self._positions

    def dim(self, value: int | torch.SymInt) -> Dim:
        """The dim of a size, stride or integer argument. Raises UnsupportedGraph if it is not affine."""
        return self.dim_of(value.node.expr) if isinstance(value, torch.SymInt) else int(value)

    def dim_of(self, expr: Any) -> Dim:
        """The dim of an integer expression."""
        dim = self._cache.get(expr)
        if dim is None:
            dim = self._cache[expr] = as_dim(simplify(self._convert(expr)))
        return dim

    def dims(self, values: Iterable[int | torch.SymInt]) -> tuple[Dim, ...]:
        return tuple(self.dim(value) for value in values)

    def strides(self, values: Iterable[int | torch.SymInt]) -> tuple[Dim, ...]:
        """As `dims`, where `Max(1, n)` is n: PyTorch's strides count an extent of 0 as 1, which matters to nobody."""
        return tuple(self._stride(value) for value in values)

    def _stride(self, value: int | torch.SymInt) -> Dim:
        if not isinstance(value, torch.SymInt):
            return int(value)
        expr: Any = value.node.expr
        expr = expr.replace(Max, lambda *args: args[1] if len(args) == 2 and args[0] == 1 else Max(*args))
        return as_dim(simplify(self._convert(expr)))

    def _convert(self, expr: Any) -> AffineExpr:
        if isinstance(expr, sympy.Integer):
            return AffineExpr.constant(int(expr))
        if isinstance(expr, sympy.Symbol):
            if expr not in self._positions:
                raise UnsupportedGraph(f"symbol {expr} is not the size of an input")
            return AffineExpr.symbol(self._positions[expr])
        if isinstance(expr, sympy.Add):
            return reduce(lambda a, b: binary(AffineBinaryOpKind.Add, a, b), self._operands(expr))
        if isinstance(expr, sympy.Mul):
            return reduce(lambda a, b: binary(AffineBinaryOpKind.Mul, a, b), self._operands(expr))
        if isinstance(expr, sympy.Pow) and isinstance(expr.exp, sympy.Integer) and expr.exp > 0:
            base = self._convert(expr.base)
            return reduce(lambda a, b: binary(AffineBinaryOpKind.Mul, a, b), [base] * int(expr.exp))
        if isinstance(expr, FloorDiv | CleanDiv):
            numerator, denominator = (self._convert(e) for e in expr.args)
            return binary(AffineBinaryOpKind.FloorDiv, numerator, denominator)
        if isinstance(expr, Mod | PythonMod):
            numerator, denominator = (self._convert(e) for e in expr.args)
            return binary(AffineBinaryOpKind.Mod, numerator, denominator)
        if isinstance(expr, ModularIndexing):
            base, divisor, modulus = (self._convert(e) for e in expr.args)
            quotient = binary(AffineBinaryOpKind.FloorDiv, base, divisor)
            return binary(AffineBinaryOpKind.Mod, quotient, modulus)
        raise UnsupportedGraph(f"the size {expr} is not an affine expression")

    def _operands(self, expr: Any) -> list[AffineExpr]:
        """Operands in an order that depends on names only, constants last."""
        ordered = sorted(expr.args, key=lambda e: (e.is_number, str(e)))
        return [self._convert(e) for e in ordered]


def symbol_attribute(value: torch.SymInt, symbol: sympy.Symbol, position: int) -> SymbolAttr:
    """The declared range of a symbol, as PyTorch's shape environment knows it."""
    value_range = value.node.shape_env.var_to_range.get(symbol)
    if value_range is None:
        return SymbolAttr(position)
    lower = int(value_range.lower) if isinstance(value_range.lower, sympy.Integer) else 0
    upper = int(value_range.upper) if isinstance(value_range.upper, sympy.Integer) else UNBOUNDED
    return SymbolAttr(position, max(lower, 0), upper if upper < UNBOUNDED else None)


def evaluate(dim: Dim, symbols: Sequence[int]) -> int:
    """The value of a dim where `s<i>` is `symbols[i]`."""
    return dim if isinstance(dim, int) else dim.eval((), symbols)
