# RUN: %python %s
"""Norms in front of contractions: results are as near to float64 as before, and rows that are not finite stay so."""

from __future__ import annotations

import torch
from graph_builder import Graph, rsqrt
from xdsl.dialects.builtin import ModuleOp

from fusir.dialects import graph
from fusir.interpreters.graph import interpret
from fusir.pipeline import make_pass
from fusir.tools.registry import make_context

ROWS, INNER, COLUMNS = 33, 192, 48
EPSILON = 1e-6


def rms_norm_linear(element: str, weighted: bool) -> ModuleOp:
    g = Graph("rms_norm_linear")
    x, gamma = g.arg(element, ROWS, INNER), g.arg(element, INNER)
    wide = x.convert("f32") if element != "f32" else x
    wide = wide * rsqrt((wide * wide).mean(1, keep=True) + EPSILON)
    if weighted:
        wide = wide * (gamma.convert("f32") if element != "f32" else gamma)
    y = wide.convert(element) if element != "f32" else wide
    return g.returns(y.matmul(g.arg(element, INNER, COLUMNS)))


def lowered(module: ModuleOp, fuse: bool) -> ModuleOp:
    module = module.clone()
    names = ("canonicalize", "cse", *(["fuse-contractions"] if fuse else []), "fuse", "promote-precision")
    for name in names:
        make_pass(name).apply(make_context(), module)
    return module


def reference(x: torch.Tensor, gamma: torch.Tensor, w: torch.Tensor, weighted: bool) -> torch.Tensor:
    x, gamma, w = x.double(), gamma.double(), w.double()
    y = x * ((x * x).mean(1, keepdim=True) + EPSILON).rsqrt()
    return (y * gamma if weighted else y) @ w


def check(element: str, weighted: bool, scale: float) -> None:
    module = rms_norm_linear(element, weighted)
    after = lowered(module, True)
    fusions = [op for op in after.walk() if isinstance(op, graph.FusionOp)]
    contracts = [op for fusion in fusions for op in fusion.block.ops if isinstance(op, graph.ContractOp)]
    left_out = element == "f16" and weighted
    assert len(contracts) == 1
    scaled = isinstance(contracts[0].result.get_user_of_unique_use(), graph.MulOp)
    assert scaled != left_out, "the factor of the rows follows the product, but where f16 might overflow"
    dtype = {"f32": torch.float32, "bf16": torch.bfloat16, "f16": torch.float16}[element]
    generator = torch.Generator().manual_seed(3)
    x = (torch.randn(ROWS, INNER, generator=generator) * scale).to(dtype)
    gamma = torch.randn(INNER, generator=generator).to(dtype)
    w = torch.randn(INNER, COLUMNS, generator=generator).to(dtype)
    expected = reference(x, gamma, w, weighted)
    errors = [
        (interpret(each, [x, gamma, w])[0].double() - expected).abs().max().item()
        for each in (lowered(module, False), after)
    ]
    assert errors[1] <= 1.5 * errors[0] + 1e-5, f"{element} {weighted} {scale}: {errors}"
    for value in (torch.inf, -torch.inf, torch.nan):
        bad = x.clone()
        bad[5, 7] = value
        before, result = (interpret(each, [bad, gamma, w])[0] for each in (lowered(module, False), after))
        assert torch.equal(before.isnan(), result.isnan()) and result[5].isnan().all()
    zero = x.clone()
    zero[4] = 0
    assert (interpret(after, [zero, gamma, w])[0][4] == 0).all()


torch.set_num_threads(1)
for element in ("f32", "bf16", "f16"):
    for weighted in (False, True):
        for scale in (1e-3, 1.0, 200.0):
            check(element, weighted, scale)
