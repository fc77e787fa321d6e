"""Tile values: tensors over the tile axes of their support, and the ops that make them.

A `Tile` is a scalar or a tensor over some of the kernel's tile axes, in the order of the axes. Tiles of unlike support
meet by `expand_dims` and `broadcast`. Pure ops are value-numbered for each scope, so nothing is computed twice.
"""

from __future__ import annotations

import itertools
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    AnyFloat,
    FloatAttr,
    IntegerAttr,
    IntegerType,
    LocationAttr,
    StringAttr,
    TensorType,
    i1,
    i32,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.ir.affine import AffineBinaryOpExpr, AffineBinaryOpKind, AffineConstantExpr, AffineExpr

from fusir.dialects import tt
from fusir.dialects.tile_arith import tile_class
from fusir.dialects.tt import element_of, tile_type

Axes = tuple[int, ...]
"""Positions of tile axes, rising."""

SIGNED_LESS_THAN = arith.CMPI_COMPARISON_OPERATIONS.index("slt")
EQUAL = arith.CMPI_COMPARISON_OPERATIONS.index("eq")
"""The number of the predicate of `arith.cmpi`."""


@dataclass(frozen=True)
class Tile:
    """A value and the tile axes that it has, in order; none for a scalar."""

    value: SSAValue
    axes: Axes = ()

    @property
    def element(self) -> Attribute:
        return element_of(self.value.type)


@dataclass
class _Scope:
    """Values that are visible from the start of a block on."""

    block: Block
    numbers: dict[object, Tile] = field(default_factory=dict)


class TileBuilder:
    """Appends tile ops to the current block."""

    def __init__(self, block: Block, sizes: Sequence[int]):
        """`sizes` are the tile sizes of the axes."""
        self.sizes = tuple(sizes)
        self.scopes = [_Scope(block)]
        self.location: LocationAttr | None = None
        self.leaves: dict[AffineExpr, Tile] = {}
        """The tiles of the dims and symbols of index expressions."""
        self.segment: object = None
        """What else than the scope the leaves depend on: the segment of a tile axis that is being built."""
        self._dims = itertools.count(len(self.sizes))

    def new_leaf(self) -> AffineExpr:
        """A dim of index expressions that is none of the axes; `leaves` is to have its tile."""
        return AffineExpr.dimension(next(self._dims))

    def add_axis(self, size: int) -> int:
        """One more tile axis, behind the others."""
        self.sizes = (*self.sizes, size)
        return len(self.sizes) - 1

    @property
    def block(self) -> Block:
        return self.scopes[-1].block

    @contextmanager
    def scope(self, block: Block) -> Generator[None]:
        """Build into `block`, whose values are forgotten afterwards."""
        self.scopes.append(_Scope(block))
        leaves = dict(self.leaves)
        yield
        self.leaves = leaves
        self.scopes.pop()

    @contextmanager
    def outermost(self) -> Generator[None]:
        """Build into the entry block, before the loops that are being built."""
        scopes, self.scopes = self.scopes, self.scopes[:1]
        yield
        self.scopes = scopes

    def shape(self, axes: Axes) -> tuple[int, ...]:
        return tuple(self.sizes[axis] for axis in axes)

    def find(self, key: object) -> Tile | None:
        """The value numbered `key` in this scope or an enclosing one."""
        for scope in reversed(self.scopes):
            if (tile := scope.numbers.get(key)) is not None:
                return tile
        return None

    def number(self, key: object, tile: Tile) -> Tile:
        """Remember the value of `key` in the current scope."""
        self.scopes[-1].numbers[key] = tile
        return tile

    def add(self, op: Operation) -> SSAValue:
        """Append an op that is not pure; its first result."""
        self.add_effect(op)
        return op.results[0]

    def add_effect(self, op: Operation) -> None:
        """Append an op that has no result."""
        if self.location is not None:
            op.location = self.location
        self.block.add_op(op)

    def pure(
        self,
        op_class: type[Operation],
        operands: Sequence[SSAValue],
        result_type: Attribute,
        properties: Mapping[str, Attribute] | None = None,
        attributes: Mapping[str, Attribute] | None = None,
    ) -> SSAValue:
        """The result of a pure op, found if it was computed before."""
        properties = properties or {}
        if isinstance(result_type, TensorType):
            op_class = tile_class(op_class)
        key = (op_class, tuple(operands), tuple(properties.items()), result_type, tuple((attributes or {}).items()))
        known = self.find(key)
        if known is not None:
            return known.value
        op = op_class.create(
            operands=operands,
            result_types=[result_type],
            properties=dict(properties),
            attributes=dict(attributes or {}),
        )
        value = self.add(op)
        self.number(key, Tile(value))
        return value

    def constant(self, value: float | int, element: Attribute, name: str | None = None) -> Tile:
        """A scalar constant; `name` marks a named block size."""
        # repr tells 0.0 from -0.0.
        key = ("constant", repr(value), element, name)
        known = self.find(key)
        if known is not None:
            return known
        if isinstance(element, IntegerType):
            attr: Attribute = IntegerAttr(int(value), element, truncate_bits=True)
        else:
            assert isinstance(element, AnyFloat)
            attr = FloatAttr(float(value), element)
        op = arith.ConstantOp.create(result_types=[element], properties={"value": attr})
        if name is not None:
            op.attributes["fusir.name"] = StringAttr(name)
        # Constants go to the entry block, where every scope sees them.
        entry = self.scopes[0]
        if entry.block.first_op is None:
            entry.block.add_op(op)
        else:
            entry.block.insert_op_before(op, entry.block.first_op)
        entry.numbers[key] = tile = Tile(op.result)
        return tile

    # Shapes

    def spread(self, tile: Tile, axes: Axes) -> Tile:
        """The tile over at least its own axes: `axes` must contain them."""
        if tile.axes == axes:
            return tile
        key = ("spread", tile.value, axes)
        known = self.find(key)
        if known is not None:
            return known
        element = tile.element
        if not tile.axes:
            value = self.pure(tt.SplatOp, [tile.value], tile_type(element, self.shape(axes)))
        else:
            value = tile.value
            shape = list(self.shape(tile.axes))
            for position, axis in enumerate(axes):
                if axis not in tile.axes:
                    shape.insert(position, 1)
                    properties = {"axis": IntegerAttr(position, i32)}
                    value = self.pure(tt.ExpandDimsOp, [value], tile_type(element, shape), properties)
            value = self.pure(tt.BroadcastOp, [value], tile_type(element, self.shape(axes)))
        return self.number(key, Tile(value, axes))

    def together(self, tiles: Sequence[Tile]) -> tuple[list[SSAValue], Axes]:
        """The values of the tiles over the union of their axes."""
        axes = union(*(tile.axes for tile in tiles))
        return [self.spread(tile, axes).value for tile in tiles], axes

    def elementwise(
        self,
        op_class: type[Operation],
        tiles: Sequence[Tile],
        element: Attribute | None = None,
        properties: Mapping[str, Attribute] | None = None,
    ) -> Tile:
        """An op applied element by element; `element` is the element type of the result, default that of the first."""
        values, axes = self.together(tiles)
        result_type = tile_type(tiles[0].element if element is None else element, self.shape(axes))
        return Tile(self.pure(op_class, values, result_type, properties), axes)

    # Index arithmetic

    def index(self, expr: AffineExpr) -> Tile:
        """The tile of an index expression over `leaves`: each part over its own support, narrow parts first."""
        known = self.leaves.get(expr)
        if known is not None:
            return known
        if isinstance(expr, AffineConstantExpr):
            return self.constant(expr.value, i32 if -(1 << 31) <= expr.value < 1 << 31 else i64)
        key = ("index", expr, self.segment)
        known = self.find(key)
        if known is not None:
            return known
        assert isinstance(expr, AffineBinaryOpExpr)
        if expr.kind is AffineBinaryOpKind.Add:
            terms = sorted(_terms(expr), key=lambda term: (len(self.index(term).axes), self.index(term).axes))
            tile = self.index(terms[0])
            for term in terms[1:]:
                tile = self.integer(arith.AddiOp, tile, self.index(term))
        elif expr.kind is AffineBinaryOpKind.Mul or _never_negative(expr.lhs):
            tile = self.integer(_INDEX_OPS[expr.kind], self.index(expr.lhs), self.index(expr.rhs))
        else:
            tile = self._floor(expr.kind, self.index(expr.lhs), self.index(expr.rhs))
        return self.number(key, tile)

    def _floor(self, kind: AffineBinaryOpKind, lhs: Tile, rhs: Tile) -> Tile:
        """Division or remainder that rounds down, of an index that may be negative, by a positive one."""
        remainder = self.integer(arith.RemSIOp, lhs, rhs)
        is_negative = self.compare(remainder, self.constant(0, remainder.element), SIGNED_LESS_THAN)
        modulus = self.select(is_negative, self.integer(arith.AddiOp, remainder, rhs), remainder)
        if kind is AffineBinaryOpKind.Mod:
            return modulus
        return self.integer(arith.DivSIOp, self.integer(arith.SubiOp, lhs, modulus), rhs)

    def integer(self, op_class: type[Operation], lhs: Tile, rhs: Tile) -> Tile:
        """An integer op on indices, in 64 bits if one of them has 64."""
        if i64 in (lhs.element, rhs.element):
            lhs, rhs = self.widen(lhs), self.widen(rhs)
        properties: dict[str, Attribute] = {}
        if op_class in (arith.AddiOp, arith.SubiOp, arith.MuliOp):
            properties["overflowFlags"] = arith.IntegerOverflowAttr("none")
        return self.elementwise(op_class, [lhs, rhs], properties=properties)

    def widen(self, tile: Tile) -> Tile:
        """An index in 64 bits."""
        if tile.element == i64:
            return tile
        owner = tile.value.owner
        if isinstance(owner, arith.ConstantOp) and not tile.axes and "fusir.name" not in owner.attributes:
            assert isinstance(owner.value, IntegerAttr)
            return self.constant(owner.value.value.data, i64)
        return self.elementwise(arith.ExtSIOp, [tile], i64)

    def compare(self, lhs: Tile, rhs: Tile, predicate: int) -> Tile:
        """A comparison of indices by an `arith.cmpi` predicate number."""
        if i64 in (lhs.element, rhs.element):
            lhs, rhs = self.widen(lhs), self.widen(rhs)
        return self.elementwise(arith.CmpiOp, [lhs, rhs], i1, {"predicate": IntegerAttr(predicate, i64)})

    def both(self, lhs: Tile | None, rhs: Tile | None) -> Tile | None:
        """The conjunction of two masks, None standing for true."""
        if lhs is None or rhs is None:
            return rhs if lhs is None else lhs
        return lhs if lhs == rhs else self.elementwise(arith.AndIOp, [lhs, rhs])

    def select(self, condition: Tile, on_true: Tile, on_false: Tile) -> Tile:
        values, axes = self.together([condition, on_true, on_false])
        result_type = tile_type(on_true.element, self.shape(axes))
        return Tile(self.pure(arith.SelectOp, values, result_type), axes)


# For indices that are not negative: there truncating and flooring division agree.
_INDEX_OPS: dict[AffineBinaryOpKind, type[Operation]] = {
    AffineBinaryOpKind.Mul: arith.MuliOp,
    AffineBinaryOpKind.FloorDiv: arith.DivSIOp,
    AffineBinaryOpKind.Mod: arith.RemSIOp,
}


def _never_negative(expr: AffineExpr) -> bool:
    """Whether an index has no negative part, so cannot be negative: loop indices and symbols are not."""
    if isinstance(expr, AffineConstantExpr):
        return expr.value >= 0
    if isinstance(expr, AffineBinaryOpExpr):
        if expr.kind is AffineBinaryOpKind.Mod:
            return True
        return _never_negative(expr.lhs) and _never_negative(expr.rhs)
    return True


def union(*axes: Axes) -> Axes:
    """The axes that occur, in order."""
    return tuple(sorted(set[int]().union(*axes)))


def _terms(expr: AffineExpr) -> list[AffineExpr]:
    """The terms of a sum."""
    if isinstance(expr, AffineBinaryOpExpr) and expr.kind is AffineBinaryOpKind.Add:
        return [*_terms(expr.lhs), *_terms(expr.rhs)]
    return [expr]
