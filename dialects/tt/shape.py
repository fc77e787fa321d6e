"""Making tiles and changing their shape."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import ClassVar

from xdsl.dialects.builtin import DenseArrayBase, IntegerAttr, LocationAttr, TensorType, UnitAttr, i32
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    AnyAttr,
    ParsePropInAttrDict,
    VarConstraint,
    base,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import NoMemoryEffect, Pure
from xdsl.utils.exceptions import VerifyException

from fusir.dialects.tt.operation import TTOperation, require, require_same_element
from fusir.dialects.tt.types import AnyTensor, element_of, is_integer, shape_of

_TENSOR = base(TensorType[Attribute])
_E: VarConstraint[Attribute] = VarConstraint("E", AnyAttr())


def _element(value: SSAValue | Operation) -> Attribute:
    return element_of(SSAValue.get(value).type)


@irdl_op_definition
class MakeRangeOp(TTOperation):
    """`tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>`: the integers `start <= i < end`."""

    name = "tt.make_range"

    start = prop_def(IntegerAttr)
    end = prop_def(IntegerAttr)
    result = result_def(_TENSOR)

    irdl_options = (ParsePropInAttrDict(),)
    traits = traits_def(Pure())

    assembly_format = "attr-dict `:` type($result)"

    def __init__(self, start: int, end: int, *, location: LocationAttr | None = None):
        super().__init__(
            result_types=[TensorType(i32, [end - start])],
            properties={"end": IntegerAttr(end, i32), "start": IntegerAttr(start, i32)},
            location=location,
        )

    def verify_(self) -> None:
        super().verify_()
        start, end = self.start.value.data, self.end.value.data
        if not (start < end):
            raise VerifyException(f"start must be below end, got {start} and {end}")
        if element_of(self.result.type) != i32:
            raise VerifyException(f"expected an i32 result, got {self.result.type}")
        require(
            shape_of(self.result.type) == (end - start,),
            f"the range has {end - start} elements, the result type is {self.result.type}",
        )


@irdl_op_definition
class SplatOp(TTOperation):
    """`tt.splat %x : f32 -> tensor<4x8xf32>`: a scalar in every element."""

    name = "tt.splat"

    src = operand_def()
    result = result_def(_TENSOR)

    traits = traits_def(Pure())

    assembly_format = "$src attr-dict `:` type($src) `->` type($result)"

    def __init__(self, src: SSAValue | Operation, shape: Sequence[int], *, location: LocationAttr | None = None):
        super().__init__(operands=[src], result_types=[TensorType(_element(src), shape)], location=location)

    def verify_(self) -> None:
        super().verify_()
        if isinstance(self.src.type, TensorType):
            raise VerifyException(f"expected a scalar, got {self.src.type}")
        require_same_element(self.src.type, self.result.type)


@irdl_op_definition
class UnsplatOp(TTOperation):
    """`tt.unsplat %x : tensor<1xf32>`: the only element of a tensor."""

    name = "tt.unsplat"

    src = operand_def(TensorType.constr(_E))
    result = result_def(_E)

    traits = traits_def(Pure())

    assembly_format = "$src attr-dict `:` type($src)"

    def __init__(self, src: SSAValue | Operation, *, location: LocationAttr | None = None):
        super().__init__(operands=[src], result_types=[_element(src)], location=location)

    def verify_(self) -> None:
        super().verify_()
        if prod(shape_of(self.src.type)) != 1:
            raise VerifyException(f"expected a tensor of one element, got {self.src.type}")


@irdl_op_definition
class ExpandDimsOp(TTOperation):
    """`tt.expand_dims %x {axis = 1 : i32} : tensor<4xf32> -> tensor<4x1xf32>`: a dimension of extent 1 at `axis`."""

    name = "tt.expand_dims"

    src = operand_def(_TENSOR)
    axis = prop_def(IntegerAttr)
    result = result_def(_TENSOR)

    irdl_options = (ParsePropInAttrDict(),)
    traits = traits_def(Pure())

    assembly_format = "$src attr-dict `:` type($src) `->` type($result)"

    def __init__(self, src: SSAValue | Operation, axis: int, *, location: LocationAttr | None = None):
        shape = shape_of(SSAValue.get(src).type)
        super().__init__(
            operands=[src],
            result_types=[TensorType(_element(src), (*shape[:axis], 1, *shape[axis:]))],
            properties={"axis": IntegerAttr(axis, i32)},
            location=location,
        )

    def verify_(self) -> None:
        super().verify_()
        shape, axis = shape_of(self.src.type), self.axis.value.data
        if not (0 <= axis <= len(shape)):
            raise VerifyException(f"axis {axis} is out of range for {self.src.type}")
        require_same_element(self.src.type, self.result.type)
        require(
            shape_of(self.result.type) == (*shape[:axis], 1, *shape[axis:]),
            f"expanding {self.src.type} at axis {axis} does not give {self.result.type}",
        )


@irdl_op_definition
class BroadcastOp(TTOperation):
    """`tt.broadcast %x : tensor<4x1xf32> -> tensor<4x8xf32>`: dimensions of extent 1 are repeated."""

    name = "tt.broadcast"

    src = operand_def(_TENSOR)
    result = result_def(_TENSOR)

    traits = traits_def(Pure())

    assembly_format = "$src attr-dict `:` type($src) `->` type($result)"

    def __init__(self, src: SSAValue | Operation, shape: Sequence[int], *, location: LocationAttr | None = None):
        super().__init__(operands=[src], result_types=[TensorType(_element(src), shape)], location=location)

    def verify_(self) -> None:
        super().verify_()
        require_same_element(self.src.type, self.result.type)
        source, result = shape_of(self.src.type), shape_of(self.result.type)
        if len(source) != len(result):
            raise VerifyException(f"cannot broadcast {self.src.type} to {self.result.type}: ranks differ")
        for before, after in zip(source, result, strict=True):
            if before not in (1, after):
                raise VerifyException(f"cannot broadcast {self.src.type} to {self.result.type}: {before} to {after}")


@irdl_op_definition
class ReshapeOp(TTOperation):
    """`tt.reshape %x : tensor<4x8xf32> -> tensor<32xf32>`: the same elements, in row-major order unless
    `allow_reorder` is set."""

    name = "tt.reshape"

    src = operand_def(_TENSOR)
    allow_reorder = opt_prop_def(UnitAttr)
    efficient_layout = opt_prop_def(UnitAttr)
    result = result_def(_TENSOR)

    traits = traits_def(Pure())

    assembly_format = (
        "$src (`allow_reorder` $allow_reorder^)? (`efficient_layout` $efficient_layout^)? attr-dict"
        " `:` type($src) `->` type($result)"
    )

    def __init__(
        self,
        src: SSAValue | Operation,
        shape: Sequence[int],
        *,
        allow_reorder: bool = False,
        location: LocationAttr | None = None,
    ):
        super().__init__(
            operands=[src],
            result_types=[TensorType(_element(src), shape)],
            properties={"allow_reorder": UnitAttr() if allow_reorder else None},
            location=location,
        )

    def verify_(self) -> None:
        super().verify_()
        require_same_element(self.src.type, self.result.type)
        require(
            prod(shape_of(self.src.type)) == prod(shape_of(self.result.type)),
            f"{self.src.type} and {self.result.type} have different numbers of elements",
        )


@irdl_op_definition
class TransOp(TTOperation):
    """`tt.trans %x {order = array<i32: 1, 0>} : tensor<4x8xf32> -> tensor<8x4xf32>`: result dimension `i` is operand
    dimension `order[i]`."""

    name = "tt.trans"

    src = operand_def(_TENSOR)
    order = prop_def(DenseArrayBase.constr(i32))
    result = result_def(_TENSOR)

    irdl_options = (ParsePropInAttrDict(),)
    traits = traits_def(Pure())

    assembly_format = "$src attr-dict `:` type($src) `->` type($result)"

    def __init__(self, src: SSAValue | Operation, order: Sequence[int], *, location: LocationAttr | None = None):
        shape = shape_of(SSAValue.get(src).type)
        super().__init__(
            operands=[src],
            result_types=[TensorType(_element(src), [shape[dim] for dim in order])],
            properties={"order": DenseArrayBase.from_list(i32, order)},
            location=location,
        )

    @property
    def permutation(self) -> tuple[int, ...]:
        """For each result dimension the operand dimension."""
        return tuple(self.order.get_values())

    def verify_(self) -> None:
        super().verify_()
        require_same_element(self.src.type, self.result.type)
        shape, order = shape_of(self.src.type), self.permutation
        if sorted(order) != list(range(len(shape))):
            raise VerifyException(f"order {list(order)} does not permute {self.src.type}")
        require(
            shape_of(self.result.type) == tuple(shape[dim] for dim in order),
            f"permuting {self.src.type} by {list(order)} does not give {self.result.type}",
        )


_T: VarConstraint[AnyTensor] = VarConstraint("T", _TENSOR)


@irdl_op_definition
class JoinOp(TTOperation):
    """`tt.join %x, %y : tensor<4xf32> -> tensor<4x2xf32>`: the two tensors along a new last dimension."""

    name = "tt.join"

    lhs = operand_def(_T)
    rhs = operand_def(_T)
    result = result_def(_TENSOR)

    traits = traits_def(Pure())

    assembly_format = "$lhs `,` $rhs attr-dict `:` type($lhs) `->` type($result)"

    def __init__(self, lhs: SSAValue | Operation, rhs: SSAValue | Operation, *, location: LocationAttr | None = None):
        shape = (*shape_of(SSAValue.get(lhs).type), 2)
        super().__init__(operands=[lhs, rhs], result_types=[TensorType(_element(lhs), shape)], location=location)

    def verify_(self) -> None:
        super().verify_()
        require_same_element(self.lhs.type, self.result.type)
        require(
            shape_of(self.result.type) == (*shape_of(self.lhs.type), 2),
            f"joining two {self.lhs.type} does not give {self.result.type}",
        )


@irdl_op_definition
class SplitOp(TTOperation):
    """`%a, %b = tt.split %x : tensor<4x2xf32> -> tensor<4xf32>`: the two slices along the last dimension."""

    name = "tt.split"

    src = operand_def(_TENSOR)
    out_lhs = result_def(_T)
    out_rhs = result_def(_T)

    traits = traits_def(Pure())

    assembly_format = "$src attr-dict `:` type($src) `->` type($out_lhs)"

    def __init__(self, src: SSAValue | Operation, *, location: LocationAttr | None = None):
        half = TensorType(_element(src), shape_of(SSAValue.get(src).type)[:-1])
        super().__init__(operands=[src], result_types=[half, half], location=location)

    def verify_(self) -> None:
        super().verify_()
        shape = shape_of(self.src.type)
        if not (len(shape) > 1 and shape[-1] == 2):
            raise VerifyException(f"the last of at least two dimensions must be 2, got {self.src.type}")
        require_same_element(self.src.type, self.out_lhs.type)
        if shape_of(self.out_lhs.type) != shape[:-1]:
            raise VerifyException(f"splitting {self.src.type} does not give {self.out_lhs.type}")


@irdl_op_definition
class CatOp(TTOperation):
    """`tt.cat %x, %y : tensor<4xf32> -> tensor<8xf32>`: both tensors in one; the order of elements is unspecified."""

    name: ClassVar[str] = "tt.cat"

    lhs = operand_def(_T)
    rhs = operand_def(_T)
    result = result_def(_TENSOR)

    traits = traits_def(NoMemoryEffect())

    assembly_format = "$lhs `,` $rhs attr-dict `:` type($lhs) `->` type($result)"

    def __init__(self, lhs: SSAValue | Operation, rhs: SSAValue | Operation, *, location: LocationAttr | None = None):
        first, *rest = shape_of(SSAValue.get(lhs).type)
        super().__init__(
            operands=[lhs, rhs], result_types=[TensorType(_element(lhs), [2 * first, *rest])], location=location
        )

    def verify_(self) -> None:
        super().verify_()
        require_same_element(self.lhs.type, self.result.type)
        shape = shape_of(self.lhs.type)
        if len(shape) != 1:
            raise VerifyException(f"expected tensors of one dimension, got {self.lhs.type}")
        require(
            shape_of(self.result.type) == (2 * shape[0],),
            f"concatenating two {self.lhs.type} does not give {self.result.type}",
        )


@irdl_op_definition
class HistogramOp(TTOperation):
    """`tt.histogram %x : tensor<64xi32> -> tensor<16xi32>`: how often each of `0, 1, ...` occurs."""

    name = "tt.histogram"

    src = operand_def(_TENSOR)
    result = result_def(_TENSOR)

    traits = traits_def(Pure())

    assembly_format = "$src attr-dict `:` type($src) `->` type($result)"

    def __init__(self, src: SSAValue | Operation, bins: int, *, location: LocationAttr | None = None):
        super().__init__(operands=[src], result_types=[TensorType(i32, [bins])], location=location)

    def verify_(self) -> None:
        super().verify_()
        if not is_integer(element_of(self.src.type)):
            raise VerifyException(f"expected integers, got {self.src.type}")
        if len(shape_of(self.result.type)) != 1:
            raise VerifyException(f"expected one dimension of bins, got {self.result.type}")
        if element_of(self.result.type) != i32:
            raise VerifyException(f"expected an i32 result, got {self.result.type}")


@irdl_op_definition
class GatherOp(TTOperation):
    """`tt.gather %x[%i] {axis = 0 : i32} : (tensor<64xf32>, tensor<16xi32>) -> tensor<16xf32>`: elements of a tile
    by index along `axis`."""

    name = "tt.gather"

    src = operand_def(_TENSOR)
    indices = operand_def(_TENSOR)
    axis = prop_def(IntegerAttr)
    efficient_layout = opt_prop_def(UnitAttr)
    result = result_def(_TENSOR)

    irdl_options = (ParsePropInAttrDict(),)
    traits = traits_def(Pure())

    assembly_format = "$src `[` $indices `]` attr-dict `:` functional-type(operands, results)"

    def __init__(
        self,
        src: SSAValue | Operation,
        indices: SSAValue | Operation,
        axis: int,
        *,
        location: LocationAttr | None = None,
    ):
        shape = shape_of(SSAValue.get(indices).type)
        super().__init__(
            operands=[src, indices],
            result_types=[TensorType(_element(src), shape)],
            properties={"axis": IntegerAttr(axis, i32)},
            location=location,
        )

    def verify_(self) -> None:
        super().verify_()
        source, indices, axis = shape_of(self.src.type), shape_of(self.indices.type), self.axis.value.data
        if not is_integer(element_of(self.indices.type)):
            raise VerifyException(f"expected integer indices, got {self.indices.type}")
        require_same_element(self.src.type, self.result.type)
        require(shape_of(self.result.type) == indices, "the result must have the shape of the indices")
        require(len(source) == len(indices), "the operand and the indices must have one rank")
        if not (0 <= axis < len(source)):
            raise VerifyException(f"axis {axis} is out of range for {self.src.type}")
        for dim, (extent, index_extent) in enumerate(zip(source, indices, strict=True)):
            if not (dim == axis or index_extent <= extent):
                raise VerifyException(f"the indices exceed {self.src.type} in dimension {dim}")
