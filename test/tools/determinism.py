# RUN: %python %s
"""The same text gives the same text, whatever the hash seed of the process is."""

import os
import subprocess
import sys
from pathlib import Path

CORPUS = Path(__file__).parent.parent / "corpus"
EVERY = 7
"""One of so many graphs is lowered: they are all of a kind."""

PROGRAM = """
import sys
from pathlib import Path
from xdsl.parser import Parser
from fusir.pipeline import run_pipeline
from fusir.tools.registry import TARGETS, make_context
for name in sys.argv[1:]:
    ctx = make_context()
    module = Parser(ctx, Path(name).read_text(), name).parse_module()
    run_pipeline(ctx, module, on_stage=lambda stage, module: print(name, stage, module))
    TARGETS["triton"].load()().emit(ctx, module, sys.stdout)
"""


def lowered(files: list[str], seed: int) -> list[str]:
    """Every stage of every file, in a process with this hash seed."""
    environment = {**os.environ, "PYTHONHASHSEED": str(seed)}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *files], env=environment, stdout=subprocess.PIPE, text=True, check=True
    )
    return done.stdout.splitlines()


files = [str(path) for path in sorted(CORPUS.glob("*/*.mlir"))][::EVERY]
first, second = lowered(files, 1), lowered(files, 2)
assert len(first) > 100 * len(files)
for number, (one, other) in enumerate(zip(first, second, strict=True)):
    assert one == other, f"line {number}:\n{one}\n{other}"
