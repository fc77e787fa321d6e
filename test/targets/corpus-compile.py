# RUN: %python %s 40 7
# REQUIRES: triton
"""The TTIR and the Triton source of the kernels of the corpus compile to binaries, with no GPU.

python corpus-compile.py <step> <start>      every step-th graph (1 0: all of them)
"""

import sys

from corpus_kernels import corpus_kernels

from fusir.runtime.aot import compile_source, compile_ttir, kernel_source
from fusir.targets.triton import launch_options_of
from fusir.targets.ttir import ttir_text

BINARIES = {"sm_80": "cubin", "sm_90": "cubin", "sm_100": "cubin", "gfx942": "hsaco"}

step, start = int(sys.argv[1]), int(sys.argv[2])
failed: list[str] = []
for path, func in corpus_kernels(step, start):
    kernel = kernel_source(func)
    for target, binary in BINARIES.items():
        try:
            assert compile_ttir(ttir_text(func, target), target, *launch_options_of(func)).asm[binary]
            assert compile_source(kernel, target).asm[binary]
        except Exception as error:
            failed.append(f"{path}: @{kernel.name} for {target}: {type(error).__name__}: {error}")
assert not failed, "\n".join(failed)
