"""How many bytes of global memory tensors take and fusions move.

Byte counts of symbolic tensors are expressions over the symbols; `SizeEstimate` turns them into numbers for decisions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import ComplexType, FixedBitwidthType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, SSAValue
from xdsl.ir.affine import AffineExpr

from fusir.analysis.expr import Range, bounds, product, symbols_used
from fusir.dialects.graph import (
    Dim,
    FusionOp,
    GatherOp,
    SliceOp,
    SymbolAttr,
    ViewOp,
    dims_of,
    element_type_of,
    numel,
)

TYPICAL_EXTENT = 1024
"""The value that decisions assume for a symbol, where its range allows it."""


def element_bytes(element_type: Attribute) -> int:
    """Bytes of one element in memory; an i1 takes one."""
    if isinstance(element_type, ComplexType):
        return 2 * element_bytes(element_type.element_type)
    if isinstance(element_type, FixedBitwidthType):
        return element_type.size
    return 1


def tensor_bytes(value: SSAValue | Attribute) -> Dim:
    """Bytes of a tensor, stored without gaps."""
    return product((numel(dims_of(value)), element_bytes(element_type_of(value))))


class SizeEstimate:
    """Numbers for symbolic extents: each symbol has one typical value within its range."""

    def __init__(self, func: FuncOp | None = None) -> None:
        """The symbols of a function take their ranges from its argument attributes."""
        self._symbols: list[int] = []
        self._ranges: list[Range | None] = []
        for attributes in func.arg_attrs.data if func is not None and func.arg_attrs is not None else ():
            symbol = attributes.data.get("graph.symbol")
            if isinstance(symbol, SymbolAttr):
                self._add(symbol)

    def _add(self, symbol: SymbolAttr) -> None:
        info = symbol.data
        low, high = info.minimum, info.maximum
        size = max(TYPICAL_EXTENT, low)
        self._grow(info.position + 1)
        self._symbols[info.position] = size if high is None else min(size, high)
        self._ranges[info.position] = Range(low, high)

    def _grow(self, count: int) -> None:
        missing = count - len(self._symbols)
        self._symbols.extend([TYPICAL_EXTENT] * missing)
        self._ranges.extend([None] * missing)

    def of(self, dim: Dim) -> int:
        """The number for an extent or a count."""
        if isinstance(dim, int):
            return dim
        self._grow(1 + max(symbols_used(dim), default=-1))
        return max(0, dim.eval([], self._symbols))

    def is_positive(self, dim: Dim) -> bool:
        """Whether an extent is known not to be 0, whatever the values of the symbols."""
        if isinstance(dim, int):
            return dim > 0
        low, _ = bounds(dim, (), self._ranges)
        return low is not None and low > 0

    def numel(self, dims: Sequence[Dim]) -> int:
        """The number of elements of a tensor with these dims."""
        count = 1
        for dim in dims:
            count *= self.of(dim)
        return count


@dataclass(frozen=True)
class Access:
    """A tensor that a kernel reads from or writes to global memory."""

    value: SSAValue
    """The operand or result of the fusion."""
    bytes: Dim
    """The bytes that are touched: of an operand that is only sliced or gathered from, those of the parts."""


@dataclass(frozen=True)
class FusionTraffic:
    """The global memory traffic of a fusion: each tensor is counted once."""

    reads: tuple[Access, ...]
    writes: tuple[Access, ...]

    @property
    def bytes(self) -> Dim:
        """All bytes read and written."""
        total: Dim = 0
        for access in (*self.reads, *self.writes):
            total = total + access.bytes
        return total


def fusion_traffic(fusion: FusionOp) -> FusionTraffic:
    """What the kernel of a fusion reads and writes."""
    reads = tuple(
        Access(operand, product((_touched(argument), element_bytes(element_type_of(argument)))))
        for operand, argument in zip(fusion.inputs, fusion.block.args, strict=True)
    )
    return FusionTraffic(reads, tuple(Access(result, tensor_bytes(result)) for result in fusion.outputs))


def _touched(value: SSAValue) -> Dim:
    """The number of elements of `value` that its uses read, at most all of them."""
    whole = numel(dims_of(value))
    if isinstance(whole, AffineExpr):
        return whole
    touched = 0
    for use in value.uses:
        op = use.operation
        part: Dim = whole
        if isinstance(op, SliceOp | GatherOp) and use.index == 0:
            part = numel(dims_of(op.result))
        elif isinstance(op, ViewOp):
            part = _touched(op.result)
        touched += part if isinstance(part, int) else whole
        if touched >= whole:
            return whole
    return touched
