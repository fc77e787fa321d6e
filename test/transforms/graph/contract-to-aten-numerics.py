# RUN: %python %s
"""`contract-to-aten` keeps the meaning of contractions with any order of batch, free and contracted dims."""

import random

import torch
from xdsl.dialects.builtin import ModuleOp, f32, f64
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Region

from fusir.dialects.graph import AddOp, BroadcastOp, CallAtenOp, ContractOp, dims_of, tensor_type
from fusir.interpreters.graph import interpret
from fusir.pipeline import make_pass, verify
from fusir.tools.registry import make_context

context = make_context()
rng = random.Random(0)
targets: set[str] = set()


def random_contraction() -> ModuleOp:
    """A contraction with up to two dims of each kind, in any order, and sometimes a bias behind it."""
    count = {kind: rng.randint(0, 2) for kind in ("batch", "contract", "rows", "columns")}
    extents = {kind: [rng.randint(1, 4) for _ in range(n)] for kind, n in count.items()}
    left = [(kind, i) for kind in ("batch", "contract", "rows") for i in range(count[kind])]
    right = [(kind, i) for kind in ("batch", "contract", "columns") for i in range(count[kind])]
    rng.shuffle(left)
    rng.shuffle(right)
    element = rng.choice((f32, f64))
    types = [tensor_type(element, [extents[kind][i] for kind, i in side]) for side in (left, right)]

    def places(side: list[tuple[str, int]], kind: str) -> list[int]:
        return [side.index((kind, i)) for i in range(count[kind])]

    block = Block(arg_types=types)
    contract = ContractOp(
        block.args[0],
        block.args[1],
        places(left, "batch"),
        places(right, "batch"),
        places(left, "contract"),
        places(right, "contract"),
    )
    block.add_op(contract)
    result = contract.result
    dims = dims_of(result)
    if dims and rng.random() < 0.7:
        first = rng.randrange(len(dims))
        bias = block.insert_arg(tensor_type(element, dims[first:]), 2)
        broadcast = BroadcastOp(bias, list(range(first, len(dims))), result.type)
        total = AddOp(result, broadcast.result)
        block.add_ops([broadcast, total])
        result = total.result
    block.add_op(ReturnOp(result))
    return ModuleOp([FuncOp("main", ([a.type for a in block.args], [result.type]), Region(block))])


for _ in range(150):
    module = random_contraction()
    main = module.body.block.first_op
    assert isinstance(main, FuncOp)
    dtypes = {"f32": torch.float32, "f64": torch.float64}
    inputs = [torch.randn(dims_of(a), dtype=dtypes[str(a.type.element_type)]) for a in main.args]  # pyright: ignore
    (expected,) = interpret(module, inputs)
    for name in ("fuse", "contract-to-aten"):
        make_pass(name).apply(context, module)
        verify(module)
    assert not any(isinstance(op, ContractOp) for op in module.walk())
    targets.update(op.target for op in module.walk() if isinstance(op, CallAtenOp))
    (result,) = interpret(module, inputs)
    torch.testing.assert_close(result, expected)
assert targets == {"aten.mm.default", "aten.bmm.default", "aten.addmm.default"}, targets
