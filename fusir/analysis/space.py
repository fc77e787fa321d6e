"""The iteration space of a fusion, and how each value in it is aligned with that space.

A fusion becomes one kernel: `parallel over the outer factors { reduce over the reduced factors ..., parallel over the
reduced factors { stores } }`. Its **space** is a row-major list of factors, each outer or reduced. The sum of
`x[B,S,D]` over dim 2 has the space `[B, S, D:r]`; a fusion without a reduction has outer factors only.

The space of prefixes of `x[B,S,D]` along dim 2 is `[B, S, D:r]` as well: their loop is inside of the others too.

A contraction has its own loop over the contracted dims wherever its result is computed, so these are no factors: the
space of a matrix product is `[M, N]`, or `[M, N:r]` where its rows are summed up, and its result is FULL there.

Reductions over rows and over columns have one space with *walked* factors: outer ones that the column reductions fold.
The sums of `x[P,R,N]` over dim 2 and over dim 1 have the space `[P, R:w, N:r]`, and the kernel is `parallel over P and
N { the column sums: reduce over R { the row sums: reduce over N ..., stores } }`.

A value that depends on a reduction or a scan of the fusion exists only where the kernel has it, so it must be
*aligned*:

- `FULL`: its row-major flat index is the flat index of the whole space.
- `OUTER`: its row-major flat index is the flat index of the outer factors, walked ones included.
- `COLUMN`: its row-major flat index is the flat index of all factors but the walked ones. It exists after the walk.

All other values are `FREE`: a pure function of the inputs, evaluated at any index on demand; every view of them is an
index map. Each *root*, that is each result of the fusion and each operand of a reduction, is read at FULL or OUTER,
also if it is FREE, and each of its dims is a run of factors. Results may also be at COLUMN. The dims of a permuted
result are those of the operand of the `graph.permute`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cached_property, lru_cache

from xdsl.dialects.builtin import i64
from xdsl.ir import Operation, SSAValue

from fusir.analysis.expr import product
from fusir.analysis.factors import common_refinement, runs_of
from fusir.dialects.graph import (
    BroadcastOp,
    ContractOp,
    ConvertOp,
    Dim,
    FusionOp,
    GatherOp,
    IotaOp,
    PermuteOp,
    PointwiseOp,
    ReduceOp,
    ReshapeOp,
    ReverseOp,
    ScanOp,
    SliceOp,
    dims_of,
    element_type_of,
)

Dims = tuple[Dim, ...]
Run = tuple[int, ...]
"""Positions of neighbouring factors that together are one dim; empty for a dim of extent 1."""


class SpaceError(Exception):
    """A value that cannot be aligned with the space of its fusion. The message is one line that says why."""


class Alignment(Enum):
    """Where in the kernel of a fusion a value exists."""

    FREE = "free"
    OUTER = "outer"
    FULL = "full"
    COLUMN = "column"
    SCALAR = "scalar"
    """Of a result only: one FREE element beside a larger space, which the first program stores."""


@dataclass(frozen=True)
class Factor:
    """One loop of the space."""

    extent: Dim
    reduced: bool = False
    walked: bool = False
    """Whether it is an outer factor that column reductions fold: a program walks it, one row after the other."""


@dataclass(frozen=True)
class Space:
    """A row-major list of factors without any of extent 1."""

    factors: tuple[Factor, ...]

    @staticmethod
    def of(dims: Sequence[Dim], reduced: Sequence[int] = ()) -> Space:
        """The space of a tensor with these dims, of which those at the positions `reduced` are summed up."""
        return Space(tuple(Factor(dim, axis in reduced) for axis, dim in enumerate(dims) if dim != 1))

    @cached_property
    def outer(self) -> Dims:
        """The extents of the outer factors, walked ones included."""
        return tuple(factor.extent for factor in self.factors if not factor.reduced)

    @cached_property
    def parallel(self) -> Dims:
        """The extents of the outer factors that are not walked."""
        return tuple(factor.extent for factor in self.factors if not factor.reduced and not factor.walked)

    @cached_property
    def walked(self) -> Dims:
        """The extents of the walked factors."""
        return tuple(factor.extent for factor in self.factors if factor.walked)

    @cached_property
    def columns(self) -> Dims:
        """The extents of the factors that are not walked."""
        return tuple(factor.extent for factor in self.factors if not factor.walked)

    @cached_property
    def reduced(self) -> Dims:
        """The extents of the reduced factors."""
        return tuple(factor.extent for factor in self.factors if factor.reduced)

    @cached_property
    def full_numel(self) -> Dim:
        """The number of points of the space."""
        return product(factor.extent for factor in self.factors)

    @cached_property
    def outer_numel(self) -> Dim:
        """The number of points of the outer factors."""
        return product(self.outer)

    def merge(self, other: Space) -> Space | None:
        """The common refinement of two spaces; None if there is none, or a piece would be both outer and reduced."""
        if self == other:
            return self
        return _merge(self, other)

    def cross(self, other: Space) -> Space | None:
        """The space of reductions over rows and over columns, with walked factors; None if there is none.

        The rows are those of the space that reduces the last factor. One of the two may have walked factors already.
        """
        return _cross(self, other)

    def is_columns(self, other: Space) -> bool:
        """Whether the other space reduces exactly the walked factors of this one."""
        pieces = common_refinement([f.extent for f in self.factors], [f.extent for f in other.factors])
        return (
            bool(self.walked)
            and pieces is not None
            and all(self.factors[i].walked == other.factors[j].reduced for _, i, j in pieces)
        )

    def refine(self, dims: Dims) -> Space | None:
        """This space with its factors cut so that each of the dims of a FULL value is a run of factors."""
        return _refine(self, dims)

    def refine_outer(self, dims: Dims) -> Space | None:
        """This space with its outer factors cut so that each of the dims of an OUTER value is a run of them."""
        return _refine_outer(self, dims)

    def refine_columns(self, dims: Dims) -> Space | None:
        """This space with its factors but the walked ones cut so that each of the dims of a COLUMN value is a run."""
        return _refine_columns(self, dims) if self.walked else None

    def runs(self, dims: Dims) -> tuple[Run, ...] | None:
        """For each dim of a FULL value the positions of its factors; None if the space is not fine enough."""
        return _runs(tuple(factor.extent for factor in self.factors), range(len(self.factors)), dims)

    def outer_runs(self, dims: Dims) -> tuple[Run, ...] | None:
        """For each dim of an OUTER value the positions of its factors; None if the space is not fine enough."""
        positions = [position for position, factor in enumerate(self.factors) if not factor.reduced]
        return _runs(self.outer, positions, dims)

    def is_reduced(self, run: Run) -> bool:
        """Whether all factors of a run are reduced."""
        return all(self.factors[position].reduced for position in run)

    def is_outer(self, run: Run) -> bool:
        """Whether all factors of a run are outer."""
        return not any(self.factors[position].reduced for position in run)

    def __str__(self) -> str:
        roles = [":r" if factor.reduced else ":w" if factor.walked else "" for factor in self.factors]
        return "[" + ", ".join(f"{f.extent}{role}" for f, role in zip(self.factors, roles, strict=True)) + "]"


@lru_cache(maxsize=1 << 14)
def _merge(a: Space, b: Space) -> Space | None:
    pieces = common_refinement([f.extent for f in a.factors], [f.extent for f in b.factors])
    if pieces is None or any(a.factors[i].reduced != b.factors[j].reduced for _, i, j in pieces):
        return None
    if a.walked and b.walked and any(a.factors[i].walked != b.factors[j].walked for _, i, j in pieces):
        return None
    walked = a if a.walked else b
    places = [i if walked is a else j for _, i, j in pieces]
    return Space(
        tuple(
            Factor(extent, a.factors[i].reduced, walked.factors[place].walked)
            for (extent, i, _), place in zip(pieces, places, strict=True)
        )
    )


@lru_cache(maxsize=1 << 14)
def _cross(a: Space, b: Space) -> Space | None:
    if b.walked:
        a, b = b, a
    if b.walked or not a.reduced or not b.reduced:
        return None
    pieces = common_refinement([f.extent for f in a.factors], [f.extent for f in b.factors])
    if pieces is None or any(not isinstance(extent, int) or extent == 0 for extent, _, _ in pieces):
        return None
    if a.walked:
        if not a.is_columns(b):
            return None
        return Space(tuple(Factor(extent, a.factors[i].reduced, a.factors[i].walked) for extent, i, _ in pieces))
    flags = [(a.factors[i].reduced, b.factors[j].reduced) for _, i, j in pieces]
    if any(of_a and of_b for of_a, of_b in flags):
        return None
    rows = flags[-1].index(True) if True in flags[-1] else None
    if rows is None:
        return None
    return Space(
        tuple(Factor(piece.extent, flag[rows], flag[1 - rows]) for piece, flag in zip(pieces, flags, strict=True))
    )


@lru_cache(maxsize=1 << 14)
def _refine(space: Space, dims: Dims) -> Space | None:
    pieces = common_refinement([f.extent for f in space.factors], dims)
    if pieces is None:
        return None
    return Space(tuple(replace(space.factors[i], extent=extent) for extent, i, _ in pieces))


@lru_cache(maxsize=1 << 14)
def _refine_outer(space: Space, dims: Dims) -> Space | None:
    return _refine_some(space, [i for i, factor in enumerate(space.factors) if not factor.reduced], dims)


@lru_cache(maxsize=1 << 14)
def _refine_columns(space: Space, dims: Dims) -> Space | None:
    return _refine_some(space, [i for i, factor in enumerate(space.factors) if not factor.walked], dims)


def _refine_some(space: Space, places: Sequence[int], dims: Dims) -> Space | None:
    """The space with the factors at `places` cut so that each of the dims is a run of them."""
    pieces = common_refinement([space.factors[place].extent for place in places], dims)
    if pieces is None:
        return None
    cuts: dict[int, list[Dim]] = {place: [] for place in places}
    for extent, position, _ in pieces:
        cuts[places[position]].append(extent)
    return Space(
        tuple(
            replace(factor, extent=extent)
            for place, factor in enumerate(space.factors)
            for extent in cuts.get(place, [factor.extent])
        )
    )


def _runs(extents: Sequence[Dim], positions: Sequence[int], dims: Dims) -> tuple[Run, ...] | None:
    pieces = common_refinement(extents, dims)
    if pieces is None or len(pieces) != len(extents):
        return None
    # The pieces are the factors, in order.
    runs = runs_of((piece.second for piece in pieces), len(dims))
    return tuple(tuple(positions[factor] for factor in run) for run in runs)


# How ops carry alignment


def keeps_flat_index(op: Operation) -> bool:
    """Whether a view has its elements at the flat indices of its operand: a reshape, or one that only moves 1s."""
    match op:
        case ReshapeOp():
            return True
        case PermuteOp():
            dims = dims_of(op.operand)
            kept = [axis for axis in op.permutation if dims[axis] != 1]
            return kept == sorted(kept)
        case SliceOp():
            return dims_of(op.operand) == dims_of(op.result)
        case BroadcastOp():
            return not broadcast_axes(op)
        case ReverseOp():
            dims = dims_of(op.operand)
            return all(dims[axis] == 1 for axis in op.dims)
        case _:
            return False


def walked_order(value: SSAValue) -> Dims:
    """The dims of a result of a fusion in the order in which its kernel walks them.

    A permuted result is a transposed store: its kernel walks the dims as the operand of the permute has them.
    """
    permute = transposition(value)
    return dims_of(value if permute is None else permute.operand)


def transposition(value: SSAValue) -> PermuteOp | None:
    """The permute that a result of a fusion is, but for conversions of its elements."""
    while isinstance(value.owner, ConvertOp):
        value = value.owner.operand
    return value.owner if isinstance(value.owner, PermuteOp) else None


def broadcast_axes(op: BroadcastOp) -> list[int]:
    """The result dims along which a broadcast repeats its operand, without those of extent 1."""
    dims = dims_of(op.result)
    source = dims_of(op.operand)
    kept = {axis for axis, dim in zip(op.dims, source, strict=True) if dim == dims[axis]}
    return [axis for axis, dim in enumerate(dims) if dim != 1 and axis not in kept]


class Aligner:
    """Propagates alignment through the ops of one fusion, and refines the space where an op needs it."""

    def __init__(self, space: Space) -> None:
        self.space: Space = space
        self.has_contraction: bool = False
        """Whether there is a contraction: it is computed once, so nothing is FULL after a reduction of its result."""
        self.has_scan: bool = False
        """Whether a value that is FULL may depend on prefixes, which exist after all reductions only."""

    def transfer(self, op: Operation, operands: Sequence[Alignment]) -> Alignment:
        """The alignment of the result of an op, given those of its operands.

        Raises `SpaceError` if an operand that depends on a reduction is needed where it does not exist.
        """
        if isinstance(op, ReduceOp):
            return self._reduce(op, operands[0])
        if isinstance(op, ScanOp):
            return self._scan(op, operands[0])
        if isinstance(op, ContractOp):
            return self._contract(op, operands)
        bound = [alignment for alignment in operands if alignment is not Alignment.FREE]
        if not bound:
            return Alignment.FREE
        if isinstance(op, PointwiseOp):
            if any(alignment is not bound[0] for alignment in bound):
                raise SpaceError("it combines values of two alignments")
            return bound[0]
        if isinstance(op, GatherOp) and operands[0] is Alignment.FULL:
            return self._pick(op, operands[1:])
        if isinstance(op, GatherOp) and operands[0] is Alignment.FREE:
            if any(alignment is not bound[0] for alignment in bound):
                raise SpaceError("its indices have two alignments")
            rank = len(dims_of(op.results[0])) - len(dims_of(op.operands[0])) + len(op.operands) - 1
            dims = dims_of(op.results[0])
            return self._spread(bound[0], dims, [axis for axis in range(rank, len(dims)) if dims[axis] != 1])
        if keeps_flat_index(op):
            return bound[0]
        if isinstance(op, BroadcastOp):
            return self._spread(bound[0], dims_of(op.result), broadcast_axes(op))
        raise SpaceError(f"{op.name} {_ELSEWHERE}")

    def _reduce(self, op: ReduceOp, operand: Alignment) -> Alignment:
        if operand in (Alignment.OUTER, Alignment.COLUMN):
            raise SpaceError("it reduces again what was already reduced")
        if operand is Alignment.FULL and self.has_scan:
            raise SpaceError("it reduces what may depend on prefixes")
        dims = dims_of(op.operand)
        axes = op.dims
        own = Space.of(dims, axes)
        space = self.space.merge(own)
        if space is None and self.space.is_columns(own) and (crossed := self.space.cross(own)) is not None:
            self.space = crossed
            return Alignment.COLUMN
        if space is None:
            raise SpaceError(f"it reduces {_shape(dims)} over dims {list(axes)}, which is not the space {self.space}")
        self.space = space
        return Alignment.OUTER if space.reduced else Alignment.FULL

    def _contract(self, op: ContractOp, operands: Sequence[Alignment]) -> Alignment:
        if any(operand is not Alignment.FREE for operand in operands):
            raise SpaceError("it contracts what depends on a reduction or another contraction")
        if self.space.walked:
            raise SpaceError("it contracts where rows and columns are reduced")
        dims = dims_of(op.result)
        space = self.space.refine(dims)
        if space is None:
            raise SpaceError(f"its result {_shape(dims)} is not the space {self.space}")
        self.space = space
        self.has_contraction = True
        return Alignment.FULL

    def _scan(self, op: ScanOp, operand: Alignment) -> Alignment:
        if operand in (Alignment.OUTER, Alignment.COLUMN):
            raise SpaceError("it scans what was already reduced")
        if self.space.walked:
            raise SpaceError("it scans where rows and columns are reduced")
        dims = dims_of(op.operand)
        space = self.space.merge(Space.of(dims, (op.dim,)))
        if space is None:
            raise SpaceError(f"it scans dim {op.dim} of {_shape(dims)}, which is not the space {self.space}")
        self.space = space
        return Alignment.FULL

    def _pick(self, op: GatherOp, indices: Sequence[Alignment]) -> Alignment:
        """Elements of a FULL value, each at its own outer index and at any index along the reduced dims.

        `gather %x[%i, %k] dims [0, 1]` of rows, where `%i` is `iota dim 0`, needs the reductions of row `i` at row `i`.
        """
        dims, picked = dims_of(op.operand), dims_of(op.result)
        if self.has_scan or Alignment.FULL in indices or len(op.dims) < len(dims):
            raise SpaceError(f"{op.name} {_ELSEWHERE}")
        space = self.space.refine(dims)
        space = space.refine_outer(picked) if space is not None else None
        source = space.runs(dims) if space is not None else None
        target = space.outer_runs(picked) if space is not None else None
        if space is None or source is None or target is None:
            raise SpaceError(f"{op.name} {_ELSEWHERE}")
        for axis, index in zip(op.dims, op.indices, strict=True):
            run = source[axis]
            own = isinstance(index.owner, IotaOp) and target[index.owner.dim] == run
            # Only of i64 the loop level knows that the index is that of the loop.
            own = own and element_type_of(index) == i64
            if not own and (not run or not space.is_reduced(run)):
                raise SpaceError(f"{op.name} {_ELSEWHERE}")
        self.space = space
        return Alignment.OUTER

    def _spread(self, alignment: Alignment, dims: Dims, axes: Sequence[int]) -> Alignment:
        """The alignment of a value that is repeated along the dims `axes` of its result."""
        if not axes:
            return alignment
        if alignment is Alignment.FULL:
            raise SpaceError(f"it repeats to {_shape(dims)} a value that already has the whole space {self.space}")
        if alignment is Alignment.COLUMN:
            raise SpaceError(f"it repeats to {_shape(dims)} a column result, which exists after the walk over the rows")
        if self.has_contraction:
            raise SpaceError(f"it repeats to {_shape(dims)} a reduced value beside a contraction")
        space = self.space.refine(dims)
        runs = space.runs(dims) if space is not None else None
        if space is None or runs is None:
            raise SpaceError(f"it repeats a reduced value to {_shape(dims)}, which is not the space {self.space}")
        for axis, run in enumerate(runs):
            if not (space.is_reduced(run) if axis in axes else space.is_outer(run)):
                raise SpaceError(f"it repeats a reduced value along dims {list(axes)}, which are not the reduced ones")
        self.space = space
        return Alignment.FULL

    def root(self, dims: Dims, alignment: Alignment) -> Alignment:
        """Where a result of the fusion with these dims is stored, given its alignment.

        Raises `SpaceError` if its dims are no runs of factors.
        """
        places = (
            (Alignment.FULL, self.space.refine),
            (Alignment.OUTER, self.space.refine_outer),
            (Alignment.COLUMN, self.space.refine_columns),
        )
        for place, refine in places:
            if alignment in (place, Alignment.FREE) and (space := refine(dims)) is not None:
                self.space = space
                return place
        if alignment is Alignment.FREE and all(dim == 1 for dim in dims):
            return Alignment.SCALAR
        raise SpaceError(
            f"a result of shape {_shape(dims)} is no run of the factors {self.space}, nor of the outer ones"
        )


_ELSEWHERE = "of a value that depends on a reduction or scan needs that value at other places"


def _shape(dims: Dims) -> str:
    return "x".join(str(dim) for dim in dims) or "a scalar"


@dataclass(frozen=True)
class GroupSpace:
    """The space of a fusion with the alignment of its values."""

    space: Space
    alignments: dict[SSAValue, Alignment] = field(compare=False)
    """One entry for each block argument and op result in the fusion."""
    roots: tuple[Alignment, ...]
    """For each yielded value OUTER, COLUMN, FULL or SCALAR: the part of the space at whose points it is stored."""


def group_space(fusion: FusionOp) -> GroupSpace:
    """The space of a fusion: the common refinement of its reductions, its results and its broadcasts of reduced values.

    Raises `SpaceError` if the fusion breaks the rules of this module.
    """
    block = fusion.block
    yielded = block.last_op
    assert yielded is not None
    aligner = Aligner(_initial_space(fusion, yielded))
    alignments: dict[SSAValue, Alignment] = dict.fromkeys(block.args, Alignment.FREE)
    prefixes: set[SSAValue] = set()
    for op in _values_of(fusion):
        aligner.has_scan = any(operand in prefixes for operand in op.operands)
        if aligner.has_scan or isinstance(op, ScanOp):
            prefixes.add(op.results[0])
        try:
            alignment = aligner.transfer(op, [alignments[operand] for operand in op.operands])
        except SpaceError as error:
            raise SpaceError(f"{op.name} in a fusion: {error}") from None
        alignments[op.results[0]] = alignment
    roots = tuple(aligner.root(walked_order(value), alignments[value]) for value in yielded.operands)
    return GroupSpace(aligner.space, alignments, roots)


def verify_fusion_space(fusion: FusionOp) -> None:
    """Check that a fusion can become one kernel. Raises `SpaceError` if not."""
    group_space(fusion)


def _values_of(fusion: FusionOp) -> Iterator[Operation]:
    return (op for op in fusion.block.ops if op.results)


def _initial_space(fusion: FusionOp, yielded: Operation) -> Space:
    """The space of the reductions, else of the first result of more than one element."""
    space: Space | None = None
    for op in fusion.block.ops:
        if isinstance(op, ReduceOp):
            own = Space.of(dims_of(op.operand), op.dims)
            space = own if space is None else space.merge(own) or space.cross(own) or space
        if isinstance(op, ScanOp) and space is None:
            return Space.of(dims_of(op.operand), (op.dim,))
    if space is not None:
        return space
    shapes = [walked_order(value) for value in yielded.operands]
    return Space.of(next((dims for dims in shapes if any(dim != 1 for dim in dims)), ()))
