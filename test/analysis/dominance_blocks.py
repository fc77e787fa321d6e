# RUN: %python %s
"""Dominance across the blocks of one region, and the cost of the check."""

import time

from xdsl.dialects.builtin import ModuleOp, i32
from xdsl.dialects.func import FuncOp
from xdsl.dialects.test import TestOp, TestTermOp
from xdsl.ir import Block, Region

from fusir.analysis.dominance import DominanceError, verify_dominance


def diamond(use_in: str) -> ModuleOp:
    """entry -> left | right -> end; a value defined in `left` and used in the block `use_in`."""
    entry, left, right, end = Block(), Block(), Block(), Block()
    value = TestOp(result_types=[i32])
    entry.add_op(TestTermOp(successors=[left, right]))
    left.add_op(value)
    use = TestOp(operands=[value])
    if use_in == "entry":
        entry.insert_op_before(use, entry.last_op)
    else:
        {"left": left, "right": right, "end": end}[use_in].add_op(use)
    left.add_op(TestTermOp(successors=[end]))
    right.add_op(TestTermOp(successors=[end]))
    end.add_op(TestTermOp())
    return ModuleOp([FuncOp("f", ((), ()), Region([entry, left, right, end]))])


def dominates(module: ModuleOp) -> bool:
    try:
        verify_dominance(module)
    except DominanceError as error:
        assert error.op.name == "test.op", error.op
        return False
    return True


assert dominates(diamond("left"))
assert not dominates(diamond("right"))
assert not dominates(diamond("end"))
assert not dominates(diamond("entry"))


def chain_seconds(length: int) -> float:
    block = Block(arg_types=[i32])
    value = block.args[0]
    for _ in range(length):
        op = TestOp(operands=[value, value], result_types=[i32])
        block.add_op(op)
        value = op.results[0]
    block.add_op(TestTermOp())
    module = ModuleOp([FuncOp("f", ((i32,), ()), Region(block))])
    start = time.perf_counter()
    verify_dominance(module)
    return time.perf_counter() - start


MICROSECONDS_PER_OP = 20
seconds = chain_seconds(20_000)
assert seconds < 20_000 * MICROSECONDS_PER_OP * 1e-6, f"{seconds / 20_000 * 1e6:.1f} us an op"
