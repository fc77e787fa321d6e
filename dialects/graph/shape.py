"""Affine views: ops that move the elements of one operand without changing them."""

from __future__ import annotations

import abc
import itertools
from collections.abc import Sequence
from typing import ClassVar

from typing_extensions import override
from xdsl.dialects.builtin import LocationAttr, TensorType
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineBinaryOpExpr, AffineBinaryOpKind, AffineConstantExpr, AffineExpr, AffineSymExpr
from xdsl.irdl import (
    VarConstraint,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from fusir.dialects.graph.attrs import Dim, Dims, DimsAttr, as_expr
from fusir.dialects.graph.base import (
    ANY_TENSOR,
    INT_LIST,
    GraphOp,
    check_dim_list,
    check_result_type,
    expect,
    int_list,
    ints,
    result_of,
    type_of,
)
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


def provably_different(a: Dim, b: Dim) -> bool:
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
        if provably_different(numel(source), numel(target)):
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
