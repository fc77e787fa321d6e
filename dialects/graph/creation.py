"""Ops that make tensors from nothing: constants, indices, random numbers."""

from __future__ import annotations

import math
from typing import cast

from typing_extensions import override
from xdsl.dialects.builtin import (
    AnyFloat,
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IntegerAttr,
    IntegerType,
    LocationAttr,
    f32,
    i1,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import BaseAttr, irdl_op_definition, operand_def, prop_def, result_def, traits_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import ConstantLike, Pure

from fusir.dialects.graph.base import ANY_TENSOR, ElementClass, GraphOp, check_element, expect, result_of, type_of
from fusir.dialects.graph.types import AnyTensor, check_tensor_type, dims_of, is_bool, is_float, is_native, tensor_type

Scalar = int | float | bool

_SCALAR_PRECISIONS = (6, 9, 17)
"""Significant digits tried when printing a float: the first that reads back as the same value is used."""


def scalar_attr(value: Scalar, element_type: Attribute) -> FloatAttr | IntegerAttr:
    """The attribute of a scalar of a native element type: floats are rounded, integers wrap around."""
    if is_float(element_type):
        return FloatAttr(math.nan if value != value else float(value), cast(AnyFloat, element_type))
    if not is_native(element_type):
        raise ValueError(f"graph.full needs a native element type, got {element_type}")
    integer_type = cast(IntegerType, element_type)
    if is_bool(element_type):
        return IntegerAttr(int(bool(value)), integer_type)
    return IntegerAttr(int(value), integer_type, truncate_bits=True)


def scalar_of(attribute: FloatAttr | IntegerAttr) -> Scalar:
    """The Python scalar of such an attribute: float, bool for i1, else int."""
    if isinstance(attribute, FloatAttr):
        return attribute.value.data
    return bool(attribute) if attribute.type == i1 else attribute.value.data


def float_text(value: float, element_type: AnyFloat) -> str:
    """Shortest usual decimal text that reads back as the same value of the type; `inf`, `-inf`, `nan`."""
    if not math.isfinite(value):
        return "nan" if value != value else "inf" if value > 0 else "-inf"
    text = next(t for p in _SCALAR_PRECISIONS if element_type.round(float(t := f"{value:.{p}g}")) == value)
    mantissa, exponent, power = text.partition("e")
    return (mantissa if "." in mantissa else mantissa + ".0") + exponent + power


def print_scalar(printer: Printer, attribute: FloatAttr | IntegerAttr) -> None:
    """Print the value alone: `2.0`, `-3`, `true`, `nan`."""
    value = scalar_of(attribute)
    if isinstance(attribute, FloatAttr):
        printer.print_string(float_text(cast(float, value), attribute.type))
    elif isinstance(value, bool):
        printer.print_string("true" if value else "false")
    else:
        printer.print_string(str(value))


def parse_scalar(parser: Parser) -> Scalar:
    """Parse what `print_scalar` prints; a float for `2.0`, `inf`, `nan`, an int for `2`, a bool for `true`."""
    if parser.parse_optional_punctuation("-") is not None:
        return -math.inf if parser.parse_optional_keyword("inf") is not None else -_parse_unsigned(parser)
    if (boolean := parser.parse_optional_boolean()) is not None:
        return boolean
    for keyword, value in (("inf", math.inf), ("nan", math.nan)):
        if parser.parse_optional_keyword(keyword) is not None:
            return value
    return _parse_unsigned(parser)


def _parse_unsigned(parser: Parser) -> int | float:
    value = parser.parse_optional_number()
    if value is None:
        parser.raise_error("expected a scalar: 2.0, -3, true, inf or nan")
    return value


def typed_scalar(parser: Parser, value: Scalar, element_type: Attribute) -> FloatAttr | IntegerAttr:
    """The attribute for a parsed scalar; a parse error if the literal does not fit the element type."""
    if is_float(element_type):
        if not isinstance(value, float):
            parser.raise_error(f"a value of type {element_type} is written with a point, as 2.0")
        return scalar_attr(value, element_type)
    if not is_native(element_type):
        parser.raise_error(f"expected a native element type, got {element_type}")
    if isinstance(value, float) or isinstance(value, bool) != is_bool(element_type):
        parser.raise_error(f"the value {value} is not a literal of type {element_type}")
    integer_type = cast(IntegerType, element_type)
    least, bound = integer_type.value_range()
    if not least <= value < bound:
        parser.raise_error(f"the value {value} does not fit {element_type}")
    return scalar_attr(value, element_type)


@irdl_op_definition
class FullOp(GraphOp):
    """`graph.full 2.0 : tensor<4xf32>`: every element has the value."""

    name = "graph.full"

    value = prop_def(BaseAttr(FloatAttr) | BaseAttr(IntegerAttr))
    result = result_def(ANY_TENSOR)

    traits = traits_def(Pure(), ConstantLike())

    def __init__(
        self, value: Scalar | Attribute, result_type: AnyTensor, *, location: LocationAttr | None = None
    ) -> None:
        """The value is a FloatAttr or IntegerAttr of the element type, or a Python scalar that is converted to it."""
        attribute = value if isinstance(value, Attribute) else scalar_attr(value, result_type.element_type)
        Operation.__init__(self, result_types=(result_type,), properties={"value": attribute}, location=location)

    @property
    def scalar(self) -> Scalar:
        """The value as a Python float, bool (i1) or int."""
        return scalar_of(self.value)

    @classmethod
    @override
    def parse(cls, parser: Parser) -> FullOp:
        value = parse_scalar(parser)
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        type_ = parser.parse_type()
        check = getattr(type_, "element_type", None)
        if not isinstance(check, Attribute):
            parser.raise_error(f"expected a tensor type, got {type_}")
        op = cls(typed_scalar(parser, value, check), cast(AnyTensor, type_))
        op.attributes.update(attributes)
        return op

    @override
    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        print_scalar(printer, self.value)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.result.type)

    @override
    def verify_(self) -> None:
        type_ = type_of(self.result)
        check_tensor_type(type_)
        check_element(self, type_.element_type, ElementClass.ANY)
        expect(
            self.value.type == type_.element_type,
            f"graph.full: value has type {self.value.type}, element type is {type_.element_type}",
        )


@irdl_op_definition
class ConstantOp(GraphOp):
    """`graph.constant dense<[1, 2]> : tensor<2xi64>`: a small literal tensor."""

    name = "graph.constant"

    value = prop_def(BaseAttr(DenseIntOrFPElementsAttr))
    result = result_def(ANY_TENSOR)

    traits = traits_def(Pure(), ConstantLike())

    def __init__(self, value: DenseIntOrFPElementsAttr, *, location: LocationAttr | None = None) -> None:
        Operation.__init__(self, result_types=(value.type,), properties={"value": value}, location=location)

    @classmethod
    @override
    def parse(cls, parser: Parser) -> ConstantOp:
        attributes = parser.parse_optional_attr_dict()
        value = parser.parse_attribute()
        if not isinstance(value, DenseIntOrFPElementsAttr):
            parser.raise_error("expected dense<...> : tensor<...>")
        op = cls(value)
        op.attributes.update(attributes)
        return op

    @override
    def print(self, printer: Printer) -> None:
        printer.print_op_attributes(self.attributes)
        printer.print_string(" ")
        printer.print_attribute(self.value)

    @override
    def verify_(self) -> None:
        type_ = type_of(self.result)
        check_tensor_type(type_)
        expect(self.value.type == type_, f"graph.constant: value has type {self.value.type}, result {type_}")
        expect(all(isinstance(d, int) for d in dims_of(type_)), "graph.constant needs a static shape")
        check_element(self, type_.element_type, ElementClass.ANY)


@irdl_op_definition
class IotaOp(GraphOp):
    """`graph.iota dim 1 : tensor<4x8xi64>`: the index along the dim."""

    name = "graph.iota"

    dim_attr = prop_def(IntegerAttr.constr(i64), prop_name="dim")
    result = result_def(ANY_TENSOR)

    traits = traits_def(Pure())

    assembly_format = "`dim` $dim attr-dict `:` type($result)"

    def __init__(self, dim: int, result_type: AnyTensor, *, location: LocationAttr | None = None) -> None:
        Operation.__init__(
            self, result_types=(result_type,), properties={"dim": IntegerAttr(dim, i64)}, location=location
        )

    @property
    def dim(self) -> int:
        return self.dim_attr.value.data

    @override
    def verify_(self) -> None:
        type_ = type_of(self.result)
        check_tensor_type(type_)
        check_element(self, type_.element_type, ElementClass.NUMBER)
        rank = type_.get_num_dims()
        expect(0 <= self.dim < rank, f"graph.iota: dim {self.dim} is out of range for rank {rank}")


@irdl_op_definition
class RandomOp(GraphOp):
    """`graph.random uniform %seed offset 0 : tensor<i64> -> tensor<4x8xf32>`: uniform in [0, 1).

    The element with row-major index `i` is `(w >> 8) * 2^-24`, where `w` is the first output word of Philox-4x32-10
    with the 64-bit key `seed` and the counter `(i, offset)`. The offset tells apart the random ops that share a seed.
    """

    name = "graph.random"

    seed = operand_def(ANY_TENSOR)
    offset_attr = prop_def(IntegerAttr.constr(i64), prop_name="offset")
    result = result_def(ANY_TENSOR)

    traits = traits_def(Pure())

    assembly_format = "`uniform` $seed `offset` $offset attr-dict `:` type($seed) `->` type($result)"

    def __init__(
        self,
        seed: SSAValue | Operation,
        offset: int,
        result_type: AnyTensor,
        *,
        location: LocationAttr | None = None,
    ) -> None:
        Operation.__init__(
            self,
            operands=(result_of(seed),),
            result_types=(result_type,),
            properties={"offset": IntegerAttr(offset, i64)},
            location=location,
        )

    @property
    def offset(self) -> int:
        return self.offset_attr.value.data

    @override
    def verify_(self) -> None:
        check_tensor_type(self.result.type)
        expect(self.seed.type == tensor_type(i64, ()), f"graph.random: seed must be tensor<i64>, got {self.seed.type}")
        expect(
            type_of(self.result).element_type == f32,
            f"graph.random: result must be f32, got {type_of(self.result).element_type}",
        )
