# RUN: %python %s
"""Norms in front of contractions: results are as near to float64 as before, and rows that are not finite stay so."""

from __future__ import annotations

import torch
from choosers import CHOOSERS, Always
from graph_builder import Graph, rsqrt
from xdsl.dialects.builtin import ModuleOp

from fusir.dialects import graph
from fusir.interpreters.graph import interpret
from fusir.pipeline import make_pass, verify
from fusir.tools.registry import make_context
from fusir.transforms.graph.contraction_choice import use_chooser

FEW, MANY = 33, 22_100
"""Rows of which the weight of the norm does not go to the other operand, and of which it does in every type."""
INNER, COLUMNS = 192, 8
EPSILON = 1e-6
DTYPES = {"f32": torch.float32, "bf16": torch.bfloat16, "f16": torch.float16}


def rms_norm_linear(element: str, rows: int, weighted: bool) -> ModuleOp:
    g = Graph("rms_norm_linear")
    x, gamma = g.arg(element, rows, INNER), g.arg(element, INNER)
    wide = x.convert("f32") if element != "f32" else x
    wide = wide * rsqrt((wide * wide).mean(1, keep=True) + EPSILON)
    if weighted:
        wide = wide * (gamma.convert("f32") if element != "f32" else gamma)
    y = wide.convert(element) if element != "f32" else wide
    return g.returns(y.matmul(g.arg(element, INNER, COLUMNS)))


def lowered(module: ModuleOp, fuse: bool, chooser: Always | None = None) -> ModuleOp:
    module = module.clone()
    fusing = ("fuse-contractions", "choose-contractions") if fuse else ()
    with use_chooser(chooser):
        for name in ("canonicalize", "cse", *fusing, "fuse", "promote-precision"):
            make_pass(name).apply(make_context(), module)
    verify(module)
    return module


def reference(x: torch.Tensor, gamma: torch.Tensor, w: torch.Tensor, weighted: bool) -> torch.Tensor:
    x, gamma, w = x.double(), gamma.double(), w.double()
    y = x * ((x * x).mean(1, keepdim=True) + EPSILON).rsqrt()
    return (y * gamma if weighted else y) @ w


def is_scaled(module: ModuleOp) -> bool:
    """Whether the only contraction of a module is followed by a factor of its rows."""
    (contract,) = (op for op in module.walk() if isinstance(op, graph.ContractOp))
    return isinstance(contract.result.get_user_of_unique_use(), graph.MulOp)


def in_a_fusion(module: ModuleOp) -> bool:
    (contract,) = (op for op in module.walk() if isinstance(op, graph.ContractOp))
    return isinstance(contract.parent_op(), graph.FusionOp)


def check(element: str, rows: int, weighted: bool, scale: float) -> None:
    module = rms_norm_linear(element, rows, weighted)
    before, after = lowered(module, False), lowered(module, True)
    # A sum of f16 that is not normalised might overflow with the weight, and few rows are not worth another weight.
    leaves = not weighted or (rows == MANY and element != "f16")
    assert in_a_fusion(after) and is_scaled(after) == leaves, f"{element} {rows} {weighted}: {after}"
    generator = torch.Generator().manual_seed(3)
    dtype = DTYPES[element]
    x = (torch.randn(rows, INNER, generator=generator) * scale).to(dtype)
    gamma = torch.randn(INNER, generator=generator).to(dtype)
    w = torch.randn(INNER, COLUMNS, generator=generator).to(dtype)
    expected = reference(x, gamma, w, weighted)

    def error(module: ModuleOp) -> float:
        return (interpret(module, [x, gamma, w])[0].double() - expected).abs().max().item()

    bound = 1.5 * error(before) + 1e-5
    assert error(after) <= bound, f"{element} {rows} {weighted} {scale}: {error(after)} > {bound}"
    # Without the fusion: a plain kernel has the sums in f32. A library rounds them before they are multiplied; those
    # of f16 would overflow, so that this fusion is kept.
    plain, library = (lowered(module, True, CHOOSERS[name]) for name in ("plain", "library"))
    assert error(plain) <= bound, f"{element} {rows} {weighted} {scale}: {error(plain)} > {bound}, plain"
    assert in_a_fusion(library) == (leaves and element == "f16")
    assert error(library) <= 2 * bound, f"{element} {rows} {weighted} {scale}: {error(library)} > {2 * bound}, library"
    if scale != 1.0:
        return
    changed = [after, plain, library]
    for value in (torch.inf, -torch.inf, torch.nan):
        bad = x.clone()
        bad[5, 7] = value
        undefined = interpret(before, [bad, gamma, w])[0].isnan()
        assert undefined[5].all()
        for each in changed:
            assert torch.equal(interpret(each, [bad, gamma, w])[0].isnan(), undefined)
    zero = x.clone()
    zero[4] = 0
    for each in changed:
        assert (interpret(each, [zero, gamma, w])[0][4] == 0).all()


torch.set_num_threads(1)
for element in DTYPES:
    for weighted in (False, True):
        for scale in (1e-3, 1.0, 1e4):
            check(element, FEW, weighted, scale)
for element in DTYPES:
    check(element, MANY, True, 1.0)
