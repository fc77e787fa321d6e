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
operand, and so do the ATen operators that keep the layout (`KEEP_LAYOUT`). All other calls, and the results of the
function, get the layout that they had. Strides that an operator does not keep to cost a copy, never a wrong result:
the runtime compares them.

The decision is one for a function (`reason_against`). A function of a training program is left alone: the strides of
what it saves for its backward pass are known there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from xdsl.context import Context
from xdsl.dialects.builtin import ArrayAttr, ModuleOp, f32
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass

from fusir.analysis.devices import is_on_gpu
from fusir.analysis.layout import (
    STRIDES,
    Strides,
    aten_operand_strides,
    aten_result_strides,
    channels_last,
    dense_strides,
    is_contiguous,
    is_dense,
    layouts_of,
    same_layout,
    view_through,
)
from fusir.dialects.graph import (
    CallAtenOp,
    ConcatOp,
    Dim,
    DimsAttr,
    PadOp,
    PermuteOp,
    PointwiseOp,
    ScanOp,
    ViewOp,
    dims_of,
    element_type_of,
    is_half,
)
from fusir.remarks import remark
from fusir.transforms.graph.convolution import Convolution, convolutions_of
from fusir.transforms.graph.convolution_product import as_product

Mode = Literal["auto", "always", "never"]

TRAINING = "graph.training"
"""The attribute of a function that is the forward or the backward part of a training program."""

SMALL_CHANNELS = 64
"""Channels in and out up to which a convolution counts as small."""

TIME_OF_SMALL, TIME_OF_REDUCING, TIME_OF_GROUPED, TIME_OF_OTHER = 0.783, 0.725, 1.358, 0.823
"""The time of a convolution with channels last over that without, by its kind: small, with at most half as many
channels out as in, grouped but not depthwise, any other. Averages over the convolutions of the models of TorchBench, as
PyTorch publishes them with the heuristic of its compiler (`decide_layout_opt` in `torch/_inductor/graph.py`)."""

OPS_PER_CONVOLUTION = 300
"""With more ops than this for each convolution, a program is about something else (same source)."""

KEEP_LAYOUT = frozenset(
    f"aten.{name}"
    for name in (
        "_adaptive_avg_pool2d.default",
        "avg_pool2d.default",
        "max_pool2d_with_indices.default",
        "upsample_bicubic2d.default",
        "upsample_bilinear2d.default",
        "upsample_nearest2d.default",
    )
)
"""Operators of images that give their results channels last if their first operand is."""

_ORDER_KEPT = (PointwiseOp, ConcatOp, PadOp, ScanOp)
"""Ops whose result may as well be written in the order of dims of an operand of that rank."""


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
        if refusal is None and self.mode == "auto":
            refusal = reason_against(func, convolutions)
        if refusal is None:
            remark("schedule", self.name, f"channels last: {count}", location)
            products = [each for each in convolutions if self.products and _is_product(each)]
            others = [each for each in convolutions if each not in products]
            _Propagation(func, others, dict(as_product(each) for each in products)).run()
        else:
            remark("schedule", self.name, f"not channels last: {count}: {refusal}", location)


def _is_product(convolution: Convolution) -> bool:
    """In f32 a product would not take TF32, as the convolution may."""
    return convolution.is_matrix_product and is_half(element_type_of(convolution.result))


def reason_against(func: FuncOp, convolutions: Sequence[Convolution]) -> str | None:
    """Why channels last is not expected to be faster; None if it is."""
    if sum(1 for _ in func.body.block.ops) >= OPS_PER_CONVOLUTION * len(convolutions):
        return "few among many other ops"
    work = sum(each.multiplications for each in convolutions)
    expected = sum(each.multiplications * relative_time(each) for each in convolutions)
    if expected > work:
        return "most of the work is in grouped ones"
    return None


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


@dataclass
class _Propagation:
    """Gives the convolutions of a function channels last, and all that follows from it."""

    func: FuncOp
    convolutions: Sequence[Convolution]
    products: Mapping[PermuteOp, PermuteOp]
    """Of convolutions that are products now: the permutation of the input, and that which is the result."""
    changed: dict[SSAValue, Strides] = field(default_factory=dict)
    """The new strides of the values that have others than before."""

    def run(self) -> None:
        self.before = layouts_of(self.func)
        self.by_call = {each.call: each for each in self.convolutions}
        self.wanted: dict[SSAValue, Strides] = {}
        """The strides in which a value is best written, because a convolution reads it."""
        returned = self.func.body.block.last_op
        self.pinned = set(returned.operands) if isinstance(returned, ReturnOp) else set[SSAValue]()
        self.results = set(self.products.values())
        for value in (*(each.input for each in self.convolutions), *(each.operand for each in self.products)):
            self._want(value)
        for op in self.func.body.block.ops:
            self._visit(op)

    def _want(self, value: SSAValue) -> None:
        """Have the op that writes a value, or what the value is a permuted view of, write it channels last."""
        strides = channels_last(dims_of(value))
        while isinstance(value.owner, PermuteOp):
            op = value.owner
            inverse = sorted(range(len(op.permutation)), key=op.permutation.__getitem__)
            strides = tuple(strides[index] for index in inverse)
            value = op.operand
        self.wanted.setdefault(value, strides)

    def _visit(self, op: Operation) -> None:
        if isinstance(op, CallAtenOp):
            self._call(op)
        elif isinstance(op, ViewOp):
            self._view(op)
        elif len(op.results) == 1 and op.operands and op.results[0] not in self.pinned:
            (result,) = op.results
            strides = self.wanted.get(result) or self._order_of_operands(op)
            if strides is not None:
                self._write(op, result, strides)

    def _view(self, op: ViewOp) -> None:
        (operand,), (result,) = op.operands, op.results
        if op in self.results:
            self.changed[result] = self.before[result]
        elif operand in self.changed:
            view = view_through(op, self.changed[operand])
            if view is not None:
                self._set(result, view.strides)

    def _order_of_operands(self, op: Operation) -> Strides | None:
        """The dense strides in the order of dims of the first operand that has new strides, if the op keeps orders."""
        dims = dims_of(op.results[0])
        if not isinstance(op, _ORDER_KEPT):
            return None
        for operand in op.operands:
            strides = self.changed.get(operand)
            if strides is not None and len(strides) == len(dims) and not _repeats(dims_of(operand), strides):
                order = _order(strides)
                return None if order is None else dense_strides(dims, order)
        return None

    def _write(self, op: Operation, result: SSAValue, strides: Strides) -> None:
        """Have an op write its result in these strides."""
        if is_contiguous(dims_of(result), strides):
            op.attributes.pop(STRIDES, None)
        else:
            op.attributes[STRIDES] = DimsAttr(strides)
        self._set(result, strides)

    def _set(self, value: SSAValue, strides: Strides) -> None:
        if not same_layout(dims_of(value), strides, self.before[value]):
            self.changed[value] = strides

    def _call(self, op: CallAtenOp) -> None:
        convolution = self.by_call.get(op)
        if convolution is not None:
            self._last(op, (convolution.input, convolution.weight))
        elif op.target in KEEP_LAYOUT and self._is_last(op.operands[0]):
            self._last(op, op.operands[:1])
        elif any(operand in self.changed for operand in op.operands):
            self._keep_operands(op)

    def _is_last(self, value: SSAValue) -> bool:
        strides = self.changed.get(value)
        return strides is not None and same_layout(dims_of(value), strides, channels_last(dims_of(value)))

    def _last(self, op: CallAtenOp, operands: Sequence[SSAValue]) -> None:
        """Have a call take these operands, and give its results, channels last."""
        taken = [
            channels_last(dims_of(value)) if value in operands else self._operand_strides(op, index)
            for index, value in enumerate(op.operands)
        ]
        given = [channels_last(dims_of(value)) for value in op.results]
        op.operand_strides_attr = ArrayAttr([DimsAttr(strides) for strides in taken])
        op.result_strides_attr = ArrayAttr([DimsAttr(strides) for strides in given])
        for value, strides in zip(op.results, given, strict=True):
            self._set(value, strides)

    def _keep_operands(self, op: CallAtenOp) -> None:
        """Have a call take its operands in the order of dims that it saw; what had gaps becomes dense."""
        taken: list[Strides] = []
        for index, value in enumerate(op.operands):
            strides = self._operand_strides(op, index)
            order = _order(strides)
            if value in self.changed and order is not None and not is_dense(dims_of(value), strides):
                strides = dense_strides(dims_of(value), order)
            taken.append(strides)
        given = [DimsAttr(aten_result_strides(op, index)) for index in range(len(op.results))]
        op.operand_strides_attr = ArrayAttr([DimsAttr(strides) for strides in taken])
        op.result_strides_attr = ArrayAttr(given)

    def _operand_strides(self, op: CallAtenOp, index: int) -> Strides:
        """The strides in which a call took an operand."""
        return aten_operand_strides(op, index) or self.before[op.operands[index]]


def _repeats(dims: Sequence[Dim], strides: Sequence[Dim]) -> bool:
    """Whether a tensor has elements that lie in one place, as broadcasting makes them."""
    return any(stride == 0 and dim != 1 for dim, stride in zip(dims, strides, strict=True))


def _order(strides: Sequence[Dim]) -> list[int] | None:
    """The dims from the slowest to the fastest; None where that depends on a symbol."""
    static = [stride for stride in strides if isinstance(stride, int)]
    if len(static) < len(strides):
        return None
    return sorted(range(len(static)), key=lambda dim: -static[dim])
