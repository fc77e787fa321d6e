"""`graph.reduce logsumexp` and the cascade of ops that computes the same, as frontends give it.

```
%m = graph.reduce max %x dims [1]
%g = select (abs %m == inf), 0, %m
%s = graph.reduce sum exp(%x - broadcast %g) dims [1]        =>    %r = graph.reduce logsumexp %x dims [1]
%r = graph.add log %s, %g
```

The cascade reads its operand twice. What may read it only once has the reduction, everything else the cascade. Without
the guard a row of -inf, and one with inf, would be NaN: that is no logsumexp.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from xdsl.dialects.builtin import f32
from xdsl.ir import Operation, SSAValue

from fusir.dialects import graph
from fusir.dialects.graph import ReduceKind, dims_of, element_type_of, tensor_type
from fusir.transforms.graph.patterns.matching import is_full

OpT = TypeVar("OpT", bound=Operation)


@dataclass(frozen=True)
class Cascade:
    """The ops of a logsumexp."""

    maximum: graph.ReduceOp
    difference: graph.SubOp
    """Of the operand and the maximum: it and the maximum read the operand."""
    total: graph.AddOp
    """Its result is the logsumexp, with dims of extent 1 or without."""

    @property
    def operand(self) -> SSAValue:
        return self.maximum.operand


def match_cascade(maximum: graph.ReduceOp) -> Cascade | None:
    """The logsumexp of which this is the maximum; None if it is none, or anything else reads a value of it."""
    if maximum.kind is not ReduceKind.MAX or element_type_of(maximum.operand) != f32:
        return None
    readers = _readers(maximum.result)
    magnitude, guard = _one(readers, graph.AbsOp), _one(readers, graph.SelectOp)
    if len(readers) != 2 or magnitude is None or guard is None or not _is_guard(magnitude, guard, maximum):
        return None
    readers = _readers(guard.result)
    spread, total = _one(readers, graph.BroadcastOp), _one(readers, graph.AddOp)
    if len(readers) != 2 or spread is None or total is None or not _repeats_rows(spread, maximum):
        return None
    difference = _only(spread.result, graph.SubOp)
    if difference is None or difference.lhs is not maximum.operand or difference.rhs is not spread.result:
        return None
    exponential = _only(difference.result, graph.ExpOp)
    summed = None if exponential is None else _only(exponential.result, graph.ReduceOp)
    if exponential is None or summed is None or summed.operand is not exponential.result:
        return None
    if summed.kind is not ReduceKind.SUM or sorted(summed.dims) != sorted(maximum.dims):
        return None
    logarithm = _only(summed.result, graph.LogOp)
    if logarithm is None or _only(logarithm.result, graph.AddOp) is not total:
        return None
    return Cascade(maximum, difference, total)


def cascade_ops(operand: SSAValue, dims: Sequence[int]) -> list[Operation]:
    """The ops of the logsumexp of f32 or f64 over some dims; the last one gives it."""
    maximum = graph.ReduceOp(ReduceKind.MAX, operand, dims)
    type_ = maximum.result.type
    kept = [axis for axis in range(len(dims_of(operand))) if axis not in dims]
    magnitude = graph.AbsOp(maximum)
    infinity, zero = graph.FullOp(math.inf, type_), graph.FullOp(0.0, type_)
    is_infinite = graph.CompareOp("eq", magnitude, infinity)
    guard = graph.SelectOp(is_infinite, zero, maximum)
    spread = graph.BroadcastOp(guard, kept, dims_of(operand))
    difference = graph.SubOp(operand, spread)
    exponential = graph.ExpOp(difference)
    summed = graph.ReduceOp(ReduceKind.SUM, exponential, dims)
    logarithm = graph.LogOp(summed)
    total = graph.AddOp(logarithm, guard)
    ops: list[Operation] = [maximum, magnitude, infinity, is_infinite, zero, guard, spread, difference]
    return [*ops, exponential, summed, logarithm, total]


def expanded_ops(reduce: graph.ReduceOp) -> list[Operation]:
    """The cascade that a logsumexp is, in its element type: halves are computed as f32."""
    ops: list[Operation] = []
    operand, element = reduce.operand, element_type_of(reduce.operand)
    if graph.is_half(element):
        ops.append(graph.ConvertOp(operand, f32))
        operand = ops[-1].results[0]
    if 0 in (dims_of(operand)[axis] for axis in reduce.dims):
        ops.append(graph.FullOp(-math.inf, tensor_type(element_type_of(operand), dims_of(reduce.result))))
    else:
        ops += cascade_ops(operand, reduce.dims)
    if element_type_of(operand) != element:
        ops.append(graph.ConvertOp(ops[-1].results[0], element))
    for op in ops:
        op.location = reduce.location
    return ops


def is_logsumexp(op: Operation) -> bool:
    """Whether an op reduces to the logarithm of a sum of exponentials."""
    return isinstance(op, graph.ReduceOp) and op.kind is ReduceKind.LOGSUMEXP


def _readers(value: SSAValue) -> list[Operation]:
    """The ops that read a value, also through reshapes."""
    readers: dict[Operation, None] = {}
    waiting = [value]
    while waiting:
        for use in waiting.pop().uses:
            if isinstance(use.operation, graph.ReshapeOp):
                waiting.append(use.operation.result)
            else:
                readers[use.operation] = None
    return list(readers)


def _one(ops: Sequence[Operation], class_: type[OpT]) -> OpT | None:
    """The only op of a class."""
    found = [op for op in ops if isinstance(op, class_)]
    return found[0] if len(found) == 1 else None


def _only(value: SSAValue, class_: type[OpT]) -> OpT | None:
    """The only reader of a value, if it is of the class."""
    readers = _readers(value)
    return _one(readers, class_) if len(readers) == 1 else None


def _base(value: SSAValue) -> SSAValue:
    """What a value is a reshape of."""
    while isinstance(value.owner, graph.ReshapeOp):
        value = value.owner.operand
    return value


def _is_guard(magnitude: graph.AbsOp, guard: graph.SelectOp, maximum: graph.ReduceOp) -> bool:
    """Whether a select gives 0 where the magnitude of the maximum is infinite, and the maximum elsewhere."""
    test = _only(magnitude.result, graph.CompareOp)
    if test is None or test.predicate != "eq" or _only(test.result, graph.SelectOp) is not guard:
        return False
    bound = test.rhs if _base(test.lhs) is magnitude.result else test.lhs
    is_test = is_full(bound, math.inf) and _base(guard.condition) is test.result
    return is_test and is_full(guard.on_true, 0.0) and _base(guard.on_false) is maximum.result


def _repeats_rows(spread: graph.BroadcastOp, maximum: graph.ReduceOp) -> bool:
    """Whether a broadcast gives each element of the operand the value of its own range."""
    dims = dims_of(maximum.operand)
    if dims_of(spread.result) != dims:
        return False
    wanted = [(axis, dim) for axis, dim in enumerate(dims) if axis not in maximum.dims and dim != 1]
    sources = zip(spread.dims, dims_of(spread.operand), strict=True)
    return [(axis, dim) for axis, dim in sources if dim != 1] == wanted
