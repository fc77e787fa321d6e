# RUN: %python %s
"""Logsumexps of products from partial results: as near to float64 as PyTorch, with its infinities and NaN, whatever
computes the product, and at every level."""

from __future__ import annotations

import torch
from agreement import run
from choosers import CHOOSERS, Always
from graph_builder import Graph
from xdsl.dialects.builtin import ModuleOp

from fusir.dialects import graph
from fusir.pipeline import run_pipeline, verify
from fusir.tools.registry import make_context
from fusir.transforms.graph.contraction_choice import use_chooser

ROWS, INNER, COLUMNS = 24, 32, 384
DTYPES = {"f32": torch.float32, "bf16": torch.bfloat16, "f16": torch.float16}
RAGGED = 200
LEVELS = ("fused", "loop", "host")


def product(element: str, columns: int, dim: int, rows: int = ROWS) -> ModuleOp:
    g = Graph("logits")
    y = g.arg(element, rows, INNER).matmul(g.arg(element, INNER, columns))
    return g.returns((y.convert("f32") if element != "f32" else y).logsumexp(dim))


def lowered(module: ModuleOp, upto: str, chooser: Always | None = None) -> ModuleOp:
    module = module.clone()
    with use_chooser(chooser):
        run_pipeline(make_context(), module, upto)
    verify(module)
    return module


def partial_results(module: ModuleOp) -> int:
    """How many logsumexps of parts there are."""
    kind = graph.ReduceKind.LOGSUMEXP
    return sum(isinstance(op, graph.ReduceOp) and op.kind is kind for op in module.walk())


def inputs(element: str, columns: int, scale: float) -> list[torch.Tensor]:
    generator = torch.Generator().manual_seed(11)
    shapes = ((ROWS, INNER), (INNER, columns))
    x, w = (torch.randn(shape, generator=generator) for shape in shapes)
    return [(x * scale).to(DTYPES[element]), w.to(DTYPES[element])]


def check_accuracy(element: str, columns: int, scale: float) -> None:
    module = product(element, columns, 1)
    x, w = inputs(element, columns, scale)
    exact = torch.logsumexp(x.double() @ w.double(), 1)
    eager = (torch.logsumexp((x @ w).float(), 1).double() - exact).abs().max().item()
    bound = 1.5 * eager + 2e-6 * exact.abs().max().item()
    for upto in LEVELS:
        low = lowered(module, upto)
        if upto == "fused":
            assert partial_results(low) == (columns % 128 == 0), f"{columns} columns:\n{low}"
        error = (run(low, [x, w])[0].double() - exact).abs().max().item()
        assert error <= bound, f"{element} {columns} {scale} {upto}: {error} > {bound}"


def check_choices(element: str) -> None:
    module = product(element, COLUMNS, 1)
    x, w = inputs(element, COLUMNS, 1.0)
    expected = torch.logsumexp((x.float() @ w.float()), 1)
    for name, chooser in CHOOSERS.items():
        fused = lowered(module, "fused", chooser)
        assert partial_results(fused) == 0, f"{name} {element}:\n{fused}"
        found = run(lowered(module, "host", chooser), [x, w])[0]
        torch.testing.assert_close(found, expected, rtol=2e-2 if element != "f32" else 1e-5, atol=1e-4)


def check_special_rows() -> None:
    """Rows of -inf, with infinities, with NaN, and with both."""
    module = product("f32", COLUMNS, 1)
    x = torch.zeros(ROWS, INNER)
    w = torch.zeros(INNER, COLUMNS)
    # The product is x[:, 0] everywhere, but for the columns that the other rows of w pick.
    w[0] = 1.0
    for row, column in enumerate((0, 127, 128, 300, 383), start=1):
        w[row, column] = 1.0
    x[:, 0] = torch.linspace(-3, 3, ROWS)
    special = {1: {0: -torch.inf}, 2: {0: torch.inf}, 3: {0: torch.nan}, 4: {0: 100.0}, 5: {0: -1e38}, 6: {0: 3e38}}
    for row, values in special.items():
        for place, value in values.items():
            x[row, place] = value
    for row, value in ((7, 500.0), (8, -500.0), (9, 3e38)):
        x[row, 1:6] = value
    # 0 * inf is NaN: rows of one infinity are products without zeros in that place.
    g = Graph("logits")
    y = g.arg("f32", ROWS, INNER).matmul(g.arg("f32", INNER, COLUMNS)) + g.arg("f32", ROWS, COLUMNS)
    added = torch.zeros(ROWS, COLUMNS)
    added[10] = -torch.inf
    added[11, 200] = torch.inf
    added[12, :] = torch.inf
    added[13, 5] = torch.nan
    added[14, 5], added[14, 6] = torch.nan, torch.inf
    added[15, :128] = -torch.inf
    added[16, 7], added[16, 300] = -torch.inf, torch.inf
    biased = g.returns(y.logsumexp(1))
    clean = torch.nan_to_num(x, nan=0.0, posinf=1.0, neginf=-1.0).clamp(-10, 10)
    for model, arguments, values in ((module, [x, w], x @ w), (biased, [clean, w, added], clean @ w + added)):
        expected = torch.logsumexp(values, 1)
        for upto in LEVELS:
            low = lowered(model, upto)
            assert upto != "fused" or partial_results(low) == 1
            found = run(low, arguments)[0]
            torch.testing.assert_close(found, expected, rtol=1e-5, atol=1e-5, equal_nan=True)
    assert expected[10] == -torch.inf and expected[11] == expected[12] == torch.inf and expected[15].isfinite()


torch.set_num_threads(1)
for element in DTYPES:
    for scale in (1e-2, 30.0):
        check_accuracy(element, COLUMNS, scale)
    check_choices(element)
check_accuracy("f32", RAGGED, 1.0)
assert partial_results(lowered(product("f32", COLUMNS, 1, rows=1), "fused")) == 0
check_special_rows()
