# RUN: %python %s
# REQUIRES: triton
"""Long rows that are read and written once: one kernel that shares them between programs, one load of each operand, one
exchange for the whole cascade, and a binary for sm_90 that keeps its part of the row in registers."""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections.abc import Callable

import torch
import torch.nn.functional as F
import triton
from torch import Tensor

import fusir
from fusir.dialects import host, tt
from fusir.pipeline import run_pipeline
from fusir.runtime.aot import compile_source, kernel_source
from fusir.tools.registry import make_context

REGISTERS = 65536 // 512
"""Of a thread, where a program of 16 warps has a multiprocessor to itself."""


def empty(*shape: int) -> Tensor:
    return torch.empty(shape, device="meta")


def batch_norm(x: Tensor, mean: Tensor, var: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
    return F.batch_norm(x, mean, var, weight, bias, training=True).relu()


WORKLOADS: dict[str, tuple[Callable[..., Tensor], list[Tensor], int]] = {
    "softmax": (lambda x: F.softmax(x, 1), [empty(4096, 393216)], 1),
    "instance norm": (lambda x: F.instance_norm(x), [empty(112, 64, 512, 512)], 1),
    "layer norm": (
        lambda x, weight, bias: F.layer_norm(x, (64, 256, 256), weight, bias),
        [empty(16, 64, 256, 256), empty(64, 256, 256), empty(64, 256, 256)],
        3,
    ),
    "batch norm": (batch_norm, [empty(128, 256, 56, 56), *(empty(256) for _ in range(4))], 5),
}
"""Functions, their arguments, and how many loads of arguments there are."""


def registers_of(cubin: bytes) -> tuple[int, int]:
    """Registers and bytes of stack of a thread of the only kernel."""
    with tempfile.NamedTemporaryFile(suffix=".cubin") as file:
        file.write(cubin)
        file.flush()
        tool = triton.knobs.nvidia.cuobjdump.path
        text = subprocess.run([tool, "-res-usage", file.name], capture_output=True, text=True, check=True).stdout
    (match,) = re.finditer(r"REG:(\d+) STACK:(\d+)", text)
    return int(match[1]), int(match[2])


for name, (function, arguments, loads) in WORKLOADS.items():
    module = fusir.trace(function, *arguments)
    run_pipeline(make_context(), module)
    launches = [op for op in module.walk() if isinstance(op, host.LaunchOp)]
    (kernel,) = (op for op in module.ops if isinstance(op, tt.FuncOp))
    assert len(launches) == 1, f"{name}: {len(launches)} launches"
    assert kernel.together > 1, f"{name}: rows are not shared"
    waits = sum(tt.as_wait(op) is not None for op in kernel.walk())
    assert waits == 1, f"{name}: {waits} exchanges"
    source = kernel_source(kernel)
    found = len(re.findall(r"tl\.load\(\s*in\d+_ptr", source.source))
    assert found == loads, f"{name}: {found} loads\n{source.source}"
    registers, stack = registers_of(compile_source(source, "sm_90").asm["cubin"])
    assert registers <= REGISTERS and stack == 0, f"{name}: {registers} registers, {stack} bytes of stack"
