"""How slow this machine is now, for bounds on processor time that were set on another one."""

from __future__ import annotations

import statistics
import time

from graph_builder import Graph
from xdsl.dialects.builtin import ModuleOp

REFERENCE_MS = 0.0184
"""Milliseconds of processor time that a copy of one op takes where the bounds were set. There the pipeline took 1.25 ms an
op of a mixed graph and 0.48 of a chain; the same code took 2.1 and 1.0 on another machine, whose copies took 0.035: 1.9 times
as much, on average."""

REPETITIONS = 21


def slowdown() -> float:
    """How many times slower than the reference a graph is copied now; at least 1.

    It times xDSL alone, no pass of fusir, so that code of ours that gets slower still goes past its bound.
    """
    module = _chain()
    count = sum(1 for _ in module.walk())
    cost = statistics.median(_milliseconds_of_copy(module) for _ in range(REPETITIONS)) / count
    return max(1.0, cost / REFERENCE_MS)


def _chain() -> ModuleOp:
    g = Graph("chain")
    x = g.arg("f32", 1024)
    for _ in range(500):
        x = x.unary("sin") * 2.0
    return g.returns(x)


def _milliseconds_of_copy(module: ModuleOp) -> float:
    start = time.process_time()
    module.clone()
    return (time.process_time() - start) * 1e3
