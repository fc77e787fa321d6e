"""Undoing a fusion: its ops go back to the function."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from xdsl.dialects.builtin import f16
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from fusir.dialects.graph import (
    ContractOp,
    ConvertOp,
    FusionOp,
    ReduceOp,
    ReshapeOp,
    YieldOp,
    dims_of,
    element_type_of,
    is_half,
    wide_element,
)
from fusir.dialects.loop import TILES, Tiles, TilesAttr
from fusir.transforms.graph.logsumexp import expanded_ops, is_logsumexp


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
    what libraries have. With `plain` each contraction goes into a fusion of its own, with what computes its operands,
    that has these tiles. If they say so, it gives sums over parts of the contracted dim, which are added up outside.

    A logsumexp becomes the cascade of ops that computes it: what reads a stored operand may read it twice.
    """
    block, terminator = fusion.block, fusion.terminator
    for argument, value in zip(block.args, fusion.inputs, strict=True):
        argument.replace_all_uses_with(value)
    for result, value in zip(fusion.outputs, terminator.values, strict=True):
        value.name_hint = value.name_hint or result.name_hint
        result.replace_all_uses_with(value)
    _remove(terminator)
    ops = list(block.ops)
    moved: list[Operation] = []
    for op in ops:
        op.detach()
        if isinstance(op, ContractOp):
            replacement = _narrow(op) if plain is None else _alone(op, plain, set(moved))
        elif isinstance(op, ReduceOp) and is_logsumexp(op):
            replacement = expanded_ops(op)
        else:
            moved.append(op)
            continue
        if replacement:
            replacement[-1].results[0].name_hint = op.result.name_hint
            op.result.replace_all_uses_with(replacement[-1].results[0])
            op.erase()
        moved += replacement or [op]
    if plain is not None:
        moved = _without_unused(moved)
    Rewriter.insert_op(moved, InsertPoint.before(fusion))
    _remove(fusion)
    return moved


def can_split(op: ContractOp, parts: int) -> bool:
    """Whether a contraction can be cut into so many parts along its contracted dim."""
    (*_, inner) = (dims_of(op.lhs)[dim] for dim in op.lhs_contract)
    single = len(op.lhs_contract) == 1 and not op.lhs_batch
    return single and isinstance(inner, int) and inner % parts == 0


def _narrow(op: ContractOp) -> list[Operation]:
    """A contraction of halves with a half result, converted; nothing if it is that already, or of other elements."""
    if element_type_of(op.result) == element_type_of(op.lhs) or not is_half(element_type_of(op.lhs)):
        return []
    dims = (op.lhs_batch, op.rhs_batch, op.lhs_contract, op.rhs_contract)
    narrow = ContractOp(op.lhs, op.rhs, *dims, location=op.location)
    return [narrow, ConvertOp(narrow.result, element_type_of(op.result), location=op.location)]


def _alone(op: ContractOp, tiles: Tiles, around: set[Operation]) -> list[Operation]:
    """A fusion of the contraction with those ops `around` it that compute its operands, and what finishes its parts."""
    cone = _cone(op.operands, around)
    made = [op] if tiles.split == 1 else _split(op, tiles.split)
    inner_values = {result for inner in cone for result in inner.results}
    inputs = list(dict.fromkeys(v for inner in [*cone, op] for v in inner.operands if v not in inner_values))
    block = Block(arg_types=[value.type for value in inputs])
    known: dict[SSAValue, SSAValue] = dict(zip(inputs, block.args, strict=True))
    for inner in [*cone, *(each for each in made if not isinstance(each, ReduceOp | ConvertOp))]:
        copy = inner.clone(known)
        block.add_op(copy)
    yielded = known[next(each for each in made if isinstance(each, ContractOp)).result]
    block.add_op(YieldOp([yielded]))
    fusion = FusionOp(inputs, [yielded.type], Region(block), location=op.location)
    fusion.attributes[TILES] = TilesAttr(replace(tiles, split=1))
    if tiles.split == 1:
        return [fusion]
    finish: list[Operation] = [ReduceOp("sum", fusion.results[0], [0])]
    if element_type_of(finish[0].results[0]) != element_type_of(op.result):
        finish.append(ConvertOp(finish[0].results[0], element_type_of(op.result)))
    for each in finish:
        each.location = op.location
    for each in reversed(made):
        each.erase()
    return [fusion, *finish]


def _split(op: ContractOp, parts: int) -> list[Operation]:
    """A contraction with the parts of the contracted dim as a batch, summed up in the wide type."""
    ops: list[Operation] = []
    factors: list[SSAValue] = []
    for value, (dim,) in ((op.lhs, op.lhs_contract), (op.rhs, op.rhs_contract)):
        dims = dims_of(value)
        inner = dims[dim]
        assert isinstance(inner, int)
        ops.append(ReshapeOp(value, [*dims[:dim], parts, inner // parts, *dims[dim + 1 :]]))
        factors.append(ops[-1].results[0])
    (left,), (right,) = op.lhs_contract, op.rhs_contract
    element = wide_element(element_type_of(op.lhs))
    lhs, rhs = factors
    dims = ((left,), (right,), (left + 1,), (right + 1,))
    ops.append(ContractOp(lhs, rhs, *dims, element=element, precision=op.precision, location=op.location))
    return ops


def _cone(values: Sequence[SSAValue], around: set[Operation]) -> list[Operation]:
    """Those of the ops that values are computed of, in order."""
    found: dict[Operation, None] = {}

    def visit(value: SSAValue) -> None:
        owner = value.owner
        if isinstance(owner, Operation) and owner in around and owner not in found:
            for operand in owner.operands:
                visit(operand)
            found[owner] = None

    for value in values:
        visit(value)
    return [op for op in found if not isinstance(op, FusionOp)]


def _without_unused(ops: Sequence[Operation]) -> list[Operation]:
    """The ops without those whose results nobody uses, which are erased."""
    kept: list[Operation] = []
    for op in reversed(ops):
        if any(result.uses for result in op.results):
            kept.append(op)
        else:
            op.erase()
    return kept[::-1]


def _remove(op: Operation) -> None:
    op.detach()
    op.erase()
