"""Ops that combine the elements of a tile: reduce, scan, dot."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import BoolAttr, IntegerAttr, LocationAttr, TensorType, i32
from xdsl.ir import Attribute, Operation, Region, SSAValue
from xdsl.irdl import (
    AnyAttr,
    ParsePropInAttrDict,
    VarConstraint,
    base,
    irdl_op_definition,
    lazy_traits_def,
    operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.traits import HasParent, IsTerminator, Pure, RecursiveMemoryEffect, ReturnLike
from xdsl.utils.exceptions import VerifyException

from fusir.dialects.tt.enums import InputPrecision, keyword_directive
from fusir.dialects.tt.operation import TTOperation, require, require_same_shape
from fusir.dialects.tt.types import element_of, is_float, is_float8, is_integer, shape_of, tile_type

_TENSOR = base(TensorType[Attribute])


class _CombineReturnOperation(TTOperation):
    """The combined values at the end of a combine region."""

    result = var_operand_def()

    assembly_format = "$result attr-dict `:` type($result)"

    def __init__(self, *values: SSAValue | Operation, location: LocationAttr | None = None):
        super().__init__(operands=[values], location=location)


class _CombineOperation(TTOperation, ABC):
    """Combine the elements of `n` tensors of one shape along `axis`.

    The region gets two tuples of `n` scalars and returns their combination; it is associative.
    """

    srcs = var_operand_def(_TENSOR)
    axis = prop_def(IntegerAttr)
    result = var_result_def()
    combine_op = region_def("single_block")

    TERMINATOR: ClassVar[type[_CombineReturnOperation]]

    @classmethod
    @abstractmethod
    def result_shape(cls, shape: tuple[int, ...], axis: int) -> tuple[int, ...]:
        """The shape of the results for operands of `shape`."""

    @property
    def axis_index(self) -> int:
        """The dimension that is combined."""
        return self.axis.value.data

    def verify_(self) -> None:
        super().verify_()
        require(len(self.srcs) > 0, "expected at least one operand")
        types = [each.type for each in self.srcs]
        require_same_shape(*types)
        shape = shape_of(types[0])
        require(0 <= self.axis_index < len(shape), f"axis {self.axis_index} is out of range for {types[0]}")
        expected = [tile_type(element_of(each), self.result_shape(shape, self.axis_index)) for each in types]
        found = [each.type for each in self.result]
        require(found == expected, f"expected results {_text(expected)}, got {_text(found)}")

    def verify_region(self) -> None:
        """The combine region has the right signature."""
        elements = [element_of(each.type) for each in self.srcs]
        block = self.combine_op.block
        found = list(block.arg_types)
        require(
            found == [*elements, *elements], f"expected region arguments {_text([*elements] * 2)}, got {_text(found)}"
        )
        last = block.last_op
        require(isinstance(last, self.TERMINATOR), f"the region must end with {self.TERMINATOR.name}")
        assert isinstance(last, _CombineReturnOperation)
        returned = [each.type for each in last.result]
        require(returned == elements, f"the region must return {_text(elements)}, got {_text(returned)}")


def _text(types: Sequence[Attribute]) -> str:
    return "(" + ", ".join(str(each) for each in types) + ")"


@irdl_op_definition
class ReduceReturnOp(_CombineReturnOperation):
    """`tt.reduce.return %r : f32`."""

    name: ClassVar[str] = "tt.reduce.return"

    traits = lazy_traits_def(lambda: (HasParent(ReduceOp), IsTerminator(), ReturnLike(), Pure()))


@irdl_op_definition
class ReduceOp(_CombineOperation):
    """`"tt.reduce"(%x) <{axis = 0 : i32}> ({...}) : (tensor<4xf32>) -> f32`: the axis disappears; the reduction of one
    dimension gives scalars."""

    name: ClassVar[str] = "tt.reduce"

    TERMINATOR: ClassVar[type[_CombineReturnOperation]] = ReduceReturnOp

    traits = traits_def(RecursiveMemoryEffect())

    def __init__(
        self,
        srcs: Sequence[SSAValue | Operation],
        axis: int,
        region: Region,
        *,
        location: LocationAttr | None = None,
    ):
        """`region` has two scalar arguments for each operand and ends with `ReduceReturnOp`."""
        types = [SSAValue.get(each).type for each in srcs]
        super().__init__(
            operands=[srcs],
            result_types=[[tile_type(element_of(each), self.result_shape(shape_of(each), axis)) for each in types]],
            properties={"axis": IntegerAttr(axis, i32)},
            regions=[region],
            location=location,
        )

    @classmethod
    def result_shape(cls, shape: tuple[int, ...], axis: int) -> tuple[int, ...]:
        return (*shape[:axis], *shape[axis + 1 :])

    def verify_(self) -> None:
        super().verify_()
        self.verify_region()


@irdl_op_definition
class ScanReturnOp(_CombineReturnOperation):
    """`tt.scan.return %r : f32`."""

    name: ClassVar[str] = "tt.scan.return"

    traits = lazy_traits_def(lambda: (HasParent(ScanOp), IsTerminator(), ReturnLike(), Pure()))


@irdl_op_definition
class ScanOp(_CombineOperation):
    """`"tt.scan"(%x) <{axis = 0 : i32, reverse = false}> ({...}) : (tensor<4xf32>) -> tensor<4xf32>`: every inclusive
    prefix (suffix if `reverse`)."""

    name: ClassVar[str] = "tt.scan"

    reverse = prop_def(BoolAttr)

    TERMINATOR: ClassVar[type[_CombineReturnOperation]] = ScanReturnOp

    traits = traits_def(RecursiveMemoryEffect())

    def __init__(
        self,
        srcs: Sequence[SSAValue | Operation],
        axis: int,
        region: Region,
        *,
        reverse: bool = False,
        location: LocationAttr | None = None,
    ):
        """`region` has two scalar arguments for each operand and ends with `ScanReturnOp`."""
        super().__init__(
            operands=[srcs],
            result_types=[[SSAValue.get(each).type for each in srcs]],
            properties={"axis": IntegerAttr(axis, i32), "reverse": BoolAttr.from_bool(reverse)},
            regions=[region],
            location=location,
        )

    @classmethod
    def result_shape(cls, shape: tuple[int, ...], axis: int) -> tuple[int, ...]:
        return shape

    def verify_(self) -> None:
        super().verify_()
        self.verify_region()


_T: VarConstraint[Attribute] = VarConstraint("T", AnyAttr())


ALL_IMPRECISE = 1 << 30
"""For `DotOp.imprecise_terms`: no sum of products of 8-bit floats needs the bits of f32."""


@irdl_op_definition
class DotOp(TTOperation):
    """`tt.dot %a, %b, %c, inputPrecision = tf32 : tensor<16x32xf32> * tensor<32x16xf32> -> tensor<16x16xf32>`: the
    matrix product of `a` and `b` plus `c`; three dimensions are a batch of products."""

    name = "tt.dot"

    a = operand_def(_TENSOR)
    b = operand_def(_TENSOR)
    c = operand_def(_T)
    input_precision = opt_prop_def(IntegerAttr, InputPrecision.IEEE.attr, prop_name="inputPrecision")
    max_num_imprecise_acc = opt_prop_def(IntegerAttr, IntegerAttr(0, i32), prop_name="maxNumImpreciseAcc")
    d = result_def(_T)

    irdl_options = (ParsePropInAttrDict(),)
    traits = traits_def(Pure())

    custom_directives = (keyword_directive(InputPrecision),)

    assembly_format = (
        "$a `,` $b `,` $c (`,` `inputPrecision` `=` custom<InputPrecision>($inputPrecision)^)? attr-dict"
        " `:` type($a) `*` type($b) `->` type($d)"
    )

    def __init__(
        self,
        a: SSAValue | Operation,
        b: SSAValue | Operation,
        c: SSAValue | Operation,
        input_precision: InputPrecision | str = InputPrecision.IEEE,
        *,
        imprecise_terms: int = 0,
        location: LocationAttr | None = None,
    ):
        """`imprecise_terms`: how many products of 8-bit floats may be summed with fewer bits than those of f32: at most
        as many as the contracted dimension has, or `ALL_IMPRECISE`. Hopper's wgmma needs 32 at least."""
        c, precision = SSAValue.get(c), InputPrecision.of(input_precision)
        super().__init__(
            operands=[a, b, c],
            result_types=[c.type],
            properties={
                "inputPrecision": None if precision is InputPrecision.IEEE else precision.attr,
                "maxNumImpreciseAcc": IntegerAttr(imprecise_terms, i32) if imprecise_terms else None,
            },
            location=location,
        )

    @property
    def precision(self) -> InputPrecision:
        """How f32 operands are multiplied."""
        return InputPrecision.from_attr(self.input_precision)

    @property
    def imprecise_terms(self) -> int:
        """How many products of 8-bit floats may be summed with fewer bits than those of f32."""
        return self.max_num_imprecise_acc.value.data

    def verify_(self) -> None:
        super().verify_()
        InputPrecision.from_attr(self.input_precision)
        a, b, c = shape_of(self.a.type), shape_of(self.b.type), shape_of(self.c.type)
        for operand in (self.a, self.b, self.c):
            element = element_of(operand.type)
            require(is_float(element) or is_integer(element), f"expected floats or integers, got {operand.type}")
        require(element_of(self.a.type) == element_of(self.b.type), "the factors must have one element type")
        require(len(a) in (2, 3) and len(a) == len(b) == len(c), "the operands must all have two or three dimensions")
        if is_float8(element_of(self.a.type)) and a[-1] < self.imprecise_terms < ALL_IMPRECISE:
            raise VerifyException(f"{self.imprecise_terms} of {a[-1]} terms cannot be imprecise")
        require(a[-1] == b[-2], f"the contracted dimensions differ: {self.a.type} and {self.b.type}")
        require(
            c == (*a[:-1], b[-1]) and a[:-2] == b[:-2],
            f"the product of {self.a.type} and {self.b.type} is not {self.c.type}",
        )
