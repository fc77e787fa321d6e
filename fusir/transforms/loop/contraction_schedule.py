"""The schedule of kernels that compute contractions: tiles of rows and columns, and steps along the contracted dims."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from xdsl.dialects.builtin import AnyFloat, FixedBitwidthType, StringAttr, UnitAttr
from xdsl.ir import SSAValue

from fusir.analysis.accesses import Access, KernelAccesses
from fusir.analysis.contractions import Product, contracted_dims, products_of
from fusir.analysis.devices import DEFAULT_MULTIPROCESSORS
from fusir.analysis.expr import as_dim, linear_coefficients, product
from fusir.analysis.factors import power_of_two
from fusir.analysis.support import supports
from fusir.dialects.loop import (
    DESCRIPTOR,
    PRECISION,
    STACKED,
    TILES,
    AxisAttr,
    AxisKind,
    KernelOp,
    LoadOp,
    Tiles,
    TilesAttr,
)
from fusir.transforms.loop.contraction_tiles import Problem, candidates, default_tiles, estimate, split_candidates

ContractionPlan = tuple[tuple[AxisAttr, ...], dict[int, str], int, int, str, int, int]
"""Axes, the axis of each dim, warps, stages, the reason, the group of tiles, and the programs (0: one a tile)."""


class Contraction:
    """The contractions of a fused kernel with their dims by role: numbers of dims of its accesses."""

    def __init__(
        self, accesses: KernelAccesses, rows: list[int], columns: list[int], batch: list[int], problem: Problem
    ):
        self.accesses = accesses
        self.rows = rows
        self.columns = columns
        self.batch = batch
        self.problem = problem

    @staticmethod
    def of(accesses: KernelAccesses, descriptors: bool = True) -> Contraction | None:
        """The contractions of a kernel; None where they are no dots of tiles.

        `descriptors` says whether the GPU copies blocks that tensor descriptors describe.
        """
        loop = accesses.contraction
        products = None if loop is None else products_of(loop)
        if loop is None or products is None:
            return None
        dims = contracted_dims(loop, products, supports(accesses.kernel))
        if dims is None:
            return None

        def numbers(indices: frozenset[SSAValue]) -> list[int]:
            return sorted(accesses.numbers[index] for index in indices)

        rows, columns = numbers(dims.rows), numbers(dims.columns)
        others = [dim for dim in accesses.outer_dims if dim not in (*rows, *columns)]
        inner = set(accesses.inner_dims)
        # A reduction of the result folds rows or columns, never dims of a batch.
        if not (inner <= set(rows) or inner <= set(columns)):
            return None
        bits = [p.lhs.type.bitwidth for p in products if isinstance(p.lhs.type, FixedBitwidthType)]
        extents = accesses.extents

        def count(dims: list[int]) -> int:
            return estimate(product(extents[dim] for dim in dims))

        # Of what a reduction folds a part, the rest of the dims says only which part.
        tiled = {*accesses.contracted_dims}
        for dims_of_role in (set(rows), set(columns)):
            tiled |= dims_of_role & inner or dims_of_role
        folded = power_of_two(count(accesses.inner_dims))
        problem = Problem(
            count(others),
            count(rows),
            count(columns),
            count(accesses.contracted_dims),
            max(bits, default=32) // 8,
            len(products),
            blocks := descriptors and _are_blocks(accesses, tiled),
            blocks and not inner and _are_pair(accesses, products, columns),
            folded if inner and inner <= set(rows) else None,
            folded if inner and inner <= set(columns) else None,
        )
        match loop.attributes.get(PRECISION):
            case StringAttr(data="tf32"):
                # The instructions want the right operand transposed: a copy.
                problem = replace(problem, copy_bytes=4)
            case StringAttr(data="bf16x6"):
                # Each step is summed up apart from the result, and the right operand is stored again as three bf16.
                problem = replace(problem, sums=2, piece_bytes=8)
            case _ if any(isinstance(p.lhs.type, AnyFloat) and p.lhs.type.bitwidth == 8 for p in products):
                # What an instruction sums up is apart from the result.
                problem = replace(problem, sums=2)
            case _:
                pass
        return Contraction(accesses, rows, columns, others, problem)

    def plan(self, tiles: Tiles, multiprocessors: int) -> ContractionPlan:
        """The schedule with these tiles."""
        accesses, inner = self.accesses, set(self.accesses.inner_dims)
        # Each dim of a batch has its axis: together they would move a block in steps that are not linear.
        names = ["z"] if len(self.batch) == 1 else [f"z{number}" for number in range(len(self.batch))]
        axis_of = dict(zip(self.batch, names, strict=True)) | dict.fromkeys(accesses.contracted_dims, "k")
        axes = {name: AxisAttr((name, AxisKind.PROGRAM, 1)) for name in names}
        for name, dims, size in (("m", self.rows, tiles.m), ("n", self.columns, tiles.n)):
            parts = [dim for dim in dims if dim not in inner]
            if len(parts) < len(dims):
                # What is folded is one tile; which part of the rows or columns it is, the grid says.
                axis_of |= dict.fromkeys(parts, f"{name}part") | dict.fromkeys(inner, name)
                if parts:
                    axes[f"{name}part"] = AxisAttr((f"{name}part", AxisKind.PROGRAM, 1))
                folded = power_of_two(estimate(product(accesses.extents[dim] for dim in inner)))
                axes[name] = AxisAttr((name, AxisKind.TILE, folded))
            else:
                axis_of |= dict.fromkeys(dims, name)
                axes[name] = AxisAttr((name, AxisKind.PROGRAM, size))
        axes["k"] = AxisAttr(("k", AxisKind.LOOP, tiles.k))
        # Tiles have their dims in the order of the axes: the factors are [m, k] and [k, n].
        order = [name for name in (*names, "mpart", "m", "k", "npart", "n") if name in axes]
        grid = sum(axes[name].kind is AxisKind.PROGRAM for name in order)
        reason = (
            f"{self.problem.products} products in tiles of {tiles.m}x{tiles.n}, {tiles.k} a step, "
            f"{tiles.stages} stages, groups of {tiles.group}"
        )
        plan = tuple(axes[name] for name in order), axis_of, tiles.warps, tiles.stages, reason
        return *plan, tiles.group if grid >= 2 else 1, multiprocessors if tiles.persistent else 0


def mark_blocks(accesses: KernelAccesses, axis_of: Mapping[int, str], axes: Sequence[AxisAttr]) -> None:
    """Mark the loads in the contraction whose tiles tensor descriptors can load."""
    assert accesses.contraction is not None
    sizes = {axis.axis: axis.size for axis in axes}
    of_axis: dict[str, list[int]] = {}
    for dim, axis in axis_of.items():
        if accesses.extents[dim] != 1:
            of_axis.setdefault(axis, []).append(dim)
    for access in accesses.accesses:
        op = access.op
        if not isinstance(op, LoadOp) or op.parent_op() is not accesses.contraction or op.predicate is not None:
            continue
        if any(len(of_axis.get(axis_of[dim], ())) > 1 for dim in access.used if dim in axis_of):
            # Along an axis of several dims a block may move in steps that are not linear.
            continue
        tiles = [dim for dim in sorted(access.used) if dim in axis_of and sizes[axis_of[dim]] > 1]
        is_matrix = len(tiles) == 2 and all(of_axis[axis_of[dim]] == [dim] for dim in tiles)
        if is_matrix and _is_block(accesses, access, tiles, [sizes[axis_of[dim]] for dim in tiles]):
            op.attributes[DESCRIPTOR] = UnitAttr()


def _are_blocks(accesses: KernelAccesses, tiled: set[int]) -> bool:
    """Whether descriptors can load all factors of the contraction, in tiles of ordinary sizes over the dims `tiled`."""
    loads = [access for access in accesses.accesses if access.op.parent_op() is accesses.contraction]
    return all(
        isinstance(access.op, LoadOp)
        and access.op.predicate is None
        and len(own := sorted(access.used & tiled)) == 2
        and _is_block(accesses, access, own, [64, 64])
        for access in loads
    )


def _are_pair(accesses: KernelAccesses, products: Sequence[Product], columns: Sequence[int]) -> bool:
    """Whether two products share a factor, and the others are rows of two matrices in one layout."""
    if len(products) != 2 or products[0].lhs is not products[1].lhs or len(columns) != 1:
        return False
    loads = {product.rhs.owner for product in products}
    pair = [access for access in accesses.accesses if access.op in loads]
    if len(pair) != 2:
        return False
    first, second = pair
    is_rows = first.used == {columns[0], *accesses.contracted_dims} and first.stride(columns[0]) != 1
    return is_rows and first.offset == second.offset


def _is_block(accesses: KernelAccesses, access: Access, tiles: Sequence[int], sizes: Sequence[int]) -> bool:
    """Whether the tile of a load along two dims is a block that the hardware can copy."""
    assert isinstance(access.op, LoadOp)
    element = access.op.result.type
    linear = linear_coefficients(access.offset, len(accesses.extents))
    if linear is None or not isinstance(element, FixedBitwidthType) or element.bitwidth < 8:
        return False
    strides, start = linear
    size = element.bitwidth // 8
    steps = [strides[dim] for dim in tiles]
    if steps.count(1) != 1 or any(not isinstance(accesses.extents[dim], int) for dim in tiles):
        return False
    fast = steps.index(1)
    starts = [step for dim, step in strides.items() if dim != tiles[fast]]
    starts.append(as_dim(start))
    if any(not isinstance(step, int) or step < 0 or step * size % BLOCK_ALIGNMENT for step in starts):
        return False
    return max(sizes) <= MAX_BLOCK_SIDE and sizes[fast] * size >= BLOCK_ALIGNMENT


BLOCK_ALIGNMENT = 16
"""Bytes to which the hardware wants the rows of a matrix aligned that it loads in blocks."""

MAX_BLOCK_SIDE = 256
"""Most elements of a block along one dim."""


def plan_contraction(
    accesses: KernelAccesses, multiprocessors: int, descriptors: bool = True
) -> ContractionPlan | None:
    """The schedule of a kernel that computes contractions, with the tiles that it asks for; None if it has no dots."""
    contraction = Contraction.of(accesses, descriptors)
    if contraction is None:
        return None
    wanted = accesses.kernel.attributes.get(TILES)
    problem = contraction.problem
    tiles = wanted.data if isinstance(wanted, TilesAttr) else default_tiles(problem, multiprocessors)
    if tiles is None:
        return None
    plan = contraction.plan(tiles, multiprocessors)
    if tiles.descriptors:
        mark_blocks(accesses, plan[1], plan[0])
        if tiles.stacked and contraction.problem.is_pair:
            assert accesses.contraction is not None
            accesses.contraction.attributes[STACKED] = UnitAttr()
    return plan


def tile_candidates(
    kernel: KernelOp, effort: str = "default", multiprocessors: int = DEFAULT_MULTIPROCESSORS
) -> list[Tiles]:
    """Tiles that are worth measuring for a fused kernel, the expected fastest first; none for other kernels.

    Behind them come those for parts of the contracted dim, as batches that are summed up by a kernel of their own.

    `effort` says how many: "default" for few, "max" for many.
    """
    accesses = KernelAccesses.of(kernel)
    contraction = None if accesses is None else Contraction.of(accesses)
    if contraction is None:
        return []
    count = MOST_CANDIDATES if effort == "max" else FEW_CANDIDATES
    problem = contraction.problem
    return [*candidates(problem, multiprocessors, count), *split_candidates(problem, multiprocessors)[:FEW_SPLITS]]


FEW_SPLITS = 2
"""Ways to cut the contracted dim that are measured."""

FEW_CANDIDATES, MOST_CANDIDATES = 8, 32
"""Tiles that are measured for a contraction with little and with much effort."""
