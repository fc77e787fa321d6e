"""Waiting for other programs: the one form of `scf.while` that kernels have.

```mlir
scf.while () : () -> () {
  %arrived = tt.atomic_rmw add, acquire, gpu, %counter, %c0 : (!tt.ptr<i32>, i32) -> i32
  %early = arith.cmpi slt, %arrived, %count : i32
  scf.condition(%early)
} do {
  scf.yield
}
```
"""

from __future__ import annotations

from typing import NamedTuple

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import i32
from xdsl.ir import Block, Operation, Region, SSAValue

from fusir.dialects.tt.constants import constant_number
from fusir.dialects.tt.enums import MemSemantic, RMWOp
from fusir.dialects.tt.memory import AtomicRMWOp


class Wait(NamedTuple):
    """Until the i32 at `pointer` is at least `least`."""

    pointer: SSAValue
    least: SSAValue


def wait_until(pointer: SSAValue, count: SSAValue, zero: SSAValue) -> scf.WhileOp:
    """The loop that waits until the i32 at `pointer` is at least `count`; what was written before the increments is
    visible after it.

    `zero` is an i32 constant 0: the counter is read by adding nothing to it.
    """
    arrived = AtomicRMWOp(RMWOp.ADD, pointer, zero, sem=MemSemantic.ACQUIRE)
    early = arith.CmpiOp(arrived.result, count, "slt")
    before = Block([arrived, early, scf.ConditionOp(early.result)])
    return scf.WhileOp([], [], Region(before), Region(Block([scf.YieldOp()])))


def as_wait(op: Operation) -> Wait | None:
    """What a loop waits for; None if it does anything else."""
    if not isinstance(op, scf.WhileOp) or op.arguments or op.res:
        return None
    if not isinstance(op.after_region.block.first_op, scf.YieldOp):
        return None
    ops = list(op.before_region.block.ops)
    if len(ops) != 3:
        return None
    read, compare, condition = ops
    if not isinstance(read, AtomicRMWOp) or not isinstance(compare, arith.CmpiOp):
        return None
    if not isinstance(condition, scf.ConditionOp) or condition.condition is not compare.result:
        return None
    is_read = read.kind is RMWOp.ADD and read.val.type == i32 and constant_number(read.val) == 0 and read.mask is None
    acquires = MemSemantic.from_attr(read.sem) in (MemSemantic.ACQUIRE, MemSemantic.ACQ_REL)
    is_less = compare.predicate.value.data == arith.CMPI_COMPARISON_OPERATIONS.index("slt")
    if not (is_read and acquires and is_less) or compare.lhs is not read.result or compare.rhs is read.result:
        return None
    return Wait(read.ptr, compare.rhs)
