# RUN: %python %s
"""How often positions and values of extrema read their input, and what of such operators stays with PyTorch."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import torch
from frontend_checks import tensors_of

import fusir


# One kernel and one load of the input for values and positions; two launches where the range is split.
def reads_once(fn: Callable[..., Any], *args: torch.Tensor, kernels: int = 1) -> None:
    report = fusir.explain(fn, *args)
    assert not report.fallbacks and len(report.kernels) == kernels, report
    readers = [kernel for kernel in report.kernels if any(read.name == "x" for read in kernel.reads)]
    assert len(readers) == 1, report
    source = readers[0].source
    assert len(re.findall(r"tl\.load\(", source)) == 1 and len(re.findall(r"tl\.reduce\(", source)) == 1, source


def empty(*shape: int, dtype: torch.dtype = torch.float32) -> torch.Tensor:
    return torch.empty(*shape, dtype=dtype, device="meta")


for rows in (empty(4096, 4096), empty(512, 131_072), empty(4096, 1000, dtype=torch.bfloat16), empty(999, 4112)):
    reads_once(lambda x: x.max(1), rows)
    reads_once(lambda x: x.min(-1, keepdim=True), rows)
    reads_once(lambda x: (x.amax(1), x.argmax(1)), rows)
    reads_once(lambda x: torch.topk(x, 1), rows)
    reads_once(lambda x: torch.topk(x, 1, largest=False), rows)
reads_once(lambda x: x.max(1), empty(128, 4096, 4095))
reads_once(lambda x: x.max(1), empty(999, 4112, dtype=torch.uint8))
reads_once(lambda x: x.min(1), empty(999, 4112, dtype=torch.bool))
reads_once(lambda x: x.argmax(), empty(1 << 24), kernels=2)
reads_once(lambda x: (x.amax(), x.argmax()), empty(4099, 4099), kernels=2)
reads_once(lambda x: x.max(0), empty(100_000, 64), kernels=2)
reads_once(lambda x: x.argmin(1), empty(4, 1 << 20, dtype=torch.bfloat16), kernels=2)
report = fusir.explain(lambda x: torch.aminmax(x), empty(1 << 24))
assert len(report.kernels) == 2, report

# What sorts stays with PyTorch.
torch.manual_seed(0)
x = torch.randint(-3, 4, (6, 9)).float()
STAY = {
    "median": lambda x: x.median(1),
    "median of all": lambda x: x.median(),
    "nanmedian": lambda x: x.nanmedian(1),
    "mode": lambda x: x.mode(1).values,
    "kthvalue": lambda x: x.kthvalue(3, 1).values,
    "sort": lambda x: x.sort(1).values,
    "argsort": lambda x: torch.argsort(x, dim=1, stable=True),
    "topk": lambda x: x.topk(2).values,
}
for name, fn in STAY.items():
    report = fusir.explain(fn, x)
    assert len(report.fallbacks) == 1, (name, report)
    torch.compiler.reset()
    for got, want in zip(tensors_of(fusir.compile(fn)(x)), tensors_of(fn(x)), strict=True):
        assert torch.equal(got, want), name
