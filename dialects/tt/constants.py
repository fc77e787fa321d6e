"""The number that every element of a constant tile has."""

from __future__ import annotations

from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, FloatAttr, IntegerAttr, i1
from xdsl.ir import SSAValue

from fusir.dialects.tt.shape import BroadcastOp, ExpandDimsOp, ReshapeOp, SplatOp
from fusir.dialects.tt.types import element_of


def splat_number(op: ConstantOp) -> float | int | None:
    """The number in every element of a constant: a bool for `i1`, None if the elements differ.

    Elements are compared by their bits, so a tile of NaN is a splat and one of 0.0 and -0.0 is not.
    """
    match op.value:
        case IntegerAttr(value=number) | FloatAttr(value=number):
            result: float | int = number.data
        case DenseIntOrFPElementsAttr() as dense:
            data = dense.data.data
            size = len(data) // len(dense) if len(dense) else 0
            if not size or data != data[:size] * len(dense):
                return None
            first = next(iter(dense.iter_values()))
            if not isinstance(first, int | float):
                return None
            result = first
        case _:
            return None
    return bool(result) if element_of(op.result.type) == i1 else result


def constant_number(value: SSAValue) -> float | int | None:
    """The number that a value has in every element if it comes from a constant, through splats and the like."""
    op = value.owner
    while isinstance(op, SplatOp | BroadcastOp | ExpandDimsOp | ReshapeOp):
        op = op.src.owner
    return splat_number(op) if isinstance(op, ConstantOp) else None
