"""Tensor-level fusion: which ops share a kernel.

    %0 = graph.mul %x, %w          %0 = graph.fusion (%a = %x, %b = %w, %c = %y) {
    %1 = graph.add %0, %y    to      %1 = graph.mul %a, %b
    return %1                        %2 = graph.add %1, %c
                                     graph.yield %2 }
                                   return %0

Every op that computes ends up in a `graph.fusion`: pointwise ops and reductions with what they read and what follows
over the same rows, with several results, and kernels that read the same tensor. Views and constants are taken in by
the fusions that read through them. The rules are in `fusir.analysis.space`, the costs in
`fusir.transforms.graph.fusion.cost`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from typing_extensions import override
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.utils.exceptions import DiagnosticException

from fusir.analysis.bytes import SizeEstimate, fusion_traffic
from fusir.dialects.graph import FusionOp
from fusir.remarks import remark, wanted
from fusir.transforms.graph.fusion.build import build_fusions
from fusir.transforms.graph.fusion.decide import Decision, decide
from fusir.transforms.graph.fusion.groups import Group
from fusir.transforms.graph.fusion.names import names_of
from fusir.transforms.graph.fusion.program import Program, is_code

MAX_OPS = 256
"""Ops in one fusion: longer chains gain little from one more op, and compile times grow."""


@dataclass(frozen=True)
class FusePass(ModulePass):
    """Group ops into fusions."""

    name = "fuse"

    enabled: bool = True
    """False: one fusion for each op."""
    max_ops: int = MAX_OPS
    """The largest number of ops in one fusion, not counting views and constants."""

    @override
    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if self.max_ops < 1:
            raise DiagnosticException(f"fuse: max-ops must be at least 1, got {self.max_ops}")
        for func in op.body.block.ops:
            if isinstance(func, FuncOp) and func.body.blocks:
                fuse_function(func, self.enabled, self.max_ops)


def fuse_function(func: FuncOp, enabled: bool = True, max_ops: int = MAX_OPS) -> list[FusionOp]:
    """Group the ops of a graph function of one block into fusions, and return these in order."""
    program = Program(func)
    names = names_of(func.body.block) if wanted() else None
    decision = decide(program, enabled, max_ops)
    fusions = build_fusions(program, decision.groups)
    if names is not None:
        _explain(program, decision, fusions, names)
    return fusions


def _explain(program: Program, decision: Decision, fusions: list[FusionOp], names: dict[SSAValue, str]) -> None:
    """Remark on each fusion of several ops, and on each pair that is not one, with the last reason."""
    for fusion in fusions:
        ops = [op for op in fusion.block.ops if is_code(op)]
        if len(ops) > 1:
            sizes = SizeEstimate(program.func)
            moved = sizes.of(fusion_traffic(fusion).bytes)
            results = ", ".join(names.get(value, "?") for value in cast(Operation, fusion.block.last_op).operands)
            remark("fused", "fuse", f"{len(ops)} ops that compute {results}; moves {moved} bytes", fusion.location)
    told: set[tuple[Group, Group]] = set()
    for first, second, refusal in reversed(decision.refusals):
        pair = decision.groups.of[first], decision.groups.of[second]
        if pair in told or pair[::-1] in told:
            continue
        told.add(pair)
        text = refusal.text.format(*(names.get(value, "?") for value in refusal.values))
        remark("not-fused", "fuse", text, program.nodes[second].op.location)
