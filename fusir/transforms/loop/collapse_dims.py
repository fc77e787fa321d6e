"""Reorder and collapse the dims of a fused kernel.

*Reordering*: the loops of a nest may be permuted; dims with large strides go outside, so that the innermost dim is the one
that is contiguous in memory.

*Collapsing*: neighbouring dims `a` in A, `b` in B are one dim `c = a * B + b` in A * B where every access moves B times as
far for a step of `a` as for a step of `b`. Buffers that are contiguous over the two dims are viewed with one dim less:

```
loop.parallel (%a, %b) in (4, 8) { loop.load %x[%a, %b] : memref<4x8xf32> }
loop.parallel (%c) in (32) { loop.load %x[%c] : memref<32xf32> }
```
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects import affine
from xdsl.dialects.builtin import AffineMapAttr, IndexType, MemRefType
from xdsl.ir import Block, BlockArgument, Operation, SSAValue
from xdsl.ir.affine import AffineBinaryOpExpr, AffineBinaryOpKind, AffineExpr, AffineMap

from fusir.analysis.expr import (
    Dim,
    as_dim,
    as_expr,
    dim_equal,
    dims_used,
    floordiv,
    linear_coefficients,
    linearize,
    mod,
    mul,
    product,
    simplify,
    substitute,
)
from fusir.analysis.nests import kernel_extents
from fusir.dialects.loop import KernelOp, LoadOp, LoopOp, ParallelOp, StoreOp, memref_type, strides_of
from fusir.transforms.loop.accesses import AccessOp, build_map, exprs_of, is_symbol

_INDEX = IndexType()


@dataclass
class _Access:
    """An op with an index map, its indices over numbered dims, and the strides of the buffer (1 for a plain index)."""

    op: AccessOp
    exprs: tuple[AffineExpr, ...]
    strides: tuple[Dim, ...]
    order: float
    """How much the order of the dims should follow this access; larger wins."""

    def offset(self) -> AffineExpr:
        return linearize(self.exprs, self.strides)


def collapse_dims(kernel: KernelOp) -> None:
    """Reorder and collapse the dims of a kernel of one nest in place; other kernels are left alone."""
    loops = [op for op in kernel.body.block.ops if isinstance(op, LoopOp)]
    if len(loops) != 1 or not isinstance(loops[0], ParallelOp):
        return
    outer = loops[0]
    inner = [op for op in outer.body.block.ops if isinstance(op, LoopOp)]
    if any(isinstance(op, LoopOp) for loop in inner for op in loop.body.block.ops):
        return
    inner_extents = kernel_extents(inner[0]) if inner else ()
    if any(kernel_extents(loop) != inner_extents for loop in inner):
        return
    _Collapser(kernel, outer, inner, list(kernel_extents(outer)), list(inner_extents)).run()


class _Collapser:
    def __init__(
        self,
        kernel: KernelOp,
        outer: ParallelOp,
        inner: Sequence[LoopOp],
        outer_extents: list[Dim],
        inner_extents: list[Dim],
    ):
        self.kernel = kernel
        self.outer = outer
        self.inner = inner
        self.groups = [list(range(len(outer_extents)))]
        self.groups.append([len(outer_extents) + i for i in range(len(inner_extents))])
        self.extents: dict[int, Dim] = dict(enumerate([*outer_extents, *inner_extents]))
        self.numbers: dict[SSAValue, int] = {}
        for loop in (outer, *inner):
            base = 0 if loop is outer else len(outer_extents)
            self.numbers |= {index: base + i for i, index in enumerate(loop.indices)}
        self.run_time: dict[int, SSAValue] = {}
        self.plain_uses: set[int] = set()
        """Dims whose index is used as a value, not only in maps."""
        self.accesses = [self._access(op) for op in kernel.walk() if isinstance(op, LoadOp | StoreOp | affine.ApplyOp)]
        for index, number in self.numbers.items():
            if isinstance(index, BlockArgument) and any(
                not isinstance(use.operation, LoadOp | StoreOp | affine.ApplyOp) for use in index.uses
            ):
                self.plain_uses.add(number)

    def _access(self, op: AccessOp) -> _Access:
        operands = op.mapOperands if isinstance(op, affine.ApplyOp) else op.indices
        for operand in operands:
            if operand not in self.numbers and not is_symbol(operand, self.kernel):
                number = len(self.extents) + len(self.run_time)
                self.numbers[operand] = number
                self.run_time[number] = operand
        exprs = exprs_of(op, self.numbers)
        if isinstance(op, affine.ApplyOp):
            return _Access(op, exprs, (1,), -1)
        type = op.memref.type
        assert isinstance(type, MemRefType)
        covered = product(self.extents.get(i, 1) for i in set[int]().union(*map(dims_used, exprs)))
        size = float(covered) if isinstance(covered, int) else 2.0**40
        # Stores first among accesses of one size: a scattered store costs more than a scattered load.
        return _Access(op, exprs, strides_of(type), size + (0.5 if isinstance(op, StoreOp) else 0.0))

    def run(self) -> None:
        ranges = self._ranges()
        offsets = [simplify(access.offset(), ranges) for access in self.accesses]
        count = len(self.extents) + len(self.run_time)
        coefficients = [linear_coefficients(offset, count) for offset in offsets]
        used = [dims_used(offset) for offset in offsets]
        order = [self._reordered(group, coefficients) for group in self.groups]
        merged = [self._merged(group, coefficients, used) for group in order]
        if merged == [[[dim] for dim in group] for group in self.groups]:
            return
        self._rewrite(merged)

    def _ranges(self) -> list[Dim]:
        return [self.extents[i] for i in range(len(self.extents))]

    def _reordered(
        self, group: list[int], coefficients: Sequence[tuple[dict[int, Dim], AffineExpr] | None]
    ) -> list[int]:
        """The dims of a group by falling stride in the accesses, those that cover the most elements first."""
        ranked = sorted(range(len(self.accesses)), key=lambda i: -self.accesses[i].order)
        keys: dict[int, list[int]] = {dim: [] for dim in group}
        for i in ranked:
            linear = coefficients[i]
            if linear is None or self.accesses[i].order < 0:
                continue
            strides = {dim: linear[0].get(dim, 0) for dim in group}
            if any(not isinstance(stride, int) for stride in strides.values()):
                return group
            if all(stride == 0 for stride in strides.values()):
                continue
            for dim, stride in strides.items():
                assert isinstance(stride, int)
                keys[dim].append(-abs(stride))
        return sorted(group, key=lambda dim: keys[dim])

    def _merged(
        self,
        group: list[int],
        coefficients: Sequence[tuple[dict[int, Dim], AffineExpr] | None],
        used: Sequence[set[int]],
    ) -> list[list[int]]:
        """The dims of a group in runs that collapse into one dim each."""
        runs: list[list[int]] = []
        for dim in group:
            if runs and self._collapsible(runs[-1][-1], dim, coefficients, used):
                runs[-1].append(dim)
            else:
                runs.append([dim])
        return runs

    def _collapsible(
        self,
        a: int,
        b: int,
        coefficients: Sequence[tuple[dict[int, Dim], AffineExpr] | None],
        used: Sequence[set[int]],
    ) -> bool:
        if a in self.plain_uses or b in self.plain_uses:
            return False
        extent = self.extents[b]
        for linear, dims in zip(coefficients, used, strict=True):
            if a not in dims and b not in dims:
                continue
            if linear is None:
                return False
            step = as_dim(simplify(mul(linear[0].get(b, 0), extent)))
            if not dim_equal(linear[0].get(a, 0), step):
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

        outer_count = len(merged[0])
        blocks: dict[Block, dict[int, SSAValue]] = {}
        self._replace_indices(self.outer, new_extents[:outer_count], range(outer_count), new_place, indices, blocks)
        for loop in self.inner:
            places = range(outer_count, len(new_extents))
            self._replace_indices(loop, new_extents[outer_count:], places, new_place, indices, blocks)
        for access in self.accesses:
            self._rebuild(access, indices, blocks)
        for loop in (self.outer, *self.inner):
            block = loop.body.block
            for arg in list(block.args)[: len(block.args) - self._arity(loop, outer_count, len(new_extents))]:
                block.erase_arg(arg)

    def _arity(self, loop: LoopOp, outer_count: int, count: int) -> int:
        return outer_count if loop is self.outer else count - outer_count

    def _replace_indices(
        self,
        loop: LoopOp,
        extents: Sequence[Dim],
        places: Sequence[int],
        new_place: dict[int, int],
        indices: dict[int, SSAValue],
        blocks: dict[Block, dict[int, SSAValue]],
    ) -> None:
        """Append the new index arguments to the loop and set its bounds; the old arguments go when no access uses them."""
        block = loop.body.block
        old = list(block.args)
        own: dict[int, SSAValue] = {}
        for place in places:
            own[place] = block.insert_arg(_INDEX, len(block.args))
        for arg in old:
            # A dim whose index is used as a value never merges, it only may have moved.
            for use in list(arg.uses):
                if not isinstance(use.operation, LoadOp | StoreOp | affine.ApplyOp):
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

    def _rebuild(
        self, access: _Access, indices: dict[int, SSAValue], blocks: dict[Block, dict[int, SSAValue]]
    ) -> None:
        op = access.op
        block = op.parent_block()
        assert block is not None
        map, operands = build_map(access.exprs, indices | blocks.get(block, {}), self.kernel)
        new: Operation
        match op:
            case LoadOp():
                new = LoadOp(op.memref, map, operands, op.predicate, op.other, location=op.location)
            case StoreOp():
                new = StoreOp(op.value, op.memref, map, operands, op.predicate, location=op.location)
            case affine.ApplyOp():
                new = affine.ApplyOp(operands, map)
                new.location = op.location
        block.insert_op_before(new, op)
        for old_result, result in zip(op.results, new.results, strict=True):
            result.name_hint = old_result.name_hint
            old_result.replace_all_uses_with(result)
        op.detach()
        op.erase()

    def _merge_buffer_dims(self, ranges: Sequence[Dim]) -> None:
        """View buffers with fewer dims where that makes their indices simpler."""
        by_buffer: dict[SSAValue, list[_Access]] = {}
        for access in self.accesses:
            if not isinstance(access.op, affine.ApplyOp):
                by_buffer.setdefault(access.op.memref, []).append(access)
        for buffer, accesses in by_buffer.items():
            type = buffer.type
            assert isinstance(type, MemRefType)
            shape: list[int] = list(type.get_shape())
            strides = list(strides_of(type))
            k = 0
            while k + 1 < len(shape):
                if not self._try_merge(k, shape, strides, accesses, ranges):
                    k += 1
            if len(shape) < len(type.get_shape()):
                new_type = memref_type(type.element_type, shape, strides)
                buffer.type = new_type  # pyright: ignore

    def _try_merge(
        self,
        k: int,
        shape: list[int],
        strides: list[Dim],
        accesses: Sequence[_Access],
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
