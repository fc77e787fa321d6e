# RUN: %python %s
"""`canonicalize` keeps chains of two conversions bit for bit, for all triples of native element types."""

import itertools

import torch
from graph_equality import check_pass, module_of
from xdsl.dialects.builtin import i1
from xdsl.ir import Block

from fusir.dialects import graph
from fusir.interpreters.graph import torch_dtype
from fusir.transforms.graph.canonicalize import CanonicalizePass

ELEMENTS = (*graph.NATIVE_FLOATS, *graph.NATIVE_INTEGERS, i1)
NUMBERS = [0, 1, 2, 3, 7, 100, 127, 128, 129, 200, 255, 256, 257, 2047, 2049, 4097, 32767, 32768, 65504, 65535, 65536]
NUMBERS += [16777217, 2147483647, 2147483648, 4294967297, 9007199254740993, 2**62 + 1]


def samples(element):
    """Values of the type that no conversion to an integer type overflows on the way from a float."""
    dtype = torch_dtype(element)
    if dtype == torch.bool:
        return torch.tensor([True, False])
    if dtype.is_floating_point:
        values = torch.tensor([0.0, -0.0, 0.5, 1.0, 1.5, 1 / 3, 100.3, 127.9, 1e-5, 1e-40], dtype=torch.float64)
        return values.to(dtype)
    info = torch.iinfo(dtype)
    values = [n for n in (*NUMBERS, *(-n for n in NUMBERS)) if info.min <= n <= info.max]
    return torch.tensor(values, dtype=dtype)


def overflows(source, middle, target):
    """A float on the way may be too large for the integer type that follows: undefined, so not compared."""
    return graph.is_integer(source) and graph.is_float(middle) and graph.is_integer(target)


folded = 0
for source, middle, target in itertools.product(ELEMENTS, repeat=3):
    inputs = samples(source)
    if overflows(source, middle, target):
        inputs = inputs[(inputs >= 0) & (inputs <= 100)]
    block = Block(arg_types=[graph.tensor_type(source, tuple(inputs.shape))])
    first = graph.ConvertOp(block.args[0], middle)
    second = graph.ConvertOp(first, target)
    block.add_ops([first, second])
    folded += (
        check_pass(
            module_of(block, [second.result]), CanonicalizePass(), [inputs], [f"{source} -> {middle} -> {target}"]
        )
        < 2
    )
assert folded > 300, f"only {folded} chains were folded"
