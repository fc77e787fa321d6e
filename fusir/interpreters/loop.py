"""Execution of `loop` kernels on the CPU, vectorised over the loops.

Each loop dim that encloses an operation is an axis of the values in it; a value has an extent only on the axes that
it depends on (its support), so nothing is computed twice. Axis 0 is a dim of the outermost `loop.parallel`, taken in
chunks that bound the memory. The schedule is ignored. Reductions fold in the dtype of the element.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from itertools import product
from math import prod

import torch
from torch import Tensor
from xdsl.dialects import affine, arith
from xdsl.dialects.builtin import IndexType, MemRefType
from xdsl.ir import Attribute, Block, BlockArgument, Operation, SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
    AffineSymExpr,
)

from fusir.analysis.support import supports
from fusir.dialects import loop
from fusir.interpreters.chunks import consecutive
from fusir.interpreters.index import Affine, Mask, axis_position
from fusir.interpreters.integers import integer_bits, wrap
from fusir.interpreters.loop_reduce import fold, identity, prefixes
from fusir.interpreters.memory import Buffer, Displaced, MemoryAccessError, poison, reinterpret
from fusir.interpreters.philox import philox_uniform
from fusir.interpreters.scalars import elementwise, predicate_of, splat_value, torch_dtype
from fusir.interpreters.tile_integers import CONVERSION_METHODS, INTEGER_METHODS
from fusir.interpreters.tile_values import Pointer, TileType, Value, scalar_type
from fusir.interpreters.tiles import Programs

CHUNK_ELEMENTS = 1 << 22
"""Iterations of a whole nest that are run side by side."""

_INDEX = scalar_type(IndexType())


def interpret_kernel(kernel: loop.KernelOp, args: Sequence[Tensor | int]) -> None:
    """Run a kernel: a tensor for each buffer, whose first element is that of the memref, then an int for each symbol.

    The tensors of the buffers that the kernel stores to are written in place.
    Raises ValueError for wrong arguments, MemoryAccessError for an index outside of a buffer.
    """
    parameters = kernel.body.block.args
    if len(args) != len(parameters):
        raise ValueError(f"kernel '{kernel.sym_name.data}' takes {len(parameters)} arguments, got {len(args)}")
    _Kernel(kernel, args).run()


class _Memory:
    """A buffer with its extents and strides in elements."""

    def __init__(self, buffer: Buffer, extents: Sequence[int], strides: Sequence[int]):
        self.buffer = buffer
        self.extents = tuple(extents)
        self.strides = tuple(strides)


class _Kernel:
    """One execution of a kernel. `self.axes` are the extents of the axes in scope after axis 0."""

    def __init__(self, kernel: loop.KernelOp, args: Sequence[Tensor | int]):
        self.kernel = kernel
        self.name = kernel.sym_name.data
        self.values: dict[SSAValue, Value] = {}
        self.memory: dict[SSAValue, _Memory] = {}
        self.axes: list[int] = []
        self.programs = Programs(self.name, consecutive(0, (1,)), 1)
        self.symbols: list[int] = []
        self._bind(args)

    def _bind(self, args: Sequence[Tensor | int]) -> None:
        parameters = self.kernel.body.block.args
        for parameter, arg in zip(parameters, args, strict=True):
            if isinstance(parameter.type, IndexType):
                if isinstance(arg, Tensor):
                    raise ValueError(f"symbol '{parameter.name_hint}' of kernel '{self.name}' got a tensor")
                self.symbols.append(int(arg))
                self.values[parameter] = Affine(int(arg))
        for position, (parameter, arg) in enumerate(zip(parameters, args, strict=True)):
            if not isinstance(parameter.type, MemRefType):
                continue
            if not isinstance(arg, Tensor):
                raise ValueError(f"argument {position} of kernel '{self.name}' is a buffer, got {arg!r}")
            tensor = reinterpret(arg.detach(), torch_dtype(parameter.type.element_type))
            buffer = Buffer(parameter.name_hint or str(position), tensor)
            self.memory[parameter] = self._described(buffer, parameter.type)
        stored = {op.memref for op in self.kernel.walk() if isinstance(op, loop.StoreOp)}
        written = [self.memory[buffer].buffer for buffer in self.kernel.buffers if buffer in stored]
        for memory in self.memory.values():
            memory.buffer.copies_loads = any(memory.buffer.overlaps(buffer) for buffer in written)

    def _described(self, buffer: Buffer, type_: MemRefType) -> _Memory:
        strides = [self._dim(stride) for stride in loop.strides_of(type_)]
        extents = list(type_.get_shape())
        if len(extents) == buffer.tensor.dim():
            for position, extent in enumerate(buffer.tensor.shape):
                if extents[position] >= 0 and extents[position] != extent:
                    shape = tuple(buffer.tensor.shape)
                    raise ValueError(f"buffer '{buffer.name}' of kernel '{self.name}' is {type_}, got shape {shape}")
                extents[position] = extent
        elif sum(extent < 0 for extent in extents) == 1:
            # A view with another rank: its only unknown extent follows from the number of elements.
            known = math.prod(extent for extent in extents if extent >= 0)
            extents = [extent if extent >= 0 else buffer.tensor.numel() // max(1, known) for extent in extents]
        return _Memory(buffer, extents, strides)

    def _dim(self, dim: loop.Dim) -> int:
        return dim if isinstance(dim, int) else dim.eval([], self.symbols)

    def run(self) -> None:
        """Execute the body."""
        for op in self.kernel.body.block.ops:
            if isinstance(op, loop.ParallelOp):
                self._outermost(op)
            else:
                self._operation(op)

    # --- loops ----------

    def _extents(self, op: loop.LoopOp) -> list[int]:
        symbols = [value.constant for value in map(self.values.__getitem__, op.symbols) if isinstance(value, Affine)]
        return [expr.eval([], symbols) for expr in op.bounds.data.results]

    def _outermost(self, op: loop.ParallelOp) -> None:
        """The leading dims one iteration at a time, the next one in chunks, the rest whole."""
        extents = self._extents(op)
        if 0 in extents:
            return
        shapes = self._shapes(op)
        position = 0
        while position + 1 < len(extents) and _largest(shapes, op.indices[: position + 1]) > CHUNK_ELEMENTS:
            position += 1
        extent = extents[position]
        count = max(1, min(extent, CHUNK_ELEMENTS // _largest(shapes, op.indices[: position + 1])))
        outer_values = dict(self.values)
        for leading in product(*map(range, extents[:position])):
            for start in range(0, extent, count):
                self.programs = Programs(self.name, consecutive(start, (min(count, extent - start),)), extent)
                self.values = dict(outer_values)
                for index, value in zip(op.indices, leading, strict=False):
                    self.values[index] = Affine(value)
                self.values[op.indices[position]] = self.programs.program_id
                with self._pushed(op.indices[position + 1 :], extents[position + 1 :]):
                    self._block(op.body.block)
        self.values = outer_values
        self.programs = Programs(self.name, consecutive(0, (1,)), 1)

    def _shapes(self, nest: loop.ParallelOp) -> list[dict[SSAValue, int]]:
        """The loop indices that values of a nest depend on with their extents: each combination once."""
        extents: dict[SSAValue, int] = {
            index: extent
            for op in nest.walk()
            if isinstance(op, loop.LoopOp)
            for index, extent in zip(op.indices, self._extents(op), strict=True)
        }
        of_values = supports(self.kernel)
        found = {of_values[result] for op in nest.walk() for result in op.results}
        found |= {frozenset(op.indices) for op in nest.walk() if isinstance(op, loop.LoopOp)}
        return [{index: extents[index] for index in support} for support in found]

    @contextmanager
    def _pushed(self, indices: Sequence[SSAValue], extents: Sequence[int]) -> Generator[None]:
        """Axes for the dims of a loop."""
        for index, extent in zip(indices, extents, strict=True):
            self.axes.append(extent)
            self.values[index] = axis_position(len(self.axes), extent)
        yield
        del self.axes[len(self.axes) - len(extents) :]

    def parallel(self, op: Operation) -> None:
        """The iterations of a parallel loop, or of a scan, side by side."""
        assert isinstance(op, loop.ParallelOp | loop.ScanOp)
        extents = self._extents(op)
        if 0 not in extents:
            with self._pushed(op.indices, extents):
                self._block(op.body.block)

    def reduce(self, op: Operation) -> None:
        assert isinstance(op, loop.ReduceOp)
        extents = self._extents(op)
        depth = len(self.axes)
        types = [torch_dtype(result.type) for result in op.results]
        if 0 in extents:
            results = [number for combiner in op.combiners for number in identity(combiner.data, types)]
            for result, number, dtype in zip(op.results, results, types, strict=True):
                self.values[result] = torch.full((1,) * (depth + 1), number, dtype=dtype)
            return
        with self._pushed(op.indices, extents):
            self._block(op.body.block)
            yielded = [self._tensor(value) for value in op.yield_op.values]
        position = 0
        for attr in op.combiners:
            combiner = attr.data
            group = yielded[position : position + combiner.arity]
            group = [value.expand(*value.shape[: depth + 1], *extents) for value in group]
            folded = fold(combiner, group, depth + 1)
            for result, value in zip(op.results[position:], folded, strict=False):
                self.values[result] = value
            position += combiner.arity

    def prefix(self, op: Operation) -> None:
        assert isinstance(op, loop.PrefixOp)
        scan = op.parent_op()
        assert isinstance(scan, loop.ScanOp)
        depth = len(self.axes) - len(scan.indices) + 1
        value = self._tensor(op.value)
        value = value.expand(*value.shape[:depth], *self.axes[depth - 1 :])
        self.values[op.result] = prefixes(op.combiner, value, depth, scan.reverse)

    def _block(self, block: Block) -> None:
        for op in block.ops:
            self._operation(op)

    # --- values ----------

    def _type(self, type_: Attribute) -> TileType:
        return scalar_type(type_)._replace(shape=tuple(self.axes))

    def _value(self, value: SSAValue) -> Value:
        """The value with an axis for every loop in scope."""
        result = self.values[value]
        if isinstance(result, Tensor):
            return self._widened(result)
        return Displaced(self._widened(result.base), result.offset) if isinstance(result, Displaced) else result

    def _widened(self, tensor: Tensor) -> Tensor:
        missing = len(self.axes) + 1 - tensor.dim()
        return tensor.view(*tensor.shape, *(1,) * missing) if missing else tensor

    def _tensor(self, value: SSAValue) -> Tensor:
        return self.programs.tensor(self._value(value), self._type(value.type))

    def _evaluate(self, expr: AffineExpr, dims: Sequence[Value], symbols: Sequence[Value]) -> Value:
        match expr:
            case AffineConstantExpr():
                return Affine(expr.value)
            case AffineDimExpr():
                return dims[expr.position]
            case AffineSymExpr():
                return symbols[expr.position]
            case AffineBinaryOpExpr():
                lhs = self._evaluate(expr.lhs, dims, symbols)
                rhs = self._evaluate(expr.rhs, dims, symbols)
                return self._binary(expr.kind, lhs, rhs)
            case _:
                raise NotImplementedError(f"the loop interpreter does not know the index expression {expr}")

    def _binary(self, kind: AffineBinaryOpKind, a: Value, b: Value) -> Value:
        type_ = _INDEX._replace(shape=tuple(self.axes))
        if kind is AffineBinaryOpKind.Add:
            return self.programs.addi("arith.addi", a, b, type_)
        if kind is AffineBinaryOpKind.Mul:
            return self.programs.muli("arith.muli", a, b, type_)
        if kind is AffineBinaryOpKind.CeilDiv:
            negated = self.programs.subi("arith.subi", Affine(0), a, type_)
            quotient = self._binary(AffineBinaryOpKind.FloorDiv, negated, b)
            return self.programs.subi("arith.subi", Affine(0), quotient, type_)
        floor = kind is AffineBinaryOpKind.FloorDiv
        if isinstance(b, Affine) and not b.terms:
            split = self.programs.divide(a, b.constant)
            if split is not None:
                return split[0] if floor else split[1]
        operands = self.programs.tensor(a, type_), self.programs.tensor(b, type_)
        return torch.floor_divide(*operands) if floor else torch.remainder(*operands)

    def _results(self, map_: AffineMap, operands: Sequence[SSAValue]) -> list[Value]:
        values = [self._value(operand) for operand in operands]
        dims, symbols = values[: map_.num_dims], values[map_.num_dims :]
        return [self._evaluate(expr, dims, symbols) for expr in map_.results]

    # --- operations ----------

    def _operation(self, op: Operation) -> None:
        handler = _HANDLERS.get(op.name)
        if handler is not None:
            handler(self, op)
            return
        function = elementwise(op)
        if function is None:
            raise NotImplementedError(f"the loop interpreter does not know '{op.name}'")
        operands = [self._value(operand) for operand in op.operands]
        types = [self._type(operand.type) for operand in op.operands]
        if op.name in INTEGER_METHODS:
            method = getattr(self.programs, INTEGER_METHODS[op.name])
            value = method(op.name, *operands, types[0])
        elif op.name in CONVERSION_METHODS:
            method = getattr(self.programs, CONVERSION_METHODS[op.name])
            value = method(function, operands[0], types[0], self._type(op.results[0].type))
        else:
            value = self.programs.apply(function, types, *operands)
        self.values[op.results[0]] = value

    def nothing(self, op: Operation) -> None:
        """The end of a reduce body, which the reduce reads."""

    def constant(self, op: Operation) -> None:
        number = splat_value(op)
        assert number is not None
        dtype = torch_dtype(op.results[0].type)
        value: Value
        if dtype == torch.bool:
            value = bool(number)
        elif dtype.is_floating_point:
            value = torch.full((1,) * (len(self.axes) + 1), number, dtype=dtype)
        else:
            value = Affine(wrap(int(number), integer_bits(dtype)))
        self.values[op.results[0]] = value

    def compare(self, op: Operation) -> None:
        a, b = (self._value(operand) for operand in op.operands)
        self.values[op.results[0]] = self.programs.compare(predicate_of(op), a, b, self._type(op.operands[0].type))

    def select(self, op: Operation) -> None:
        condition, a, b = op.operands
        self.values[op.results[0]] = self.programs.select(
            self._value(condition), self._value(a), self._value(b), self._type(condition.type), self._type(a.type)
        )

    def apply(self, op: Operation) -> None:
        assert isinstance(op, affine.ApplyOp)
        (self.values[op.result],) = self._results(op.map.data, op.mapOperands)

    def local(self, op: Operation) -> None:
        assert isinstance(op, loop.LocalOp)
        type_ = op.buffer.type
        dtype = torch_dtype(type_.element_type)
        tensor = torch.full(self._local_extents(op), poison(dtype), dtype=dtype)
        self.memory[op.buffer] = self._described(Buffer("local", tensor, copies_loads=True), type_)

    def _local_extents(self, op: loop.LocalOp) -> list[int]:
        """The extents of a local buffer: what its type says, where that is dynamic what the stores reach."""
        extents = [max(extent, 0) for extent in op.buffer.type.get_shape()]
        if list(op.buffer.type.get_shape()) == extents:
            return extents
        for use in op.buffer.uses:
            if not isinstance(use.operation, loop.StoreOp):
                continue
            store = use.operation
            operands = [self._whole_range(position, value) for position, value in enumerate(store.indices)]
            dims, symbols = operands[: store.map.data.num_dims], operands[store.map.data.num_dims :]
            for dim, expr in enumerate(store.map.data.results):
                index = self._evaluate(expr, dims, symbols)
                assert isinstance(index, Affine)
                extents[dim] = max(extents[dim], index.maximum + 1)
        return extents

    def _whole_range(self, axis: int, value: SSAValue) -> Value:
        """A loop index on an axis of its own, any other value as it is."""
        if isinstance(value, BlockArgument) and isinstance(parent := value.owner.parent_op(), loop.LoopOp):
            return axis_position(axis, self._extents(parent)[value.index])
        return self.values[value]

    def random(self, op: Operation) -> None:
        assert isinstance(op, loop.RandomOp)
        seed, offset = self._tensor(op.seed), self._tensor(op.offset)
        self.values[op.result] = philox_uniform(int(seed), int(offset), self._tensor(op.index))

    # --- memory ----------

    def _address(self, op: loop.LoadOp | loop.StoreOp, mask: Value, verb: str) -> Pointer:
        memory = self.memory[op.memref]
        type_ = _INDEX._replace(shape=tuple(self.axes))
        address: Value = Affine(0)
        indices = self._results(op.map.data, op.indices)
        for dim, (index, extent, stride) in enumerate(zip(indices, memory.extents, memory.strides, strict=True)):
            self._check_index(op, index, extent, mask, f"{verb} '{memory.buffer.name}' in dim {dim}")
            scaled = self.programs.muli("arith.muli", index, Affine(stride), type_)
            address = self.programs.addi("arith.addi", address, scaled, type_)
        assert isinstance(address, (Tensor, Affine, Displaced))
        return Pointer(memory.buffer, address)

    def _check_index(self, op: loop.LoadOp | loop.StoreOp, index: Value, extent: int, mask: Value, access: str) -> None:
        """Raise MemoryAccessError if an index that the mask leaves is outside of `0 <= index < extent`."""
        if mask is False:
            return
        if isinstance(index, Affine) and index.minimum >= 0 and index.maximum < extent:
            return
        values = self.programs.tensor(index, _INDEX._replace(shape=tuple(self.axes)))
        outside = (values < 0) | (values >= extent)
        if mask is not True:
            assert isinstance(mask, (Mask, Tensor))
            outside = outside & self.programs.tensor(mask, TileType(tuple(self.axes), torch.bool))
        if bool(outside.any()):
            bad = int(values.expand(outside.shape)[outside][0])
            raise MemoryAccessError(f"kernel '{self.name}': {access} at index {bad} of {extent}")

    def _predicate(self, op: loop.LoadOp | loop.StoreOp) -> Value:
        return True if op.predicate is None else self._value(op.predicate)

    def load(self, op: Operation) -> None:
        assert isinstance(op, loop.LoadOp)
        mask = self._predicate(op)
        pointer = self._address(op, mask, "read")
        other: Value | float | None = None
        if op.other is not None:
            owner = op.other.owner
            other = splat_value(owner) if isinstance(owner, arith.ConstantOp) else self._value(op.other)
        self.values[op.result] = self.programs.load(pointer, mask, other, self._type(op.result.type))

    def store(self, op: Operation) -> None:
        assert isinstance(op, loop.StoreOp)
        mask = self._predicate(op)
        pointer = self._address(op, mask, "write")
        self.programs.store(pointer, self._value(op.value), mask, self._type(op.value.type))


def _largest(shapes: Sequence[dict[SSAValue, int]], without: Sequence[SSAValue]) -> int:
    """The elements of the largest value, at single iterations of the loops `without`."""
    return max(prod(extent for index, extent in shape.items() if index not in without) for shape in shapes)


_HANDLERS: dict[str, Callable[[_Kernel, Operation], None]] = {
    "arith.constant": _Kernel.constant,
    "arith.cmpi": _Kernel.compare,
    "arith.select": _Kernel.select,
    "affine.apply": _Kernel.apply,
    "loop.parallel": _Kernel.parallel,
    "loop.reduce": _Kernel.reduce,
    "loop.scan": _Kernel.parallel,
    "loop.prefix": _Kernel.prefix,
    "loop.yield": _Kernel.nothing,
    "loop.local": _Kernel.local,
    "loop.load": _Kernel.load,
    "loop.store": _Kernel.store,
    "loop.random": _Kernel.random,
}
