# RUN: %python %s
"""Programs that reduce rows and columns of one tensor read it once: kernels, and loads of each input in the source."""

from __future__ import annotations

import re
from collections.abc import Callable

import torch
from torch._subclasses.fake_tensor import FakeTensorMode

import fusir

BF16 = torch.bfloat16


def layer_norm_backward(x, g, w):
    xf, gf = x.float(), g.float()
    mean = xf.mean(-1, keepdim=True)
    rstd = torch.rsqrt(xf.var(-1, unbiased=False, keepdim=True) + 1e-5)
    xhat, wg = (xf - mean) * rstd, gf * w.float()
    dx = rstd * (wg - wg.mean(-1, keepdim=True) - xhat * (wg * xhat).mean(-1, keepdim=True))
    return dx.to(x.dtype), (gf * xhat).sum(0).to(w.dtype), gf.sum(0).to(w.dtype)


def rms_norm_backward(x, g, w):
    xf, gf = x.float(), g.float()
    rstd = torch.rsqrt(xf.pow(2).mean(-1, keepdim=True) + 1e-6)
    xhat, wg = xf * rstd, gf * w.float()
    dx = rstd * (wg - xhat * (wg * xhat).mean(-1, keepdim=True))
    return dx.to(x.dtype), (gf * xhat).sum(0).to(w.dtype)


def of_autograd(x, g, w, mean):
    return torch.ops.aten.native_layer_norm_backward(g, x, [x.shape[-1]], mean, mean, w, w, [True, True, True])


def transpose_and_sums(x):
    return x.transpose(0, 1).contiguous(), x.sum(0), x.sum(1)


def both_sums(x):
    return x.sum(0), x.sum(1)


def check(fn: Callable[..., object], shapes: list[tuple[int, ...]], dtype: torch.dtype, large: int, kernels: int):
    """The first kernel loads its inputs once each, and no other kernel the `large` ones that matter."""
    with FakeTensorMode():
        report = fusir.explain(fn, *(torch.empty(shape, dtype=dtype) for shape in shapes))
    assert len(report.kernels) == kernels, [kernel.name for kernel in report.kernels]
    first, *finishes = report.kernels
    largest = max(tensor.bytes for tensor in first.reads)
    read = {tensor.name for tensor in first.reads if tensor.bytes == largest}
    assert len(read) == large and all(16 * tensor.bytes < largest for tensor in first.reads if tensor.name not in read)
    loads = re.findall(r"tl\.load\(\s*(?:in(\d+)_ptr|(\w+))", first.source)
    assert len(loads) == len(first.reads), first.source
    assert not any(tensor.name in read for kernel in finishes for tensor in kernel.reads)
    moved = sum(tensor.bytes for kernel in report.kernels for tensor in (*kernel.reads, *kernel.writes))
    least = sum(tensor.bytes for tensor in (*first.reads, *first.writes) if "tmp" not in tensor.name)
    assert moved < 1.1 * least, (moved, least)
    assert any("one walk" in str(remark) for remark in report.remarks)


rows, width = (16384, 4096), (4096,)
check(layer_norm_backward, [rows, rows, width], BF16, 2, 2)
check(rms_norm_backward, [rows, rows, width], BF16, 2, 2)
check(of_autograd, [rows, rows, width, (16384, 1)], BF16, 2, 2)
check(of_autograd, [(8, 2048, 4096), (8, 2048, 4096), width, (8, 2048, 1)], torch.float32, 2, 2)
check(transpose_and_sums, [(16384, 8192)], torch.float32, 1, 3)
check(both_sums, [(16384, 8192)], torch.float32, 1, 2)
check(both_sums, [(16384, 32768)], BF16, 1, 3)
