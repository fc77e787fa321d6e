"""Pointwise ops of two operands; both and the result have one type."""

from __future__ import annotations

import abc
from typing import ClassVar

from typing_extensions import override
from xdsl.dialects.builtin import LocationAttr
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import VarConstraint, irdl_op_definition, operand_def, result_def, traits_def
from xdsl.traits import Commutative

from fusir.dialects.graph.base import ANY_TENSOR, ElementClass, check_element, result_of
from fusir.dialects.graph.pointwise import PointwiseOp
from fusir.dialects.graph.types import check_tensor_type

FLOAT, NUMBER, INTEGRAL = ElementClass.FLOAT, ElementClass.NUMBER, ElementClass.INTEGRAL


class BinaryOp(PointwiseOp, abc.ABC):
    """`graph.add %x, %y : tensor<4xf32>`: both operands and the result have one type."""

    T: ClassVar = VarConstraint("T", ANY_TENSOR)

    lhs = operand_def(T)
    rhs = operand_def(T)
    result = result_def(T)

    assembly_format = "$lhs `,` $rhs attr-dict `:` type($result)"

    ACCEPTED: ClassVar = NUMBER

    def __init__(
        self, lhs: SSAValue | Operation, rhs: SSAValue | Operation, *, location: LocationAttr | None = None
    ) -> None:
        lhs = result_of(lhs)
        Operation.__init__(self, operands=(lhs, result_of(rhs)), result_types=(lhs.type,), location=location)

    @override
    def verify_(self) -> None:
        type_ = self.result.type
        check_tensor_type(type_)
        check_element(self, type_.element_type, self.ACCEPTED)


@irdl_op_definition
class AddOp(BinaryOp):
    """`lhs + rhs`; wraps around on integers."""

    name = "graph.add"
    traits = traits_def(Commutative())


@irdl_op_definition
class SubOp(BinaryOp):
    """`lhs - rhs`; wraps around on integers."""

    name = "graph.sub"


@irdl_op_definition
class MulOp(BinaryOp):
    """`lhs * rhs`; wraps around on integers."""

    name = "graph.mul"
    traits = traits_def(Commutative())


@irdl_op_definition
class DivOp(BinaryOp):
    """True division on floats, truncating division on integers (division by zero is undefined)."""

    name = "graph.div"


@irdl_op_definition
class FloorDivOp(BinaryOp):
    """Division rounded toward minus infinity; floats as `torch.floor_divide`."""

    name = "graph.floor_div"


@irdl_op_definition
class RemOp(BinaryOp):
    """Remainder with the sign of lhs (C's `fmod`)."""

    name = "graph.rem"


@irdl_op_definition
class ModOp(BinaryOp):
    """Remainder with the sign of rhs (`torch.remainder`)."""

    name = "graph.mod"


@irdl_op_definition
class PowOp(BinaryOp):
    """`lhs` to the power of `rhs`; a negative integer exponent gives the truncated reciprocal, as torch."""

    name = "graph.pow"


@irdl_op_definition
class Atan2Op(BinaryOp):
    """Angle of the point (x = rhs, y = lhs)."""

    name = "graph.atan2"
    ACCEPTED: ClassVar = FLOAT


@irdl_op_definition
class MaximumOp(BinaryOp):
    """Larger operand; NaN if one is NaN."""

    name = "graph.maximum"
    traits = traits_def(Commutative())


@irdl_op_definition
class MinimumOp(BinaryOp):
    """Smaller operand; NaN if one is NaN."""

    name = "graph.minimum"
    traits = traits_def(Commutative())


@irdl_op_definition
class FmaxOp(BinaryOp):
    """Larger operand; the other one if one is NaN."""

    name = "graph.fmax"
    ACCEPTED: ClassVar = FLOAT
    traits = traits_def(Commutative())


@irdl_op_definition
class FminOp(BinaryOp):
    """Smaller operand; the other one if one is NaN."""

    name = "graph.fmin"
    ACCEPTED: ClassVar = FLOAT
    traits = traits_def(Commutative())


@irdl_op_definition
class AndOp(BinaryOp):
    """Bitwise and."""

    name = "graph.and"
    ACCEPTED: ClassVar = INTEGRAL
    traits = traits_def(Commutative())


@irdl_op_definition
class OrOp(BinaryOp):
    """Bitwise or."""

    name = "graph.or"
    ACCEPTED: ClassVar = INTEGRAL
    traits = traits_def(Commutative())


@irdl_op_definition
class XorOp(BinaryOp):
    """Bitwise exclusive or."""

    name = "graph.xor"
    ACCEPTED: ClassVar = INTEGRAL
    traits = traits_def(Commutative())


@irdl_op_definition
class ShlOp(BinaryOp):
    """Left shift; 0 if rhs is not below the width."""

    name = "graph.shl"
    ACCEPTED: ClassVar = ElementClass.INTEGER


@irdl_op_definition
class ShrOp(BinaryOp):
    """Right shift, arithmetic on signed types; the sign (or 0) everywhere if rhs is not below the width."""

    name = "graph.shr"
    ACCEPTED: ClassVar = ElementClass.INTEGER
