# RUN: %python %s
"""Losses as kernels: one that reads each input once and, for a sum of everything, one more that adds up the parts."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import torch
from torch.nn import functional as F

import fusir


def empty(*shape: int, dtype: torch.dtype = torch.float32) -> torch.Tensor:
    return torch.empty(*shape, dtype=dtype, device="meta")


def check(name: str, fn: Callable[..., Any], *args: torch.Tensor, kernels: int = 2, again: int = 0) -> None:
    """`again` is the number of loads in the first kernel beside one of each input, as of single elements."""
    report = fusir.explain(fn, *args)
    assert not report.fallbacks, (name, report)
    assert len(report.kernels) == kernels, (name, report)
    first, *rest = report.kernels
    inputs = {read.name for read in first.reads}
    assert len(inputs) == len(args), (name, report)
    assert all(read.name not in inputs for kernel in rest for read in kernel.reads), (name, report)
    loads = len(re.findall(r"tl\.load\(", first.source))
    assert loads == len(args) + again, (name, first.source)


x, y, z = empty(32768, 4096), empty(32768, 4096), empty(32768, 4096)
target, sign = empty(32768, dtype=torch.int64), empty(32768)
check("mse", lambda x, y: ((x - y) ** 2).mean(), x, y)
check("mse_loss", F.mse_loss, x, y)
check("l1", F.l1_loss, x, y)
check("smooth l1", F.smooth_l1_loss, x, y)
check("huber", F.huber_loss, x, y)
check("kl_div", lambda x, y: F.kl_div(x.log(), y, reduction="batchmean"), x, y)
check("hinge", lambda x, y: (1 - x * y).clamp(min=0).mean(), empty(32768, 32768), sign)
check("triplet margin", F.triplet_margin_loss, x, y, z)
check("cosine similarity", F.cosine_similarity, x, y, kernels=1)
check("cosine loss", lambda x, y: (1 - F.cosine_similarity(x, y)).mean(), x, y)
check("soft margin", F.soft_margin_loss, x, y)
check("margin ranking", F.margin_ranking_loss, x, y, z)
check("poisson", F.poisson_nll_loss, x, y)
check("bce with logits", F.binary_cross_entropy_with_logits, x, y)
check("half precision", F.mse_loss, x.bfloat16(), y.bfloat16())

# The logarithm of the probability of the target is read beside the row.
check("cross entropy", F.cross_entropy, x, target, again=1)
check("cross entropy of rows", lambda x, t: F.cross_entropy(x, t, reduction="none"), x, target, kernels=1, again=1)
check("cross entropy of bf16", F.cross_entropy, x.bfloat16(), target, again=1)
check(
    "indexed log softmax",
    lambda x, t: -x.log_softmax(1)[torch.arange(len(t), device="meta"), t].mean(),
    x,
    target,
    again=1,
)
check("weighted", lambda x, t, w: F.cross_entropy(x, t, w), x, target, empty(4096), again=1)
pixels, classes = empty(16, 21, 256, 256), empty(16, 256, 256, dtype=torch.int64)
check("pixels", F.cross_entropy, pixels, classes, kernels=3, again=1)

# Probabilities stay in the registers of the row.
check("soft targets", F.cross_entropy, x, y)
check("distillation", lambda x, y: F.kl_div(x.log_softmax(1), y.softmax(1), reduction="batchmean"), x, y)
check("entropy", lambda x: -(x.softmax(1) * x.log_softmax(1)).sum(1).mean(), x)
check("normalized", lambda x, y: (F.normalize(x, dim=1) - F.normalize(y, dim=1)).square().sum(), x, y)
