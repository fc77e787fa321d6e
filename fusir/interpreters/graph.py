"""Interpreter of the graph level on torch CPU tensors: the definition of what a graph means.

Every op is computed on its own with the dtype of its result; an op on f16 or bf16 is computed in f32 and rounded. It
shares no code with the compiler, so that it can be the oracle for every pass and every lower level.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias, cast

import torch
from xdsl.dialects import func
from xdsl.dialects.builtin import ArrayAttr, FloatAttr, IndexType, IntegerAttr, ModuleOp, StringAttr
from xdsl.ir import Attribute, Block, Operation, SSAValue

from fusir.dialects import graph
from fusir.interpreters.float8 import narrowed
from fusir.interpreters.graph_pointwise import BINARY, COMPARE, UNARY
from fusir.interpreters.philox import philox_uniform

Value: TypeAlias = torch.Tensor | int

DTYPES: Mapping[str, torch.dtype] = {
    "f16": torch.float16,
    "bf16": torch.bfloat16,
    "f32": torch.float32,
    "f64": torch.float64,
    "i1": torch.bool,
    "i8": torch.int8,
    "i16": torch.int16,
    "i32": torch.int32,
    "i64": torch.int64,
    "ui8": torch.uint8,
    "ui16": torch.uint16,
    "ui32": torch.uint32,
    "ui64": torch.uint64,
    "complex<f16>": torch.complex32,
    "complex<f32>": torch.complex64,
    "complex<f64>": torch.complex128,
    "f8E4M3FN": torch.float8_e4m3fn,
    "f8E5M2": torch.float8_e5m2,
    "f8E4M3FNUZ": torch.float8_e4m3fnuz,
    "f8E5M2FNUZ": torch.float8_e5m2fnuz,
}
"""The torch dtype of each element type, by its text."""

_HALVES = (torch.float16, torch.bfloat16)
_NATIVE_FLOATS = (*_HALVES, torch.float32, torch.float64)


class InterpreterError(Exception):
    """The inputs do not fit the module, or the module holds an op that the graph level does not have."""


def interpret(
    module: ModuleOp,
    inputs: Sequence[Value],
    *,
    float64: bool = False,
    wide: torch.dtype | None = None,
    entry: str = "main",
) -> list[Value]:
    """Run the function `entry` on CPU tensors (an int for each index argument) and return its results.

    With `float64` every value of type f16, bf16 or f32 is held and computed as float64 without rounding: a reference
    for the error of other results. Inputs and results then have dtype float64. `wide` is another dtype than float64 to
    do so with.
    """
    for op in module.body.block.ops:
        if isinstance(op, func.FuncOp) and op.sym_name.data == entry:
            return _Run(torch.float64 if float64 else wide).function(op, inputs)
    raise InterpreterError(f"the module has no function @{entry}")


def torch_dtype(element_type: Attribute) -> torch.dtype:
    """The torch dtype of an element type."""
    dtype = DTYPES.get(str(element_type))
    if dtype is None:
        raise InterpreterError(f"element type {element_type} has no torch dtype")
    return dtype


class _Run:
    """One run: the values so far, and the values of the symbols."""

    def __init__(self, wide: torch.dtype | None) -> None:
        self.wide = wide
        self.values: dict[SSAValue, Value] = {}
        self.symbols: dict[int, int] = {}
        self.dtypes: dict[Attribute, torch.dtype] = {}

    # Types

    def dtype(self, type_: SSAValue | Attribute) -> torch.dtype:
        """The dtype in which values of a tensor type are held."""
        element = graph.element_type_of(type_)
        dtype = self.dtypes.get(element)
        if dtype is None:
            dtype = torch_dtype(element)
            if self.wide is not None and dtype in _NATIVE_FLOATS:
                dtype = self.wide
            self.dtypes[element] = dtype
        return dtype

    def dim(self, dim: graph.Dim) -> int:
        """The value of a dim."""
        if isinstance(dim, int):
            return dim
        for position in graph.symbols_of((dim,)):
            if position not in self.symbols:
                raise InterpreterError(f"symbol s{position} has no value: no argument declares it")
        return dim.eval((), [self.symbols.get(i, 0) for i in range(max(self.symbols, default=-1) + 1)])

    def dims(self, dims: Sequence[graph.Dim]) -> list[int]:
        return [self.dim(d) for d in dims]

    def shape(self, value: SSAValue) -> list[int]:
        return self.dims(graph.dims_of(value))

    # Functions and blocks

    def function(self, op: func.FuncOp, inputs: Sequence[Value]) -> list[Value]:
        block = op.body.block
        if len(inputs) != len(block.args):
            raise InterpreterError(f"@{op.sym_name.data} takes {len(block.args)} inputs, got {len(inputs)}")
        attributes = op.arg_attrs.data if op.arg_attrs is not None else ()
        for position, (argument, value) in enumerate(zip(block.args, inputs, strict=True)):
            if not isinstance(argument.type, IndexType):
                continue
            if not isinstance(value, int):
                raise InterpreterError(f"input {position} must be an int")
            self.values[argument] = value
            symbol = attributes[position].data.get("graph.symbol") if attributes else None
            if isinstance(symbol, graph.SymbolAttr):
                _check_symbol(symbol, value)
                self.symbols[symbol.position] = value
        for position, (argument, value) in enumerate(zip(block.args, inputs, strict=True)):
            if not isinstance(argument.type, IndexType):
                self.values[argument] = self.input(position, argument, value)
        return self.block(block)

    def input(self, position: int, argument: SSAValue, value: Value) -> torch.Tensor:
        """The tensor of an input, after checking its dtype and shape."""
        if not isinstance(value, torch.Tensor):
            raise InterpreterError(f"input {position} must be a tensor")
        expected = torch_dtype(graph.element_type_of(argument))
        if value.dtype != expected and value.dtype != self.wide:
            raise InterpreterError(f"input {position} must have dtype {expected}, got {value.dtype}")
        if list(value.shape) != self.shape(argument):
            raise InterpreterError(f"input {position} must have shape {self.shape(argument)}, got {list(value.shape)}")
        return value.to(self.dtype(argument))

    def block(self, block: Block) -> list[Value]:
        """Run the ops of a block and return the operands of its terminator."""
        for op in block.ops:
            if isinstance(op, (func.ReturnOp, graph.YieldOp)):
                return [self.values[v] for v in op.operands]
            results = self.run(op)
            for result, value in zip(op.results, results, strict=True):
                self.check(op, result, value)
                self.values[result] = value
        raise InterpreterError("a block without func.return or graph.yield")

    def check(self, op: Operation, result: SSAValue, value: Value) -> None:
        """Each result must have the dtype and shape of its type."""
        if isinstance(value, torch.Tensor) and (
            value.dtype != self.dtype(result) or list(value.shape) != self.shape(result)
        ):
            raise InterpreterError(f"{op.name} of type {result.type} gave {value.dtype} {list(value.shape)}")

    def tensor(self, value: SSAValue) -> torch.Tensor:
        return cast(torch.Tensor, self.values[value])

    # Ops

    def run(self, op: Operation) -> Sequence[Value]:
        """The results of one op."""
        if isinstance(op, graph.UnaryOp):
            return (self.compute(UNARY[type(op)], op.operand),)
        if isinstance(op, graph.BinaryOp):
            return (self.compute(BINARY[type(op)], op.lhs, op.rhs),)
        handler = _HANDLERS.get(type(op))
        if handler is None:
            raise InterpreterError(f"{op.name} is not an op of the graph level")
        results = handler(self, op)
        return (results,) if isinstance(results, torch.Tensor) else results

    def compute(self, function: Callable[..., torch.Tensor], *operands: SSAValue) -> torch.Tensor:
        """Apply a function of tensors of one dtype; halves are computed in f32 and rounded once."""
        tensors = [self.tensor(v) for v in operands]
        dtype = tensors[0].dtype
        if dtype in _HALVES:
            return function(*(t.float() for t in tensors)).to(dtype)
        return function(*tensors)

    def full_tensor(self, scalar: graph.Scalar, result: SSAValue, shape: Sequence[int]) -> torch.Tensor:
        return torch.full(list(shape), scalar, dtype=self.dtype(result))


def _check_symbol(symbol: graph.SymbolAttr, value: int) -> None:
    maximum = symbol.maximum
    if value < symbol.minimum or (maximum is not None and value > maximum) or value % symbol.divisor != 0:
        raise InterpreterError(f"symbol s{symbol.position} = {value} is not allowed by {symbol}")


# Pointwise ops that are not of the plain unary or binary kind


def _compare(run: _Run, op: graph.CompareOp) -> torch.Tensor:
    return COMPARE[op.predicate](run.tensor(op.lhs), run.tensor(op.rhs))


def _isnan(run: _Run, op: graph.IsNanOp) -> torch.Tensor:
    return torch.isnan(run.tensor(op.operand))


def _isinf(run: _Run, op: graph.IsInfOp) -> torch.Tensor:
    return torch.isinf(run.tensor(op.operand))


def _select(run: _Run, op: graph.SelectOp) -> torch.Tensor:
    return torch.where(run.tensor(op.condition), run.tensor(op.on_true), run.tensor(op.on_false))


def _convert(run: _Run, op: graph.ConvertOp) -> torch.Tensor:
    return narrowed(run.tensor(op.operand), run.dtype(op.result))


def _bitcast(run: _Run, op: graph.BitcastOp) -> torch.Tensor:
    source, target = graph.element_type_of(op.operand), graph.element_type_of(op.result)
    bits = run.tensor(op.operand).to(torch_dtype(source)).contiguous().view(torch_dtype(target))
    return bits.to(run.dtype(op.result))


# Creation


def _full(run: _Run, op: graph.FullOp) -> torch.Tensor:
    return run.full_tensor(op.scalar, op.result, run.shape(op.result))


def _constant(run: _Run, op: graph.ConstantOp) -> torch.Tensor:
    data = torch.tensor(list(op.value.get_values()), dtype=torch.float64 if _holds_floats(op) else torch.int64)
    shape = run.shape(op.result)
    flat = data.expand(cast(int, graph.numel(shape))) if data.numel() == 1 else data
    return flat.to(run.dtype(op.result)).reshape(shape)


def _holds_floats(op: graph.ConstantOp) -> bool:
    return graph.is_float(graph.element_type_of(op.result))


def _iota(run: _Run, op: graph.IotaOp) -> torch.Tensor:
    shape = run.shape(op.result)
    index = torch.arange(shape[op.dim], dtype=torch.int64).to(run.dtype(op.result))
    return index.reshape([-1 if i == op.dim else 1 for i in range(len(shape))]).expand(shape).clone()


def _random(run: _Run, op: graph.RandomOp) -> torch.Tensor:
    shape = run.shape(op.result)
    index = torch.arange(cast(int, graph.numel(shape)), dtype=torch.int64).reshape(shape)
    return philox_uniform(int(run.tensor(op.seed).item()), op.offset, index).to(run.dtype(op.result))


# Shape


def _reshape(run: _Run, op: graph.ReshapeOp) -> torch.Tensor:
    return run.tensor(op.operand).reshape(run.shape(op.result))


def _permute(run: _Run, op: graph.PermuteOp) -> torch.Tensor:
    return run.tensor(op.operand).permute(op.permutation)


def _broadcast(run: _Run, op: graph.BroadcastOp) -> torch.Tensor:
    operand, shape = run.tensor(op.operand), run.shape(op.result)
    aligned = [1] * len(shape)
    for extent, dim in zip(operand.shape, op.dims, strict=True):
        aligned[dim] = extent
    return operand.reshape(aligned).expand(shape)


def _slice(run: _Run, op: graph.SliceOp) -> torch.Tensor:
    shape, starts = run.shape(op.result), run.dims(op.starts)
    result = run.tensor(op.operand)
    for dim, (size, start, step) in enumerate(zip(shape, starts, op.steps, strict=True)):
        index = torch.arange(size) * step + start
        if size and not (start >= 0 and start + (size - 1) * step < result.shape[dim]):
            raise InterpreterError(f"graph.slice reads dim {dim} of extent {result.shape[dim]} out of range")
        result = result.index_select(dim, index)
    return result


def _reverse(run: _Run, op: graph.ReverseOp) -> torch.Tensor:
    return run.tensor(op.operand).flip(op.dims)


def _pad(run: _Run, op: graph.PadOp) -> torch.Tensor:
    operand, low, high = run.tensor(op.operand), run.dims(op.low), run.dims(op.high)
    if any(amount < 0 for amount in (*low, *high)):
        raise InterpreterError(f"graph.pad with negative amounts {low}, {high}")
    shape = [lo + extent + hi for lo, extent, hi in zip(low, operand.shape, high, strict=True)]
    result = run.full_tensor(op.scalar, op.result, shape)
    result[tuple(slice(lo, lo + extent) for lo, extent in zip(low, operand.shape, strict=True))] = operand
    return result


def _concat(run: _Run, op: graph.ConcatOp) -> torch.Tensor:
    return torch.cat([run.tensor(v) for v in op.inputs], op.dim)


# Indexing, reductions, contractions


def _gather(run: _Run, op: graph.GatherOp) -> torch.Tensor:
    operand, dims = run.tensor(op.operand), op.dims
    rest = [d for d in range(operand.ndim) if d not in dims]
    indices = [run.tensor(i).to(torch.int64) for i in op.indices]
    in_range = torch.ones_like(indices[0], dtype=torch.bool)
    for dim, index in zip(dims, indices, strict=True):
        in_range &= (index >= 0) & (index < operand.shape[dim])
    if any(operand.shape[d] == 0 for d in dims):
        return torch.zeros(run.shape(op.result), dtype=operand.dtype)
    safe = tuple(torch.where(in_range, index, 0) for index in indices)
    gathered = operand.permute([*dims, *rest])[safe]
    mask = in_range.reshape([*in_range.shape, *([1] * len(rest))])
    return torch.where(mask, gathered, torch.zeros((), dtype=operand.dtype))


def _reduce(run: _Run, op: graph.ReduceOp) -> torch.Tensor:
    operand, dims = run.tensor(op.operand), op.dims
    kept = [d for d in range(operand.ndim) if d not in dims]
    shape = [operand.shape[d] for d in kept]
    count = cast(int, graph.numel([operand.shape[d] for d in dims]))
    # One axis, row-major over the reduced dims in order.
    flat = operand.permute([*kept, *sorted(dims)]).reshape([*shape, count])
    if count == 0 and op.kind in (graph.ReduceKind.MAX, graph.ReduceKind.MIN):
        raise InterpreterError(f"graph.reduce {op.kind} over an empty range")
    dtype = operand.dtype
    wide = flat.float() if dtype in _HALVES else flat
    match op.kind:
        case graph.ReduceKind.SUM:
            return torch.sum(wide, -1, dtype=wide.dtype).to(dtype)
        case graph.ReduceKind.PROD:
            return torch.prod(wide, -1, dtype=wide.dtype).to(dtype)
        case graph.ReduceKind.MAX:
            return torch.amax(flat, -1)
        case graph.ReduceKind.MIN:
            return torch.amin(flat, -1)
        case graph.ReduceKind.ANY:
            return torch.any(flat, -1)
        case graph.ReduceKind.ALL:
            return torch.all(flat, -1)
        case graph.ReduceKind.ARGMAX | graph.ReduceKind.ARGMIN:
            return _first_extremal(flat, op.kind is graph.ReduceKind.ARGMAX)
        case graph.ReduceKind.LOGSUMEXP:
            return torch.logsumexp(wide, -1).to(dtype)


def _first_extremal(flat: torch.Tensor, largest: bool) -> torch.Tensor:
    """Position along the last axis of the first element that is NaN, else of the first extremal element."""
    extremum = (torch.amax if largest else torch.amin)(flat, -1, keepdim=True)
    hit = flat == extremum
    if flat.is_floating_point():
        hit |= torch.isnan(flat)
    position = torch.arange(flat.shape[-1])
    return torch.where(hit, position, flat.shape[-1]).amin(-1)


def _scan(run: _Run, op: graph.ScanOp) -> torch.Tensor:
    operand, dim = run.tensor(op.operand), op.dim
    dtype = operand.dtype
    wide = operand.float() if dtype in _HALVES else operand
    if op.reverse:
        wide = wide.flip(dim)
    match op.kind:
        case graph.ReduceKind.SUM:
            result = torch.cumsum(wide, dim, dtype=wide.dtype)
        case graph.ReduceKind.PROD:
            result = torch.cumprod(wide, dim, dtype=wide.dtype)
        case graph.ReduceKind.MAX:
            result = torch.cummax(wide, dim).values
        case graph.ReduceKind.LOGSUMEXP:
            result = torch.logcumsumexp(wide, dim)
        case graph.ReduceKind.ARGMAX | graph.ReduceKind.ARGMIN:
            return _last_extremal(operand, dim, op.kind is graph.ReduceKind.ARGMAX, op.reverse)
        case _:
            result = torch.cummin(wide, dim).values
    return (result.flip(dim) if op.reverse else result).to(dtype)


def _last_extremal(operand: torch.Tensor, dim: int, largest: bool, reverse: bool) -> torch.Tensor:
    """For each prefix, or suffix, the largest index of an element that is NaN, else of an extremal one."""
    if not reverse:
        return (torch.cummax if largest else torch.cummin)(operand, dim).indices
    result = torch.empty(operand.shape, dtype=torch.int64)
    best, place = operand.select(dim, -1) if operand.shape[dim] else operand, torch.tensor(operand.shape[dim] - 1)
    for k in reversed(range(operand.shape[dim])):
        candidate = operand.select(dim, k)
        better = candidate > best if largest else candidate < best
        if operand.is_floating_point():
            better |= torch.isnan(candidate) & ~torch.isnan(best)
        best, place = torch.where(better, candidate, best), torch.where(better, k, place)
        result.select(dim, k).copy_(place)
    return result


def _contract(run: _Run, op: graph.ContractOp) -> torch.Tensor:
    lhs, rhs = run.tensor(op.lhs), run.tensor(op.rhs)
    dtype = lhs.dtype
    # f32 at least; integers in 64 bits, which is exact modulo the width of the result.
    wide = torch.float64 if dtype == torch.float64 else torch.float32 if dtype.is_floating_point else torch.int64
    lhs_free = [d for d in range(lhs.ndim) if d not in op.lhs_batch + op.lhs_contract]
    rhs_free = [d for d in range(rhs.ndim) if d not in op.rhs_batch + op.rhs_contract]
    batch = cast(int, graph.numel([lhs.shape[d] for d in op.lhs_batch]))
    inner = cast(int, graph.numel([lhs.shape[d] for d in op.lhs_contract]))
    rows = cast(int, graph.numel([lhs.shape[d] for d in lhs_free]))
    columns = cast(int, graph.numel([rhs.shape[d] for d in rhs_free]))
    a = lhs.to(wide).permute([*op.lhs_batch, *lhs_free, *op.lhs_contract]).reshape(batch, rows, inner)
    b = rhs.to(wide).permute([*op.rhs_batch, *op.rhs_contract, *rhs_free]).reshape(batch, inner, columns)
    return torch.bmm(a, b).reshape(run.shape(op.result)).to(run.dtype(op.result))


# Structure


def _fusion(run: _Run, op: graph.FusionOp) -> Sequence[Value]:
    block = op.body.block
    for argument, value in zip(block.args, op.inputs, strict=True):
        run.values[argument] = run.values[value]
    return run.block(block)


def _call_aten(run: _Run, op: graph.CallAtenOp) -> Sequence[Value]:
    namespace, name, overload = op.target.split(".")
    target = getattr(getattr(getattr(torch.ops, namespace), name), overload)
    operands = [run.tensor(v) for v in op.arguments]
    if op.operand_strides is not None:
        operands = [
            _with_strides(t, run.dims(strides.data)) for t, strides in zip(operands, op.operand_strides, strict=True)
        ]
    args = [_argument(run, a, operands) for a in op.args]
    kwargs = {name: _argument(run, a, operands) for name, a in op.kwargs.items()}
    results: Any = target(*args, **kwargs)
    flat: Sequence[object] = [results] if isinstance(results, torch.Tensor) else list(results or ())
    tensors = [t for t in flat if isinstance(t, torch.Tensor)]
    return [t.to(run.dtype(r)) for t, r in zip(tensors, op.outputs, strict=True)]


def _with_strides(tensor: torch.Tensor, strides: list[int]) -> torch.Tensor:
    if list(tensor.stride()) == strides:
        return tensor
    return torch.empty_strided(tensor.shape, strides, dtype=tensor.dtype).copy_(tensor)


def _argument(run: _Run, attribute: Attribute, operands: Sequence[torch.Tensor]) -> Any:
    """The Python value of an argument of a call."""
    match attribute:
        case graph.OperandRefAttr():
            return operands[attribute.data]
        case graph.NoneArgAttr():
            return None
        case graph.SymIntAttr():
            return run.dim(attribute.data)
        case graph.TorchAttr():
            return _torch_object(run, attribute.data)
        case StringAttr():
            return attribute.data
        case FloatAttr() | IntegerAttr():
            return graph.scalar_of(attribute)
        case ArrayAttr():
            return [_argument(run, a, operands) for a in attribute.data]
        case _:
            raise InterpreterError(f"{attribute} is not an argument of an ATen call")


def _torch_object(run: _Run, name: str) -> Any:
    """A dtype, layout or memory format by name; any device is the CPU."""
    found = getattr(torch, name, None)
    if isinstance(found, torch.dtype):
        return run.wide if run.wide is not None and found in _NATIVE_FLOATS else found
    return found if isinstance(found, (torch.layout, torch.memory_format)) else torch.device("cpu")


_HANDLERS: Mapping[type[Operation], Callable[[_Run, Any], torch.Tensor | Sequence[Value]]] = {
    graph.CompareOp: _compare,
    graph.IsNanOp: _isnan,
    graph.IsInfOp: _isinf,
    graph.SelectOp: _select,
    graph.ConvertOp: _convert,
    graph.BitcastOp: _bitcast,
    graph.FullOp: _full,
    graph.ConstantOp: _constant,
    graph.IotaOp: _iota,
    graph.RandomOp: _random,
    graph.ReshapeOp: _reshape,
    graph.PermuteOp: _permute,
    graph.BroadcastOp: _broadcast,
    graph.SliceOp: _slice,
    graph.ReverseOp: _reverse,
    graph.PadOp: _pad,
    graph.ConcatOp: _concat,
    graph.GatherOp: _gather,
    graph.ReduceOp: _reduce,
    graph.ScanOp: _scan,
    graph.ContractOp: _contract,
    graph.FusionOp: _fusion,
    graph.CallAtenOp: _call_aten,
}
