# RUN: %python %s
"""Simplification, bounds and proofs keep the value: random expressions, evaluated at every point of small ranges."""

import itertools
import random

from xdsl.ir.affine import AffineBinaryOpExpr, AffineBinaryOpKind, AffineConstantExpr, AffineExpr

from fusir.analysis.expr import Range, bounds, floordiv, mod, mul, prove_lt, prove_nonneg, simplify

EXPRESSIONS = 1500
MAX_POINTS = 200

DIMS = [AffineExpr.dimension(i) for i in range(3)]
SYMBOLS = [AffineExpr.symbol(i) for i in range(2)]


def random_expr(rng: random.Random, depth: int, symbolic: bool, constant_divisors: bool = False) -> AffineExpr:
    """A random expression; divisors are constants, symbols, or products of the two."""
    if depth == 0 or rng.random() < 0.15:
        leaves = DIMS + (SYMBOLS if symbolic else [])
        return AffineConstantExpr(rng.randint(-9, 20)) if rng.random() < 0.15 else rng.choice(leaves)
    kind = rng.randrange(7)
    lhs = random_expr(rng, depth - 1, symbolic, constant_divisors)
    if kind <= 1:
        return lhs + random_expr(rng, depth - 1, symbolic, constant_divisors)
    if kind == 2:
        return mul(lhs, rng.choice([-1, 2, 3, 4, 6, 8, 12]))
    if kind == 3:
        return mul(lhs, rng.choice(SYMBOLS) if symbolic else rng.choice([-4, -2, 2, 5]))
    divisor = rng.choice([2, 3, 4, 5, 6, 8, 12])
    if symbolic and not constant_divisors and rng.random() < 0.5:
        chosen = rng.choice([SYMBOLS[0], SYMBOLS[1], mul(SYMBOLS[0], SYMBOLS[1]), mul(SYMBOLS[0], 2), SYMBOLS[0] + 1])
    else:
        chosen = AffineConstantExpr(divisor)
    if kind == 4:
        return floordiv(lhs, chosen)
    if kind == 5:
        return mod(lhs, chosen)
    return AffineBinaryOpExpr(AffineBinaryOpKind.CeilDiv, lhs, chosen)


def value_of(extent: int | AffineExpr, symbols: tuple[int, ...]) -> int:
    return extent if isinstance(extent, int) else extent.eval([], symbols)


def check(rng: random.Random, index: int) -> None:
    symbolic = index % 2 == 1
    expr = random_expr(rng, rng.randint(1, 4), symbolic)
    choices: list[int | AffineExpr] = [1, 2, 3, 4, 5, 8, 12]
    if symbolic:
        choices += [SYMBOLS[0], SYMBOLS[1], mul(SYMBOLS[0], SYMBOLS[1]), SYMBOLS[0] + 2]
    extents = [rng.choice(choices) for _ in DIMS]
    minimum = rng.choice([1, 2])
    ranges = [Range(minimum, 4), None] if rng.random() < 0.5 else [Range(minimum), Range(1)]
    if not symbolic:
        ranges = []
    simple = simplify(expr, extents, ranges)
    assert simplify(simple, extents, ranges) == simple, f"not idempotent: {expr} -> {simple}"
    low, high = bounds(expr, extents, ranges)
    nonnegative = prove_nonneg(expr, extents, ranges)
    limit = (
        rng.choice([AffineConstantExpr(8), *SYMBOLS, mul(SYMBOLS[0], SYMBOLS[1])]) if symbolic else rng.randint(1, 30)
    )
    less = prove_lt(expr, limit, extents, ranges)
    where = f"{expr} -> {simple} with extents {[str(e) for e in extents]}, symbols {ranges}"
    points = 0
    for symbols in itertools.product(range(minimum, 5), range(1, 5)) if symbolic else [()]:
        sizes = [value_of(extent, symbols) for extent in extents]
        every = list(itertools.product(*(range(size) for size in sizes)))
        for dims in every if len(every) <= MAX_POINTS else rng.sample(every, MAX_POINTS):
            expected = expr.eval(dims, symbols)
            got = simple.eval(dims, symbols)
            at = f"at {dims} {symbols}"
            assert got == expected, f"{where} is {got}, not {expected}, {at}"
            assert low is None or low <= expected, f"{where}: below the bound {low} {at}"
            assert high is None or expected <= high, f"{where}: above the bound {high} {at}"
            assert not nonnegative or expected >= 0, f"{where}: negative {at}"
            top = limit if isinstance(limit, int) else limit.eval([], symbols)
            assert not less or expected < top, f"{where}: not less than {limit} {at}"
            points += 1
    assert points


def check_signed(rng: random.Random) -> None:
    """Dimensions and symbols that may be negative: nothing may be assumed about them."""
    expr = random_expr(rng, rng.randint(1, 4), True, constant_divisors=True)
    ranges = [Range(-5, 6), Range(-2), Range(None, 3), None]
    dims = [rng.choice(ranges) for _ in DIMS]
    symbols = [rng.choice(ranges) for _ in SYMBOLS]
    simple = simplify(expr, dims, symbols)
    low, high = bounds(expr, dims, symbols)
    nonnegative = prove_nonneg(expr, dims, symbols)
    where = f"{expr} -> {simple} with dims {dims}, symbols {symbols}"
    for _ in range(100):
        point = [
            rng.randint(
                -9 if r is None or r.minimum is None else r.minimum, 9 if r is None or r.maximum is None else r.maximum
            )
            for r in (*dims, *symbols)
        ]
        at_dims, at_symbols = point[: len(dims)], point[len(dims) :]
        expected = expr.eval(at_dims, at_symbols)
        assert simple.eval(at_dims, at_symbols) == expected, f"{where}: differs at {point}"
        assert low is None or low <= expected, f"{where}: below the bound {low} at {point}"
        assert high is None or expected <= high, f"{where}: above the bound {high} at {point}"
        assert not nonnegative or expected >= 0, f"{where}: negative at {point}"


def main() -> None:
    rng = random.Random(0)
    for _ in range(EXPRESSIONS):
        check_signed(rng)
    for index in range(EXPRESSIONS):
        check(rng, index)


main()
