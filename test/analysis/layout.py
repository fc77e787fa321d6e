# RUN: %python %s
"""`can_view` agrees with `Tensor.view` on every small shape; symbolic dims follow the same rule."""

import itertools
import random

import torch
from xdsl.ir.affine import AffineExpr

from fusir.analysis.layout import can_view, is_contiguous, is_dense, row_major, same_layout


def factorizations(n: int, rank: int) -> list[tuple[int, ...]]:
    if rank == 0:
        return [()] if n == 1 else []
    return [(d, *rest) for d in range(1, n + 1) if n % d == 0 for rest in factorizations(n // d, rank - 1)]


rng = random.Random(0)
checked = 0
for numel in (1, 6, 8, 12):
    shapes = [shape for rank in range(4) for shape in factorizations(numel, rank)]
    for shape in shapes:
        for order in itertools.permutations(range(len(shape))):
            base = torch.empty([shape[axis] for axis in order]).permute(
                [order.index(axis) for axis in range(len(shape))]
            )
            tensors = [base, torch.empty([2 * d for d in shape])[tuple(slice(0, 2 * d, 2) for d in shape)]]
            tensors.append(torch.empty([1] * len(shape)).expand(shape))
            for tensor in tensors:
                for to in rng.sample(shapes, min(6, len(shapes))):
                    try:
                        expected = tensor.view(to).stride()
                    except RuntimeError:
                        expected = None
                    got = can_view(tensor.stride(), shape, to)
                    assert (got is None) == (expected is None), (shape, tensor.stride(), to, got, expected)
                    assert got is None or same_layout(to, got, expected), (shape, tensor.stride(), to, got, expected)
                    checked += 1
assert checked > 2000, checked

assert can_view((1, 1), (0, 3), (3, 0, 2)) == row_major((3, 0, 2))

s0, s1 = AffineExpr.symbol(0), AffineExpr.symbol(1)
assert row_major((s0, 4, 8)) == (32, 8, 1)
assert can_view(row_major((s0, s1)), (s0, s1), (s0 * 1,)) is None, "the extents differ"
assert can_view(row_major((s0, 4)), (s0, 4), (s0 * 4,)) == (1,)
assert can_view((4, 1), (s0, 4), (s0, 2, 2)) == (4, 2, 1)
assert can_view((1, s0), (s0, 4), (s0 * 4,)) is None, "a transposed tensor"
assert can_view((1, s0), (s0, 4), (s0, 2, 2)) == (1, 2 * s0, s0)
flat = can_view(row_major((s0, s1, 4)), (s0, s1, 4), (s0, s1 * 4))
assert flat is not None and is_contiguous((s0, s1 * 4), flat)

for strides, dense in (((8, 1), True), ((1, 4), True), ((16, 1), False), ((0, 1), False), ((1, 1), False)):
    assert is_dense((4, 8), strides) is dense, strides
assert is_dense((4, 1), (1, 7))
assert is_contiguous((1, 8), (3, 1)) and not is_contiguous((2, 8), (3, 1))
