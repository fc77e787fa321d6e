"""`channels-last`: convolutions run with the channels as the fastest dim, and what is between them keeps that layout.

```
%y = graph.call_aten "aten.convolution.default"(%x, %w) {result_strides = [#graph.dims<[200704, 3136, 56, 1]>], ...}
%r = graph.relu %y : tensor<8x64x56x56xbf16>
```
becomes
```
%y = graph.call_aten "aten.convolution.default"(%x, %w) {result_strides = [#graph.dims<[200704, 1, 3584, 64]>],
       operand_strides = [#graph.dims<[200704, 1, 3584, 64]>, #graph.dims<[576, 1, 192, 64]>], ...}
%r = graph.relu %y {graph.strides = #graph.dims<[200704, 1, 3584, 64]>} : tensor<8x64x56x56xbf16>
```

Values keep their dims; only the strides change, in which ATen calls take and give them and buffers are allocated. What
computes one element of a result of one element of an operand, or moves elements, writes them in the order of that
operand, and so do the ATen operators that keep the layout (`layout_plan.py`). All other calls, and the results of the
function, get the layout that they had. Strides that an operator does not keep to cost a copy, never a wrong result:
the runtime compares them.

The decision is one for a function (`reason_against`). A function of a training program is left alone: the strides of
what it saves for its backward pass are known there.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, f32
from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue
from xdsl.passes import ModulePass

from fusir.analysis.bytes import SizeEstimate, tensor_bytes
from fusir.analysis.devices import is_on_gpu
from fusir.analysis.layout import aten_operand_strides, is_dense
from fusir.dialects.graph import CallAtenOp, Dim, dims_of, element_type_of, is_half
from fusir.remarks import remark
from fusir.transforms.graph.convolution import Convolution, convolutions_of
from fusir.transforms.graph.convolution_product import as_product
from fusir.transforms.graph.fusion import cost
from fusir.transforms.graph.layout_plan import LayoutPlan

Mode = Literal["auto", "always", "never"]

TRAINING = "graph.training"
"""The attribute of a function that is the forward or the backward part of a training program."""

SMALL_CHANNELS = 64
"""Channels in and out up to which a convolution counts as small."""

TIME_OF_SMALL, TIME_OF_REDUCING, TIME_OF_GROUPED, TIME_OF_OTHER = 0.783, 0.725, 1.358, 0.823
"""The time of a convolution with channels last over that without, by its kind: small, with at most half as many
channels out as in, grouped but not depthwise, any other. Averages over the convolutions of the models of TorchBench, as
PyTorch publishes them with the heuristic of its compiler (`decide_layout_opt` in `torch/_inductor/graph.py`)."""

HALF_WORK_PER_BYTE, WORK_PER_BYTE = 48, 24
"""Multiplications of a convolution in the time of one byte of traffic, in half precision and in TF32: 400 and 200
TFLOP/s, half of what the matrix products of an H200 reach, over its copy rate of 4.2 TB/s."""

CONVERSIONS = 2
"""Launches that cuDNN needs beside a convolution in half precision that is not channels last: its kernels for tensor
cores are, so it converts the input and the result (NVIDIA, "Convolutional Layers User's Guide")."""


@dataclass(frozen=True)
class ChannelsLastPass(ModulePass):
    """Run the convolutions of a function with channels last, where that is expected to be faster."""

    name = "channels-last"

    mode: Mode = "auto"
    """`auto` decides for each function, and leaves those alone that do not run on a GPU."""
    tf32: bool = True
    """Whether convolutions in f32 may use TF32, as PyTorch lets them by default."""
    products: bool = False
    """Make matrix products of the convolutions in half precision that are such."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for func in op.ops:
            if not isinstance(func, FuncOp) or func.is_declaration or self.mode == "never":
                continue
            convolutions = [each for each in convolutions_of(func) if self._is_candidate(each)]
            if convolutions and (self.mode == "always" or is_on_gpu(func)):
                self._decide(func, convolutions)

    def _is_candidate(self, convolution: Convolution) -> bool:
        """Of images or volumes, with static extents but for the batch, in a type that has fast kernels."""
        tensors = (convolution.input, convolution.weight, convolution.result)
        static = all(isinstance(extent, int) for value in tensors for extent in dims_of(value)[1:])
        if convolution.spatial_dims not in (2, 3) or not static or any(0 in dims_of(value) for value in tensors):
            return False
        element = element_type_of(convolution.result)
        # Only the tensor cores gain: PyTorch gives f64 no channels last on a GPU at all.
        fast = is_half(element) or (element == f32 and self.tf32 and convolution.spatial_dims == 2)
        return fast or self.mode == "always"

    def _decide(self, func: FuncOp, convolutions: Sequence[Convolution]) -> None:
        count = f"{len(convolutions)} convolution{'s' if len(convolutions) > 1 else ''}"
        location = convolutions[0].call.location
        refusal = layout_obstacle(func)
        plan = None
        if refusal is None:
            plan = LayoutPlan(func, convolutions)
            refusal = reason_against(plan) if self.mode == "auto" else None
        if plan is None or refusal is not None:
            remark("schedule", self.name, f"not channels last: {count}: {refusal}", location)
            return
        remark("schedule", self.name, f"channels last: {count}", location)
        products = [each for each in convolutions if self.products and _is_product(each)]
        if products:
            others = [each for each in convolutions if each not in products]
            plan = LayoutPlan(func, others, dict(as_product(each) for each in products))
        plan.apply()


def _is_product(convolution: Convolution) -> bool:
    """In f32 a product would not take TF32, as the convolution may."""
    return convolution.is_matrix_product and is_half(element_type_of(convolution.result))


def reason_against(plan: LayoutPlan) -> str | None:
    """Why channels last is not expected to be faster; None if it is."""
    sizes = SizeEstimate(plan.func)
    saved = sum(saved_bytes(each, sizes) for each in plan.convolutions)
    if saved < 0:
        return "most of the work is in grouped ones"
    copied = copied_bytes(plan, sizes)
    if saved < copied:
        return f"would save the time of {round(saved)} bytes of traffic, and move {copied} for copies"
    return None


def saved_bytes(convolution: Convolution, sizes: SizeEstimate) -> float:
    """The time that channels last saves, as bytes of traffic in that time."""
    tensors = (convolution.input, convolution.weight, convolution.result)
    traffic = sum(sizes.of(tensor_bytes(value)) for value in tensors)
    batch = sizes.of(dims_of(convolution.result)[0])
    half = is_half(element_type_of(convolution.result))
    work = batch * convolution.multiplications / (HALF_WORK_PER_BYTE if half else WORK_PER_BYTE)
    saved = max(traffic, work) * (1 - relative_time(convolution))
    return max(saved, 2 * traffic + CONVERSIONS * cost.LAUNCH_BYTES) if half and saved > 0 else saved


def copied_bytes(plan: LayoutPlan, sizes: SizeEstimate) -> int:
    """The time of the copies that a plan takes beyond those without it, as bytes of traffic in that time."""

    def total(values: Collection[SSAValue]) -> int:
        return sum(2 * sizes.of(tensor_bytes(value)) + cost.LAUNCH_BYTES for value in values)

    return total(plan.copied()) - total(plan.copied_before())


def relative_time(convolution: Convolution) -> float:
    """The expected time with channels last over that without."""
    rows, columns = _extents(dims_of(convolution.weight)[:2])
    if convolution.groups > 1 and columns > 1:
        return TIME_OF_GROUPED
    if rows <= SMALL_CHANNELS and columns <= SMALL_CHANNELS:
        return TIME_OF_SMALL
    filter_dims = dims_of(convolution.weight)[2:]
    return TIME_OF_REDUCING if rows * 2 <= columns and filter_dims[0] != 1 else TIME_OF_OTHER


def _extents(dims: Sequence[Dim]) -> list[int]:
    return [dim for dim in dims if isinstance(dim, int)]


def layout_obstacle(func: FuncOp) -> str | None:
    """Why the layouts of a function must stay as they are; None if they need not."""
    if TRAINING in func.attributes:
        return "a part of a training program"
    for op in func.body.block.ops:
        if isinstance(op, CallAtenOp) and _depends_on_layout(op):
            for index, value in enumerate(op.operands):
                wanted = aten_operand_strides(op, index)
                if wanted is None or not is_dense(dims_of(value), wanted):
                    return f"{op.target} needs the strides that it has"
    return None


def _depends_on_layout(op: CallAtenOp) -> bool:
    """Whether the values that a call gives may depend on the strides of its operands."""
    return not op.target.startswith("aten.") or op.target.startswith("aten.as_strided")
