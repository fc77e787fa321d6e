"""Native imports of ATen operators, by kind."""

from fusir.frontend.table import (
    cast,
    comparison,
    composition,
    contraction,
    creation,
    indexing,
    pointwise,
    random,
    reduction,
    shape,
)
from fusir.frontend.table.registry import LOWERINGS

__all__ = [
    "LOWERINGS",
    "cast",
    "comparison",
    "composition",
    "contraction",
    "creation",
    "indexing",
    "pointwise",
    "random",
    "reduction",
    "shape",
]
