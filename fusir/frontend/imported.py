"""The result of an import: a module, and how to call it in place of the FX graph."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from fusir.dialects import graph
from fusir.dialects.graph import Dim

SYMBOL = "graph.symbol"

# Where the arguments of `@main` come from


@dataclass(frozen=True)
class Input:
    """Input number `index` of the FX graph."""

    index: int


@dataclass(frozen=True)
class Constant:
    """A tensor that the FX graph module holds."""

    name: str


@dataclass(frozen=True)
class Size:
    """The extent of a dim of input number `index`."""

    index: int
    dim: int


Argument = Input | Constant | Size

# Where the outputs of the FX graph come from


@dataclass(frozen=True)
class Result:
    """Result number `index` of `@main`. `may_alias`: in the FX graph it shares storage with an input or output."""

    index: int
    may_alias: bool = False


@dataclass(frozen=True)
class Integer:
    """An integer computed from the symbols."""

    value: Dim


@dataclass(frozen=True)
class Literal:
    """A Python value: None, a number, a string."""

    value: Any


Output = Result | Input | Integer | Literal


@dataclass
class ImportedGraph:
    """A module and how to call it in place of the FX graph."""

    module: ModuleOp
    arguments: list[Argument]
    outputs: list[Output]
    updates: list[tuple[int, int]]
    """(input, result): the result is the new value of the input, which the program changes in place."""
    fallbacks: list[str] = field(default_factory=list)
    """Operators that became `graph.call_aten`, each with the reason, in graph order."""

    has_side_effects: bool = False
    """Whether it calls operators that do more than compute, other than drawing random numbers."""

    @property
    def function(self) -> FuncOp:
        """The function `@main`."""
        function = self.module.body.block.first_op
        assert isinstance(function, FuncOp)
        return function

    def symbol_arguments(self) -> list[tuple[int, graph.SymbolAttr]]:
        """The index arguments: (argument number, declaration of its symbol)."""
        attributes = self.function.arg_attrs
        found: list[tuple[int, graph.SymbolAttr]] = []
        for index, each in enumerate(attributes.data if attributes is not None else ()):
            symbol = each.data.get(SYMBOL)
            if isinstance(symbol, graph.SymbolAttr):
                found.append((index, symbol))
        return found
