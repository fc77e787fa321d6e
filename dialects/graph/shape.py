"""Ops that move elements without changing them."""

from __future__ import annotations

import abc
import itertools
from collections.abc import Sequence
from typing import ClassVar, cast

from typing_extensions import override
from xdsl.dialects.builtin import FloatAttr, IntegerAttr, LocationAttr, TensorType, i64
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.ir.affine import AffineBinaryOpExpr, AffineBinaryOpKind, AffineConstantExpr, AffineExpr, AffineSymExpr
from xdsl.irdl import (
    BaseAttr,
    VarConstraint,
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
from xdsl.utils.exceptions import VerifyException

from fusir.dialects.graph.attrs import Dim, Dims, DimsAttr, as_expr, parse_dims, print_dims
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
from fusir.dialects.graph.creation import Scalar, parse_scalar, print_scalar, scalar_attr, scalar_of, typed_scalar
from fusir.dialects.graph.types import AnyTensor, check_tensor_type, dims_of, element_type_of, numel, tensor_type

_SYMBOL_SAMPLES = (7, 11, 13, 17, 19, 23, 29, 31)
"""Values put in for symbols to tell two polynomials in them apart."""


class ViewOp(GraphOp, abc.ABC):
    """An affine view of one operand: each result element is the operand element at an affine index. Pure.

    Any element type. The operand is `operand`, the result `result`.
    """

    operand = operand_def(ANY_TENSOR)
    result = result_def(ANY_TENSOR)

    traits = traits_def(Pure())

    def check_types(self) -> tuple[tuple[Dim, ...], tuple[Dim, ...]]:
        """Check both types, and return the dims of operand and result."""
        source, target = type_of(self.operand), type_of(self.result)
        check_tensor_type(source)
        check_tensor_type(target)
        if source.element_type != target.element_type:
            raise VerifyException(f"{self.name} keeps the element type, got {source} -> {target}")
        return dims_of(source), dims_of(target)


def _sample(expr: AffineExpr) -> int | None:
    """The expression at one point, None unless it is a polynomial in the symbols."""
    match expr:
        case AffineConstantExpr():
            return expr.value
        case AffineSymExpr():
            return _SYMBOL_SAMPLES[expr.position % len(_SYMBOL_SAMPLES)] + expr.position
        case AffineBinaryOpExpr():
            lhs, rhs = _sample(expr.lhs), _sample(expr.rhs)
            if lhs is None or rhs is None:
                return None
            if expr.kind is AffineBinaryOpKind.Add:
                return lhs + rhs
            return lhs * rhs if expr.kind is AffineBinaryOpKind.Mul else None
        case _:
            return None


def _provably_different(a: Dim, b: Dim) -> bool:
    """True only if the two are different for some value of the symbols; false when undecided."""
    at_a, at_b = _sample(as_expr(a)), _sample(as_expr(b))
    return at_a is not None and at_b is not None and at_a != at_b


@irdl_op_definition
class ReshapeOp(ViewOp):
    """`graph.reshape %x : tensor<4x8xf32> -> tensor<32xf32>`: the same elements in row-major order."""

    name = "graph.reshape"

    assembly_format = "$operand attr-dict `:` type($operand) `->` type($result)"

    def __init__(
        self, operand: SSAValue | Operation, dims: Sequence[Dim], *, location: LocationAttr | None = None
    ) -> None:
        operand = result_of(operand)
        Operation.__init__(
            self,
            operands=(operand,),
            result_types=(tensor_type(element_type_of(operand), dims),),
            location=location,
        )

    @override
    def verify_(self) -> None:
        source, target = self.check_types()
        if _provably_different(numel(source), numel(target)):
            raise VerifyException(
                f"graph.reshape must keep the number of elements, got {self.operand.type} -> {self.result.type}"
            )


@irdl_op_definition
class PermuteOp(ViewOp):
    """`graph.permute %x dims [1, 0] : tensor<4x8xf32> -> tensor<8x4xf32>`: result dim `i` is operand dim
    `permutation[i]`."""

    name = "graph.permute"

    permutation_attr = prop_def(INT_LIST, prop_name="permutation")

    assembly_format = "$operand `dims` $permutation attr-dict `:` type($operand) `->` type($result)"

    def __init__(
        self, operand: SSAValue | Operation, permutation: Sequence[int], *, location: LocationAttr | None = None
    ) -> None:
        operand = result_of(operand)
        dims = dims_of(operand)
        Operation.__init__(
            self,
            operands=(operand,),
            result_types=(tensor_type(element_type_of(operand), [dims[p] for p in permutation]),),
            properties={"permutation": int_list(permutation)},
            location=location,
        )

    @property
    def permutation(self) -> tuple[int, ...]:
        return ints(self.permutation_attr)

    @override
    def verify_(self) -> None:
        source, _ = self.check_types()
        permutation = self.permutation
        expect(
            sorted(permutation) == list(range(len(source))),
            f"graph.permute: {list(permutation)} is not a permutation of {len(source)} dims",
        )
        check_result_type(self, tensor_type(element_type_of(self.operand), [source[p] for p in permutation]))


@irdl_op_definition
class BroadcastOp(ViewOp):
    """`graph.broadcast %x dims [1] : tensor<8xf32> -> tensor<4x8xf32>`: operand dim `i` becomes result dim `dims[i]`
    (strictly increasing); an operand dim of extent 1 may grow."""

    name = "graph.broadcast"

    dims_attr = prop_def(INT_LIST, prop_name="dims")

    assembly_format = "$operand `dims` $dims attr-dict `:` type($operand) `->` type($result)"

    def __init__(
        self,
        operand: SSAValue | Operation,
        dims: Sequence[int],
        result: AnyTensor | Sequence[Dim],
        *,
        location: LocationAttr | None = None,
    ) -> None:
        """`result` is the result type or its dims."""
        operand = result_of(operand)
        type_ = result if isinstance(result, TensorType) else tensor_type(element_type_of(operand), result)
        Operation.__init__(
            self,
            operands=(operand,),
            result_types=(type_,),
            properties={"dims": int_list(dims)},
            location=location,
        )

    @property
    def dims(self) -> tuple[int, ...]:
        return ints(self.dims_attr)

    @override
    def verify_(self) -> None:
        source, target = self.check_types()
        dims = self.dims
        expect(
            len(dims) == len(source),
            f"graph.broadcast: needs one result dim for each of the {len(source)} operand dims, got {list(dims)}",
        )
        expect(
            all(a < b for a, b in itertools.pairwise(dims)),
            f"graph.broadcast: dims {list(dims)} are not strictly increasing",
        )
        check_dim_list(self, dims, len(target))
        for extent, dim in zip(source, dims, strict=True):
            if extent != 1 and extent != target[dim]:
                raise VerifyException(
                    f"graph.broadcast: extent {extent} cannot become {target[dim]} in result dim {dim}"
                )


@irdl_op_definition
class SliceOp(ViewOp):
    """`graph.slice %x starts [0, 4] steps [1, 2] : tensor<4x8xf32> -> tensor<4x2xf32>`: result index `i` is operand
    index `starts + i * steps`. Steps are positive, starts are dims, and the result extents come from the type."""

    name = "graph.slice"

    starts_attr = prop_def(DimsAttr, prop_name="starts")
    steps_attr = prop_def(INT_LIST, prop_name="steps")

    custom_directives = (Dims,)
    assembly_format = (
        "$operand `starts` custom<Dims>($starts) `steps` $steps attr-dict `:` type($operand) `->` type($result)"
    )

    def __init__(
        self,
        operand: SSAValue | Operation,
        starts: Sequence[Dim],
        steps: Sequence[int],
        result_dims: Sequence[Dim],
        *,
        location: LocationAttr | None = None,
    ) -> None:
        operand = result_of(operand)
        Operation.__init__(
            self,
            operands=(operand,),
            result_types=(tensor_type(element_type_of(operand), result_dims),),
            properties={"starts": DimsAttr(starts), "steps": int_list(steps)},
            location=location,
        )

    @property
    def starts(self) -> tuple[Dim, ...]:
        return self.starts_attr.data

    @property
    def steps(self) -> tuple[int, ...]:
        return ints(self.steps_attr)

    @override
    def verify_(self) -> None:
        source, target = self.check_types()
        starts, steps = self.starts, self.steps
        rank = len(source)
        expect(
            len(target) == len(starts) == len(steps) == rank,
            f"graph.slice: needs a start, a step and a result extent for each of the {rank} dims",
        )
        for dim, (extent, start, step, size) in enumerate(zip(source, starts, steps, target, strict=True)):
            expect(step > 0, f"graph.slice: step of dim {dim} must be positive, got {step}")
            expect(not (isinstance(start, int) and start < 0), f"graph.slice: start of dim {dim} is negative: {start}")
            if not (isinstance(start, int) and isinstance(extent, int) and isinstance(size, int)):
                continue
            last = start + (size - 1) * step
            expect(
                start <= extent if size == 0 else last < extent,
                f"graph.slice: dim {dim} of extent {extent} is read up to index {start if size == 0 else last}",
            )


@irdl_op_definition
class ReverseOp(ViewOp):
    """`graph.reverse %x dims [1] : tensor<4x8xf32>`: the listed dims run backwards."""

    name = "graph.reverse"

    T: ClassVar = VarConstraint("T", ANY_TENSOR)

    operand = operand_def(T)
    result = result_def(T)
    dims_attr = prop_def(INT_LIST, prop_name="dims")

    assembly_format = "$operand `dims` $dims attr-dict `:` type($result)"

    def __init__(
        self, operand: SSAValue | Operation, dims: Sequence[int], *, location: LocationAttr | None = None
    ) -> None:
        operand = result_of(operand)
        Operation.__init__(
            self,
            operands=(operand,),
            result_types=(operand.type,),
            properties={"dims": int_list(dims)},
            location=location,
        )

    @property
    def dims(self) -> tuple[int, ...]:
        return ints(self.dims_attr)

    @override
    def verify_(self) -> None:
        source, _ = self.check_types()
        check_dim_list(self, self.dims, len(source))


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
            and not any(_provably_different(a, b) for a, b in zip(expected, actual, strict=True)),
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
            not _provably_different(total, dims[dim]),
            f"graph.concat: the operands have {total} elements along dim {dim}, the result {dims[dim]}",
        )


def concat_extent(values: Sequence[SSAValue], dim: int) -> Dim:
    """Sum of the extents along the dim."""
    total: Dim = 0
    for value in values:
        total = total + dims_of(value)[dim]
    return total
