"""Which kernels may write a result over an operand that is not needed any more."""

from __future__ import annotations

from typing import cast

from xdsl.dialects.builtin import MemRefType
from xdsl.ir import BlockArgument, Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr

from fusir.dialects.loop import KernelOp, LoadOp, ParallelOp, ReduceOp, StoreOp, strides_of


def may_write_over(kernel: Operation, read: int, written: int) -> bool:
    """Whether argument `written` of a kernel may be the same memory as argument `read`.

    True only where it is proven: the kernel is one parallel nest without reductions, reads the operand once and writes the
    result once, at the same index, and each iteration has an index of its own. Then an element is overwritten by the one
    iteration that reads it, after it read it.
    """
    if not isinstance(kernel, KernelOp):
        return False
    arguments = kernel.body.block.args
    source, target = arguments[read], arguments[written]
    if not _same_elements(source, target):
        return False
    loads = [use.operation for use in source.uses]
    stores = [use.operation for use in target.uses]
    if len(loads) != 1 or len(stores) != 1:
        return False
    load, store = loads[0], stores[0]
    if not isinstance(load, LoadOp) or not isinstance(store, StoreOp) or load.parent is not store.parent:
        return False
    if store.predicate is not None or any(isinstance(op, ReduceOp) for op in kernel.walk()):
        return False
    if load.map != store.map or list(load.indices) != list(store.indices):
        return False
    return _indexes_every_loop(store)


def _same_elements(source: SSAValue, target: SSAValue) -> bool:
    """Whether one index is one address for both buffers."""
    a, b = cast("MemRefType", source.type), cast("MemRefType", target.type)
    return a.element_type == b.element_type and a.get_shape() == b.get_shape() and strides_of(a) == strides_of(b)


def _indexes_every_loop(store: StoreOp) -> bool:
    """Whether the index is a permutation of the indices of all loops around the store."""
    loops: set[SSAValue] = set()
    op: Operation | None = store.parent_op()
    while op is not None and not isinstance(op, KernelOp):
        if not isinstance(op, ParallelOp):
            return False
        loops.update(op.body.block.args)
        op = op.parent_op()
    map_ = store.map.data
    used = [store.indices[expr.position] for expr in map_.results if isinstance(expr, AffineDimExpr)]
    own = [index for index in used if isinstance(index, BlockArgument)]
    return len(own) == len(map_.results) and len(set(own)) == len(own) and set(own) == loops
