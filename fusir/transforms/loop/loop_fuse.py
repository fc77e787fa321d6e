"""`loop-fuse`: the nests of a kernel become one nest.

Each nest is a function from indices to a scalar. The fused nest evaluates the roots (what the kernel must store) and
the reductions on demand, by these laws:

- *store-to-load forwarding*: a load from a buffer that a nest defines is that nest's scalar at the loaded indices, and
  the buffer vanishes;
- *sibling nests*: roots with one box share the loops;
- *rows and columns in one walk*: reductions over rows and over columns of one box are one `loop.reduce` over the rows,
  whose body has the row reductions, and whose columns are parallel;
- *sibling scans*: prefixes over one box, and what is computed of them, are in one `loop.scan`; the extremum of what is
  searched for its position is found with it;
- *sibling reductions*: reductions that do not depend on each other become one `loop.reduce` with several results;
- *equal reductions*: two of one combiner and one value are one, and an extremum beside the position of the same value
  is what the arg reduction has anyway;
- *hoisting by support*: a scalar that does not depend on the inner loops is computed outside of them.

```
loop.parallel (%i, %k) in (8, 16) { %a = load %x[%i, %k]; %b = exp %a; store %b, %t[%i, %k] }
loop.parallel (%i) in (8) { %s = reduce add (%k) in (16) { load %t[%i, %k] }; store %s, %u[%i] }
loop.parallel (%i, %j) in (8, 16) { store (load %t[%i, %j]) / (load %u[%i]), %y[%i, %j] }
```
becomes
```
loop.parallel (%i) in (8) {
  %s = reduce add (%k) in (16) { exp (load %x[%i, %k]) }
  loop.parallel (%j) in (16) { store exp (load %x[%i, %j]) / %s, %y[%i, %j] }
}
```
"""

from __future__ import annotations

import sys
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import AffineMapAttr, IndexType, ModuleOp
from xdsl.ir import Block, Region, SSAValue
from xdsl.ir.affine import AffineMap
from xdsl.passes import ModulePass
from xdsl.utils.exceptions import DiagnosticException

from fusir.analysis.contractions import contracted_dims, products_of
from fusir.analysis.expr import Dim, as_expr
from fusir.analysis.nests import CONTRACTION, Alignment, Nest, align, find_nests
from fusir.analysis.support import supports
from fusir.dialects.loop import PRECISION, KernelOp, LocalOp, ParallelOp, ReduceOp, ScanOp, YieldOp
from fusir.remarks import remark
from fusir.transforms.loop.collapse_dims import collapse_dims
from fusir.transforms.loop.scalar_evaluator import ScalarEvaluator
from fusir.transforms.loop.share_reductions import Term, share_reductions, split_terms
from fusir.transforms.loop.simplify_kernel import erase_dead_scalars

_INDEX = IndexType()

RECURSION_LIMIT = 1_000_000
"""Python frames: forwarding follows chains of nests recursively. Pure Python frames live on the heap."""


@dataclass(frozen=True)
class LoopFusePass(ModulePass):
    """Fuse the nests of every kernel into one, then collapse and reorder its dims."""

    name = "loop-fuse"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for kernel in list(op.ops):
            if isinstance(kernel, KernelOp):
                fuse_kernel(kernel)


def fuse_kernel(kernel: KernelOp) -> None:
    """Fuse the nests of `kernel` in place if they lie in one box, then collapse and reorder its dims."""
    fuse_nests(kernel)
    _demote_contraction(kernel)
    collapse_dims(kernel)


def _demote_contraction(kernel: KernelOp) -> None:
    """Make a contraction with one row or one column an ordinary reduction: no tile of it is a dot."""
    outer = next((op for op in kernel.body.block.ops if isinstance(op, ParallelOp)), None)
    loop = None if outer is None else next((op for op in outer.body.block.ops if CONTRACTION in op.attributes), None)
    if not isinstance(loop, ReduceOp):
        return
    products = products_of(loop)
    if products is None or contracted_dims(loop, products, supports(kernel)) is None:
        del loop.attributes[CONTRACTION]
        loop.attributes.pop(PRECISION, None)


def fuse_nests(kernel: KernelOp) -> bool:
    """Fuse the nests of `kernel` in place; False, with a remark, if they do not lie in one box."""
    nests = find_nests(kernel)
    if nests is None:
        return False
    alignment = align(nests)
    if isinstance(alignment, str):
        remark("not-fused", "loop-fuse", f"@{kernel.sym_name.data}: {alignment}", kernel.location)
        return False
    fuser = _Fuser(kernel, nests, alignment)
    try:
        with _deep_recursion():
            fuser.run()
    except DiagnosticException as error:
        fuser.evaluator.discard()
        remark("not-fused", "loop-fuse", f"@{kernel.sym_name.data}: {error}", kernel.location)
        return False
    erase_dead_scalars(kernel)
    return True


@contextmanager
def _deep_recursion() -> Generator[None]:
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, RECURSION_LIMIT))
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)


class _Fuser:
    def __init__(self, kernel: KernelOp, nests: Sequence[Nest], alignment: Alignment):
        self.kernel = kernel
        self.nests = nests
        self.alignment = alignment
        box = alignment.box
        self.outer = box.outer
        self.inner = box.inner
        self.reductions = [nest for nest in nests if nest.reduce is not None and nest not in alignment.columns]
        """Those over the inner factors."""
        self.after_walk = (alignment.columns | alignment.scalar) if box.walk else set[Nest]()
        """The roots that are stored after the walk over the rows."""
        self.evaluator = ScalarEvaluator(kernel, nests, alignment)

    def run(self) -> None:
        """Build the fused nest, then put it in the place of the old ones."""
        box = self.alignment.box
        if box.walk:
            places = [*box.parallel, *box.inner]
            outer_block = self._loop_block(places)
            self.evaluator.enter(outer_block, places)
            self._walk_pass(outer_block)
        else:
            places = self.outer
            outer_block = self._loop_block(places)
            self.evaluator.enter(outer_block, places)
            self._rows(outer_block)
        bounds, symbols = self._bounds(places)
        fused = ParallelOp(AffineMapAttr(bounds), symbols, Region(outer_block), location=self.nests[-1].op.location)
        block = self.kernel.body.block
        for nest in self.nests:
            nest.op.detach()
        for op in list(block.ops):
            if isinstance(op, LocalOp):
                op.detach()
        block.add_ops([*self.evaluator.new_constants(), fused])
        for nest in self.nests:
            nest.op.erase(safe_erase=False)

    def _rows(self, outer_block: Block) -> None:
        """The reductions level by level and all stores."""
        levels = self._reduce_levels(outer_block)
        full = [nest for nest in self.nests if nest in self.alignment.full]
        rest = [nest for nest in full if nest.level >= levels or nest.is_scanned]
        if rest:
            self._store_pass(rest, outer_block)

    def _reduce_levels(self, block: Block) -> int:
        """The reductions over the inner factors and the stores of their results, level by level; how many there are."""
        levels = max((nest.level + 1 for nest in self.reductions), default=0)
        for level in range(levels):
            self._outer_roots(level)
            self._reduce_pass(level, block)
        self._outer_roots(levels)
        return levels

    def _walk_pass(self, outer_block: Block) -> None:
        """The column reductions as one `loop.reduce` over the walked factors, with all row reductions and stores in it.

        Full roots stand where the columns are walked in parallel, outside of the loops of the row reductions, so that
        one iteration of the walk is a row in all of them.
        """
        box, columns = self.alignment.box, self.alignment.columns
        walked = box.walk
        block = self._loop_block(walked)
        self.evaluator.enter(block, walked)
        self._reduce_levels(block)
        full = [nest for nest in self.nests if nest in self.alignment.full]
        reductions = [nest for nest in self.nests if nest in columns and nest.reduce is not None]
        self._reduce(reductions, full, walked, block, outer_block)
        for nest in self.nests:
            if nest.is_root and nest in self.after_walk:
                self._store(nest)

    def _loop_block(self, places: Sequence[int]) -> Block:
        return Block(arg_types=[_INDEX] * max(1, len(places)))

    def _bounds(self, places: Sequence[int]) -> tuple[AffineMap, Sequence[SSAValue]]:
        extents: list[Dim] = [self.alignment.box.extents[i] for i in places] or [1]
        symbols = [] if all(isinstance(extent, int) for extent in extents) else self.kernel.symbols
        return AffineMap(0, len(symbols), tuple(as_expr(extent) for extent in extents)), symbols

    def _outer_roots(self, level: int) -> None:
        """Store the roots that walk the outer factors and need exactly the reductions below `level`."""
        for nest in self.nests:
            if not nest.is_root or nest in self.alignment.full or nest in self.after_walk:
                continue
            if nest.level + (nest.reduce is not None) == level:
                self._store(nest)

    def _store(self, nest: Nest) -> None:
        index = self.alignment.index[nest]
        self.evaluator.store(nest, index)

    def _reduce_pass(self, level: int, outer_block: Block) -> None:
        """One `loop.reduce` for all reductions of a level, with the stores that can ride along."""
        nests = [nest for nest in self.reductions if nest.level == level]
        block = self._loop_block(self.inner)
        aliases = self.alignment.aliases
        self.evaluator.enter(block, [aliases.get(place, place) for place in self.inner])
        full = [nest for nest in self.nests if nest in self.alignment.full and nest.level == level]
        riding = [] if aliases else [nest for nest in full if not nest.is_scanned]
        self._reduce(nests, riding, self.inner, block, outer_block)

    def _reduce(
        self, nests: Sequence[Nest], stores: Sequence[Nest], places: Sequence[int], block: Block, outer_block: Block
    ) -> None:
        """Put a `loop.reduce` of the reductions `nests` with the body `block`, which also stores, into `outer_block`.

        The evaluator has entered `block` and leaves it.
        """
        terms: list[Term] = []
        for nest in nests:
            assert nest.reduce is not None
            terms += split_terms(nest.reduce.combiners, self.evaluator.reduction_operands(nest))
        combiners, yielded, positions = share_reductions(terms)
        for nest in stores:
            self._store(nest)
        block.add_op(YieldOp(yielded, location=nests[0].op.location))
        bounds, symbols = self._bounds(places)
        first = nests[0].reduce
        assert first is not None
        reduce = ReduceOp(
            combiners,
            AffineMapAttr(bounds),
            symbols,
            Region(block),
            [value.type for value in yielded],
            location=first.location,
        )
        self.evaluator.leave()
        outer_block.add_op(reduce)
        results = (reduce.results[position] for position in positions)
        for nest in nests:
            assert nest.reduce is not None
            values = [next(results) for _ in nest.reduce.results]
            for value, old in zip(values, nest.reduce.results, strict=True):
                value.name_hint = value.name_hint or old.name_hint
            self.evaluator.define_reduction(nest, values)

    def _store_pass(self, nests: Sequence[Nest], outer_block: Block) -> None:
        """The last walk over the inner factors: roots that need every reduction, and those that need prefixes."""
        block = self._loop_block(self.inner)
        self.evaluator.enter(block, self.inner)
        for nest in self.nests:
            if nest.finds_position:
                self.evaluator.fold(nest)
        for nest in nests:
            self._store(nest)
        self.evaluator.leave()
        bounds, symbols = self._bounds(self.inner)
        scan = next((nest.scan for nest in self.nests if nest.scan is not None), None)
        location = nests[0].op.location
        if scan is None:
            outer_block.add_op(ParallelOp(AffineMapAttr(bounds), symbols, Region(block), location=location))
        else:
            outer_block.add_op(ScanOp(AffineMapAttr(bounds), symbols, Region(block), scan.reverse, location=location))
