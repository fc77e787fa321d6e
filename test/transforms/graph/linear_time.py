# RUN: %python %s
"""The passes of the graph level take time linear in the ops: long chains of several kinds, ms per op printed."""

import time

from machine_speed import slowdown
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, bf16, f32, i32
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Region

from fusir.dialects import graph
from fusir.transforms.graph.canonicalize import CanonicalizePass
from fusir.transforms.graph.cse import CsePass
from fusir.transforms.graph.dce import DcePass
from fusir.transforms.graph.decompose import DecomposePass
from fusir.transforms.graph.fuse_contractions import FuseContractionsPass
from fusir.transforms.graph.promote_precision import PromotePrecisionPass

SIZES = (2_000, 8_000)
LIMIT_MS_PER_OP = 0.5
"""Well above what is measured on an idle core (0.003 to 0.06, up to 0.3 where one op becomes ten)."""
GROWTH = 2.5
"""A quadratic pass takes 4 times as long per op on a chain 4 times as long."""

DIMS = (64, 32)


def arithmetic(value, x):
    return [graph.ExpOp(value), graph.AddOp(value, x)]


def removable(value, x):
    full = graph.FullOp(1.0, graph.tensor_type(f32, ()))
    broadcast = graph.BroadcastOp(full, [], DIMS)
    return [full, broadcast, graph.MulOp(value, broadcast)]


def negations(value, x):
    return [graph.NegOp(value)]


def reshapes(value, x):
    return [graph.ReshapeOp(value, (2048,) if len(graph.dims_of(value)) == 2 else DIMS)]


def equal_pairs(value, x):
    first, second = graph.AddOp(value, x), graph.AddOp(x, value)
    return [first, second, graph.MulOp(first, second)]


def dead(value, x):
    return [graph.SinOp(x), graph.ExpOp(value)]


def modulo(value, x):
    return [graph.ModOp(value, x)]


def layers(value, x):
    weight = graph.PermuteOp(x, (1, 0))
    product = graph.ContractOp(value, weight.result, (), (), (1,), (0,))
    back = graph.ContractOp(product.result, x, (), (), (1,), (0,))
    relu = graph.ReluOp(back)
    return [weight, product, back, relu, graph.AddOp(relu, x)]


def far_readers(value, x):
    """Contractions that are read by the next ones, and by the op that ends the function."""
    weight = graph.PermuteOp(x, (1, 0))
    product = graph.ContractOp(value, weight.result, (), (), (1,), (0,))
    back = graph.ContractOp(product.result, x, (), (), (1,), (0,))
    gate = graph.ContractOp(product.result, x, (), (), (1,), (0,))
    chain = [graph.ExpOp(gate)]
    for _ in range(20):
        chain.append(graph.ExpOp(chain[-1]))
    return [weight, product, back, gate, *chain, graph.AddOp(back, chain[-1]), graph.AddOp(value, back)]


def module(element, step, count, fused):
    type_ = graph.tensor_type(element, DIMS)
    block = Block(arg_types=[type_])
    value, ops = block.args[0], []
    while len(ops) < count:
        new = step(value, block.args[0])
        ops += new
        value = new[-1].results[0]
    block.add_ops(ops)
    if fused:
        block.add_op(graph.YieldOp([value]))
        outer = Block(arg_types=[type_])
        fusion = graph.FusionOp(outer.args, [value.type], Region(block))
        outer.add_op(fusion)
        block, value = outer, fusion.results[0]
    block.add_op(ReturnOp(value))
    return ModuleOp([FuncOp("main", ([type_], [value.type]), Region(block))])


CASES = [
    (CanonicalizePass(), f32, arithmetic, False),
    (CanonicalizePass(), f32, removable, False),
    (CanonicalizePass(), f32, negations, False),
    (CanonicalizePass(), f32, reshapes, False),
    (CanonicalizePass(), f32, arithmetic, True),
    (CsePass(), f32, equal_pairs, False),
    (DcePass(), f32, dead, False),
    (PromotePrecisionPass(), bf16, arithmetic, True),
    (PromotePrecisionPass(strict_rounding=True), bf16, arithmetic, True),
    (DecomposePass(), i32, modulo, False),
    (FuseContractionsPass(), bf16, arithmetic, False),
    (FuseContractionsPass(), bf16, layers, False),
    (FuseContractionsPass(), bf16, far_readers, False),
]

for pass_, element, step, fused in CASES:
    per_op = []
    for size in SIZES:
        program = module(element, step, size, fused)
        start = time.process_time()
        pass_.apply(Context(), program)
        per_op.append(1e3 * (time.process_time() - start) / size)
    name = f"{pass_.name} {step.__name__}"
    print(f"{name:34} {per_op[0]:.4f} {per_op[1]:.4f} ms per op")
    is_cheap = per_op[1] < LIMIT_MS_PER_OP or per_op[1] < LIMIT_MS_PER_OP * slowdown()
    assert is_cheap, f"{name}: {per_op[1]} ms per op"
    assert per_op[1] < GROWTH * max(per_op[0], 0.004), f"{name}: {per_op} ms per op grows"
