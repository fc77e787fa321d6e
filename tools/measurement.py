"""Measures one workload under one backend. Runs in a worker process, so that a crash ends that process only.

Times in milliseconds are medians. PyTorch is imported inside the functions: the process that starts workers needs none.
"""

from __future__ import annotations

import copy
import os
import statistics
import sys
import time
import traceback
import warnings
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from torch import Tensor

    from fusir.tools.workloads import Workload

BACKENDS: dict[str, str] = {
    "eager": "PyTorch without a compiler",
    "inductor": "torch.compile",
    "inductor-max-autotune": 'torch.compile, mode="max-autotune-no-cudagraphs"',
    "fusir": "fusir.compile",
}
"""What can be measured, by name."""

WARM_UP_CALLS = 3
STEADY_BUDGET_MS = 150.0
"""Device time spent on the repetitions of one steady measurement."""
STEADY_REPETITIONS = (5, 60)
"""The fewest and the most repetitions of a steady measurement."""
WALL_BUDGET_S = 0.15
"""Time spent on the calls of one measurement back to back."""
WALL_CALLS = (3, 200)
FLUSH_BYTES = 256 << 20
"""Written between two repetitions: several times the L2 cache of any GPU of today (H200: 50 MiB)."""
TEXT_LIMIT = 300
"""Characters kept of an error or a warning."""


class WrongResultError(Exception):
    """Results that differ from those of eager in more than rounding."""


@dataclass
class Measurement:
    """One workload under one backend; a figure that was not taken is None."""

    suite: str
    workload: str
    backend: str
    steady_ms: float | None = None
    """Device time of a call with a cold L2 cache."""
    wall_ms: float | None = None
    """Time of a call among calls back to back, until the device is done: what a program bound by launches feels."""
    compile_s: float | None = None
    """Time of the first call, with no compiled kernels on disk."""
    kernels: int | None = None
    """Kernels and copies that a call runs on the GPU, memsets left out."""
    error: float | None = None
    """The largest relative distance of a result from the reference, |x - r| / |r| in the Euclidean norm."""
    reference: str | None = None
    """What computed the reference: "float64", or "eager" where the program does not run in float64."""
    bytes: int | None = None
    """Size of inputs, parameters and results: the least that a call moves."""
    fallback: str | None = None
    """What fusir left to PyTorch because it could not compile it; None if nothing."""
    failure: str | None = None
    """Why there are no figures; None if there are."""


@dataclass(frozen=True)
class Task:
    """What a worker is asked to measure: one workload under several backends, in this order."""

    suite: str
    workload: str
    backends: tuple[str, ...]
    kernelbench: Path | None = None
    """The folder of the problems of KernelBench."""


def serve(connection: Connection, device: str, small: bool, verbose: bool) -> None:
    """The worker: takes tasks from the connection and sends a `Measurement` for each backend, until None arrives.

    It sends one None as soon as it is ready, and ends by itself after a failure that the device does not recover from.
    """
    if not verbose:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())
    os.environ["TORCHINDUCTOR_FORCE_DISABLE_CACHES"] = "1"
    import torch

    if device.startswith("cuda"):
        torch.cuda.set_device(torch.device(device).index or 0)
    connection.send(None)
    imported: set[str] = set()
    while (task := connection.recv()) is not None:
        for measurement in _measure_task(task, device, small, imported):
            connection.send(measurement)
            if measurement.failure is not None and device.startswith("cuda"):
                torch.cuda.synchronize()  # raises if the context is lost


def _measure_task(task: Task, device: str, small: bool, imported: set[str]) -> Generator[Measurement]:
    import torch

    from fusir.tools.kernelbench import suites
    from fusir.tools.workloads import Inputs

    try:
        torch.manual_seed(0)
        workload = suites(task.kernelbench)[task.suite][task.workload](Inputs(device, small))
        with torch.no_grad():
            expected = _tensors(workload.fn(*workload.args))
            reference, kind = _reference(workload, expected)
    except Exception as error:
        for backend in task.backends:
            yield Measurement(task.suite, task.workload, backend, failure=_one_line(error))
        return
    moved = _bytes([workload.args, _parameters(workload)]) + _bytes(expected)
    for backend in task.backends:
        result = Measurement(task.suite, task.workload, backend, reference=kind, bytes=moved)
        try:
            if backend not in imported:
                _import(backend, device)
                imported.add(backend)
            with _fresh_caches(), torch.no_grad(), warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                _measure(result, workload, expected, reference, device)
            result.fallback = _fallbacks(caught)
        except Exception as error:
            result.failure = _one_line(error)
        yield result
        _release(device)


def _measure(
    result: Measurement, workload: Workload, expected: Sequence[Tensor], reference: Sequence[Tensor], device: str
) -> None:
    compiled = _compile(result.backend, workload.fn, workload.options)
    clock = _CudaClock(device) if device.startswith("cuda") else _HostClock()

    def call() -> object:
        return compiled(*workload.args)

    start = time.perf_counter()
    outputs = call()
    clock.wait()
    result.compile_s = time.perf_counter() - start
    result.error = relative_error(_tensors(outputs), expected, reference)
    del outputs
    result.steady_ms = clock.steady_ms(call)
    result.wall_ms = _wall_ms(call, clock.wait)
    result.kernels = clock.kernels(call)


def _import(backend: str, device: str) -> None:
    """What a compiler imports and starts on its first use is no part of the first workload."""
    import torch

    with _fresh_caches(), torch.no_grad():
        _compile(backend, lambda x: x + 1)(torch.ones(8, device=device))


def _compile(backend: str, fn: Callable[..., Any], options: Mapping[str, object] | None = None) -> Callable[..., Any]:
    import torch

    torch.compiler.reset()
    match backend:
        case "eager":
            return fn
        case "inductor":
            return torch.compile(fn)
        case "inductor-max-autotune":
            return torch.compile(fn, mode="max-autotune-no-cudagraphs")
        case "fusir":
            import fusir

            return fusir.compile(fn, options=options)
        case _:
            raise ValueError(f"unknown backend '{backend}'")


@contextmanager
def _fresh_caches() -> Generator[None]:
    """Compilers find no kernels on disk and leave none behind."""
    names = ("TORCHINDUCTOR_CACHE_DIR", "TRITON_CACHE_DIR", "FUSIR_CACHE_DIR")
    before = {name: os.environ.get(name) for name in names}
    with TemporaryDirectory(prefix="fusir-bench-", ignore_cleanup_errors=True) as folder:
        os.environ.update({name: os.path.join(folder, name.lower()) for name in names})
        try:
            yield
        finally:
            for name, value in before.items():
                if value is None:
                    del os.environ[name]
                else:
                    os.environ[name] = value


class _CudaClock:
    """Time on one CUDA device, by its own events."""

    def __init__(self, device: str) -> None:
        import torch

        self._flush = torch.empty(FLUSH_BYTES, dtype=torch.int8, device=device)

    def wait(self) -> None:
        import torch

        torch.cuda.synchronize()

    def steady_ms(self, call: Callable[[], object]) -> float:
        for _ in range(WARM_UP_CALLS):
            call()
        first = self._timed(call)
        self.wait()
        events = [self._timed(call) for _ in range(_repetitions(first[0].elapsed_time(first[1])))]
        self.wait()
        return statistics.median(start.elapsed_time(end) for start, end in events)

    def _timed(self, call: Callable[[], object]) -> tuple[Any, Any]:
        """Events around a call that finds nothing of its inputs in the L2 cache."""
        import torch

        start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        self._flush.zero_()
        start.record()
        call()
        end.record()
        return start, end

    def kernels(self, call: Callable[[], object]) -> int:
        from torch.autograd import DeviceType  # pyright: ignore[reportPrivateImportUsage]
        from torch.profiler import ProfilerActivity, profile

        with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA]) as profiler:
            call()
            self.wait()
        names = [event.name for event in profiler.events() or () if event.device_type == DeviceType.CUDA]
        return sum("Memset" not in name and not name.startswith("Command Buffer") for name in names)


class _HostClock:
    """Time on the CPU."""

    def wait(self) -> None:
        pass

    def steady_ms(self, call: Callable[[], object]) -> float:
        for _ in range(WARM_UP_CALLS):
            call()
        times = [self._timed(call)]
        times += [self._timed(call) for _ in range(_repetitions(times[0]))]
        return statistics.median(times[1:])

    def _timed(self, call: Callable[[], object]) -> float:
        start = time.perf_counter()
        call()
        return (time.perf_counter() - start) * 1e3

    def kernels(self, call: Callable[[], object]) -> int | None:
        del call
        return None


def _repetitions(once_ms: float) -> int:
    fewest, most = STEADY_REPETITIONS
    return max(fewest, min(most, int(STEADY_BUDGET_MS / max(once_ms, 1e-3))))


def _wall_ms(call: Callable[[], object], wait: Callable[[], None]) -> float:
    """Time per call of calls back to back."""
    wait()
    start = time.perf_counter()
    call()
    wait()
    fewest, most = WALL_CALLS
    count = max(fewest, min(most, int(WALL_BUDGET_S / max(time.perf_counter() - start, 1e-6))))
    start = time.perf_counter()
    for _ in range(count):
        call()
    wait()
    return (time.perf_counter() - start) / count * 1e3


def _reference(workload: Workload, expected: Sequence[Tensor]) -> tuple[Sequence[Tensor], str]:
    """The results in float64 and how they were computed; those of eager where float64 does not work."""
    import torch

    try:
        fn = copy.deepcopy(workload.fn).double() if isinstance(workload.fn, torch.nn.Module) else workload.fn
        return _tensors(fn(*_in_float64(workload.args))), "float64"
    except Exception:  # any operator may lack a kernel for float64, or memory may run out
        return expected, "eager"


def _parameters(workload: Workload) -> list[Tensor]:
    import torch

    return list(workload.fn.parameters()) if isinstance(workload.fn, torch.nn.Module) else []


def _in_float64(value: Any) -> Any:
    import torch
    from torch.utils._pytree import tree_map

    def widen(leaf: Any) -> Any:
        return leaf.double() if isinstance(leaf, torch.Tensor) and leaf.is_floating_point() else leaf

    return tree_map(widen, value)


def relative_error(outputs: Sequence[Tensor], expected: Sequence[Tensor], reference: Sequence[Tensor]) -> float:
    """The largest relative distance of an output from its reference, in the Euclidean norm.

    Args:
        outputs: the results to judge.
        expected: those of eager, whose shapes and dtypes they must have.
        reference: those in higher precision.

    Raises `WrongResultError` where the number of results, a shape, a dtype or the places of infinities and NaNs differ.
    """
    import torch

    if len(outputs) != len(expected):
        raise WrongResultError(f"{len(outputs)} results, not {len(expected)}")
    worst = 0.0
    for number, (x, like, r) in enumerate(zip(outputs, expected, reference, strict=True)):
        found, wanted = (f"{each.dtype} {list(each.shape)}" for each in (x, like))
        if found != wanted:
            raise WrongResultError(f"result {number} is {found}, not {wanted}")
        finite = r.isfinite()
        if not torch.equal(x.isfinite(), finite):
            raise WrongResultError(f"result {number} has other infinities or NaNs than the reference")
        distance = torch.where(finite, x.double() - r.double(), 0.0).norm()
        worst = max(worst, float(distance) / (float(torch.where(finite, r, 0).double().norm()) or 1.0))
    return worst


def _tensors(value: Any) -> list[Tensor]:
    import torch
    from torch.utils._pytree import tree_leaves

    return [leaf for leaf in tree_leaves(value) if isinstance(leaf, torch.Tensor)]


def _bytes(value: Any) -> int:
    """Size of the tensors in a structure, each storage once."""
    sizes = {t.untyped_storage().data_ptr(): t.numel() * t.element_size() for t in _tensors(value)}
    return sum(sizes.values())


def _fallbacks(caught: Sequence[warnings.WarningMessage]) -> str | None:
    from fusir.errors import FusirFallbackWarning

    texts = [str(each.message) for each in caught if issubclass(each.category, FusirFallbackWarning)]
    return "; ".join(texts)[:TEXT_LIMIT] or None


def _release(device: str) -> None:
    """Give the memory of the last measurement back."""
    import gc

    import torch

    torch.compiler.reset()
    gc.collect()
    if device.startswith("cuda") and torch.cuda.is_available():
        torch.cuda.empty_cache()


def _one_line(error: Exception) -> str:
    return " ".join("".join(traceback.format_exception_only(error)).split())[:TEXT_LIMIT]
