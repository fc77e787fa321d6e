# RUN: %python %s
# REQUIRES: triton
"""`torch.logsumexp` of a product, with no GPU: two kernels, of which the first neither writes nor reads the product, that
compile for sm_90 from Triton source and from TTIR."""

from __future__ import annotations

import torch
from torch import Tensor

import fusir
from fusir.dialects import tt
from fusir.pipeline import run_pipeline
from fusir.runtime.aot import compile_source, compile_ttir, kernel_source
from fusir.targets.triton import launch_options_of
from fusir.targets.ttir import ttir_text
from fusir.tools.registry import make_context

TOKENS, HIDDEN, VOCABULARY = 4096, 512, 32000


def loss_statistics(x: Tensor, w: Tensor) -> Tensor:
    return torch.logsumexp((x @ w.t()).float(), -1)


def kept(x: Tensor, w: Tensor) -> Tensor:
    return torch.logsumexp(x @ w.t(), -1, keepdim=True)


for function, dtype in ((loss_statistics, torch.float32), (kept, torch.bfloat16)):
    x = torch.empty(TOKENS, HIDDEN, dtype=dtype, device="meta")
    w = torch.empty(VOCABULARY, HIDDEN, dtype=dtype, device="meta")
    report = fusir.explain(function, x, w)
    assert not report.fallbacks
    first, second = report.kernels
    (partial,) = first.writes
    assert tuple(partial.shape) == (TOKENS, VOCABULARY // 128), partial
    assert "_sum_exponentials" in first.source and "tl.dot" in first.source
    assert [tuple(each.shape) for each in second.reads] == [tuple(partial.shape)]

    module = fusir.trace(function, x, w)
    run_pipeline(make_context(), module)
    func, _ = (op for op in module.ops if isinstance(op, tt.FuncOp))
    assert compile_source(kernel_source(func), "sm_90").asm["cubin"]
    assert compile_ttir(ttir_text(func, "sm_90"), "sm_90", *launch_options_of(func)).asm["cubin"]

# 50257 columns are no whole parts: the product is written.
x = torch.empty(256, HIDDEN, dtype=torch.bfloat16, device="meta")
w = torch.empty(50257, HIDDEN, dtype=torch.bfloat16, device="meta")
report = fusir.explain(loss_statistics, x, w)
assert any(50257 in each.shape for kernel in report.kernels for each in kernel.writes) or report.fallbacks
assert any("50257 elements are not divisible by 128" in each.message for each in report.remarks), report.remarks
