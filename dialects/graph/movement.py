"""Ops that move elements and are not views of one operand: pad and concat."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from typing_extensions import override
from xdsl.dialects.builtin import FloatAttr, IntegerAttr, LocationAttr, TensorType, i64
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    BaseAttr,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure

from fusir.dialects.graph.attrs import Dim, DimsAttr, as_expr, parse_dims, print_dims
from fusir.dialects.graph.base import (
    ANY_TENSOR,
    ElementClass,
    GraphOp,
    check_element,
    expect,
    result_of,
    type_of,
)
from fusir.dialects.graph.creation import Scalar, parse_scalar, print_scalar, scalar_attr, scalar_of, typed_scalar
from fusir.dialects.graph.shape import provably_different
from fusir.dialects.graph.types import AnyTensor, check_tensor_type, dims_of, element_type_of, tensor_type


@irdl_op_definition
class PadOp(GraphOp):
    """`graph.pad %x low [0, 1] high [2, 0] value 0.0 : tensor<4x8xf32> -> tensor<6x9xf32>`: the value around the
    operand, `low` elements before and `high` after in each dim (both non-negative dims)."""

    name = "graph.pad"

    operand = operand_def(ANY_TENSOR)
    low_attr = prop_def(DimsAttr, prop_name="low")
    high_attr = prop_def(DimsAttr, prop_name="high")
    value = prop_def(BaseAttr(FloatAttr) | BaseAttr(IntegerAttr))
    result = result_def(ANY_TENSOR)

    traits = traits_def(Pure())

    def __init__(
        self,
        operand: SSAValue | Operation,
        low: Sequence[Dim],
        high: Sequence[Dim],
        value: Scalar | Attribute,
        *,
        result_dims: Sequence[Dim] | None = None,
        location: LocationAttr | None = None,
    ) -> None:
        """`result_dims` gives the extents in normal form where they are symbolic (default: `low + extent + high`)."""
        operand = result_of(operand)
        element = element_type_of(operand)
        if result_dims is None:
            result_dims = padded_dims(dims_of(operand), low, high)
        Operation.__init__(
            self,
            operands=(operand,),
            result_types=(tensor_type(element, result_dims),),
            properties={
                "low": DimsAttr(low),
                "high": DimsAttr(high),
                "value": value if isinstance(value, Attribute) else scalar_attr(value, element),
            },
            location=location,
        )

    @property
    def low(self) -> tuple[Dim, ...]:
        return self.low_attr.data

    @property
    def high(self) -> tuple[Dim, ...]:
        return self.high_attr.data

    @property
    def scalar(self) -> Scalar:
        """The padding value as a Python float, bool (i1) or int."""
        return scalar_of(self.value)

    @classmethod
    @override
    def parse(cls, parser: Parser) -> PadOp:
        unresolved = parser.parse_unresolved_operand()
        parser.parse_keyword("low")
        low = parse_dims(parser)
        parser.parse_keyword("high")
        high = parse_dims(parser)
        parser.parse_keyword("value")
        value = parse_scalar(parser)
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        source = parser.parse_type()
        parser.parse_punctuation("->")
        target = parser.parse_type()
        if not isinstance(source, TensorType):
            parser.raise_error(f"expected a tensor type, got {source}")
        operand = parser.resolve_operand(unresolved, source)
        return cls.create(
            operands=(operand,),
            result_types=(target,),
            properties={
                "low": DimsAttr(low),
                "high": DimsAttr(high),
                "value": typed_scalar(parser, value, cast(AnyTensor, source).element_type),
            },
            attributes=attributes,
        )

    @override
    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.operand)
        printer.print_string(" low ")
        print_dims(printer, self.low)
        printer.print_string(" high ")
        print_dims(printer, self.high)
        printer.print_string(" value ")
        print_scalar(printer, self.value)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.operand.type)
        printer.print_string(" -> ")
        printer.print_attribute(self.result.type)

    @override
    def verify_(self) -> None:
        source, target = type_of(self.operand), type_of(self.result)
        check_tensor_type(source)
        check_tensor_type(target)
        check_element(self, source.element_type, ElementClass.ANY)
        expect(
            source.element_type == target.element_type, f"graph.pad keeps the element type, got {source} -> {target}"
        )
        expect(
            self.value.type == source.element_type,
            f"graph.pad: value has type {self.value.type}, element type is {source.element_type}",
        )
        dims, low, high = dims_of(source), self.low, self.high
        expect(
            len(low) == len(high) == len(dims), f"graph.pad: needs a low and a high amount for each of {len(dims)} dims"
        )
        for amount in (*low, *high):
            expect(not (isinstance(amount, int) and amount < 0), f"graph.pad: amount {amount} is negative")
        expected, actual = padded_dims(dims, low, high), dims_of(target)
        expect(
            len(expected) == len(actual)
            and not any(provably_different(a, b) for a, b in zip(expected, actual, strict=True)),
            f"graph.pad: result type must be {tensor_type(source.element_type, expected)}, got {target}",
        )


def padded_dims(dims: Sequence[Dim], low: Sequence[Dim], high: Sequence[Dim]) -> tuple[Dim, ...]:
    """Extents after padding: `low + extent + high`."""
    return tuple(
        lo + d + hi if isinstance(lo, int) and isinstance(hi, int) and isinstance(d, int)
        else as_expr(d) + as_expr(lo) + as_expr(hi)
        for d, lo, hi in zip(dims, low, high, strict=True)
    )  # fmt: skip


@irdl_op_definition
class ConcatOp(GraphOp):
    """`graph.concat %x, %y dim 1 : (tensor<4x8xf32>, tensor<4x2xf32>) -> tensor<4x10xf32>`: the operands one after the
    other along the dim."""

    name = "graph.concat"

    inputs = var_operand_def(ANY_TENSOR)
    dim_attr = prop_def(IntegerAttr.constr(i64), prop_name="dim")
    result = result_def(ANY_TENSOR)

    traits = traits_def(Pure())

    assembly_format = "$inputs `dim` $dim attr-dict `:` functional-type($inputs, $result)"

    def __init__(
        self,
        operands: Sequence[SSAValue | Operation],
        dim: int,
        *,
        result_dim: Dim | None = None,
        location: LocationAttr | None = None,
    ) -> None:
        """`result_dim` gives the extent along the dim in normal form where it is symbolic (default: the sum)."""
        values = tuple(result_of(v) for v in operands)
        dims = list(dims_of(values[0]))
        dims[dim] = concat_extent(values, dim) if result_dim is None else result_dim
        Operation.__init__(
            self,
            operands=values,
            result_types=(tensor_type(element_type_of(values[0]), dims),),
            properties={"dim": IntegerAttr(dim, i64)},
            location=location,
        )

    @property
    def dim(self) -> int:
        return self.dim_attr.value.data

    @override
    def verify_(self) -> None:
        target = type_of(self.result)
        check_tensor_type(target)
        check_element(self, target.element_type, ElementClass.ANY)
        expect(len(self.inputs) > 0, "graph.concat needs at least one operand")
        rank, dim = target.get_num_dims(), self.dim
        expect(0 <= dim < rank, f"graph.concat: dim {dim} is out of range for rank {rank}")
        dims = dims_of(target)
        for value in self.inputs:
            source = type_of(value)
            check_tensor_type(source)
            extents = dims_of(source)
            expect(
                source.element_type == target.element_type
                and len(extents) == rank
                and all(a == b for i, (a, b) in enumerate(zip(extents, dims, strict=True)) if i != dim),
                f"graph.concat: operand {source} does not fit the result {target} along dim {dim}",
            )
        total = concat_extent(self.inputs, dim)
        expect(
            not provably_different(total, dims[dim]),
            f"graph.concat: the operands have {total} elements along dim {dim}, the result {dims[dim]}",
        )


def concat_extent(values: Sequence[SSAValue], dim: int) -> Dim:
    """Sum of the extents along the dim."""
    total: Dim = 0
    for value in values:
        total = total + dims_of(value)[dim]
    return total
