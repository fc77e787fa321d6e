"""`-t python`: a launch program and its kernels as one Python module that needs only torch and triton.

The module has the kernels, `call(inputs)`, `random_inputs(device)` and a `main` that runs it: a bug report is one file.
"""

from __future__ import annotations

import keyword
from collections.abc import Sequence
from dataclasses import dataclass
from typing import IO, Any

from typing_extensions import override
from xdsl.context import Context
from xdsl.dialects.builtin import MemRefType, ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.utils.exceptions import DiagnosticException
from xdsl.utils.target import Target

from fusir.conversion.graph_to_loop import dims_of_argument
from fusir.diagnostics import fail
from fusir.dialects import host, tt
from fusir.dialects.graph import Dim, SymbolAttr
from fusir.dialects.loop import strides_of
from fusir.targets.host_program import HELPERS, HostProgram, torch_dtype
from fusir.targets.triton import constexprs_of, launch_options_of, triton_module_source

SYMBOL_VALUE = 8
"""The value that `random_inputs` takes for a symbol, as near as its range and divisor allow."""

_LINE_LENGTH = 120

_RANDOM = '''\
def random_tensor(shape, strides, dtype, device):
    """A tensor of small random values."""
    result = torch.empty_strided(shape, strides, dtype=dtype, device=device)
    if dtype.is_floating_point or dtype.is_complex:
        values = torch.randn(shape, device=device)
    else:
        values = torch.randint(0, 2, shape, device=device)
    return result.copy_(values.to(dtype))
'''

_SCRATCH = '''\
def scratch(size, alignment, stream):
    """Where the programs of a kernel put the descriptors that they make."""
    return torch.empty(size, dtype=torch.uint8, device="cuda")
'''

_MAIN = """\
def main():
    device = torch.device("cuda")
    torch.manual_seed(0)
    for index, result in enumerate(call(random_inputs(device))):
        if isinstance(result, torch.Tensor):
            values = result.abs().double() if result.is_complex() else result.double()
            print(f"result {index}: {result.dtype} {tuple(result.shape)} sum {values.sum().item():.6g}")
        else:
            print(f"result {index}: {result}")


if __name__ == "__main__":
    main()
"""


class _PythonProgram(HostProgram):
    """A launch program as a person would write it."""

    def __init__(self, module: ModuleOp, func: FuncOp):
        names = [name for name, op in host.symbols_of_module(module).items() if op is not func]
        super().__init__(
            module,
            func,
            ("triton", "tl", "call", "main", "random_inputs", "random_tensor", "scratch", "device", *names),
        )

    @override
    def alloc(self, op: host.AllocOp) -> None:
        layout = f"{self.dims(op.dims.data)}, {self.dims(op.strides.data)}"
        dtype = self.element_dtype(op.result)
        zero = ".zero_()" if op.zero else ""
        self.emit(f"{self.name(op.result)} = torch.empty_strided({layout}, dtype={dtype}, device=device){zero}")

    @override
    def view(self, op: host.ViewOp) -> None:
        source = self.name(op.source)
        layout = f"{self.dims(op.dims.data)}, {self.dims(op.strides.data)}"
        offset = self.dim(op.offset.data)
        start = f"{source}.storage_offset()" + ("" if offset == "0" else f" + {offset}")
        self.emit(f"{self.name(op.result)} = {source}.as_strided({layout}, {start})")

    @override
    def launch(self, op: host.LaunchOp) -> None:
        name = op.kernel.root_reference.data
        kernel = self.kernels[name]
        if not isinstance(kernel, tt.FuncOp):
            fail(op, f"@{name} is not lowered to tt: run the whole pipeline")
        warps, stages = launch_options_of(kernel)
        values = [self.name(argument) for argument in op.arguments]
        values += [f"{block}={size}" for block, size in constexprs_of(kernel)]
        values += [f"num_warps={warps}", f"num_stages={stages}"]
        line = f"{name}[({self.grid(op)},)]({', '.join(values)})"
        if len(line) + 4 <= _LINE_LENGTH:
            self.emit(line)
        else:
            self.lines += [f"{name}[({self.grid(op)},)](", *(f"    {value}," for value in values), ")"]

    @override
    def operator(self, target: str) -> str:
        path, _, overload = f"torch.ops.{target}".rpartition(".")
        return f'getattr({path}, "{overload}")' if keyword.iskeyword(overload) else f"{path}.{overload}"


@dataclass(frozen=True)
class PythonTarget(Target):
    """`-t python`: a self-contained module that defines and runs the launch program `@main`."""

    name = "python"

    @override
    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        output.write(python_module(module))


def python_module(module: ModuleOp) -> str:
    """The Python module of a module lowered to `host` and `tt`. Raises DiagnosticException if it is not."""
    symbols = host.symbols_of_module(module)
    func = symbols.get("main")
    if not isinstance(func, FuncOp):
        raise DiagnosticException("the module has no function @main")
    program = _PythonProgram(module, func)
    body = program.write()
    names = program.argument_names
    first = next(
        (name for name, arg in zip(names, func.body.block.args, strict=True) if isinstance(arg.type, MemRefType)), None
    )
    head = [f"{', '.join(names)}{',' if len(names) == 1 else ''} = inputs"] if names else []
    head.append(f"device = {first}.device" if first is not None else 'device = torch.device("cuda")')
    has_descriptors = any(isinstance(op, tt.MakeTensorDescriptorOp) for op in module.walk())
    if has_descriptors:
        head.append("triton.set_allocator(scratch)")
    helpers = HELPERS if any(_calls_helper(line) for line in body) else ""
    call = "\n".join(
        [
            "def call(inputs):",
            f'    """The outputs for a list of inputs: {", ".join(names) or "none"}."""',
            *(f"    {line}" for line in (*head, *body)),
            "",
        ]
    )
    kernels = triton_module_source(op for op in module.body.block.ops if isinstance(op, tt.FuncOp))
    scratch = _SCRATCH if has_descriptors else ""
    parts = ["import torch\n" + kernels, helpers, scratch, call, _RANDOM, _random_inputs(func, program), _MAIN]
    return "\n\n".join(part for part in parts if part)


def _calls_helper(line: str) -> bool:
    return any(f"{helper}(" in line for helper in ("leaves", "only_tensor", "restride"))


def _random_inputs(func: FuncOp, program: HostProgram) -> str:
    """The source of `random_inputs`."""
    lines = ["def random_inputs(device):", '    """Inputs of the shapes, strides and dtypes that `call` expects."""']
    for index, argument in enumerate(func.body.block.args):
        if not isinstance(argument.type, MemRefType):
            lines.append(f"    {program.name(argument)} = {_symbol_value(func, index)}")
    values: list[str] = []
    for index, argument in enumerate(func.body.block.args):
        if isinstance(argument.type, MemRefType):
            values.append(_random_tensor(program, dims_of_argument(func, index), argument.type))
        else:
            values.append(program.name(argument))
    return "\n".join([*lines, "    return [", *(f"        {value}," for value in values), "    ]", ""])


def _random_tensor(program: HostProgram, dims: Sequence[Dim], type_: MemRefType[Any]) -> str:
    dtype = f"torch.{torch_dtype(type_.element_type)}"
    return f"random_tensor({program.dims(dims)}, {program.dims(strides_of(type_))}, {dtype}, device)"


def _symbol_value(func: FuncOp, index: int) -> int:
    """A small value that the symbol may have."""
    attributes = func.arg_attrs.data[index].data if func.arg_attrs is not None else {}
    symbol = attributes.get("graph.symbol")
    if not isinstance(symbol, SymbolAttr):
        return SYMBOL_VALUE
    value = max(SYMBOL_VALUE, symbol.minimum)
    if symbol.maximum is not None:
        value = min(value, symbol.maximum)
    return max(value // symbol.divisor, -(-symbol.minimum // symbol.divisor)) * symbol.divisor
