"""Triton's own IR out: each `tt.func` as the text of a module that Triton's parser and compiler accept.

`fusir.*` attributes are left out. The device library symbols are those of the target (the IR has NVIDIA's).
"""

from __future__ import annotations

from dataclasses import dataclass
from io import StringIO
from typing import IO

from typing_extensions import override
from xdsl.context import Context
from xdsl.dialects.builtin import ArrayAttr, BoolAttr, DictionaryAttr, ModuleOp, StringAttr
from xdsl.ir import Operation
from xdsl.printer import Printer
from xdsl.utils.target import Target

from fusir.diagnostics import fail
from fusir.dialects.tt import (
    SAME_REGISTER_AMD,
    DescriptorLoadOp,
    DescriptorStoreOp,
    ElementwiseInlineAsmOp,
    ExternElementwiseOp,
    FuncOp,
    ReshapeOp,
    shape_of,
)
from fusir.targets.libdevice import amd_symbol

SEPARATOR = "// -----\n"
"""Between the modules of several functions, as MLIR's tools split their input."""

OWN_PREFIX = "fusir."
"""Attributes with this prefix are ours and unknown to Triton."""

DEFAULT_TARGET = "sm_90"

LEGAL_DIALECTS = frozenset({"builtin", "tt", "scf"})
"""Dialects all of whose ops Triton can have in its IR."""

LEGAL_OPS = frozenset(
    [
        *(f"arith.{name}f" for name in ("add", "sub", "mul", "div", "rem", "ext", "trunc", "cmp")),
        *(f"arith.{name}i" for name in ("add", "sub", "mul", "and", "or", "xor", "shl", "trunc", "cmp")),
        *(f"arith.{name}{kind}" for name in ("div", "rem", "max", "min", "ext") for kind in ("si", "ui")),
        *("arith.maximumf", "arith.minimumf", "arith.maxnumf", "arith.minnumf"),
        *("arith.shrsi", "arith.shrui", "arith.sitofp", "arith.uitofp", "arith.fptosi", "arith.fptoui"),
        *("arith.constant", "arith.select", "arith.bitcast"),
        *(f"math.{name}" for name in ("exp", "exp2", "log", "log2", "sin", "cos", "sqrt", "rsqrt", "erf", "fma")),
        *("math.floor", "math.ceil", "math.absf", "math.absi"),
    ]
)
"""The ops of other dialects that Triton's compiler lowers."""


def is_amd(target: str) -> bool:
    """Whether a target name (`sm_90`, `gfx942`) is an AMD GPU."""
    return target.startswith("gfx")


def ttir_text(func: FuncOp, target: str = DEFAULT_TARGET, *, locations: bool = False) -> str:
    """The text of a module that holds just this function, as Triton reads it.

    `locations` adds the source place of each op. An op that Triton does not compile, and a device function that the
    target lacks, are a `CompileError`.
    """
    for op in func.walk():
        if op.name not in LEGAL_OPS and op.dialect_name() not in LEGAL_DIALECTS:
            fail(op, f"Triton's compiler does not take {op.name}")
        if isinstance(op, ExternElementwiseOp) and is_amd(target) and amd_symbol(op.symbol.data) is None:
            fail(op, f"{target} has no device function for {op.symbol.data}")
    copy = func.clone()
    for op in list(copy.walk()):
        for name in [each for each in op.attributes if each.startswith(OWN_PREFIX)]:
            del op.attributes[name]
        if isinstance(op, ExternElementwiseOp) and is_amd(target) and (symbol := amd_symbol(op.symbol.data)):
            op.properties["symbol"] = StringAttr(symbol)
        if isinstance(op, ElementwiseInlineAsmOp) and is_amd(target):
            op.properties["constraints"] = StringAttr(SAME_REGISTER_AMD)
        if isinstance(op, DescriptorLoadOp | DescriptorStoreOp) and op.dropped_dims:
            _access_whole_block(op)
    if copy.arg_attrs is not None:
        copy.properties["arg_attrs"] = ArrayAttr([_without_own(each) for each in copy.arg_attrs])
    copy.attributes["noinline"] = BoolAttr.from_bool(False)
    stream = StringIO()
    Printer(stream, print_debuginfo=locations).print_op(ModuleOp([copy]))
    return stream.getvalue() + "\n"


def _access_whole_block(op: DescriptorLoadOp | DescriptorStoreOp) -> None:
    """A tile with all dimensions of the block, and a reshape: without TMA, Triton 3.6 compiles no others."""
    block = op.parent_block()
    assert block is not None
    new: Operation
    if isinstance(op, DescriptorLoadOp):
        new = DescriptorLoadOp(op.desc, op.indices, location=op.location)
        reshape = ReshapeOp(new, shape_of(op.result.type), location=op.location)
        block.insert_ops_before([new, reshape], op)
        op.result.replace_all_uses_with(reshape.result)
    else:
        reshape = ReshapeOp(op.src, op.descriptor_type.block_shape, location=op.location)
        new = DescriptorStoreOp(op.desc, op.indices, reshape, location=op.location)
        block.insert_ops_before([reshape, new], op)
    new.properties |= op.properties
    new.attributes |= op.attributes
    block.erase_op(op)


def _without_own(attributes: DictionaryAttr) -> DictionaryAttr:
    return DictionaryAttr({key: value for key, value in attributes.data.items() if not key.startswith(OWN_PREFIX)})


@dataclass(frozen=True)
class TtirTarget(Target):
    """`-t ttir`: every `tt.func` of the module as a TTIR module of its own."""

    name = "ttir"

    target: str = DEFAULT_TARGET
    """The GPU whose device library symbols are used."""
    locations: bool = False
    """Print the source places."""

    @override
    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        funcs = [op for op in module.walk() if isinstance(op, FuncOp)]
        texts = [ttir_text(func, self.target, locations=self.locations) for func in funcs]
        output.write(SEPARATOR.join(texts))
