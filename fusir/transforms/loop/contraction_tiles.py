"""The tiles of contractions: the one that is taken unasked, and those that are worth measuring."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from fusir.analysis.devices import DEFAULT_MULTIPROCESSORS
from fusir.analysis.expr import Dim
from fusir.dialects.loop import Tiles

MIN_DOT = 16
"""Least rows, columns and steps of a dot on tensor cores."""

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
    fixed_rows: int | None = None
    """The rows of a tile, where a reduction over them decides it."""
    fixed_columns: int | None = None


def estimate(dim: Dim) -> int:
    """An extent, or what a symbolic one is taken for."""
    return dim if isinstance(dim, int) else DYNAMIC_EXTENT


def default_tiles(problem: Problem, multiprocessors: int = DEFAULT_MULTIPROCESSORS) -> Tiles:
    """The tiles that are expected to be fastest."""
    return candidates(problem, multiprocessors)[0]


def candidates(problem: Problem, multiprocessors: int = DEFAULT_MULTIPROCESSORS) -> list[Tiles]:
    """All tiles that fit, the expected fastest first."""
    found: dict[Tiles, float] = {}
    for m in (16, 32, 64, 128, 256):
        for n in (16, 32, 64, 128, 256):
            for k in (32, 64, 128):
                tiles = _fitting(problem, m, n, k)
                if tiles is not None:
                    found.setdefault(tiles, expected_time(problem, tiles, multiprocessors))
    return sorted(found, key=lambda tiles: (found[tiles], -tiles.m, -tiles.n, -tiles.k))


def _fitting(problem: Problem, m: int, n: int, k: int) -> Tiles | None:
    """The tiles of these sizes with the warps and stages that suit them; None if they fit nowhere, or waste much."""
    if problem.fixed_rows is not None:
        m = problem.fixed_rows
    if problem.fixed_columns is not None:
        n = problem.fixed_columns
    if m > max(MIN_DOT, _power_of_two(problem.rows)) or n > max(MIN_DOT, _power_of_two(problem.columns)):
        return None
    k = min(k, max(MIN_DOT * 4 // problem.element_bytes, _power_of_two(problem.inner)))
    elements = m * n * problem.products
    warps = 8 if elements > 4 * ACCUMULATORS_PER_WARP else 4
    if elements > warps * ACCUMULATORS_PER_WARP:
        return None
    step = (m + n * problem.products) * k * problem.element_bytes
    stages = min(4, SHARED_MEMORY // step, max(1, -(-problem.inner // k)))
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
    width = min(1.0, tiles.m / 64) * min(1.0, (tiles.n + 64) / 192)
    step = max(products / width, loads * BALANCE) + STEP_OVERHEAD
    fill = tiles.stages * loads * BALANCE
    resident = max(1, min(2, SHARED_MEMORY // (loads * problem.element_bytes * tiles.stages)))
    waves = math.ceil(programs / (multiprocessors * resident)) * resident if programs > multiprocessors else 1
    return waves * (steps * step + fill)


BALANCE = 100
"""Products of two elements in the time in which a multiprocessor loads one from the L2 cache: 4096 products in half
precision a cycle, and 64 bytes."""

STEP_OVERHEAD = 1 << 17
"""What a step costs beside its products, in products: a barrier and the issue of the loads."""


def with_descriptors(tiles: Tiles) -> Tiles:
    """The same tiles, loaded by tensor descriptors."""
    return replace(tiles, descriptors=1)


def _power_of_two(count: int) -> int:
    return 1 << max(0, count - 1).bit_length()
