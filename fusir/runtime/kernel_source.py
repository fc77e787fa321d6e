"""What Triton needs to compile a `tt.func` for one of its launches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from xdsl.dialects.builtin import MemRefType
from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue

from fusir.dialects import host, tt
from fusir.dialects.graph import SymbolAttr
from fusir.runtime.kernel_compiler import KernelSource
from fusir.targets.triton import DIVISIBILITY, constexprs_of, launch_options_of, signature_of, triton_source
from fusir.transforms.tt.descriptors_to_pointers import without_descriptors


def kernel_source(kernel: tt.FuncOp, func: FuncOp, launch: host.LaunchOp, unaligned: Sequence[int]) -> KernelSource:
    """The kernel for one launch in `func`; pointers at the positions `unaligned` may be off a 16-byte boundary.

    TMA needs pointers on such a boundary: the others are accessed without.
    """
    kernel = without_descriptors(kernel, unaligned)
    divisible = [
        index
        for index, argument in enumerate(launch.arguments)
        if (index not in unaligned if isinstance(argument.type, MemRefType) else _is_divisible(func, argument))
    ]
    num_warps, num_stages = launch_options_of(kernel)
    return KernelSource(
        name=kernel.sym_name.data,
        source=triton_source(kernel),
        signature=signature_of(kernel),
        constexprs=constexprs_of(kernel),
        divisible=tuple(divisible),
        num_warps=num_warps,
        num_stages=num_stages,
    )


def _is_divisible(func: FuncOp, symbol: SSAValue) -> bool:
    """Whether a symbol of the launch program is declared to be a multiple of 16."""
    if symbol.owner is not func.body.block or func.arg_attrs is None:
        return False
    declared = func.arg_attrs.data[cast(Any, symbol).index].data.get("graph.symbol")
    return isinstance(declared, SymbolAttr) and declared.divisor % DIVISIBILITY == 0
