"""Reductions of the result of a contraction: its kernel gives partial results, which ordinary ops finish.

```
%y = graph.contract %x, %w ... -> tensor<4096x1024xf32>
%s = graph.reduce sum %y dims [1] : tensor<4096x1024xf32> -> tensor<4096xf32>
```
becomes
```
%p = graph.fusion ... {
  %y = graph.contract ... -> tensor<4096x1024xf32>
  %0 = graph.reshape %y : tensor<4096x1024xf32> -> tensor<4096x8x128xf32>
  %1 = graph.reduce sum %0 dims [2] : tensor<4096x8x128xf32> -> tensor<4096x8xf32>
  graph.yield %1 }
%s = graph.reduce sum %p dims [1] : tensor<4096x8xf32> -> tensor<4096xf32>
```
The logsumexp of the logsumexps of parts is finished by the cascade of ops that frontends give for one.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from xdsl.dialects.builtin import f32
from xdsl.ir import Attribute, Operation, SSAValue

from fusir.analysis.bytes import element_bytes
from fusir.dialects.graph import (
    ContractOp,
    ConvertOp,
    ReduceOp,
    ReshapeOp,
    element_type_of,
    is_half,
)
from fusir.transforms.graph.contractions import cost
from fusir.transforms.graph.contractions.values import extents
from fusir.transforms.graph.logsumexp import cascade_ops, is_logsumexp

_KINDS = ("sum", "max", "min", "logsumexp")
_WIDE_KINDS = ("sum", "logsumexp")
"""The kinds of which partial results of halves are f32."""


@dataclass(frozen=True)
class Cut:
    """How the range of a reduction is cut: the neighbouring dims `first..last` together into `parts`."""

    first: int
    last: int
    parts: int
    is_column: bool


def cut_of(reduce: ReduceOp, contract: ContractOp) -> Cut | str:
    """How to reduce a value that has the elements of a contraction in parts, or why not."""
    if str(reduce.kind) not in _KINDS:
        return f"{reduce.kind} has no partial results"
    dims, reduced = extents(reduce.operand), sorted(reduce.dims)
    first, last = reduced[0], reduced[-1]
    if reduced != list(range(first, last + 1)):
        return f"it reduces dims {reduced}, which are no neighbours"
    rhs = extents(contract.rhs)
    used = (*contract.rhs_batch, *contract.rhs_contract)
    columns = math.prod(extent for d, extent in enumerate(rhs) if d not in used)
    lhs = extents(contract.lhs)
    if math.prod(extent for d, extent in enumerate(lhs) if d not in (*contract.lhs_batch, *contract.lhs_contract)) == 1:
        # Its loop is no dot of tiles, and a reduction around an ordinary one has no schedule.
        return "a product of one row is no tile to reduce"
    length = math.prod(dims[first : last + 1])
    inside = math.prod(dims[last + 1 :])
    if inside not in (1, columns):
        return f"it reduces dims {reduced}, which are neither rows nor columns of the product"
    is_column = inside != 1
    if length % cost.PART or (not is_column and columns % cost.PART):
        return f"{length if is_column else columns} elements are not divisible by {cost.PART}"
    return Cut(first, last, length // cost.PART, is_column)


def partial_element(reduce: ReduceOp) -> Attribute:
    """The element type of partial results: sums of halves, and of their exponentials, keep f32."""
    element = element_type_of(reduce.operand)
    return f32 if is_half(element) and str(reduce.kind) in _WIDE_KINDS else element


def partial_bytes(reduce: ReduceOp) -> int:
    """The bytes of the partial results."""
    return math.prod(extents(reduce.operand)) // cost.PART * element_bytes(partial_element(reduce))


def partial_ops(reduce: ReduceOp, operand: SSAValue, contract: ContractOp) -> list[Operation]:
    """The ops that reduce the parts of `operand`, which is that of the reduction."""
    cut = cut_of(reduce, contract)
    assert isinstance(cut, Cut)
    ops: list[Operation] = []
    element = partial_element(reduce)
    if element_type_of(operand) != element:
        ops.append(ConvertOp(operand, element))
        operand = ops[-1].results[0]
    dims = extents(operand)
    if cut.parts > 1:
        ops.append(ReshapeOp(operand, [*dims[: cut.first], cut.parts, cost.PART, *dims[cut.last + 1 :]]))
        ops.append(ReduceOp(str(reduce.kind), ops[-1].results[0], [cut.first + 1]))
    else:
        ops.append(ReduceOp(str(reduce.kind), operand, reduce.dims))
    for op in ops:
        op.location = reduce.location
    return ops


def finish_ops(reduce: ReduceOp, partial: SSAValue, contract: ContractOp) -> list[Operation]:
    """The ops that make the result of a reduction of its partial results; none if these are the result."""
    cut = cut_of(reduce, contract)
    assert isinstance(cut, Cut)
    ops: list[Operation] = []
    if cut.parts > 1:
        if is_logsumexp(reduce):
            ops += cascade_ops(partial, [cut.first])
        else:
            ops.append(ReduceOp(str(reduce.kind), partial, [cut.first]))
        partial = ops[-1].results[0]
    if element_type_of(partial) != element_type_of(reduce.result):
        ops.append(ConvertOp(partial, element_type_of(reduce.result)))
    for op in ops:
        op.location = reduce.location
    return ops
