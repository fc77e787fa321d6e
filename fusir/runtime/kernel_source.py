"""What Triton needs to compile a `tt.func` for one of its launches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from xdsl.dialects.builtin import DictionaryAttr, IntegerAttr, MemRefType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, SSAValue

from fusir.dialects import host, tt
from fusir.dialects.graph import SymbolAttr
from fusir.runtime.kernel_compiler import KernelSource

DIVISOR = 16
"""What `tt.divisibility` is given for: bytes of a pointer, units of an integer."""

_TRITON_TYPES = {
    "f16": "fp16",
    "bf16": "bf16",
    "f32": "fp32",
    "f64": "fp64",
    "i1": "i1",
    "i8": "i8",
    "i16": "i16",
    "i32": "i32",
    "i64": "i64",
    "f8E4M3FN": "fp8e4nv",
    "f8E5M2": "fp8e5",
}


def triton_type(type_: Attribute) -> str:
    """The name that Triton's signatures use: `*fp32`, `i32`. Raises ValueError if there is none."""
    if isinstance(type_, tt.PointerType):
        return f"*{triton_type(type_.pointee)}"
    name = _TRITON_TYPES.get(str(type_))
    if name is None:
        raise ValueError(f"Triton has no argument type for {type_}")
    return name


def kernel_source(kernel: tt.FuncOp, func: FuncOp, launch: host.LaunchOp, unaligned: Sequence[int]) -> KernelSource:
    """The kernel for one launch in `func`; pointers at the positions `unaligned` may be off a 16-byte boundary."""
    from fusir.targets.triton import triton_source

    divisible = [
        index
        for index, argument in enumerate(launch.arguments)
        if (index not in unaligned if isinstance(argument.type, MemRefType) else _is_divisible(func, argument))
    ]
    constexprs = kernel.attributes.get("fusir.constexprs")
    values = cast("DictionaryAttr", constexprs).data if constexprs is not None else {}
    return KernelSource(
        name=kernel.sym_name.data,
        source=triton_source(kernel),
        signature=tuple(triton_type(type_) for type_ in kernel.function_type.inputs),
        constexprs=tuple((name, cast(Any, value).value.data) for name, value in values.items()),
        divisible=tuple(divisible),
        num_warps=_integer(kernel, "fusir.num_warps", 4),
        num_stages=_integer(kernel, "fusir.num_stages", 1),
    )


def _integer(kernel: tt.FuncOp, name: str, default: int) -> int:
    value = kernel.attributes.get(name)
    return cast(Any, value).value.data if isinstance(value, IntegerAttr) else default


def _is_divisible(func: FuncOp, symbol: SSAValue) -> bool:
    """Whether a symbol of the launch program is declared to be a multiple of 16."""
    if symbol.owner is not func.body.block or func.arg_attrs is None:
        return False
    declared = func.arg_attrs.data[cast(Any, symbol).index].data.get("graph.symbol")
    return isinstance(declared, SymbolAttr) and declared.divisor % DIVISOR == 0
