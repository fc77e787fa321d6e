"""Execution of a whole module, at whatever level its `@main` is."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import torch
from torch import Tensor
from xdsl.dialects import func
from xdsl.dialects.builtin import AffineMapAttr, IndexType, MemRefType, ModuleOp
from xdsl.ir import Operation, SSAValue

from fusir.dialects import graph, host, loop, tt
from fusir.interpreters import graph as graph_interpreter
from fusir.interpreters.aten import call_operator
from fusir.interpreters.loop import interpret_kernel
from fusir.interpreters.memory import poison
from fusir.interpreters.tt import CompiledFunction

Value: TypeAlias = Tensor | int


def interpret_module(module: ModuleOp, inputs: Sequence[Value], entry: str = "main") -> list[Value]:
    """Run the function `entry` on CPU tensors (an int for each index argument) and return its results.

    A function of `graph` ops runs through the graph interpreter; one of `host` ops launches the `loop.kernel` and
    `tt.func` symbols of the module through theirs.
    """
    main = host.symbols_of_module(module).get(entry)
    if not isinstance(main, func.FuncOp):
        raise ValueError(f"the module has no function @{entry}")
    if not any(isinstance(type_, MemRefType) for type_ in (*main.function_type.inputs, *main.function_type.outputs)):
        return graph_interpreter.interpret(module, inputs, entry=entry)
    return _Program(module, main).run(inputs)


class _Program:
    """One run of a launch program."""

    def __init__(self, module: ModuleOp, main: func.FuncOp):
        self.main = main
        self.kernels = host.symbols_of_module(module)
        self.values: dict[SSAValue, Value] = {}
        self.symbols: dict[int, int] = {}
        self.compiled: dict[Operation, CompiledFunction] = {}

    def run(self, inputs: Sequence[Value]) -> list[Value]:
        """The results for these inputs."""
        block = self.main.body.block
        if len(inputs) != len(block.args):
            raise ValueError(f"@{self.main.sym_name.data} takes {len(block.args)} inputs, got {len(inputs)}")
        attributes = self.main.arg_attrs.data if self.main.arg_attrs is not None else ()
        for position, (argument, value) in enumerate(zip(block.args, inputs, strict=True)):
            if isinstance(argument.type, IndexType) == isinstance(value, Tensor):
                raise ValueError(f"input {position} is {argument.type}, got {type(value).__name__}")
            self.values[argument] = value
            symbol = attributes[position].data.get("graph.symbol") if attributes else None
            if isinstance(symbol, graph.SymbolAttr):
                self.symbols[symbol.position] = int(value)
        for op in block.ops:
            if isinstance(op, func.ReturnOp):
                return [self.values[value] for value in op.arguments]
            handler = _HANDLERS.get(type(op))
            if handler is None:
                raise ValueError(f"'{op.name}' is not an op of a launch program")
            handler(self, op)
        raise ValueError(f"@{self.main.sym_name.data} has no func.return")

    def _dim(self, dim: graph.Dim) -> int:
        if isinstance(dim, int):
            return dim
        return dim.eval((), [self.symbols.get(i, 0) for i in range(max(self.symbols, default=-1) + 1)])

    def _dims(self, dims: Sequence[graph.Dim]) -> list[int]:
        return [self._dim(dim) for dim in dims]

    def _tensor(self, value: SSAValue) -> Tensor:
        tensor = self.values[value]
        assert isinstance(tensor, Tensor)
        return tensor

    def alloc(self, op: host.AllocOp) -> None:
        dtype = graph_interpreter.torch_dtype(op.result.type.element_type)
        result = torch.empty_strided(self._dims(op.dims.data), self._dims(op.strides.data), dtype=dtype)
        self.values[op.result] = result.fill_(0 if op.zero else poison(dtype))

    def free(self, op: host.FreeOp) -> None:
        del self.values[op.buffer]

    def view(self, op: host.ViewOp) -> None:
        source = self._tensor(op.source)
        offset = source.storage_offset() + self._dim(op.offset.data)
        self.values[op.result] = source.as_strided(self._dims(op.dims.data), self._dims(op.strides.data), offset)

    def copy(self, op: host.CopyOp) -> None:
        self._tensor(op.target).copy_(self._tensor(op.source))

    def call_aten(self, op: host.CallAtenOp) -> None:
        operands = [self._tensor(value) for value in op.operands_]
        results = call_operator(op.target.data, op.args, op.kwargs, operands, self._dim)
        for result, tensor in zip(op.results_, results, strict=True):
            strides = self._dims(loop.strides_of(result.type))
            if list(tensor.stride()) != strides:
                tensor = torch.empty_strided(tensor.shape, strides, dtype=tensor.dtype).copy_(tensor)
            self.values[result] = tensor

    def launch(self, op: host.LaunchOp) -> None:
        kernel = self.kernels[op.kernel.root_reference.data]
        arguments = [self.values[argument] for argument in op.arguments]
        if isinstance(kernel, loop.KernelOp):
            interpret_kernel(kernel, arguments)
            return
        assert isinstance(kernel, tt.FuncOp)
        compiled = self.compiled.get(kernel)
        if compiled is None:
            compiled = self.compiled[kernel] = CompiledFunction(kernel)
        compiled.launch(arguments, grid_of(kernel, [arg for arg in arguments if not isinstance(arg, Tensor)]))


def grid_of(kernel: tt.FuncOp, symbols: Sequence[int]) -> int:
    """The number of programs of a launch for these symbol values."""
    grid = kernel.attributes["fusir.grid"]
    assert isinstance(grid, AffineMapAttr)
    (programs,) = grid.data.eval([], symbols)
    return programs


_HANDLERS: Mapping[type[Operation], Callable[[_Program, Any], None]] = {
    host.AllocOp: _Program.alloc,
    host.FreeOp: _Program.free,
    host.ViewOp: _Program.view,
    host.CopyOp: _Program.copy,
    host.CallAtenOp: _Program.call_aten,
    host.LaunchOp: _Program.launch,
}
