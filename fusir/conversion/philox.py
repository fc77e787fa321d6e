"""Philox-4x32-10, the counter-based generator of `loop.random`.

J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw: Parallel random numbers: as easy as 1, 2, 3 (SC 2011).
"""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.dialects.builtin import f32, i32, i64

from fusir.conversion.tile_builder import Tile, TileBuilder
from fusir.dialects import tt

ROUNDS = 10
MULTIPLIERS = (0xD2511F53, 0xCD9E8D57)
KEY_STEPS = (0x9E3779B9, 0xBB67AE85)


def uniform(builder: TileBuilder, seed: Tile, offset: Tile, index: Tile) -> Tile:
    """A uniform f32 in [0, 1) for each `index`: `(w >> 8) * 2^-24` of the first output word `w`.

    Key: the two halves of `seed` (i64). Counter: the halves of `index` (i64), then those of `offset` (i64).
    """

    def low(x: Tile) -> Tile:
        return builder.elementwise(arith.TruncIOp, [x], i32)

    def high(x: Tile) -> Tile:
        return low(builder.elementwise(arith.ShRUIOp, [x, builder.constant(32, i64)]))

    def constant(value: int) -> Tile:
        return builder.constant(value - (1 << 32) if value >= 1 << 31 else value, i32)

    def product(x: Tile, multiplier: int) -> tuple[Tile, Tile]:
        factor = constant(multiplier)
        return builder.elementwise(tt.MulhiUIOp, [x, factor]), builder.integer(arith.MuliOp, x, factor)

    def xor(x: Tile, y: Tile) -> Tile:
        return builder.elementwise(arith.XOrIOp, [x, y])

    key0, key1 = low(seed), high(seed)
    c0, c1, c2, c3 = low(index), high(index), low(offset), high(offset)
    for _ in range(ROUNDS):
        high0, low0 = product(c0, MULTIPLIERS[0])
        high1, low1 = product(c2, MULTIPLIERS[1])
        c0, c1, c2, c3 = xor(xor(high1, c1), key0), low1, xor(xor(high0, c3), key1), low0
        key0 = builder.integer(arith.AddiOp, key0, constant(KEY_STEPS[0]))
        key1 = builder.integer(arith.AddiOp, key1, constant(KEY_STEPS[1]))
    mantissa = builder.elementwise(arith.ShRUIOp, [c0, builder.constant(8, i32)])
    number = builder.elementwise(arith.SIToFPOp, [mantissa], f32)
    return builder.elementwise(arith.MulfOp, [number, builder.constant(2.0**-24, f32)])
