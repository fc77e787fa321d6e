"""Values that depend on parameters and constants alone: they are the same in every call until a parameter changes.

A parameter here is an `nn.Parameter`. Buffers are none: operators such as batch norm write to them and PyTorch does not
count it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from xdsl.dialects.builtin import IntegerAttr, UnitAttr
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from fusir.analysis.bytes import element_bytes
from fusir.analysis.readers import readers_of
from fusir.dialects.graph import (
    CallAtenOp,
    ConstantOp,
    FullOp,
    FusionOp,
    GraphOp,
    IotaOp,
    PointwiseOp,
    RandomOp,
    ViewOp,
    dims_of,
    element_type_of,
)

PACK = "graph.pack_parameters"
"""The attribute of a function whose caller keeps what `@prepare` returns from one call to the next."""

WEIGHT = "graph.weight"
"""The attribute of an argument that is an `nn.Parameter`, in such a function."""

MAX_GROWTH = 1.125
"""Bytes of a packed tensor for each byte of the parameters that it is made of: room for padded rows. What is larger,
such as integer weights in floating point, takes longer to read than to compute again."""

MIN_BYTES = 16384
"""Elementwise results of fewer bytes are computed where a kernel of ours reads them: that takes no launch and next to
no time."""

Sources: TypeAlias = frozenset[BlockArgument]


class Parameters:
    """Which values of a graph function depend on its parameters alone, and which of them are worth keeping."""

    def __init__(self, func: FuncOp) -> None:
        self._func = func
        self._known: dict[SSAValue, Sources | None] = {}
        updated = _updated_arguments(func)
        for index, argument in enumerate(func.body.block.args):
            attributes = {} if func.arg_attrs is None else func.arg_attrs.data[index].data
            is_parameter = isinstance(attributes.get(WEIGHT), UnitAttr) and "graph.device" not in attributes
            self._known[argument] = frozenset([argument]) if is_parameter and index not in updated else None

    def sources(self, value: SSAValue) -> Sources | None:
        """The parameters that a value is made of, none for a constant; None if it depends on anything else."""
        waiting = [value]
        while waiting:
            each = waiting[-1]
            if each in self._known:
                waiting.pop()
                continue
            owner = each.owner
            if isinstance(owner, Block) or not _is_repeatable(owner):
                self._known[each] = None
                continue
            missing = [operand for operand in owner.operands if operand not in self._known]
            if missing:
                waiting += missing
            else:
                self._known[each] = self._join(owner.operands) if _is_static(each) else None
        return self._known[value]

    def _join(self, values: Iterable[SSAValue]) -> Sources | None:
        joined: Sources = frozenset()
        for value in values:
            sources = self.sources(value)
            if sources is None:
                return None
            joined |= sources
        return joined

    def is_worth_keeping(self, value: SSAValue) -> bool:
        """Whether a value shall be computed when a parameter has changed, and be kept in between.

        Not a view or a constant, and not what the function returns: its caller may write to it.
        """
        op = value.owner
        if isinstance(op, Block | ViewOp | FullOp | ConstantOp | IotaOp):
            return False
        if not self.fits([value], value) or _is_returned(value):
            return False
        return not isinstance(op, PointwiseOp) or _size(value) >= MIN_BYTES or _is_stored(value)

    def fits(self, operands: Iterable[SSAValue], result: SSAValue) -> bool:
        """Whether something of the size of `result` that is made of `operands` is made of parameters no smaller."""
        sources = self._join(operands)
        if not sources or not _is_static(result) or 0 in dims_of(result):
            return False
        return _size(result) <= MAX_GROWTH * sum(map(_size, sources))


def _updated_arguments(func: FuncOp) -> set[int]:
    """The arguments that get new values from the function."""
    attributes = () if func.res_attrs is None else func.res_attrs.data
    updates = [each.data.get("graph.updates") for each in attributes]
    return {update.value.data for update in updates if isinstance(update, IntegerAttr)}


def _is_repeatable(op: Operation) -> bool:
    """Whether an op gives the same result whenever it is evaluated, and does nothing else."""
    if isinstance(op, FusionOp):
        return all(_is_repeatable(inner) for inner in op.block.ops)
    return isinstance(op, GraphOp) and not isinstance(op, RandomOp | CallAtenOp)


def _is_static(value: SSAValue) -> bool:
    return all(isinstance(dim, int) for dim in dims_of(value))


def _size(value: SSAValue) -> int:
    """The bytes of a tensor of static extents; none of one with a symbol."""
    count = element_bytes(element_type_of(value))
    for dim in dims_of(value):
        count *= dim if isinstance(dim, int) else 0
    return count


def _is_returned(value: SSAValue) -> bool:
    """Whether a value, or a view of it, is a result of the function."""
    return any(isinstance(reader, ReturnOp) for reader in readers_of(value))


def _is_stored(value: SSAValue) -> bool:
    """Whether what reads a value is no kernel of ours."""
    return any(isinstance(reader, CallAtenOp) for reader in readers_of(value))
