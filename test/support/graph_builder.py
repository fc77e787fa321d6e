"""Builds tensor-level modules in a few lines, with operators and broadcasting as in PyTorch.

    g = Graph("softmax")
    x = g.arg("f32", 4, 8)
    e = exp(x - x.amax(1, keep=True))
    module = g.returns(e / e.sum(1, keep=True))

Values of an argument lie in `low .. high` (inclusive) where these are given; `random_inputs` of `agreement` reads that
from the argument attribute `corpus.range`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TypeAlias

from xdsl.dialects.builtin import (
    ArrayAttr,
    BFloat16Type,
    DenseArrayBase,
    DictionaryAttr,
    Float16Type,
    Float32Type,
    Float64Type,
    IndexType,
    IntegerType,
    ModuleOp,
    Signedness,
    i64,
)
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineExpr

from fusir.dialects import graph
from fusir.dialects.graph import Dim, SymbolAttr, dims_of, element_type_of, tensor_type

ELEMENT_TYPES: dict[str, Attribute] = {
    "f16": Float16Type(),
    "bf16": BFloat16Type(),
    "f32": Float32Type(),
    "f64": Float64Type(),
    "i1": IntegerType(1),
    "i8": IntegerType(8),
    "i16": IntegerType(16),
    "i32": IntegerType(32),
    "i64": IntegerType(64),
    "ui8": IntegerType(8, Signedness.UNSIGNED),
}

Number: TypeAlias = "float | int | bool"


class Tensor:
    """A value of the graph that is being built."""

    def __init__(self, owner: Graph, value: SSAValue):
        self.graph = owner
        self.value = value

    @property
    def dims(self) -> tuple[Dim, ...]:
        return dims_of(self.value)

    @property
    def rank(self) -> int:
        return len(self.dims)

    @property
    def element(self) -> Attribute:
        return element_type_of(self.value)

    def emit(self, op: Operation) -> Tensor:
        return self.graph.emit(op)

    def broadcast(self, dims: Sequence[Dim]) -> Tensor:
        """Broadcast to `dims` as PyTorch does: aligned at the last dim, an extent of 1 grows."""
        if self.dims == tuple(dims):
            return self
        offset = len(dims) - self.rank
        return self.emit(graph.BroadcastOp(self.value, list(range(offset, len(dims))), list(dims)))

    def binary(self, op: type[graph.BinaryOp], other: Tensor | Number) -> Tensor:
        lhs, rhs = self.pair(other)
        return self.emit(op(lhs.value, rhs.value))

    def pair(self, other: Tensor | Number) -> tuple[Tensor, Tensor]:
        """Both operands in their common shape."""
        if not isinstance(other, Tensor):
            return self, self.graph.full(other, self.element, self.dims)
        dims = _common_dims(self.dims, other.dims)
        return self.broadcast(dims), other.broadcast(dims)

    def __add__(self, other: Tensor | Number) -> Tensor:
        return self.binary(graph.AddOp, other)

    def __sub__(self, other: Tensor | Number) -> Tensor:
        return self.binary(graph.SubOp, other)

    def __mul__(self, other: Tensor | Number) -> Tensor:
        return self.binary(graph.MulOp, other)

    def __truediv__(self, other: Tensor | Number) -> Tensor:
        return self.binary(graph.DivOp, other)

    def __neg__(self) -> Tensor:
        return self.emit(graph.NegOp(self.value))

    def unary(self, name: str) -> Tensor:
        """An op by its name without dialect, as `exp`."""
        return self.emit(UNARY[name](self.value))

    def compare(self, predicate: str, other: Tensor | Number) -> Tensor:
        lhs, rhs = self.pair(other)
        return self.emit(graph.CompareOp(predicate, lhs.value, rhs.value))

    def select(self, on_true: Tensor, on_false: Tensor | Number) -> Tensor:
        """`on_true` where this i1 tensor holds, else `on_false`, all broadcast together."""
        on_true, on_false = on_true.pair(on_false)
        dims = _common_dims(self.dims, on_true.dims)
        values = [each.broadcast(dims).value for each in (self, on_true, on_false)]
        return self.emit(graph.SelectOp(*values))

    def convert(self, element: str) -> Tensor:
        return self.emit(graph.ConvertOp(self.value, ELEMENT_TYPES[element]))

    def reduce(self, kind: str, *dims: int, keep: bool = False) -> Tensor:
        """Reduce over `dims`, all of them if none is given; `keep` leaves them with extent 1."""
        reduced = sorted(d % self.rank for d in dims) if dims else list(range(self.rank))
        result = self.emit(graph.ReduceOp(kind, self.value, reduced))
        if keep:
            return result.reshape(*(1 if i in reduced else d for i, d in enumerate(self.dims)))
        return result

    def sum(self, *dims: int, keep: bool = False) -> Tensor:
        return self.reduce("sum", *dims, keep=keep)

    def amax(self, *dims: int, keep: bool = False) -> Tensor:
        return self.reduce("max", *dims, keep=keep)

    def logsumexp(self, *dims: int, keep: bool = False) -> Tensor:
        """By a maximum and a sum, as PyTorch decomposes it: rows of -inf give -inf, infinities are no NaN."""
        largest = self.amax(*dims, keep=True)
        zero = self.graph.full(0.0, self.element, largest.dims)
        guard = largest.unary("abs").compare("eq", math.inf).select(zero, largest)
        total = exp(self - guard).sum(*dims, keep=keep).unary("log")
        return total + guard.reshape(*total.dims)

    def mean(self, *dims: int, keep: bool = False) -> Tensor:
        """The mean over static dims."""
        count = 1
        for d in dims or range(self.rank):
            extent = self.dims[d]
            assert isinstance(extent, int)
            count *= extent
        return self.sum(*dims, keep=keep) * (1.0 / count)

    def reshape(self, *dims: Dim) -> Tensor:
        return self if self.dims == dims else self.emit(graph.ReshapeOp(self.value, dims))

    def permute(self, *permutation: int) -> Tensor:
        return self.emit(graph.PermuteOp(self.value, permutation))

    def reverse(self, *dims: int) -> Tensor:
        return self.emit(graph.ReverseOp(self.value, dims))

    def slice(self, dim: int, start: int, stop: int, step: int = 1) -> Tensor:
        """`x[..., start:stop:step, ...]` in `dim`."""
        starts, steps, dims = [0] * self.rank, [1] * self.rank, list(self.dims)
        starts[dim], steps[dim], dims[dim] = start, step, (stop - start + step - 1) // step
        return self.emit(graph.SliceOp(self.value, starts, steps, dims))

    def pad(self, low: Sequence[int], high: Sequence[int], value: Number) -> Tensor:
        return self.emit(graph.PadOp(self.value, low, high, value))

    def gather(self, indices: Sequence[Tensor], dims: Sequence[int]) -> Tensor:
        return self.emit(graph.GatherOp(self.value, [i.value for i in indices], dims))

    def scan(self, kind: str, dim: int, reverse: bool = False) -> Tensor:
        return self.emit(graph.ScanOp(kind, self.value, dim, reverse))

    def matmul(self, other: Tensor, batch: int = 0) -> Tensor:
        """The product of the last dim here and the dim behind the leading `batch` dims of `other`."""
        over = list(range(batch))
        return self.emit(graph.ContractOp(self.value, other.value, over, over, [self.rank - 1], [batch]))


class Graph:
    """A `func.func @main` that is being built."""

    def __init__(self, name: str):
        self.name = name
        self.block = Block()
        self.attributes: list[DictionaryAttr] = []
        self.symbols = 0

    def arg(self, element: str, *dims: Dim, low: int | None = None, high: int | None = None) -> Tensor:
        attributes: dict[str, Attribute] = {}
        if low is not None and high is not None:
            attributes["corpus.range"] = DenseArrayBase.from_list(i64, [low, high])
        return Tensor(self, self._argument(tensor_type(ELEMENT_TYPES[element], dims), attributes))

    def symbol(self, low: int, high: int, divisor: int = 1) -> AffineExpr:
        """A symbolic dim."""
        position = self.symbols
        self.symbols += 1
        self._argument(IndexType(), {"graph.symbol": SymbolAttr(position, low, high, divisor)})
        return AffineExpr.symbol(position)

    def _argument(self, type_: Attribute, attributes: dict[str, Attribute]) -> SSAValue:
        self.attributes.append(DictionaryAttr(attributes))
        return self.block.insert_arg(type_, len(self.block.args))

    def emit(self, op: Operation) -> Tensor:
        self.block.add_op(op)
        return Tensor(self, op.results[0])

    def full(self, value: Number, element: str | Attribute, dims: Sequence[Dim]) -> Tensor:
        element_type = ELEMENT_TYPES[element] if isinstance(element, str) else element
        return self.emit(graph.FullOp(value, tensor_type(element_type, dims)))

    def iota(self, dim: int, *dims: Dim, element: str = "i64") -> Tensor:
        return self.emit(graph.IotaOp(dim, tensor_type(ELEMENT_TYPES[element], dims)))

    def random(self, seed: Tensor, offset: int, *dims: Dim) -> Tensor:
        return self.emit(graph.RandomOp(seed.value, offset, tensor_type(ELEMENT_TYPES["f32"], dims)))

    def concat(self, dim: int, *parts: Tensor) -> Tensor:
        return self.emit(graph.ConcatOp([each.value for each in parts], dim))

    def aten(self, target: str, *operands: Tensor) -> Tensor:
        """A call of a unary or binary ATen operator whose result has the type of its first operand."""
        references = [graph.OperandRefAttr(i) for i in range(len(operands))]
        return self.emit(
            graph.CallAtenOp(target, [v.value for v in operands], references, {}, [operands[0].value.type])
        )

    def returns(self, *results: Tensor) -> ModuleOp:
        """Ends the function and gives the module."""
        values = [each.value for each in results]
        self.block.add_op(ReturnOp(*values))
        types = ([each.type for each in self.block.args], [each.type for each in values])
        function = FuncOp("main", types, Region(self.block))
        if any(each.data for each in self.attributes):
            function.properties["arg_attrs"] = ArrayAttr(self.attributes)
        return ModuleOp([function])


def _common_dims(lhs: Sequence[Dim], rhs: Sequence[Dim]) -> tuple[Dim, ...]:
    rank = max(len(lhs), len(rhs))
    left = (1,) * (rank - len(lhs)) + tuple(lhs)
    right = (1,) * (rank - len(rhs)) + tuple(rhs)
    return tuple(b if a == 1 else a for a, b in zip(left, right, strict=True))


UNARY: dict[str, type[graph.UnaryOp]] = {
    op.name.removeprefix("graph."): op
    for op in graph.Graph.operations
    if isinstance(op, type) and issubclass(op, graph.UnaryOp)
}
BINARY: dict[str, type[graph.BinaryOp]] = {
    op.name.removeprefix("graph."): op
    for op in graph.Graph.operations
    if isinstance(op, type) and issubclass(op, graph.BinaryOp)
}


def exp(x: Tensor) -> Tensor:
    return x.unary("exp")


def sigmoid(x: Tensor) -> Tensor:
    return x.unary("sigmoid")


def rsqrt(x: Tensor) -> Tensor:
    return x.unary("rsqrt")


def softmax(x: Tensor, dim: int) -> Tensor:
    e = exp(x - x.amax(dim, keep=True))
    return e / e.sum(dim, keep=True)


def layer_norm(x: Tensor, weight: Tensor | None, bias: Tensor | None, *dims: int) -> Tensor:
    """Normalisation over `dims` in f32, as PyTorch's layer_norm with eps 1e-5."""
    centered = x - x.mean(*dims, keep=True)
    variance = (centered * centered).mean(*dims, keep=True)
    result = centered * rsqrt(variance + 1e-5)
    if weight is not None:
        result = result * weight
    if bias is not None:
        result = result + bias
    return result
