"""Names in the printed source: unique variable names, and block size names for the extents of tiles."""

from __future__ import annotations

import builtins
import keyword
import re
from collections.abc import Iterable, Iterator, Sequence

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Operation, SSAValue

from fusir.dialects.tt import (
    BroadcastOp,
    CatOp,
    DescriptorLoadOp,
    DescriptorStoreOp,
    DotOp,
    ExpandDimsOp,
    GatherOp,
    HistogramOp,
    JoinOp,
    MakeRangeOp,
    MakeTensorDescriptorOp,
    ReduceOp,
    ReshapeOp,
    ScanOp,
    SplatOp,
    SplitOp,
    TransOp,
    shape_of,
)

NAME_ATTRIBUTE = "fusir.name"
"""The discardable attribute that says which block size a constant or a range is."""

HELPER_ATTRIBUTE = "fusir.helper"
"""The discardable attribute of neighbouring ops that are written as a helper function: its name."""

RESERVED = frozenset({*keyword.kwlist, *dir(builtins), "tl", "triton", "libdevice"})


class NameTable:
    """Hands out variable names that are unique in a function."""

    def __init__(self, taken: Iterable[str] = ()):
        self.taken: set[str] = {*RESERVED, *taken}
        self._next: dict[str, int] = {}

    def fresh(self, base: str) -> str:
        """`base` if it is free, else `base_1`, `base_2`, ..."""
        base = re.sub(r"\W", "_", base)
        if not base or base[0].isdigit():
            base = f"v{base}"
        name = base
        while name in self.taken:
            self._next[base] = self._next.get(base, 0) + 1
            name = f"{base}_{self._next[base]}"
        self.taken.add(name)
        return name

    def numbered(self, base: str) -> str:
        """`base0`, `base1`, ...: the first that is free."""
        while True:
            number = self._next.get(base, 0)
            self._next[base] = number + 1
            name = f"{base}{number}"
            if name not in self.taken:
                self.taken.add(name)
                return name


def block_name(op: Operation) -> str | None:
    """The block size that an op stands for, if it says so."""
    name = op.attributes.get(NAME_ATTRIBUTE)
    return name.data if isinstance(name, StringAttr) else None


def helper_of(op: Operation) -> str | None:
    """The helper function that an op is a part of, if it says so."""
    name = op.attributes.get(HELPER_ATTRIBUTE)
    return name.data if isinstance(name, StringAttr) else None


_Dim = tuple[SSAValue, int]


class ExtentNames:
    """Which block size the extents of tiles are.

    A range with a `fusir.name` names its extent, a descriptor with `fusir.names` those of its block. Two extents are
    the same block size if an op needs them to be equal: the dimensions of values form classes (union-find), and the
    name of a class is that of a range or descriptor in it.
    """

    def __init__(self, func: Operation | None = None):
        """The names in a function; without one, extents have none."""
        self._parent: dict[_Dim, _Dim] = {}
        self._names: dict[_Dim, str] = {}
        for op in func.walk() if func is not None else ():
            self._visit(op)

    def name(self, value: SSAValue, dim: int) -> str | None:
        """The block size that the extent of a dimension is, if it is one."""
        return self._names.get(self._find((value, dim)))

    def _find(self, dim: _Dim) -> _Dim:
        root = dim
        while (parent := self._parent.get(root)) is not None:
            root = parent
        while dim != root:
            self._parent[dim], dim = root, self._parent[dim]
        return root

    def _join(self, first: _Dim, second: _Dim) -> None:
        first, second = self._find(first), self._find(second)
        if first == second:
            return
        self._parent[second] = first
        if (name := self._names.pop(second, None)) is not None:
            self._names.setdefault(first, name)

    def _join_all(self, values: Sequence[SSAValue]) -> None:
        """All values of one rank have the same extents."""
        for value in values[1:]:
            for dim in range(len(shape_of(value.type))):
                self._join((values[0], dim), (value, dim))

    def _visit(self, op: Operation) -> None:
        match op:
            case MakeRangeOp():
                if (name := block_name(op)) is not None:
                    self._names[self._find((op.result, 0))] = name
            case MakeTensorDescriptorOp():
                for dim, name in enumerate(op.block_names):
                    if name:
                        self._names[self._find((op.result, dim))] = name
            case DescriptorLoadOp() | DescriptorStoreOp():
                tile = op.result if isinstance(op, DescriptorLoadOp) else op.src
                for dim in range(len(shape_of(tile.type))):
                    self._join((op.desc, dim + op.dropped_dims), (tile, dim))
            case SplatOp() | HistogramOp() | CatOp() | ReshapeOp() | JoinOp() | SplitOp() | arith.ConstantOp():
                pass
            case ExpandDimsOp():
                axis = op.axis.value.data
                for dim in range(len(shape_of(op.src.type))):
                    self._join((op.src, dim), (op.result, dim + (dim >= axis)))
            case BroadcastOp():
                for dim, (before, after) in enumerate(
                    zip(shape_of(op.src.type), shape_of(op.result.type), strict=True)
                ):
                    if before == after:
                        self._join((op.src, dim), (op.result, dim))
            case TransOp():
                for dim, source in enumerate(op.permutation):
                    self._join((op.src, source), (op.result, dim))
            case ReduceOp():
                self._join_all(op.srcs)
                for dim in range(len(shape_of(op.srcs[0].type)) - 1):
                    for src, result in zip(op.srcs, op.result, strict=True):
                        self._join((src, dim + (dim >= op.axis_index)), (result, dim))
            case ScanOp():
                self._join_all([*op.srcs, *op.result])
            case DotOp():
                rank = len(shape_of(op.c.type))
                self._join_all([op.c, op.d])
                self._join((op.a, rank - 2), (op.d, rank - 2))
                self._join((op.b, rank - 1), (op.d, rank - 1))
                self._join((op.a, rank - 1), (op.b, rank - 2))
            case GatherOp():
                self._join_all([op.indices, op.result])
            case scf.ForOp():
                yielded = op.body.block.last_op
                assert isinstance(yielded, scf.YieldOp)
                for group in zip(op.iter_args, op.body.block.args[1:], yielded.operands, op.results, strict=True):
                    self._join_all(group)
            case scf.IfOp():
                for region in op.regions:
                    if region.blocks and isinstance(yielded := region.block.last_op, scf.YieldOp):
                        for group in zip(op.results, yielded.operands, strict=True):
                            self._join_all(group)
            case _ if not op.regions:
                for group in _of_one_shape(op):
                    self._join_all(group)
            case _:
                pass


def _of_one_shape(op: Operation) -> Iterator[list[SSAValue]]:
    """The tensors of an elementwise op, if they all have one shape."""
    values = [each for each in (*op.operands, *op.results) if shape_of(each.type)]
    if len({shape_of(each.type) for each in values}) == 1:
        yield values
