"""The default pipeline: which passes run between a graph and its launch program, in which order.

The pipeline is a list of stages. A stage ends at a level or state of the module that has a name of its own, so a user
can stop there (`fusir-opt --pipeline=upto=loop`) and look at it (`report.stages["loop"]`).
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.utils.arg_spec import ArgSpec, ParameterListType

from fusir.analysis.dominance import verify_dominance
from fusir.tools.registry import PASSES


@dataclass(frozen=True)
class Stage:
    """A named state of the module and the passes that lead to it from the stage before."""

    name: str
    passes: tuple[str, ...]


STAGES: tuple[Stage, ...] = (
    Stage(
        "graph",
        (
            *("float32-products", "decompose", "canonicalize", "cse", "dce"),
            *("align-contractions", "convolution-bias", "channels-last", "split-reductions", "split-scans"),
        ),
    ),
    Stage(
        "fused",
        (
            "scan-to-aten",
            "fuse-contractions",
            "choose-contractions",
            "fuse",
            "contract-to-aten",
            "promote-precision",
            "canonicalize",
            "cse",
        ),
    ),
    Stage("loop", ("convert-graph-to-loop", "loop-fuse", "split-kernels")),
    Stage("scheduled", ("loop-online", "loop-schedule")),
    Stage("tt", ("convert-loop-to-tt",)),
    Stage("host", ("plan-buffers",)),
)

STAGE_NAMES: tuple[str, ...] = tuple(stage.name for stage in STAGES)

STAGE_ENDS = frozenset(stage.passes[-1] for stage in STAGES if stage.name in ("graph", "fused", "loop", "host"))
"""The passes after which `fusir-opt --pipeline` verifies: the last of each level. Scheduling only adds attributes, and
the tile level is verified with the host program around it."""

PassOptions = Mapping[str, Mapping[str, ParameterListType]]
"""Options of passes: pass name to option name to values, as `{"fuse": {"enabled": (False,)}}`."""


def stages_upto(upto: str = STAGE_NAMES[-1]) -> tuple[Stage, ...]:
    """The stages from the first to the one named `upto`, included.

    Raises `ValueError`, which lists the names, for an unknown one.
    """
    if upto not in STAGE_NAMES:
        raise ValueError(f"unknown stage '{upto}' (choose from {', '.join(STAGE_NAMES)})")
    return STAGES[: STAGE_NAMES.index(upto) + 1]


def pass_names(upto: str = STAGE_NAMES[-1]) -> tuple[str, ...]:
    """The names of the passes up to and including a stage, in order."""
    return tuple(name for stage in stages_upto(upto) for name in stage.passes)


def make_pass(name: str, options: PassOptions | None = None) -> ModulePass:
    """An instance of a registered pass. Raises `ValueError` for an option that the pass does not have."""
    pass_class: type[ModulePass] = PASSES[name].load()
    return pass_class.from_spec(ArgSpec(name, dict((options or {}).get(name, {}))))


def verify(module: ModuleOp) -> None:
    """Check the module: each op by its own verifier, then dominance. Raises `VerifyException`."""
    module.verify()
    verify_dominance(module)


def run_pipeline(
    ctx: Context,
    module: ModuleOp,
    upto: str = STAGE_NAMES[-1],
    options: PassOptions | None = None,
    *,
    behind: str | None = None,
    verify_each: bool = False,
    on_stage: Callable[[str, ModuleOp], None] | None = None,
) -> None:
    """Lower a module in place up to a stage.

    Args:
        ctx: a context that knows the dialects, as `fusir.tools.registry.make_context` makes it.
        module: a module of the tensor level.
        upto: the stage to stop after.
        options: options of single passes; a pass that runs twice gets the same ones.
        behind: a pass; it and those before it were run already.
        verify_each: run the verifier after every pass and not only at the end.
        on_stage: called after each stage with its name and the module as it then is.
    """
    with paused_collector():
        for stage in _behind(behind, stages_upto(upto)):
            for name in stage.passes:
                make_pass(name, options).apply(ctx, module)
                if verify_each:
                    verify(module)
            if on_stage is not None:
                on_stage(stage.name, module)
        if not verify_each:
            verify(module)


def _behind(name: str | None, stages: Sequence[Stage]) -> Sequence[Stage]:
    """The stages with only the passes behind the one named `name`, all of them without a name."""
    if name is None:
        return stages
    for index, stage in enumerate(stages):
        if name in stage.passes:
            rest = stage.passes[stage.passes.index(name) + 1 :]
            return [Stage(stage.name, rest), *stages[index + 1 :]]
    raise ValueError(f"'{name}' is no pass of the pipeline")


@contextmanager
def paused_collector() -> Generator[None]:
    """Do without the cycle collector: IR is cyclic and alive, looking for garbage in it costs a sixth of the time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
