# RUN: %python %s
"""Fusing keeps the meaning of every graph of the corpus, and every fusion keeps the rules of its space."""

from __future__ import annotations

import sys
from pathlib import Path

import torch
from agreement import compare, random_inputs, run, seed_of
from check_passes import CORPUS, parse
from xdsl.dialects.builtin import ModuleOp

from fusir.analysis.bytes import fusion_traffic
from fusir.analysis.space import verify_fusion_space
from fusir.dialects.graph import FusionOp, PadOp, PointwiseOp, ReduceOp
from fusir.pipeline import make_pass, verify
from fusir.tools.registry import make_context

VARIANTS: tuple[dict[str, tuple[int | bool, ...]], ...] = ({}, {"enabled": (False,)}, {"max_ops": (3,)})
ctx = make_context()


def check_fusions(module: ModuleOp, max_ops: int | None) -> None:
    main = next(iter(module.ops))
    for op in main.body.block.ops:
        assert not isinstance(op, PointwiseOp | ReduceOp | PadOp), f"{op.name} is in no fusion"
        if isinstance(op, FusionOp):
            verify_fusion_space(op)
            fusion_traffic(op)
            assert all(argument.uses for argument in op.block.args), "an input is not used"
            assert all(result.uses for result in op.outputs), "a result is not used"
            code = [each for each in op.block.ops if isinstance(each, PointwiseOp | ReduceOp)]
            assert max_ops is None or len(code) <= max_ops, f"{len(code)} ops in a fusion"


def check(path: Path) -> None:
    module = parse(path)
    inputs = random_inputs(module, seed_of(path.stem))
    expected = run(module, inputs)
    for variant in VARIANTS:
        fused = module.clone()
        make_pass("fuse", {"fuse": variant}).apply(ctx, fused)
        verify(fused)
        check_fusions(fused, 1 if variant.get("enabled") == (False,) else variant.get("max_ops", (None,))[0])
        compare(expected, run(fused, inputs), f"fuse {variant}")
        assert str(fused) == str(_fused_again(module, variant)), "two runs give different text"


def _fused_again(module: ModuleOp, variant: dict[str, tuple[int | bool, ...]]) -> ModuleOp:
    again = module.clone()
    make_pass("fuse", {"fuse": variant}).apply(ctx, again)
    return again


torch.set_num_threads(1)
failures = 0
paths = sorted(CORPUS.glob("*/*.mlir"))
for path in paths:
    try:
        check(path)
    except Exception as error:
        failures += 1
        print(f"{path.parent.name}/{path.stem}: {type(error).__name__}: {error}")
assert len(paths) > 100, "the corpus is missing"
sys.exit(f"{failures} of {len(paths)} graphs failed" if failures else 0)
