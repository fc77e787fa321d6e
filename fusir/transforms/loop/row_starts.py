"""Which rows of a reduction do not start where wide accesses do.

One access of a thread moves 16 bytes, from a multiple of 16 bytes on. Rows of 4097 halves start anywhere, and so would
be moved element by element: such an axis is better walked in two segments, the whole groups of 16 bytes and what is
left of the row at its ends (`fusir/conversion/row_segments.py`).
"""

from __future__ import annotations

from xdsl.dialects.builtin import MemRefType
from xdsl.ir.affine import AffineExpr, AffineMap

from fusir.analysis.accesses import Access, KernelAccesses
from fusir.analysis.bytes import element_bytes
from fusir.analysis.expr import as_dim, simplify, substitute
from fusir.dialects.loop import LoadOp, RowStart, ScanOp, StoreOp
from fusir.transforms.loop.shared_rows import reads_back

ACCESS_BYTES = 16
"""Bytes of the widest access of a thread."""

MIN_ROW_BYTES = 2000
"""Least bytes of a row of which the edges are worth a tile of their own. Compiled for sm_90, softmax of rows of 1001
halves has 718 instructions for a row with segments, each counted once a warp, and 820 without."""

MIN_FILL = 0.75
"""Least share of the lanes of a tile that have an element. A thread with narrow accesses has lanes from all over the
row and none for those past its end, as is known at compile time; one with wide accesses computes 8 at a time.
Instructions of softmax for a row of halves with and without segments: 2976 and 1960 for 2101 elements in a tile of
4096, 6032 and 5216 for 6501 in one of 8192 (but 96 and 416 of them access memory), 2944 and 3952 for 4097."""

MAX_ELEMENT_BYTES = 4
"""Elements of more bytes fill the lines of the cache well enough one by one."""


def row_start(accesses: KernelAccesses) -> RowStart | None:
    """Where the rows of an inner reduction start, if most of what is moved along them does not start at groups.

    Only the accesses that move whole rows of one program each count. None where the extents are symbolic, for rows
    that are scanned or walked together with columns, and where a buffer is read and written.
    """
    if accesses.walk is not None or any(isinstance(loop, ScanOp) for loop in accesses.inner) or reads_back(accesses):
        return None
    rows = [access for access in accesses.accesses if _moves_rows(accesses, access)]
    if not rows:
        return None
    least = min(_bytes(access) for access in rows)
    if least > MAX_ELEMENT_BYTES:
        return None
    group = ACCESS_BYTES // least
    weights: dict[AffineExpr, int] = {}
    starts: dict[AffineExpr, AffineExpr] = {}
    for access in rows:
        start = simplify(substitute(access.offset, dict.fromkeys(accesses.inner_dims, 0)), accesses.extents)
        place = simplify(start % group, accesses.extents)
        weights[place] = weights.get(place, 0) + _bytes(access)
        starts.setdefault(place, start)
    place = max(weights, key=lambda each: weights[each])
    extent = 1
    for dim in accesses.inner_dims:
        size = accesses.extents[dim]
        if not isinstance(size, int):
            return None
        extent *= size
    if as_dim(place) == 0 or extent * least < MIN_ROW_BYTES:
        return None
    symbols = len(accesses.kernel.symbols)
    return RowStart(group, AffineMap(len(accesses.outer_dims), symbols, (starts[place],)))


def row_tile(accesses: KernelAccesses, extent: int) -> tuple[int, RowStart | None]:
    """How many elements of a row of an inner reduction the tile of the row must hold, and where the row starts.

    Those are the most in whole groups, as one at least is in the edges; where the tile had better not be walked in
    segments, and the start is None, all.
    """
    start = row_start(accesses)
    if start is None:
        return extent, None
    whole = (extent - 1) // start.group * start.group
    return (whole, start) if whole >= MIN_FILL * (1 << (whole - 1).bit_length()) else (extent, None)


def _moves_rows(accesses: KernelAccesses, access: Access) -> bool:
    """Whether an access is to rows that are contiguous, and each row to its own."""
    op = access.op
    if not isinstance(op, LoadOp | StoreOp):
        return False
    every = {dim for dim, extent in enumerate(accesses.extents) if extent != 1}
    if access.coefficients is None or not access.used.issuperset(every):
        return False
    if any(dim >= len(accesses.extents) for dim in access.used):
        return False
    stride = 1
    for dim in reversed(accesses.inner_dims):
        extent = accesses.extents[dim]
        if not isinstance(extent, int) or (extent != 1 and access.stride(dim) != stride):
            return False
        stride *= extent
    return True


def _bytes(access: Access) -> int:
    op = access.op
    assert isinstance(op, LoadOp | StoreOp)
    buffer_type = op.memref.type
    assert isinstance(buffer_type, MemRefType)
    return element_bytes(buffer_type.element_type)
