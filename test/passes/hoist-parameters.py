# RUN: %python %s
"""Graphs of the corpus with some arguments as weights: what `@main` makes of what `@prepare` gives is what it was.

Everything that may be kept is kept here, whatever its size. Each graph is compared at the tensor level, some at the tile
level too.
"""

import itertools
import random

import torch
from agreement import compare, main_of, random_inputs, seed_of
from check_passes import files_of, parse
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, IntegerAttr, TensorType, UnitAttr
from xdsl.parser import Parser

from fusir.analysis import parameters
from fusir.dialects import graph, host
from fusir.interpreters.graph import interpret
from fusir.interpreters.module import interpret_module
from fusir.pipeline import make_pass, pass_names, run_pipeline, verify
from fusir.tools.registry import make_context

GROUPS = ("contractions", "edges", "indexing", "normalizations", "pointwise", "reductions", "symbolic", "views")
LOWERED_EVERY = 12

parameters.MIN_BYTES = 0
parameters.MAX_GROWTH = 1e9
torch.set_num_threads(1)
ctx = make_context()


def mark(module, seed):
    """Make about half of the arguments weights, and have them kept."""
    func = main_of(module)
    draw = random.Random(seed)
    known = func.arg_attrs.data if func.arg_attrs else [DictionaryAttr({})] * len(func.args)
    func.arg_attrs = ArrayAttr(
        DictionaryAttr({**each.data, parameters.WEIGHT: UnitAttr()})
        if isinstance(argument.type, TensorType) and draw.random() < 0.6
        else each
        for argument, each in zip(func.args, known, strict=True)
    )
    func.attributes[parameters.PACK] = UnitAttr()


def clones(inputs):
    return [each.clone() if isinstance(each, torch.Tensor) else each for each in inputs]


def run(module, inputs, interpreter):
    """The results of `@main` with those of `@prepare`, and the inputs as they are afterwards."""
    inputs = clones(inputs)
    packed = []
    prepare = host.symbols_of_module(module).get("prepare")
    if prepare is not None:
        positions = [each.data["graph.argument"] for each in prepare.arg_attrs.data]
        assert all(isinstance(each, IntegerAttr) for each in positions)
        packed = interpreter(module, [inputs[each.value.data] for each in positions], entry="prepare")
    return [*interpreter(module, [*inputs, *packed], entry="main"), *inputs]


hoisted = moved = 0
for path, draw in itertools.product(files_of(GROUPS), range(2)):
    module = parse(path)
    if any(isinstance(op, graph.RandomOp) for op in module.walk()):
        continue
    seed = seed_of(path.stem)
    inputs = random_inputs(module, seed)
    expected = [*interpret(module, clones(inputs)), *inputs]
    mark(module, seed + draw)
    names = pass_names("fused")
    for name in names[: names.index("hoist-parameters") + 1]:
        make_pass(name).apply(ctx, module)
    if len(list(module.ops)) == 1:
        continue
    hoisted += 1
    moved += len(host.symbols_of_module(module)["prepare"].function_type.outputs)
    try:
        verify(module)
        assert str(Parser(make_context(), str(module)).parse_module()) == str(module)
        compare(expected, run(module, inputs, interpret), "hoist-parameters")
        if hoisted % LOWERED_EVERY == 0:
            run_pipeline(ctx, module, behind="hoist-parameters", verify_each=True)
            compare(expected, run(module, inputs, interpret_module), "lowered")
    except Exception as error:
        error.add_note(str(path))
        raise
print(f"{hoisted} graphs with {moved} packed tensors agree")
assert hoisted > 100 and moved > 150
