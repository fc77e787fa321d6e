# RUN: %python %s
"""Divisions of a launch into chunks hold every program once, with digits for the moduli they know."""

import random
from itertools import product

from fusir.interpreters.chunks import Chunk, Division, consecutive


def programs_of(chunk: Chunk) -> list[int]:
    digits = product(*map(range, chunk.radices))
    return [chunk.start + sum(w * d for w, d in zip(chunk.weights, each, strict=True)) for each in digits]


def test_every_program_once() -> None:
    rng = random.Random(0)
    for _ in range(500):
        total, largest = rng.randint(1, 300), rng.randint(1, 64)
        division = Division(total, largest)
        for _ in range(rng.randint(0, 3)):
            division.align(rng.choice((2, 3, 4, 6, 7, 12, 24, 100)))
        start, found = 0, []
        while start < total:
            chunk = division.at(start, may_improve=True)
            assert 0 < chunk.size <= largest
            found += programs_of(chunk)
            start += chunk.size
        assert found == list(range(total))


def test_digits() -> None:
    division = Division(1000, 250)
    division.align(24)
    division.align(6)
    division.align(7)  # 7 and 6 are no radices of one number: it is known but not respected
    chunk = division.at(0, may_improve=True)
    assert (chunk.radices, chunk.weights) == ((10, 4, 6), (24, 6, 1))
    assert chunk.moduli == {6, 7, 24}
    tail = division.at(984, may_improve=True)
    assert tail.size == 16
    large = Division(1000, 100)
    large.align(300)
    assert [large.at(start, False).size for start in (0, 100, 200, 250)] == [100, 100, 100, 50]


def test_cuts() -> None:
    chunk = consecutive(5, (4, 3))._replace(may_cut=True)
    for axis, positions in ((0, (1,)), (0, (1, 3)), (1, (2,))):
        parts = chunk.cut(axis, positions)
        assert sorted(p for part in parts for p in programs_of(part)) == list(range(5, 17))
        assert all(part.may_cut and not part.may_align for part in parts)
        assert len(parts) == len(positions) + 1


for name, test in list(globals().items()):
    if name.startswith("test_"):
        test()
