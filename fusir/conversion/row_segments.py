"""A tile axis in two segments: the edges of a row, and the whole groups of elements between them.

A wide access moves a group of elements that starts at a multiple of the group. Where the rows of a buffer do not start
at such multiples, `row start + lane` would be accessed element by element. So the lanes of the axis start at the first
boundary behind the start of the row, which is a multiple of the group for all to see:

    head  = group - row start mod group                      elements before it, at least one
    first = (row start floordiv group + 1) * group           its place in the buffer
    whole = (extent - head) floordiv group * group           elements in whole groups
    index = head + lane,  lane < whole                       of a row, at the place first + lane

and what is left of the row, at most a group at each end, is a small tile of its own: lanes below `group` are the head,
the others the tail. Both segments take exactly their own elements, so nothing is read or written outside of the row.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerType, i64
from xdsl.ir.affine import AffineExpr
from xdsl.utils.exceptions import DiagnosticException

from fusir.analysis.expr import Dim, as_dim, as_expr, floordiv, linear_coefficients, mul, simplify
from fusir.conversion.tile_builder import SIGNED_LESS_THAN, Tile, TileBuilder
from fusir.dialects.loop import RowStart


class RowSegments:
    """The segments of axis `axis`, whose index is `d<axis>`."""

    def __init__(
        self,
        builder: TileBuilder,
        index_type: IntegerType,
        axis: int,
        rows: RowStart,
        offset: AffineExpr,
        extents: Sequence[Dim | None],
    ):
        """`offset` is the place of the row over `builder.leaves`; `extents` are those of the axes.

        Raises DiagnosticException for a symbolic extent, and for rows shorter than a group.
        """
        extent = extents[axis]
        if not isinstance(extent, int) or extent < rows.group:
            raise DiagnosticException("rows of symbolic extent, or shorter than a group, in segments")
        self.builder = builder
        self.index_type = index_type
        self.axis = axis
        self.group = rows.group
        self.extent = extent
        self.offset = offset
        self._extents = extents
        self.first = simplify(mul(floordiv(offset, self.group) + 1, self.group), extents)
        self.head = simplify(self.first + offset * -1, extents)
        self.groups = simplify(floordiv(self.head * -1 + extent, self.group), extents)
        self.whole = simplify(mul(self.groups, self.group), extents)
        self.lane = builder.new_leaf()
        """The index of an element of the whole groups among them."""
        self.edges = builder.add_axis(2 * self.group)
        """The axis of the tile of the edges."""

    @property
    def least_whole(self) -> int:
        """The least number of elements in whole groups: those of a row with a head of `group` elements."""
        return (self.extent - self.group) // self.group * self.group

    @property
    def most_whole(self) -> int:
        """The largest number of elements in whole groups: those of a row with a head of one element."""
        return (self.extent - 1) // self.group * self.group

    def in_groups(self, offset: AffineExpr) -> AffineExpr:
        """An offset into a buffer that starts a group at each multiple of `group`, such that this can be seen.

        Where it does not move along the rows, or not in step with them, it stays as it is.
        """
        rest = simplify(offset + (AffineExpr.dimension(self.axis) + self.offset) * -1, self._extents)
        linear = linear_coefficients(rest, len(self._extents))
        if linear is None or self.axis in linear[0]:
            return offset
        numbers = (*linear[0].values(), as_dim(linear[1]))
        if not all(isinstance(number, int) and number % self.group == 0 for number in numbers):
            return offset
        return simplify(self.lane + self.first + rest, self._extents)

    def tile(self, expr: AffineExpr) -> Tile:
        """The tile of an expression, in the width of the indices."""
        tile = self.builder.index(expr)
        return self.builder.widen(tile) if self.index_type == i64 else tile

    def whole_index(self, lanes: Tile) -> Tile:
        """The index of the elements of the whole groups, for `lanes` of them."""
        self.builder.leaves[self.lane] = lanes
        return self.builder.integer(arith.AddiOp, self.tile(self.head), lanes)

    def whole_mask(self, lanes: Tile, start: Tile | None) -> Tile:
        """Which `lanes` (0, 1, ...) of a tile that begins `start` elements behind the first are in whole groups.

        What is compared are groups, so that the mask is one for all elements of a group.
        """
        builder = self.builder
        group = builder.constant(self.group, self.index_type)
        left = self.tile(self.groups)
        if start is not None:
            left = builder.integer(arith.SubiOp, self.tile(self.whole), start)
            left = builder.integer(arith.DivSIOp, left, group)
        number = builder.integer(arith.DivSIOp, lanes, group)
        mask = builder.compare(number, left, SIGNED_LESS_THAN)
        if start is not None:
            return mask
        # For a thread whose lanes are all among those of the shortest row, this is true at compile time.
        least = builder.constant(self.least_whole // self.group, self.index_type)
        return builder.elementwise(arith.OrIOp, [builder.compare(number, least, SIGNED_LESS_THAN), mask])

    def edge_index(self, lanes: Tile) -> tuple[Tile, Tile]:
        """The index of the elements of the edges, and which of the `lanes` have one."""
        builder = self.builder
        is_tail = builder.compare(builder.constant(self.group - 1, self.index_type), lanes, SIGNED_LESS_THAN)
        behind = self.tile(simplify(self.head + self.whole + -self.group, self._extents))
        index = builder.select(is_tail, builder.integer(arith.AddiOp, behind, lanes), lanes)
        end = builder.constant(self.extent, self.index_type)
        mask = builder.compare(index, builder.select(is_tail, end, self.tile(self.head)), SIGNED_LESS_THAN)
        return index, mask

    def edge_count(self) -> Tile:
        """The number of elements of the edges."""
        return self.tile(simplify(self.whole * -1 + as_expr(self.extent), self._extents))
