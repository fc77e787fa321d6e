"""Comparisons and selections."""

from __future__ import annotations

from typing_extensions import override
from xdsl.ir import SSAValue

from fusir.dialects import graph
from fusir.transforms.graph.patterns.matching import full_scalar, has_float_elements, is_full, producer, type_of
from fusir.transforms.graph.worklist import Builder, Pattern

_REFLEXIVE = ("eq", "le", "ge")
_INVERTED = {"eq": "ne", "ne": "eq", "lt": "ge", "ge": "lt", "gt": "le", "le": "gt"}
_INVERTED_WITH_NAN = {"eq": "ne", "ne": "eq"}


class CompareSame(Pattern[graph.CompareOp]):
    """`compare p x, x`: false for `lt gt`; on integers true for `eq le ge` and false for `ne`; on floats `ne` is
    `isnan x`."""

    ops = (graph.CompareOp,)

    @override
    def apply(self, op: graph.CompareOp, builder: Builder) -> SSAValue | None:
        if op.lhs is not op.rhs:
            return None
        if has_float_elements(op.lhs) and op.predicate not in ("lt", "gt"):
            return builder.value(graph.IsNanOp(op.lhs)) if op.predicate == "ne" else None
        return builder.value(graph.FullOp(op.predicate in _REFLEXIVE, type_of(op.result)))


class NotOfCompare(Pattern[graph.NotOp]):
    """`not (compare p x, y)` is `compare q x, y` with the opposite predicate; on floats for `eq` and `ne` only."""

    ops = (graph.NotOp,)

    @override
    def apply(self, op: graph.NotOp, builder: Builder) -> SSAValue | None:
        compare = producer(op.operand, graph.CompareOp)
        if compare is None:
            return None
        inverted = (_INVERTED_WITH_NAN if has_float_elements(compare.lhs) else _INVERTED).get(compare.predicate)
        return None if inverted is None else builder.value(graph.CompareOp(inverted, compare.lhs, compare.rhs))


class CompareBool(Pattern[graph.CompareOp]):
    """`compare ne x, false` and `compare eq x, true` are `x` on i1; `compare eq x, false` and `compare ne x, true` are
    `not x`."""

    ops = (graph.CompareOp,)

    @override
    def apply(self, op: graph.CompareOp, builder: Builder) -> SSAValue | None:
        scalar = full_scalar(op.rhs)
        if not isinstance(scalar, bool) or op.predicate not in ("eq", "ne"):
            return None
        if scalar == (op.predicate == "eq"):
            return op.lhs
        return builder.value(graph.NotOp(op.lhs))


class SelectSame(Pattern[graph.SelectOp]):
    """`select c, x, x` is `x`."""

    ops = (graph.SelectOp,)

    @override
    def apply(self, op: graph.SelectOp, builder: Builder) -> SSAValue | None:
        return op.on_true if op.on_true is op.on_false else None


class SelectByConstant(Pattern[graph.SelectOp]):
    """`select true, x, y` is `x`, `select false, x, y` is `y`."""

    ops = (graph.SelectOp,)

    @override
    def apply(self, op: graph.SelectOp, builder: Builder) -> SSAValue | None:
        condition = full_scalar(op.condition)
        if condition is None:
            return None
        return op.on_true if condition else op.on_false


class SelectByNot(Pattern[graph.SelectOp]):
    """`select (not c), x, y` is `select c, y, x`."""

    ops = (graph.SelectOp,)

    @override
    def apply(self, op: graph.SelectOp, builder: Builder) -> SSAValue | None:
        negation = producer(op.condition, graph.NotOp)
        if negation is None:
            return None
        return builder.value(graph.SelectOp(negation.operand, op.on_false, op.on_true))


class SelectOfBools(Pattern[graph.SelectOp]):
    """`select c, true, false` is `c`, `select c, false, true` is `not c`."""

    ops = (graph.SelectOp,)

    @override
    def apply(self, op: graph.SelectOp, builder: Builder) -> SSAValue | None:
        if is_full(op.on_true, True) and is_full(op.on_false, False):
            return op.condition
        if is_full(op.on_true, False) and is_full(op.on_false, True):
            return builder.value(graph.NotOp(op.condition))
        return None


class SelectOfSelect(Pattern[graph.SelectOp]):
    """`select c, (select c, x, y), z` is `select c, x, z`, and `select c, z, (select c, x, y)` is `select c, z, y`."""

    ops = (graph.SelectOp,)

    @override
    def apply(self, op: graph.SelectOp, builder: Builder) -> SSAValue | None:
        inner = producer(op.on_true, graph.SelectOp)
        if inner is not None and inner.condition is op.condition:
            return builder.value(graph.SelectOp(op.condition, inner.on_true, op.on_false))
        inner = producer(op.on_false, graph.SelectOp)
        if inner is not None and inner.condition is op.condition:
            return builder.value(graph.SelectOp(op.condition, op.on_true, inner.on_false))
        return None


LOGIC = (
    CompareSame(),
    NotOfCompare(),
    CompareBool(),
    SelectSame(),
    SelectByConstant(),
    SelectByNot(),
    SelectOfBools(),
    SelectOfSelect(),
)
