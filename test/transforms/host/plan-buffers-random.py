# RUN: %python %s
"""`plan-buffers` on random programs of many kernels: results stay, and buffers are in fact shared."""

import random

import torch
from xdsl.dialects.func import FuncOp
from xdsl.parser import Parser

from fusir.dialects import host
from fusir.interpreters.graph import interpret
from fusir.pipeline import run_pipeline
from fusir.runtime.executable import build
from fusir.tools.registry import make_context

SHAPES = {"8x6": "6x8", "6x8": "8x6"}
"""Two shapes of one size, each with its transpose."""

context = make_context()
in_place = allocations = launches = 0


def random_program(rng: random.Random) -> str:
    values = [(f"%a{i}", shape) for i, shape in enumerate(("8x6", "6x8", "8x6"))]
    arguments = ", ".join(f"{name}: tensor<{shape}xf32>" for name, shape in values)
    lines: list[str] = []
    for number in range(rng.randint(4, 14)):
        # Recent values are read more often, so that others die.
        name, shape = values[-1] if rng.random() < 0.6 else rng.choice(values)
        type_ = f"tensor<{shape}xf32>"
        kind = rng.choice(("sin", "sin", "tanh", "add", "permute", "reshape", "reverse", "mm"))
        result = f"%{number}"
        if kind in ("sin", "tanh"):
            lines.append(f"{result} = graph.{kind} {name} : {type_}")
        elif kind == "add":
            other = rng.choice([value for value, each in values if each == shape])
            lines.append(f"{result} = graph.add {name}, {other} : {type_}")
        elif kind == "reverse":
            lines.append(f"{result} = graph.reverse {name} dims [{rng.randint(0, 1)}] : {type_}")
        elif kind == "mm":
            rows = shape.split("x")[0]
            other = rng.choice([value for value, each in values if each == SHAPES[shape]])
            small = f"tensor<{rows}x{rows}xf32>"
            operands = f"{name}, {other}"
            arrow = f"({type_}, tensor<{SHAPES[shape]}xf32>) -> {small}"
            lines.append(f"%m{number} = graph.contract {operands} batch [], [] contract [1], [0] : {arrow}")
            arrow = f"({small}, {type_}) -> {type_}"
            lines.append(f"{result} = graph.contract %m{number}, {name} batch [], [] contract [1], [0] : {arrow}")
        else:
            shape = SHAPES[shape]
            what = f"permute {name} dims [1, 0]" if kind == "permute" else f"reshape {name}"
            lines.append(f"{result} = graph.{what} : {type_} -> tensor<{shape}xf32>")
        values.append((result, shape))
    returned = rng.sample(values[3:], min(len(values) - 3, rng.randint(1, 3)))
    if rng.random() < 0.7:
        returned = [values[-1], *returned]
    names = ", ".join(name for name, _ in returned)
    types = ", ".join(f"tensor<{shape}xf32>" for _, shape in returned)
    body = "\n  ".join(lines)
    return f"func.func @main({arguments}) -> ({types}) {{\n  {body}\n  return {names} : {types}\n}}"


for seed in range(60):
    text = random_program(random.Random(seed))
    module = Parser(context, text).parse_module()
    generator = torch.Generator().manual_seed(seed)
    inputs = [torch.randn(shape, generator=generator) / 4 for shape in ((8, 6), (6, 8), (8, 6))]
    kept = [x.clone() for x in inputs]
    expected = interpret(module, inputs)
    # Products by ATen in most programs, by kernels in the others.
    options = {"fuse": {"enabled": (False,)}, "fuse-contractions": {"enabled": (seed % 3 == 0,)}}
    run_pipeline(context, module, options=options, verify_each=True)
    results = build(module)(list(inputs))
    for got, want in zip(results, expected, strict=True):
        assert torch.allclose(got, want, rtol=1e-4, atol=1e-5), text
    assert all(torch.equal(x, y) for x, y in zip(inputs, kept, strict=True)), f"an input was overwritten by\n{text}"
    main = host.symbols_of_module(module)["main"]
    assert isinstance(main, FuncOp)
    for op in main.body.block.ops:
        allocations += isinstance(op, host.AllocOp)
        if isinstance(op, host.LaunchOp):
            launches += 1
            in_place += len(set(op.arguments)) < len(op.arguments)

print(f"{launches} launches, {allocations} allocations, {in_place} in place")
assert in_place > 20 and allocations < launches * 0.8, "buffers are not shared"
