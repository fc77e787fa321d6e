"""Pointwise ops of one operand whose result has its type."""

from __future__ import annotations

import abc
from typing import ClassVar

from typing_extensions import override
from xdsl.dialects.builtin import LocationAttr
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import VarConstraint, irdl_op_definition, operand_def, result_def

from fusir.dialects.graph.base import ANY_TENSOR, ElementClass, check_element, result_of
from fusir.dialects.graph.pointwise import PointwiseOp
from fusir.dialects.graph.types import check_tensor_type

FLOAT, NUMBER, INTEGRAL = ElementClass.FLOAT, ElementClass.NUMBER, ElementClass.INTEGRAL


class UnaryOp(PointwiseOp, abc.ABC):
    """`graph.exp %x : tensor<4xf32>`: operand and result have one type."""

    T: ClassVar = VarConstraint("T", ANY_TENSOR)

    operand = operand_def(T)
    result = result_def(T)

    assembly_format = "$operand attr-dict `:` type($result)"

    ACCEPTED: ClassVar = FLOAT

    def __init__(self, operand: SSAValue | Operation, *, location: LocationAttr | None = None) -> None:
        operand = result_of(operand)
        Operation.__init__(self, operands=(operand,), result_types=(operand.type,), location=location)

    @override
    def verify_(self) -> None:
        type_ = self.result.type
        check_tensor_type(type_)
        check_element(self, type_.element_type, self.ACCEPTED)


@irdl_op_definition
class NegOp(UnaryOp):
    """`-x`; wraps around on integers."""

    name = "graph.neg"
    ACCEPTED: ClassVar = NUMBER


@irdl_op_definition
class AbsOp(UnaryOp):
    """`|x|`; wraps around on the least integer, the identity on `ui8`."""

    name = "graph.abs"
    ACCEPTED: ClassVar = NUMBER


@irdl_op_definition
class SignOp(UnaryOp):
    """-1, 0 or 1 with the element type; 0 for NaN, as `torch.sign`."""

    name = "graph.sign"
    ACCEPTED: ClassVar = NUMBER


@irdl_op_definition
class ExpOp(UnaryOp):
    """`e^x`."""

    name = "graph.exp"


@irdl_op_definition
class Exp2Op(UnaryOp):
    """`2^x`."""

    name = "graph.exp2"


@irdl_op_definition
class Expm1Op(UnaryOp):
    """`e^x - 1`, accurate near 0."""

    name = "graph.expm1"


@irdl_op_definition
class LogOp(UnaryOp):
    """Natural logarithm."""

    name = "graph.log"


@irdl_op_definition
class Log2Op(UnaryOp):
    """Logarithm to base 2."""

    name = "graph.log2"


@irdl_op_definition
class Log10Op(UnaryOp):
    """Logarithm to base 10."""

    name = "graph.log10"


@irdl_op_definition
class Log1pOp(UnaryOp):
    """`log(1 + x)`, accurate near 0."""

    name = "graph.log1p"


@irdl_op_definition
class SqrtOp(UnaryOp):
    """Square root, correctly rounded."""

    name = "graph.sqrt"


@irdl_op_definition
class RsqrtOp(UnaryOp):
    """`1 / sqrt(x)`."""

    name = "graph.rsqrt"


@irdl_op_definition
class ReciprocalOp(UnaryOp):
    """`1 / x`."""

    name = "graph.reciprocal"


@irdl_op_definition
class SinOp(UnaryOp):
    """Sine, argument in radians."""

    name = "graph.sin"


@irdl_op_definition
class CosOp(UnaryOp):
    """Cosine, argument in radians."""

    name = "graph.cos"


@irdl_op_definition
class TanOp(UnaryOp):
    """Tangent, argument in radians."""

    name = "graph.tan"


@irdl_op_definition
class AsinOp(UnaryOp):
    """Arc sine."""

    name = "graph.asin"


@irdl_op_definition
class AcosOp(UnaryOp):
    """Arc cosine."""

    name = "graph.acos"


@irdl_op_definition
class AtanOp(UnaryOp):
    """Arc tangent."""

    name = "graph.atan"


@irdl_op_definition
class SinhOp(UnaryOp):
    """Hyperbolic sine."""

    name = "graph.sinh"


@irdl_op_definition
class CoshOp(UnaryOp):
    """Hyperbolic cosine."""

    name = "graph.cosh"


@irdl_op_definition
class TanhOp(UnaryOp):
    """Hyperbolic tangent."""

    name = "graph.tanh"


@irdl_op_definition
class AsinhOp(UnaryOp):
    """Inverse hyperbolic sine."""

    name = "graph.asinh"


@irdl_op_definition
class AcoshOp(UnaryOp):
    """Inverse hyperbolic cosine."""

    name = "graph.acosh"


@irdl_op_definition
class AtanhOp(UnaryOp):
    """Inverse hyperbolic tangent."""

    name = "graph.atanh"


@irdl_op_definition
class ErfOp(UnaryOp):
    """Error function."""

    name = "graph.erf"


@irdl_op_definition
class ErfcOp(UnaryOp):
    """`1 - erf(x)`, accurate for large x."""

    name = "graph.erfc"


@irdl_op_definition
class SigmoidOp(UnaryOp):
    """`1 / (1 + exp(-x))`."""

    name = "graph.sigmoid"


@irdl_op_definition
class ReluOp(UnaryOp):
    """`max(x, 0)`; NaN stays NaN."""

    name = "graph.relu"
    ACCEPTED: ClassVar = NUMBER


@irdl_op_definition
class FloorOp(UnaryOp):
    """Largest integral value not above x."""

    name = "graph.floor"


@irdl_op_definition
class CeilOp(UnaryOp):
    """Least integral value not below x."""

    name = "graph.ceil"


@irdl_op_definition
class RoundOp(UnaryOp):
    """Nearest integral value, ties to even."""

    name = "graph.round"


@irdl_op_definition
class TruncOp(UnaryOp):
    """Integral part of x."""

    name = "graph.trunc"


@irdl_op_definition
class NotOp(UnaryOp):
    """Bitwise complement; logical on i1."""

    name = "graph.not"
    ACCEPTED: ClassVar = INTEGRAL
