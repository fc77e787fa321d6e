"""Ops whose element positions are data."""

from __future__ import annotations

from collections.abc import Sequence

from typing_extensions import override
from xdsl.dialects.builtin import LocationAttr
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, prop_def, result_def, traits_def, var_operand_def
from xdsl.traits import Pure

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
from fusir.dialects.graph.types import check_tensor_type, dims_of, element_type_of, tensor_type


def gathered_dims(source: Sequence[Dim], index: Sequence[Dim], dims: Sequence[int]) -> tuple[Dim, ...]:
    """Result dims of a gather: the index shape, then the operand dims that are not indexed."""
    return (*index, *(extent for i, extent in enumerate(source) if i not in dims))


@irdl_op_definition
class GatherOp(GraphOp):
    """`graph.gather %x[%i, %j] dims [0, 2] : (tensor<4x8x16xf32>, tensor<5xi64>, tensor<5xi64>) -> tensor<5x8xf32>`.

    All index tensors have one shape `I` and an integer type. `result[i..., rest...]` is `x` at `idx_k[i...]` in dim
    `dims[k]` and at `rest` in its other dims, in order. An index out of range gives 0.
    """

    name = "graph.gather"

    operand = operand_def(ANY_TENSOR)
    indices = var_operand_def(ANY_TENSOR)
    dims_attr = prop_def(INT_LIST, prop_name="dims")
    result = result_def(ANY_TENSOR)

    traits = traits_def(Pure())

    assembly_format = "$operand `[` $indices `]` `dims` $dims attr-dict `:` functional-type(operands, $result)"

    def __init__(
        self,
        operand: SSAValue | Operation,
        indices: Sequence[SSAValue | Operation],
        dims: Sequence[int],
        *,
        location: LocationAttr | None = None,
    ) -> None:
        operand = result_of(operand)
        values = tuple(result_of(i) for i in indices)
        shape = gathered_dims(dims_of(operand), dims_of(values[0]), dims)
        Operation.__init__(
            self,
            operands=(operand, *values),
            result_types=(tensor_type(element_type_of(operand), shape),),
            properties={"dims": int_list(dims)},
            location=location,
        )

    @property
    def dims(self) -> tuple[int, ...]:
        return ints(self.dims_attr)

    @override
    def verify_(self) -> None:
        source = type_of(self.operand)
        check_tensor_type(source)
        check_element(self, source.element_type, ElementClass.ANY)
        dims, indices = self.dims, self.indices
        expect(len(indices) > 0, "graph.gather needs at least one index tensor")
        expect(
            len(dims) == len(indices), f"graph.gather: {len(indices)} index tensors for {len(dims)} dims {list(dims)}"
        )
        check_dim_list(self, dims, source.get_num_dims())
        shape = dims_of(indices[0])
        for index in indices:
            check_tensor_type(index.type)
            check_element(self, element_type_of(index), ElementClass.INTEGER)
            expect(dims_of(index) == shape, "graph.gather: index tensors must have one shape")
        check_result_type(self, tensor_type(source.element_type, gathered_dims(dims_of(source), shape, dims)))
