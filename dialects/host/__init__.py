"""The `host` dialect: the launch program. Buffers are memrefs; kernels and ATen operators run on them in order."""

from xdsl.ir import Dialect

from fusir.dialects.host.ops import (
    KERNEL_OPS,
    WORKSPACE,
    AllocOp,
    CallAtenOp,
    CopyOp,
    FreeOp,
    LaunchOp,
    ViewOp,
    symbols_of_module,
)

Host = Dialect("host", [AllocOp, CallAtenOp, CopyOp, FreeOp, LaunchOp, ViewOp])

__all__ = [
    "KERNEL_OPS",
    "WORKSPACE",
    "AllocOp",
    "CallAtenOp",
    "CopyOp",
    "FreeOp",
    "Host",
    "LaunchOp",
    "ViewOp",
    "symbols_of_module",
]
