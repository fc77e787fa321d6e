"""Cascades: reductions over the same dims, the later ones of values that depend on the results of earlier ones.

Whether they can share one walk is decided here; `fusir.transforms.loop.online_loop` builds it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from xdsl.dialects import arith, math
from xdsl.dialects.builtin import AnyFloat
from xdsl.ir import Block, Operation, SSAValue

from fusir.analysis.nests import kernel_extents
from fusir.analysis.rescaling import Coefficient, Extremum, Form, Rescaling, Term
from fusir.dialects.loop import Combiner, LoadOp, LoopOp, ReduceOp, StoreOp

_MAXIMA = (Combiner.MAX, Combiner.ARGMAX, Combiner.LAST_ARGMAX)
_MINIMA = (Combiner.MIN, Combiner.ARGMIN, Combiner.LAST_ARGMIN)


class RefusedError(Exception):
    """Why a reduction cannot join the walk of those before it. The message is one line."""


@dataclass(eq=False)
class Folded:
    """What one combiner of one of the reductions folds."""

    reduce: ReduceOp
    combiner: Combiner
    values: Sequence[SSAValue]
    """The values that are folded, in the body of the reduction."""
    results: Sequence[SSAValue]
    form: Form | None = None
    """For a sum of values that depend on earlier results: their linear form."""
    terms: Mapping[Term, Form] = field(default_factory=dict[Term, Form])
    """The terms of `form`, and those of their own forms."""
    shift: Coefficient | None = None
    """For an extremum of values that depend on earlier results: what these are shifted by."""


class Cascade:
    """Reductions of one block, in order, that can share a walk."""

    def __init__(self, block: Block, reduces: Sequence[ReduceOp]):
        """Raises `RefusedError` if they cannot."""
        self.block = block
        self.reduces = list(reduces)
        self.folded: list[Folded] = []
        self.of_result: dict[SSAValue, Folded] = {}
        self.dependent: set[SSAValue] = set()
        """The values that depend on the result of one of the reductions."""
        for op in block.ops:
            if op in self.reduces:
                assert isinstance(op, ReduceOp)
                self._enter(op)
            elif not isinstance(op, LoopOp) and any(operand in self.dependent for operand in op.operands):
                self.dependent.update(op.results)
            if op is self.reduces[-1]:
                break

    def _enter(self, op: ReduceOp) -> None:
        if kernel_extents(op) != kernel_extents(self.reduces[0]):
            raise RefusedError("it walks other dims")
        for inner in op.body.block.ops:
            if inner.regions:
                raise RefusedError("it has a loop inside")
            if any(operand in self.dependent for operand in inner.operands):
                if isinstance(inner, StoreOp):
                    raise RefusedError("it stores what depends on the reduction before it")
                self.dependent.update(inner.results)
        laws = Rescaling(op.body.block, frozenset(self.dependent), self._extrema())
        first = 0
        for attr in op.combiners:
            last = first + attr.data.arity
            values, results = list(op.yield_op.values[first:last]), list(op.results[first:last])
            self.folded.append(self._derive(Folded(op, attr.data, values, results), laws))
            first = last
        for folded in self.folded:
            self.of_result |= dict.fromkeys(folded.results, folded)
        self.dependent.update(op.results)

    def _extrema(self) -> dict[SSAValue, Extremum]:
        """The results so far that are maxima or minima."""
        return {
            folded.results[0]: Extremum(folded.values[0], folded.combiner in _MAXIMA)
            for folded in self.folded
            if folded.combiner in (*_MAXIMA, *_MINIMA)
        }

    def _derive(self, folded: Folded, laws: Rescaling) -> Folded:
        """Find how the fold is corrected when the results that it depends on change."""
        dependent = [value for value in folded.values if value in self.dependent]
        if not dependent:
            return folded
        value = folded.values[0]
        for result in self.sources(dependent):
            source = self.of_result[result]
            if not has_estimate(source, result):
                raise RefusedError(f"it depends on {source.combiner}, of which a part gives no estimate")
        if isinstance(value.type, AnyFloat) and folded.combiner is Combiner.ADD:
            folded.form = laws.form(value)
            terms = None if folded.form is None else laws.closure(folded.form)
            if terms is not None:
                folded.terms = terms
                return folded
        elif isinstance(value.type, AnyFloat) and folded.combiner in (Combiner.MAX, Combiner.MIN):
            folded.shift = laws.shift(value)
            if folded.shift is not None:
                return folded
        what = f"{folded.combiner} of {_name(value)}"
        raise RefusedError(f"{what} has no correction for another estimate of what it needs")

    def is_tame(self, value: SSAValue) -> bool:
        """Whether a value computed from finite estimates is finite itself, as sums and multiples of them are.

        Others, such as 1 / estimate, may be infinite, or no number, where they are not for the results.
        """
        if value not in self.dependent or value in self.of_result:
            return True
        match value.owner:
            case (
                arith.AddfOp()
                | arith.SubfOp()
                | arith.NegfOp()
                | arith.ExtFOp()
                | arith.SelectOp()
                | arith.MaximumfOp()
                | arith.MinimumfOp()
                | math.AbsFOp()
            ):
                return True
            case arith.MulfOp(lhs=lhs, rhs=rhs):
                return lhs not in self.dependent or rhs not in self.dependent
            case arith.DivfOp(rhs=rhs):
                return rhs not in self.dependent
            case _:
                return not isinstance(value.type, AnyFloat)

    def are_tame(self, values: Sequence[SSAValue]) -> bool:
        """Whether all that values are computed with, outside of the reductions, is tame."""
        return all(
            self.is_tame(value)
            for value in self._needed(values)
            if isinstance(value.owner, Operation) and value.owner.parent is self.block
        )

    def sources(self, values: Sequence[SSAValue]) -> Iterator[SSAValue]:
        """The earlier results that values depend on. Raises `RefusedError` for a load at a place that they give."""
        for value in self._needed(values):
            if value in self.of_result:
                yield value
            elif isinstance(value.owner, LoadOp):
                raise RefusedError("it loads from a place that depends on the reduction before it")

    def _needed(self, values: Sequence[SSAValue]) -> Iterator[SSAValue]:
        """All that values are computed with and that depends on results, up to these."""
        seen: set[SSAValue] = set()
        pending = list(values)
        while pending:
            value = pending.pop()
            if value in seen or value not in self.dependent:
                continue
            seen.add(value)
            yield value
            if value not in self.of_result and isinstance(value.owner, Operation):
                pending += value.owner.operands


def has_estimate(folded: Folded, result: SSAValue) -> bool:
    """Whether a result of the fold of a part of the iterations gives an estimate of the whole: no index does."""
    if folded.combiner is Combiner.ADD:
        return isinstance(folded.values[0].type, AnyFloat)
    extrema = (*_MAXIMA, *_MINIMA, Combiner.UMAX, Combiner.UMIN)
    return folded.combiner in extrema and result is folded.results[0]


def _name(value: SSAValue) -> str:
    return value.owner.name if isinstance(value.owner, Operation) else "an index"
