"""Contractions at tile level: a `tt.dot` in each step of a loop over the contracted axis."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from xdsl.dialects.builtin import AnyFloat, StringAttr
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineExpr
from xdsl.utils.exceptions import DiagnosticException

from fusir.analysis.contractions import contracted_dims, products_of
from fusir.analysis.support import Support
from fusir.conversion.block_loads import BlockLoads
from fusir.conversion.tile_axes import TileAxes
from fusir.conversion.tile_builder import Axes, Tile, TileBuilder
from fusir.dialects import tt
from fusir.dialects.loop import DESCRIPTOR, PRECISION, LoadOp, ReduceOp
from fusir.dialects.tt.types import is_float8

IMPRECISE_TERMS = 32
"""Products of 8-bit floats that are summed up with fewer bits than those of f32, where a GPU has only such instructions
(Hopper), before they are added to the sum in f32: one instruction."""


class TileContraction:
    """The dots of one contraction: factors are tiles `[rows, inner]` and `[inner, columns]`."""

    def __init__(self, builder: TileBuilder, axes: TileAxes, op: ReduceOp, supports: dict[SSAValue, Support]):
        """Raises DiagnosticException for a contraction that is no dot of tiles over one axis each."""
        self.builder = builder
        self.axes = axes
        self.op = op
        products = products_of(op)
        dims = None if products is None else contracted_dims(op, products, supports)
        if products is None or dims is None:
            raise DiagnosticException("a contraction that is not a product of two factors")
        self.products = products
        precision = op.attributes.get(PRECISION)
        self.precision = precision.data if isinstance(precision, StringAttr) else tt.InputPrecision.IEEE
        rows, columns = (self._axis_of(support) for support in (dims.rows, dims.columns))
        (self.inner,) = axes.in_tiles(axes.of_loop(op)) or (None,)
        if self.inner is None or not rows < self.inner < columns:
            raise DiagnosticException("a contraction whose axes are not tiles of rows, of steps and of columns")
        self.lhs_axes: Axes = (rows, self.inner)
        self.rhs_axes: Axes = (self.inner, columns)
        self.result_axes: Axes = (rows, columns)
        widened = {op for product in products for op in product.widened}
        self.factor_ops: list[Operation] = [
            inner for inner in op.body.block.ops if inner not in widened and inner is not op.yield_op
        ]
        """What computes the factors, in order; the dots do the rest."""

    def _axis_of(self, support: Support) -> int:
        """The only tile axis of the loop indices of one role."""
        found = self.axes.in_tiles(sorted({self.axes.axis_of[index] for index in support}))
        if len(found) != 1:
            raise DiagnosticException("a contraction with a factor that is no tile of two axes")
        return found[0]

    def describe(self, blocks: BlockLoads, indices_of: Callable[[LoadOp], list[AffineExpr]]) -> None:
        """Make the descriptors of what is loaded in blocks, before the walk over the steps."""
        for inner in self.factor_ops:
            if isinstance(inner, LoadOp) and DESCRIPTOR in inner.attributes:
                blocks.describe(inner, indices_of(inner))

    def zeros(self) -> list[Tile]:
        """What the sums start with."""
        return [
            self.builder.spread(self.builder.constant(0, result.type), self.result_axes) for result in self.op.results
        ]

    def dots(self, tiles: Mapping[SSAValue, Tile], accumulators: Sequence[Tile]) -> list[Tile]:
        """The sums after a step; `tiles` has the factors."""
        results: list[Tile] = []
        for product, accumulator in zip(self.products, accumulators, strict=True):
            lhs = self._factor(product.lhs, tiles[product.lhs], self.lhs_axes)
            rhs = self._factor(product.rhs, tiles[product.rhs], self.rhs_axes)
            steps = self.builder.sizes[self.inner] if self.inner is not None else 1
            terms = min(IMPRECISE_TERMS, steps) if is_float8(lhs.element) else 0
            dot = tt.DotOp(lhs.value, rhs.value, accumulator.value, self.precision, imprecise_terms=terms)
            results.append(Tile(self.builder.add(dot), self.result_axes))
        return results

    def results(self, sums: Sequence[Tile]) -> list[Tile]:
        """The results of the contraction, of the sums after the last step."""
        return list(sums)

    def _factor(self, value: SSAValue, tile: Tile, axes: Axes) -> Tile:
        """A factor over its two axes, with zeros past the end of the contracted axis."""
        if not set(tile.axes) <= set(axes):
            raise DiagnosticException("a factor that depends on an axis of the other one")
        assert self.inner is not None
        mask = self.axes.mask_of((self.inner,))
        loaded = value.owner
        # What a load along the axis leaves out is zero.
        is_zero = isinstance(loaded, LoadOp) and loaded.other is None and self.inner in tile.axes
        tile = self.builder.spread(tile, axes)
        if mask is None or is_zero:
            return tile
        zero = self.builder.constant(0.0 if isinstance(tile.element, AnyFloat) else 0, tile.element)
        return self.builder.select(mask, tile, zero)


class StackedContraction(TileContraction):
    """Two products of one factor, as one dot with the tiles of both other factors side by side.

    The instructions of the tensor cores are the longer ones then: in bfloat16 an H200 does 128x256 at once in half the
    time of two times 128x128.
    """

    def __init__(self, builder: TileBuilder, axes: TileAxes, op: ReduceOp, supports: dict[SSAValue, Support]):
        super().__init__(builder, axes, op, supports)
        loads = [product.rhs.owner for product in self.products]
        if len(loads) != 2 or self.products[0].lhs is not self.products[1].lhs:
            raise DiagnosticException("stacked products that are not two of one factor")
        first, second = loads
        if not (isinstance(first, LoadOp) and isinstance(second, LoadOp)):
            raise DiagnosticException("stacked factors that are not loaded")
        self.loads: tuple[LoadOp, LoadOp] = first, second
        self.factor_ops = [inner for inner in self.factor_ops if inner not in self.loads]
        rows, self.columns = self.result_axes
        self.both = builder.add_axis(2 * axes.attrs[self.columns].size)
        self.sum_axes: Axes = (rows, self.both)

    def describe(self, blocks: BlockLoads, indices_of: Callable[[LoadOp], list[AffineExpr]]) -> None:
        super().describe(blocks, indices_of)
        self.blocks = blocks
        self.pair = blocks.describe_pair(self.loads, [indices_of(load) for load in self.loads])

    def zeros(self) -> list[Tile]:
        return [self.builder.spread(self.builder.constant(0, self.op.results[0].type), self.sum_axes)]

    def dots(self, tiles: Mapping[SSAValue, Tile], accumulators: Sequence[Tile]) -> list[Tile]:
        factor = self.products[0].lhs
        lhs = self._factor(factor, tiles[factor], self.lhs_axes)
        dot = tt.DotOp(lhs.value, self.blocks.load_pair(self.pair), accumulators[0].value, self.precision)
        return [Tile(self.builder.add(dot), self.sum_axes)]

    def results(self, sums: Sequence[Tile]) -> list[Tile]:
        builder = self.builder
        rows, columns = (self.axes.attrs[axis].size for axis in self.result_axes)
        planes = builder.add(tt.TransOp(builder.add(tt.ReshapeOp(sums[0].value, [rows, 2, columns])), [0, 2, 1]))
        split = tt.SplitOp(planes)
        builder.add_effect(split)
        low, high = (Tile(value, self.result_axes) for value in split.results)
        is_first = self.pair.is_first
        return [builder.select(is_first, low, high), builder.select(is_first, high, low)]
