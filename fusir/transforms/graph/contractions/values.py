"""Tensors at the top level of a graph function: their sizes, what they are views of, and who reads them."""

from __future__ import annotations

from xdsl.dialects.func import ReturnOp
from xdsl.ir import Operation, SSAValue

from fusir.analysis.bytes import SizeEstimate, element_bytes
from fusir.dialects.graph import FullOp, IotaOp, ViewOp, dims_of, element_type_of
from fusir.transforms.graph.dce import is_dead

MAX_VIEWS = 16
"""Views in a row that a fusion takes in; it reads a longer chain as a view of a buffer."""

_SIZES = SizeEstimate()


def extents(value: SSAValue) -> tuple[int, ...]:
    """The dims of a tensor; a symbol counts as its typical value."""
    return tuple(_SIZES.of(dim) for dim in dims_of(value))


def count(value: SSAValue) -> int:
    """The number of elements of a tensor."""
    return _SIZES.numel(dims_of(value))


def size(value: SSAValue) -> int:
    """The bytes of a tensor; none for a constant, which is computed where it is needed."""
    if isinstance(value.owner, FullOp | IotaOp):
        return 0
    return count(value) * element_bytes(element_type_of(value))


def is_static(value: SSAValue) -> bool:
    """Whether no extent of a tensor is symbolic."""
    return all(isinstance(dim, int) for dim in dims_of(value))


def base_of(value: SSAValue) -> SSAValue:
    """What a value is a view of; the value itself if it is no view, or behind too many."""
    for _ in range(MAX_VIEWS):
        if not isinstance(value.owner, ViewOp):
            break
        value = value.owner.operands[0]
    return value


def is_returned_only(readers: list[Operation]) -> bool:
    """Whether all of some readers are the end of the function."""
    return all(isinstance(reader, ReturnOp) for reader in readers)


def erase_unused(values: list[SSAValue]) -> None:
    """Erase the ops that give these values, and what only they read, as far as nobody uses them."""
    while values:
        op = values.pop().owner
        if isinstance(op, Operation) and op.parent is not None and is_dead(op):
            values += op.operands
            op.detach()
            op.erase()
