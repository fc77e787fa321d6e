# RUN: %python %s
"""`fusir-bench` measures, writes what it measured, outlives its workers and refuses unknown names in one line."""

import json
import multiprocessing
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory

import torch

from fusir.tools.bench import Table, Worker, run, tasks
from fusir.tools.kernelbench import suites
from fusir.tools.measurement import BACKENDS, Measurement, WrongResultError, relative_error
from fusir.tools.user_error import UserError
from fusir.tools.workloads import SUITES, Inputs


def check_two_rows() -> None:
    output = StringIO()
    with TemporaryDirectory() as folder, redirect_stdout(output):
        path = Path(folder, "rows.json")
        chosen = ["--suite", "seed", "--only", "reduction_1024", "--backends", "eager,fusir"]
        failures = run([*chosen, "--device", "cpu", "--small", "--json", str(path)])
        written = json.loads(path.read_text())
    lines = output.getvalue().splitlines()
    assert failures == 0, lines
    assert lines[0].startswith("device CPU, torch "), lines
    headings = [cell.strip() for cell in lines[2].strip("|").split("|")]
    assert headings == ["workload", "backend", "ms", "wall ms", "compile s", "kernels", "error", "vs eager"], headings
    assert len({len(line) for line in lines[2:]}) == 1 and len(lines) == 6, lines
    assert [row["backend"] for row in written["measurements"]] == ["eager", "fusir"]
    for row in written["measurements"]:
        assert row["steady_ms"] > 0 and row["wall_ms"] > 0 and row["compile_s"] > 0, row
        assert row["error"] < 1e-6 and row["reference"] == "float64" and row["failure"] is None, row
        assert row["bytes"] == (32 * 32 + 32) * 4 and row["fallback"] is None, row


def check_lost_workers() -> None:
    """A worker that takes too long costs a measurement, and so does one that dies; the next goes on in a new one."""
    (task,) = tasks("seed", "reduction_1024", "eager")
    hasty = Worker("cpu", small=True, verbose=False, timeout=0.0)
    (late,) = hasty.measure(task)
    assert late.failure == "no result within 0 s", late

    worker = Worker("cpu", small=True, verbose=False, timeout=60.0)
    try:
        (first,) = worker.measure(task)
        assert first.failure is None and first.steady_ms is not None, first
        (process,) = multiprocessing.active_children()
        process.kill()
        process.join()
        (lost,) = worker.measure(task)
        assert lost.failure == "the process ended with status -9" and lost.steady_ms is None, lost
        (next_,) = worker.measure(task)
        assert next_.failure is None, next_
    finally:
        worker.stop()
    assert not multiprocessing.active_children()


def check_failures_are_rows() -> None:
    (task,) = tasks("seed", "reduction_1024", "eager,fusir")
    table = Table([task])
    failed = Measurement("seed", "reduction_1024", "fusir", failure="RuntimeError: why")
    assert table.row(failed, None).endswith("| RuntimeError: why"), table.row(failed, None)
    assert len(table.row(failed, None)) == len(table.heading().splitlines()[0]) + len(" RuntimeError: why")
    eager, fast = (Measurement("seed", "reduction_1024", "fusir", steady_ms=ms) for ms in (3.0, 1.5))
    assert table.row(fast, eager).rstrip(" |").endswith("2.00"), table.row(fast, eager)


def check_error() -> None:
    """The error is relative, and whatever is not rounding is refused."""
    ones = torch.ones(4)
    assert relative_error([ones * 1.5], [ones], [ones.double()]) == 0.5
    infinite = torch.tensor([1.0, float("inf")])
    assert relative_error([infinite], [infinite], [infinite.double()]) == 0.0
    for outputs in ([], [ones, ones], [ones.half()], [torch.ones(2, 2)], [ones / 0]):
        try:
            relative_error(outputs, [ones], [ones.double()])
        except WrongResultError:
            continue
        raise AssertionError(f"{outputs} pass for four ones")


def check_workloads() -> None:
    """Every workload but the whole models can be made small and runs."""
    for suite, makers in SUITES.items():
        for name, maker in makers.items() if suite != "models" else ():
            workload = maker(Inputs("cpu", small=True))
            workload.fn(*workload.args)
            assert name == getattr(maker, "__name__", name)
    assert Inputs("cpu", small=True).extent(4097) == 33 and Inputs("cpu").extent(4097) == 4097


def check_kernelbench() -> None:
    """Problems of a folder are suites of their own."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "level1" / "7_Double.py"
        path.parent.mkdir()
        path.write_text(PROBLEM)
        (path.parent / "helpers.py").write_text("raise AssertionError('no problem')")
        known = suites(Path(folder))
        assert list(known["kernelbench1"]) == ["7_Double"] and known["kernelbench2"] == {}
        assert set(SUITES) < set(known)
        workload = known["kernelbench1"]["7_Double"](Inputs("cpu", small=True))
        (x,) = workload.args
        assert torch.equal(workload.fn(x), x * 3 * 2)


def check_mistakes() -> None:
    for args, text in (
        (["--suite", "sed"], "unknown suite 'sed' (choose from seed, llm"),
        (["--backends", "eager,fast"], f"unknown backend 'fast' (choose from {', '.join(BACKENDS)})"),
        (["--only", "nothing"], "no workload of seed,llm has 'nothing' in its name"),
        (["--device", "tpu"], "no device 'tpu' here"),
        (["--what"], "unrecognized arguments: --what"),
    ):
        try:
            run(args)
        except UserError as error:
            assert str(error).startswith(f"fusir-bench: error: {text}"), error
            assert "\n" not in str(error), error
        else:
            raise AssertionError(f"{args} is accepted")


PROBLEM = """
import torch


class Model(torch.nn.Module):
    def __init__(self, factor):
        super().__init__()
        self.factor = factor

    def forward(self, x):
        return x * self.factor * 2


def get_inputs():
    return [torch.rand(8)]


def get_init_inputs():
    return [3]
"""

if __name__ == "__main__":
    check_kernelbench()
    check_mistakes()
    check_error()
    check_failures_are_rows()
    check_workloads()
    check_two_rows()
    check_lost_workers()
