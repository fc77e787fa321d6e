# RUN: %python %s
"""Fusing takes time linear in the ops, within the limits of a kernel, whatever the shape of the graph."""

from __future__ import annotations

import time
from collections.abc import Callable

from graph_builder import Graph, exp
from xdsl.dialects.builtin import ModuleOp

from fusir.dialects.graph import PointwiseOp
from fusir.pipeline import verify
from fusir.transforms.graph.fuse import MAX_OPS, fuse_function
from fusir.transforms.graph.fusion.cost import MAX_BUFFERS

OPS = 600
GROWTH = 4
SLACK = 2.5
"""How much longer than linear the larger graph may take: timers and the garbage collector are not exact."""


def chain(count: int) -> ModuleOp:
    g = Graph("chain")
    x = y = g.arg("f32", 64, 64)
    for _ in range(count // 2):
        y = exp(y) + x
    return g.returns(y)


def fan(count: int) -> ModuleOp:
    g = Graph("fan")
    x = g.arg("f32", 64, 64)
    return g.returns(*(x * float(i) for i in range(count // 2)))


def views(count: int) -> ModuleOp:
    g = Graph("views")
    x = g.arg("f32", 64, 64)
    results = []
    for _ in range(count // 2):
        x = x.permute(1, 0)
        results.append(exp(x))
    return g.returns(*results)


def there_and_back(count: int) -> ModuleOp:
    """Each value is read once more at the mirrored place, as by a backward pass."""
    g = Graph("there_and_back")
    x = g.arg("f32", 64, 64)
    values = []
    for _ in range(count // 6):
        x = g.aten("aten.relu.default", exp(x) * x)
        values.append(x)
    for value in reversed(values):
        x = g.aten("aten.relu.default", x * value + value)
    return g.returns(x)


def rows_and_columns(count: int) -> ModuleOp:
    g = Graph("rows_and_columns")
    x = g.arg("f32", 512, 512)
    for i in range(count // 6):
        x = x / exp(x.sum(i % 2, keep=True))
        x = x * x + x
    return g.returns(x)


def seconds(build: Callable[[int], ModuleOp], count: int) -> float:
    module = build(count)
    started = time.process_time()
    fusions = fuse_function(next(iter(module.ops)))
    elapsed = time.process_time() - started
    verify(module)
    for fusion in fusions:
        assert sum(isinstance(op, PointwiseOp) for op in fusion.block.ops) <= MAX_OPS
        assert len(fusion.inputs) + len(fusion.outputs) <= MAX_BUFFERS
    return elapsed


for build in (chain, fan, views, there_and_back, rows_and_columns):
    small = min(seconds(build, OPS) for _ in range(2))
    large = seconds(build, GROWTH * OPS)
    assert large < SLACK * GROWTH * small, (
        f"{build.__name__}: {OPS} ops {small:.2f} s, {GROWTH} times as many {large:.2f} s"
    )
    assert large / (GROWTH * OPS) < 1.5e-3, f"{build.__name__}: {large / (GROWTH * OPS) * 1e3:.2f} ms an op"
