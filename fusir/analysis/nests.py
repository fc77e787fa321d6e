"""The loop nests of a kernel before fusion, and the box that they share.

A nest is a top-level `loop.parallel` that stores one value, element by element, into a buffer that no other nest
writes; a reduction nest computes that value by one `loop.reduce`, a scan nest stores prefixes in one `loop.scan`. A
kernel of such nests is a function from indices to scalars for each buffer, which is what makes forwarding a
substitution.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from xdsl.dialects.builtin import ArrayAttr, IndexType, IntAttr
from xdsl.ir import BlockArgument, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineExpr

from fusir.analysis.expr import Dim, as_dim, as_expr, dim_equal, product, substitute
from fusir.analysis.factors import common_refinement, dim_exprs, runs_of
from fusir.dialects.loop import KernelOp, LoadOp, LocalOp, LoopOp, ParallelOp, PrefixOp, ReduceOp, ScanOp, StoreOp

REDUCED_DIMS = "loop.reduced_dims"
"""Attribute of a naive `loop.reduce`: where its dims stand in the row-major box it walks with the loops around it."""

CONTRACTION = "loop.contraction"
"""Attribute of a `loop.reduce` of products, each factor of which misses dims of the loops around it: its loop is none
of the box, it is walked wherever the result is computed."""

WALKED_ORDER = "loop.walked_order"
"""Attribute of a naive `loop.parallel` that copies: its dims in the order in which the row-major box has them."""


@dataclass(eq=False)
class Nest:
    """One loop nest and the buffer it defines."""

    op: ParallelOp
    store: StoreOp
    reduce: ReduceOp | None
    extents: tuple[Dim, ...]
    """Extents of the dims of the buffer over the symbols of the kernel; () for a nest of one element."""
    scan: ScanOp | None = None
    contraction: ReduceOp | None = None
    reads: list[Nest] = field(default_factory=list)
    """The nests whose buffers this one reads."""
    is_scanned: bool = False
    """Whether the value is or depends on a prefix: then it exists in the common loop of the scans only."""
    is_contracted: bool = False
    """Whether the value is or depends on a contraction."""
    level: int = 0
    """The most reductions on a path of reads up to this nest, itself not counted."""

    @property
    def order(self) -> list[int]:
        """The dims of the buffer in the order in which the box has them: another one in a transposed copy."""
        attr = self.op.attributes.get(WALKED_ORDER)
        natural = list(range(len(self.extents)))
        computes = self.reduce or self.scan or self.contraction
        if computes is not None or not isinstance(attr, ArrayAttr):
            return natural
        order = [dim.data for dim in attr if isinstance(dim, IntAttr)]
        return order if sorted(order) == natural else natural

    @property
    def buffer(self) -> SSAValue:
        return self.store.memref

    @property
    def is_root(self) -> bool:
        """Whether the buffer is an argument of the kernel, so that the stores must happen."""
        return not isinstance(self.buffer.owner, LocalOp)

    @property
    def indices(self) -> Sequence[SSAValue]:
        """The loop index along each dim of the buffer."""
        return self.op.indices if self.scan is None else self.store.indices

    @property
    def finds_position(self) -> bool:
        """Whether this is a scan that folds values with their indices."""
        return self.scan is not None and any(
            isinstance(op, PrefixOp) and op.combiner.has_index for op in self.scan.body.block.ops
        )

    def scanned_box(self) -> tuple[list[Dim], list[bool]]:
        """Extents and "is walked in order" flags of the row-major box of a scan nest."""
        assert self.scan is not None
        return list(self.extents), [index in self.scan.indices for index in self.store.indices]

    def reduced_box(self) -> tuple[list[Dim], list[bool]]:
        """Extents and "is reduced" flags of the row-major box that a reduction nest walks."""
        assert self.reduce is not None
        inner = kernel_extents(self.reduce)
        attr = self.reduce.attributes.get(REDUCED_DIMS)
        count = len(self.extents) + len(inner)
        places = list(range(len(self.extents), count))
        if isinstance(attr, ArrayAttr) and len(attr) == len(inner):
            places = [place.data for place in attr if isinstance(place, IntAttr)]
        reduced = dict(zip(places, inner, strict=True))
        outer = iter(self.extents)
        extents = [reduced[i] if i in reduced else next(outer) for i in range(count)]
        return extents, [i in reduced for i in range(count)]


def kernel_extents(op: LoopOp) -> tuple[Dim, ...]:
    """The extents of a loop over the symbols of its kernel."""
    if not op.symbols:
        return op.extents
    symbols = {i: AffineExpr.symbol(symbol_number(symbol)) for i, symbol in enumerate(op.symbols)}
    return tuple(as_dim(substitute(as_expr(extent), (), symbols)) for extent in op.extents)


def symbol_number(symbol: SSAValue) -> int:
    """The `i` of the kernel argument that is the symbol `s<i>`."""
    assert isinstance(symbol, BlockArgument)
    return sum(1 for arg in symbol.block.args[: symbol.index] if isinstance(arg.type, IndexType))


def find_nests(kernel: KernelOp) -> list[Nest] | None:
    """The nests of a kernel in order with their reads and levels, or None if it is not made of nests alone.

    A buffer that is read before it is written is none of a nest: it has two values.
    """
    nests: dict[SSAValue, Nest] = {}
    read: set[SSAValue] = set()
    for op in kernel.body.block.ops:
        if not isinstance(op, ParallelOp):
            continue
        nest = as_nest(op)
        if nest is None or nest.buffer in nests:
            return None
        for load in op.walk():
            if not isinstance(load, LoadOp):
                continue
            read.add(load.memref)
            if (source := nests.get(load.memref)) is not None:
                nest.reads.append(source)
                nest.level = max(nest.level, source.level + (source.reduce is not None))
                nest.is_scanned |= source.is_scanned
                nest.is_contracted |= source.is_contracted
        if nest.buffer in read:
            return None
        nests[nest.buffer] = nest
    return list(nests.values())


def as_nest(op: ParallelOp) -> Nest | None:
    """What a top-level loop computes, None if it has not the form of a nest."""
    reduces = [inner for inner in op.body.block.ops if isinstance(inner, LoopOp)]
    stores = [inner for inner in op.walk() if isinstance(inner, StoreOp)]
    if len(stores) != 1 or stores[0].predicate is not None:
        return None
    if len(reduces) == 1 and isinstance(reduces[0], ScanOp):
        return _as_scan_nest(op, reduces[0], stores[0])
    if stores[0].parent_op() is not op:
        return None
    if len(reduces) > 1 or any(not isinstance(reduce, ReduceOp) for reduce in reduces):
        return None
    reduce = reduces[0] if reduces else None
    assert reduce is None or isinstance(reduce, ReduceOp)
    store = stores[0]
    extents = kernel_extents(op)
    rank = len(store.map.data.results)
    if rank == 0:
        extents = ()
    identity = tuple(AffineDimExpr(i) for i in range(rank))
    if store.map.data.results != identity or tuple(store.indices) != op.indices[:rank]:
        return None
    if len(extents) != rank and not (rank == 0 and op.extents == (1,)):
        return None
    if reduce is not None and any(isinstance(inner, LoopOp) for inner in reduce.body.block.ops):
        return None
    if reduce is not None and CONTRACTION in reduce.attributes:
        return Nest(op, store, None, extents, contraction=reduce, is_contracted=True)
    return Nest(op, store, reduce, extents)


def _as_scan_nest(op: ParallelOp, scan: ScanOp, store: StoreOp) -> Nest | None:
    rank = len(store.map.data.results)
    extents: dict[SSAValue, Dim] = dict(zip(scan.indices, kernel_extents(scan), strict=True))
    if rank > 1:
        extents |= zip(op.indices, kernel_extents(op), strict=True)
    elif op.extents != (1,):
        return None
    if store.map.data.results != tuple(AffineDimExpr(i) for i in range(rank)) or set(store.indices) != set(extents):
        return None
    if store.parent_op() is not scan or any(isinstance(inner, LoopOp) for inner in scan.body.block.ops):
        return None
    return Nest(op, store, None, tuple(extents[index] for index in store.indices), scan, is_scanned=True)


@dataclass
class Box:
    """The row-major box of factors that a fused kernel walks: outer ones in parallel, the others in its inner loops.

    Of the outer factors those that are *walked* are reduced by the column reductions (`fusir.analysis.space`).
    """

    extents: list[Dim]
    reduced: list[bool]
    walked: list[bool]

    @property
    def outer(self) -> list[int]:
        return [i for i, reduced in enumerate(self.reduced) if not reduced]

    @property
    def inner(self) -> list[int]:
        return [i for i, reduced in enumerate(self.reduced) if reduced]

    @property
    def walk(self) -> list[int]:
        return [i for i, walked in enumerate(self.walked) if walked]

    @property
    def parallel(self) -> list[int]:
        """The outer factors that are not walked."""
        return [i for i in self.outer if not self.walked[i]]

    @property
    def columns(self) -> list[int]:
        """All factors that are not walked."""
        return [i for i, walked in enumerate(self.walked) if not walked]

    def refine(self, places: Sequence[int], dims: Sequence[Dim]) -> bool:
        """Split the factors at `places` so that `dims` are products of runs of them; False if that cannot be."""
        pieces = common_refinement([self.extents[i] for i in places], dims)
        if pieces is None:
            return False
        parts: dict[int, list[Dim]] = {}
        for piece in pieces:
            parts.setdefault(places[piece.first], []).append(piece.extent)
        extents: list[Dim] = []
        reduced: list[bool] = []
        walked: list[bool] = []
        for i, extent in enumerate(self.extents):
            factors = parts.get(i, [extent])
            extents += factors
            reduced += [self.reduced[i]] * len(factors)
            walked += [self.walked[i]] * len(factors)
        self.extents, self.reduced, self.walked = extents, reduced, walked
        return True

    def index_of(self, places: Sequence[int], dims: Sequence[Dim]) -> list[AffineExpr] | None:
        """The index along each of `dims`, with the factor at place `i` walked by dim `d<i>`."""
        pieces = common_refinement([self.extents[i] for i in places], dims)
        if pieces is None or len({piece.first for piece in pieces}) < len(pieces):
            return None
        runs = runs_of((piece.second for piece in pieces), len(dims))
        indices = [AffineExpr.dimension(places[piece.first]) for piece in pieces]
        return dim_exprs(runs, [piece.extent for piece in pieces], indices)


@dataclass
class Alignment:
    """How the nests of a kernel lie in their common box."""

    box: Box
    index: dict[Nest, list[AffineExpr]]
    """For each root and each reduction or scan nest: the index along each of its dims, over `d<factor>`."""
    inner_index: dict[Nest, list[AffineExpr]]
    """For each reduction nest: the index along each reduced dim. A row reduction beside column reductions has loops of
    its own, whose indices are the `aliases` of the reduced factors."""
    full: set[Nest]
    """The roots that walk the whole box; the other aligned nests walk the outer factors."""
    columns: set[Nest]
    """The column reductions and the roots at their results: these walk all factors that are not walked."""
    scalar: set[Nest]
    """The roots of one element beside a larger box: stored where all outer indices are 0."""

    @property
    def aliases(self) -> dict[int, int]:
        """For each reduced factor the dim that walks it in the row reductions, where it is a parallel one elsewhere."""
        count = len(self.box.extents)
        return {i: count + i for i in self.box.inner} if self.box.walk else {}

    @property
    def ranges(self) -> tuple[Dim, ...]:
        """The extents of the factors and of their aliases, by dim."""
        return (*self.box.extents, *self.box.extents) if self.box.walk else tuple(self.box.extents)


def align(nests: Sequence[Nest]) -> Alignment | str:
    """Put all reductions and all roots into one box, or say why that cannot be.

    Every nest of the result walks the box in row-major order: a root all of it or its outer factors, a reduction the
    outer factors and, inside, the reduced ones.
    """
    reductions = [nest for nest in nests if nest.reduce is not None]
    scans = [nest for nest in nests if nest.scan is not None]
    if any(nest.is_scanned for nest in reductions):
        return "a reduction of prefixes"
    if len({nest.scan.reverse for nest in scans if nest.scan is not None}) > 1:
        return "prefixes from both ends"
    roots = [nest for nest in nests if nest.is_root]
    contractions = [nest for nest in nests if nest.contraction is not None]
    single = {
        nest
        for nest in roots
        if nest.reduce is None and nest.level == 0 and not nest.is_contracted and product(nest.extents) == 1
    }
    if not reductions and len(single) == len(roots):
        single = set()
    roots = [nest for nest in roots if nest not in single]
    if reductions:
        box = _box(*reductions[0].reduced_box())
    elif scans:
        box = _box(*scans[0].scanned_box())
    elif roots:
        largest = max(roots, key=lambda nest: len(nest.extents))
        box = _box([largest.extents[dim] for dim in largest.order], [False] * len(largest.extents))
    else:
        return "nothing is stored to an argument of the kernel"

    def everything() -> list[int]:
        return list(range(len(box.extents)))

    for nest in (*reductions, *scans):
        extents, flags = nest.reduced_box() if nest.scan is None else nest.scanned_box()
        error = _refine_reduction(box, extents, flags, may_walk=not scans)
        if error:
            return error
    for nest in contractions:
        if box.walk or not box.refine(everything(), nest.extents):
            return f"a contraction of extents {_text(nest.extents)} does not lie in the box {_text(box.extents)}"
    columns = _columns(nests, box)
    full: set[Nest] = set()
    outer_size = product(box.extents[i] for i in box.outer)
    for nest in roots:
        if nest.reduce is not None:
            continue
        extents = [nest.extents[dim] for dim in nest.order]
        if nest in columns:
            if not box.refine(box.columns, extents):
                return f"a buffer of extents {_text(nest.extents)} is not one of columns of {_text(box.extents)}"
            continue
        is_outer = not nest.is_scanned and dim_equal(product(nest.extents), outer_size)
        if is_outer and box.refine(box.outer, extents):
            continue
        if not box.refine(everything(), extents):
            if box.walk and nest.level == 0 and box.refine(box.columns, extents):
                columns.add(nest)
                continue
            return f"a buffer of extents {_text(nest.extents)} does not lie in the box {_text(box.extents)}"
        full.add(nest)

    index: dict[Nest, list[AffineExpr]] = {}
    inner_index: dict[Nest, list[AffineExpr]] = {}
    for nest in dict.fromkeys([*reductions, *scans, *contractions, *roots]):
        if nest.reduce is not None:
            extents, flags = nest.reduced_box()
            exprs = box.index_of(everything(), extents)
            if exprs is None:
                return f"a reduction over {_text(extents)} does not lie in the box {_text(box.extents)}"
            index[nest] = [expr for expr, flag in zip(exprs, flags, strict=True) if not flag]
            inner_index[nest] = [expr for expr, flag in zip(exprs, flags, strict=True) if flag]
        else:
            places = box.columns if nest in columns else box.outer
            exprs = box.index_of(
                everything() if nest in full or nest.is_scanned or nest.contraction is not None else places,
                [nest.extents[dim] for dim in nest.order],
            )
            if exprs is None:
                return f"a buffer of extents {_text(nest.extents)} does not lie in the box {_text(box.extents)}"
            along = dict(zip(nest.order, exprs, strict=True))
            index[nest] = [along[dim] for dim in range(len(exprs))]
    if single and (outer_size == 0 or (box.walk and 0 in box.extents)):
        return "a single element beside a box without elements"
    index |= {nest: [AffineExpr.constant(0)] * len(nest.extents) for nest in single}
    alignment = Alignment(box, index, inner_index, full, columns, single)
    aliases = {old: AffineExpr.dimension(new) for old, new in alignment.aliases.items()}
    for nest in inner_index if aliases else ():
        if nest not in columns:
            inner_index[nest] = [substitute(expr, aliases, ()) for expr in inner_index[nest]]
    return alignment


def _box(extents: Sequence[Dim], reduced: Sequence[bool]) -> Box:
    """The box of these factors but those of extent 1, none of them walked."""
    keep = [i for i, extent in enumerate(extents) if extent != 1]
    return Box([extents[i] for i in keep], [reduced[i] for i in keep], [False] * len(keep))


def _columns(nests: Sequence[Nest], box: Box) -> set[Nest]:
    """The column reductions and the roots that depend on them."""
    if not box.walk:
        return set()
    columns: set[Nest] = set()
    for nest in nests:
        if nest.reduce is not None:
            extents, flags = nest.reduced_box()
            if _factor_flags(box, extents, flags) == box.walked:
                columns.add(nest)
        elif any(read in columns for read in nest.reads):
            columns.add(nest)
    return columns


def _factor_flags(box: Box, extents: Sequence[Dim], flags: Sequence[bool]) -> list[bool] | None:
    """For each factor of the box the flag of the dim that it is a factor of, None if the box is not fine enough."""
    pieces = common_refinement(box.extents, extents)
    if pieces is None or len(pieces) != len(box.extents):
        return None
    return [flags[piece.second] for piece in pieces]


def _refine_reduction(box: Box, extents: Sequence[Dim], flags: Sequence[bool], may_walk: bool) -> str | None:
    """Refine the box by the box of a reduction, which reduces the same factors, or those that are or become walked."""
    if box.refine(list(range(len(box.extents))), extents):
        own = _factor_flags(box, extents, flags)
        if own == box.reduced or (box.walk and own == box.walked):
            return None
        is_static = all(isinstance(extent, int) and extent > 0 for extent in box.extents)
        if may_walk and own is not None and is_static and not box.walk and box.inner and any(own):
            crossed = any(a and b for a, b in zip(own, box.reduced, strict=True))
            if not crossed and (own[-1] or box.reduced[-1]):
                # The rows are those of the reductions over the last factor.
                box.reduced, box.walked = (own, box.reduced) if own[-1] else (box.reduced, own)
                return None
    return (
        f"reductions or scans over different dims: dims {_places(flags)} of {_text(extents)}, "
        f"dims {_places(box.reduced)} of {_text(box.extents)}"
    )


def _places(flags: Sequence[bool]) -> list[int]:
    return [i for i, flag in enumerate(flags) if flag]


def _text(extents: Sequence[Dim]) -> str:
    return "x".join(f"({extent})" if isinstance(extent, AffineExpr) else str(extent) for extent in extents) or "1"


__all__ = ["Alignment", "Box", "Nest", "align", "as_nest", "find_nests", "kernel_extents"]
