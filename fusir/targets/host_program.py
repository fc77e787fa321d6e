"""Python statements of a launch program.

`HostProgram` walks a function of the host level and writes one Python statement for each op. How a kernel is launched
and how a buffer is allocated is left to subclasses: the Python target prints what a person would write, the runtime
what is fastest.
"""

from __future__ import annotations

import keyword
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, cast

from xdsl.dialects.affine import ApplyOp
from xdsl.dialects.arith import ConstantOp as ArithConstantOp
from xdsl.dialects.builtin import (
    ArrayAttr,
    FloatAttr,
    IntAttr,
    IntegerAttr,
    IntegerType,
    MemRefType,
    ModuleOp,
    StringAttr,
)
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, BlockArgument, Operation, SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineSymExpr,
)

from fusir.diagnostics import fail
from fusir.dialects import host
from fusir.dialects.graph import Dim, NoneArgAttr, OperandRefAttr, SymbolAttr, SymIntAttr, TorchAttr
from fusir.dialects.loop import strides_of

_TORCH_DTYPES = {
    "f16": "float16",
    "bf16": "bfloat16",
    "f32": "float32",
    "f64": "float64",
    "i1": "bool",
    "i8": "int8",
    "i16": "int16",
    "i32": "int32",
    "i64": "int64",
    "ui8": "uint8",
    "ui16": "uint16",
    "ui32": "uint32",
    "ui64": "uint64",
    "complex<f16>": "complex32",
    "complex<f32>": "complex64",
    "complex<f64>": "complex128",
    "f8E4M3FN": "float8_e4m3fn",
    "f8E5M2": "float8_e5m2",
    "f8E4M3FNUZ": "float8_e4m3fnuz",
    "f8E5M2FNUZ": "float8_e5m2fnuz",
    "f8E8M0FNU": "float8_e8m0fnu",
}


def torch_dtype(element: Attribute) -> str:
    """The name in `torch` of an element type. Raises ValueError for a type that PyTorch does not have."""
    name = _TORCH_DTYPES.get(str(element))
    if name is None:
        raise ValueError(f"PyTorch has no dtype for {element}")
    return name


_OPERATORS = {
    AffineBinaryOpKind.Add: ("+", 1),
    AffineBinaryOpKind.Mul: ("*", 2),
    AffineBinaryOpKind.Mod: ("%", 2),
    AffineBinaryOpKind.FloorDiv: ("//", 2),
}
"""Python's operator and how tightly it binds; equal ones bind to the left."""


def python_expr(expr: Dim, dims: Sequence[str], symbols: Callable[[int], str], binding: int = 0) -> str:
    """An index expression as Python, in parentheses if it binds less tightly than `binding`."""
    match expr:
        case int():
            return str(expr)
        case AffineConstantExpr():
            return str(expr.value)
        case AffineDimExpr():
            return dims[expr.position]
        case AffineSymExpr():
            return symbols(expr.position)
        case AffineBinaryOpExpr(kind=AffineBinaryOpKind.CeilDiv):
            return f"-(-{python_expr(expr.lhs, dims, symbols, 3)} // {python_expr(expr.rhs, dims, symbols, 3)})"
        case AffineBinaryOpExpr():
            operator, own = _OPERATORS[expr.kind]
            lhs = python_expr(expr.lhs, dims, symbols, own)
            rhs = python_expr(expr.rhs, dims, symbols, own + 1)
            return f"({lhs} {operator} {rhs})" if own < binding else f"{lhs} {operator} {rhs}"
        case _:
            raise ValueError(f"not an index expression: {expr}")


def python_tuple(items: Sequence[str]) -> str:
    """A Python tuple display."""
    return f"({items[0]},)" if len(items) == 1 else f"({', '.join(items)})"


_MATRIX_PRODUCTS = frozenset(f"aten.{name}.default" for name in ("mm", "bmm", "addmm", "baddbmm"))
"""Operators that return one row-major tensor: their results need no check."""


def _identifier(hint: str | None) -> str:
    """The name hint of a value as a Python identifier, empty if it has none."""
    name = re.sub(r"\W", "_", hint or "")
    return f"v{name}" if name[:1].isdigit() else name


class HostProgram(ABC):
    """Writes the body of a Python function that runs a launch program."""

    def __init__(self, module: ModuleOp, func: FuncOp, reserved: Sequence[str] = ()):
        """`reserved` are the names that the surrounding Python code uses."""
        self.func = func
        self.kernels = host.symbols_of_module(module)
        self.lines: list[str] = []
        self._names: dict[SSAValue, str] = {}
        self._taken = {"_", "torch", "inputs", "leaves", "only_tensor", "restride", *reserved}
        self._numbers: dict[str, int] = {}
        self._symbols: dict[int, str] = {}
        for index, argument in enumerate(func.body.block.args):
            symbol = self._argument_attributes(index).get("graph.symbol")
            if isinstance(symbol, SymbolAttr):
                self._names[argument] = self.fresh(_identifier(argument.name_hint) or f"s{symbol.position}")
                self._symbols[symbol.position] = self._names[argument]
            else:
                self.name(argument)
        for op in func.body.block.ops:
            for result in op.results:
                self.name(result)

    def _argument_attributes(self, index: int) -> dict[str, Attribute]:
        attributes = self.func.arg_attrs
        return {} if attributes is None else dict(attributes.data[index].data)

    def write(self) -> list[str]:
        """The statements, without indentation. The arguments of the function are bound to `argument_names`."""
        for position, op in enumerate(self.func.body.block.ops):
            self._write(op)
            self.written(position)
        return self.lines

    @property
    def argument_names(self) -> list[str]:
        return [self.name(argument) for argument in self.func.body.block.args]

    def name(self, value: SSAValue) -> str:
        """The Python name of an SSA value."""
        if value not in self._names:
            base = _identifier(value.name_hint) or ("arg0" if isinstance(value, BlockArgument) else "buf0")
            self._names[value] = self.fresh(base)
        return self._names[value]

    def fresh(self, base: str) -> str:
        """A Python name that is not in use: the given one, or with another number at its end."""
        name = base
        stem = base.rstrip("0123456789")
        stem = f"{base}_" if stem == base else stem
        while name in self._taken or keyword.iskeyword(name):
            number = self._numbers.get(stem, 0)
            self._numbers[stem] = number + 1
            name = f"{stem}{number}"
        self._taken.add(name)
        return name

    def dim(self, dim: Dim) -> str:
        """An extent, stride or offset over the symbols of the function."""
        return python_expr(dim, (), self._symbols.__getitem__)

    def dims(self, dims: Sequence[Dim]) -> str:
        """Extents or strides as a Python tuple."""
        return python_tuple([self.dim(dim) for dim in dims])

    def emit(self, line: str) -> None:
        self.lines.append(line)

    def element_dtype(self, value: SSAValue) -> str:
        """The torch dtype of a buffer, as `torch.float32`."""
        return f"torch.{torch_dtype(cast(MemRefType[Any], value.type).element_type)}"

    def grid(self, op: host.LaunchOp) -> int | str:
        """The number of programs of a launch: an int, or an expression."""
        kernel = self.kernels[op.kernel.root_reference.data]
        grid = cast(Any, kernel.attributes["fusir.grid"]).data
        count = cast(AffineExpr, grid.results[0])
        symbols = [self.name(a) for a in op.arguments if not isinstance(a.type, MemRefType)]
        text = python_expr(count, (), symbols.__getitem__)
        return int(text) if text.isdigit() else text

    def tensor(self, value: SSAValue) -> str:
        """The Python expression of a buffer as a tensor. Subclasses may make it on demand."""
        return self.name(value)

    @abstractmethod
    def alloc(self, op: host.AllocOp) -> None:
        """Write the allocation of a buffer."""

    @abstractmethod
    def view(self, op: host.ViewOp) -> None:
        """Write a view of a buffer."""

    @abstractmethod
    def launch(self, op: host.LaunchOp) -> None:
        """Write the launch of a kernel."""

    @abstractmethod
    def operator(self, target: str) -> str:
        """The Python expression of an ATen operator, given its name as `aten.mm.default`."""

    def defined(self, value: SSAValue) -> None:  # noqa: B027
        """Called after a buffer that an ATen call returned has its name."""

    def written(self, position: int) -> None:  # noqa: B027
        """Called after the op at this position of the function was written."""

    def free(self, op: host.FreeOp) -> None:
        """Write the end of a buffer's life."""
        self.emit(f"del {self.name(op.buffer)}")

    def _write(self, op: Operation) -> None:
        match op:
            case host.AllocOp():
                self.alloc(op)
            case host.ViewOp():
                self.view(op)
            case host.LaunchOp():
                self.launch(op)
            case host.FreeOp():
                self.free(op)
            case host.CopyOp():
                self.emit(f"{self.tensor(op.target)}.copy_({self.tensor(op.source)})")
            case host.CallAtenOp():
                self._write_call(op)
            case ReturnOp():
                values = [self.tensor(v) if isinstance(v.type, MemRefType) else self.name(v) for v in op.arguments]
                self.emit(f"return [{', '.join(values)}]")
            case ArithConstantOp() if isinstance(op.value, IntegerAttr):
                self.emit(f"{self.name(op.result)} = {op.value.value.data}")
            case ApplyOp():
                operands = [self.name(operand) for operand in op.mapOperands]
                map_ = op.map.data
                dims, symbols = operands[: map_.num_dims], operands[map_.num_dims :]
                self.emit(f"{self.name(op.result)} = {python_expr(map_.results[0], dims, symbols.__getitem__)}")
            case _:
                fail(op, f"'{op.name}' is not an op of a launch program")

    def _write_call(self, op: host.CallAtenOp) -> None:
        operands = [self.tensor(operand) for operand in op.operands_]
        arguments = [self._argument(op, each, operands) for each in op.args.data]
        if op.kwargs is not None:
            named = {key: self._argument(op, each, operands) for key, each in op.kwargs.data.items()}
            arguments += [
                f"**{{{key!r}: {text}}}" if keyword.iskeyword(key) else f"{key}={text}" for key, text in named.items()
            ]
        call = f"{self.operator(op.target.data)}({', '.join(arguments)})"
        if not op.results_:
            self.emit(call)
            return
        if op.target.data in _MATRIX_PRODUCTS:
            self.emit(f"{self.name(op.results_[0])} = {call}")
            self.defined(op.results_[0])
            return
        positions = result_positions(op)
        if positions == [0]:
            self.emit(f"{self.name(op.results_[0])} = only_tensor({call})")
        else:
            names = dict(zip(positions, (self.name(result) for result in op.results_), strict=True))
            targets = [names.get(position, "_") for position in range(max(positions) + 1)]
            self.emit(f"{', '.join(targets)}, *_ = leaves({call})")
            self.emit("del _")
        for result in op.results_:
            if all(isinstance(use.operation, host.FreeOp) for use in result.uses):
                continue  # it may be None: operators leave out what they do not compute on a device
            strides = self.dims(strides_of(cast(MemRefType[Any], result.type)))
            name = self.name(result)
            self.emit(f"if {name}.stride() != {strides}: {name} = restride({name}, {strides})")
            self.defined(result)

    def _argument(self, op: Operation, attribute: Attribute, operands: Sequence[str]) -> str:
        match attribute:
            case OperandRefAttr():
                return operands[attribute.data]
            case NoneArgAttr():
                return "None"
            case SymIntAttr():
                return self.dim(attribute.data)
            case StringAttr():
                return repr(attribute.data)
            case IntegerAttr(type=IntegerType(width=width)) if width.data == 1:
                return str(bool(attribute))
            case IntegerAttr():
                return str(attribute.value.data)
            case FloatAttr():
                return _float_text(attribute.value.data)
            case TorchAttr():
                return _torch_text(attribute.data)
            case ArrayAttr():
                return f"[{', '.join(self._argument(op, item, operands) for item in attribute.data)}]"
            case _:
                return fail(op, f"{attribute} is no argument of an operator")


def _float_text(value: float) -> str:
    text = repr(value)
    return text if text not in ("inf", "-inf", "nan") else f"float('{text}')"


_TORCH_NAMES = re.compile(r"[a-z]\w*")
_TORCH_DEVICES = re.compile(r"(cpu|cuda|meta|xpu|mps|hpu|xla)(:\d+)?")


def _torch_text(name: str) -> str:
    if _TORCH_DEVICES.fullmatch(name):
        return f"torch.device({name!r})"
    if _TORCH_NAMES.fullmatch(name):
        return f"torch.{name}"
    raise ValueError(f"not a name in torch: {name!r}")


def result_positions(op: host.CallAtenOp) -> list[int]:
    """Where the results of a call stand among the leaves of what the operator returns."""
    positions = op.attributes.get("graph.positions")
    if not isinstance(positions, ArrayAttr):
        return list(range(len(op.results_)))
    return [cast(IntAttr, position).data for position in positions]


HELPERS = '''\
def leaves(value):
    """What an operator returned, without the nesting, in order."""
    if isinstance(value, (list, tuple)):
        return [each for item in value for each in leaves(item)]
    return [value]


def only_tensor(value):
    """The only tensor of what an operator returned."""
    return value if isinstance(value, torch.Tensor) else next(v for v in leaves(value) if isinstance(v, torch.Tensor))


def restride(value, strides):
    """The tensor with these strides; those of dims of extent 1 do not matter."""
    if value.numel() == 0 or all(d == 1 or a == b for d, a, b in zip(value.shape, value.stride(), strides)):
        return value
    result = torch.empty_strided(value.shape, strides, dtype=value.dtype, device=value.device)
    return result.copy_(value)
'''
"""Python functions that the statements of a launch program call."""
