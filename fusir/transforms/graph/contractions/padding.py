"""Columns that `align-contractions` padded for ATen's products, without the padding again.

```
%0 = graph.pad %w low [0, 0] high [7, 0] value 0.0 : tensor<50257x768xbf16> -> tensor<50264x768xbf16>
%1 = graph.permute %0 dims [1, 0] : ...
%2 = graph.contract %x, %1 ... -> tensor<4096x50264xbf16>
%y = graph.slice %2 starts [0, 0] steps [1, 1] : tensor<4096x50264xbf16> -> tensor<4096x50257xbf16>
```
becomes
```
%1 = graph.permute %w dims [1, 0] : ...
%y = graph.contract %x, %1 ... -> tensor<4096x50257xbf16>
```

A kernel of ours masks the last columns, and what follows at the elements of `%y` is none at the elements of `%2`. Only
where something follows, and where the rows of the weight are aligned as they are: what is padded is not its last dim.
"""

from __future__ import annotations

from xdsl.ir import Operation
from xdsl.rewriter import InsertPoint, Rewriter

from fusir.analysis.readers import readers_of
from fusir.dialects.graph import ContractOp, PadOp, PermuteOp, PointwiseOp, ReduceOp, SliceOp, dims_of
from fusir.transforms.graph.contractions.values import erase_unused


def without_padding(contract: ContractOp) -> ContractOp:
    """The contraction without padded columns, if it has some and an epilogue gains by it; else the contraction."""
    result, rhs = contract.result, contract.rhs
    if not result.has_one_use():
        return contract
    sliced = result.get_user_of_unique_use()
    if not isinstance(sliced, SliceOp) or any(sliced.starts) or any(step != 1 for step in sliced.steps):
        return contract
    if dims_of(sliced.result)[:-1] != dims_of(result)[:-1]:
        return contract
    if not all(isinstance(reader, PointwiseOp | ReduceOp) for reader in readers_of(sliced.result)):
        return contract
    permute = rhs.owner
    if not isinstance(permute, PermuteOp) or not isinstance(permute.operand.owner, PadOp):
        return contract
    pad = permute.operand.owner
    padded = [dim for dim, (low, high) in enumerate(zip(pad.low, pad.high, strict=True)) if low or high]
    if len(padded) != 1 or pad.low[padded[0]] or padded[0] == len(dims_of(pad.operand)) - 1:
        return contract
    column = permute.permutation.index(padded[0])
    if column in contract.rhs_contract or column in contract.rhs_batch:
        return contract
    narrow = PermuteOp(pad.operand, permute.permutation, location=permute.location)
    if dims_of(narrow.result)[column] != dims_of(sliced.result)[-1]:
        return contract
    new = ContractOp(
        contract.lhs,
        narrow.result,
        contract.lhs_batch,
        contract.rhs_batch,
        contract.lhs_contract,
        contract.rhs_contract,
        precision=contract.precision,
        location=contract.location,
    )
    if new.result.type != sliced.result.type:
        return contract
    new_ops: list[Operation] = [narrow, new]
    Rewriter.insert_op(new_ops, InsertPoint.before(contract))
    new.result.name_hint = sliced.result.name_hint
    sliced.result.replace_all_uses_with(new.result)
    erase_unused([sliced.result])
    return new
