# RUN: %python %s
# REQUIRES: triton
"""Triton's parser and verifier take every op as we print it, and we read what Triton prints."""

from pathlib import Path

from xdsl.dialects.builtin import ModuleOp

from fusir.dialects.tt import FuncOp
from fusir.runtime.agreement import fingerprint, parse_ttir
from fusir.runtime.aot import read_ttir
from fusir.targets.ttir import ttir_text

HERE = Path(__file__).parent


def functions() -> list[FuncOp]:
    """The functions of `ops.mlir` that Triton can have: all but the one with a result."""
    module = parse_ttir((HERE / "ops.mlir").read_text())
    return [op for op in module.body.block.ops if isinstance(op, FuncOp) and not op.function_type.outputs.data]


for func in functions():
    # Where a tile lacks dimensions of the block, the TTIR that is compiled has a reshape.
    text = str(ModuleOp([func.clone()])) if func.sym_name.data == "batches" else ttir_text(func)
    printed = read_ttir(text)
    again = next(op for op in parse_ttir(printed).body.block.ops if isinstance(op, FuncOp))
    again.verify()
    names, expected = ([op.name for op in each.walk()] for each in (again, func))
    assert names == expected, f"{func.sym_name.data}: {names} instead of {expected}"
    assert fingerprint(again) == fingerprint(func), f"{func.sym_name.data} changed in Triton's hands:\n{printed}"

REJECTED = "module { tt.func public @k(%x: f32) { %y = tt.splat %x : f32 -> tensor<3xf32> tt.return } }"
try:
    read_ttir(REJECTED)
except ValueError as error:
    assert "Triton does not accept the TTIR" in str(error), error
else:
    raise AssertionError("a tensor of 3 elements was accepted")
