"""Tile dims whose last lanes compute nothing that is seen.

A tile extent is a power of two, the row that it holds need not be: 768 elements sit in a tile of 1024 under the mask
`lane < 768`. Where that mask guards every access and every fold gets the identity in the other lanes, the tile may as
well have 768 lanes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import torch
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import TensorType
from xdsl.ir import Operation, SSAValue

from fusir.dialects import tt
from fusir.interpreters.flat import is_lanewise
from fusir.interpreters.scalars import predicate_of, splat_value, torch_dtype
from fusir.interpreters.tt_analysis import constant_number

Dim = tuple[SSAValue, int]
"""A dim of a tile value."""

_SIGNED_LESS = 2
"""The predicate `slt` of `arith.cmpi`."""


def narrowed_shapes(func: tt.FuncOp) -> dict[SSAValue, tuple[int, ...]]:
    """The shapes of the tiles that may be smaller than their types say."""
    axes = _Axes()
    for op in func.walk():
        axes.relate(op)
    extents = {axis: extent for axis, extent in axes.bounded().items() if _is_guarded(func, axes, axis, extent)}
    shapes: dict[SSAValue, tuple[int, ...]] = {}
    if not extents:
        return shapes
    tiles = list(_tiles(func))
    for value in tiles:
        # Dims of one tile are joined by a value that both are combined with. A mask may guard one of them only.
        found = [axes.of(value, dim) for dim in range(len(tt.shape_of(value.type)))]
        for axis in found:
            if found.count(axis) > 1:
                extents.pop(axis, None)
    for value in tiles:
        shape = tt.shape_of(value.type)
        narrow = tuple(extents.get(axes.of(value, dim), extent) for dim, extent in enumerate(shape))
        if narrow != shape:
            shapes[value] = narrow
    return shapes


def _tiles(func: tt.FuncOp) -> Iterable[SSAValue]:
    for op in func.walk():
        yield from (result for result in op.results if isinstance(result.type, TensorType))
        for region in op.regions:
            for block in region.blocks:
                yield from (arg for arg in block.args if isinstance(arg.type, TensorType))


class _Axes:
    """Classes of tile dims that hold the same lanes, each known by one of its dims."""

    def __init__(self) -> None:
        self._parents: dict[Dim, Dim] = {}
        self._pinned: set[Dim] = set()
        self._bounds: list[tuple[SSAValue, Dim, int]] = []

    def of(self, value: SSAValue, dim: int) -> Dim:
        """The class of a dim."""
        path: list[Dim] = []
        found: Dim = (value, dim)
        while (parent := self._parents.get(found)) is not None:
            path.append(found)
            found = parent
        for each in path:
            self._parents[each] = found
        return found

    def join(self, a: Dim, b: Dim) -> None:
        """Two dims hold the same lanes."""
        first, second = self.of(*a), self.of(*b)
        if first != second:
            self._parents[second] = first

    def join_all(self, *values: SSAValue) -> None:
        """Tiles of one shape; scalars are left out."""
        tiles = [value for value in values if tt.shape_of(value.type)]
        for other in tiles[1:]:
            for dim in range(len(tt.shape_of(other.type))):
                self.join((tiles[0], dim), (other, dim))

    def pin(self, values: Iterable[SSAValue]) -> None:
        """The dims of these values keep their extents."""
        for value in values:
            self._pinned.update((value, dim) for dim in range(len(tt.shape_of(value.type))))

    def relate(self, op: Operation) -> None:
        """Take in which dims of operands and results of an operation are the same."""
        relate = _RELATIONS.get(type(op))
        if relate is not None:
            relate(self, op)
        elif isinstance(op, (tt.StoreOp, tt.AtomicRMWOp)) or (is_lanewise(op) and not isinstance(op, tt.SplatOp)):
            self.join_all(*op.operands, *op.results)
        elif op.name not in _WITHOUT_TILES:
            self.pin((*op.operands, *op.results))
        if op.name == "arith.cmpi" and predicate_of(op) == _SIGNED_LESS:
            self._bound(op)

    def _bound(self, op: Operation) -> None:
        """`lane < N` for a dim of whole lanes from 0."""
        lanes, limit = op.operands
        number = constant_number(limit)
        source, dims = lanes, list(range(len(tt.shape_of(lanes.type))))
        while isinstance(source.owner, (tt.ExpandDimsOp, tt.BroadcastOp)):
            if isinstance(source.owner, tt.ExpandDimsOp):
                del dims[source.owner.axis.value.data]
            source = source.owner.src
        if number is not None and isinstance(source.owner, tt.MakeRangeOp) and source.owner.start.value.data == 0:
            self._bounds.append((op.results[0], (lanes, dims[0]), int(number)))

    def bounded(self) -> dict[Dim, int]:
        """The classes that have one bound below their extent, and that bound."""
        pinned = {self.of(*dim) for dim in self._pinned}
        limits: dict[Dim, set[int]] = {}
        for _, dim, number in self._bounds:
            limits.setdefault(self.of(*dim), set()).add(number)
        found: dict[Dim, int] = {}
        for (value, dim), numbers in limits.items():
            extent = tt.shape_of(value.type)[dim]
            if len(numbers) == 1 and (value, dim) not in pinned and 0 < min(numbers) < extent:
                found[value, dim] = min(numbers)
        return found

    def guards(self, mask: SSAValue | None, axis: Dim, extent: int) -> bool:
        """Whether a mask is false in all lanes of a class from `extent` on."""
        if mask is None:
            return False
        if any(mask is bound and self.of(*dim) == axis and number == extent for bound, dim, number in self._bounds):
            return True
        owner = mask.owner
        if isinstance(owner, (tt.BroadcastOp, tt.ExpandDimsOp)):
            return self.guards(owner.src, axis, extent)
        if isinstance(owner, arith.AndIOp):
            return self.guards(owner.lhs, axis, extent) or self.guards(owner.rhs, axis, extent)
        return False


def _is_guarded(func: tt.FuncOp, axes: _Axes, axis: Dim, extent: int) -> bool:
    """Whether no access and no fold sees the lanes of a class from `extent` on."""
    for op in func.walk():
        if isinstance(op, (tt.LoadOp, tt.StoreOp, tt.AtomicRMWOp)):
            inside = any(axes.of(op.ptr, dim) == axis for dim in range(len(tt.shape_of(op.ptr.type))))
            if inside and not axes.guards(op.mask, axis, extent):
                return False
        elif isinstance(op, tt.ReduceOp) and axes.of(op.srcs[0], op.axis_index) == axis:
            block = op.combine_op.block
            assert block.last_op is not None
            for source, combined in zip(op.srcs, block.last_op.operands, strict=True):
                combiner = combined.owner
                if (
                    len(op.srcs) != 1
                    or not isinstance(combiner, Operation)
                    or set(combiner.operands) != set(block.args)
                ):
                    return False
                if not _is_neutral_outside(source, combiner.name, axes, axis, extent):
                    return False
    return True


def _is_neutral_outside(source: SSAValue, combiner: str, axes: _Axes, axis: Dim, extent: int) -> bool:
    """Whether the lanes of a folded tile from `extent` on hold the identity of the fold."""
    owner = source.owner
    if isinstance(owner, tt.LoadOp):
        mask, other = owner.mask, owner.other
    elif isinstance(owner, Operation) and owner.name == "arith.select":
        mask, other = owner.operands[0], owner.operands[2]
    else:
        return False
    number = None if other is None else constant_number(other)
    return number is not None and axes.guards(mask, axis, extent) and _is_identity(combiner, number, source)


def _is_identity(combiner: str, number: float | int, source: SSAValue) -> bool:
    dtype = torch_dtype(tt.element_of(source.type))
    if dtype == torch.bool:
        return {"arith.ori": 0, "arith.andi": 1}.get(combiner) == int(number) & 1
    if dtype.is_floating_point:
        return _FLOAT_IDENTITIES.get(combiner) == number
    info = torch.iinfo(dtype)
    identities = {"arith.maxsi": info.min, "arith.minsi": info.max, **_INTEGER_IDENTITIES}
    return identities.get(combiner) == number


_FLOAT_IDENTITIES: dict[str, float] = {
    "arith.addf": 0.0,
    "arith.mulf": 1.0,
    "arith.maximumf": float("-inf"),
    "arith.maxnumf": float("-inf"),
    "arith.minimumf": float("inf"),
    "arith.minnumf": float("inf"),
}

_INTEGER_IDENTITIES: dict[str, int] = {
    "arith.addi": 0,
    "arith.muli": 1,
    "arith.ori": 0,
    "arith.xori": 0,
    "arith.maxui": 0,
    "arith.andi": -1,
    "arith.minui": -1,
}

_WITHOUT_TILES = {
    "tt.func",
    "tt.return",
    "tt.reduce.return",
    "scf.yield",
    "scf.condition",
    "scf.while",
    "tt.get_program_id",
    "tt.get_num_programs",
}


def _broadcast(axes: _Axes, op: Operation) -> None:
    assert isinstance(op, tt.BroadcastOp)
    shapes = zip(tt.shape_of(op.src.type), tt.shape_of(op.result.type), strict=True)
    for dim, (before, after) in enumerate(shapes):
        if before == after:
            axes.join((op.src, dim), (op.result, dim))


def _expand_dims(axes: _Axes, op: Operation) -> None:
    assert isinstance(op, tt.ExpandDimsOp)
    axis = op.axis.value.data
    for dim in range(len(tt.shape_of(op.src.type))):
        axes.join((op.src, dim), (op.result, dim + (dim >= axis)))


def _transpose(axes: _Axes, op: Operation) -> None:
    assert isinstance(op, tt.TransOp)
    for dim, source in enumerate(op.permutation):
        axes.join((op.src, source), (op.result, dim))


def _reduce(axes: _Axes, op: Operation) -> None:
    assert isinstance(op, tt.ReduceOp)
    axes.join_all(*op.srcs)
    for source, result in zip(op.srcs, op.results, strict=True):
        kept = [dim for dim in range(len(tt.shape_of(source.type))) if dim != op.axis_index]
        for place, dim in enumerate(kept):
            axes.join((source, dim), (result, place))


def _loop(axes: _Axes, op: Operation) -> None:
    assert isinstance(op, scf.ForOp)
    terminator = op.body.block.last_op
    assert terminator is not None
    for values in zip(op.iter_args, op.body.block.args[1:], terminator.operands, op.results, strict=True):
        axes.join_all(*values)


def _branch(axes: _Axes, op: Operation) -> None:
    assert isinstance(op, scf.IfOp)
    for region in op.regions:
        terminator = region.block.last_op if region.blocks else None
        if terminator is not None and terminator.operands:
            for value, result in zip(terminator.operands, op.results, strict=True):
                axes.join_all(value, result)


def _constant(axes: _Axes, op: Operation) -> None:
    if splat_value(op) is None:
        axes.pin(op.results)


def _range(axes: _Axes, op: Operation) -> None:
    """Lanes from 0, which other relations decide about; any others stay."""
    assert isinstance(op, tt.MakeRangeOp)
    if op.start.value.data != 0:
        axes.pin(op.results)


def _nothing(axes: _Axes, op: Operation) -> None:
    """A scalar in every lane."""


_RELATIONS: dict[type[Operation], Callable[[_Axes, Operation], None]] = {
    tt.BroadcastOp: _broadcast,
    tt.ExpandDimsOp: _expand_dims,
    tt.TransOp: _transpose,
    tt.ReduceOp: _reduce,
    tt.SplatOp: _nothing,
    tt.MakeRangeOp: _range,
    arith.ConstantOp: _constant,
    scf.ForOp: _loop,
    scf.IfOp: _branch,
}
