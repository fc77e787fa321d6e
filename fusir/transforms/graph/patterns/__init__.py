"""The laws of the canonical form of the graph level, one pattern a class, grouped by what they are about."""

from __future__ import annotations

from fusir.transforms.graph.patterns.algebra import ALGEBRA
from fusir.transforms.graph.patterns.casts import CASTS
from fusir.transforms.graph.patterns.constants import CONSTANTS
from fusir.transforms.graph.patterns.integers import INTEGERS
from fusir.transforms.graph.patterns.logic import LOGIC
from fusir.transforms.graph.patterns.movement import MOVEMENT
from fusir.transforms.graph.patterns.reductions import REDUCTIONS
from fusir.transforms.graph.patterns.views import VIEWS
from fusir.transforms.graph.worklist import AnyPattern

CANONICALIZATION: tuple[AnyPattern, ...] = (
    *CONSTANTS,
    *ALGEBRA,
    *INTEGERS,
    *LOGIC,
    *CASTS,
    *VIEWS,
    *MOVEMENT,
    *REDUCTIONS,
)
"""All patterns, in the order in which they are tried on an op."""
