"""Which reductions of one loop are the same.

```
%m, %v, %i = loop.reduce [max, argmax] (%k) in (8) { ...  loop.yield %a, %a, %k }
```
is
```
%v, %i = loop.reduce [argmax] (%k) in (8) { ...  loop.yield %a, %k }
```
with `%v` for `%m`: the first extremal element is the extremum, and NaN is extremal to both.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from xdsl.dialects.builtin import ArrayAttr, i1
from xdsl.ir import SSAValue

from fusir.dialects.loop import Combiner, CombinerAttr

Term = tuple[Combiner, tuple[SSAValue, ...]]
"""A combiner with the values of one element that it folds."""

_EXTREMUM = {Combiner.ARGMAX: Combiner.MAX, Combiner.ARGMIN: Combiner.MIN}
"""What the value of an arg combiner is the fold of."""


def split_terms(combiners: Iterable[CombinerAttr], values: Sequence[SSAValue]) -> list[Term]:
    """The values of a `loop.yield`, by combiner."""
    rest = iter(values)
    return [(combiner.data, tuple(next(rest) for _ in range(combiner.data.arity))) for combiner in combiners]


def share_reductions(terms: Sequence[Term]) -> tuple[ArrayAttr[CombinerAttr], list[SSAValue], list[int]]:
    """The combiners and yielded values of one `loop.reduce` that gives what all terms give.

    Also, for each value of each term in order, the position of the result that is its fold.
    """
    # Of i1 the arg combiners have another order than `max` and `min`.
    with_position: dict[Term, Term] = {
        (_EXTREMUM[combiner], values[:1]): (combiner, values)
        for combiner, values in terms
        if combiner in _EXTREMUM and values[0].type != i1
    }
    combiners: list[CombinerAttr] = []
    yielded: list[SSAValue] = []
    positions: dict[Term, int] = {}
    places: list[int] = []
    for term in terms:
        combiner, values = shared = with_position.get(term, term)
        if shared not in positions:
            positions[shared] = len(yielded)
            combiners.append(CombinerAttr(combiner))
            yielded += values
        places += range(positions[shared], positions[shared] + term[0].arity)
    return ArrayAttr(combiners), yielded, places
