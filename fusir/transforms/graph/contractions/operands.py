"""What is computed as the operands of a contraction and of its epilogue are loaded.

Ops whose results nobody else reads move in: pointwise ops, and concatenations, which choose at each place what is
computed there, as packed weights of four bits do. What others read as well is done again where that is cheap and reads
no more than its result has bytes; otherwise it is stored, and read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import TypeAlias

from xdsl.ir import Operation, SSAValue

from fusir.analysis.readers import readers_of
from fusir.dialects.graph import ConcatOp, ContractOp, PointwiseOp, RandomOp
from fusir.transforms.graph.contractions import cost
from fusir.transforms.graph.contractions.values import base_of, count, is_returned_only, size
from fusir.transforms.graph.fusion.program import is_code

_MAX_CHAIN = 8
"""Ops of a small tensor that move in together."""

_MAX_READERS = 64
"""Readers of a value that are looked at."""

IsKept: TypeAlias = Callable[[SSAValue], bool]


def is_kept_nowhere(value: SSAValue) -> bool:
    """No value is kept from one call to the next."""
    return False


@dataclass
class Operands:
    """The ops that join a contraction and its epilogue to compute what these read."""

    inside: AbstractSet[Operation]
    """The contraction and its epilogue."""
    elements: int
    """The number of elements of the result."""
    is_kept: IsKept = is_kept_nowhere
    """What stays outside, since it is computed once for many calls."""
    ops: dict[Operation, None] = field(default_factory=dict)
    """The ops that join."""
    cloned: set[Operation] = field(default_factory=set)
    """Those of them that also stay outside, for other readers."""
    returned: list[SSAValue] = field(default_factory=list)
    """Results of them that the function returns."""

    def add_epilogue(self, values: Iterable[SSAValue]) -> None:
        """Let what computes operands of the epilogue join."""
        growth = _Growth(self, self.elements, is_prologue=False)
        growth.grow(values)
        self._join(growth)

    def add_prologue(self, contract: ContractOp, is_lhs: bool) -> str | None:
        """Let what computes an operand of the contraction join, or tell why it does not."""
        operand = contract.lhs if is_lhs else contract.rhs
        growth = _Growth(self, count(operand), is_prologue=True)
        growth.grow([operand])
        if not growth.ops:
            return None
        if not cost.prologue_is_cheap(contract, is_lhs, growth.ops):
            return f"{len(growth.ops)} ops would be evaluated for each tile that needs the operand"
        if growth.bytes_stored() > size(operand):
            return (
                f"what {len(growth.ops)} ops on the operand read would be stored, and has more bytes than the operand"
            )
        self._join(growth)
        return None

    def _join(self, growth: _Growth) -> None:
        self.ops |= growth.ops
        self.cloned |= growth.cloned
        self.returned += growth.returned


@dataclass
class _Growth:
    """The ops behind some operands, as far as they may join."""

    operands: Operands
    elements: int
    """The number of elements of what is grown for."""
    is_prologue: bool
    ops: dict[Operation, None] = field(default_factory=dict)
    cloned: set[Operation] = field(default_factory=set)
    returned: list[SSAValue] = field(default_factory=list)
    _cloned_weight: int = 0

    def grow(self, values: Iterable[SSAValue]) -> None:
        waiting = list(values)
        while waiting and len(self.ops) + len(self.operands.ops) < cost.MAX_OPERAND_OPS:
            base = base_of(waiting.pop())
            op = base.owner
            if not isinstance(op, Operation) or self._is_inside(op):
                continue
            if self._joins(op, base):
                self.ops[op] = None
                waiting += reversed(op.operands)

    def bytes_stored(self) -> int:
        """The bytes of what the ops read that would be stored for them only."""
        total = 0
        for base in {base_of(operand): None for op in self.ops for operand in op.operands}:
            op = base.owner
            if not isinstance(op, Operation) or not is_code(op) or self._is_inside(op):
                continue
            if all(is_code(reader) or self._is_inside(reader) for reader in readers_of(base)):
                total += size(base)
        return total

    def _is_inside(self, op: Operation) -> bool:
        return op in self.operands.inside or op in self.operands.ops or op in self.ops

    def _joins(self, op: Operation, value: SSAValue) -> bool:
        if isinstance(op, RandomOp):
            if self.is_prologue:
                return False
        elif not isinstance(op, PointwiseOp | ConcatOp) or not is_code(op) or self.operands.is_kept(value):
            return False
        others: list[Operation] = []
        for number, reader in enumerate(readers_of(value)):
            if number == _MAX_READERS:
                return False
            if not self._is_inside(reader) or reader in self.cloned or reader in self.operands.cloned:
                others.append(reader)
        if not others:
            return self._moves(op, value)
        if is_returned_only(others):
            if self.is_prologue or count(value) != self.elements or not self._moves(op, value):
                return False
            self.returned.append(value)
            return True
        return self._is_cloned(op, value, others)

    def _moves(self, op: Operation, value: SSAValue) -> bool:
        """Whether an op that nobody else needs joins."""
        if count(value) * cost.SMALL_PART <= self.elements:
            return self._is_whole_chain(op)
        # Elsewhere it would read as much, and write its result. But operands of contractions are read again and again.
        return not self.is_prologue or _bytes_read(op) <= 2 * size(value)

    def _is_whole_chain(self, op: Operation) -> bool:
        """Whether a small value is made of arguments by ops that only it needs.

        What is made of the results of another kernel is made there.
        """
        seen: set[Operation] = set()
        waiting = [op]
        while waiting:
            each = waiting.pop()
            if each in seen or self._is_inside(each):
                continue
            seen.add(each)
            if len(seen) > _MAX_CHAIN:
                return False
            for operand in each.operands:
                owner = base_of(operand).owner
                if not isinstance(owner, Operation) or not is_code(owner):
                    continue
                readers = list(readers_of(owner.results[0]))
                outside = self.cloned | self.operands.cloned
                known = all((r in seen or self._is_inside(r)) and r not in outside for r in readers)
                if not isinstance(owner, PointwiseOp) or not known:
                    return False
                waiting.append(owner)
        return True

    def _is_cloned(self, op: Operation, value: SSAValue, others: list[Operation]) -> bool:
        """Whether an op whose result others read as well is done again."""
        if isinstance(op, RandomOp) or self._cloned_weight + cost.weight(op) > cost.MAX_CLONED_WEIGHT:
            return False
        read, stored = _bytes_read(op), size(value)
        if all(isinstance(reader, ContractOp) for reader in others):
            # All of them do it again, or it is stored once and read by each.
            readers = len(set(others)) + 1
            allowed = read * readers <= read + stored * (1 + readers)
        else:
            allowed = all(is_code(reader) for reader in others) and read <= stored
        if allowed:
            self.cloned.add(op)
            self._cloned_weight += cost.weight(op)
        return allowed


def _bytes_read(op: Operation) -> int:
    """The bytes of the large tensors that an op reads, each once."""
    least = count(op.results[0]) // cost.SMALL_PART
    return sum({base: size(base) for base in map(base_of, op.operands) if count(base) > least}.values())
