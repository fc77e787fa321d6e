# RUN: %python %s
"""The executables of corpus graphs give what the graph interpreter gives, and so do their fusions run by ATen."""

import warnings
from pathlib import Path
from typing import Any

import torch
from agreement import compare, random_inputs
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Region
from xdsl.parser import Parser
from xdsl.rewriter import Rewriter

from fusir.dialects import host
from fusir.dialects.loop import KernelOp
from fusir.dialects.tt import FuncOp
from fusir.errors import FusirFallbackWarning
from fusir.interpreters.graph import interpret
from fusir.pipeline import run_pipeline
from fusir.runtime.executable import build
from fusir.tools.registry import make_context

CORPUS = Path(__file__).parent.parent / "corpus"
GROUPS = ("symbolic", "edges")

context = make_context()


def copies(values: list[Any]) -> list[Any]:
    return [value.clone() if isinstance(value, torch.Tensor) else value for value in values]


def check(path: Path) -> None:
    module = Parser(context, path.read_text(), str(path)).parse_module()
    inputs = random_inputs(module, 0)
    expected = interpret(module, copies(inputs))
    stages: dict[str, ModuleOp] = {}
    run_pipeline(context, module, on_stage=lambda name, state: stages.update({name: state.clone()}))
    executable = build(module, fused=stages["fused"])
    kept = copies(inputs)
    for _ in range(2):
        compare(expected, executable(list(inputs)), path.name)
    compare(kept, inputs, f"inputs of {path.name}")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        by_aten = build(without_kernels(module), fused=stages["fused"])
        compare(expected, by_aten(list(inputs)), f"fusions of {path.name}")
    texts = [str(each.message) for each in caught if each.category is FusirFallbackWarning]
    assert [text.split()[1] for text in texts] == by_aten.fallbacks, texts


def without_kernels(module: ModuleOp) -> ModuleOp:
    """The module with an empty loop kernel, which cannot be launched, in place of each `tt.func`."""
    symbols = host.symbols_of_module(module)
    for launch in symbols["main"].walk():
        if isinstance(launch, host.LaunchOp) and isinstance(symbols[launch.kernel.root_reference.data], FuncOp):
            name = launch.kernel.root_reference.data
            kernel = KernelOp(name, Region(Block(arg_types=[argument.type for argument in launch.arguments])))
            Rewriter.replace_op(symbols[name], kernel, [])
            symbols[name] = kernel
    return module


for group in GROUPS:
    for path in sorted((CORPUS / group).glob("*.mlir")):
        try:
            check(path)
        except Exception as error:
            error.add_note(f"in {path}")
            raise
