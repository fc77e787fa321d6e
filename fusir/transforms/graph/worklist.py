"""The greedy rewrite driver of the graph level: patterns by op class, and a worklist instead of repeated walks."""

from __future__ import annotations

import abc
from collections import deque
from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, Generic, TypeAlias, TypeVar

from xdsl.ir import Operation, OpResult, Region, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from fusir.transforms.graph.dce import is_dead

OpT = TypeVar("OpT", bound=Operation)
NewT = TypeVar("NewT", bound=Operation)

MAX_REWRITES_PER_OP = 64
"""Rewrites per op of the input after which two patterns must be undoing each other."""


class Pattern(abc.ABC, Generic[OpT]):
    """A law that replaces the only result of an op by an equal value.

    `ops` are the op classes to look at; a base class stands for all that derive from it.
    """

    ops: ClassVar[tuple[type[Operation], ...]]

    @abc.abstractmethod
    def apply(self, op: OpT, builder: Builder) -> SSAValue | None:
        """The value that replaces the result of the op, or None if the law does not apply."""


AnyPattern: TypeAlias = Pattern[Any]


class Builder:
    """Inserts new ops in front of the op that is being rewritten, with its location."""

    def __init__(self, op: Operation) -> None:
        self._op = op
        self.inserted: list[Operation] = []

    def insert(self, new_op: NewT) -> NewT:
        """Insert an op and return it."""
        new_op.location = self._op.location
        Rewriter.insert_op(new_op, InsertPoint.before(self._op))
        self.inserted.append(new_op)
        return new_op

    def value(self, new_op: Operation) -> SSAValue:
        """Insert an op and return its only result."""
        return self.insert(new_op).results[0]


class Driver:
    """Applies patterns until none applies. Dead ops on the way are erased.

    Each op is looked at once, and again when one of its operands is replaced: the work is linear in the ops plus the
    rewrites.
    """

    def __init__(self, patterns: Sequence[AnyPattern]) -> None:
        self._patterns = patterns
        self._by_class: dict[type[Operation], tuple[AnyPattern, ...]] = {}
        self._queue: deque[Operation] = deque()
        self._queued: set[Operation] = set()

    def _patterns_for(self, class_: type[Operation]) -> tuple[AnyPattern, ...]:
        found = self._by_class.get(class_)
        if found is None:
            found = tuple(p for p in self._patterns if issubclass(class_, p.ops))
            self._by_class[class_] = found
        return found

    def _push(self, ops: Iterable[Operation]) -> None:
        for op in ops:
            if op not in self._queued:
                self._queued.add(op)
                self._queue.append(op)

    def run(self, region: Region) -> bool:
        """Rewrite everything in the region; true if anything changed."""
        self._push(op for op in region.walk())
        limit = MAX_REWRITES_PER_OP * max(len(self._queue), 1)
        changed = False
        while self._queue:
            op = self._queue.popleft()
            self._queued.discard(op)
            if op.parent is None:
                continue
            if is_dead(op):
                self._erase(op)
                changed = True
                continue
            for pattern in self._patterns_for(type(op)):
                if self._rewrite(op, pattern):
                    changed = True
                    limit -= 1
                    if limit < 0:
                        raise RuntimeError(f"canonicalization does not end: {type(pattern).__name__} on {op.name}")
                    break
        return changed

    def _rewrite(self, op: Operation, pattern: AnyPattern) -> bool:
        builder = Builder(op)
        value = pattern.apply(op, builder)
        if value is None:
            return False
        result = op.results[0]
        self._push(builder.inserted)
        self._push(use.operation for use in result.uses)
        if isinstance(value, OpResult) and value.op in builder.inserted:
            if value.type == result.type:
                value.op.attributes = {**op.attributes, **value.op.attributes}
            value.name_hint = value.name_hint or result.name_hint
        result.replace_all_uses_with(value)
        self._erase(op)
        return True

    def _erase(self, op: Operation) -> None:
        """Erase an op, and look again at the ops that may have lost their last use."""
        producers = [v.op for v in op.operands if isinstance(v, OpResult)]
        for region in op.regions:
            self._queued.difference_update(region.walk())
        op.detach()
        op.erase()
        self._push(p for p in producers if p.parent is not None)
