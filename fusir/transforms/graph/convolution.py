"""Calls of `aten.convolution` as passes see them: which operand is what, how much work it is."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import cast

from xdsl.dialects.builtin import ArrayAttr, IntegerAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, SSAValue

from fusir.dialects.graph import CallAtenOp, NoneArgAttr, OperandRefAttr, dims_of

CONVOLUTION = "aten.convolution.default"

_INPUT, _WEIGHT, _BIAS, _STRIDE, _PADDING, _DILATION, _TRANSPOSED, _, _GROUPS = range(9)
"""Positions of the arguments."""


@dataclass(frozen=True)
class Convolution:
    """A call of `aten.convolution`: input (batch, channels, *), result (batch, output channels, *).

    The weight is (output channels, channels / groups, *), and of a transposed convolution (channels, output channels /
    groups, *).
    """

    call: CallAtenOp

    @property
    def input(self) -> SSAValue:
        return self.call.arguments[self._operand(_INPUT)]

    @property
    def weight(self) -> SSAValue:
        return self.call.arguments[self._operand(_WEIGHT)]

    @property
    def bias(self) -> SSAValue | None:
        has_bias = isinstance(self.call.args[_BIAS], OperandRefAttr)
        return self.call.arguments[self._operand(_BIAS)] if has_bias else None

    @property
    def result(self) -> SSAValue:
        return self.call.outputs[0]

    @property
    def spatial_dims(self) -> int:
        """2 for images."""
        return len(dims_of(self.result)) - 2

    @property
    def transposed(self) -> bool:
        return bool(_integer(self.call.args[_TRANSPOSED]))

    @property
    def groups(self) -> int:
        return _integer(self.call.args[_GROUPS])

    @property
    def is_matrix_product(self) -> bool:
        """Whether each element of the result depends on the channels of one place of the input."""
        ones = all(extent == 1 for extent in dims_of(self.weight)[2:])
        steps = {*_integers(self.call.args[_STRIDE])} == {1} and {*_integers(self.call.args[_PADDING])} == {0}
        return ones and steps and not self.transposed and self.groups == 1

    @property
    def multiplications(self) -> int:
        """Multiplications for each element of the batch; 0 where an extent is symbolic."""
        factors = [*dims_of(self.weight), *dims_of(self.input if self.transposed else self.result)[2:]]
        static = [factor for factor in factors if isinstance(factor, int)]
        return math.prod(static) if len(static) == len(factors) else 0

    def _operand(self, position: int) -> int:
        return cast(OperandRefAttr, self.call.args[position]).data


def as_convolution(op: object) -> Convolution | None:
    """The op as a convolution, if it is a call of one with the extents of its filter known."""
    if not isinstance(op, CallAtenOp) or op.target != CONVOLUTION or len(op.args) != _GROUPS + 1 or op.kwargs:
        return None
    tensors = isinstance(op.args[_INPUT], OperandRefAttr) and isinstance(op.args[_WEIGHT], OperandRefAttr)
    if not tensors or not isinstance(op.args[_BIAS], OperandRefAttr | NoneArgAttr):
        return None
    if not isinstance(op.args[_GROUPS], IntegerAttr) or not isinstance(op.args[_TRANSPOSED], IntegerAttr):
        return None
    return Convolution(op)


def convolutions_of(func: FuncOp) -> list[Convolution]:
    """The convolutions at the top level of a function, in order."""
    found = (as_convolution(op) for op in func.body.block.ops)
    return [each for each in found if each is not None]


def _integer(attribute: Attribute) -> int:
    """The value of an argument; of a bool, 0 or -1."""
    return cast("IntegerAttr", attribute).value.data


def _integers(attribute: Attribute) -> list[int | None]:
    """The values of a list argument, None for those that are no numbers."""
    values = cast("ArrayAttr[Attribute]", attribute).data if isinstance(attribute, ArrayAttr) else ()
    return [each.value.data if isinstance(each, IntegerAttr) else None for each in values]
