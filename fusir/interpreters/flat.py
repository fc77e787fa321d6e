"""Functions whose programs and lanes are together one flat loop.

A pointwise kernel uses its program number and its lane only as `program * BLOCK + lane`. It may then be run in pieces
of any size, also such as follow the rows of its tensors, with each lane as a program of its own whose tiles are
scalars.
"""

from __future__ import annotations

from typing import NamedTuple

from xdsl.dialects import arith
from xdsl.ir import Operation, SSAValue

from fusir.dialects import tt
from fusir.interpreters.scalars import elementwise, splat_value
from fusir.interpreters.tile_ops import elementwise as tile_elementwise


class FlatLoop(NamedTuple):
    """The form of such a function."""

    block: int
    """Lanes of a program."""
    indices: frozenset[Operation]
    """The additions that give the flat index."""
    parts: frozenset[Operation]
    """What only the flat index is made of: program number, its products, lanes."""


_LANEWISE = (tt.SplatOp, tt.BroadcastOp, tt.AddPtrOp, tt.LoadOp, tt.BitcastOp, tt.ReturnOp)


def flat_loop(func: tt.FuncOp) -> FlatLoop | None:
    """The flat form of a function, None if it has none."""
    shapes = {tt.shape_of(result.type) for op in func.walk() for result in op.results} - {()}
    if len(shapes) != 1 or len(func.body.blocks) != 1:
        return None
    (shape,) = shapes
    if len(shape) != 1:
        return None
    (block,) = shape
    parts: set[Operation] = set()
    indices: set[Operation] = set()
    for op in func.body.block.ops:
        if isinstance(op, tt.GetProgramIdOp):
            found = _scaled_programs(op, block)
            if found is None:
                return None
            parts |= found[0]
            indices |= found[1]
    for op in func.body.block.ops:
        if isinstance(op, tt.MakeRangeOp):
            if op.start.value.data != 0 or not _users(op.result) <= indices:
                return None
            parts.add(op)
        elif op not in parts and not is_lanewise(op):
            return None
    if not all(_is_sum_of(op, parts) for op in indices):
        return None
    return FlatLoop(block, frozenset(indices), frozenset(parts))


def _users(value: SSAValue) -> set[Operation]:
    return {use.operation for use in value.uses}


def _scaled_programs(pid: tt.GetProgramIdOp, block: int) -> tuple[set[Operation], set[Operation]] | None:
    """The program number with its products by the block and their tiles, and what these are used by."""
    if pid.axis_index != 0:
        return None
    parts: set[Operation] = {pid}
    users: set[Operation] = set()
    for product in _users(pid.result):
        if not isinstance(product, arith.MuliOp):
            return None
        (factor,) = [operand for operand in product.operands if operand is not pid.result] or [None]
        constant = factor.owner if factor is not None else None
        if not isinstance(constant, arith.ConstantOp) or splat_value(constant) != block:
            return None
        parts.add(product)
        for splat in _users(product.result):
            if not isinstance(splat, tt.SplatOp):
                return None
            parts.add(splat)
            users |= _users(splat.result)
    return parts, users


def _is_sum_of(op: Operation, parts: set[Operation]) -> bool:
    """Whether the operation adds the lanes to the tile of the scaled program number."""
    if not isinstance(op, arith.AddiOp):
        return False
    kinds = {type(operand.owner) for operand in op.operands if operand.owner in parts}
    return kinds == {tt.SplatOp, tt.MakeRangeOp}


def is_lanewise(op: Operation) -> bool:
    """Whether each lane of the operation is computed from the same lane of its operands."""
    if op.regions or op.successors:
        return False
    if isinstance(op, tt.StoreOp):
        return tt.shape_of(op.value.type) != ()
    if isinstance(op, arith.ConstantOp):
        return splat_value(op) is not None
    if isinstance(op, _LANEWISE) or op.name in ("arith.select", "arith.cmpi"):
        return True
    return elementwise(op) is not None or tile_elementwise(op) is not None
