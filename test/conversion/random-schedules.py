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

from fusir.conversion.loop_to_tt import replace_kernel
from fusir.dialects.loop import KernelOp, OnlineOp
from fusir.pipeline import run_pipeline, verify
from fusir.tools.registry import make_context
from fusir.transforms.loop.online import merge_cascades

EXAMPLES = 160
MAX_ELEMENTS = 50_000
"""Elements of the largest argument of a graph of the corpus that takes part."""

SHARED: list[bool] = []
"""Of each kernel whether its schedule had an axis that several programs share."""

MERGED: list[bool] = []
"""Of those that had one, whether a cascade makes one exchange."""

torch.set_num_threads(1)


def is_small(module: ModuleOp) -> bool:
    """Whether no argument has more than MAX_ELEMENTS."""
    inputs = random_inputs(module, seed=2)
    return all(each.numel() <= MAX_ELEMENTS for each in inputs if isinstance(each, torch.Tensor))


GRAPHS = modules() | st.sampled_from(sorted(CORPUS.glob("*/*.mlir"))).map(parse).filter(is_small)


@settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.explicit, Phase.generate, Phase.shrink],
    suppress_health_check=list(HealthCheck),
)
@given(GRAPHS, st.data())
def any_schedule_gives_the_same(module: ModuleOp, data: st.DataObject) -> None:
    inputs = random_inputs(module, seed=2)
    run_pipeline(make_context(), module, upto="loop")
    expected = run(module, inputs)
    for kernel in list(module.ops):
        if isinstance(kernel, KernelOp):
            if data.draw(st.booleans()):
                merge_cascades(kernel)
            draw_schedule(data.draw, kernel)
            kernel.verify()
            note(str(kernel))
            merges = any(isinstance(op, OnlineOp) for op in kernel.walk())
            SHARED.append(replace_kernel(kernel).together > 1)
            if SHARED[-1]:
                MERGED.append(merges)
    verify(module)
    compare(expected, run(module, inputs), "a random schedule")


any_schedule_gives_the_same()
assert any(SHARED), "no schedule has a shared axis"
assert any(MERGED), "no cascade is merged along a shared axis"
