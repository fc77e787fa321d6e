"""Reorder and collapse the dims of a fused kernel.

*Reordering*: the loops of a nest may be permuted, except those of a scan; dims with large strides go outside, so that
the innermost dim is the one that is contiguous in memory.

*Collapsing*: neighbouring dims `a` in A, `b` in B are one dim `c = a * B + b` in A * B where every access moves B times
as far for a step of `a` as for a step of `b`. Buffers that are contiguous over the two dims are viewed with one dim
less:

```
loop.parallel (%a, %b) in (4, 8) { loop.load %x[%a, %b] : memref<4x8xf32> }
loop.parallel (%c) in (32) { loop.load %x[%c] : memref<32xf32> }
```
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from xdsl.dialects import affine
from xdsl.dialects.builtin import AffineMapAttr, IndexType, MemRefType
from xdsl.ir import Block, Operation, SSAValue
from xdsl.ir.affine import AffineBinaryOpExpr, AffineBinaryOpKind, AffineDimExpr, AffineExpr, AffineMap
from xdsl.rewriter import Rewriter

from fusir.analysis.accesses import Access, AccessOp, KernelAccesses, build_map
from fusir.analysis.expr import Dim, as_dim, as_expr, dim_equal, floordiv, mod, mul, product, simplify, substitute
from fusir.dialects.loop import KernelOp, LoadOp, LoopOp, ScanOp, StoreOp, memref_type, strides_of

_INDEX = IndexType()


def collapse_dims(kernel: KernelOp) -> None:
    """Reorder and collapse the dims of a fused kernel in place; kernels of another form are left alone.

    So is a walk over rows: its columns are dims of two loops, and its rows are in order.
    """
    accesses = KernelAccesses.of(kernel)
    if accesses is not None and accesses.walk is None:
        _Collapser(accesses).run()


class _Collapser:
    def __init__(self, accesses: KernelAccesses):
        self.kernel = accesses.kernel
        self.outer = accesses.outer
        self.inner = accesses.inner
        self.extents = accesses.extents
        self.numbers = accesses.numbers
        self.run_time = accesses.run_time
        self.accesses = accesses.accesses
        self.contraction = accesses.contraction
        self.groups = [accesses.outer_dims, accesses.inner_dims, accesses.contracted_dims]
        self.plain_uses = {
            number
            for index, number in self.numbers.items()
            if number < len(self.extents) and any(not isinstance(use.operation, AccessOp) for use in index.uses)
        }
        """Dims whose index is used as a value, not only in maps."""

    def run(self) -> None:
        outer, inner, contracted = self.groups
        in_order = any(isinstance(loop, ScanOp) for loop in self.inner)
        order = [self._reordered(outer), inner if in_order else self._reordered(inner), contracted]
        if self.contraction is not None:
            # The rows and columns of a product are walked in tiles: their order does not matter.
            order = self.groups
        merged = [self._merged(group) for group in order]
        if merged != [[[dim] for dim in group] for group in self.groups]:
            self._rewrite(merged)

    def _weight(self, access: Access) -> float:
        """How much the order of the dims should follow an access: the elements it covers.

        Stores first among accesses of one size: a scattered store costs more than a scattered load.
        """
        covered = product(self.extents[dim] for dim in access.used if dim < len(self.extents))
        size = float(covered) if isinstance(covered, int) else 2.0**40
        return size + (0.5 if isinstance(access.op, StoreOp) else 0.0)

    def _reordered(self, group: list[int]) -> list[int]:
        """The dims of a group by falling stride in the accesses, those of the largest weight first."""
        keys: dict[int, list[int]] = {dim: [] for dim in group}
        for access in sorted((a for a in self.accesses if a.is_memory), key=self._weight, reverse=True):
            strides = [access.stride(dim) for dim in group]
            if None in strides or not any(strides):
                continue
            for dim, stride in zip(group, strides, strict=True):
                if not isinstance(stride, int):
                    return group
                keys[dim].append(-abs(stride))
        return sorted(group, key=lambda dim: keys[dim])

    def _merged(self, group: list[int]) -> list[list[int]]:
        """The dims of a group in runs that collapse into one dim each."""
        runs: list[list[int]] = []
        for dim in group:
            if runs and self._collapsible(runs[-1][-1], dim):
                runs[-1].append(dim)
            else:
                runs.append([dim])
        return runs

    def _collapsible(self, a: int, b: int) -> bool:
        if a in self.plain_uses or b in self.plain_uses:
            return False
        for access in self.accesses:
            stride_a, stride_b = access.stride(a), access.stride(b)
            if stride_a is None or stride_b is None:
                return False
            if not dim_equal(stride_a, as_dim(simplify(mul(stride_b, self.extents[b])))):
                return False
        return True

    def _rewrite(self, merged: Sequence[Sequence[Sequence[int]]]) -> None:
        """Give the loops the merged dims and rewrite every access."""
        new_extents: list[Dim] = []
        replacements: dict[int, AffineExpr] = {}
        new_place: dict[int, int] = {}
        for run in (run for group in merged for run in group):
            number = len(new_extents)
            new_place |= dict.fromkeys(run, number)
            new_extents.append(product(self.extents[dim] for dim in run))
            flat = AffineExpr.dimension(number)
            stride: Dim = 1
            for position, dim in reversed(list(enumerate(run))):
                part = floordiv(flat, stride)
                replacements[dim] = mod(part, self.extents[dim]) if position else part
                stride = product((stride, self.extents[dim]))
        indices: dict[int, SSAValue] = {}
        for old, value in self.run_time.items():
            number = len(new_extents) + old - len(self.extents)
            replacements[old] = AffineExpr.dimension(number)
            indices[number] = value
        for access in self.accesses:
            access.exprs = tuple(simplify(substitute(expr, replacements), new_extents) for expr in access.exprs)
        self._merge_buffer_dims(new_extents)

        ends = list(itertools.accumulate((len(group) for group in merged), initial=0))
        outer, inner, contracted = (range(*bounds) for bounds in itertools.pairwise(ends))
        places: list[tuple[LoopOp, range]] = [(self.outer, outer), *((loop, inner) for loop in self.inner)]
        if self.contraction is not None:
            places.append((self.contraction, contracted))
        blocks: dict[Block, dict[int, SSAValue]] = {}
        for loop, own in places:
            self._replace_indices(loop, [new_extents[place] for place in own], own, new_place, indices, blocks)
        if self.contraction is not None:
            around = self.contraction.parent_block()
            assert around is not None
            blocks[self.contraction.body.block] |= blocks.get(around, {})
        for access in self.accesses:
            self._rebuild(access, indices, blocks)
        for loop, own in places:
            block = loop.body.block
            for arg in list(block.args)[: len(block.args) - len(own)]:
                block.erase_arg(arg)

    def _replace_indices(
        self,
        loop: LoopOp,
        extents: Sequence[Dim],
        places: Sequence[int],
        new_place: dict[int, int],
        indices: dict[int, SSAValue],
        blocks: dict[Block, dict[int, SSAValue]],
    ) -> None:
        """Append the new index arguments to the loop and set its bounds; the old ones go when no access uses them."""
        block = loop.body.block
        old = list(block.args)
        own: dict[int, SSAValue] = {}
        for place in places:
            own[place] = block.insert_arg(_INDEX, len(block.args))
        for arg in old:
            # A dim whose index is used as a value never merges, it only may have moved.
            for use in list(arg.uses):
                if not isinstance(use.operation, AccessOp):
                    use.operation.operands[use.index] = own[new_place[self.numbers[arg]]]
        if loop is self.outer:
            indices |= own
        else:
            blocks[block] = own
        used = any(not isinstance(extent, int) for extent in extents)
        symbols = self.kernel.symbols if used else []
        bounds = AffineMap(0, len(symbols), tuple(as_expr(extent) for extent in extents))
        loop.properties["bounds"] = AffineMapAttr(bounds)
        loop.operands = list(symbols)

    def _rebuild(self, access: Access, indices: dict[int, SSAValue], blocks: dict[Block, dict[int, SSAValue]]) -> None:
        op = access.op
        block = op.parent_block()
        assert block is not None
        index_map, operands = build_map(access.exprs, indices | blocks.get(block, {}), self.kernel)
        new: Operation
        match op:
            case LoadOp():
                new = LoadOp(op.memref, index_map, operands, op.predicate, op.other, location=op.location)
            case StoreOp():
                new = StoreOp(op.value, op.memref, index_map, operands, op.predicate, location=op.location)
            case affine.ApplyOp() if isinstance(access.exprs[0], AffineDimExpr):
                op.result.replace_all_uses_with(operands[0])
                op.detach()
                op.erase()
                return
            case affine.ApplyOp():
                new = affine.ApplyOp(operands, index_map)
                new.location = op.location
        block.insert_op_before(new, op)
        for old_result, result in zip(op.results, new.results, strict=True):
            result.name_hint = old_result.name_hint
            old_result.replace_all_uses_with(result)
        op.detach()
        op.erase()

    def _merge_buffer_dims(self, ranges: Sequence[Dim]) -> None:
        """View buffers with fewer dims where that makes their indices simpler."""
        by_buffer: dict[SSAValue, list[Access]] = {}
        for access in self.accesses:
            if isinstance(access.op, LoadOp | StoreOp):
                by_buffer.setdefault(access.op.memref, []).append(access)
        for buffer, accesses in by_buffer.items():
            old_type = buffer.type
            assert isinstance(old_type, MemRefType)
            shape: list[int] = list(old_type.get_shape())
            strides = list(strides_of(old_type))
            k = 0
            while k + 1 < len(shape):
                if not self._try_merge(k, shape, strides, accesses, ranges):
                    k += 1
            if len(shape) < len(old_type.get_shape()):
                new_type = memref_type(old_type.element_type, shape, strides)
                Rewriter.replace_value_with_new_type(buffer, new_type)

    def _try_merge(
        self,
        k: int,
        shape: list[int],
        strides: list[Dim],
        accesses: Sequence[Access],
        ranges: Sequence[Dim],
    ) -> bool:
        inner = shape[k + 1]
        if inner < 0 or shape[k] < 0 or strides[k] != as_dim(simplify(mul(strides[k + 1], inner))):
            return False
        before = sum(_divisions(access.exprs[k]) + _divisions(access.exprs[k + 1]) for access in accesses)
        flat = [simplify(mul(access.exprs[k], inner) + access.exprs[k + 1], ranges) for access in accesses]
        if sum(map(_divisions, flat)) >= before:
            return False
        for access, expr in zip(accesses, flat, strict=True):
            access.exprs = (*access.exprs[:k], expr, *access.exprs[k + 2 :])
        shape[k : k + 2] = [shape[k] * inner]
        del strides[k]
        return True


def _divisions(expr: AffineExpr) -> int:
    """How many divisions and remainders an expression has."""
    return sum(
        isinstance(part, AffineBinaryOpExpr)
        and part.kind in (AffineBinaryOpKind.FloorDiv, AffineBinaryOpKind.Mod, AffineBinaryOpKind.CeilDiv)
        for part in expr.dfs()
    )
