"""Compile kernels for a named GPU that need not be present: Triton source or TTIR to assembly and binaries.

Targets are `sm_80`, `sm_90`, `sm_100`, ... and AMD's `gfx942`, `gfx950`, ... . Triton is imported when the first kernel
is compiled.
"""

from __future__ import annotations

import functools
import re
import tempfile
from pathlib import Path
from typing import Any

from fusir.dialects.tt import FuncOp
from fusir.runtime.kernel_compiler import KernelSource, ast_source, compile_options, triton_compile
from fusir.runtime.ttir_versions import for_installed, from_installed
from fusir.targets.triton import constexprs_of, divisible_of, launch_options_of, signature_of, triton_source

NVIDIA_WARP_SIZE = 32
AMD_CDNA_WARP_SIZE = 64
AMD_RDNA_WARP_SIZE = 32


def gpu_target(target: str) -> Any:
    """Triton's `GPUTarget` of a name like `sm_90` or `gfx942`. Raises `ValueError` for another name."""
    from triton.backends.compiler import GPUTarget

    if match := re.fullmatch(r"sm_(\d+)a?", target):
        return GPUTarget("cuda", int(match[1]), NVIDIA_WARP_SIZE)
    if re.fullmatch(r"gfx\d+[a-z0-9]*", target):
        return GPUTarget("hip", target, AMD_CDNA_WARP_SIZE if target.startswith("gfx9") else AMD_RDNA_WARP_SIZE)
    raise ValueError(f"unknown target '{target}': expected a name like sm_90 or gfx942")


@functools.cache
def _backend(target: str) -> Any:
    from triton.compiler.compiler import make_backend

    return make_backend(gpu_target(target))


def _context(target: str) -> Any:
    """A fresh MLIR context with all dialects that a kernel for this target may have."""
    from triton._C.libtriton import ir

    context = ir.context()
    ir.load_dialects(context)
    _backend(target).load_dialects(context)
    return context


def _optimize(module: Any, target: str, options: Any) -> str:
    """Run Triton's own simplification passes for TTIR (inlining, canonicalization, CSE, ...): text, no locations."""
    from triton.backends.compiler import Language

    stages: dict[str, Any] = {}
    _backend(target).add_stages(stages, options, Language.TRITON)
    return from_installed(stages["ttir"](module, {}).str_nodebug())


def _options(target: str, num_warps: int, num_stages: int) -> Any:
    return _backend(target).parse_options(compile_options(num_warps, num_stages))


def _parse(text: str, target: str) -> Any:
    """The module of a TTIR text. Raises `ValueError` if Triton does not accept it."""
    from triton._C.libtriton import ir

    context = _context(target)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "kernel.ttir"
        path.write_text(for_installed(text))
        try:
            module = ir.parse_mlir_module(str(path), context)
        except RuntimeError as error:
            raise ValueError(f"Triton does not accept the TTIR: {error}") from error
    module.context = context
    if not module.verify():
        raise ValueError("Triton does not accept the TTIR: verification failed")
    return module


def read_ttir(text: str, target: str = "sm_90") -> str:
    """TTIR as Triton prints it after it has read and verified the text; no locations.

    Raises `ValueError` if Triton does not accept the text.
    """
    return from_installed(_parse(text, target).str_nodebug())


def optimize_ttir(text: str, target: str = "sm_90", num_warps: int = 4, num_stages: int = 3) -> str:
    """TTIR simplified as Triton does with that of a Python kernel.

    Raises `ValueError` if Triton does not accept the text.
    """
    return _optimize(_parse(text, target), target, _options(target, num_warps, num_stages))


def source_to_ttir(kernel: KernelSource, target: str = "sm_90") -> str:
    """The simplified TTIR of a Triton source, without compiling further."""
    backend = _backend(target)
    options = _options(target, kernel.num_warps, kernel.num_stages)
    context = _context(target)
    module = ast_source(kernel, gpu_target(target)).make_ir(
        gpu_target(target), options, backend.get_codegen_implementation(options), backend.get_module_map(), context
    )
    module.context = context
    return _optimize(module, target, options)


def compile_ttir(text: str, target: str = "sm_90", num_warps: int = 4, num_stages: int = 3) -> Any:
    """Compile TTIR text: an object whose `asm` has `ttgir`, `llir`, `ptx`, `cubin` (or `amdgcn`, `hsaco`).

    The text is simplified first, as Triton's front end does.
    """
    import triton

    simple = optimize_ttir(text, target, num_warps, num_stages)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "kernel.ttir"
        path.write_text(for_installed(simple))
        return triton.compile(str(path), target=gpu_target(target), options=compile_options(num_warps, num_stages))


def kernel_source(func: FuncOp) -> KernelSource:
    """The Triton source of a kernel, with its signature and launch options."""
    num_warps, num_stages = launch_options_of(func)
    return KernelSource(
        func.sym_name.data,
        triton_source(func),
        signature_of(func),
        constexprs_of(func),
        divisible_of(func),
        num_warps,
        num_stages,
    )


def compile_source(kernel: KernelSource, target: str = "sm_90") -> Any:
    """Compile Triton source: an object whose `asm` has `ttgir`, `llir`, `ptx`, `cubin` (or `amdgcn`, `hsaco`)."""
    return triton_compile(kernel, gpu_target(target))
