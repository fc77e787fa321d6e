"""`graph.reduce logsumexp` at the loop level: a fold of pairs of a maximum and a sum of exponentials relative to it.

```
%r = loop.reduce [max] (%k) in (8) -> f32 {        %m, %s = loop.reduce [sumexp] (%k) in (8) -> f32, f32 {
  %v = loop.load %x[%k]                              %v = loop.load %x[%k]
  loop.yield %v : f32                                loop.yield %v, %one : f32, f32
}                                             =>   }
                                                   %l = math.log %s
                                                   %r = arith.addf %m, %l
```

The nest of a maximum reads and stores what that of a logsumexp does, so it is built first and then folds pairs.
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects import arith, math
from xdsl.dialects.builtin import AnyFloat, FloatAttr, bf16, f16, f32
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from fusir.analysis.nests import CONTRACTION, REDUCED_DIMS
from fusir.dialects import graph
from fusir.dialects.graph import ReduceKind
from fusir.dialects.loop import Combiner, KernelOp, ParallelOp, ReduceOp, YieldOp


def has_logsumexp(fusion: graph.FusionOp) -> bool:
    """Whether a fusion reduces to the logarithm of a sum of exponentials."""
    return any(_is_logsumexp(op) for op in fusion.block.ops)


def with_maxima(fusion: graph.FusionOp) -> graph.FusionOp:
    """A copy of a fusion with maxima instead of logsumexps, in no block; the caller erases it."""
    copy = fusion.clone()
    for op in copy.block.ops:
        if _is_logsumexp(op):
            op.properties["kind"] = graph.ReduceKindAttr(ReduceKind.MAX)
    return copy


def fold_pairs(fusion: graph.FusionOp, kernel: KernelOp) -> None:
    """Fold pairs in those nests of a kernel that stand for the logsumexps of `fusion`, of whose copy it was made."""
    kinds = [op for op in fusion.block.ops if isinstance(op, graph.ReduceOp)]
    for op, reduce in zip(kinds, list(_reductions(kernel)), strict=True):
        if _is_logsumexp(op):
            _fold_pairs(kernel, reduce)


def _is_logsumexp(op: Operation) -> bool:
    return isinstance(op, graph.ReduceOp) and op.kind is ReduceKind.LOGSUMEXP


def _reductions(kernel: KernelOp) -> Iterator[ReduceOp]:
    """The reductions of a kernel of one nest for each op, in the order of the ops."""
    for nest in kernel.body.block.ops:
        if isinstance(nest, ParallelOp):
            for op in nest.body.block.ops:
                if isinstance(op, ReduceOp) and CONTRACTION not in op.attributes:
                    yield op


def _fold_pairs(kernel: KernelOp, reduce: ReduceOp) -> None:
    (value,) = reduce.yield_op.values
    element = value.type
    body = reduce.detach_region(reduce.body)
    terminator = body.block.last_op
    assert isinstance(terminator, YieldOp)
    if element in (f16, bf16):
        widened = arith.ExtFOp(value, f32)
        widened.location = reduce.location
        Rewriter.insert_op(widened, InsertPoint.before(terminator))
        value = widened.result
    assert isinstance(value.type, AnyFloat)
    one = arith.ConstantOp(FloatAttr(1.0, value.type))
    first = kernel.body.block.first_op
    assert first is not None
    Rewriter.insert_op(one, InsertPoint.before(first))
    Rewriter.replace_op(terminator, YieldOp([value, one.result], location=terminator.location), [])
    types = [value.type, value.type]
    pairs = ReduceOp([Combiner.SUMEXP], reduce.bounds, reduce.symbols, body, types, location=reduce.location)
    pairs.attributes[REDUCED_DIMS] = reduce.attributes[REDUCED_DIMS]
    maximum, total = pairs.results
    logarithm = math.LogOp(total)
    ops: list[Operation] = [pairs, logarithm, arith.AddfOp(maximum, logarithm.result)]
    if element != value.type:
        ops.append(arith.TruncFOp(ops[-1].results[0], element))
    for op in ops:
        op.location = reduce.location
    result: SSAValue = ops[-1].results[0]
    result.name_hint = reduce.results[0].name_hint
    Rewriter.replace_op(reduce, ops, [result])
