"""`float32-products`: how the products of f32 in contractions may be computed.

`--float32-products='precision=bf16x6'` makes of

    %y = graph.contract %a, %b batch [], [] contract [1], [0] : (tensor<64x32xf32>, ...) -> ...

    %y = graph.contract %a, %b batch [], [] contract [1], [0] precision bf16x6 : (tensor<64x32xf32>, ...) -> ...

Without the option contractions keep what they have: at import, what PyTorch's setting says.
"""

from __future__ import annotations

from dataclasses import dataclass

from typing_extensions import override
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, f32
from xdsl.passes import ModulePass

from fusir.diagnostics import fail
from fusir.dialects.graph import ContractOp, Precision, PrecisionAttr, element_type_of


@dataclass(frozen=True)
class Float32ProductsPass(ModulePass):
    """Set the precision of all contractions of f32."""

    name = "float32-products"

    precision: str = ""
    """`ieee`, `tf32` or `bf16x6`; nothing: as it is."""

    @override
    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if not self.precision:
            return
        known = [each.value for each in Precision]
        if self.precision not in known:
            fail(op, f"unknown precision '{self.precision}', expected one of {', '.join(known)}")
        precision = Precision(self.precision)
        for contract in op.walk():
            if isinstance(contract, ContractOp) and element_type_of(contract.lhs) == f32:
                contract.properties.pop("precision", None)
                if precision is not Precision.IEEE:
                    contract.properties["precision"] = PrecisionAttr(precision)
