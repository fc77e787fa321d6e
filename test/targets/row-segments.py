# RUN: %python %s
# REQUIRES: triton
"""Rows of an odd number of elements are moved 16 bytes at a time, from the Triton source and from the TTIR."""

from __future__ import annotations

import re
from collections.abc import Callable

import torch
from torch import Tensor

import fusir
from fusir.dialects import tt
from fusir.pipeline import run_pipeline
from fusir.runtime.aot import compile_source, compile_ttir, kernel_source
from fusir.targets.triton import launch_options_of
from fusir.targets.ttir import ttir_text
from fusir.tools.registry import make_context


def check(function: Callable[..., Tensor], inputs: list[Tensor], loads: int, narrow: int) -> None:
    """Whether a kernel has `loads` wide loads of its rows, and `narrow` narrow accesses."""
    module = fusir.trace(function, *inputs)
    run_pipeline(make_context(), module, upto="tt")
    (kernel,) = (op for op in module.ops if isinstance(op, tt.FuncOp))
    compiled = {
        "source": compile_source(kernel_source(kernel), "sm_90"),
        "ttir": compile_ttir(ttir_text(kernel, "sm_90"), "sm_90", *launch_options_of(kernel)),
    }
    for name, each in compiled.items():
        ptx = each.asm["ptx"]
        accesses = re.findall(r"(?:ld|st)\.global\S*", ptx)
        wide = sum(access.startswith("ld") and ".v4.b32" in access for access in accesses)
        others = sum(".v4.b32" not in access for access in accesses)
        assert (wide, others) == (loads, narrow), f"{function.__name__} from {name}: {accesses}"


def meta(*shape: int, dtype: torch.dtype = torch.bfloat16) -> Tensor:
    return torch.empty(*shape, dtype=dtype, device="meta")


def softmax(x: Tensor) -> Tensor:
    return torch.softmax(x, -1)


def maximum(x: Tensor) -> Tensor:
    return x.amax(-1)


# Each of 256 threads has 16 elements of a row of 4096; the edges are a load and a store.
check(softmax, [meta(16384, 4097)], loads=2, narrow=2)
check(softmax, [meta(16384, 4100, dtype=torch.float16)], loads=2, narrow=2)
check(softmax, [meta(8192, 8193)], loads=4, narrow=2)
check(maximum, [meta(4096, 4097, dtype=torch.float32)], loads=2, narrow=2)
# In steps: 32 elements a thread where rows are read only, 64 in each of two walks where they are written again.
check(maximum, [meta(4096, 50257)], loads=4, narrow=2)
check(softmax, [meta(1336, 50257)], loads=16, narrow=2)
