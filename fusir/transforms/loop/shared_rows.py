"""When several programs share the rows of a kernel, and in how large parts.

A row that is longer than one program has room for is read again by each reduction that depends on an earlier one, and
by the stores at the end. Programs that share the row keep their parts in registers, so it is read once; what it costs
is an exchange of partial results for each reduction (see `fusir/conversion/exchange.py`).

The programs of a row wait for each other, so the device must hold all of them at once. It holds at least one program of
any kernel on each multiprocessor: rows are shared by at most as many programs as there are multiprocessors.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.ir.affine import AffineExpr

from fusir.analysis.accesses import KernelAccesses
from fusir.analysis.bytes import element_bytes
from fusir.analysis.shared_axes import MIN_KEPT_BYTES, part_size, parts_of
from fusir.dialects.loop import LoadOp, ParallelOp, ReduceOp, ScanOp, StoreOp

SHARED_WARP_ELEMENTS = 1024
"""Elements of a part for each warp: 32 a thread."""

MAX_WARPS = 16


@dataclass(frozen=True)
class SharedRows:
    """How rows are shared."""

    size: int
    """Lanes of a part, a power of two."""
    parts: int
    num_warps: int


def shared_rows(accesses: KernelAccesses, multiprocessors: int) -> SharedRows | None:
    """How the rows of an inner reduction are shared between programs; None if they had better not be.

    They are where the kernel stores whole rows after it has reduced them, all extents are static, and the parts fit.
    """
    extents = [extent for extent in accesses.extents if isinstance(extent, int)]
    if len(extents) < len(accesses.extents) or not _stores_rows(accesses) or reads_back(accesses):
        return None
    extent = rows = 1
    for dim, each in enumerate(extents):
        if dim in accesses.inner_dims:
            extent *= each
        else:
            rows *= each
    size = part_size(extent, rows, _kept_bytes(accesses), multiprocessors)
    if size is None:
        return None
    count, _ = parts_of(extent, size)
    warps = min(MAX_WARPS, max(1, size // SHARED_WARP_ELEMENTS))
    return SharedRows(size, count, warps)


def _stores_rows(accesses: KernelAccesses) -> bool:
    """Whether whole rows are stored behind a reduction, and nothing stands in the way of sharing them."""
    if any(isinstance(loop, ScanOp) for loop in accesses.inner):
        return False
    if not isinstance(accesses.inner[0], ReduceOp):
        return False
    inner = {dim for dim in accesses.inner_dims if accesses.extents[dim] != 1}
    return any(
        isinstance(access.op, StoreOp) and isinstance(access.op.parent_op(), ParallelOp) and inner <= access.used
        for access in accesses.accesses
        if inner
    )


def reads_back(accesses: KernelAccesses) -> bool:
    """Whether the kernel reads a buffer that it writes."""
    written = {access.op.memref for access in accesses.accesses if isinstance(access.op, StoreOp)}
    return any(isinstance(access.op, LoadOp) and access.op.memref in written for access in accesses.accesses)


def _kept_bytes(accesses: KernelAccesses) -> int:
    """Bytes of registers for each element of a row: of all that the reductions load along it, at least as floats."""
    inner = set(accesses.inner_dims)
    kept: dict[tuple[object, tuple[AffineExpr, ...]], int] = {}
    for access in accesses.accesses:
        op = access.op
        if isinstance(op, LoadOp) and isinstance(op.parent_op(), ReduceOp) and inner & access.used:
            kept[op.memref, access.exprs] = max(MIN_KEPT_BYTES, element_bytes(op.result.type))
    return max(MIN_KEPT_BYTES, sum(kept.values()))
