"""Choosers that decide about all fusions around contractions alike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import ModuleOp

from fusir.dialects.loop import Tiles
from fusir.transforms.graph.contraction_choice import Choice


@dataclass(frozen=True)
class Always:
    """A chooser that says the same of every fusion around a contraction."""

    choice: Choice

    def prepare(self, modules: Sequence[ModuleOp]) -> None:
        """Nothing: the choice takes no time."""

    def choose(self, module: ModuleOp) -> Choice:
        """The choice, whatever the module."""
        return self.choice


CHOOSERS = {
    "library": Always(Choice(library=True)),
    "plain": Always(Choice(plain=Tiles(m=16, n=16, k=16, group=2, warps=4, stages=2))),
}
"""What may become of fusions around contractions, besides that they are kept."""
