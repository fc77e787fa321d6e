"""Cleaning up the inputs and results of fusions."""

from __future__ import annotations

from xdsl.dialects.builtin import ArrayAttr
from xdsl.ir import BlockArgument, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from fusir.dialects import graph
from fusir.transforms.graph.patterns.matching import producer

_STRIDES = "graph.strides"
"""The layout hints of the results, one for each."""


def simplify_signature(op: graph.FusionOp) -> graph.FusionOp | None:
    """Give the fusion only the inputs and results that it needs, and return the fusion that replaces it, if any.

    An input that is passed twice or not used, a constant input, and a result that is not used, is yielded twice or is
    an input, all go. The body moves, it is not copied.
    """
    _absorb_constants(op)
    _merge_equal_inputs(op)
    _forward_results(op)
    kept_inputs = [i for i, a in enumerate(op.block.args) if a.first_use is not None]
    kept_results = [i for i, r in enumerate(op.outputs) if r.first_use is not None]
    if len(kept_inputs) == len(op.inputs) and len(kept_results) == len(op.outputs):
        return None
    return _with_signature(op, kept_inputs, kept_results)


def _absorb_constants(op: graph.FusionOp) -> None:
    """An input that is `graph.full` becomes a `graph.full` in the body."""
    block = op.block
    for argument, value in zip(block.args, op.inputs, strict=True):
        full = producer(value, graph.FullOp)
        if full is None or argument.first_use is None:
            continue
        inner = graph.FullOp(full.value, full.result.type, location=full.location)
        Rewriter.insert_op(inner, InsertPoint.at_start(block))
        argument.replace_all_uses_with(inner.result)


def _merge_equal_inputs(op: graph.FusionOp) -> None:
    """All uses of equal inputs become uses of the first of them."""
    first: dict[SSAValue, BlockArgument] = {}
    for argument, value in zip(op.block.args, op.inputs, strict=True):
        representative = first.setdefault(value, argument)
        if representative is not argument:
            argument.replace_all_uses_with(representative)


def _forward_results(op: graph.FusionOp) -> None:
    """A result that is an input is that input; a value yielded twice is one result."""
    first: dict[SSAValue, SSAValue] = {}
    for result, value in zip(op.outputs, op.terminator.values, strict=True):
        if isinstance(value, BlockArgument):
            result.replace_all_uses_with(op.inputs[value.index])
            continue
        representative = first.setdefault(value, result)
        if representative is not result:
            result.replace_all_uses_with(representative)


def _with_signature(op: graph.FusionOp, inputs: list[int], results: list[int]) -> graph.FusionOp:
    """Replace the fusion by one with these inputs and results, of the same body."""
    block, terminator = op.block, op.terminator
    new_yield = graph.YieldOp([terminator.values[i] for i in results], location=terminator.location)
    Rewriter.insert_op(new_yield, InsertPoint.before(terminator))
    _remove(terminator)
    for argument in reversed([a for i, a in enumerate(block.args) if i not in inputs]):
        block.erase_arg(argument)
    new = graph.FusionOp(
        [op.inputs[i] for i in inputs],
        [op.outputs[i].type for i in results],
        op.detach_region(op.body),
        location=op.location,
    )
    new.attributes = dict(op.attributes)
    hints = op.attributes.get(_STRIDES)
    if isinstance(hints, ArrayAttr):
        new.attributes[_STRIDES] = ArrayAttr([hints.data[i] for i in results])
    Rewriter.insert_op(new, InsertPoint.before(op))
    for new_result, i in zip(new.outputs, results, strict=True):
        new_result.name_hint = op.outputs[i].name_hint
        op.outputs[i].replace_all_uses_with(new_result)
    _remove(op)
    return new


def _remove(op: Operation) -> None:
    op.detach()
    op.erase()
