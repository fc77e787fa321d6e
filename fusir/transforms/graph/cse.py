"""Common subexpression elimination."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import TypeAlias

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.traits import Commutative, IsTerminator

from fusir.dialects import graph

Key: TypeAlias = tuple[Hashable, ...]


def _is_candidate(op: Operation) -> bool:
    """True for pure ops without regions, of the graph dialect."""
    if not isinstance(op, graph.GraphOp) or op.regions or op.has_trait(IsTerminator):
        return False
    return not isinstance(op, graph.CallAtenOp) or op.pure


class _Numbering:
    """Numbers values, so that the operands of commutative ops have an order that is the same in every run."""

    def __init__(self) -> None:
        self._numbers: dict[SSAValue, int] = {}

    def __call__(self, value: SSAValue) -> int:
        return self._numbers.setdefault(value, len(self._numbers))


def _key(op: Operation, number: _Numbering) -> Key:
    """Equal for ops that compute equal results: class, operands, properties and result types.

    Discardable attributes and locations do not count.
    """
    operands = [number(v) for v in op.operands]
    if op.has_trait(Commutative):
        operands.sort()
    return (type(op), tuple(operands), tuple(sorted(op.properties.items(), key=_name)), tuple(op.result_types))


def _name(item: tuple[str, object]) -> str:
    return item[0]


def _merge_in_block(block: Block, number: _Numbering) -> int:
    """Replace each op by the first equal op of the block. Nested regions are isolated: each is a scope of its own."""
    seen: dict[Key, Operation] = {}
    merged = 0
    for op in block.ops:
        merged += sum(merge_equal_ops(region) for region in op.regions)
        if not _is_candidate(op):
            continue
        first = seen.setdefault(_key(op, number), op)
        if first is op:
            continue
        for result, replacement in zip(op.results, first.results, strict=True):
            result.replace_all_uses_with(replacement)
        for name, attribute in op.attributes.items():
            first.attributes.setdefault(name, attribute)
        op.detach()
        op.erase()
        merged += 1
    return merged


def merge_equal_ops(region: Region) -> int:
    """Merge the equal ops of each block in a region, nested ones included, and return how many were erased."""
    number = _Numbering()
    return sum(_merge_in_block(block, number) for block in region.blocks)


@dataclass(frozen=True)
class CsePass(ModulePass):
    """Merge ops that compute the same; operands of commutative ops compare in any order."""

    name = "cse"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        merge_equal_ops(op.body)
