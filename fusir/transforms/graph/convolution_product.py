"""A convolution by a filter of one element as a matrix product, of which the places of the images are the rows.

```
%y = graph.call_aten "aten.convolution.default"(%x, %w) ... : (tensor<8x64x56x56xbf16>, tensor<256x64x1x1xbf16>) -> ...
```
becomes
```
%0 = graph.permute %x dims [0, 2, 3, 1] : tensor<8x64x56x56xbf16> -> tensor<8x56x56x64xbf16>
%1 = graph.reshape %0 : tensor<8x56x56x64xbf16> -> tensor<25088x64xbf16>
%2 = graph.reshape %w : tensor<256x64x1x1xbf16> -> tensor<256x64xbf16>
%3 = graph.permute %2 dims [1, 0] : tensor<256x64xbf16> -> tensor<64x256xbf16>
%4 = graph.contract %1, %3 batch [], [] contract [1], [0] : ... -> tensor<25088x256xbf16>
%5 = graph.reshape %4 : tensor<25088x256xbf16> -> tensor<8x56x56x256xbf16>
%y = graph.permute %5 dims [0, 3, 1, 2] : tensor<8x56x56x256xbf16> -> tensor<8x256x56x56xbf16>
```

Of an input that is stored channels last all this are views, and so is the result.
"""

from __future__ import annotations

from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from fusir.analysis.expr import product
from fusir.dialects.graph import AddOp, BroadcastOp, ContractOp, PermuteOp, ReshapeOp, dims_of
from fusir.transforms.graph.convolution import Convolution


def as_product(convolution: Convolution) -> tuple[PermuteOp, PermuteOp]:
    """Replace a convolution whose `is_matrix_product` holds; the permutations of its input and that is its result."""
    call, bias = convolution.call, convolution.bias
    new_ops: list[Operation] = []

    def add(op: Operation) -> SSAValue:
        op.location = call.location
        new_ops.append(op)
        return op.results[0]

    rank = len(dims_of(convolution.result))
    batch, channels, *places = dims_of(convolution.input)
    outputs = dims_of(convolution.weight)[0]
    rows = product((batch, *places))
    first = PermuteOp(convolution.input, [0, *range(2, rank), 1])
    matrix = add(ReshapeOp(add(first), [rows, channels]))
    weight = add(PermuteOp(add(ReshapeOp(convolution.weight, [outputs, channels])), [1, 0]))
    result = add(ContractOp(matrix, weight, lhs_contract=[1], rhs_contract=[0]))
    if bias is not None:
        result = add(AddOp(result, add(BroadcastOp(bias, [1], dims_of(result)))))
    result = add(ReshapeOp(result, [batch, *places, outputs]))
    last = PermuteOp(result, [0, rank - 1, *range(1, rank - 1)])
    add(last)
    Rewriter.insert_op(new_ops, InsertPoint.before(call))
    last.result.name_hint = call.outputs[0].name_hint
    call.outputs[0].replace_all_uses_with(last.result)
    Rewriter.erase_op(call)
    return first, last
