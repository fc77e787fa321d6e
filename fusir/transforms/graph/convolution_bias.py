"""`convolution-bias`: the bias of a convolution is added by the kernels that read its result.

```
%y = graph.call_aten "aten.convolution.default"(%x, %w, %b) ... -> tensor<8x64x56x56xbf16>
%r = graph.relu %y : tensor<8x64x56x56xbf16>
```
becomes
```
%0 = graph.call_aten "aten.convolution.default"(%x, %w) ... -> tensor<8x64x56x56xbf16>
%1 = graph.broadcast %b dims [1] : tensor<64xbf16> -> tensor<8x64x56x56xbf16>
%y = graph.add %0, %1 : tensor<8x64x56x56xbf16>
%r = graph.relu %y : tensor<8x64x56x56xbf16>
```

On a GPU PyTorch adds the bias in a kernel of its own, which reads and writes the result once more. On a CPU the bias is
part of the convolution and stays there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from fusir.analysis.devices import is_on_gpu
from fusir.analysis.layout import STRIDES, is_contiguous, is_dense
from fusir.dialects.graph import (
    AddOp,
    BroadcastOp,
    CallAtenOp,
    DimsAttr,
    NoneArgAttr,
    OperandRefAttr,
    ViewOp,
    dims_of,
    element_type_of,
    is_native,
)
from fusir.transforms.graph.convolution import Convolution, convolutions_of
from fusir.transforms.graph.fusion.program import is_code

Mode = Literal["auto", "always", "never"]


@dataclass(frozen=True)
class ConvolutionBiasPass(ModulePass):
    """Take the bias out of the convolutions whose results only kernels read."""

    name = "convolution-bias"

    mode: Mode = "auto"
    """`auto` leaves functions alone that do not run on a GPU."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for func in op.ops:
            if not isinstance(func, FuncOp) or func.is_declaration or self.mode == "never":
                continue
            if self.mode == "auto" and not is_on_gpu(func):
                continue
            for convolution in convolutions_of(func):
                if _is_read_by_kernels(convolution.result) and is_native(element_type_of(convolution.result)):
                    take_bias_out(convolution)


def _is_read_by_kernels(value: SSAValue) -> bool:
    """Whether all that reads a value, itself or through views, becomes part of a kernel."""
    if not value.uses:
        return False
    users = [use.operation for use in value.uses]
    return all(is_code(user) or (isinstance(user, ViewOp) and _is_read_by_kernels(user.results[0])) for user in users)


def take_bias_out(convolution: Convolution) -> None:
    """Replace a convolution with a bias by one without and an addition."""
    call, bias = convolution.call, convolution.bias
    if bias is None or dims_of(bias) != dims_of(convolution.result)[1:2]:
        return
    bare = _without_bias(call)
    result = bare.outputs[0]
    spread = BroadcastOp(bias, [1], result.type)
    added = AddOp(result, spread.result)
    # The sum is laid out as the result was.
    recorded = call.result_strides
    if recorded is not None and (hint := _permuted(result, recorded[0])) is not None:
        added.attributes[STRIDES] = hint
    for op in (bare, spread, added):
        op.location = call.location
    Rewriter.insert_op([bare, spread, added], InsertPoint.before(call))
    added.result.name_hint = call.outputs[0].name_hint
    call.outputs[0].replace_all_uses_with(added.result)
    Rewriter.erase_op(call)


def _permuted(value: SSAValue, strides: DimsAttr) -> DimsAttr | None:
    """The strides as a layout hint: nothing if they are row-major, or have gaps."""
    dims = dims_of(value)
    hinted = is_dense(dims, strides.data) and not is_contiguous(dims, strides.data)
    return strides if hinted else None


def _without_bias(call: CallAtenOp) -> CallAtenOp:
    """The call with None for the bias; an operand that nothing else refers to is left out."""
    args = [NoneArgAttr() if position == 2 else each for position, each in enumerate(call.args)]
    used = sorted({each.data for each in args if isinstance(each, OperandRefAttr)})
    renumbered: list[Attribute] = [
        OperandRefAttr(used.index(each.data)) if isinstance(each, OperandRefAttr) else each for each in args
    ]
    return CallAtenOp(
        call.target,
        [call.arguments[index] for index in used],
        renumbered,
        {},
        [result.type for result in call.outputs],
        call.pure,
        call.result_strides,
        _selected(call.operand_strides, used),
    )


def _selected(strides: Sequence[DimsAttr] | None, positions: Sequence[int]) -> Sequence[DimsAttr] | None:
    return None if strides is None else [strides[position] for position in positions]
