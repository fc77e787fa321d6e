"""Loads of blocks of matrices by tensor descriptors.

Two matrices of one shape, wherever they are in memory, are two planes of one tensor of three dims, the distance between
them its first stride: one descriptor loads a block of both, one above the other (`describe_pair`).

The descriptor is made before the walk over the steps, and before the loop over tiles if it is the same for all of them:
an axis of one element, such as that of a batch, moves the block along the rows of one tall matrix where it can.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from xdsl.dialects import arith
from xdsl.dialects.builtin import MemRefType, i32, i64
from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineExpr
from xdsl.utils.exceptions import DiagnosticException

from fusir.analysis.expr import linear_coefficients, linearize, mul, simplify
from fusir.conversion.tile_axes import TileAxes
from fusir.conversion.tile_builder import SIGNED_LESS_THAN, Tile, TileBuilder
from fusir.dialects import tt
from fusir.dialects.loop import AxisKind, LoadOp, strides_of
from fusir.dialects.tt.types import bit_width_of


@dataclass(frozen=True)
class _Matrix:
    """Where the blocks of a load are: rows along the axis `slow`, contiguous elements along `fast`."""

    buffer: SSAValue
    slow: int
    fast: int
    rows: int
    columns: int
    stride: int
    """Elements from one row to the next."""
    first: AffineExpr
    """The place of the first element in the buffer."""
    shifts: tuple[tuple[int, int], ...]
    """Axes of one element, and by how many rows a step along them moves the block."""


@dataclass(frozen=True)
class Pair:
    """Two matrices that one descriptor describes."""

    matrix: _Matrix
    """The first one."""
    descriptor: SSAValue
    is_first: Tile
    """Whether the first one is the first one in memory."""


class BlockLoads:
    """The loads of a kernel that have descriptors."""

    def __init__(self, builder: TileBuilder, axes: TileAxes, pointers: Mapping[SSAValue, SSAValue]):
        """`pointers` are the arguments of the function that point to the buffers."""
        self.builder = builder
        self.axes = axes
        self.pointers = pointers
        self._blocks: dict[LoadOp, tuple[_Matrix, SSAValue]] = {}

    def describe(self, op: LoadOp, indices: Sequence[AffineExpr]) -> None:
        """Make the descriptor of which `load` loads blocks, where the walk over the steps has not begun.

        Raises DiagnosticException for a load whose tiles are no blocks of a matrix.
        """
        matrix = self._matrix(op, indices)
        if isinstance(matrix.first, AffineConstantExpr):
            with self.builder.outermost():
                self._blocks[op] = matrix, self._descriptor(matrix)
        else:
            self._blocks[op] = matrix, self._descriptor(matrix)

    def describe_pair(self, ops: tuple[LoadOp, LoadOp], indices: Sequence[Sequence[AffineExpr]]) -> Pair:
        """Make the descriptor of which `load_pair` loads blocks of two matrices of one shape.

        Raises DiagnosticException for loads whose tiles are no blocks of such matrices.
        """
        matrix, other = (self._matrix(op, exprs) for op, exprs in zip(ops, indices, strict=True))
        if replace(other, buffer=matrix.buffer) != matrix or matrix.buffer is other.buffer:
            raise DiagnosticException("blocks of two matrices of unlike shapes, or of one matrix")
        if not isinstance(matrix.first, AffineConstantExpr) or matrix.slow < matrix.fast:
            raise DiagnosticException("blocks of two matrices that move with the program, or are not rows of these")
        builder = self.builder
        with builder.outermost():
            pointers = [self.pointers[each.buffer] for each in (matrix, other)]
            if matrix.first.value:
                start = builder.index(matrix.first).value
                pointers = [builder.pure(tt.AddPtrOp, [pointer, start], pointer.type) for pointer in pointers]
            places = [Tile(builder.pure(tt.PtrToIntOp, [pointer], i64)) for pointer in pointers]
            is_first = builder.compare(places[0], places[1], SIGNED_LESS_THAN)
            is_first.value.name_hint = "is_first"
            base = builder.select(is_first, Tile(pointers[0]), Tile(pointers[1]))
            ahead = builder.integer(arith.SubiOp, places[1], places[0])
            behind = builder.integer(arith.SubiOp, places[0], places[1])
            size = builder.constant(bit_width_of(ops[0].result.type) // 8, i64)
            plane = builder.integer(arith.DivSIOp, builder.select(is_first, ahead, behind), size)
            plane.value.name_hint = "plane"
            make = tt.MakeTensorDescriptorOp(
                base.value,
                [builder.constant(extent, i32).value for extent in (2, matrix.rows, matrix.columns)],
                [plane.value, *(builder.constant(step, i64).value for step in (matrix.stride, 1))],
                [2, *(self.axes.attrs[axis].size for axis in (matrix.slow, matrix.fast))],
            )
            descriptor = builder.add(make)
            descriptor.name_hint = f"{matrix.buffer.name_hint}_{other.buffer.name_hint}_desc"
        return Pair(matrix, descriptor, is_first)

    def load_pair(self, pair: Pair) -> SSAValue:
        """The tile of the steps and the rows of both matrices, those of the first one in memory before the others."""
        builder, matrix = self.builder, pair.matrix
        zero = self._narrow(self.axes.constant(0))
        starts = [zero, *(self._narrow(start) for start in self._starts(matrix))]
        planes = builder.add(tt.DescriptorLoadOp(pair.descriptor, [start.value for start in starts]))
        rows, columns = (self.axes.attrs[axis].size for axis in (matrix.slow, matrix.fast))
        return builder.add(tt.TransOp(builder.add(tt.ReshapeOp(planes, [2 * rows, columns])), [1, 0]))

    def _matrix(self, op: LoadOp, indices: Sequence[AffineExpr]) -> _Matrix:
        axes = self.axes
        buffer_type = op.memref.type
        assert isinstance(buffer_type, MemRefType)
        offset = simplify(linearize(indices, strides_of(buffer_type)), axes.extents)
        linear = linear_coefficients(offset, len(axes.attrs))
        if linear is None:
            raise DiagnosticException("a block at places that are not linear")
        strides, first = linear
        tiles = [axis for axis in strides if axes.attrs[axis].size > 1]
        if len(tiles) != 2 or 1 not in (strides[tiles[0]], strides[tiles[1]]):
            raise DiagnosticException("a block of a matrix without contiguous rows or columns")
        slow, fast = tiles if strides[tiles[1]] == 1 else reversed(tiles)
        rows, columns, stride = axes.extent(slow), axes.extent(fast), strides[slow]
        if not (isinstance(rows, int) and isinstance(columns, int) and isinstance(stride, int)):
            raise DiagnosticException("a block of a matrix of symbolic extents")
        shifts: list[tuple[int, int]] = []
        for axis in strides:
            step, extent = strides[axis], axes.extent(axis)
            if axis in tiles:
                continue
            # Rows past the end of a matrix are not looked at, if they are rows of the result: they need not be zero.
            is_result = axes.attrs[slow].kind is not AxisKind.LOOP
            if is_result and isinstance(step, int) and isinstance(extent, int) and step > 0 and step % stride == 0:
                shifts.append((axis, step // stride))
                rows += (extent - 1) * (step // stride)
            else:
                first = first + mul(AffineExpr.dimension(axis), step)
        return _Matrix(op.memref, slow, fast, rows, columns, stride, simplify(first, axes.extents), tuple(shifts))

    def _descriptor(self, matrix: _Matrix) -> SSAValue:
        builder = self.builder
        key = ("descriptor", matrix)
        known = builder.find(key)
        if known is not None:
            return known.value
        pointer = self.pointers[matrix.buffer]
        if matrix.first != AffineConstantExpr(0):
            pointer = builder.pure(tt.AddPtrOp, [pointer, builder.index(matrix.first).value], pointer.type)
        make = tt.MakeTensorDescriptorOp(
            pointer,
            [builder.constant(extent, i32).value for extent in (matrix.rows, matrix.columns)],
            [builder.constant(step, i64).value for step in (matrix.stride, 1)],
            [self.axes.attrs[axis].size for axis in (matrix.slow, matrix.fast)],
        )
        descriptor = builder.number(key, Tile(builder.add(make)))
        descriptor.value.name_hint = f"{matrix.buffer.name_hint}_desc"
        return descriptor.value

    def load(self, op: LoadOp) -> Tile | None:
        """The tile of a load that has a descriptor; None for other loads."""
        found = self._blocks.get(op)
        if found is None:
            return None
        matrix, descriptor = found
        builder = self.builder
        key = ("block", matrix)
        tile = builder.find(key)
        if tile is None:
            load = tt.DescriptorLoadOp(descriptor, [self._narrow(start).value for start in self._starts(matrix)])
            value = builder.add(load)
            value.name_hint = op.memref.name_hint
            if matrix.slow > matrix.fast:
                value = builder.add(tt.TransOp(value, [1, 0]))
            tile = builder.number(key, Tile(value, tuple(sorted((matrix.slow, matrix.fast)))))
        return tile

    def _starts(self, matrix: _Matrix) -> tuple[Tile, Tile]:
        """The row and the column of the first element of the block."""
        row, column = (self.axes.start_of(axis) for axis in (matrix.slow, matrix.fast))
        for axis, shift in matrix.shifts:
            moved = self.builder.index(mul(AffineExpr.dimension(axis), shift))
            row = moved if row is None else self.builder.integer(arith.AddiOp, moved, row)
        zero = self.axes.constant(0)
        return row or zero, column or zero

    def _narrow(self, start: Tile) -> Tile:
        """An index in 32 bits, as descriptors take it."""
        return self.builder.elementwise(arith.TruncIOp, [start], i32) if start.element == i64 else start
