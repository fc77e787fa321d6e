# RUN: %python %s
"""`canonicalize` keeps random chains of views and movements, with dims of extent 0 and 1."""

import random

import torch
from graph_equality import check_pass, count_ops, module_of
from xdsl.dialects.builtin import f32, i64
from xdsl.ir import Block

from fusir.dialects import graph
from fusir.transforms.graph.canonicalize import CanonicalizePass

CHAINS = 1500
LENGTH = 7


def factorization(rng, count):
    """Dims with this product."""
    dims = []
    for prime in (2, 2, 2, 3, 5, 7):
        if count and count % prime == 0 and rng.random() < 0.6:
            dims.append(prime)
            count //= prime
    dims.append(count)
    dims += [1] * rng.randrange(3)
    rng.shuffle(dims)
    return dims


def reshape(rng, value, dims):
    return graph.ReshapeOp(value, factorization(rng, graph.numel(dims)))


def permute(rng, value, dims):
    return graph.PermuteOp(value, rng.sample(range(len(dims)), len(dims)))


def broadcast(rng, value, dims):
    places = sorted(rng.sample(range(len(dims) + 2), len(dims)))
    result = [rng.choice((1, 2, 3)) for _ in range(len(dims) + 2)]
    for extent, place in zip(dims, places, strict=True):
        result[place] = rng.choice((1, 2)) if extent == 1 else extent
    return graph.BroadcastOp(value, places, result)


def slice_(rng, value, dims):
    starts, steps, sizes = [], [], []
    for extent in dims:
        step = rng.choice((1, 1, 2))
        start = rng.choice((0, 0, 1)) if extent else 0
        start = min(start, extent)
        size = (extent - start + step - 1) // step
        if rng.random() < 0.3 and size:
            size = rng.randrange(size + 1)
        starts.append(start)
        steps.append(step)
        sizes.append(size)
    return graph.SliceOp(value, starts, steps, sizes)


def reverse(rng, value, dims):
    return graph.ReverseOp(value, [d for d in range(len(dims)) if rng.random() < 0.5])


def pad(rng, value, dims):
    low, high = ([rng.choice((0, 0, 1)) for _ in dims] for _ in range(2))
    return graph.PadOp(value, low, high, rng.choice((0, 1)))


def concat(rng, value, dims):
    dim = rng.randrange(len(dims))
    cut = rng.randrange(dims[dim] + 1)
    pieces = []
    for start, size in ((0, cut), (cut, dims[dim] - cut)):
        sizes = [size if d == dim else extent for d, extent in enumerate(dims)]
        starts = [start if d == dim else 0 for d in range(len(dims))]
        pieces.append(graph.SliceOp(value, starts, [1] * len(dims), sizes))
    if rng.random() < 0.4:
        pieces.append(pieces[0])
    return [*dict.fromkeys(pieces), graph.ConcatOp(pieces, dim)]


def reduce(rng, value, dims):
    kinds = ["sum", "max", "min", "argmax"] if all(dims) else ["sum"]
    return graph.ReduceOp(rng.choice(kinds), value, [d for d in range(len(dims)) if rng.random() < 0.4 or dims[d] == 1])


def scan(rng, value, dims):
    return graph.ScanOp(rng.choice(("sum", "max")), value, rng.randrange(len(dims)))


STEPS = (reshape, permute, broadcast, broadcast, slice_, slice_, reverse, pad, concat, reduce, scan)


def chain(rng):
    """A module of random steps, and its input: an integer tensor, so that every order of a sum is exact."""
    element = rng.choice((i64, f32))
    dims = [rng.choice((1, 2, 3, 4, 0) if rng.random() < 0.1 else (1, 2, 3, 4)) for _ in range(rng.randrange(1, 4))]
    block = Block(arg_types=[graph.tensor_type(element, dims)])
    value = block.args[0]
    if rng.random() < 0.2:
        start = graph.IotaOp(rng.randrange(len(dims)), value.type)
        block.add_op(start)
        value = start.result
    names = []
    for _ in range(LENGTH):
        extents = graph.dims_of(value)
        count = graph.numel(extents)
        step = rng.choice(STEPS)
        if (step in (scan, concat) and not extents) or (
            step in (broadcast, pad) and (count > 2000 or len(extents) > 5)
        ):
            continue
        made = step(rng, value, list(extents))
        ops = made if isinstance(made, list) else [made]
        block.add_ops(ops)
        value = ops[-1].result
        names.append(step.__name__)
    dtype = torch.int64 if element == i64 else torch.float32
    generator = torch.Generator().manual_seed(rng.randrange(1 << 30))
    return module_of(block, [value]), torch.randint(-4, 5, dims, generator=generator).to(dtype), " ".join(names)


before = after = 0
for seed in range(CHAINS):
    module, inputs, names = chain(random.Random(seed))
    module.verify()
    before += count_ops(module)
    after += check_pass(module, CanonicalizePass(), [inputs], [f"seed {seed}: {names}"])
print(f"{before} ops before, {after} after")
assert after < before * 0.9
