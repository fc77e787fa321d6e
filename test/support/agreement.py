"""Whether two states of a module mean the same: runs both on random inputs and compares the results.

The level of a module decides which interpreter runs it: `graph` for the tensor level, and the host program with the
interpreter of `loop` or `tt` kernels below it.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence

import torch
from host_interpreter import interpret_host
from xdsl.dialects.builtin import DenseArrayBase, IndexType, MemRefType, ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute

from fusir.dialects.graph import SymbolAttr, dims_of, element_type_of
from fusir.interpreters.graph import interpret as interpret_graph
from fusir.interpreters.graph import torch_dtype

Input = torch.Tensor | int

FLOAT_BOUND = 3.0
"""Random floats are normal, cut off at this distance from 0."""

TOLERANCE = {torch.float16: 2e-2, torch.bfloat16: 1.2e-1, torch.float32: 2e-4, torch.float64: 2e-4}
"""Allowed difference `t * (1 + |x|)`; half precision may round after each op or at the end only."""


class Disagreement(AssertionError):
    """Two states of a module give different results."""


def main_of(module: ModuleOp) -> FuncOp:
    """The function `@main` of a module."""
    return next(op for op in module.ops if isinstance(op, FuncOp) and op.sym_name.data == "main")


def random_inputs(module: ModuleOp, seed: int, negative: bool = False) -> list[Input]:
    """Inputs for `@main`: symbols within their range, floats within `FLOAT_BOUND`, integers within `corpus.range`.

    With `negative` every float lies between `-FLOAT_BOUND` and -1, so that a 0 or 1 that got into a maximum shows.
    """
    generator = torch.Generator().manual_seed(seed)
    function = main_of(module)
    attributes = [each.data for each in function.arg_attrs.data] if function.arg_attrs else [{}] * len(function.args)
    symbols: dict[int, int] = {}
    inputs: list[Input] = []
    for argument, attribute in zip(function.args, attributes, strict=True):
        if isinstance(argument.type, IndexType):
            symbol = attribute["graph.symbol"]
            assert isinstance(symbol, SymbolAttr)
            symbols[symbol.position] = _random_symbol(symbol, generator)
            inputs.append(symbols[symbol.position])
        else:
            extents = [d if isinstance(d, int) else d.eval([], _in_order(symbols)) for d in dims_of(argument)]
            tensor = _random_tensor(argument.type, extents, attribute.get("corpus.range"), generator)
            if negative and tensor.dtype.is_floating_point:
                tensor = -1 - tensor.abs() * ((FLOAT_BOUND - 1) / FLOAT_BOUND)
            inputs.append(tensor)
    return inputs


def _in_order(symbols: dict[int, int]) -> list[int]:
    return [symbols.get(i, 0) for i in range(max(symbols, default=-1) + 1)]


def _random_symbol(symbol: SymbolAttr, generator: torch.Generator) -> int:
    high = symbol.maximum if symbol.maximum is not None else symbol.minimum + 100
    low = -(-symbol.minimum // symbol.divisor)
    return symbol.divisor * int(torch.randint(low, high // symbol.divisor + 1, (), generator=generator))


def _random_tensor(
    type_: Attribute, extents: Sequence[int], limits: Attribute | None, generator: torch.Generator
) -> torch.Tensor:
    dtype = torch_dtype(element_type_of(type_))
    if dtype.is_floating_point:
        values = torch.randn(extents, generator=generator, dtype=torch.float64)
        return values.clamp(-FLOAT_BOUND, FLOAT_BOUND).to(dtype)
    if isinstance(limits, DenseArrayBase):
        low, high = (int(each) for each in limits.get_values())
    elif dtype == torch.bool:
        low, high = 0, 1
    else:
        low, high = (0, 255) if dtype == torch.uint8 else (-100, 100)
    return torch.randint(low, high + 1, extents, generator=generator).to(dtype)


def run(module: ModuleOp, inputs: Sequence[Input]) -> list[Input]:
    """The results of `@main` and then its inputs as they are afterwards, by the interpreter of the module's level."""
    inputs = [each.clone() if isinstance(each, torch.Tensor) else each for each in inputs]
    types = (*main_of(module).function_type.inputs, *main_of(module).function_type.outputs)
    interpret = interpret_host if any(isinstance(each, MemRefType) for each in types) else interpret_graph
    results = interpret(module, inputs)
    return [*results, *inputs]


def compare(expected: Sequence[Input], actual: Sequence[Input], what: str) -> None:
    """Raise `Disagreement` unless the results agree: integers exactly, floats within `TOLERANCE`."""
    if len(expected) != len(actual):
        raise Disagreement(f"{what}: {len(expected)} results before, {len(actual)} after")
    for index, (before, after) in enumerate(zip(expected, actual, strict=True)):
        problem = _difference(before, after)
        if problem:
            raise Disagreement(f"{what}: result {index}: {problem}")


def _difference(before: Input, after: Input) -> str:
    if not isinstance(before, torch.Tensor) or not isinstance(after, torch.Tensor):
        return "" if before == after else f"{before} before, {after} after"
    if (before.shape, before.dtype) != (after.shape, after.dtype):
        return f"{tuple(before.shape)} {before.dtype} before, {tuple(after.shape)} {after.dtype} after"
    if not before.dtype.is_floating_point:
        wrong = before != after
    else:
        wrong = ~_close(before.double(), after.double(), TOLERANCE[before.dtype])
    if not wrong.any():
        return ""
    place = tuple(int(i) for i in wrong.nonzero()[0])
    count = int(wrong.sum())
    return f"{count} of {wrong.numel()} elements differ, first {place}: {before[place]} before, {after[place]} after"


def _close(before: torch.Tensor, after: torch.Tensor, tolerance: float) -> torch.Tensor:
    near = (before - after).abs() <= tolerance * (1 + before.abs())
    return near | (before == after) | (before.isnan() & after.isnan())


def seed_of(name: str) -> int:
    """A seed that depends on a name only."""
    return zlib.crc32(name.encode())
