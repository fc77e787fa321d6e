# RUN: %python %s
"""Symbolic index tiles and the memory accesses through them, against plain index tensors, on random expressions."""

import random

import torch

from fusir.interpreters.index import (
    Affine,
    add,
    at_least_zero,
    axis_position,
    conjunction,
    divide,
    materialize,
    materialize_mask,
    negation,
    reshape,
    subtract,
)
from fusir.interpreters.memory import Buffer, MemoryAccessError, as_bool, as_index, atomic, load, store

EXTENTS = (1, 2, 4, 6, 8, 12, 16)


def values_of(a: Affine, sizes: tuple[int, ...]) -> torch.Tensor:
    return materialize(a, sizes).expand(sizes)


def random_affine(rng: random.Random, sizes: tuple[int, ...], depth: int = 3) -> tuple[Affine, torch.Tensor]:
    """An expression over the axes and its values, computed independently."""
    if depth == 0 or rng.random() < 0.2:
        axis = rng.randrange(len(sizes))
        shape = [1] * len(sizes)
        shape[axis] = sizes[axis]
        return axis_position(axis, sizes[axis]), torch.arange(sizes[axis]).view(shape).expand(sizes)
    a, x = random_affine(rng, sizes, depth - 1)
    kind = rng.choice(("add", "subtract", "scale", "shift", "quotient", "remainder"))
    if kind in ("add", "subtract"):
        b, y = random_affine(rng, sizes, depth - 1)
        c = (add if kind == "add" else subtract)(a, b)
        return (a, x) if c is None else (c, x + y if kind == "add" else x - y)
    number = rng.choice((0, 1, 2, 3, 4, 8, 12, -1, -3))
    if kind == "scale":
        return a.scale(number), x * number
    if kind == "shift":
        return a.shift(number), x + number
    divisor = rng.choice((1, 2, 3, 4, 8, 16))
    split = divide(a, divisor)
    if split is None:
        return a, x
    quotient, remainder = split
    assert torch.equal(values_of(remainder, sizes), torch.remainder(x, divisor))
    assert torch.equal(values_of(quotient, sizes), torch.div(x, divisor, rounding_mode="floor"))
    return (quotient, x // divisor) if kind == "quotient" else (remainder, torch.remainder(x, divisor))


def random_sizes(rng: random.Random) -> tuple[int, ...]:
    return tuple(rng.choice(EXTENTS) for _ in range(rng.randint(1, 4)))


def test_arithmetic() -> None:
    rng = random.Random(1)
    divided = 0
    for _ in range(800):
        sizes = random_sizes(rng)
        a, x = random_affine(rng, sizes, 4)
        assert torch.equal(values_of(a, sizes), x), (a, sizes)
        assert (a.minimum, a.maximum) == (int(x.min()), int(x.max())), (a, sizes)
        divided += any(term.low > 1 for term in a.terms)
    assert divided > 30


def test_digits_join_again() -> None:
    x = axis_position(1, 64)
    quotient, remainder = divide(x, 8) or (x, x)
    joined = add(quotient.scale(8), remainder)
    assert joined is not None and joined.terms == x.terms
    nothing = subtract(joined, x)
    assert nothing is not None and nothing.terms == () and nothing.constant == 0


def test_no_digits() -> None:
    assert divide(axis_position(0, 10, start=3), 4) is None


def test_reshape() -> None:
    rng = random.Random(2)
    shapes = ((16,), (4, 4), (2, 8), (2, 2, 4), (16, 1), (1, 16), (8, 2))
    kept = 0
    for _ in range(400):
        old, new = rng.choice(shapes), rng.choice(shapes)
        a, x = random_affine(rng, (3, *old))
        b = reshape(a, 1, old, new)
        if b is not None:
            kept += 1
            assert torch.equal(values_of(b, (3, *new)), x.reshape(3, *new)), (a, old, new)
    assert kept > 360, kept


def random_mask(rng: random.Random, sizes: tuple[int, ...]):
    """A symbolic mask, or a tensor, and its values."""
    result, values = True, torch.ones(sizes, dtype=torch.bool)
    for _ in range(rng.randint(0, 2)):
        a, x = random_affine(rng, sizes, rng.randint(0, 2))
        bound = rng.randint(a.minimum - 1, a.maximum + 1)
        upward = rng.random() < 0.5
        atom = at_least_zero(a.shift(-bound) if upward else a.scale(-1).shift(bound))
        assert atom is not None
        where = x >= bound if upward else x <= bound
        result = conjunction(result, atom)
        values = values & where
    if rng.random() < 0.2:
        return values.clone(), values
    return result, values


def test_masks() -> None:
    rng = random.Random(3)
    for _ in range(400):
        sizes = random_sizes(rng)
        a, x = random_affine(rng, sizes)
        bound = rng.randint(a.minimum - 1, a.maximum + 1)
        mask = at_least_zero(a.shift(-bound))
        assert mask is not None
        assert torch.equal(as_bool(mask, sizes).expand(sizes), x >= bound)
        opposite = negation(mask)
        assert opposite is not None
        assert torch.equal(as_bool(opposite, sizes).expand(sizes), x < bound)
        if not isinstance(mask, bool):
            assert torch.equal(materialize_mask(mask, sizes).expand(sizes), x >= bound)


def test_accesses() -> None:
    rng = random.Random(4)
    generator = torch.Generator().manual_seed(4)
    failures = stores = 0
    for _ in range(800):
        sizes = random_sizes(rng)
        a, x = random_affine(rng, sizes)
        shift = -a.minimum if rng.random() < 0.7 else rng.randint(-3, 3)
        a, x = a.shift(shift), x + shift
        mask, valid = random_mask(rng, sizes)
        span = max(1, int(x.max()) + 1 - (rng.random() < 0.3) * rng.randint(0, 4))
        memory = torch.randn(span + 5, generator=generator)[2 : 2 + span]
        other = rng.choice((None, -7.0, torch.full((1,) * len(sizes), 3.0), torch.randn(sizes, generator=generator)))
        address = a if rng.random() < 0.8 else as_index(a, sizes)
        buffer = Buffer("x", memory, copies_loads=rng.random() < 0.5)
        reached = x[valid]
        bad = bool(((reached < 0) | (reached >= span)).any())
        try:
            actual = load(buffer, address, mask, other, sizes).expand(sizes)
        except MemoryAccessError:
            assert bad, (a, sizes)
            failures += 1
        else:
            assert not bad, (a, sizes)
            inside = memory[torch.where(valid, x, 0)]
            torch.testing.assert_close(actual[valid], inside[valid], rtol=0, atol=0)
            if other is not None:
                rest = other if isinstance(other, torch.Tensor) else torch.tensor(other)
                torch.testing.assert_close(actual[~valid], rest.expand(sizes)[~valid], rtol=0, atol=0)
        value = torch.randn([1 if rng.random() < 0.2 else size for size in sizes], generator=generator)
        expected = memory.clone()
        if not bad:
            for where, what in zip(x[valid].tolist(), value.expand(sizes)[valid].tolist(), strict=True):
                expected[where] = what
        try:
            store(buffer, address, value, mask, sizes)
        except MemoryAccessError:
            assert bad
            continue
        assert not bad
        if len(set(x[valid].tolist())) == int(valid.sum()):  # of several writes to one address any may win
            stores += 1
            torch.testing.assert_close(memory, expected, rtol=0, atol=0)
    assert failures > 30 and stores > 130, (failures, stores)


def test_atomics() -> None:
    rng = random.Random(5)
    generator = torch.Generator().manual_seed(5)
    for _ in range(100):
        sizes = random_sizes(rng)
        address = torch.randint(0, 6, sizes, generator=generator)
        value = torch.randint(-9, 9, sizes, generator=generator)
        valid = torch.rand(sizes, generator=generator) > 0.3
        memory = torch.randint(-9, 9, (6,), generator=generator)
        state, before = memory.tolist(), torch.zeros(sizes, dtype=torch.int64)
        for position in zip(*(axis.tolist() for axis in torch.where(valid)), strict=True):
            where = int(address[position])
            before[position] = state[where]
            state[where] = max(state[where], int(value[position]))
        old = atomic(Buffer("x", memory), address, [value], torch.maximum, "max", valid, sizes, wants_old=True)
        assert memory.tolist() == state
        assert torch.equal(old, before)


for name, test in list(globals().items()):
    if name.startswith("test_"):
        test()
