"""How a program walks the rows of an inner reduction: whole rows in registers, or steps, and by how many warps.

Rows that are written again are read again, unless they are in registers; in half precision that is done best out of the
L1 cache, and beyond that out of the L2 cache, by few programs at a time so that their rows fit.

The figures are times in ms on an H200: 2^26 elements in half precision are read and written in 0.068 at best, in f32 in
0.134.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.builtin import MemRefType

from fusir.analysis.accesses import Access, KernelAccesses
from fusir.analysis.bytes import element_bytes
from fusir.dialects.loop import LoadOp, OnlineOp, ReduceOp, StoreOp

REGISTER_ROW_BYTES = 1 << 17
"""Longest row of floats, written again, that stays in registers: 32768 floats at 32 warps are 32 a thread. Layer norm
in f32 over rows of 16384 takes 0.149, of 32768 0.146. Several tensors that are read twice share the room."""

REGISTER_ROW_HALVES = 8192
"""The same in half precision. Softmax over rows of 16384 takes 0.075 in steps and 0.079 in registers, of 32768 0.082
and 0.092."""

REGISTER_ROW_READ = 16384
"""Longest row that is one tile if it is read only: no second walk is saved."""

ROW_BYTES_PER_WARP = 1024
"""Bytes of a tile of whole rows for each warp, two 16-byte accesses a thread: 16 warps for 4096 floats, 8 in half
precision. Sums of 16384 rows of 4096 floats take 0.067 so, 0.070 with 8 warps; of halves 0.036 and 0.038 with 4."""

REGISTER_WARPS = 16
"""Most warps of a tile of whole rows, unless the row is longer than 16384 elements."""

REGISTER_WARPS_HALVES = 8
"""Most warps where rows of halves are written again: layer norm over rows of 8192 takes 0.070 with 8, 0.075 with 16."""


@dataclass(frozen=True)
class Step:
    """One step along a row."""

    elements: int
    num_warps: int


READ_STEP, READ_STEP_HALVES = Step(8192, 16), Step(8192, 8)
"""Rows that are read once: cross entropy over 4096x128256 halves takes 0.312 so, with 16 warps 0.342, in steps of 4096
and with 4 warps 0.326. Three statistics of 2^28 floats take 0.253, with 8 warps 0.273. Floats beside an operand that
repeats along the row are better off as halves are: the hinge loss of 32768x32768 floats takes 1.005 so, 1.066 with 16
warps."""

SHORT_STEP, MIDDLE_STEP, LONG_STEP = Step(8192, 8), Step(16384, 8), Step(32768, 32)
"""Rows of up to 16384 and of up to 65536 halves, longer ones and floats, that are written again. Softmax: rows of 16384
take 0.075 in short steps and 0.082 in middle ones, of 65536 0.099 and 0.089, of 131072 0.109 in short, 0.106 in middle
and 0.096 in long steps. Layer norm over rows of 131072 floats: 0.212 in steps of 16384, 0.193 in long ones."""

UNALIGNED_STEP = Step(4096, 8)
"""Rows of halves, written again, that do not start at 16-byte boundaries and are in one segment: the elements are
accessed one by one, which takes registers. Log softmax over rows of 50257 takes 0.167 so, in steps of 8192 0.189."""


def row_tile_elements(accesses: KernelAccesses) -> int:
    """Longest row that is one tile."""
    if not is_rewritten(accesses):
        return REGISTER_ROW_READ
    if row_bytes(accesses) < 4:
        return REGISTER_ROW_HALVES
    return REGISTER_ROW_BYTES // kept_bytes(accesses)


def row_tile_warps(accesses: KernelAccesses, elements: int) -> int:
    """Warps for a tile of whole rows."""
    size = row_bytes(accesses)
    most = REGISTER_WARPS if elements <= REGISTER_ROW_READ else 2 * REGISTER_WARPS
    if size < 4 and is_rewritten(accesses):
        most = REGISTER_WARPS_HALVES
    wanted = max(1, elements * size // ROW_BYTES_PER_WARP)
    return min(most, 1 << (wanted - 1).bit_length())


def row_step(accesses: KernelAccesses, extent: int | None, in_segments: bool) -> Step:
    """The steps of a row of `extent` elements, None for a symbolic extent; the whole groups of a row `in_segments` are
    aligned (`row_starts.py`)."""
    if not is_rewritten(accesses):
        return READ_STEP if row_bytes(accesses) >= 4 and not _repeats(accesses) else READ_STEP_HALVES
    if row_bytes(accesses) >= 4 or extent is None:
        return LONG_STEP
    if not in_segments and not is_aligned(accesses):
        return UNALIGNED_STEP
    return SHORT_STEP if extent <= 16384 else MIDDLE_STEP if extent <= 65536 else LONG_STEP


def _repeats(accesses: KernelAccesses) -> bool:
    """Whether an operand is read at a quotient or remainder of the position in the row."""
    inner = set(accesses.inner_dims)
    return any(access.coefficients is None and inner & access.used for access in accesses.accesses if access.is_memory)


def is_rewritten(accesses: KernelAccesses) -> bool:
    """Whether elements of whole rows are stored."""
    return any(isinstance(access.op, StoreOp) for access in _along_rows(accesses))


def row_bytes(accesses: KernelAccesses) -> int:
    """Bytes of the widest element that is loaded along whole rows."""
    sizes = [_bytes(access) for access in _along_rows(accesses) if isinstance(access.op, LoadOp)]
    return max(sizes, default=4)


def kept_bytes(accesses: KernelAccesses) -> int:
    """Bytes of registers for an element of a row: of all that the reductions load along whole rows, as floats."""
    loads = {
        (access.op.memref, access.exprs): max(4, _bytes(access))
        for access in _along_rows(accesses)
        if isinstance(access.op, LoadOp) and isinstance(access.op.parent_op(), ReduceOp | OnlineOp)
    }
    needed = max(4, sum(loads.values()))
    return 1 << (needed - 1).bit_length()


def is_aligned(accesses: KernelAccesses) -> bool:
    """Whether the rows that are loaded start at 16-byte boundaries."""
    for access in _along_rows(accesses):
        for dim in accesses.outer_dims:
            stride = access.stride(dim) if dim in access.used else 0
            if not isinstance(stride, int) or stride * _bytes(access) % 16:
                return False
    return True


def _along_rows(accesses: KernelAccesses) -> list[Access]:
    """The loads and stores that depend on every dim of the kernel."""
    every = {dim for dim, extent in enumerate(accesses.extents) if extent != 1}
    return [access for access in accesses.accesses if access.is_memory and every <= access.used]


def _bytes(access: Access) -> int:
    assert isinstance(access.op, LoadOp | StoreOp)
    buffer = access.op.memref.type
    assert isinstance(buffer, MemRefType)
    return element_bytes(buffer.element_type)
