"""Dead code elimination."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, Region
from xdsl.passes import ModulePass
from xdsl.traits import IsTerminator, SymbolOpInterface, is_side_effect_free

from fusir.dialects import graph


def is_dead(op: Operation) -> bool:
    """True if nothing uses the results of the op and it does nothing else."""
    for result in op.results:
        if result.first_use is not None:
            return False
    if isinstance(op, graph.CallAtenOp):
        return op.pure
    if isinstance(op, graph.GraphOp):
        return not isinstance(op, graph.YieldOp)
    return is_side_effect_free(op) and not op.has_trait(IsTerminator) and not op.has_trait(SymbolOpInterface)


def erase_dead_ops(region: Region) -> int:
    """Erase the dead ops in a region, those in nested regions included, and return how many there were.

    Blocks are walked backwards, so an op is looked at after all of its users in the block: one walk is enough.
    """
    return sum(_erase_in_block(block) for block in region.blocks)


def _erase_in_block(block: Block) -> int:
    erased = 0
    op = block.last_op
    while op is not None:
        previous = op.prev_op
        if is_dead(op):
            op.detach()
            op.erase()
            erased += 1
        else:
            erased += sum(erase_dead_ops(region) for region in op.regions)
        op = previous
    return erased


@dataclass(frozen=True)
class DcePass(ModulePass):
    """Remove ops whose results nobody uses; calls that are not pure stay."""

    name = "dce"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        erase_dead_ops(op.body)
