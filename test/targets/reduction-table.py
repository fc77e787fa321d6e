# RUN: %python %s
"""How many kernels the reductions of docs/benchmarks.md are, and how often their source loads each element of an input.

A row in segments (docs/ir.md) has two loads for one pass: of its edges, which stay in registers, and of its whole groups.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import Tensor

import fusir
from fusir.dialects import tt
from fusir.pipeline import run_pipeline
from fusir.targets.triton import triton_source
from fusir.tools.registry import make_context

BF16 = torch.bfloat16


def empty(*shape: int, dtype: torch.dtype = torch.float32) -> Tensor:
    return torch.empty(shape, dtype=dtype, device="meta")


def check(name: str, function: Callable[..., object], arguments: list[Tensor], kernels: int, loads: int) -> None:
    """The function is so many kernels, and the one that reads the first argument has so many loads of it."""
    module = fusir.trace(function, *arguments)
    run_pipeline(make_context(), module)
    sources = [triton_source(op) for op in module.ops if isinstance(op, tt.FuncOp)]
    assert len(sources) == kernels, f"{name}: {len(sources)} kernels\n" + "\n".join(sources)
    found = len(re.findall(r"tl\.load\(\s*in0_ptr", sources[0]))
    assert found == loads, f"{name}: {found} loads\n{sources[0]}"


def softmax(x: Tensor) -> Tensor:
    return torch.softmax(x, -1)


def log_softmax(x: Tensor) -> Tensor:
    return torch.log_softmax(x, -1)


def layer_norm(x: Tensor) -> Tensor:
    return F.layer_norm(x, x.shape[-1:])


def rms_norm(x: Tensor) -> Tensor:
    return F.rms_norm(x, x.shape[-1:])


def three(x: Tensor) -> tuple[Tensor, ...]:
    return x.abs().amax(), x.abs().mean(), x.square().mean()


for row in (softmax, log_softmax, layer_norm, rms_norm):
    # In registers: one load. Longer rows are walked twice, once for all their reductions, once for the results.
    for length, loads in ((1000, 1), (4096, 1), (8192, 1), (32768, 2), (131072, 2), (262144, 2)):
        check(f"{row.__name__} {length}", row, [empty((1 << 26) // length, length, dtype=BF16)], 1, loads)
    for length, loads in ((4097, 2), (50257, 3)):
        check(f"{row.__name__} {length}", row, [empty((1 << 26) // length, length, dtype=BF16)], 1, loads)
    check(f"{row.__name__} of floats", row, [empty(16384, 4096)], 1, 1)

check("group norm", lambda x: F.group_norm(x, 32), [empty(64, 256, 64, 64, dtype=BF16)], 1, 2)
targets = torch.empty(4096, dtype=torch.int64, device="meta")
# Logits once along the row, and the logit of the target; then the mean.
check("cross entropy", F.cross_entropy, [empty(4096, 128256, dtype=BF16), targets], 2, 2)
check("three statistics", three, [empty(1 << 28)], 2, 1)
check("cumsum", lambda x: x.cumsum(1), [empty(32768, 32768)], 1, 1)
check("reverse cumsum", lambda x: x.flip(1).cumsum(1).flip(1), [empty(32768, 32768)], 1, 1)
check("maximum with position", lambda x: x.max(1), [empty(4096, 32768)], 1, 1)
