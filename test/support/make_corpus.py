"""Writes the corpus of small graphs, one file each, to test/corpus/<group>/<name>.mlir.

python test/support/make_corpus.py
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import corpus_basic
import corpus_contractions
import corpus_convolutions
import corpus_large
import corpus_models
import corpus_scans
import corpus_views
from xdsl.dialects.builtin import ModuleOp

CORPUS = Path(__file__).parent.parent / "corpus"

GROUPS: dict[str, Callable[[], Iterator[tuple[str, ModuleOp]]]] = {
    "pointwise": corpus_basic.pointwise,
    "dtypes": corpus_basic.dtypes,
    "reductions": corpus_basic.reductions,
    "scans": corpus_scans.scans,
    "views": corpus_views.views,
    "indexing": corpus_views.indexing,
    "edges": corpus_views.edges,
    "symbolic": corpus_views.symbolic,
    "activations": corpus_models.activations,
    "normalizations": corpus_models.normalizations,
    "transformers": corpus_models.transformers,
    "contractions": corpus_contractions.contractions,
    "convolutions": corpus_convolutions.convolutions,
    "training": corpus_models.training,
    "large": corpus_large.large,
}


def write_corpus() -> int:
    """Write every graph, remove files that have none any more, and return how many there are."""
    count = 0
    for group, graphs in GROUPS.items():
        folder = CORPUS / group
        folder.mkdir(parents=True, exist_ok=True)
        stale = set(folder.glob("*.mlir"))
        for name, module in graphs():
            module.verify()
            path = folder / f"{name}.mlir"
            assert path in stale or not path.exists(), f"two graphs are called {path}"
            path.write_text("\n".join(str(op) for op in module.ops) + "\n")
            stale.discard(path)
            count += 1
        for path in stale:
            path.unlink()
    return count


if __name__ == "__main__":
    print(write_corpus(), "graphs")
