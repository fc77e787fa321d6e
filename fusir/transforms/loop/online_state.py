"""What the one loop of a cascade carries, and how results are estimated from it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

from xdsl.dialects import arith
from xdsl.ir import Attribute, SSAValue

from fusir.analysis.cascade import Folded
from fusir.analysis.rescaling import Term, settled
from fusir.dialects.loop import Combiner
from fusir.transforms.loop.online_scalars import Scope, Uniform, bounded, coefficient_value, combination


class Slot:
    """A carried value."""

    def __init__(self, init: SSAValue, before: SSAValue):
        self.init = init
        self.before = before
        self.after = before


Carried: TypeAlias = Callable[[Slot], SSAValue]
"""Tells what is carried at some point."""


@dataclass
class State:
    """All that is carried."""

    slots: list[Slot] = field(default_factory=list[Slot])
    folds: dict[Folded, list[Slot]] = field(default_factory=dict[Folded, list[Slot]])
    """The carried values of each fold that is no sum of terms."""
    sums: dict[Folded, dict[Term, Slot]] = field(default_factory=dict[Folded, dict[Term, Slot]])
    """The carried sums of the terms of the others; that of the term 1 is the count."""
    counts: dict[Attribute, Slot] = field(default_factory=dict[Attribute, Slot])
    """The iterations so far, in each float type that needs them."""

    def so_far(self, scope: Scope, folded: Folded, result: SSAValue, carried: Carried, uniform: Uniform) -> SSAValue:
        """A result of a fold, of the iterations so far, at the estimates `uniform` that its sums belong to."""
        if folded.form is None:
            return carried(self.folds[folded][folded.results.index(result)])
        element = result.type
        at_rest = {term: settled(coefficient) for term, coefficient in folded.form.items()}
        sums = {term: carried(slot) for term, slot in self.sums[folded].items()}
        return combination(
            scope, at_rest, sums, element, lambda c: coefficient_value(scope, c, element, uniform, uniform)
        )


def estimate(
    scope: Scope, folded: Folded, so_far: SSAValue, total: SSAValue | None = None, count: SSAValue | None = None
) -> SSAValue:
    """What a result is taken for after `count` of `total` iterations, or after all of them."""
    if folded.combiner is not Combiner.ADD:
        return bounded(scope, folded.combiner, so_far)
    if total is None or count is None:
        return so_far
    return scope.add(arith.MulfOp(so_far, scope.add(arith.DivfOp(total, count))))
