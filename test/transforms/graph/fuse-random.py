# RUN: %python %s
"""Fusing keeps the meaning of random programs, under any setting of its limits and costs."""

from __future__ import annotations

from unittest.mock import patch

import torch
from agreement import compare, random_inputs, run
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from random_graphs import modules
from xdsl.dialects.builtin import ModuleOp

from fusir.analysis.space import verify_fusion_space
from fusir.dialects.graph import FusionOp
from fusir.pipeline import verify
from fusir.transforms.graph.fuse import fuse_function
from fusir.transforms.graph.fusion import cost, order, program

limits = st.fixed_dictionaries(
    {
        (cost, "LAUNCH_BYTES"): st.sampled_from((0, 1 << 30)),
        (cost, "BUSY_PROGRAMS"): st.sampled_from((1, 1 << 30)),
        (cost, "MAX_SHORT_ROW"): st.sampled_from((0, 1 << 30)),
        (cost, "MAX_BUFFERS"): st.sampled_from((2, 48)),
        (cost, "MAX_INDEX_MAPS"): st.sampled_from((1, 8)),
        (order, "SEARCH_LIMIT"): st.sampled_from((0, 400)),
        (program, "MAX_VIEWS"): st.sampled_from((1, 2, 16)),
    }
)


@settings(max_examples=250, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(module=modules(), values=limits, max_ops=st.sampled_from((2, 5, 256)))
def check(module: ModuleOp, values: dict[tuple[object, str], int], max_ops: int) -> None:
    fused = module.clone()
    patches = [patch.object(owner, name, value) for (owner, name), value in values.items()]
    for each in patches:
        each.start()
    try:
        fusions = fuse_function(next(iter(fused.ops)), max_ops=max_ops)
    finally:
        for each in patches:
            each.stop()
    verify(fused)
    for fusion in fusions:
        assert isinstance(fusion, FusionOp)
        verify_fusion_space(fusion)
    inputs = random_inputs(module, 7)
    compare(run(module, inputs), run(fused, inputs), "fuse")


torch.set_num_threads(1)
check()
