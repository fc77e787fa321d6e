"""Clean-up shared by the passes of the loop level."""

from __future__ import annotations

from xdsl.dialects import affine, arith
from xdsl.traits import MemoryReadEffect, Pure

from fusir.dialects.loop import KernelOp


def erase_dead_scalars(kernel: KernelOp) -> None:
    """Erase pure ops and loads without uses, inner ones last to first."""
    for op in reversed(list(kernel.walk())):
        if any(result.uses for result in op.results) or not op.results:
            continue
        if op.has_trait(Pure) or op.has_trait(MemoryReadEffect) or isinstance(op, arith.ConstantOp | affine.ApplyOp):
            op.detach()
            op.erase()
