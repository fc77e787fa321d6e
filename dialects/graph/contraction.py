"""Contractions: batched matrix products with named dims."""

from __future__ import annotations

from collections.abc import Sequence

from typing_extensions import override
from xdsl.dialects.builtin import LocationAttr, f32, i8, i32
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
from xdsl.traits import Pure
from xdsl.utils.str_enum import StrEnum

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
from fusir.dialects.graph.types import (
    AnyTensor,
    check_tensor_type,
    dims_of,
    element_type_of,
    is_float8,
    is_half,
    tensor_type,
)


class Precision(StrEnum):
    """How the products of a contraction of f32 may be computed."""

    IEEE = "ieee"
    """Of the factors as they are."""
    TF32 = "tf32"
    """Of factors with 10 bits behind the leading one, at least."""
    BF16X6 = "bf16x6"
    """Of factors that are sums of three bf16: with almost the 24 bits of f32, for factors that bf16 can hold."""


@irdl_attr_definition
class PrecisionAttr(EnumAttribute[Precision], SpacedOpaqueSyntaxAttribute):
    """`#graph<precision tf32>`."""

    name = "graph.precision"


@irdl_op_definition
class ContractOp(GraphOp):
    """`graph.contract %a, %b batch [0], [0] contract [2], [1] : (tensor<2x4x8xf32>, tensor<2x8x5xf32>) -> ...`.

    Sum of products over the contracted dims. Result dims are the batch dims, the free dims of lhs, the free dims of
    rhs, each in order. Accumulation is at least f32; the result is rounded once, to the type of the operands or to a
    wider one: f32 for half precision, i32 for i8. That of 8-bit floats is f32.

    `contract [2], [1] precision tf32` allows that f32 factors are rounded (`Precision`); without it they are not.
    """

    name = "graph.contract"

    lhs = operand_def(ANY_TENSOR)
    rhs = operand_def(ANY_TENSOR)
    lhs_batch_attr = prop_def(INT_LIST, prop_name="lhs_batch")
    rhs_batch_attr = prop_def(INT_LIST, prop_name="rhs_batch")
    lhs_contract_attr = prop_def(INT_LIST, prop_name="lhs_contract")
    rhs_contract_attr = prop_def(INT_LIST, prop_name="rhs_contract")
    precision_attr = opt_prop_def(PrecisionAttr, prop_name="precision")
    result = result_def(ANY_TENSOR)

    traits = traits_def(Pure())

    assembly_format = (
        "$lhs `,` $rhs `batch` $lhs_batch `,` $rhs_batch `contract` $lhs_contract `,` $rhs_contract"
        " (`precision` $precision^)? attr-dict `:` functional-type(operands, $result)"
    )

    def __init__(
        self,
        lhs: SSAValue | Operation,
        rhs: SSAValue | Operation,
        lhs_batch: Sequence[int] = (),
        rhs_batch: Sequence[int] = (),
        lhs_contract: Sequence[int] = (),
        rhs_contract: Sequence[int] = (),
        *,
        element: Attribute | None = None,
        precision: Precision | str = Precision.IEEE,
        location: LocationAttr | None = None,
    ) -> None:
        """`element` is the element type of the result, that of the operands by default."""
        precision = Precision(precision)
        lhs, rhs = result_of(lhs), result_of(rhs)
        type_ = contracted_type(lhs.type, rhs.type, lhs_batch, rhs_batch, lhs_contract, rhs_contract, element)
        Operation.__init__(
            self,
            operands=(lhs, rhs),
            result_types=(type_,),
            properties={
                "lhs_batch": int_list(lhs_batch),
                "rhs_batch": int_list(rhs_batch),
                "lhs_contract": int_list(lhs_contract),
                "rhs_contract": int_list(rhs_contract),
            },
            location=location,
        )
        if precision is not Precision.IEEE:
            self.properties["precision"] = PrecisionAttr(precision)

    @property
    def lhs_batch(self) -> tuple[int, ...]:
        return ints(self.lhs_batch_attr)

    @property
    def rhs_batch(self) -> tuple[int, ...]:
        return ints(self.rhs_batch_attr)

    @property
    def lhs_contract(self) -> tuple[int, ...]:
        return ints(self.lhs_contract_attr)

    @property
    def rhs_contract(self) -> tuple[int, ...]:
        return ints(self.rhs_contract_attr)

    @property
    def precision(self) -> Precision:
        return Precision.IEEE if self.precision_attr is None else self.precision_attr.data

    @override
    def verify_(self) -> None:
        lhs, rhs = type_of(self.lhs), type_of(self.rhs)
        for type_ in (lhs, rhs):
            check_tensor_type(type_)
            if not is_float8(type_.element_type):
                check_element(self, type_.element_type, ElementClass.NUMBER)
        expect(lhs.element_type == rhs.element_type, f"graph.contract: element types differ: {lhs} and {rhs}")
        check_dim_list(self, self.lhs_batch + self.lhs_contract, lhs.get_num_dims(), "lhs dims")
        check_dim_list(self, self.rhs_batch + self.rhs_contract, rhs.get_num_dims(), "rhs dims")
        lhs_dims, rhs_dims = dims_of(lhs), dims_of(rhs)
        for what, of_lhs, of_rhs in (
            ("batch", self.lhs_batch, self.rhs_batch),
            ("contracted", self.lhs_contract, self.rhs_contract),
        ):
            expect(
                [lhs_dims[d] for d in of_lhs] == [rhs_dims[d] for d in of_rhs],
                f"graph.contract: {what} dims {list(of_lhs)} of {lhs} and {list(of_rhs)} of {rhs} differ in extent",
            )
        if self.precision_attr is not None:
            expect(self.precision is not Precision.IEEE, "graph.contract: precision ieee is not written")
            expect(lhs.element_type == f32, f"graph.contract: {lhs} has no precision {self.precision.value}")
        element = element_type_of(self.result)
        expect(
            element == wide_element(lhs.element_type)
            or (element == lhs.element_type and not is_float8(lhs.element_type)),
            f"graph.contract: the result of {lhs} and {rhs} cannot have elements of type {element}",
        )
        check_result_type(
            self,
            contracted_type(lhs, rhs, self.lhs_batch, self.rhs_batch, self.lhs_contract, self.rhs_contract, element),
        )


def contracted_type(
    lhs: Attribute,
    rhs: Attribute,
    lhs_batch: Sequence[int],
    rhs_batch: Sequence[int],
    lhs_contract: Sequence[int],
    rhs_contract: Sequence[int],
    element: Attribute | None = None,
) -> AnyTensor:
    """The result type of a contraction, with elements of type `element` if they are not those of the operands."""
    lhs_dims, rhs_dims = dims_of(lhs), dims_of(rhs)
    lhs_used, rhs_used = (*lhs_batch, *lhs_contract), (*rhs_batch, *rhs_contract)
    return tensor_type(
        element_type_of(lhs) if element is None else element,
        (
            *(lhs_dims[d] for d in lhs_batch),
            *(extent for i, extent in enumerate(lhs_dims) if i not in lhs_used),
            *(extent for i, extent in enumerate(rhs_dims) if i not in rhs_used),
        ),
    )


def wide_element(element: Attribute) -> Attribute:
    """What products of such elements are summed up as, where a result may keep it: f32 for halves and 8-bit floats,
    i32 for i8."""
    if is_half(element) or is_float8(element):
        return f32
    return i32 if element == i8 else element
