"""Which strides the values of a function get when its convolutions run with channels last."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import ArrayAttr
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Operation, SSAValue

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
    result_strides,
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
)
from fusir.transforms.graph.convolution import Convolution

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
class _CallLayout:
    """The strides in which a call of ATen takes its operands and gives its results."""

    operands: Sequence[Strides]
    results: Sequence[Strides]


class LayoutPlan:
    """What follows from channels last for the convolutions of a function. `apply` writes it down."""

    def __init__(
        self, func: FuncOp, convolutions: Sequence[Convolution], products: Mapping[PermuteOp, PermuteOp] | None = None
    ) -> None:
        """
        Args:
            func: the function; nothing is changed before `apply`.
            convolutions: those that are to run with channels last.
            products: of convolutions that are products now, the permutation of the input and that which is the result.
        """
        self.func = func
        self.convolutions = convolutions
        self.products = dict(products or {})
        self.before = layouts_of(func)
        self.changed: dict[SSAValue, Strides] = {}
        """The new strides of the values that have others than before."""
        self.written: dict[Operation, Strides] = {}
        """The strides in which an op writes its result."""
        self.calls: dict[CallAtenOp, _CallLayout] = {}
        self.by_call = {each.call: each for each in convolutions}
        self.wanted: dict[SSAValue, Strides] = {}
        """The strides in which a value is best written, because a convolution reads it."""
        returned = func.body.block.last_op
        self.returned: Sequence[SSAValue] = tuple(returned.arguments) if isinstance(returned, ReturnOp) else ()
        self.pinned = set(self.returned)
        self.results = set(self.products.values())
        for value in (*(each.input for each in self.convolutions), *(each.operand for each in self.products)):
            self._want(value)
        for op in func.body.block.ops:
            self._visit(op)

    def apply(self) -> None:
        """Write the strides to the ops."""
        for op, strides in self.written.items():
            if is_contiguous(dims_of(op.results[0]), strides):
                op.attributes.pop(STRIDES, None)
            else:
                op.attributes[STRIDES] = DimsAttr(strides)
        for call, layout in self.calls.items():
            call.operand_strides_attr = ArrayAttr([DimsAttr(strides) for strides in layout.operands])
            call.result_strides_attr = ArrayAttr([DimsAttr(strides) for strides in layout.results])

    def copied(self) -> Collection[SSAValue]:
        """The values that are copied into another layout, for a call or a result of the function."""
        operands = {call: layout.operands for call, layout in self.calls.items()}
        return self._copied({**self.before, **self.changed}, operands)

    def copied_before(self) -> Collection[SSAValue]:
        """The values that are copied without this plan."""
        return self._copied(self.before, {})

    def _copied(
        self, layouts: Mapping[SSAValue, Strides], operands: Mapping[CallAtenOp, Sequence[Strides]]
    ) -> Collection[SSAValue]:
        needs: dict[tuple[SSAValue, Strides], SSAValue] = {}
        for op in self.func.body.block.ops:
            for index, value in enumerate(op.operands if isinstance(op, CallAtenOp) else ()):
                assert isinstance(op, CallAtenOp)
                strides = operands[op][index] if op in operands else aten_operand_strides(op, index)
                if strides is not None:
                    needs[value, strides] = value
        for index, value in enumerate(self.returned):
            if value in layouts:
                needs[value, result_strides(self.func, index)] = value
        return [
            value
            for (value, strides) in needs
            if is_dense(dims_of(value), strides) and not same_layout(dims_of(value), layouts[value], strides)
        ]

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
        self.written[op] = strides
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
        self.calls[op] = _CallLayout(taken, given)
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
        self.calls[op] = _CallLayout(taken, [aten_result_strides(op, index) for index in range(len(op.results))])

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
