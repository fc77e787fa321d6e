"""The kernels that the default pipeline makes of the corpus."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from xdsl.parser import Parser

from fusir.dialects.tt import FuncOp
from fusir.pipeline import run_pipeline
from fusir.targets.ttir import ttir_text
from fusir.tools.registry import make_context

CORPUS = Path(__file__).parent.parent / "corpus"


def corpus_kernels(step: int = 1, start: int = 0) -> Iterator[tuple[Path, FuncOp]]:
    """The `tt.func` ops of every `step`-th graph, from graph `start` on, each once, with the graph."""
    seen: set[str] = set()
    for path in sorted(CORPUS.glob("*/*.mlir"))[start::step]:
        ctx = make_context()
        module = Parser(ctx, path.read_text(), str(path)).parse_module()
        run_pipeline(ctx, module, "tt")
        for op in module.walk():
            if isinstance(op, FuncOp):
                text = ttir_text(op).replace(op.sym_name.data, "")
                if text not in seen:
                    seen.add(text)
                    yield path, op
