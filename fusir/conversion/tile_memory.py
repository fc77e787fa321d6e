"""Loads and stores at tile level: pointers, masks, and bytes for booleans."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerAttr, MemRefType, StringAttr, i1, i8, i64
from xdsl.ir import Attribute, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineExpr
from xdsl.utils.exceptions import DiagnosticException

from fusir.analysis.expr import linearize, simplify
from fusir.conversion.tile_axes import TileAxes
from fusir.conversion.tile_builder import Tile, TileBuilder, union
from fusir.dialects import tt
from fusir.dialects.loop import CACHE_HINT, LoadOp, StoreOp, strides_of
from fusir.dialects.tt import shape_of
from fusir.dialects.tt.types import bit_width_of

_NOT_EQUAL = arith.CMPI_COMPARISON_OPERATIONS.index("ne")


def pointer_type(buffer: SSAValue) -> tt.PointerType:
    """The type of the pointer to the first element of a buffer."""
    buffer_type = buffer.type
    assert isinstance(buffer_type, MemRefType)
    return tt.PointerType(stored_type(buffer_type.element_type))


def stored_type(element: Attribute) -> Attribute:
    """The type of an element in memory: a byte for i1."""
    return i8 if element == i1 else element


def to_stored(builder: TileBuilder, tile: Tile) -> Tile:
    """A tile as its elements are in memory."""
    return builder.elementwise(arith.ExtUIOp, [tile], i8) if tile.element == i1 else tile


def from_stored(builder: TileBuilder, tile: Tile, element: Attribute) -> Tile:
    """A tile of elements as they are in memory, as elements of type `element`."""
    if element != i1:
        return tile
    zero = builder.constant(0, tile.element)
    return builder.elementwise(arith.CmpiOp, [tile, zero], i1, {"predicate": IntegerAttr(_NOT_EQUAL, i64)})


class TileMemory:
    """The buffers of a kernel, and the accesses to them. Indices are expressions over `builder.leaves`."""

    def __init__(self, builder: TileBuilder, axes: TileAxes, pointers: Mapping[SSAValue, SSAValue]):
        """`pointers` are the arguments of the function that point to the buffers."""
        self.builder = builder
        self.axes = axes
        self.pointers = pointers
        self._to_hide: set[object] = set()
        """The numbers of loaded tiles that are hidden from the compiler when they are next used."""

    def load(self, op: LoadOp, indices: Sequence[AffineExpr], predicate: Tile | None, other: Tile | None) -> Tile:
        """The elements at `indices`; `other` (default 0) where `predicate` does not hold."""
        builder = self.builder
        pointers, mask = self._pointers(op.memref, indices, predicate)
        axes = pointers.axes
        if mask is not None:
            other = builder.constant(0, stored_type(op.result.type)) if other is None else to_stored(builder, other)
            axes = union(axes, mask.axes, other.axes)
            pointers, mask = builder.spread(pointers, axes), builder.spread(mask, axes)
            other = builder.spread(other, axes)
        key = ("load", pointers, mask, other)
        tile = builder.find(key)
        if tile is not None and key in self._to_hide:
            self._to_hide.remove(key)
            hint = tile.value.name_hint
            tile = builder.number(key, Tile(builder.add(tt.ElementwiseInlineAsmOp(tile.value)), axes))
            tile.value.name_hint = hint
        if tile is None:
            hint = op.attributes.get(CACHE_HINT)
            evict = hint.data if isinstance(hint, StringAttr) else tt.EvictionPolicy.EVICT_NORMAL
            if mask is None or other is None:
                load = tt.LoadOp(pointers.value, evict=evict)
            else:
                load = tt.LoadOp(pointers.value, mask.value, other.value, evict=evict)
            tile = builder.number(key, Tile(builder.add(load), axes))
        return from_stored(builder, tile, op.result.type)

    def recompute(self, axis: int) -> None:
        """Compute from here on again what was computed of loaded tiles of 16-bit elements along an axis.

        Until here the compiler can forget it, and needs registers for the loaded elements only, two in one.
        """
        numbers = self.builder.scopes[-1].numbers
        kept: dict[object, Tile] = {}
        for key, tile in numbers.items():
            is_load = isinstance(key, tuple) and key[0] == "load"
            if is_load and axis in tile.axes and bit_width_of(tile.value.type) == 16:
                kept[key] = tile
        computed: set[SSAValue] = set()
        waiting = [tile.value for tile in kept.values()]
        while waiting:
            for use in waiting.pop().uses:
                results = [each for each in use.operation.results if shape_of(each.type) and each not in computed]
                computed.update(results)
                waiting += results
        for key in [key for key, tile in numbers.items() if tile.value in computed and key not in kept]:
            del numbers[key]
        self._to_hide |= set(kept)

    def store(self, op: StoreOp, indices: Sequence[AffineExpr], value: Tile, predicate: Tile | None) -> None:
        """Write `value` to the elements at `indices` where `predicate` holds.

        Raises DiagnosticException where several elements of the value would go to one address.
        """
        builder = self.builder
        value = to_stored(builder, value)
        pointers, mask = self._pointers(op.memref, indices, predicate)
        if not set(value.axes) <= set(pointers.axes):
            raise DiagnosticException("a store whose address does not depend on all that its value depends on")
        axes = pointers.axes if mask is None else union(pointers.axes, mask.axes)
        operands = [builder.spread(tile, axes).value for tile in (pointers, value, mask) if tile is not None]
        store = tt.StoreOp(*operands)
        store.location = op.location
        builder.block.add_op(store)

    def _pointers(
        self, buffer: SSAValue, indices: Sequence[AffineExpr], predicate: Tile | None
    ) -> tuple[Tile, Tile | None]:
        """The pointers of an access and the mask of the lanes that take part."""
        builder = self.builder
        buffer_type = buffer.type
        assert isinstance(buffer_type, MemRefType)
        offset = self.axes.in_groups(simplify(linearize(indices, strides_of(buffer_type)), self.axes.extents))
        offsets = builder.index(offset)
        axes = offsets.axes if predicate is None else union(offsets.axes, predicate.axes)
        mask = builder.both(self.axes.mask_of(axes), predicate)
        pointer = Tile(self.pointers[buffer])
        if offset == AffineConstantExpr(0):
            return builder.spread(pointer, axes), mask
        values, axes = builder.together([pointer, builder.spread(offsets, axes)])
        return Tile(builder.pure(tt.AddPtrOp, values, values[0].type), axes), mask
