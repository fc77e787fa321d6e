"""Reductions and scans."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from typing_extensions import override
from xdsl.dialects.builtin import IntegerAttr, LocationAttr, UnitAttr, i64
from xdsl.dialects.utils.enum_attribute import EnumAttribute
from xdsl.ir import Attribute, Operation, SpacedOpaqueSyntaxAttribute, SSAValue
from xdsl.irdl import (
    irdl_attr_definition,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure
from xdsl.utils.str_enum import StrEnum

from fusir.dialects.graph.attrs import Dim
from fusir.dialects.graph.base import (
    ANY_TENSOR,
    INT_LIST,
    ElementClass,
    GraphOp,
    check_dim_list,
    check_element,
    check_result_type,
    expect,
    int_list,
    ints,
    result_of,
    type_of,
)
from fusir.dialects.graph.types import AnyTensor, check_tensor_type, dims_of, element_type_of, tensor_type


class ReduceKind(StrEnum):
    """What a reduction or scan computes."""

    SUM = "sum"
    PROD = "prod"
    MAX = "max"
    MIN = "min"
    ANY = "any"
    ALL = "all"
    ARGMAX = "argmax"
    ARGMIN = "argmin"
    LOGSUMEXP = "logsumexp"


_EXTREMA = (ReduceKind.MAX, ReduceKind.MIN, ReduceKind.ARGMAX, ReduceKind.ARGMIN)
_LOGICAL = (ReduceKind.ANY, ReduceKind.ALL)
_POSITIONS = (ReduceKind.ARGMAX, ReduceKind.ARGMIN)
_ELEMENTS = {
    **dict.fromkeys(_LOGICAL, ElementClass.BOOL),
    ReduceKind.LOGSUMEXP: ElementClass.FLOAT,
}
"""The elements of a reduction, where not all numbers will do."""
_SCANS = (
    *(ReduceKind.SUM, ReduceKind.PROD, ReduceKind.MAX, ReduceKind.MIN),
    *(ReduceKind.ARGMAX, ReduceKind.ARGMIN, ReduceKind.LOGSUMEXP),
)


@irdl_attr_definition
class ReduceKindAttr(EnumAttribute[ReduceKind], SpacedOpaqueSyntaxAttribute):
    """`#graph<kind sum>`."""

    name = "graph.kind"


def reduced_dims(dims: Sequence[Dim], reduced: Sequence[int]) -> tuple[Dim, ...]:
    """The dims that are left."""
    return tuple(extent for i, extent in enumerate(dims) if i not in reduced)


@irdl_op_definition
class ReduceOp(GraphOp):
    """`graph.reduce sum %x dims [1] : tensor<4x8xf32> -> tensor<4xf32>`. Reduced dims disappear.

    `sum prod max min`, and `logsumexp` of floats, keep the element type, `any all` are i1 to i1, `argmax argmin` give
    i64: the row-major index over the reduced dims of the first extremal element, where NaN is extremal. `max min
    logsumexp` propagate NaN. The extrema need a non-empty range.
    """

    name = "graph.reduce"

    kind_attr = prop_def(ReduceKindAttr, prop_name="kind")
    operand = operand_def(ANY_TENSOR)
    dims_attr = prop_def(INT_LIST, prop_name="dims")
    result = result_def(ANY_TENSOR)

    traits = traits_def(Pure())

    assembly_format = "$kind $operand `dims` $dims attr-dict `:` type($operand) `->` type($result)"

    def __init__(
        self,
        kind: ReduceKind | str,
        operand: SSAValue | Operation,
        dims: Sequence[int],
        *,
        location: LocationAttr | None = None,
    ) -> None:
        operand = result_of(operand)
        kind = ReduceKind(kind)
        Operation.__init__(
            self,
            operands=(operand,),
            result_types=(reduced_type(kind, operand.type, dims),),
            properties={"kind": ReduceKindAttr(kind), "dims": int_list(dims)},
            location=location,
        )

    @property
    def kind(self) -> ReduceKind:
        return self.kind_attr.data

    @property
    def dims(self) -> tuple[int, ...]:
        return ints(self.dims_attr)

    @override
    def verify_(self) -> None:
        source, kind, dims = type_of(self.operand), self.kind, self.dims
        check_tensor_type(source)
        check_element(self, source.element_type, _ELEMENTS.get(kind, ElementClass.NUMBER))
        check_dim_list(self, dims, source.get_num_dims())
        if kind in _EXTREMA:
            extents = dims_of(source)
            expect(all(extents[d] != 0 for d in dims), f"graph.reduce {kind} over an empty dim has no value")
        check_result_type(self, reduced_type(kind, source, dims))


def reduced_type(kind: ReduceKind, type_: Attribute, dims: Sequence[int]) -> AnyTensor:
    """The result type of a reduction."""
    element = i64 if kind in _POSITIONS else element_type_of(type_)
    return tensor_type(element, reduced_dims(dims_of(type_), dims))


@irdl_op_definition
class ScanOp(GraphOp):
    """`graph.scan sum %x dim 1 : tensor<4x8xf32>`: inclusive prefixes along the dim.

    `sum prod max min`, and `logsumexp` of floats, keep the element type. `graph.scan argmax %x dim 1 : tensor<4x8xf32>
    -> tensor<4x8xi64>` and `argmin` give the largest index of an extremal element, where NaN is extremal.
    `graph.scan sum %x dim 1 reverse : ...` gives the suffixes: element `i` folds the elements from `i` on.
    """

    name = "graph.scan"

    kind_attr = prop_def(ReduceKindAttr, prop_name="kind")
    operand = operand_def(ANY_TENSOR)
    dim_attr = prop_def(IntegerAttr.constr(i64), prop_name="dim")
    reverse_attr = opt_prop_def(UnitAttr, prop_name="reverse")
    result = result_def(ANY_TENSOR)

    traits = traits_def(Pure())

    def __init__(
        self,
        kind: ReduceKind | str,
        operand: SSAValue | Operation,
        dim: int,
        reverse: bool = False,
        *,
        location: LocationAttr | None = None,
    ) -> None:
        operand = result_of(operand)
        kind = ReduceKind(kind)
        properties: dict[str, Attribute] = {"kind": ReduceKindAttr(kind), "dim": IntegerAttr(dim, i64)}
        if reverse:
            properties["reverse"] = UnitAttr()
        Operation.__init__(
            self,
            operands=(operand,),
            result_types=(scanned_type(kind, operand.type),),
            properties=properties,
            location=location,
        )

    @property
    def kind(self) -> ReduceKind:
        return self.kind_attr.data

    @property
    def dim(self) -> int:
        return self.dim_attr.value.data

    @property
    def reverse(self) -> bool:
        """Whether the last element comes first."""
        return self.reverse_attr is not None

    @override
    def verify_(self) -> None:
        type_, kind = type_of(self.operand), self.kind
        check_tensor_type(type_)
        expect(kind in _SCANS, f"graph.scan: kind must be one of {', '.join(_SCANS)}, got {kind}")
        is_float = kind is ReduceKind.LOGSUMEXP
        check_element(self, type_.element_type, ElementClass.FLOAT if is_float else ElementClass.NUMBER)
        rank = type_.get_num_dims()
        expect(0 <= self.dim < rank, f"graph.scan: dim {self.dim} is out of range for rank {rank}")
        check_result_type(self, scanned_type(kind, type_))

    @classmethod
    @override
    def parse(cls, parser: Parser) -> ScanOp:
        kind = parser.parse_str_enum(ReduceKind)
        operand = parser.parse_unresolved_operand()
        parser.parse_keyword("dim")
        properties: dict[str, Attribute] = {
            "kind": ReduceKindAttr(kind),
            "dim": IntegerAttr(parser.parse_integer(allow_boolean=False), i64),
        }
        if parser.parse_optional_keyword("reverse") is not None:
            properties["reverse"] = UnitAttr()
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        type_ = parser.parse_type()
        result = parser.parse_type() if parser.parse_optional_punctuation("->") is not None else type_
        return cls.create(
            operands=[parser.resolve_operand(operand, type_)],
            result_types=[result],
            properties=properties,
            attributes=attributes,
        )

    @override
    def print(self, printer: Printer) -> None:
        printer.print_string(f" {self.kind} ")
        printer.print_ssa_value(self.operand)
        printer.print_string(f" dim {self.dim}{' reverse' if self.reverse else ''}")
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.operand.type)
        if self.result.type != self.operand.type:
            printer.print_string(" -> ")
            printer.print_attribute(self.result.type)


def scanned_type(kind: ReduceKind, type_: Attribute) -> AnyTensor:
    """The result type of a scan."""
    return tensor_type(i64, dims_of(type_)) if kind in _POSITIONS else cast(AnyTensor, type_)
