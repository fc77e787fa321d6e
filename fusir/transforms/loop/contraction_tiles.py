"""The tiles of contractions: the one that is taken unasked, and those that are worth measuring."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from fusir.analysis.devices import DEFAULT_MULTIPROCESSORS
from fusir.analysis.expr import Dim
from fusir.analysis.factors import power_of_two
from fusir.dialects.loop import Tiles

SPLITS = (2, 4, 8, 16)
"""Parts that the contracted dim may be cut into."""

MIN_PART = 256
"""Least length of a part."""

FINISH_OVERHEAD = 1 << 22
"""What one more launch costs, in products of a multiprocessor: about 2 us."""

MIN_DOT = 16
"""Least rows, columns and steps of a dot on tensor cores."""

SIDES, STEPS = (16, 32, 64, 128, 256), (32, 64, 128)
"""Sizes of tiles along rows and columns, and along the contracted dim."""

SHARED_MEMORY = 227 << 10
"""Bytes of shared memory of a program, on an H100 or H200: operands of all stages must fit."""

ACCUMULATORS_PER_WARP = 128 * 32
"""Most f32 elements of the result for each warp: 128 registers a thread."""

DYNAMIC_EXTENT = 4096
"""Elements that a symbolic extent is taken for."""


@dataclass(frozen=True)
class Problem:
    """The sizes of a contraction: `products` results of rows x columns for each of `batch`, summed up over `inner`."""

    batch: int
    rows: int
    columns: int
    inner: int
    element_bytes: int
    """Of the wider operand as it is loaded into shared memory."""
    products: int = 1
    has_descriptors: bool = False
    """Whether tensor descriptors can load the factors."""
    is_pair: bool = False
    """Whether there are two products of one factor, whose other factors one descriptor can load together."""
    fixed_rows: int | None = None
    """The rows of a tile, where a reduction over them decides it."""
    fixed_columns: int | None = None
    sums: int = 1
    """Sums of each result that a program has in registers."""
    piece_bytes: int = 0
    """Bytes of shared memory that an element of the right operand takes once, beside those that are loaded."""
    copy_bytes: int = 0
    """The same for each stage."""


def estimate(dim: Dim) -> int:
    """An extent, or what a symbolic one is taken for."""
    return dim if isinstance(dim, int) else DYNAMIC_EXTENT


def default_tiles(problem: Problem, multiprocessors: int = DEFAULT_MULTIPROCESSORS) -> Tiles | None:
    """The tiles that are expected to be fastest; None if what a reduction folds does not stay in registers."""
    return next(iter(candidates(problem, multiprocessors, 1)), None)


def candidates(problem: Problem, multiprocessors: int, count: int) -> list[Tiles]:
    """At most `count` tiles that are worth measuring, the expected fastest first."""
    found: dict[Tiles, float] = {}
    for m in SIDES:
        for n in SIDES:
            for k in STEPS:
                tiles = _fitting(problem, m, n, k)
                if tiles is not None:
                    found.setdefault(tiles, expected_time(problem, tiles, multiprocessors))
    best = sorted(found, key=lambda tiles: (found[tiles], -tiles.n, -tiles.m, -tiles.k))
    # Another number of steps at once changes less than another shape.
    shapes = [(tiles.m, tiles.n) for tiles in best]
    firsts = [tiles for place, tiles in enumerate(best) if shapes.index((tiles.m, tiles.n)) == place]
    best = [*firsts[:4], *(tiles for tiles in best if tiles not in firsts[:4])]
    # Of the best sizes many ways to load and walk, of the others fewer.
    ways = [_ways(problem, tiles, multiprocessors) for tiles in best]
    ranked = [(place + 2 * rank, place, rank, way) for place, own in enumerate(ways) for rank, way in enumerate(own)]
    chosen = dict.fromkeys(way for *_, way in sorted(ranked, key=lambda entry: entry[:3]))
    return list(chosen)[:count]


def split_candidates(problem: Problem, multiprocessors: int) -> list[Tiles]:
    """Tiles for parts of the contracted dim, where the tiles of the whole leave multiprocessors idle; best first."""
    if problem.batch > 1 or problem.fixed_rows is not None or problem.fixed_columns is not None or problem.products > 1:
        return []
    found: dict[Tiles, float] = {}
    for split in SPLITS:
        if problem.inner % split or problem.inner // split < MIN_PART:
            continue
        part = replace(problem, batch=split, inner=problem.inner // split)
        best = candidates(part, multiprocessors, 1)[0]
        programs = split * -(-problem.rows // best.m) * -(-problem.columns // best.n)
        # The sums of all parts are written, and read again, in f32.
        finish = FINISH_OVERHEAD + 2 * split * problem.rows * problem.columns * BALANCE // multiprocessors
        if programs <= 4 * multiprocessors:
            found[replace(best, split=split)] = expected_time(part, best, multiprocessors) + finish
    whole = candidates(problem, multiprocessors, 1)[0]
    least = expected_time(problem, whole, multiprocessors)
    return [tiles for tiles in sorted(found, key=lambda tiles: found[tiles]) if found[tiles] < least]


def _ways(problem: Problem, tiles: Tiles, multiprocessors: int) -> list[Tiles]:
    """How tiles of one size may be loaded and walked, the expected fastest first.

    8192x4096x4096 in bfloat16, tiles of 128x256 on an H200: 0.347 ms with descriptors and persistent programs in groups
    of 16 tiles, 0.350 in groups of 8, 0.353 with pointers, and 0.362 with a program for each tile.
    """
    many = problem.batch * -(-problem.rows // tiles.m) * -(-problem.columns // tiles.n) > multiprocessors
    walks = (1, 0) if many else (0, 1)
    loads = (1, 0) if problem.has_descriptors else (0,)
    ways = [
        replace(tiles, descriptors=load, persistent=walk, group=group)
        for walk in walks
        for load in loads
        for group in ((16, 8) if many else (8,))
    ]
    if problem.is_pair:
        ways = [*(replace(way, stacked=1) for way in ways if way.descriptors), *ways]
    return [*ways, replace(ways[0], stages=tiles.stages - 1)] if tiles.stages > 2 else ways


def _fitting(problem: Problem, m: int, n: int, k: int) -> Tiles | None:
    """The tiles of these sizes with the warps and stages that suit them; None if they fit nowhere, or waste much."""
    if problem.fixed_rows is not None:
        m = problem.fixed_rows
    if problem.fixed_columns is not None:
        n = problem.fixed_columns
    if m > max(MIN_DOT, power_of_two(problem.rows)) or n > max(MIN_DOT, power_of_two(problem.columns)):
        return None
    k = min(k, max(MIN_DOT * 4 // problem.element_bytes, power_of_two(problem.inner)))
    elements = m * n * problem.products * problem.sums
    warps = 8 if elements > 4 * ACCUMULATORS_PER_WARP else 4
    if elements > warps * ACCUMULATORS_PER_WARP:
        return None
    right = n * problem.products * k
    step = (m * k + right) * problem.element_bytes + right * problem.copy_bytes
    memory = SHARED_MEMORY - right * problem.piece_bytes
    stages = min(5 if elements <= 64 * 64 else 4, memory // step, max(1, -(-problem.inner // k)))
    if stages < 2 and problem.inner > k:
        return None
    return Tiles(m=m, n=n, k=k, group=8, warps=warps, stages=max(1, stages))


def expected_time(problem: Problem, tiles: Tiles, multiprocessors: int) -> float:
    """A number that grows with the time: the waves of programs, times what a program loads and multiplies.

    A multiprocessor multiplies as many elements as it loads from the L2 cache in the time of `BALANCE` products each.
    """
    programs = problem.batch * -(-problem.rows // tiles.m) * -(-problem.columns // tiles.n) * tiles.split
    steps = -(-problem.inner // (tiles.k * tiles.split))
    products = tiles.m * tiles.n * tiles.k * problem.products
    loads = (tiles.m + tiles.n * problem.products) * tiles.k
    # Small tiles use the tensor cores badly: a warp group multiplies 64 rows at a time.
    width = min(1.0, tiles.m / 64) * min(1.0, (tiles.n * problem.products + 128) / 384)
    step = max(products / width, loads * BALANCE) + STEP_OVERHEAD
    if tiles.stages < 3 or tiles.k * problem.element_bytes < 128:
        # Loads wait for each other; rows of blocks shorter than 128 bytes are spread worse over the banks.
        step *= 1.15
    fill = tiles.stages * loads * BALANCE
    resident = max(1, min(2, SHARED_MEMORY // (loads * problem.element_bytes * tiles.stages)))
    waves = math.ceil(programs / (multiprocessors * resident)) * resident if programs > multiprocessors else 1
    return waves * (steps * step + fill)


BALANCE = 100
"""Products of two elements in the time in which a multiprocessor loads one from the L2 cache: 4096 products in half
precision a cycle, and 64 bytes."""

STEP_OVERHEAD = 1 << 17
"""What a step costs beside its products, in products: a barrier and the issue of the loads."""
