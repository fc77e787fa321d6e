"""Native imports of ATen operators, by kind."""

from fusir.frontend.table import contraction, creation, indexing, pointwise, random, reduction, shape
from fusir.frontend.table.registry import LOWERINGS

__all__ = ["LOWERINGS", "contraction", "creation", "indexing", "pointwise", "random", "reduction", "shape"]
