"""Undoing a fusion: its ops go back to the function."""

from __future__ import annotations

from xdsl.dialects.builtin import f16
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from fusir.dialects.graph import ContractOp, ConvertOp, FusionOp, YieldOp, element_type_of, is_half
from fusir.dialects.loop import TILES, Tiles, TilesAttr


def can_dissolve(fusion: FusionOp) -> bool:
    """Whether the function can hold the ops of the fusion, for a library to compute its contractions."""
    return all(_has_library(op) for op in fusion.block.ops if isinstance(op, ContractOp))


def _has_library(op: ContractOp) -> bool:
    """Whether the result of a library can replace that of a contraction.

    Where halves are summed up as f32, it gives the sums as halves: those of f16 may overflow, unless they become f16
    anyway before anything else is computed.
    """
    element = element_type_of(op.lhs)
    if element_type_of(op.result) == element:
        return True
    if element == f16:
        readers = [use.operation for use in op.result.uses]
        return all(isinstance(reader, ConvertOp) and element_type_of(reader.result) == f16 for reader in readers)
    return True


def dissolve(fusion: FusionOp, plain: Tiles | None = None) -> list[Operation]:
    """Move the ops of the fusion in front of it, let their results replace its own, erase it, and return the ops.

    Without `plain` a contraction of halves with an f32 result becomes one with a half result that is converted: this is
    what libraries have. With `plain` each contraction goes into a fusion of its own that has these tiles.
    """
    block, terminator = fusion.block, fusion.terminator
    for argument, value in zip(block.args, fusion.inputs, strict=True):
        argument.replace_all_uses_with(value)
    for result, value in zip(fusion.outputs, terminator.values, strict=True):
        value.name_hint = value.name_hint or result.name_hint
        result.replace_all_uses_with(value)
    _remove(terminator)
    moved: list[Operation] = []
    for op in list(block.ops):
        op.detach()
        if not isinstance(op, ContractOp):
            moved.append(op)
            continue
        replacement = _narrow(op) if plain is None else [_alone(op, plain)]
        if replacement:
            replacement[-1].results[0].name_hint = op.result.name_hint
            op.result.replace_all_uses_with(replacement[-1].results[0])
            op.erase()
        moved += replacement or [op]
    Rewriter.insert_op(moved, InsertPoint.before(fusion))
    _remove(fusion)
    return moved


def _narrow(op: ContractOp) -> list[Operation]:
    """A contraction of halves with a half result, converted; nothing if it is that already, or of other elements."""
    if element_type_of(op.result) == element_type_of(op.lhs) or not is_half(element_type_of(op.lhs)):
        return []
    dims = (op.lhs_batch, op.rhs_batch, op.lhs_contract, op.rhs_contract)
    narrow = ContractOp(op.lhs, op.rhs, *dims, location=op.location)
    return [narrow, ConvertOp(narrow.result, element_type_of(op.result), location=op.location)]


def _alone(op: ContractOp, tiles: Tiles) -> FusionOp:
    """A fusion of the contraction alone."""
    inputs: list[SSAValue] = list(dict.fromkeys(op.operands))
    block = Block(arg_types=[value.type for value in inputs])
    inside = op.clone(dict(zip(inputs, block.args, strict=True)))
    block.add_ops([inside, YieldOp([inside.result])])
    fusion = FusionOp(inputs, [op.result.type], Region(block), location=op.location)
    fusion.attributes[TILES] = TilesAttr(tiles)
    return fusion


def _remove(op: Operation) -> None:
    op.detach()
    op.erase()
