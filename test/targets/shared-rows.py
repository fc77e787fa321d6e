# RUN: %python %s
# REQUIRES: triton
"""The kernels of rows that several programs share: one kernel, each input loaded once, no spilling, source and TTIR agree,
and in the machine code the thread that writes a partial value is the one that counts it."""

from __future__ import annotations

import re
from collections.abc import Callable

import torch
from torch import Tensor

import fusir
from fusir.dialects import tt
from fusir.pipeline import run_pipeline
from fusir.runtime.agreement import disagreement
from fusir.runtime.aot import compile_source, kernel_source
from fusir.targets.triton import triton_source
from fusir.targets.ttir import ttir_text
from fusir.tools.registry import make_context

TARGETS = ("sm_80", "sm_90", "sm_100", "gfx942")


def tensor(*shape: int, dtype: torch.dtype = torch.float32) -> Tensor:
    return torch.empty(shape, dtype=dtype, device="meta")


def softmax(x: Tensor) -> Tensor:
    return torch.softmax(x, -1)


def layer_norm(x: Tensor, g: Tensor, b: Tensor) -> Tensor:
    return torch.nn.functional.layer_norm(x, x.shape[1:], g, b)


def normalize(x: Tensor) -> Tensor:
    return x / x.abs().mean(-1, keepdim=True)


def batch_norm(x: Tensor, mean: Tensor, var: Tensor, g: Tensor, b: Tensor) -> Tensor:
    return torch.nn.functional.batch_norm(x, mean, var, g, b, training=True).relu()


def lower(function: Callable[..., Tensor], *inputs: Tensor) -> tt.FuncOp:
    """The only kernel of a function."""
    module = fusir.trace(function, *inputs)
    run_pipeline(make_context(), module)
    (kernel,) = (op for op in module.ops if isinstance(op, tt.FuncOp))
    return kernel


def check(function: Callable[..., Tensor], together: int, *inputs: Tensor, loads: int = 1) -> tt.FuncOp:
    kernel = lower(function, *inputs)
    assert kernel.together == together, kernel.together
    source = triton_source(kernel)
    assert source.count("tl.load(") - source.count('cache_modifier=".cg"') == loads, source
    ptx = compile_source(kernel_source(kernel), "sm_90").asm["ptx"]
    assert ".local" not in ptx, f"{function.__name__} has local memory"
    return kernel


half = torch.bfloat16
kernel = check(softmax, 32, tensor(512, 524288, dtype=half))
check(softmax, 24, tensor(4096, 393216))
check(normalize, 16, tensor(4096, 262143))
check(layer_norm, 16, tensor(64, 262144), tensor(262144), tensor(262144), loads=3)
channels = [tensor(256) for _ in range(4)]
check(batch_norm, 25, tensor(128, 256, 56, 56), *channels, loads=5)

for target in TARGETS:
    assert disagreement(kernel, target) is None, disagreement(kernel, target)
    compile_source(kernel_source(kernel), target)

# Halves stay packed while programs wait: three programs of 16 warps on a multiprocessor. `r` is no register of a lane on
# AMD GPUs.
assert triton_source(kernel).count("_recomputed(") == 2
assert '"=r,0"' in ttir_text(kernel, "sm_90") and '"=v,0"' in ttir_text(kernel, "gfx942")
amd = compile_source(kernel_source(kernel), "gfx942").asm["ttir"]
assert '"=v,0"' in amd and '"=r,0"' not in amd

ptx = compile_source(kernel_source(kernel), "sm_90").asm["ptx"]
# One exchange of maximum and sum. Their stores, the counting and the reading of the counter are of one thread.
steps = re.findall(r"@(%p\d+) (st\.global|atom\.global\.gpu\.release|ld\.global\.gpu\.acquire)\.", ptx)
exchange = ["st.global", "st.global", "atom.global.gpu.release", "ld.global.gpu.acquire"]
assert [step for _, step in steps] == exchange, steps
assert len({thread for thread, _ in steps}) == 1, steps
# What it has read reaches the other threads through a barrier before they load what the others wrote.
for load in re.findall(r"ld\.global\.gpu\.acquire(.*?ld\.global\.cg)", ptx, re.DOTALL):
    assert "bar.sync" in load, load
