# RUN: %python %s float
# RUN: %python %s integer
"""`canonicalize` keeps f(g(x)) bit for bit for all pairs of pointwise ops, with constants and special values."""

import itertools
import math
import sys

import torch
from graph_equality import check_pass, describe, module_of
from xdsl.dialects.builtin import f16, f32, i1, i8, i32, i64
from xdsl.ir import Block

from fusir.dialects import graph
from fusir.transforms.graph.canonicalize import CanonicalizePass

INTEGER_UNARY = (graph.NegOp, graph.AbsOp, graph.SignOp, graph.ReluOp)
FLOAT_UNARY = (
    *INTEGER_UNARY,
    graph.FloorOp,
    graph.CeilOp,
    graph.RoundOp,
    graph.TruncOp,
    graph.SqrtOp,
    graph.ReciprocalOp,
)
NUMBER_BINARY = (graph.AddOp, graph.SubOp, graph.MulOp, graph.DivOp, graph.MaximumOp, graph.MinimumOp, graph.PowOp)
FLOAT_BINARY = (*NUMBER_BINARY, graph.FmaxOp, graph.FminOp, graph.RemOp)
INTEGER_BINARY = (*NUMBER_BINARY, graph.RemOp, graph.ModOp, graph.FloorDivOp, graph.AndOp, graph.OrOp, graph.XorOp)
INTEGER_BINARY += (graph.ShlOp, graph.ShrOp)
PREDICATES = ("eq", "ne", "lt", "le", "gt", "ge")
FLOAT_CONSTANTS = (0.0, -0.0, 1.0, -1.0, 2.0, math.inf, -math.inf, math.nan)
INTEGER_CONSTANTS = (0, 1, -1, 2)
INNER_CONSTANTS = (1.0, 2.0, 1, -1, True)
BOOL_CONSTANTS = (True, False)
SPECIAL = [0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 3.7, 65504.0, 1e-7, 1e-40, math.inf, -math.inf, math.nan, 7.0]
TARGETS = {f32: (f16, i32, i1), i8: (f32, i32, i64, graph.ui8), graph.ui8: (f32, i8, i32), i1: (f32, i8)}
ELEMENTS = {"float": (f32,), "integer": (i8, graph.ui8, i1)}


def samples(element):
    if element == f32:
        return torch.tensor(SPECIAL)
    if element == i1:
        return torch.tensor([True, False])
    return torch.tensor([-128, -127, -2, -1, 0, 1, 2, 3, 7, 8, 100, 127]).to(
        torch.int8 if element == i8 else torch.uint8
    )


def applications(value, x, inner=False):
    """Every pointwise op applied to the value, with constants, x and itself; constants come with their op.

    An inner op has fewer constants, and all of them on the right: what a law looks through.
    """
    type_ = value.type
    element = type_.element_type
    if element == i1:
        unary, binary, constants = (graph.NotOp,), (graph.AndOp, graph.OrOp, graph.XorOp), BOOL_CONSTANTS
    elif graph.is_float(element):
        unary, binary, constants = FLOAT_UNARY, FLOAT_BINARY, FLOAT_CONSTANTS
    else:
        unary, binary, constants = (*INTEGER_UNARY, graph.NotOp), INTEGER_BINARY, INTEGER_CONSTANTS
    for class_ in unary:
        yield [class_(value)]
    if inner:
        constants = [c for c in constants if c in INNER_CONSTANTS]
    predicates = PREDICATES[:3] if inner else PREDICATES
    makers = [*binary, *(lambda a, b, p=p: graph.CompareOp(p, a, b) for p in predicates)]
    for make in makers:
        yield [make(value, value)]
        if value.type == x.type:
            yield [make(value, x)]
        for constant in constants:
            full = graph.FullOp(constant, type_)
            yield [full, make(value, full)]
            if not inner:
                full = graph.FullOp(constant, type_)
                yield [full, make(full, value)]
    for target in (*TARGETS.get(element, (f32, i32)), element):
        if not (graph.is_float(element) and graph.is_integer(target)):  # undefined out of range
            yield [graph.ConvertOp(value, target)]
    if element == i1:
        for a, b in itertools.product(("x", True, False), repeat=2):
            full_a, full_b = graph.FullOp(a == "x" or a, type_), graph.FullOp(b == "x" or b, type_)
            yield [full_a, full_b, graph.SelectOp(value, value if a == "x" else full_a, value if b == "x" else full_b)]
    else:
        condition = graph.CompareOp("gt", value, value)
        yield [condition, graph.SelectOp(condition, value, value)]


def check(element):
    inputs = samples(element)
    type_ = graph.tensor_type(element, tuple(inputs.shape))
    outer = Block(arg_types=[type_])
    count = len(list(applications(outer.args[0], outer.args[0], inner=True)))
    before = after = 0
    for position in range(count):
        block = Block(arg_types=[type_])
        x = block.args[0]
        inner = list(applications(x, x, inner=True))[position]
        block.add_ops(inner)
        results = [inner[-1].results[0]]
        for ops in applications(inner[-1].results[0], x):
            block.add_ops(ops)
            results.append(ops[-1].results[0])
        names = [describe(r.owner) for r in results]
        before += len(results)
        after += check_pass(module_of(block, results), CanonicalizePass(), [inputs], names)
    print(f"{element}: {count} ops and {before} pairs, {after} ops left")


for kind in sys.argv[1:]:
    for element_type in ELEMENTS[kind]:
        check(element_type)
