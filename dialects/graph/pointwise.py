"""Pointwise ops: operands and result have one shape."""

from __future__ import annotations

import abc
from typing import ClassVar

from typing_extensions import override
from xdsl.dialects.builtin import LocationAttr, f32, i1
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
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.str_enum import StrEnum

from fusir.dialects.graph.base import (
    ANY_TENSOR,
    ElementClass,
    GraphOp,
    WithPredicate,
    check_element,
    check_result_type,
    expect,
    predicate_type,
    result_of,
    type_of,
)
from fusir.dialects.graph.types import (
    bit_width,
    check_tensor_type,
    dims_of,
    element_type_of,
    is_float8,
    is_half,
    is_native,
    tensor_type,
)

FLOAT, NUMBER, INTEGRAL, ANY = ElementClass.FLOAT, ElementClass.NUMBER, ElementClass.INTEGRAL, ElementClass.ANY


class PointwiseOp(GraphOp, abc.ABC):
    """One result element for each element of the operands, all of one shape. Pure."""

    traits = traits_def(Pure())

    ACCEPTED: ClassVar[ElementClass] = ANY
    """Element classes of the operands."""


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
        self.verify_elements(source.element_type, target.element_type)
        if dims_of(source) != dims_of(target):
            raise VerifyException(f"{self.name} keeps the shape, got {source} -> {target}")

    def verify_elements(self, source: Attribute, target: Attribute) -> None:
        """Check the two element types."""
        check_element(self, source, ANY)
        check_element(self, target, ANY)


@irdl_op_definition
class ConvertOp(ElementCastOp):
    """Value conversion. Float to float rounds to nearest even, float to integer truncates (out of range: undefined),
    integers wrap around, to i1 is `x != 0` (NaN gives true).

    8-bit floats are converted from and to `f16 bf16 f32`. What is too large becomes the largest number, infinities too,
    in f8E4M3FN, which has no infinity, and infinite in f8E5M2.
    """

    name = "graph.convert"

    @override
    def verify_elements(self, source: Attribute, target: Attribute) -> None:
        if is_float8(source) or is_float8(target):
            expect(can_convert(source, target), f"graph.convert does not convert {source} to {target}")
        else:
            super().verify_elements(source, target)


def can_convert(source: Attribute, target: Attribute) -> bool:
    """Whether `graph.convert` is between these element types."""
    if is_float8(source) or is_float8(target):
        others = [each for each in (source, target) if not is_float8(each)]
        return len(others) == 1 and (is_half(others[0]) or others[0] == f32)
    return is_native(source) and is_native(target)


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
