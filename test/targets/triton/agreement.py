# RUN: %python %s
# REQUIRES: triton
"""For every kernel beside this file: its Triton source and its TTIR mean the same, and both compile without a GPU."""

from pathlib import Path

from fusir.dialects.tt import FuncOp
from fusir.runtime.agreement import disagreement, parse_ttir
from fusir.runtime.aot import compile_source, compile_ttir, kernel_source
from fusir.targets.triton import triton_source
from fusir.targets.ttir import ttir_text

TARGETS = {"sm_80": "cubin", "sm_90": "cubin", "gfx942": "hsaco"}


def kernels() -> list[FuncOp]:
    """All functions of the `.mlir` files in this folder but those of contractions, which are checked by themselves."""
    found: list[FuncOp] = []
    for path in sorted(Path(__file__).parent.glob("*.mlir")):
        if path.stem in ("invalid", "contraction"):
            continue
        module = parse_ttir(path.read_text())
        module.verify()
        found += [op for op in module.body.block.ops if isinstance(op, FuncOp)]
    return found


def check_each() -> None:
    for func in kernels():
        name = func.sym_name.data
        assert (difference := disagreement(func)) is None, difference
        # fp8 conversions and f64 dots are not on every GPU.
        for target, binary in TARGETS.items():
            if name == "constants" and target != "sm_90":
                continue
            compiled = compile_ttir(ttir_text(func, target), target)
            assert compiled.asm[binary], f"{name}: no {binary} for {target}"
        assert compile_source(kernel_source(func), "sm_90").asm["cubin"], f"{name}: the source does not compile"


def check_difference_is_seen() -> None:
    """The comparison is not vacuous: another constant and another operand order are differences."""
    func = next(each for each in kernels() if each.sym_name.data == "rows")
    source = triton_source(func)
    for before, after in [
        ("1000", "999"),
        ("v - nanmax", "nanmax - v"),
        ("tl.max(v", "tl.min(v"),
        ("a1 < b1", "a1 > b1"),
    ]:
        assert before in source, before
        assert disagreement(func, source=source.replace(before, after, 1)), f"not seen: {before} -> {after}"


check_each()
check_difference_is_seen()
