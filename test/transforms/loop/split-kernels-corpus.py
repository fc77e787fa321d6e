# RUN: %python %s
"""Kernels that are split nest by nest before loop-fuse mean the same, and every piece lowers."""

from __future__ import annotations

import torch
from agreement import Disagreement, compare, random_inputs, run, seed_of
from check_passes import CORPUS, parse

from fusir.dialects.loop import KernelOp
from fusir.pipeline import make_pass, verify
from fusir.tools.registry import make_context

GROUPS = ("normalizations", "reductions", "scans", "views", "indexing", "symbolic", "edges")
MAX_ELEMENTS = 20_000
"""Elements of the largest argument of a graph that takes part."""

TO_LOOPS = ("decompose", "scan-to-aten", "fuse", "contract-to-aten", "convert-graph-to-loop")
FROM_LOOPS = ("split-kernels", "loop-fuse", "loop-schedule", "convert-loop-to-tt", "plan-buffers")

torch.set_num_threads(1)
ctx = make_context()
checked = 0
for path in sorted(path for group in GROUPS for path in (CORPUS / group).glob("*.mlir")):
    module = parse(path)
    inputs = random_inputs(module, seed_of(path.stem))
    if any(each.numel() > MAX_ELEMENTS for each in inputs if isinstance(each, torch.Tensor)):
        continue
    expected = run(module, inputs)
    for name in TO_LOOPS:
        make_pass(name).apply(ctx, module)
    for name in FROM_LOOPS:
        make_pass(name).apply(ctx, module)
        if name in ("split-kernels", "plan-buffers"):
            verify(module)
            try:
                compare(expected, run(module, inputs), name)
            except Disagreement as error:
                error.add_note(f"{path.parent.name}/{path.stem}")
                raise
    left = [op.sym_name.data for op in module.ops if isinstance(op, KernelOp)]
    assert not left, f"{path.stem}: not lowered: {left}"
    checked += 1
assert checked > 60, checked
