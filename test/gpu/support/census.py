"""What a compiled function runs through: our kernels, ATen, or PyTorch because compilation failed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from torch import fx


@dataclass
class Census:
    """Counts over all graphs of one compiled function."""

    graphs: int = 0
    failed: int = 0
    """Graphs that run through PyTorch as a whole."""
    native: int = 0
    """Operations of the graph dialect that compute, other than those of ATen."""
    aten: list[str] = field(default_factory=list)
    """Operators that run through ATen, matrix products included."""

    @property
    def kind(self) -> str:
        """`native`, `partly` (some of it through ATen), `aten`, or `failed` (a graph did not compile)."""
        if self.failed:
            return "failed"
        if not self.aten:
            return "native"
        return "partly" if self.native else "aten"


def counting_backend(census: Census) -> Callable[..., Any]:
    """The Dynamo backend of fusir, which counts what it compiles in `census`."""
    from fusir.frontend.backend import Backend
    from fusir.options import Options

    return Backend(Options(), _CountingCompiler(census))


class _CountingCompiler:
    def __init__(self, census: Census) -> None:
        self.census = census

    def __call__(self, gm: fx.GraphModule, example_inputs: Sequence[Any], options: Any, **keywords: Any) -> Any:
        from fusir.frontend.compiler import CompiledGraph, compile_graph

        compiled = compile_graph(gm, example_inputs, options, **keywords)
        self.census.graphs += 1
        if isinstance(compiled, CompiledGraph):
            self._count(gm, keywords.get("parameters", ()), keywords.get("names"))
        else:
            self.census.failed += 1
        return compiled

    def _count(self, gm: fx.GraphModule, parameters: Any, names: Any) -> None:
        from fusir.dialects.graph import CallAtenOp, ConstantOp, ContractOp, FullOp, GraphOp, ViewOp
        from fusir.frontend.importer import import_graph

        for op in import_graph(gm, parameters, names).module.walk():
            if isinstance(op, CallAtenOp):
                self.census.aten.append(str(op.target))
            elif isinstance(op, ContractOp):
                self.census.aten.append("matmul")
            elif isinstance(op, GraphOp) and not isinstance(op, ViewOp | FullOp | ConstantOp):
                self.census.native += 1
