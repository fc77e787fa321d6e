"""Triton source out: a `tt.func` as the Python function that a person would have written.

The source compiles to the same TTIR as the op itself, up to the simplifications that Triton makes anyway.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import IO

from typing_extensions import override
from xdsl.context import Context
from xdsl.dialects.builtin import DictionaryAttr, IntegerAttr, ModuleOp
from xdsl.utils.target import Target

from fusir.diagnostics import fail
from fusir.dialects.tt import FuncOp, PointerType
from fusir.targets.triton.body import BodyPrinter
from fusir.targets.triton.combine import HelperFunctions
from fusir.targets.triton.layout import statement_lines
from fusir.targets.triton.names import ExtentNames, NameTable
from fusir.targets.triton.types import signature_type

DEFAULT_NUM_WARPS = 4
DEFAULT_NUM_STAGES = 1
DIVISIBILITY = 16
"""What Triton's compiler can make use of: multiples of 16 (bytes for a pointer)."""

PREAMBLE = "import triton\nimport triton.language as tl\n"
LIBDEVICE_IMPORT = "from triton.language.extra import libdevice\n"


def triton_source(func: FuncOp) -> str:
    """A Python module that defines the kernel, under the name of the function."""
    return triton_module_source([func])


def triton_module_source(funcs: Iterable[FuncOp]) -> str:
    """A Python module that defines all the kernels; they share imports and helper functions."""
    funcs = list(funcs)
    helpers = HelperFunctions(NameTable(each.sym_name.data for each in funcs))
    kernels = [kernel_definition(each, helpers) for each in funcs]
    parts = [*helpers.sources.values(), *kernels]
    imports = PREAMBLE + (LIBDEVICE_IMPORT if any("libdevice." in each for each in parts) else "")
    return "\n\n".join([imports, *parts])


def kernel_definition(func: FuncOp, helpers: HelperFunctions) -> str:
    """The `@triton.jit` function alone; its helper functions are added to `helpers`."""
    if not func.body.blocks:
        fail(func, "the function has no body")
    block_sizes = dict(constexprs_of(func))
    names = NameTable([*block_sizes, *helpers.sources, *helpers.names.taken])
    printer = BodyPrinter(names, ExtentNames(func), helpers)
    parameters: list[str] = []
    for index, argument in enumerate(func.body.block.args):
        base = argument.name_hint or f"arg{index}"
        if isinstance(argument.type, PointerType) and "ptr" not in base:
            base += "_ptr"
        name = names.fresh(base)
        printer.bind(argument, name)
        parameters.append(name)
    parameters += [f"{name}: tl.constexpr" for name in block_sizes]
    printer.block(func.body.block)
    body = "\n".join(printer.lines) or "    pass"
    header = "\n".join(statement_lines(f"def {func.sym_name.data}({', '.join(parameters)}):", 0))
    return f"@triton.jit\n{header}\n{body}\n"


def signature_of(func: FuncOp) -> tuple[str, ...]:
    """Triton's types of the run-time arguments: `*bf16`, `i32`, ..."""
    return tuple(signature_type(each) for each in func.function_type.inputs)


def constexprs_of(func: FuncOp) -> tuple[tuple[str, int], ...]:
    """The block sizes, which follow the run-time arguments of the source: those listed by `fusir.constexprs`, then any
    other that an op of the body names."""
    sizes: dict[str, int] = {}
    listed = func.attributes.get("fusir.constexprs")
    if isinstance(listed, DictionaryAttr):
        for name, value in listed.data.items():
            if not isinstance(value, IntegerAttr):
                fail(func, f"fusir.constexprs: the value of {name} is no integer")
            sizes[name] = value.value.data
    return tuple(sizes.items())


def divisible_of(func: FuncOp) -> tuple[int, ...]:
    """The positions of the arguments that are known to be multiples of 16."""
    found: list[int] = []
    for index in range(len(func.function_type.inputs)):
        divisor = func.argument_attributes(index).get("tt.divisibility")
        if isinstance(divisor, IntegerAttr) and divisor.value.data % DIVISIBILITY == 0:
            found.append(index)
    return tuple(found)


def launch_options_of(func: FuncOp) -> tuple[int, int]:
    """`num_warps` and `num_stages`."""
    return (
        _integer(func, "fusir.num_warps", DEFAULT_NUM_WARPS),
        _integer(func, "fusir.num_stages", DEFAULT_NUM_STAGES),
    )


def _integer(func: FuncOp, name: str, default: int) -> int:
    value = func.attributes.get(name)
    return value.value.data if isinstance(value, IntegerAttr) else default


@dataclass(frozen=True)
class TritonTarget(Target):
    """`-t triton`: every `tt.func` of the module as Triton source, in one Python module."""

    name = "triton"

    @override
    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        output.write(triton_module_source(op for op in module.walk() if isinstance(op, FuncOp)))
