"""Which way to compute a fusion around a contraction is the fastest right one: built, checked and measured.

The ways are: the fusion as one kernel, with several tiles; a plain kernel of ours for the contraction with other
kernels for the rest; the library for the contraction with kernels for the rest. One that gives wrong results is not
chosen, however fast it is.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import torch
from xdsl.dialects.builtin import ModuleOp, StringAttr, f32
from xdsl.utils.exceptions import VerifyException

from fusir.analysis.expr import product
from fusir.dialects.graph import ContractOp, FusionOp, Precision, ViewOp, dims_of, element_type_of, is_half
from fusir.dialects.loop import Tiles
from fusir.runtime.tuning.check import Check, tolerance_of
from fusir.runtime.tuning.device import Device, Program, first_line
from fusir.runtime.tuning.inputs import NotMeasured, bytes_needed, main_of, reason_against, useful_inputs
from fusir.runtime.tuning.records import Records
from fusir.transforms.graph.choose_contractions import apply_choice
from fusir.transforms.graph.contraction_choice import Alternative, Choice
from fusir.transforms.graph.fusion.dissolve import can_dissolve
from fusir.transforms.graph.fusion.standalone import fusion_of

FORMAT = 1
"""Version of how choices are made and kept."""

NOISE = 1.005
"""The library is left only for what is faster by more than this factor: medians of 15 runs differ by less."""

FINALISTS = 3
"""Kernels of ours that are measured thoroughly."""

QUICK_RUNS = 5
THOROUGH_RUNS = 15
MOST_RUNS = 31
FEWEST_RUNS = 5
"""Runs in a thorough measurement if 15 of them take longer than all of the time."""

MEMORY_SHARE = 0.9
"""How much of the free memory may be used."""

_ANY_TILES = Tiles(m=16, n=16, k=16, group=1, warps=4, stages=1)
"""Marks a kernel while it is not lowered to tiles."""


@dataclass(frozen=True)
class Effort:
    """How much may be spent on one fusion."""

    name: str
    """What the choice of candidates is told."""
    fused: int | None
    """The most tiles to try for the fusion, None for all."""
    plain: int | None
    """The same for the contraction alone."""
    seconds: float
    """The time for measurements, without building."""


EFFORTS = {"default": Effort("default", 5, 1, 1.0), "max": Effort("max", None, None, 10.0)}

CORES_SIDE = 64
"""Rows and columns from which products of f32 are left to the library, unless they may be rounded: without tensor cores
it computes 4096x4096x4096 in 2.7 ms on an H200, kernels of ours in 3.3."""


@dataclass
class _Candidate:
    choice: Choice
    program: Program | None = None
    rejected: str = ""
    milliseconds: float | None = None

    @property
    def alternative(self) -> Alternative:
        return Alternative(self.choice.name, self.milliseconds, self.rejected)


class Tuner:
    """The chooser that measures. Choices are kept in `records`."""

    def __init__(self, device: Device, records: Records, effort: Effort, *, measures: bool = True) -> None:
        """Without `measures` there are only choices that were made before."""
        self._device: Device = device
        self._records: Records = records
        self._effort: Effort = effort
        self._measures: bool = measures
        self._prepared: dict[str, list[_Candidate]] = {}
        """What is being built, by the key of the choice."""

    def prepare(self, modules: Sequence[ModuleOp]) -> None:
        if not self._measures or self._device.reason_against() is not None:
            return
        for module in modules:
            key = self.key(module)
            if needs_cores(module) or reason_against(module) is not None or self._records.find(key) is not None:
                continue
            # What is wrong with a module is said when it is asked about.
            with suppress(Exception):
                self._prepared[key] = self._built(module)

    def choose(self, module: ModuleOp) -> Choice | None:
        if needs_cores(module):
            return Choice(library=can_dissolve(fusion_of(module)), note="IEEE products do not run on tensor cores")
        try:
            key = self.key(module)
            if not self._measures:
                return self._records.find(key)
            return self._records.find_or_make(key, lambda: self._tune(module))
        except Exception as error:
            # Nothing is known of our kernels, the library is right.
            note = str(error) if isinstance(error, NotMeasured) else first_line(error)
            return Choice(library=can_dissolve(fusion_of(module)), note=note)

    def key(self, module: ModuleOp) -> str:
        """The identity of a choice."""
        parts = (FORMAT, self._effort, self._device.identity(), str(module))
        return hashlib.sha256(repr(parts).encode()).hexdigest()

    def _tune(self, module: ModuleOp) -> Choice:
        """The choice for a module. Raises NotMeasured if nothing can be measured now."""
        reason = reason_against(module) or self._device.reason_against()
        if reason is not None:
            raise NotMeasured(reason)
        try:
            with self._device.session():
                return self._measured(module)
        except NotMeasured as error:
            reason = str(error)
        except Exception as error:
            reason = first_line(error)
        # Not what was caught: its traceback holds the tensors.
        raise NotMeasured(reason)

    def _measured(self, module: ModuleOp) -> Choice:
        wide = self._wide(module)
        candidates = self._prepared.pop(self.key(module), None) or self._built(module)
        inputs, expected = useful_inputs(module, self._device.device, wide)
        library = next((each for each in candidates if each.choice.library), None)
        results = None if library is None else self._run(library, inputs)
        if library is not None and results is None:
            raise NotMeasured(f"the library does not compute it: {library.rejected}")
        check = Check(tolerance_of(module), expected, results)
        for candidate in candidates:
            if candidate is not library and (results := self._run(candidate, inputs)) is not None:
                candidate.rejected = check.rejection(results) or ""
        del check, expected, results
        return self._fastest([each for each in candidates if not each.rejected], candidates, inputs)

    def _built(self, module: ModuleOp) -> list[_Candidate]:
        """What to try, with programs, whose kernels may still be compiled."""
        candidates = [_Candidate(choice) for choice in self._choices(module)]
        self._build(module, candidates)
        return candidates

    def _wide(self, module: ModuleOp) -> torch.dtype:
        """The type of the reference: float64 where there is room for it, f32 if it is more than what is contracted."""
        free = MEMORY_SHARE * self._device.free_bytes()
        fusion = fusion_of(module)
        halves = all(is_half(element_type_of(op.lhs)) for op in fusion.block.ops if isinstance(op, ContractOp))
        for wide in (torch.float64, torch.float32)[: 1 + halves]:
            if bytes_needed(module, wide) <= free:
                return wide
        raise NotMeasured("there is too little free memory to measure it")

    def _choices(self, module: ModuleOp) -> list[Choice]:
        """What to try, the library first."""
        effort, fusion = self._effort, fusion_of(module)
        choices = [Choice(library=True)] if can_dissolve(fusion) else []
        fused = self._device.tiles(module.clone(), effort.name)
        choices += [Choice(tiles=tiles) for tiles in fused[: effort.fused]]
        if _computes_more(fusion):
            alone = module.clone()
            apply_choice(fusion_of(alone), Choice(plain=_ANY_TILES))
            plain = self._device.tiles(alone, effort.name)
            choices += [Choice(plain=tiles) for tiles in plain[: effort.plain]]
        return choices

    def _build(self, module: ModuleOp, candidates: Sequence[_Candidate]) -> None:
        variants: list[tuple[_Candidate, ModuleOp]] = []
        for candidate in candidates:
            variant = module.clone()
            main_of(variant).attributes["graph.device"] = StringAttr(str(self._device.device))
            try:
                apply_choice(fusion_of(variant), candidate.choice)
                variants.append((candidate, variant))
            except VerifyException as error:
                candidate.rejected = first_line(error)
        programs = self._device.build([variant for _, variant in variants])
        for (candidate, _), program in zip(variants, programs, strict=True):
            if isinstance(program, str):
                candidate.rejected = program
            else:
                candidate.program = program

    def _run(self, candidate: _Candidate, inputs: list[Any]) -> Sequence[Any] | None:
        """The results of a candidate, None if there are none: then it is rejected."""
        if candidate.program is None:
            return None
        try:
            return candidate.program(list(inputs))
        except torch.OutOfMemoryError:
            raise  # This says nothing about the candidate.
        except Exception as error:
            candidate.rejected = first_line(error)
            return None

    def _fastest(self, right: Sequence[_Candidate], candidates: Sequence[_Candidate], inputs: list[Any]) -> Choice:
        """Measure the candidates that are right, and choose."""
        ours = [each for each in right if not each.choice.library]
        if not ours:
            choice = Choice(library=any(each.choice.library for each in right))
            return replace(choice, alternatives=tuple(each.alternative for each in candidates))
        budget = 1000 * self._effort.seconds
        once = sum(self._measure(right, inputs, 1))
        self._measure(right, inputs, max(1, min(QUICK_RUNS, int(0.3 * budget / max(once, 1e-3)))))
        finalists = sorted(ours, key=_time)[:FINALISTS]
        measured = [*(each for each in right if each.choice.library), *finalists]
        once = sum(map(_time, measured))
        runs = max(THOROUGH_RUNS, min(MOST_RUNS, int(0.4 * budget / max(once, 1e-3))))
        if runs * once > budget:
            runs = FEWEST_RUNS
        self._measure(measured, inputs, runs)
        best = min(finalists, key=_time)
        library = next((each for each in measured if each.choice.library), None)
        if library is not None and _time(best) * NOISE > _time(library):
            best = library
        others = [each for each in right if each not in measured]
        rejected = [each for each in candidates if each.rejected]
        ordered = [*sorted(measured, key=_time), *sorted(others, key=_time), *rejected]
        return replace(best.choice, alternatives=tuple(each.alternative for each in ordered))

    def _measure(self, candidates: Sequence[_Candidate], inputs: list[Any], runs: int) -> list[float]:
        programs = [each.program for each in candidates if each.program is not None]
        times = self._device.times(programs, inputs, runs)
        for candidate, time in zip(candidates, times, strict=True):
            candidate.milliseconds = time
        return times


def needs_cores(module: ModuleOp) -> bool:
    """Whether a fusion has large products of f32."""
    for op in fusion_of(module).block.ops:
        if isinstance(op, ContractOp) and element_type_of(op.lhs) == f32 and op.precision is Precision.IEEE:
            contracted, result = set(op.lhs_contract), dims_of(op.result)
            rows = [dim for axis, dim in enumerate(dims_of(op.lhs)) if axis not in contracted | set(op.lhs_batch)]
            columns = result[len(op.lhs_batch) + len(rows) :]
            if all(isinstance(n := product(dims), int) and n >= CORES_SIDE for dims in (rows, columns)):
                return True
    return False


def _time(candidate: _Candidate) -> float:
    return float("inf") if candidate.milliseconds is None else candidate.milliseconds


def _computes_more(fusion: FusionOp) -> bool:
    """Whether there is anything in a fusion but a contraction and views."""
    ops = [op for op in fusion.block.ops if op is not fusion.terminator and not isinstance(op, ViewOp)]
    return len(ops) > 1 or any(not isinstance(op, ContractOp) for op in ops)
