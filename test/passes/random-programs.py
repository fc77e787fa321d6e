# RUN: %python %s
"""Every pass over random graphs: it verifies, prints and parses, and keeps its meaning."""

import torch
from check_passes import check_graph
from hypothesis import HealthCheck, Phase, given, note, settings
from random_graphs import modules
from xdsl.dialects.builtin import ModuleOp

EXAMPLES = 60

torch.set_num_threads(1)


@settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.explicit, Phase.generate, Phase.shrink],
    suppress_health_check=list(HealthCheck),
)
@given(modules())
def every_pass_keeps_the_meaning(module: ModuleOp) -> None:
    note(str(module))
    check_graph(module, seed=1)


every_pass_keeps_the_meaning()
