"""Reductions as two: over parts of the reduced range, then over the partial results.

`split-reductions` decides which and how.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from xdsl.dialects.builtin import f32, i64
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from fusir.dialects import graph
from fusir.dialects.graph import Dim, dims_of, element_type_of, is_float, is_half, is_unsigned, numel, tensor_type

SPLITTABLE = ("sum", "prod", "max", "min", "any", "all")
"""The kinds of reductions whose partial results the same kind of reduction combines."""

EXTREMUM = {"argmax": "max", "argmin": "min"}
"""The reduction whose position an arg reduction gives."""


@dataclass(frozen=True)
class Parts:
    """How a reduction is cut: the neighbouring reduced dims `first..last` together, into `count` parts."""

    first: int
    last: int
    count: int
    is_interleaved: bool = False
    """Whether the parts are every n-th element and not neighbours: not where positions are found."""


def split_rows(reduce: graph.ReduceOp, rows: tuple[int, ...]) -> graph.ReduceOp:
    """Replace a reduction by one over the dims `rows`, then one over the others, which is returned."""
    new = _Inserter(reduce)
    value = reduce.operand
    element = element_type_of(value)
    if is_half(element) and reduce.kind in ("sum", "prod"):
        value = new.add(graph.ConvertOp(value, f32))
    inner = new.add(graph.ReduceOp(reduce.kind, value, rows))
    rest = [dim - sum(row < dim for row in rows) for dim in reduce.dims if dim not in rows]
    outer = graph.ReduceOp(reduce.kind, inner, rest)
    result = new.add(outer)
    if element_type_of(result) != element:
        result = new.add(graph.ConvertOp(result, element))
    _replace(reduce, result)
    return outer


def _replace(reduce: graph.ReduceOp, value: SSAValue) -> None:
    value.name_hint = reduce.result.name_hint
    reduce.result.replace_all_uses_with(value)
    reduce.detach()
    reduce.erase()


@dataclass
class Splitter:
    """Cuts reductions in two, in program order. What is made of one operand is made once."""

    values: dict[object, SSAValue] = field(default_factory=dict)
    """Parts and partial results by what they are."""

    def split(self, reduce: graph.ReduceOp, parts: Parts) -> None:
        """Replace the reduction by one over each of the parts, then one over the parts."""
        new = _Inserter(reduce)
        kind, element = str(reduce.kind), element_type_of(reduce.operand)
        position = sum(1 for dim in range(parts.first) if dim not in reduce.dims)
        extremum = EXTREMUM.get(kind)
        if extremum is not None:
            value = self._position(new, reduce, parts, kind, extremum, position)
        elif (deviation := self._deviation(reduce, parts)) is not None:
            value = self._squares(new, reduce, parts, position, *deviation)
        else:
            value = new.add(graph.ReduceOp(kind, self._partial(new, reduce, parts, kind), [position]))
            if element_type_of(value) != element:
                value = new.add(graph.ConvertOp(value, element))
        _replace(reduce, value)

    def _partial(self, new: _Inserter, reduce: graph.ReduceOp, parts: Parts, kind: str) -> SSAValue:
        """The reduction of each part; `kind` is that of `reduce`, or that of the extremum whose position it gives."""
        key = (reduce.operand, reduce.parent, reduce.dims, parts, kind)
        if key not in self.values:
            cut = self._cut(new, reduce, parts, EXTREMUM.get(kind, kind))
            # Positions in the cut operand, where the dims from `first` to `last` are the parts and their elements.
            merged = parts.last - parts.first
            outside = [dim for dim in reduce.dims if not parts.first <= dim <= parts.last]
            moved = [dim if dim < parts.first else dim + 1 - merged for dim in outside]
            elements = parts.first if parts.is_interleaved else parts.first + 1
            self.values[key] = new.add(graph.ReduceOp(kind, cut, sorted([*moved, elements])))
        return self.values[key]

    def _deviation(self, reduce: graph.ReduceOp, parts: Parts) -> tuple[SSAValue, SSAValue] | None:
        """The x and m of a sum of (x - m)^2, m the same for all of them, where x is summed up in the same parts."""
        square = reduce.operand.owner
        if str(reduce.kind) != "sum" or not isinstance(square, graph.MulOp) or square.lhs is not square.rhs:
            return None
        difference = square.lhs.owner
        if not isinstance(difference, graph.SubOp) or not isinstance(difference.rhs.owner, graph.BroadcastOp):
            return None
        x, spread = difference.lhs, difference.rhs.owner
        if (x, reduce.parent, reduce.dims, parts, "sum") not in self.values:
            return None
        extents = _static(dims_of(x))
        kept = [extent for dim, extent in enumerate(extents) if dim not in reduce.dims]
        repeated = [dim for dim, extent in zip(spread.dims, dims_of(spread.operand), strict=True) if extent != 1]
        whole = math.prod(extents[dim] for dim in range(parts.first, parts.last + 1)) % parts.count == 0
        is_constant = not set(repeated) & set(reduce.dims) and numel(dims_of(spread.operand)) == math.prod(kept)
        return (x, spread.operand) if whole and is_constant else None

    def _squares(
        self, new: _Inserter, reduce: graph.ReduceOp, parts: Parts, position: int, x: SSAValue, m: SSAValue
    ) -> SSAValue:
        """The sum of (x - m)^2 by the means of the parts, so that x is read once, before m is known.

        For n elements with the mean c it is `sum (x - c)^2 + n (c - m)^2`, whatever m is. The two terms are summed up
        apart: the first one does not wait for m.
        """
        sums = self.values[x, reduce.parent, reduce.dims, parts, "sum"]
        inner = sums.owner
        assert isinstance(inner, graph.ReduceOp)
        cut, extents = inner.operand, _static(dims_of(inner.operand))
        count = math.prod(extents[dim] for dim in inner.dims)
        shape, element = _static(dims_of(sums)), element_type_of(sums)

        def full(value: float) -> SSAValue:
            return new.add(graph.FullOp(value, tensor_type(element, shape)))

        means = new.add(graph.MulOp(sums, full(1.0 / count)))
        kept = [dim for dim in range(len(extents)) if dim not in inner.dims]
        centred = new.add(graph.SubOp(cut, new.add(graph.BroadcastOp(means, kept, extents))))
        squares = new.add(graph.ReduceOp("sum", new.add(graph.MulOp(centred, centred)), inner.dims))
        outside = [extent for dim, extent in enumerate(shape) if dim != position]
        places = [dim for dim in range(len(shape)) if dim != position]
        m = new.add(graph.BroadcastOp(new.add(graph.ReshapeOp(m, outside)), places, shape))
        shift = new.add(graph.SubOp(means, m))
        moved = new.add(graph.MulOp(new.add(graph.MulOp(shift, shift)), full(float(count))))
        sums_of_parts = [new.add(graph.ReduceOp("sum", each, [position])) for each in (squares, moved)]
        return new.add(graph.AddOp(*sums_of_parts))

    def _cut(self, new: _Inserter, reduce: graph.ReduceOp, parts: Parts, kind: str) -> SSAValue:
        """The operand with the dims to cut as parts and elements, in the type of the partial results."""
        key = (reduce.operand, reduce.parent, parts, kind)
        if key in self.values:
            return self.values[key]
        value: SSAValue = reduce.operand
        if is_half(element_type_of(value)) and kind in ("sum", "prod"):
            value = new.add(graph.ConvertOp(value, f32))
        extents = _static(dims_of(value))
        length = math.prod(extents[parts.first : parts.last + 1])
        head, tail = extents[: parts.first], extents[parts.last + 1 :]
        size = -(-length // parts.count)
        padding = parts.count * size - length
        if padding:
            if parts.last > parts.first:
                value = new.add(graph.ReshapeOp(value, [*head, length, *tail]))
            low = [0] * (len(head) + 1 + len(tail))
            high = [padding if i == parts.first else 0 for i in range(len(low))]
            value = new.add(graph.PadOp(value, low, high, neutral(kind, element_type_of(value))))
        cut = [size, parts.count] if parts.is_interleaved else [parts.count, size]
        value = new.add(graph.ReshapeOp(value, [*head, *cut, *tail]))
        self.values[key] = value
        return value

    def _position(
        self, new: _Inserter, reduce: graph.ReduceOp, parts: Parts, kind: str, extremum: str, position: int
    ) -> SSAValue:
        """The position of the extremum: that in the first part that has it, behind the parts before."""
        extrema = self._partial(new, reduce, parts, extremum)
        inside = self._partial(new, reduce, parts, kind)
        best = new.add(graph.ReduceOp(kind, extrema, [position]))
        kept = dims_of(best)
        places = [
            best if dim == position else new.add(graph.IotaOp(dim - (dim > position), tensor_type(i64, kept)))
            for dim in range(len(kept) + 1)
        ]
        found = new.add(graph.GatherOp(inside, places, range(len(places))))
        extents = _static(dims_of(reduce.operand))
        size = -(-math.prod(extents[parts.first : parts.last + 1]) // parts.count)
        before = new.add(graph.MulOp(best, new.add(graph.FullOp(size, tensor_type(i64, kept)))))
        return new.add(graph.AddOp(before, found))


@dataclass
class _Inserter:
    """Inserts ops in front of a reduction, with its location."""

    reduce: graph.ReduceOp

    def add(self, op: Operation) -> SSAValue:
        op.location = self.reduce.location
        Rewriter.insert_op(op, InsertPoint.before(self.reduce))
        return op.results[0]


def _static(dims: Sequence[Dim]) -> list[int]:
    """Dims of which none is symbolic."""
    return [dim for dim in dims if isinstance(dim, int)]


def neutral(kind: str, element: Attribute) -> float | int | bool:
    """The value that changes nothing in a reduction."""
    if kind in ("sum", "any"):
        return 0.0 if is_float(element) else False if kind == "any" else 0
    if kind in ("prod", "all"):
        return 1.0 if is_float(element) else True if kind == "all" else 1
    if is_float(element):
        return -math.inf if kind == "max" else math.inf
    width = element.width.data  # pyright: ignore
    if is_unsigned(element):
        return 0 if kind == "max" else (1 << width) - 1
    return -(1 << (width - 1)) if kind == "max" else (1 << (width - 1)) - 1
