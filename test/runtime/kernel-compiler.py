# RUN: rm -rf %t && env FUSIR_CACHE_DIR=%t/fusir TRITON_CACHE_DIR=%t/triton %python %s %t
# REQUIRES: triton
"""Kernels are compiled in threads, once each, to the same binaries as one by one; no GPU is needed."""

import os
import sys
from dataclasses import replace

from triton.backends.compiler import GPUTarget

from fusir.runtime import kernel_compiler
from fusir.runtime.kernel_compiler import KernelSource, compile_kernel, triton_compile

SOURCE = """
import triton
import triton.language as tl


@triton.jit
def scale(x_ptr, y_ptr, n, XBLOCK: tl.constexpr):
    x = tl.program_id(0) * XBLOCK + tl.arange(0, XBLOCK)
    mask = x < n
    tl.store(y_ptr + x, tl.load(x_ptr + x, mask=mask) * FACTOR, mask=mask)
"""


def scale(factor: float) -> KernelSource:
    return KernelSource(
        name="scale",
        source=SOURCE.replace("FACTOR", repr(factor)),
        signature=("*fp32", "*fp32", "i32"),
        constexprs=(("XBLOCK", 1024),),
        divisible=(0, 1),
    )


H100, MI300 = GPUTarget("cuda", 90, 32), GPUTarget("hip", "gfx942", 64)

kernels = [scale(float(factor)) for factor in range(8)]
futures = [compile_kernel(kernel, H100) for kernel in kernels]
assert compile_kernel(scale(3.0), H100) is futures[3], "equal requests share one compilation"
binaries = [future.result().compiled.kernel for future in futures]
assert len(set(binaries)) == len(binaries)

os.environ["TRITON_CACHE_DIR"] = f"{sys.argv[1]}/triton-again"
assert [triton_compile(kernel, H100).kernel for kernel in kernels[:3]] == binaries[:3]

# Another process, or this one later, reads the disk.
kernel_compiler._pool = kernel_compiler._Pool()
kernel_compiler.triton_compile = None  # pyright: ignore
again = compile_kernel(kernels[0], H100).result()
assert again.compiled.kernel == binaries[0]
assert again.compiled.metadata.name == "scale" and again.compiled.packed_metadata[0] == 4
kernel_compiler.triton_compile = triton_compile

# Everything that changes the binary changes the key.
base = scale(2.0)
variants = [
    base,
    replace(base, divisible=()),
    replace(base, num_warps=8),
    replace(base, num_stages=2),
    replace(base, constexprs=(("XBLOCK", 512),)),
    replace(base, signature=("*bf16", "*fp32", "i32")),
]
assert len({variant.key(H100) for variant in variants} | {base.key(MI300)}) == len(variants) + 1
assert compile_kernel(base, MI300).result().compiled.kernel[:4] == b"\x7fELF"

# A kernel that Triton rejects raises in the future, and can be asked for again.
broken = replace(base, source=base.source.replace("tl.store(", "tl.no_such_function("))
for _ in range(2):
    error = compile_kernel(broken, H100).exception()
    assert error is not None and "no_such_function" in str(error), error

# Without the disk.
os.environ["FUSIR_DISABLE_CACHE"] = "1"
kernel_compiler._pool = kernel_compiler._Pool()
assert compile_kernel(kernels[1], H100).result().compiled.kernel == binaries[1]

# A forked child compiles by itself.
child = os.fork()
if child == 0:
    os._exit(0 if compile_kernel(scale(77.0), H100).result().compiled.kernel else 1)
assert os.waitpid(child, 0)[1] == 0
