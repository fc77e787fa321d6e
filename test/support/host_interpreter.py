"""Runs a launch program on the CPU: its buffers are tensors, its kernels run by the interpreter of their own level.

New and freed buffers hold garbage, so a program that reads what it has not written or has freed gives wrong results.
It shares no code with the runtime.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch
from xdsl.dialects.affine import ApplyOp
from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.builtin import ArrayAttr, FloatAttr, IndexType, IntegerAttr, MemRefType, ModuleOp, StringAttr
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Operation, SSAValue

from fusir.dialects import host, loop, tt
from fusir.dialects.graph import Dim, NoneArgAttr, OperandRefAttr, SymbolAttr, SymIntAttr, TorchAttr, scalar_of
from fusir.dialects.loop import strides_of
from fusir.interpreters.graph import torch_dtype

Value = torch.Tensor | int

GARBAGE = 77


class HostProgram:
    """One run of a function of the host level."""

    def __init__(self, module: ModuleOp):
        self.symbols_of_module = host.symbols_of_module(module)
        self.values: dict[SSAValue, Value] = {}
        self.symbols: list[int] = []

    def run(self, function: FuncOp, inputs: Sequence[Value]) -> list[Value]:
        attributes = function.arg_attrs.data if function.arg_attrs is not None else ()
        for index, (argument, value) in enumerate(zip(function.args, inputs, strict=True)):
            self.values[argument] = value
            if isinstance(argument.type, IndexType):
                symbol = attributes[index].data["graph.symbol"]
                assert isinstance(symbol, SymbolAttr) and isinstance(value, int)
                self.symbols += [0] * (symbol.position + 1 - len(self.symbols))
                self.symbols[symbol.position] = value
        for op in function.body.block.ops:
            if isinstance(op, ReturnOp):
                return [self.values[each] for each in op.arguments]
            _HANDLERS[type(op)](self, op)
        raise AssertionError("a function without return")

    def dim(self, dim: Dim) -> int:
        return dim if isinstance(dim, int) else dim.eval([], self.symbols)

    def dims(self, dims: Sequence[Dim]) -> list[int]:
        return [self.dim(each) for each in dims]

    def tensor(self, value: SSAValue) -> torch.Tensor:
        tensor = self.values[value]
        assert isinstance(tensor, torch.Tensor)
        return tensor

    def argument(self, attribute: Attribute, operands: Sequence[torch.Tensor]) -> Any:
        """The Python value of an argument of an ATen call."""
        match attribute:
            case OperandRefAttr():
                return operands[attribute.data]
            case NoneArgAttr():
                return None
            case SymIntAttr():
                return self.dim(attribute.data)
            case TorchAttr():
                return getattr(torch, attribute.data, torch.device("cpu"))
            case StringAttr():
                return attribute.data
            case FloatAttr() | IntegerAttr():
                return scalar_of(attribute)
            case ArrayAttr():
                return [self.argument(each, operands) for each in attribute.data]
            case _:
                raise AssertionError(f"{attribute} is no argument of an ATen call")


def _alloc(program: HostProgram, op: host.AllocOp) -> None:
    dims, strides = program.dims(op.dims.data), program.dims(op.strides.data)
    tensor = torch.empty_strided(dims, strides, dtype=torch_dtype(op.result.type.element_type))
    program.values[op.result] = tensor.zero_() if op.zero else _poison(tensor)


def _poison(tensor: torch.Tensor) -> torch.Tensor:
    return tensor.fill_(float("nan") if tensor.dtype.is_floating_point else GARBAGE)


def _free(program: HostProgram, op: host.FreeOp) -> None:
    _poison(program.tensor(op.buffer))


def _view(program: HostProgram, op: host.ViewOp) -> None:
    source = program.tensor(op.source)
    offset = source.storage_offset() + program.dim(op.offset.data)
    program.values[op.result] = source.as_strided(program.dims(op.dims.data), program.dims(op.strides.data), offset)


def _copy(program: HostProgram, op: host.CopyOp) -> None:
    program.tensor(op.target).copy_(program.tensor(op.source))


def _call_aten(program: HostProgram, op: host.CallAtenOp) -> None:
    namespace, name, overload = op.target.data.split(".")
    target = getattr(getattr(getattr(torch.ops, namespace), name), overload)
    operands = [program.tensor(each) for each in op.operands_]
    kwargs = op.kwargs.data if op.kwargs is not None else {}
    results = target(
        *(program.argument(each, operands) for each in op.args.data),
        **{key: program.argument(each, operands) for key, each in kwargs.items()},
    )
    tensors = [results] if isinstance(results, torch.Tensor) else [t for t in results if isinstance(t, torch.Tensor)]
    for value, tensor in zip(op.results_, tensors, strict=True):
        assert isinstance(value.type, MemRefType)
        strides = program.dims(strides_of(value.type))
        if list(tensor.stride()) != strides:
            tensor = torch.empty_strided(tensor.shape, strides, dtype=tensor.dtype).copy_(tensor)
        program.values[value] = tensor


def _launch(program: HostProgram, op: host.LaunchOp) -> None:
    arguments = [program.values[each] for each in op.arguments]
    match program.symbols_of_module[op.kernel.root_reference.data]:
        case loop.KernelOp() as kernel:
            from fusir.interpreters.loop import interpret_kernel

            interpret_kernel(kernel, arguments)
        case tt.FuncOp() as kernel:
            from fusir.interpreters.tt import launch as launch_tt

            grid = kernel.attributes["fusir.grid"].data
            symbols = [each for each in arguments if isinstance(each, int)]
            launch_tt(kernel, arguments, grid.eval([], symbols)[0])
        case other:
            raise AssertionError(f"{other} is no kernel")


def _apply(program: HostProgram, op: ApplyOp) -> None:
    operands = [program.values[each] for each in op.mapOperands]
    count = op.map.data.num_dims
    program.values[op.result] = op.map.data.eval(operands[:count], operands[count:])[0]


def _constant(program: HostProgram, op: ConstantOp) -> None:
    assert isinstance(op.value, IntegerAttr)
    program.values[op.result] = op.value.value.data


_HANDLERS: dict[type[Operation], Callable[[HostProgram, Any], None]] = {
    host.AllocOp: _alloc,
    host.FreeOp: _free,
    host.ViewOp: _view,
    host.CopyOp: _copy,
    host.CallAtenOp: _call_aten,
    host.LaunchOp: _launch,
    ApplyOp: _apply,
    ConstantOp: _constant,
}


def interpret_host(module: ModuleOp, inputs: Sequence[Value]) -> list[Value]:
    """Run `@main` of a module of the host level."""
    function = next(op for op in module.ops if isinstance(op, FuncOp) and op.sym_name.data == "main")
    return HostProgram(module).run(function, inputs)
