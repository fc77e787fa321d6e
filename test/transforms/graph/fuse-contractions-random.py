# RUN: %python %s
"""Fusing contractions keeps the meaning of random programs, alone and with the passes behind it, under any limits and
whatever is chosen."""

from __future__ import annotations

from contextlib import ExitStack
from unittest.mock import patch

import torch
from agreement import compare, random_inputs, run
from choosers import CHOOSERS, Always
from contraction_graphs import contraction_modules
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from random_graphs import modules
from xdsl.dialects.builtin import ModuleOp

from fusir.analysis.space import verify_fusion_space
from fusir.dialects.graph import ContractOp, FusionOp
from fusir.pipeline import make_pass, verify
from fusir.tools.registry import make_context
from fusir.transforms.graph.contraction_choice import use_chooser
from fusir.transforms.graph.contractions import cost, row_factors

LIMITS = st.fixed_dictionaries(
    {
        "PART": st.sampled_from((2, 4, 128)),
        "SMALL_PART": st.sampled_from((1, 2, 32)),
        "MAX_DISTANCE": st.sampled_from((3, 128)),
        "MAX_EPILOGUE": st.sampled_from((2, 48)),
        "MAX_OPERAND_OPS": st.sampled_from((1, 24)),
        "PROLOGUE_SHARE": st.sampled_from((0, 4)),
        "OPERAND_DELAY": st.sampled_from((0, 1000)),
    }
)
LAUNCHES = st.sampled_from((-(1 << 40), 0))
"""What a launch costs more than the bytes of another weight: with little, the weight of a norm moves wherever it can."""
CHOICES = st.sampled_from((None, *CHOOSERS.values()))


def check(module: ModuleOp, values: dict[str, int], launch: int, strict: bool, chooser: Always | None) -> None:
    ctx = make_context()
    fused = module.clone()
    for name in ("canonicalize", "cse", "dce"):
        make_pass(name).apply(ctx, fused)
    with ExitStack() as stack:
        for name, value in values.items():
            stack.enter_context(patch.object(cost, name, value))
        stack.enter_context(patch.object(row_factors, "LAUNCH_BYTES", launch))
        make_pass("fuse-contractions", {"fuse-contractions": {"strict_rounding": (strict,)}}).apply(ctx, fused)
    verify(fused)
    for fusion in [op for op in fused.walk() if isinstance(op, FusionOp)]:
        verify_fusion_space(fusion)
        assert any(isinstance(op, ContractOp) for op in fusion.block.ops)
    inputs = random_inputs(module, 7)
    expected = run(module, inputs)
    compare(expected, run(fused, inputs), "fuse-contractions")
    with use_chooser(chooser):
        make_pass("choose-contractions").apply(ctx, fused)
    for name in ("fuse", "contract-to-aten", "promote-precision", "canonicalize", "cse"):
        make_pass(name).apply(ctx, fused)
    verify(fused)
    for fusion in [op for op in fused.walk() if isinstance(op, FusionOp)]:
        verify_fusion_space(fusion)
    compare(expected, run(fused, inputs), "the passes behind fuse-contractions")


def settings_of(examples: int) -> settings:
    return settings(max_examples=examples, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))


@settings_of(25)
@given(module=modules(), values=LIMITS, launch=LAUNCHES, strict=st.booleans(), chooser=CHOICES)
def any_program(module: ModuleOp, values: dict[str, int], launch: int, strict: bool, chooser: Always | None) -> None:
    check(module, values, launch, strict, chooser)


@settings_of(110)
@given(module=contraction_modules(), values=LIMITS, launch=LAUNCHES, strict=st.booleans(), chooser=CHOICES)
def contractions_with_neighbours(
    module: ModuleOp, values: dict[str, int], launch: int, strict: bool, chooser: Always | None
) -> None:
    check(module, values, launch, strict, chooser)


torch.set_num_threads(1)
any_program()
contractions_with_neighbours()
