# REQUIRES: cuda
# RUN: %python %s
"""Every graph of the corpus on the GPU, fused and one kernel an op, against the graph interpreter on the CPU.

    python test/gpu/corpus.py [GROUP ...] [--workers N]

Graphs run in worker processes that share the GPU. Prints one line a graph that is wrong, falls back or fails, and the
counts.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
import traceback
import warnings
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "support"))

import torch
from agreement import compare, main_of, random_inputs, run, seed_of
from check_passes import files_of, parse
from xdsl.dialects.builtin import ModuleOp, StringAttr

from fusir.pipeline import run_pipeline
from fusir.runtime.executable import build
from fusir.tools.registry import make_context

CORPUS = Path(__file__).parent.parent / "corpus"


def check(path: Path, fuse: bool) -> str:
    """What is wrong with a graph, empty if nothing."""
    module = parse(path)
    seed = seed_of(path.stem)
    examples = [(each, run(module, each)) for each in (random_inputs(module, seed), random_inputs(module, seed, True))]
    main_of(module).attributes["graph.device"] = StringAttr("cuda:0")
    fused: list[ModuleOp] = []

    def keep(stage: str, state: ModuleOp) -> None:
        if stage == "fused":
            fused.append(state.clone())

    run_pipeline(make_context(), module, options={"fuse": {"enabled": (fuse,)}}, on_stage=keep)
    executable = build(module, fused=fused[0])
    for inputs, expected in examples:
        on_device = [each.cuda() if isinstance(each, torch.Tensor) else each for each in inputs]
        results = [each.cpu() if isinstance(each, torch.Tensor) else each for each in executable(on_device)]
        compare(expected[: len(results)], results, "cuda")
    return f"kernels through ATen: {executable.fallbacks}" if executable.fallbacks else ""


def work(job: tuple[str, bool]) -> tuple[str, bool, str]:
    path, fuse = Path(job[0]), job[1]
    torch.set_num_threads(1)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            problem = check(path, fuse)
    except Exception as error:
        problem = f"{type(error).__name__}: {' '.join(str(error).split())[:300]}"
        if os.environ.get("CORPUS_TRACE"):
            problem += "\n" + traceback.format_exc()
    return f"{path.parent.name}/{path.stem}", fuse, problem


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("groups", nargs="*")
    parser.add_argument("--workers", type=int, default=min(8, os.cpu_count() or 1))
    arguments = parser.parse_args()
    groups = arguments.groups or sorted(each.name for each in CORPUS.iterdir() if each.is_dir())
    jobs = [(str(path), fuse) for path in files_of(groups) for fuse in (True, False)]
    counts: Counter[str] = Counter()
    context = multiprocessing.get_context("spawn")
    with context.Pool(arguments.workers) as pool:
        for name, fuse, problem in pool.imap_unordered(work, jobs):
            counts["wrong" if problem else "right"] += 1
            if problem:
                print(f"{name} ({'fused' if fuse else 'one kernel an op'}): {problem}")
    print(f"{counts['right']} right, {counts['wrong']} wrong")
    return 1 if counts["wrong"] or not counts["right"] else 0


if __name__ == "__main__":
    sys.exit(main())
