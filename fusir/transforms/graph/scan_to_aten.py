"""`scan-to-aten`: scans that are outside a fusion become calls of ATen's cumulative operators."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from typing_extensions import override
from xdsl.context import Context
from xdsl.dialects.builtin import IntegerAttr, IntegerType, ModuleOp, i64
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from fusir.dialects.graph import (
    CallAtenOp,
    OperandRefAttr,
    ReduceKind,
    ScanOp,
    TorchAttr,
    dims_of,
    element_type_of,
    is_float,
    is_unsigned,
    tensor_type,
)
from fusir.remarks import remark

_OPERATORS = {
    ReduceKind.SUM: "cumsum",
    ReduceKind.PROD: "cumprod",
    ReduceKind.MAX: "cummax",
    ReduceKind.MIN: "cummin",
}
"""The operator of each kind. `cummax` and `cummin` have the indices as a second result."""


@dataclass(frozen=True)
class ScanToAtenPass(ModulePass):
    """Rewrite the scans at the top level of graph functions to `aten.cumsum`, `cumprod`, `cummax` and `cummin`."""

    name = "scan-to-aten"

    @override
    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for func in op.body.block.ops:
            if isinstance(func, FuncOp) and not func.is_declaration:
                for scan in [each for each in func.body.block.ops if isinstance(each, ScanOp)]:
                    _lower(scan)


def _lower(scan: ScanOp) -> None:
    """`graph.scan sum %x dim 1` becomes `graph.call_aten "aten.cumsum.default"(%x)` with the dim as an argument."""
    name = _OPERATORS[scan.kind]
    element = element_type_of(scan.result)
    arguments: list[Attribute] = [OperandRefAttr(0), IntegerAttr(scan.dim, i64)]
    kwargs: dict[str, Attribute] = {}
    types: list[Attribute] = [scan.result.type]
    if scan.kind in (ReduceKind.MAX, ReduceKind.MIN):
        types.append(tensor_type(i64, dims_of(scan.result)))
    elif not is_float(element):
        # Without a dtype ATen sums integers in int64.
        kwargs["dtype"] = TorchAttr(f"{'u' if is_unsigned(element) else ''}int{cast(IntegerType, element).width.data}")
    call = CallAtenOp(f"aten.{name}.default", [scan.operand], arguments, kwargs, types, location=scan.location)
    call.outputs[0].name_hint = scan.result.name_hint
    Rewriter.insert_op(call, InsertPoint.before(scan))
    scan.result.replace_all_uses_with(call.outputs[0])
    Rewriter.erase_op(scan)
    remark("fallback", ScanToAtenPass.name, f"a scan runs as aten.{name}", call.location)
