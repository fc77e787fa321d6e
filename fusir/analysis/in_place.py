"""Which kernels may write a result over an operand that is not needed any more.

The answer is yes only where it is proven that each element is overwritten by the one iteration, or the one lane of
one program, that reads it, and after it read it:

- the kernel does nothing but pointwise work: no reduction, no scan, no nested loop over the operand;
- it reads the operand once and writes the result once, at the same index;
- no two iterations or lanes have the same index.
"""

from __future__ import annotations

from typing import Any, cast

from xdsl.dialects import arith
from xdsl.dialects.builtin import AffineMapAttr, IntegerAttr, MemRefType
from xdsl.ir import BlockArgument, Operation, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr

from fusir.dialects import tt
from fusir.dialects.loop import KernelOp, LoadOp, ParallelOp, ReduceOp, ScanOp, StoreOp, strides_of


def may_write_over(kernel: Operation, read: int, written: int) -> bool:
    """Whether argument `written` of a kernel may be the same memory as argument `read`."""
    if isinstance(kernel, KernelOp):
        return _loop_kernel_may(kernel, read, written)
    return isinstance(kernel, tt.FuncOp) and _tt_kernel_may(kernel, read, written)


def _loop_kernel_may(kernel: KernelOp, read: int, written: int) -> bool:
    arguments = kernel.body.block.args
    source, target = arguments[read], arguments[written]
    if not _same_elements(source, target) or any(isinstance(op, ReduceOp | ScanOp) for op in kernel.walk()):
        return False
    load, store = _only_user(source), _only_user(target)
    if not isinstance(load, LoadOp) or not isinstance(store, StoreOp) or load.parent is not store.parent:
        return False
    same_index = load.map == store.map and list(load.indices) == list(store.indices)
    return same_index and load.is_before_in_block(store) and _indexes_every_loop(store)


def _only_user(value: SSAValue) -> Operation | None:
    use = value.get_unique_use()
    return None if use is None else use.operation


def _same_elements(source: SSAValue, target: SSAValue) -> bool:
    """Whether one index is one address in both buffers."""
    a, b = cast("MemRefType[Any]", source.type), cast("MemRefType[Any]", target.type)
    return a.element_type == b.element_type and a.get_shape() == b.get_shape() and strides_of(a) == strides_of(b)


def _indexes_every_loop(store: StoreOp) -> bool:
    """Whether the index is a permutation of the indices of all loops around the store."""
    loops: set[SSAValue] = set()
    op = store.parent_op()
    while isinstance(op, ParallelOp):
        loops.update(op.body.block.args)
        op = op.parent_op()
    map_ = store.map.data
    used = [store.indices[expr.position] for expr in map_.results if isinstance(expr, AffineDimExpr)]
    return isinstance(op, KernelOp) and len(used) == len(map_.results) == len(loops) and set(used) == loops


_POINTWISE_OPS = (
    tt.AddPtrOp,
    tt.GetProgramIdOp,
    tt.LoadOp,
    tt.MakeRangeOp,
    tt.ReturnOp,
    tt.SplatOp,
    tt.StoreOp,
)


def _tt_kernel_may(kernel: tt.FuncOp, read: int, written: int) -> bool:
    body = kernel.body.block
    if not all(isinstance(op, _POINTWISE_OPS) or op.name.startswith(("arith.", "math.")) for op in body.ops):
        return False
    if kernel.function_type.inputs.data[read] != kernel.function_type.inputs.data[written]:
        return False
    load = _only_access(body.args[read])
    store = _only_access(body.args[written])
    if load is None or store is None or load[1] is not store[1]:
        return False
    if not isinstance(load[0], tt.LoadOp) or not isinstance(store[0], tt.StoreOp):
        return False
    return load[0].is_before_in_block(store[0]) and _is_lane_number(kernel, load[1])


def _only_access(pointer: SSAValue) -> tuple[Operation, SSAValue] | None:
    """The one op that accesses a buffer, at `splat(pointer) + offsets`, and the offsets."""
    splat = _only_user(pointer)
    move = _only_user(splat.result) if isinstance(splat, tt.SplatOp) else None
    if not isinstance(move, tt.AddPtrOp):
        return None
    access = _only_user(move.result)
    return None if access is None else (access, move.offset)


def _is_lane_number(kernel: tt.FuncOp, offsets: SSAValue) -> bool:
    """Whether the offsets are `program * n + range(n)`, or `range(n)` of a single program: a number for each lane."""
    op = _without_extension(offsets)
    if isinstance(op, tt.MakeRangeOp):
        grid = kernel.attributes.get("fusir.grid")
        count = grid.data.results[0] if isinstance(grid, AffineMapAttr) else None
        return isinstance(count, AffineConstantExpr) and count.value == 1
    if not isinstance(op, arith.AddiOp):
        return False
    sides = [_without_extension(op.lhs), _without_extension(op.rhs)]
    for start, lanes in (sides, reversed(sides)):
        if isinstance(start, tt.SplatOp) and isinstance(lanes, tt.MakeRangeOp):
            size = cast("IntegerAttr[Any]", lanes.end).value.data - cast("IntegerAttr[Any]", lanes.start).value.data
            return _is_program_times(_without_extension(start.src), size)
    return False


def _is_program_times(op: Operation | None, size: int) -> bool:
    if not isinstance(op, arith.MuliOp):
        return False
    sides = [_without_extension(op.lhs), _without_extension(op.rhs)]
    for program, factor in (sides, reversed(sides)):
        if isinstance(program, tt.GetProgramIdOp) and isinstance(factor, arith.ConstantOp):
            return isinstance(factor.value, IntegerAttr) and factor.value.value.data == size
    return False


def _without_extension(value: SSAValue) -> Operation | None:
    """The op that defines a value, before sign extensions."""
    owner = None if isinstance(value, BlockArgument) else cast(Operation, value.owner)
    while isinstance(owner, arith.ExtSIOp):
        owner = None if isinstance(owner.input, BlockArgument) else cast(Operation, owner.input.owner)
    return owner
