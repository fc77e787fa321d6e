"""Dominance: every value is defined before its uses, on every path, and where its uses can see it.

xDSL's verifier does not check this, so `fusir-opt` and the pipeline do, after parsing and after every pass. One walk,
linear in the ops for single-block regions.
"""

from __future__ import annotations

from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.irdl.dominance import DominanceInfo
from xdsl.traits import IsolatedFromAbove
from xdsl.utils.exceptions import VerifyException

from fusir.diagnostics import CompileError


class DominanceError(CompileError, VerifyException):
    """An op uses a value that does not dominate it."""


def verify_dominance(root: Operation) -> None:
    """Check that each operand of each op inside `root` is defined above it.

    A value dominates an op if it is a result of an earlier op of the same block, an argument of that block, or one of a
    block that dominates it, or if it dominates the op that holds the region, unless that op is isolated from above.

    Raises `DominanceError` with the first op, in program order, that uses another value.
    """
    for region in root.regions:
        _verify_region(region, set())


def _verify_region(region: Region, visible: set[SSAValue]) -> None:
    """Check the ops of a region. `visible` holds the values from outside and is the same again on return."""
    first = region.first_block
    if first is None:
        return
    if first is region.last_block:
        visible.difference_update(_verify_block(first, visible))
        return
    dominance = DominanceInfo(region)
    defined = {block: [*block.args, *(result for op in block.ops for result in op.results)] for block in region.blocks}
    for block in region.blocks:
        above = visible.copy()
        for other in region.blocks:
            if dominance.strictly_dominates(other, block):
                above.update(defined[other])
        _verify_block(block, above)


def _verify_block(block: Block, visible: set[SSAValue]) -> list[SSAValue]:
    """Check the ops of a block, add the values that it defines to `visible`, and return them."""
    defined: list[SSAValue] = list(block.args)
    visible.update(defined)
    for op in block.ops:
        for index, operand in enumerate(op.operands):
            if operand not in visible:
                raise DominanceError(op, _message(op, index, operand))
        for region in op.regions:
            _verify_region(region, set() if op.has_trait(IsolatedFromAbove) else visible)
        for result in op.results:
            defined.append(result)
            visible.add(result)
    return defined


def _message(op: Operation, index: int, operand: SSAValue) -> str:
    name = f"%{operand.name_hint}" if operand.name_hint else f"operand {index}"
    return f"{op.name}: {name} is used before it is defined, or where it cannot be seen"
