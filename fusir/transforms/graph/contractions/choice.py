"""Which ops of a closure share the kernel of the contraction: those with which the least bytes are moved."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from xdsl.ir import Operation, SSAValue

from fusir.analysis.space import keeps_flat_index
from fusir.dialects.graph import ContractOp, PermuteOp, ReduceOp, ViewOp
from fusir.transforms.graph.contractions.closure import Closure
from fusir.transforms.graph.contractions.reductions import partial_bytes
from fusir.transforms.graph.contractions.values import base_of, size
from fusir.transforms.graph.fusion.program import is_code


@dataclass
class _Item:
    """A member of a closure that computes something."""

    op: Operation
    bytes: int
    """Of its result, as it would be stored."""
    inside: set[int] = field(default_factory=set)
    """The items that read it."""
    is_read_by_code: bool = False
    """Whether what just follows the members reads it, in another kernel of ours."""
    is_kept: bool = False
    """Whether it is stored, whatever kernel computes it: it is returned, contracted, or read by a kernel far behind."""
    reads: dict[SSAValue, int] = field(default_factory=dict)
    """The tensors that it reads from outside of the closure, with their bytes."""


class Choice:
    """The items of a closure, and what they move."""

    def __init__(self, closure: Closure) -> None:
        self._closure = closure
        self.items: list[_Item] = []
        self._number: dict[SSAValue, int] = {}
        """The item that a value of the closure is, or is a view of."""
        for op in closure.members:
            if isinstance(op, ViewOp) and not is_stored_view(op):
                self._number[op.results[0]] = self._number[op.operands[0]]
            else:
                self._add(op)
        for value, number in self._number.items():
            self._find_readers(value, self.items[number])

    def _add(self, op: Operation) -> None:
        number = len(self.items)
        stored = partial_bytes(op) if isinstance(op, ReduceOp) else size(op.results[0])
        item = _Item(op, stored)
        self.items.append(item)
        for operand in op.operands if not isinstance(op, ContractOp) else ():
            if operand in self._number:
                self.items[self._number[operand]].inside.add(number)
            else:
                base = base_of(operand)
                item.reads[base] = size(base)
        self._number[op.results[0]] = number

    def _find_readers(self, value: SSAValue, item: _Item) -> None:
        waiting = [value]
        while waiting:
            for use in waiting.pop().uses:
                op = use.operation
                if op in self._closure.members:
                    continue
                if isinstance(op, ViewOp) and op not in self._closure.far:
                    waiting.append(op.results[0])
                elif is_code(op) and op in self._closure.dependents and op not in self._closure.far:
                    item.is_read_by_code = True
                else:
                    item.is_kept = True

    def best(self, least: Operation | None) -> set[Operation]:
        """The items of the kernel, at least those up to `least`."""
        first = next((number for number, item in enumerate(self.items) if item.op is least), 0)
        ends = range(first, len(self.items))
        costs = self._prefix_costs()
        end = min(ends, key=lambda number: (costs[number], -number))
        kept = set(range(end + 1))
        least_cost = costs[end]
        # What a later op needed in the order of the program only for being in front of it.
        for number in reversed(range(first + 1, end + 1)):
            item = self.items[number]
            if item.inside & kept or not item.is_read_by_code or isinstance(item.op, ContractOp):
                continue
            without = self.traffic(kept - {number})
            if without < least_cost:
                kept.discard(number)
                least_cost = without
        return {self.items[number].op for number in kept}

    def traffic(self, kept: AbstractSet[int]) -> int:
        """The bytes moved if these items are in the kernel and the others in one behind it."""
        total = 0
        read: tuple[dict[SSAValue, int], dict[SSAValue, int]] = ({}, {})
        for number, item in enumerate(self.items):
            read[number in kept].update(item.reads)
            if number not in kept:
                total += item.bytes if item.is_kept else 0
                continue
            is_read = item.is_read_by_code or not item.inside <= kept
            total += item.bytes * ((is_read or item.is_kept) + is_read)
        return total + sum(sum(each.values()) for each in read)

    def _prefix_costs(self) -> list[int]:
        """The traffic if the items up to each one are in the kernel."""
        count = len(self.items)
        changes = [0] * (count + 1)
        last_use: dict[SSAValue, int] = {}
        first_use: dict[SSAValue, int] = {}
        total = 0
        for number, item in enumerate(self.items):
            # In front of the item it is left outside, from it on it is in, from its last reader on it may be unread.
            last = max(item.inside, default=number)
            left = item.bytes if item.is_kept else 0
            total += left
            open_ = 2 * item.bytes
            closed = item.bytes * ((item.is_read_by_code or item.is_kept) + item.is_read_by_code)
            changes[number] += open_ - left
            changes[last] += closed - open_
            for value in item.reads:
                first_use.setdefault(value, number)
                last_use[value] = number
        sizes = {value: size_ for item in self.items for value, size_ in item.reads.items()}
        for value, bytes_ in sizes.items():
            total += bytes_
            changes[first_use[value]] += bytes_
            changes[last_use[value]] -= bytes_
        costs: list[int] = []
        for change in changes[:count]:
            total += change
            costs.append(total)
        return costs


def is_stored_view(op: ViewOp) -> bool:
    """Whether a view of a closure is a result of the kernel: a transposed store."""
    return isinstance(op, PermuteOp) and not keeps_flat_index(op)


def names_of_ops(ops: Iterable[Operation]) -> str:
    """The names of ops for a remark."""
    return ", ".join(op.name.removeprefix("graph.") for op in ops)
