"""`fusir-bench`: PyTorch, torch.compile and fusir on the same work, in one process on one GPU.

    fusir-bench --suite seed,llm --json seed-llm.json
    fusir-bench --device cpu --small --suite seed --only reduction     # shows that it runs; the times mean nothing

prints a row for each workload and backend as it is measured. `docs/benchmarks.md` says what the columns are.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import sys
from collections.abc import Generator, Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import NoReturn, cast

from typing_extensions import override

from fusir.tools.measurement import BACKENDS, Measurement, Task, serve
from fusir.tools.user_error import UserError

PROGRAM = "fusir-bench"
DEFAULT_SUITES = "seed,llm"
START_TIMEOUT_S = 120.0
"""For the start of a worker, which imports PyTorch."""
END_TIMEOUT_S = 10.0
"""For the end of a worker that was asked to end."""

COLUMNS: tuple[tuple[str, int], ...] = (
    ("ms", 9),
    ("wall ms", 9),
    ("compile s", 9),
    ("kernels", 7),
    ("error", 7),
    ("vs eager", 8),
)
"""Headings of the figures and their widths in characters."""


class Worker:
    """A process that measures, started when it is first needed and again after it was lost."""

    def __init__(self, device: str, *, small: bool, verbose: bool, timeout: float) -> None:
        self._arguments = device, small, verbose
        self._timeout = timeout
        self._running: tuple[BaseProcess, Connection] | None = None

    def measure(self, task: Task) -> Generator[Measurement]:
        """One measurement for each backend. A crash or a timeout costs one; the others go on in a new process."""
        backends = list(task.backends)
        while backends:
            try:
                connection = self._connection()
                connection.send(replace(task, backends=tuple(backends)))
                while backends:
                    measurement = self._receive(connection, self._timeout)
                    backends.pop(0)
                    yield measurement
            except TimeoutError as error:
                self._end(0.0)
                yield Measurement(task.suite, task.workload, backends.pop(0), failure=str(error))
            except (EOFError, ConnectionError):
                reason = f"the process ended with status {self._end(END_TIMEOUT_S)}"
                yield Measurement(task.suite, task.workload, backends.pop(0), failure=reason)

    def stop(self) -> None:
        """End the process, if there is one; what it is measuring is given up."""
        if self._running is not None:
            with suppress(OSError):
                self._running[1].send(None)
            self._end(END_TIMEOUT_S)

    def _connection(self) -> Connection:
        """The connection to a process that is ready."""
        if self._running is None:
            context = multiprocessing.get_context("spawn")
            connection, remote = cast("tuple[Connection, Connection]", context.Pipe())
            process = context.Process(target=serve, args=(remote, *self._arguments), daemon=True)
            process.start()
            remote.close()
            self._running = process, connection
            self._receive(connection, START_TIMEOUT_S)
        return self._running[1]

    def _end(self, patience: float) -> int | None:
        """Wait some seconds for the process to end, then make it, and return its exit status."""
        assert self._running is not None
        process, connection = self._running
        self._running = None
        process.join(patience)
        process.kill()
        process.join()
        connection.close()
        return process.exitcode

    def _receive(self, connection: Connection, timeout: float) -> Measurement:
        if not connection.poll(timeout):
            raise TimeoutError(f"no result within {timeout:g} s")
        return connection.recv()


class Table:
    """Rows of measurements in columns of fixed width, as Markdown."""

    def __init__(self, tasks: Sequence[Task]) -> None:
        names = [f"{task.suite}/{task.workload}" for task in tasks]
        backends = [backend for task in tasks for backend in task.backends]
        self._name_width = max(map(len, ["workload", *names]))
        self._backend_width = max(map(len, ["backend", *backends]))

    def heading(self) -> str:
        """The first two lines."""
        rule = [f"{'-' * (width - 1)}:" for _, width in COLUMNS]
        lines = [
            self._line("workload", "backend", [name for name, _ in COLUMNS]),
            self._line("-" * self._name_width, "-" * self._backend_width, rule),
        ]
        return "\n".join(lines)

    def row(self, measurement: Measurement, eager: Measurement | None) -> str:
        """One measurement, beside that of eager of the same workload if there is one."""
        name = f"{measurement.suite}/{measurement.workload}"
        if measurement.failure is not None:
            cells = ["failed", *[""] * (len(COLUMNS) - 1)]
            return f"{self._line(name, measurement.backend, cells)} {measurement.failure}"
        ratio = None
        if eager is not None and eager.steady_ms is not None and measurement.steady_ms is not None:
            ratio = eager.steady_ms / measurement.steady_ms
        cells = [
            _number(measurement.steady_ms, ".3f"),
            _number(measurement.wall_ms, ".3f"),
            _number(measurement.compile_s, ".1f"),
            _number(measurement.kernels, "d"),
            _number(measurement.error, ".1e"),
            _number(ratio, ".2f"),
        ]
        line = self._line(name, measurement.backend, cells)
        return line if measurement.fallback is None else f"{line} {measurement.fallback}"

    def _line(self, name: str, backend: str, cells: Sequence[str]) -> str:
        figures = [cell.rjust(width) for cell, (_, width) in zip(cells, COLUMNS, strict=True)]
        return f"| {' | '.join([name.ljust(self._name_width), backend.ljust(self._backend_width), *figures])} |"


def _number(value: float | None, form: str) -> str:
    return "-" if value is None else format(value, form)


class _ArgumentParser(argparse.ArgumentParser):
    @override
    def error(self, message: str) -> NoReturn:
        raise UserError(message, PROGRAM)


def _parser() -> argparse.ArgumentParser:
    parser = _ArgumentParser(
        prog=PROGRAM,
        description="Measure PyTorch, torch.compile and fusir on the same work.",
        epilog="backends: " + "; ".join(f"{name} ({summary})" for name, summary in BACKENDS.items()),
    )
    parser.add_argument("--suite", default=DEFAULT_SUITES, help="suites of workloads, comma-separated; or 'all'")
    parser.add_argument("--only", default="", help="only workloads with one of these parts in suite/name")
    parser.add_argument("--backends", default=",".join(BACKENDS), help="what to measure, in order, comma-separated")
    parser.add_argument("--device", default="cuda", help="where to run: cuda, cuda:1, cpu (default: %(default)s)")
    parser.add_argument("--small", action="store_true", help="tiny sizes, to see that everything runs")
    parser.add_argument("--json", type=Path, help="also write the measurements to this file, after each workload")
    parser.add_argument("--timeout", type=float, default=300.0, help="seconds for one row (default: %(default)s)")
    parser.add_argument("--verbose", action="store_true", help="show what the compilers write to standard error")
    parser.add_argument("--kernelbench", type=Path, help="folder with level1/*.py and level2/*.py of KernelBench")
    parser.add_argument("--list", action="store_true", help="list the workloads and stop")
    return parser


def _chosen(names: str, known: Sequence[str], what: str) -> list[str]:
    chosen = list(known) if names == "all" else names.split(",")
    for name in chosen:
        if name not in known:
            raise UserError(f"unknown {what} '{name}' (choose from {', '.join(known)})", PROGRAM)
    return chosen


def tasks(chosen_suites: str, only: str, backends: str, kernelbench: Path | None = None) -> list[Task]:
    """What the options choose. Raises `UserError` for an unknown name, or if nothing is left."""
    from fusir.tools.kernelbench import suites

    known = suites(kernelbench)
    chosen_backends = tuple(_chosen(backends, list(BACKENDS), "backend"))
    parts = only.split(",")
    found = [
        Task(suite, workload, chosen_backends, kernelbench)
        for suite in _chosen(chosen_suites, list(known), "suite")
        for workload in known[suite]
        if any(part in f"{suite}/{workload}" for part in parts)
    ]
    if not found:
        raise UserError(f"no workload of {chosen_suites} has '{only}' in its name", PROGRAM)
    return found


def machine(device: str) -> dict[str, str]:
    """What the measurements depend on: device and versions. Raises `UserError` if there is no such device."""
    import torch
    import triton

    import fusir

    if device == "cpu":
        name = "CPU"
    elif device.startswith("cuda") and torch.cuda.is_available():
        name = torch.cuda.get_device_name(device)
    else:
        raise UserError(f"no device '{device}' here (--device cpu --small runs anywhere)", PROGRAM)
    return {"device": name, "torch": torch.__version__, "triton": triton.__version__, "fusir": fusir.__version__}


def run(args: Sequence[str]) -> int:
    """Carry out a command line and return how many rows have no figures. Raises `UserError`."""
    options = _parser().parse_args(args)
    chosen = tasks(options.suite, options.only, options.backends, options.kernelbench)
    if options.list:
        print("\n".join(f"{task.suite}/{task.workload}" for task in chosen))
        return 0
    conditions = machine(options.device)
    print(", ".join(f"{name} {value}" for name, value in conditions.items()) + "\n")
    table = Table(chosen)
    print(table.heading(), flush=True)
    measured: list[Measurement] = []
    worker = Worker(options.device, small=options.small, verbose=options.verbose, timeout=options.timeout)
    try:
        for task in chosen:
            eager: Measurement | None = None
            for measurement in worker.measure(task):
                eager = measurement if measurement.backend == "eager" else eager
                print(table.row(measurement, eager), flush=True)
                measured.append(measurement)
            if options.json is not None:
                rows = [asdict(each) for each in measured]
                options.json.write_text(json.dumps({"machine": conditions, "measurements": rows}, indent=1) + "\n")
    finally:
        worker.stop()
    return sum(each.failure is not None for each in measured)


def main() -> None:
    """The console script. Ends with status 1 if a row has no figures."""
    try:
        failures = run(sys.argv[1:])
    except UserError as error:
        sys.exit(str(error))
    except OSError as error:
        sys.exit(f"{error.filename}:1:1: error: {error.strerror}")
    sys.exit(min(failures, 1))


if __name__ == "__main__":
    main()
