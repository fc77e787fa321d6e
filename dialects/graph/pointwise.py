"""Pointwise ops: operands and result have one shape."""

from __future__ import annotations

import abc
from typing import ClassVar

from typing_extensions import override
from xdsl.dialects.builtin import LocationAttr, i1
from xdsl.dialects.utils.enum_attribute import EnumAttribute
from xdsl.ir import Attribute, Operation, SpacedOpaqueSyntaxAttribute, SSAValue
from xdsl.irdl import (
    VarConstraint,
    irdl_attr_definition,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import Commutative, Pure
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.str_enum import StrEnum

from fusir.dialects.graph.base import (
    ANY_TENSOR,
    ElementClass,
    GraphOp,
    WithPredicate,
    check_element,
    check_result_type,
    predicate_type,
    result_of,
    type_of,
)
from fusir.dialects.graph.types import bit_width, check_tensor_type, dims_of, element_type_of, tensor_type

FLOAT, NUMBER, INTEGRAL, ANY = ElementClass.FLOAT, ElementClass.NUMBER, ElementClass.INTEGRAL, ElementClass.ANY


class PointwiseOp(GraphOp, abc.ABC):
    """One result element for each element of the operands, all of one shape. Pure."""

    traits = traits_def(Pure())

    ACCEPTED: ClassVar[ElementClass] = ANY
    """Element classes of the operands."""


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


class ComparePredicate(StrEnum):
    """Predicates of `graph.compare`. With NaN only `ne` is true."""

    EQ = "eq"
    NE = "ne"
    LT = "lt"
    LE = "le"
    GT = "gt"
    GE = "ge"


@irdl_attr_definition
class ComparePredicateAttr(EnumAttribute[ComparePredicate], SpacedOpaqueSyntaxAttribute):
    """`#graph<predicate lt>`."""

    name = "graph.predicate"


@irdl_op_definition
class CompareOp(PointwiseOp):
    """`graph.compare lt %x, %y : tensor<4xf32>` gives `tensor<4xi1>`. Unsigned if the element type is."""

    name = "graph.compare"

    T: ClassVar = VarConstraint("T", ANY_TENSOR)

    predicate_attr = prop_def(ComparePredicateAttr, prop_name="predicate")
    lhs = operand_def(T)
    rhs = operand_def(T)
    result = result_def(ANY_TENSOR)

    custom_directives = (WithPredicate,)
    assembly_format = "$predicate $lhs `,` $rhs attr-dict `:` custom<WithPredicate>(type($lhs), type($result))"

    def __init__(
        self,
        predicate: ComparePredicate | str,
        lhs: SSAValue | Operation,
        rhs: SSAValue | Operation,
        *,
        location: LocationAttr | None = None,
    ) -> None:
        lhs = result_of(lhs)
        Operation.__init__(
            self,
            operands=(lhs, result_of(rhs)),
            result_types=(predicate_type(lhs.type),),
            properties={"predicate": ComparePredicateAttr(ComparePredicate(predicate))},
            location=location,
        )

    @property
    def predicate(self) -> ComparePredicate:
        return self.predicate_attr.data

    @override
    def verify_(self) -> None:
        type_ = self.lhs.type
        check_tensor_type(type_)
        check_element(self, element_type_of(type_), ANY)
        check_result_type(self, predicate_type(type_))


class FloatTestOp(PointwiseOp, abc.ABC):
    """A property of a float as an i1: `graph.isnan %x : tensor<4xf32>`."""

    operand = operand_def(ANY_TENSOR)
    result = result_def(ANY_TENSOR)

    custom_directives = (WithPredicate,)
    assembly_format = "$operand attr-dict `:` custom<WithPredicate>(type($operand), type($result))"

    ACCEPTED: ClassVar = FLOAT

    def __init__(self, operand: SSAValue | Operation, *, location: LocationAttr | None = None) -> None:
        operand = result_of(operand)
        Operation.__init__(self, operands=(operand,), result_types=(predicate_type(operand.type),), location=location)

    @override
    def verify_(self) -> None:
        type_ = self.operand.type
        check_tensor_type(type_)
        check_element(self, element_type_of(type_), FLOAT)
        check_result_type(self, predicate_type(type_))


@irdl_op_definition
class IsNanOp(FloatTestOp):
    """True where the operand is NaN."""

    name = "graph.isnan"


@irdl_op_definition
class IsInfOp(FloatTestOp):
    """True where the operand is an infinity of either sign."""

    name = "graph.isinf"


@irdl_op_definition
class SelectOp(PointwiseOp):
    """`graph.select %c, %x, %y : tensor<4xf32>`: `on_true` where the condition holds, else `on_false`."""

    name = "graph.select"

    T: ClassVar = VarConstraint("T", ANY_TENSOR)

    condition = operand_def(ANY_TENSOR)
    on_true = operand_def(T)
    on_false = operand_def(T)
    result = result_def(T)

    custom_directives = (WithPredicate,)
    assembly_format = (
        "$condition `,` $on_true `,` $on_false attr-dict `:` custom<WithPredicate>(type($result), type($condition))"
    )

    def __init__(
        self,
        condition: SSAValue | Operation,
        on_true: SSAValue | Operation,
        on_false: SSAValue | Operation,
        *,
        location: LocationAttr | None = None,
    ) -> None:
        on_true = result_of(on_true)
        Operation.__init__(
            self,
            operands=(result_of(condition), on_true, result_of(on_false)),
            result_types=(on_true.type,),
            location=location,
        )

    @override
    def verify_(self) -> None:
        type_ = self.result.type
        check_tensor_type(type_)
        check_element(self, type_.element_type, ANY)
        expected = predicate_type(type_)
        if self.condition.type != expected:
            raise VerifyException(f"graph.select: condition must be {expected}, got {self.condition.type}")


class ElementCastOp(PointwiseOp, abc.ABC):
    """An op that changes only the element type: `graph.convert %x : tensor<4xbf16> -> tensor<4xf32>`."""

    operand = operand_def(ANY_TENSOR)
    result = result_def(ANY_TENSOR)

    assembly_format = "$operand attr-dict `:` type($operand) `->` type($result)"

    def __init__(
        self, operand: SSAValue | Operation, element_type: Attribute, *, location: LocationAttr | None = None
    ) -> None:
        operand = result_of(operand)
        Operation.__init__(
            self,
            operands=(operand,),
            result_types=(tensor_type(element_type, dims_of(operand)),),
            location=location,
        )

    @override
    def verify_(self) -> None:
        source, target = type_of(self.operand), type_of(self.result)
        check_tensor_type(source)
        check_tensor_type(target)
        check_element(self, source.element_type, ANY)
        check_element(self, target.element_type, ANY)
        if dims_of(source) != dims_of(target):
            raise VerifyException(f"{self.name} keeps the shape, got {source} -> {target}")


@irdl_op_definition
class ConvertOp(ElementCastOp):
    """Value conversion. Float to float rounds to nearest even, float to integer truncates (out of range: undefined),
    integers wrap around, to i1 is `x != 0` (NaN gives true)."""

    name = "graph.convert"


@irdl_op_definition
class BitcastOp(ElementCastOp):
    """Reinterpretation of the bits as another element type of the same width; not from or to i1."""

    name = "graph.bitcast"

    @override
    def verify_(self) -> None:
        super().verify_()
        source, target = element_type_of(self.operand), element_type_of(self.result)
        if i1 in (source, target) or bit_width(source) != bit_width(target):
            raise VerifyException(f"graph.bitcast needs two element types of one width, got {source} and {target}")
