# RUN: %python %s
"""A schedule never changes meaning: random kernels under random legal schedules, at tile level and at loop level."""

from __future__ import annotations

import torch
from agreement import compare, random_inputs, run
from check_passes import CORPUS, parse
from hypothesis import HealthCheck, Phase, given, note, settings
from hypothesis import strategies as st
from random_graphs import modules
from random_schedules import draw_schedule
from xdsl.dialects.builtin import ModuleOp

from fusir.analysis.accesses import KernelAccesses
from fusir.conversion.loop_to_tt import replace_kernel
from fusir.dialects.loop import KernelOp, OnlineOp, ScanOp
from fusir.pipeline import run_pipeline, verify
from fusir.tools.registry import make_context
from fusir.transforms.loop.online import merge_cascades

MAX_ELEMENTS = 30_000
"""Elements of the largest argument of a graph of the corpus that takes part."""

DRAWN: set[str] = set()
"""What the schedules had, of `FEATURES`."""

FEATURES = {
    "an axis that several programs share",
    "a cascade that makes one exchange",
    "an axis in segments",
    "a walk over rows",
    "lanes that stay together from the end",
    "tiles of a contraction",
}

torch.set_num_threads(1)


def is_small(module: ModuleOp) -> bool:
    """Whether no argument has more than MAX_ELEMENTS."""
    inputs = random_inputs(module, seed=2)
    return all(each.numel() <= MAX_ELEMENTS for each in inputs if isinstance(each, torch.Tensor))


def drawn_features(kernel: KernelOp) -> set[str]:
    """What the schedule of a kernel has, before it is lowered."""
    accesses = KernelAccesses.of(kernel)
    assert kernel.schedule is not None and accesses is not None
    features: set[str] = set()
    if any(axis.rows is not None for axis in kernel.schedule.axes):
        features.add("an axis in segments")
    if accesses.contraction is not None:
        features.add("tiles of a contraction")
    if accesses.walk is not None:
        features.add("a walk over rows")
    if any(isinstance(loop, ScanOp) and loop.reverse and loop.lane_group > 1 for loop in accesses.inner):
        features.add("lanes that stay together from the end")
    return features


def of_corpus(*folders: str) -> st.SearchStrategy[ModuleOp]:
    """The small graphs in these folders of the corpus."""
    paths = [path for folder in folders for path in sorted(CORPUS.glob(f"{folder}/*.mlir"))]
    return st.sampled_from(paths).map(parse).filter(is_small)


def check(graphs: st.SearchStrategy[ModuleOp], examples: int, rows: bool = False) -> None:
    """Whether any schedule of random graphs gives the same; `rows` is that of `draw_schedule`, with cascades merged."""

    @settings(
        max_examples=examples,
        deadline=None,
        derandomize=True,
        database=None,
        phases=[Phase.explicit, Phase.generate, Phase.shrink],
        suppress_health_check=list(HealthCheck),
    )
    @given(graphs, st.data())
    def any_schedule_gives_the_same(module: ModuleOp, data: st.DataObject) -> None:
        lower_and_compare(module, data, rows)

    any_schedule_gives_the_same()


def lower_and_compare(module: ModuleOp, data: st.DataObject, rows: bool) -> None:
    """Compare a module at tile level, with random schedules, with the loop level."""
    inputs = random_inputs(module, seed=2)
    run_pipeline(make_context(), module, upto="loop")
    expected = run(module, inputs)
    for kernel in list(module.ops):
        if isinstance(kernel, KernelOp):
            if rows or data.draw(st.booleans()):
                merge_cascades(kernel)
            draw_schedule(data.draw, kernel, rows)
            kernel.verify()
            note(str(kernel))
            merges = any(isinstance(op, OnlineOp) for op in kernel.walk())
            DRAWN.update(drawn_features(kernel))
            if replace_kernel(kernel).together > 1:
                DRAWN.add("an axis that several programs share")
                if merges:
                    DRAWN.add("a cascade that makes one exchange")
    verify(module)
    compare(expected, run(module, inputs), "a random schedule")


check(modules(), 60)
check(of_corpus("*"), 40)
check(of_corpus("normalizations", "reductions"), 30, rows=True)
check(of_corpus("scans"), 20)
assert DRAWN == FEATURES, f"no schedule has {FEATURES - DRAWN}"
