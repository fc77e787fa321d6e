"""Names of kernels, after the ops in them."""

from __future__ import annotations

from fusir.dialects.graph import (
    BroadcastOp,
    ConstantOp,
    ConvertOp,
    FullOp,
    FusionOp,
    IotaOp,
    PermuteOp,
    ReduceOp,
    ReshapeOp,
    ScanOp,
    SliceOp,
    YieldOp,
)

MAX_NAMES = 6
"""Op names in the name of a kernel: enough to recognize it, short enough to read in a profile."""

_QUIET = (BroadcastOp, ConstantOp, ConvertOp, FullOp, IotaOp, PermuteOp, ReshapeOp, SliceOp, YieldOp)
"""Ops that say little about what a kernel does."""


def kernel_name(fusion: FusionOp) -> str:
    """`fused_mul_sum_add` for a fusion of these ops: each name once, in the order of first use."""
    names: dict[str, None] = {}
    quiet: dict[str, None] = {}
    for op in fusion.body.block.ops:
        if isinstance(op, YieldOp):
            continue
        name = op.kind.value if isinstance(op, ReduceOp | ScanOp) else op.name.removeprefix("graph.")
        (quiet if isinstance(op, _QUIET) else names)[name] = None
    chosen = list(names or quiet or {"copy": None})
    return "_".join(["fused", *chosen[:MAX_NAMES]])
