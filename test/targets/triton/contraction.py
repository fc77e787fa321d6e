# RUN: %python %s
# REQUIRES: triton
"""Contractions: source and TTIR mean the same, and become the matrix instructions of every GPU."""

from pathlib import Path

from fusir.dialects.tt import FuncOp
from fusir.runtime.agreement import disagreement, parse_ttir
from fusir.runtime.aot import compile_source, compile_ttir, kernel_source
from fusir.targets.ttir import ttir_text

MATRIX_INSTRUCTIONS = {"sm_80": "mma.sync", "sm_90": "wgmma.mma_async", "sm_100": "tcgen05.mma", "gfx942": "v_mfma"}

TMA = "cp.async.bulk.tensor"

BY_DESCRIPTORS = {"product", "batched", "float8"}

TARGETS = {
    "product": ("sm_80", "sm_90", "sm_100", "gfx942"),
    "batched": ("sm_80", "sm_90", "sm_100", "gfx942"),
    "pointers": ("sm_80", "sm_90", "gfx942"),
    "pieces": ("sm_80", "sm_90"),
    "tf32": ("sm_80", "sm_90", "gfx942"),
    "integers": ("sm_80", "sm_90", "gfx942"),
    "float8": ("sm_90", "sm_100"),
}

module = parse_ttir((Path(__file__).parent / "contraction.mlir").read_text())
module.verify()
for func in module.body.block.ops:
    assert isinstance(func, FuncOp)
    name, source = func.sym_name.data, kernel_source(func)
    assert (difference := disagreement(func)) is None, difference
    for target in TARGETS.get(name, ()):
        compiled = compile_ttir(ttir_text(func, target), target, source.num_warps, source.num_stages)
        assert compiled.asm.get("cubin") or compiled.asm["hsaco"]
        assembly = compiled.asm.get("ptx") or compiled.asm["amdgcn"]
        assert MATRIX_INSTRUCTIONS[target] in assembly, f"{name}: no {MATRIX_INSTRUCTIONS[target]} for {target}"
        has_tma = name in BY_DESCRIPTORS and target in ("sm_90", "sm_100")
        assert (TMA in assembly) == has_tma, f"{name}: TMA for {target}?"
        assert bool(getattr(compiled.metadata, "global_scratch_size", 0)) == has_tma, f"{name}: scratch for {target}?"
    if name == "pieces":
        # What the tile interpreter computes of them.
        lines = (
            compile_ttir(ttir_text(func, "sm_90"), "sm_90", source.num_warps, source.num_stages)
            .asm["ttgir"]
            .splitlines()
        )
        assert sum("ttng.warp_group_dot " in line for line in lines) == 6, "products"
        assert sum("arith.truncf" in line for line in lines) == 6 and sum("cmpf uno" in line for line in lines) == 1
    if name in ("product", "float8"):
        assert MATRIX_INSTRUCTIONS["sm_90"] in compile_source(source, "sm_90").asm["ptx"], name
