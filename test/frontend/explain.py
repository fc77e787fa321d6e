# RUN: %python %s
"""What `fusir.explain` reports: the examples of the design, names of tensors, stages, fallbacks."""

import torch
from torch import nn

import fusir


def article(x, w, b):
    return torch.sigmoid(x * w + b)


x, w, b = (torch.randn(64, 64) for _ in range(3))
fused = fusir.explain(article, x, w, b)
assert len(fused.kernels) == 1 and not fused.fallbacks
(kernel,) = fused.kernels
assert [t.name for t in kernel.reads] == ["x", "w", "b"] and [t.name for t in kernel.writes] == ["out"]
assert all(t.shape == (64, 64) and t.dtype == "f32" for t in (*kernel.reads, *kernel.writes))
assert kernel.bytes == fused.bytes == 4 * 64 * 64 * 4
assert kernel.ops == ("mul", "add", "sigmoid")
assert "@triton.jit" in kernel.source and "tt.func" in kernel.ttir and kernel.name in kernel.source
assert list(fused.stages) == ["graph", "fused", "loop", "scheduled", "tt", "host"]
assert "graph.fusion" in fused.stages["fused"] and "loop.kernel" in fused.stages["loop"]
assert str(fused).startswith("1 kernel, 0 calls through PyTorch\nkernel fused_mul_add_sigmoid_0: mul, add, sigmoid")

unfused = fusir.explain(article, x, w, b, options={"fuse": False})
assert len(unfused.kernels) == 3
assert sum(len(k.reads) for k in unfused.kernels) == 5 and sum(len(k.writes) for k in unfused.kernels) == 3

assert len(fusir.explain(lambda x: (x * 2).sum(-1) + 1, x).kernels) == 1
both = fusir.explain(lambda x: (x.sin(), x.cos()), x).kernels
assert len(both) == 1 and len(both[0].reads) == 1 and len(both[0].writes) == 2

norm = nn.Sequential(nn.BatchNorm2d(8), nn.ReLU())
report = fusir.explain(norm, torch.randn(4, 8, 16, 16))
assert len(report.kernels) <= 2 and not report.fallbacks
assert "0.running_mean" in [t.name for k in report.kernels for t in k.reads]

# Calls through PyTorch are shown, with reasons.
report = fusir.explain(lambda x: x.sort(-1)[0] + 1, x)
assert [(f.target, f.reason) for f in report.fallbacks] == [("aten.sort.default", "no native import")]
assert "through PyTorch: aten.sort.default" in str(report)

# Meta tensors, fake tensors of another device, symbolic extents.
meta = fusir.explain(article, *(t.to("meta") for t in (x, w, b)))
assert meta.kernels[0].source == fused.kernels[0].source
with torch._subclasses.FakeTensorMode():
    fake = [torch.empty(64, 64, device="cuda") for _ in range(3)]
assert len(fusir.explain(article, *fake).kernels) == 1
