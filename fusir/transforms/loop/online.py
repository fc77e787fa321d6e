"""`loop-online`: cascaded reductions become one walk.

A row that does not fit into registers would be read once for each reduction of a cascade, or, if several programs share
it, take an exchange between them for each. Here they share one walk, in blocks. A later reduction is evaluated at an
*estimate* of the earlier result, and what was summed up so far is corrected when a block changes the estimate; how
follows from the expression (`fusir.analysis.rescaling`):

```
%m = loop.reduce [max] (%k) in (N) { %x = load %a[%k];  yield %x }
%s = loop.reduce [add] (%k) in (N) { %x = load %a[%k];  yield exp(%x - %m) }
```
becomes
```
%m, %t = loop.online (%k) in (N) carry (%m0 = -inf, %t0 = 0) {
  %x = load %a[%k]
  %m1 = max %m0, (loop.fold max %x)
  %old, %new = max %m0, lowest ; max %m1, lowest                        // the estimates of %m
  yield %m1, %t0 * exp(%old - %new) + (loop.fold add exp(%x - %new))
}
%s = %t * exp((max %m, lowest) - %m)                                     // 1, or NaN as exp(-inf - -inf) is
```

The estimate of a maximum is the one so far, kept finite, so that a block of -inf alone does no harm. The estimate of a
sum over N iterations is the sum of the n so far times N / n: for `(x - sum/N)^2` that is the mean so far, and the
correction is that of Chan, Golub and LeVeque, "Updating Formulae and a Pairwise Algorithm for Computing Sample
Variances" (1979). The merge of walks over parts of the row is left out above (`online_merge.py`).
Kernels whose rows stay in the registers of one program are left alone.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from fusir.analysis.cascade import Cascade, RefusedError
from fusir.analysis.devices import DEFAULT_MULTIPROCESSORS
from fusir.dialects.loop import KernelOp, ParallelOp, ReduceOp
from fusir.remarks import remark
from fusir.transforms.loop.loop_schedule import is_walked
from fusir.transforms.loop.online_loop import build_online
from fusir.transforms.loop.simplify_kernel import erase_dead_scalars


@dataclass(frozen=True)
class LoopOnlinePass(ModulePass):
    """Merge the cascaded reductions of kernels that walk or share their rows."""

    name = "loop-online"

    always: bool = False
    """Whether kernels that keep their rows in registers are changed as well."""
    multiprocessors: int = DEFAULT_MULTIPROCESSORS
    """Of the GPU: as many programs may share a row."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for kernel in op.ops:
            if isinstance(kernel, KernelOp) and (self.always or is_walked(kernel, self.multiprocessors)):
                merge_cascades(kernel)


def merge_cascades(kernel: KernelOp) -> None:
    """Merge the cascaded reductions of a fused kernel in place, as far as the law reaches."""
    outer = next((op for op in kernel.body.block.ops if isinstance(op, ParallelOp)), None)
    if outer is None:
        return
    merged: list[Cascade] = []
    group: list[ReduceOp] = []
    cascade: Cascade | None = None
    for op in outer.body.block.ops:
        if not isinstance(op, ReduceOp):
            continue
        longer = None
        if group:
            try:
                longer = Cascade(outer.body.block, [*group, op])
            except RefusedError as refused:
                message = f"@{kernel.sym_name.data}: a walk of its own: {refused}"
                remark("not-fused", "loop-online", message, op.location)
        if longer is None:
            merged += [cascade] if cascade is not None else []
            group = []
        group.append(op)
        cascade = longer
    merged += [cascade] if cascade is not None else []
    for cascade in merged:
        build_online(kernel, cascade)
        message = f"@{kernel.sym_name.data}: {len(cascade.reduces)} cascaded reductions in one walk"
        remark("fused", "loop-online", message, kernel.location)
    if merged:
        erase_dead_scalars(kernel)
