# REQUIRES: cuda, kernelbench
# RUN: %python %s %kernelbench
"""Every problem of KernelBench levels 1 and 2, compiled and compared with eager.

    python test/gpu/kernelbench.py FOLDER [--level 1] [--only NAME] [--device cpu --small] [--json FILE]

FOLDER holds `level1/*.py` and `level2/*.py`, each with `Model`, `get_inputs` and `get_init_inputs`. Problems run in
worker processes that share the GPU. One that runs out of memory is tried again alone at the end. Prints one line a
problem that is not right, and the counts; exit code 1 if any is wrong or fails.
"""

from __future__ import annotations

import argparse
import ast
import copy
import gc
import json
import multiprocessing
import os
import re
import sys
import time
import traceback
import warnings
from collections import Counter, deque
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from pathlib import Path
from types import ModuleType
from typing import Any

import torch

sys.path.insert(0, str(Path(__file__).parent / "support"))

from census import Census, counting_backend
from numerics import FLOAT32, judge, to_double

SMALL = 16
"""With `--small`, the greatest integer literal at module level of a problem."""

GOODBYE_SECONDS = 5.0

MIN_START_SECONDS = 5.0
"""No problem is started with less of the total time left."""


def main() -> int:
    arguments = parse_arguments()
    problems = find_problems(arguments.folder, arguments.level, arguments.only)
    if not problems:
        print(f"error: no problems in {arguments.folder}", file=sys.stderr)
        return 1
    deadline = time.monotonic() + arguments.total
    results = run_all(problems, arguments, arguments.workers, deadline)
    starved = [p for p in problems if results[str(p)]["status"] == "oom"]
    if starved and arguments.workers > 1:
        results |= run_all(starved, arguments, 1, deadline)
    return report(problems, results, arguments.json)


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="KernelBench levels 1 and 2 against eager")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--level", type=int, choices=(1, 2), help="only this level")
    parser.add_argument("--only", default="", help="only problems whose file name matches this regular expression")
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--small", action="store_true", help="shrink the sizes of the problems")
    parser.add_argument("--workers", type=int, help="worker processes (default: 6 on a GPU, else 1)")
    parser.add_argument("--timeout", type=float, default=120.0, help="seconds for one problem")
    parser.add_argument("--total", type=float, default=400.0, help="seconds for everything")
    parser.add_argument("--json", type=Path, help="write every result to this file")
    arguments = parser.parse_args()
    arguments.workers = arguments.workers or (6 if arguments.device.startswith("cuda") else 1)
    return arguments


def find_problems(folder: Path, level: int | None, only: str) -> list[Path]:
    found: list[Path] = []
    for name in ("level1", "level2"):
        if level is None or name == f"level{level}":
            found += sorted((folder / name).glob("*.py"), key=problem_number)
    return [path for path in found if re.search(only, path.name)]


def problem_number(path: Path) -> tuple[int, str]:
    number = re.match(r"\d+", path.name)
    return (int(number.group()) if number else 0), path.name


# Processes


@dataclass
class Worker:
    process: Any
    pipe: Connection
    problem: Path | None = None
    started: float = 0.0


def start_worker(arguments: argparse.Namespace, workers: int) -> Worker:
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=work, args=(theirs, arguments.device, arguments.small, workers))
    process.start()
    theirs.close()
    return Worker(process, ours)


def stop_worker(worker: Worker) -> None:
    """An idle worker ends when its pipe closes, a busy one is killed."""
    worker.pipe.close()
    if worker.problem is None:
        worker.process.join(GOODBYE_SECONDS)
    worker.process.kill()
    worker.process.join()


def run_all(
    problems: list[Path], arguments: argparse.Namespace, count: int, deadline: float
) -> dict[str, dict[str, Any]]:
    """The results of the problems by path. Never takes longer than the deadline by more than a moment."""
    waiting = deque(problems)
    results: dict[str, dict[str, Any]] = {str(p): {"status": "not run"} for p in problems}
    workers = [start_worker(arguments, count) for _ in range(min(count, len(problems)))]
    try:
        serve(workers, waiting, results, arguments, count, deadline)
    finally:
        for worker in workers:
            stop_worker(worker)
    return results


def serve(
    workers: list[Worker],
    waiting: deque[Path],
    results: dict[str, dict[str, Any]],
    arguments: argparse.Namespace,
    count: int,
    deadline: float,
) -> None:
    """Give the workers problems until none waits or the time is over; workers that broke are replaced in the list."""
    while True:
        now = time.monotonic()
        for worker in workers:
            if worker.problem is None and waiting and deadline - now > MIN_START_SECONDS:
                worker.problem, worker.started = waiting.popleft(), now
                worker.pipe.send(str(worker.problem))
        busy = [w for w in workers if w.problem is not None]
        if not busy:
            return
        limits = [min(w.started + arguments.timeout, deadline) for w in busy]
        ready = wait([w.pipe for w in busy], timeout=max(0.0, min(limits) - now))
        for worker, limit in zip(busy, limits, strict=True):
            result: dict[str, Any] | None = None
            if worker.pipe in ready:
                try:
                    result = worker.pipe.recv()
                except EOFError:
                    worker.process.join()
                    result = {"status": "crash", "detail": f"exit code {worker.process.exitcode}"}
            elif time.monotonic() >= limit:
                result = {"status": "timeout" if limit < deadline else "not run", "detail": "out of time"}
            if result is None:
                continue
            results[str(worker.problem)] = result | {"seconds": round(time.monotonic() - worker.started, 2)}
            if result["status"] in ("crash", "timeout", "not run", "poisoned"):
                stop_worker(worker)
                fresh = start_worker(arguments, count) if waiting and limit < deadline else None
                workers.remove(worker)
                workers += [fresh] if fresh else []
            worker.problem = None


def work(pipe: Connection, device: str, small: bool, workers: int) -> None:
    """A worker process: problems in, results out."""
    torch.set_num_threads(max(1, (os.cpu_count() or 1) // workers))
    torch.backends.cuda.matmul.allow_tf32 = False
    torch.backends.cudnn.allow_tf32 = False
    while True:
        try:
            path = pipe.recv()
        except EOFError:
            return
        pipe.send(run_problem(Path(path), device, small, alone=workers == 1))


# One problem


def run_problem(path: Path, device: str, small: bool, alone: bool) -> dict[str, Any]:
    """The result with a status.

    `right`, `wrong`, `error` (of ours), `eager error` (of the problem), `oom`, or `poisoned` (CUDA is broken).
    """
    census = Census()
    result: dict[str, Any] = {}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            result = compare(path, device, small, alone, census)
        except Exception as error:
            result = {"status": status_of(error), "detail": one_line(error), "trace": traceback.format_exc()[-3000:]}
    result |= {"kind": census.kind, "graphs": census.graphs, "failed": census.failed, "native": census.native}
    result |= {"aten": dict(Counter(census.aten)), "fallbacks": fallback_texts(caught)}
    torch.compiler.reset()
    gc.collect()
    if device.startswith("cuda") and result["status"] != "poisoned":
        torch.cuda.empty_cache()
    return result


def compare(path: Path, device: str, small: bool, alone: bool, census: Census) -> dict[str, Any]:
    with torch.no_grad():
        try:
            with torch.device(device):
                problem = load(path, small)
                torch.manual_seed(0)
                model = problem.Model(*problem.get_init_inputs())
                inputs = problem.get_inputs()
            if any(isinstance(m, torch.nn.modules.dropout._DropoutNd) for m in model.modules()):
                model.eval()
            eager_model = copy.deepcopy(model)
            eager = (eager_model(*copy_inputs(inputs)), list(eager_model.buffers()))
        except torch.OutOfMemoryError:
            raise
        except Exception as error:
            return {"status": "eager error", "detail": one_line(error)}
        ours_model = copy.deepcopy(model)
        compiled = torch.compile(ours_model, backend=counting_backend(census))
        start = time.monotonic()
        actual = (compiled(*copy_inputs(inputs)), list(ours_model.buffers()))
        if device.startswith("cuda"):
            torch.cuda.synchronize()
        compile_seconds = time.monotonic() - start

        def reference() -> Any:
            double = to_double(model)
            return double(*to_double(inputs)), list(double.buffers())

        verdict = judge(actual, eager, reference, FLOAT32, reference_must_fit=not alone)
    return {
        "status": "right" if verdict.ok else "wrong",
        "how": verdict.how,
        "detail": verdict.detail,
        "errors": verdict.errors,
        "compile_seconds": round(compile_seconds, 2),
    }


def copy_inputs(inputs: list[Any]) -> list[Any]:
    """The inputs, for a call that may change them: copied only where that is cheap."""
    limit = 1 << 20
    return [x.clone() if hasattr(x, "clone") and x.numel() <= limit else x for x in inputs]


def load(path: Path, small: bool) -> ModuleType:
    tree = ast.parse(path.read_text())
    if small:
        for statement in tree.body:
            if isinstance(statement, ast.Assign):
                shrink(statement)
    module = ModuleType(path.stem)
    exec(compile(tree, str(path), "exec"), module.__dict__)
    return module


def shrink(statement: ast.Assign) -> None:
    for node in ast.walk(statement.value):
        if isinstance(node, ast.Constant) and type(node.value) is int and node.value > SMALL:
            node.value = SMALL + node.value % SMALL


def status_of(error: BaseException) -> str:
    """Out of memory counts as such also inside the wrapper that Dynamo puts around errors of a backend."""
    text = f"{type(error).__name__}: {error}"
    if "CUDA error" in text or "illegal memory access" in text:
        return "poisoned"
    return "oom" if "out of memory" in text.lower() or "OutOfMemory" in text else "error"


def fallback_texts(caught: list[warnings.WarningMessage]) -> list[str]:
    from fusir.errors import FusirFallbackWarning

    return [str(w.message)[:500] for w in caught if issubclass(w.category, FusirFallbackWarning)]


def one_line(error: BaseException) -> str:
    return f"{type(error).__name__}: {' '.join(str(error).split())}"[:500]


# Report


def report(problems: list[Path], results: dict[str, dict[str, Any]], output: Path | None) -> int:
    for path in problems:
        result = results[str(path)]
        notes = [result.get("detail", ""), *result.get("fallbacks", [])]
        if result["status"] != "right" or result["fallbacks"]:
            print(f"{result['status']:11} {path.parent.name}/{path.stem}: {' | '.join(n for n in notes if n)}")
    for level in sorted({p.parent.name for p in problems}):
        chosen = [results[str(p)] for p in problems if p.parent.name == level]
        right = [r for r in chosen if r["status"] == "right"]
        kinds = Counter(r["kind"] for r in right)
        others = Counter(r["status"] for r in chosen if r["status"] != "right")
        judged = Counter(r["how"] for r in right)
        print(
            f"{level}: {len(chosen)} problems, {len(right)} right "
            f"(native {kinds['native']}, partly {kinds['partly']}, ATen {kinds['aten']}, "
            f"not compiled {kinds['failed']}), wrong {others.pop('wrong', 0)}"
            + "".join(f", {status} {count}" for status, count in sorted(others.items()))
            + f"; judged {', '.join(f'{how} {count}' for how, count in sorted(judged.items()))}"
        )
    if output is not None:
        named = {f"{p.parent.name}/{p.stem}": results[str(p)] for p in problems}
        output.write_text(json.dumps(named, indent=1) + "\n")
    bad = {"wrong", "error", "crash", "poisoned"}
    return int(any(results[str(p)]["status"] in bad for p in problems))


if __name__ == "__main__":
    sys.exit(main())
