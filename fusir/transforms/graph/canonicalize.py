"""Canonicalization of the graph level."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from fusir.dialects import graph
from fusir.transforms.graph.fusion_signature import simplify_signature
from fusir.transforms.graph.patterns import CANONICALIZATION
from fusir.transforms.graph.worklist import Driver


@dataclass(frozen=True)
class CanonicalizePass(ModulePass):
    """Fold constants and rewrite ops into their canonical form until no law applies; dead ops are removed."""

    name = "canonicalize"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        Driver(CANONICALIZATION).run(op.body)
        while _simplify_fusions(op):
            Driver(CANONICALIZATION).run(op.body)


def _simplify_fusions(module: ModuleOp) -> bool:
    """Simplify the signature of every fusion; true if one changed, which may leave ops without users."""
    fusions = [op for op in module.walk() if isinstance(op, graph.FusionOp)]
    return sum(simplify_signature(op) is not None for op in fusions) > 0
