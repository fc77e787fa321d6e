"""When several programs share the rows of a kernel, and in how large parts.

A row that is longer than one program has room for is walked once for what is reduced along it, and read again by the
stores at the end. Programs that share the row keep their parts in registers, so it is read once; what it costs is an
exchange of partial results (see `fusir/conversion/exchange.py`): one for a cascade that `loop-online` has merged, else
one for each reduction. Where what is read again comes out of the L2 cache, walking is better.

The programs of a row wait for each other, so the device must hold all of them at once. It holds at least one program of
any kernel on each multiprocessor: rows are shared by at most as many programs as there are multiprocessors.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.ir.affine import AffineExpr

from fusir.analysis.accesses import KernelAccesses
from fusir.analysis.bytes import element_bytes
from fusir.analysis.shared_axes import FLOAT_BYTES, part_size, parts_of
from fusir.dialects.loop import LoadOp, OnlineOp, ParallelOp, ReduceOp, ScanOp, StoreOp

SHARED_WARP_ELEMENTS = 1024
"""Elements of a part for each warp: 32 a thread."""

HALF_BYTES = 2

MAX_WARPS = 16

WALKED_BYTES = 80 << 20
"""Bytes of the rows in flight, one on each multiprocessor, up to which they are walked: the L2 cache (50 MB on an H200)
still has most of what is read again. Measured there, walked and shared: softmax over 512x131072 in half precision
(35 MB in flight) 0.096 and 0.122 ms, layer norm over 512x131072 floats (69 MB) 0.193 and 0.226; softmax over
1024x393216 floats (208 MB) 1.187 and 1.07, batch norm over 256 channels of 401408 floats (212 MB) 0.306 and 0.284."""

FAST_PARTS = 32
"""Most programs that share a row where there are rows enough for all multiprocessors: the more programs a row has, the
fewer rows are under way at a time, and all of them wait together. Group norm over 896 rows of 2097152 floats takes
7.1 ms shared by 128 programs, 5.6 if they are walked."""

BUSY_SHARE = 0.75
"""Share of the multiprocessors, on average over the waves of programs, that walked rows must keep busy."""


@dataclass(frozen=True)
class SharedRows:
    """How rows are shared."""

    size: int
    """Lanes of a part, a power of two."""
    parts: int
    num_warps: int


def shared_rows(accesses: KernelAccesses, multiprocessors: int) -> SharedRows | None:
    """How the rows of an inner reduction are shared between programs; None if they had better not be.

    They are where the kernel stores whole rows after it has reduced them, all extents are static, the parts fit, and
    the L2 cache does not hold the rows that are walked at a time.
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
    if _fills(rows, multiprocessors) and extent * _read_bytes(accesses) * multiprocessors <= WALKED_BYTES:
        return None
    size = part_size(extent, rows, _kept_bytes(accesses), multiprocessors)
    if size is None and rows < multiprocessors:
        # Spilling costs less than most of the device idle.
        size = part_size(extent, rows, FLOAT_BYTES, multiprocessors)
    if size is None:
        return None
    count, _ = parts_of(extent, size)
    if count > FAST_PARTS and _fills(rows, multiprocessors):
        return None
    warps = min(MAX_WARPS, max(1, size // SHARED_WARP_ELEMENTS))
    return SharedRows(size, count, warps)


def _fills(rows: int, multiprocessors: int) -> bool:
    """Whether programs that walk a row each keep the multiprocessors busy."""
    waves = max(1, -(-rows // multiprocessors))
    return rows >= BUSY_SHARE * waves * multiprocessors


def _stores_rows(accesses: KernelAccesses) -> bool:
    """Whether whole rows are stored behind a reduction, and nothing stands in the way of sharing them."""
    if any(isinstance(loop, ScanOp) for loop in accesses.inner):
        return False
    if not isinstance(accesses.inner[0], ReduceOp | OnlineOp):
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
    """Bytes of registers that an element of a row needs while its program waits: those of all that is loaded of it.

    Of halves nothing else is kept, see `TileMemory.recompute`.
    """
    sizes = [size for size, _ in _loaded(accesses).values()]
    return sum(size if size >= HALF_BYTES else FLOAT_BYTES for size in sizes) or FLOAT_BYTES


def _read_bytes(accesses: KernelAccesses) -> int:
    """Bytes of memory for each element of a row: of all that the reductions load along it, each row its own."""
    return sum(count for count, own in _loaded(accesses).values() if own)


def _loaded(accesses: KernelAccesses) -> dict[tuple[object, tuple[AffineExpr, ...]], tuple[int, bool]]:
    """What the reductions load along a row: the bytes of an element, and whether it differs from row to row."""
    inner = set(accesses.inner_dims)
    loaded: dict[tuple[object, tuple[AffineExpr, ...]], tuple[int, bool]] = {}
    for access in accesses.accesses:
        op = access.op
        if isinstance(op, LoadOp) and isinstance(op.parent_op(), ReduceOp | OnlineOp) and inner & access.used:
            loaded[op.memref, access.exprs] = (element_bytes(op.result.type), bool(access.used - inner))
    return loaded
