"""`scan-to-aten`: scans that have no kernel of ours become calls of ATen's cumulative operators.

A kernel walks each row in one program. That leaves the device idle where there is one long row that `split-scans` did
not cut, for whose sums and products ATen has an algorithm over many programs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from typing_extensions import override
from xdsl.context import Context
from xdsl.dialects.builtin import IntegerAttr, IntegerType, ModuleOp, i64
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from fusir.analysis.expr import product
from fusir.dialects.graph import (
    CallAtenOp,
    OperandRefAttr,
    ReduceKind,
    ReverseOp,
    ScanOp,
    TorchAttr,
    dims_of,
    element_type_of,
    is_float,
    is_unsigned,
)
from fusir.remarks import remark

_OPERATORS = {
    ReduceKind.SUM: "cumsum",
    ReduceKind.PROD: "cumprod",
}
"""The operators that scan one row over many programs; ATen's other ones walk it in one."""


MAX_SINGLE_ROW = 32768
"""Elements of a single row that one program scans in about the time of a launch: four steps."""


@dataclass(frozen=True)
class ScanToAtenPass(ModulePass):
    """Rewrite scans at the top level of graph functions to `aten.cumsum` and `aten.cumprod`."""

    name = "scan-to-aten"

    @override
    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for func in op.body.block.ops:
            if isinstance(func, FuncOp) and not func.is_declaration:
                for scan in [each for each in func.body.block.ops if isinstance(each, ScanOp)]:
                    if not has_kernel(scan):
                        _lower(scan)


def has_kernel(scan: ScanOp) -> bool:
    """Whether a kernel of ours computes a scan well."""
    if scan.kind not in _OPERATORS:
        return True
    dims = dims_of(scan.result)
    length = dims[scan.dim]
    rows = product(dim for position, dim in enumerate(dims) if position != scan.dim)
    return rows != 1 or (isinstance(length, int) and length <= MAX_SINGLE_ROW)


def _lower(scan: ScanOp) -> None:
    """`graph.scan sum %x dim 1` becomes `graph.call_aten "aten.cumsum.default"(%x)` with the dim as an argument.

    ATen has no suffixes: a scan from the end is one of the reversed tensor, reversed.
    """
    name = _OPERATORS[scan.kind]
    element = element_type_of(scan.result)
    arguments: list[Attribute] = [OperandRefAttr(0), IntegerAttr(scan.dim, i64)]
    kwargs: dict[str, Attribute] = {}
    if not is_float(element):
        # Without a dtype ATen sums integers in int64.
        kwargs["dtype"] = TorchAttr(f"{'u' if is_unsigned(element) else ''}int{cast(IntegerType, element).width.data}")
    operand = _reversed(scan, scan.operand) if scan.reverse else scan.operand
    call = CallAtenOp(f"aten.{name}.default", [operand], arguments, kwargs, [scan.result.type], location=scan.location)
    Rewriter.insert_op(call, InsertPoint.before(scan))
    result = _reversed(scan, call.outputs[0]) if scan.reverse else call.outputs[0]
    result.name_hint = scan.result.name_hint
    scan.result.replace_all_uses_with(result)
    Rewriter.erase_op(scan)
    remark("fallback", ScanToAtenPass.name, f"a scan runs as aten.{name}", call.location)


def _reversed(scan: ScanOp, value: SSAValue) -> SSAValue:
    reverse = ReverseOp(value, [scan.dim], location=scan.location)
    Rewriter.insert_op(reverse, InsertPoint.before(scan))
    return reverse.result
