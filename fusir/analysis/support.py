"""Support: the loop dims that a value depends on.

At tile level a value is a tensor over the tile axes of its support, however deeply the loop that needs it is nested.
"""

from __future__ import annotations

from xdsl.dialects.builtin import IndexType
from xdsl.ir import Operation, SSAValue

from fusir.dialects.loop import KernelOp, LoopOp, PrefixOp, ReduceOp

Support = frozenset[SSAValue]
"""The loop indices that a value depends on."""

_EMPTY: Support = frozenset()


def supports(kernel: KernelOp) -> dict[SSAValue, Support]:
    """The support of every value of a kernel, in one walk."""
    result: dict[SSAValue, Support] = {}

    def visit(op: Operation) -> None:
        own = _EMPTY.union(*(result.get(operand, _EMPTY) for operand in op.operands))
        if isinstance(op, LoopOp):
            for index in op.indices:
                result[index] = frozenset((index,))
            for inner in op.body.block.ops:
                visit(inner)
            if isinstance(op, ReduceOp):
                indices = frozenset(op.indices)
                for value, yielded in zip(op.results, op.yield_op.values, strict=True):
                    result[value] = result.get(yielded, _EMPTY) - indices
            return
        if isinstance(op, PrefixOp) and isinstance(scan := op.parent_op(), LoopOp):
            own |= frozenset(scan.indices)
        for value in op.results:
            result[value] = own

    for arg in kernel.body.block.args:
        if isinstance(arg.type, IndexType):
            result[arg] = _EMPTY
    for op in kernel.body.block.ops:
        visit(op)
    return result
