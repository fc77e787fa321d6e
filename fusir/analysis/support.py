"""Support: the loop dims that a value depends on.

At tile level a value is a tensor over the tile axes of its support, however deeply the loop that needs it is nested.
"""

from __future__ import annotations

from xdsl.dialects.builtin import IndexType
from xdsl.ir import Operation, SSAValue

from fusir.dialects.loop import FoldOp, KernelOp, LoopOp, OnlineOp, PrefixOp, ReduceOp

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
            if isinstance(op, OnlineOp):
                visit_online(op)
                return
            for inner in op.body.block.ops:
                visit(inner)
            if isinstance(op, ReduceOp):
                indices = frozenset(op.indices)
                for value, yielded in zip(op.results, op.yield_op.values, strict=True):
                    result[value] = result.get(yielded, _EMPTY) - indices
            return
        if isinstance(op, FoldOp) and isinstance(loop := op.parent_op(), LoopOp):
            own -= frozenset(loop.indices)
        if isinstance(op, PrefixOp) and isinstance(scan := op.parent_op(), LoopOp):
            own |= frozenset(scan.indices)
        for value in op.results:
            result[value] = own

    def visit_online(op: OnlineOp) -> None:
        """What is carried depends on its start and on what is yielded, which may depend on what is carried."""
        own = [result.get(init, _EMPTY) for init in op.inits]
        while True:
            result.update(zip(op.carried, own, strict=True))
            for inner in op.body.block.ops:
                visit(inner)
            indices = frozenset(op.indices)
            found = [
                support | (result.get(value, _EMPTY) - indices)
                for support, value in zip(own, op.yield_op.values, strict=True)
            ]
            if found == own:
                break
            own = found
        result.update(zip(op.results, own, strict=True))
        if op.merge is not None:
            result.update(zip(op.merge.block.args, own, strict=True))
            for inner in op.merge.block.ops:
                visit(inner)

    for arg in kernel.body.block.args:
        if isinstance(arg.type, IndexType):
            result[arg] = _EMPTY
    for op in kernel.body.block.ops:
        visit(op)
    return result
