# RUN: %python %s
"""Views composed with their inverses, and two ways to one view, give one canonical form; laws and helpers by name."""

import math
import random
from collections.abc import Sequence

from xdsl.ir.affine import AffineConstantExpr, AffineExpr

from fusir.analysis.expr import (
    Dim,
    Range,
    as_dim,
    as_expr,
    bounds,
    delinearize,
    dim_equal,
    dims_used,
    divide_exact,
    extent_lt,
    floordiv,
    linear_coefficients,
    linearize,
    mod,
    mul,
    product,
    prove_lt,
    row_major_strides,
    simplify,
    substitute,
    symbols_used,
)

D = [AffineExpr.dimension(i) for i in range(6)]
S = [AffineExpr.symbol(i) for i in range(4)]
FACTORS: list[Dim] = [2, 3, 4, 5, 7, 8, 12, S[0], S[1], S[2]]


def view(shape: Sequence[Dim], indices: Sequence[AffineExpr], other: Sequence[Dim], extents: Sequence[Dim]):
    """The indices into a tensor of shape `other` that is a reshape of one of shape `shape`."""
    return delinearize(linearize(indices, row_major_strides(shape)), other, extents)


def grouping(rng: random.Random, factors: Sequence[Dim]) -> list[Dim]:
    """A shape whose dims are products of consecutive factors."""
    shape: list[Dim] = []
    rest = list(factors)
    while rest:
        count = rng.randint(1, len(rest))
        shape.append(product(rest[:count]))
        rest = rest[count:]
    return shape


def reshapes_of_common_factors(rng: random.Random) -> None:
    factors = [rng.choice(FACTORS) for _ in range(rng.randint(1, 4))]
    a, b, c = (grouping(rng, factors) for _ in range(3))
    dims = D[: len(a)]
    through = view(b, view(a, dims, b, a), c, a)
    direct = view(a, dims, c, a)
    at = f"{[str(x) for x in a]} {[str(x) for x in b]} {[str(x) for x in c]}"
    assert through == direct, f"{at}: {[str(x) for x in through]} != {[str(x) for x in direct]}"
    back = view(b, view(a, dims, b, a), a, a)
    assert back == dims, f"{at}: {[str(x) for x in back]}"


def reshapes_of_any_factors(rng: random.Random) -> None:
    total = rng.choice([24, 36, 48, 60, 64, 96])

    def shape() -> list[int]:
        result: list[int] = []
        left = total
        while left > 1:
            factor = rng.choice([k for k in range(2, left + 1) if left % k == 0])
            result.append(factor)
            left //= factor
        return result

    a, b, c = shape(), shape(), shape()
    dims = D[: len(a)]
    flat = linearize(dims, row_major_strides(a))
    back = view(b, view(a, dims, b, a), a, a)
    assert back == dims, f"{a} {b}: {[str(x) for x in back]}"
    again = simplify(linearize(view(b, view(a, dims, b, a), c, a), row_major_strides(c)), a)
    assert again == flat, f"{a} {b} {c}: {again} != {flat}"


def transposes(rng: random.Random) -> None:
    """Reshape, permute, reshape, and all of it undone, is the identity."""
    factors = [rng.choice(FACTORS) for _ in range(rng.randint(2, 4))]
    order = list(range(len(factors)))
    rng.shuffle(order)
    permuted = [factors[i] for i in order]
    outer, inner = grouping(rng, permuted), grouping(rng, factors)
    dims = D[: len(outer)]
    # From the loops over `outer`, down to a tensor of shape `inner`, and up again.
    parts = view(outer, dims, permuted, outer)
    unpermuted = [parts[order.index(i)] for i in range(len(factors))]
    below = [simplify(x, outer) for x in view(factors, unpermuted, inner, outer)]
    parts = view(inner, below, factors, outer)
    back = view(permuted, [parts[i] for i in order], outer, outer)
    assert back == dims, f"{[str(f) for f in factors]} {order}: {[str(x) for x in back]}"


def laws() -> None:
    """Named laws, before and after."""
    cases: list[tuple[AffineExpr, Sequence[Dim | Range | None], AffineExpr]] = [
        (D[1] + D[0], (), D[0] + D[1]),
        ((D[0] * 8 + 3) // 4, (), D[0] * 2),
        ((D[0] * 8 + D[1]) // 8, (4, 8), D[0]),
        ((D[0] * 8 + D[1]) % 8, (4, 8), D[1]),
        (D[0] // 3 // 4, (), D[0] // 12),
        (D[0] // 3 % 4, (12,), D[0] // 3),
        (D[0] % 12 // 4, (), D[0] // 4 % 3),
        (D[0] % 12 % 4, (), D[0] % 4),
        ((D[0] * 4 + D[1] * 6) // 2, (), D[0] * 2 + D[1] * 3),
        ((D[0] * 4 + D[1]) // 12, (30, 4), D[0] // 3),
        (D[0] // 12 % 4 * 12 + D[0] % 12, (), D[0] % 48),
        (D[0] // 12 * 12 + D[1] + D[0] % 12, (), D[0] + D[1]),
        (D[0] // 12 * 24 + D[0] % 12 * 2, (), D[0] * 2),
        (D[0] // 12 % 4 * 12 + D[0] // 3 % 4 * 3 + D[0] % 3, (), D[0] % 48),
        ((D[0] * -1 + 63) // 8, (64,), D[0] // 8 * -1 + 7),
        ((D[0] * -1 + 63) % 8, (64,), D[0] % 8 * -1 + 7),
        (D[0] + D[1] * 5, (1, 9), D[1] * 5),
        (D[0].ceil_div(4), (), (D[0] + 3) // 4),
        (floordiv(mul(S[0], D[0]) + D[1], S[0]), (9, S[0]), D[0]),
        (mod(mul(S[0], D[0]) + D[1], S[0]), (9, S[0]), D[1]),
        (mul(floordiv(D[0], S[0]), S[0]) + mod(D[0], S[0]), (), D[0]),
        (floordiv(floordiv(D[0], S[0]), S[1]), (), floordiv(D[0], mul(S[0], S[1]))),
        (floordiv(mul(S[0], D[0]) + D[1], mul(S[0], 4)), (9, S[0]), D[0] // 4),
        (mod(D[0], S[0] + 1), (S[0],), D[0]),
    ]
    for expr, extents, expected in cases:
        got = simplify(expr, extents)
        assert got == simplify(expected, extents), f"{expr} -> {got}, expected {expected}"
        assert str(got) == str(expected) or len(str(got)) <= len(str(expected)) + 2, f"{expr} -> {got}"


def helpers() -> None:
    assert product(()) == 1
    assert product((2, 3)) == 6
    assert product((S[0], 0)) == 0
    assert product((S[1], 2, S[0])) == product((S[0], S[1], 2))
    assert divide_exact(12, 4) == 3
    assert divide_exact(12, 5) is None
    assert divide_exact(1, 0) is None
    assert divide_exact(product((S[0], S[1], 4)), product((S[1], 2))) == S[0] * 2
    assert divide_exact(S[0], S[0]) == 1
    assert divide_exact(0, S[0]) == 0
    assert divide_exact(S[0] + 1, S[0]) is None
    assert divide_exact(product((S[0] + 1, S[1] + 2)), S[1] + 2) == S[0] + 1
    assert dim_equal(S[0] + S[1], S[1] + S[0])
    assert not dim_equal(S[0], 4)
    assert as_dim(AffineConstantExpr(4)) == 4
    assert as_dim(S[0] + 0) == S[0]
    assert as_expr(4) == AffineConstantExpr(4)
    assert extent_lt(3, 4)
    assert not extent_lt(4, 4)
    assert extent_lt(S[0], S[0] + 1)
    assert extent_lt(S[0], 8, [Range(2, 7)])
    assert bounds(D[0] * 2 + D[1] * -1, (4, 3)) == (-2, 6)
    assert bounds(S[0] + 1, (), [Range(2)]) == (3, None)
    assert bounds(D[0] // 4 + D[1] % 3, (9, None)) == (0, 4)
    assert prove_lt(mul(D[0], S[1]) + D[1], mul(S[0], S[1]), (S[0], S[1]))
    assert not prove_lt(mul(D[0], S[1]) + D[1], mul(S[0], S[1]), (S[0], S[1] + 1))
    assert dims_used(D[2] + D[0] // 3) == {0, 2}
    assert symbols_used(mod(D[2], S[3])) == {3}
    linear = linear_coefficients(mul(S[0], D[1]) + D[0] * 3 + S[1] + D[0] + 4, 2)
    assert linear is not None
    assert linear == ({0: 4, 1: S[0]}, S[1] + 4)
    assert linear_coefficients(D[0] // 4, 1) is None
    assert linear_coefficients(mul(D[0], D[1]), 2) is None
    assert linear_coefficients(D[0] + D[3], 2) is None
    assert linear_coefficients(D[0] - D[0], 1) == ({}, AffineConstantExpr(0))
    assert substitute(mul(D[0], D[1]) + S[0], [D[1], D[0] + 1], [4]) == mul(D[1], D[0] + 1) + 4
    assert substitute(D[0] + D[1], {1: 3}) == D[0] + 3
    for text, divisor in (("zero", 0), ("negative", -2)):
        try:
            simplify(mod(D[0], divisor))
        except ValueError:
            continue
        raise AssertionError(f"division by {text} must be refused")


def main() -> None:
    rng = random.Random(0)
    assert math.prod(row_major_strides((2, 3, 4))[:1]) == 12
    laws()
    helpers()
    for _ in range(300):
        reshapes_of_common_factors(rng)
        reshapes_of_any_factors(rng)
        transposes(rng)


main()
