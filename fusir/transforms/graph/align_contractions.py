"""`align-contractions`: a large half precision product whose rows are not aligned is computed with padded columns.

```
%y = graph.contract %x, %w ... -> tensor<4096x50257xbf16>
```
becomes
```
%0 = graph.pad %w low [0, 0] high [0, 7] value 0.0 : tensor<768x50257xbf16> -> tensor<768x50264xbf16>
%1 = graph.contract %x, %0 ... -> tensor<4096x50264xbf16>
%y = graph.slice %1 starts [0, 0] steps [1, 1] : tensor<4096x50264xbf16> -> tensor<4096x50257xbf16>
```

The slice is a view: readers in kernels and results of an inference graph (function attribute `graph.inference`) take it
as it is, with the padded row stride; other results are copied to the stride that eager gives.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from fusir.dialects import graph
from fusir.dialects.graph import DimsAttr, dims_of, element_type_of, is_half
from fusir.remarks import remark

COLUMN_ALIGNMENT = 8
"""Half precision elements in the 16 bytes to which the fast matrix products want rows aligned."""

MIN_WORK = 1 << 30
"""Multiplications from which the slow product loses more than padding costs: 4096x768x50257 in bfloat16 takes 3.36 ms
unaligned, 0.45 ms padded, and padding the weight 0.07 ms (H200, torch 2.11)."""


@dataclass(frozen=True)
class AlignContractionsPass(ModulePass):
    """Pad the columns of the contractions at the top level of every graph function."""

    name = "align-contractions"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for func in op.ops:
            if not isinstance(func, FuncOp) or func.is_declaration:
                continue
            for contract in [each for each in func.body.block.ops if isinstance(each, graph.ContractOp)]:
                padding = columns_missing(contract)
                if padding:
                    columns = dims_of(contract.result)[-1]
                    message = f"{columns} columns are padded to {columns + padding}: unaligned rows are slow"
                    remark("schedule", self.name, message, contract.location)
                    sliced = pad_columns(contract, padding)
                    if "graph.inference" in func.attributes:
                        _keep_padded_results(func, sliced)


def columns_missing(contract: graph.ContractOp) -> int:
    """How many columns to add to a contraction; 0 to leave it alone."""
    dims, rhs = dims_of(contract.result), dims_of(contract.rhs)
    rhs_free = [d for d in range(len(rhs)) if d not in (*contract.rhs_batch, *contract.rhs_contract)]
    lhs = dims_of(contract.lhs)
    extents = [*dims, *(lhs[d] for d in contract.lhs_contract)]
    if contract.lhs_batch or len(rhs_free) != 1 or not is_half(element_type_of(contract.result)):
        return 0
    static = [extent for extent in extents if isinstance(extent, int)]
    columns = dims[-1]
    if len(static) != len(extents) or not isinstance(columns, int) or math.prod(static) < MIN_WORK:
        return 0
    return -columns % COLUMN_ALIGNMENT


def pad_columns(contract: graph.ContractOp, padding: int) -> SSAValue:
    """Replace the contraction by one with `padding` more columns and a slice; the value of the slice."""
    rhs = contract.rhs
    new_ops: list[Operation] = []

    def add(op: Operation) -> SSAValue:
        op.location = contract.location
        new_ops.append(op)
        return op.results[0]

    (column,) = (d for d in range(len(dims_of(rhs))) if d not in contract.rhs_contract)
    # The padded copy keeps the layout of the weight: its permutation stays a view.
    permute = rhs.owner if isinstance(rhs.owner, graph.PermuteOp) else None
    base = rhs if permute is None else permute.operand
    place = column if permute is None else permute.permutation[column]
    rank = len(dims_of(base))
    high = [padding if d == place else 0 for d in range(rank)]
    padded = add(graph.PadOp(base, [0] * rank, high, 0.0))
    if permute is not None:
        padded = add(graph.PermuteOp(padded, permute.permutation))
    product = add(graph.ContractOp(contract.lhs, padded, (), (), contract.lhs_contract, contract.rhs_contract))
    dims = dims_of(contract.result)
    sliced = add(graph.SliceOp(product, [0] * len(dims), [1] * len(dims), dims))
    sliced.name_hint = contract.result.name_hint
    Rewriter.insert_op(new_ops, InsertPoint.before(contract))
    contract.result.replace_all_uses_with(sliced)
    contract.detach()
    contract.erase()
    return sliced


def _keep_padded_results(func: FuncOp, sliced: SSAValue) -> None:
    """Give the results that are reshapes of a slice its row stride, where the last dim is the columns."""
    terminator = func.body.block.last_op
    assert isinstance(terminator, ReturnOp)
    columns = dims_of(sliced)[-1]
    assert isinstance(columns, int)
    stride = columns + -columns % COLUMN_ALIGNMENT
    attributes = [dict(each.data) for each in func.res_attrs] if func.res_attrs is not None else []
    attributes = attributes or [{} for _ in terminator.arguments]
    for index, value in enumerate(terminator.arguments):
        source = value
        while isinstance(source.owner, graph.ReshapeOp):
            source = source.owner.operand
        dims = dims_of(value) if source is sliced else ()
        if not dims or dims[-1] != columns:
            continue
        attributes[index]["graph.strides"] = DimsAttr(tuple(_row_strides(dims, stride)))
    func.properties["res_attrs"] = ArrayAttr([DictionaryAttr(each) for each in attributes])


def _row_strides(dims: tuple[graph.Dim, ...], row: int) -> list[graph.Dim]:
    """Row-major strides with `row` elements from one row to the next."""
    strides: list[graph.Dim] = [1]
    step: graph.Dim = row
    for extent in reversed(dims[:-1]):
        strides.append(step)
        step = step * extent
    return strides[::-1]
