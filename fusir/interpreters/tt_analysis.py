"""Questions about a `tt` function that its execution depends on."""

from __future__ import annotations

import torch
from xdsl.dialects import arith, scf
from xdsl.ir import Attribute, BlockArgument, Operation, SSAValue

from fusir.dialects import tt
from fusir.interpreters import combine
from fusir.interpreters.scalars import splat_value
from fusir.interpreters.tile_values import TileType, scalar_type


def tile_type(tile: Attribute) -> TileType:
    """The description of a tile type for the interpreter; pointers count as int64."""
    element = tt.element_of(tile)
    shape = tt.shape_of(tile)
    if isinstance(element, tt.PointerType):
        return TileType(shape, torch.int64)
    return scalar_type(element)._replace(shape=shape)


def largest_tile(func: Operation) -> int:
    """The number of elements of the largest tile that any operation makes."""
    largest = 1
    for op in func.walk():
        for result in op.results:
            size = 1
            for extent in tt.shape_of(result.type):
                size *= extent
            largest = max(largest, size)
    return largest


def accumulating_operations(op: scf.ForOp) -> list[Operation]:
    """For each loop-carried value the operation that folds the round into it; empty if the loop does anything else."""
    body = op.body.block
    terminator = body.last_op
    assert terminator is not None
    found: list[Operation] = []
    for arg, new in zip(body.args[1:], terminator.operands, strict=True):
        users = [use.operation for use in arg.uses]
        if len(users) != 1 or new.owner is not users[0] or not new.has_one_use():
            return []
        if users[0].name not in combine.FOLDS or users[0].operands[0] is users[0].operands[1]:
            return []
        found.append(users[0])
    effects = (tt.StoreOp, tt.DescriptorStoreOp, tt.AtomicRMWOp, tt.AtomicCASOp, tt.AssertOp)
    return [] if any(isinstance(inner, effects) for inner in body.walk()) else found


def captured_values(op: Operation) -> list[SSAValue]:
    """The values from outside that the regions of an operation use, in order of their first use."""
    inside: set[SSAValue] = set()
    captured: dict[SSAValue, None] = {}
    for inner in op.walk():
        for region in inner.regions:
            inside.update(arg for block in region.blocks for arg in block.args)
        if inner is not op:
            captured.update((value, None) for value in inner.operands if value not in inside)
        inside.update(inner.results)
    return list(captured)


Access = tt.LoadOp | tt.StoreOp | tt.AtomicRMWOp | tt.AtomicCASOp | tt.DescriptorLoadOp | tt.DescriptorStoreOp


def accessed_arguments(func: tt.FuncOp, kinds: tuple[type[Access], ...]) -> list[int]:
    """Positions of the pointer arguments through which operations of these kinds may access memory."""
    arguments = {arg: position for position, arg in enumerate(func.body.block.args)}
    accessed: set[int] = set()
    for op in func.walk():
        if isinstance(op, kinds):
            root = op.desc if isinstance(op, (tt.DescriptorLoadOp, tt.DescriptorStoreOp)) else op.ptr
            while isinstance(
                root.owner,
                (tt.MakeTensorDescriptorOp, tt.AddPtrOp, tt.SplatOp, tt.BroadcastOp, tt.ExpandDimsOp, tt.BitcastOp),
            ):
                root = root.owner.operands[0]
            if not isinstance(root, BlockArgument) or root not in arguments:
                return list(arguments.values())
            accessed.add(arguments[root])
    return sorted(accessed)


def constant_number(value: SSAValue) -> float | int | None:
    """The number in every element of a value, if that is a constant."""
    while isinstance(value.owner, (tt.SplatOp, tt.BroadcastOp)):
        value = value.owner.src
    return splat_value(value.owner) if isinstance(value.owner, arith.ConstantOp) else None


def known_combiners(op: tt.ReduceOp | tt.ScanOp, table: dict[str, combine.Fold]) -> list[combine.Fold] | None:
    """For each operand the function of torch that folds it, if the region is one such operation for each."""
    block = op.combine_op.block
    count = len(op.srcs)
    terminator = block.last_op
    assert terminator is not None
    functions: list[combine.Fold] = []
    for position, value in enumerate(terminator.operands):
        owner = value.owner
        pair = {block.args[position], block.args[position + count]}
        if not isinstance(owner, Operation) or owner.name not in table or set(owner.operands) != pair:
            return None
        functions.append(table[owner.name])
    return functions
