# RUN: %python %s
"""Weights of four bits, two in a byte, with scales for groups: unpacked as the product loads them, in one kernel."""

import torch
import torch.nn.functional as F

import fusir

torch.set_num_threads(1)
torch.manual_seed(0)
GROUP = 32


def halves(p):
    """The low and the high four bits, from -8 to 7."""
    return (p & 15).to(torch.int8) - 8, (p >> 4).to(torch.int8) - 8


def along_rows(x, p, s):
    """Neighbours along the contracted dim of a [k, n] weight."""
    w = torch.stack(halves(p), 1).reshape(-1, p.shape[1]).to(x.dtype)
    w = w.view(s.shape[0], -1, s.shape[1]) * s[:, None, :]
    return x @ w.view(-1, s.shape[1])


def along_columns(x, p, s):
    """Neighbours along the contracted dim of an [n, k] weight, as linear layers have it."""
    w = torch.stack(halves(p), -1).reshape(p.shape[0], -1).to(x.dtype)
    w = w.view(s.shape[0], s.shape[1], -1) * s[:, :, None]
    return F.silu(F.linear(x, w.view(s.shape[0], -1)))


def one_behind_the_other(x, p, s):
    """The first half of the rows and the second one."""
    return x @ (torch.cat(halves(p), 0).to(x.dtype) * s[0])


def in_columns(x, p, s):
    """Neighbours are columns of the result."""
    w = torch.stack(halves(p), -1).reshape(p.shape[0], -1).to(x.dtype)
    return x @ w


def with_zeros(x, p, s, z):
    """Unsigned numbers with a zero for each group."""
    w = torch.stack([p & 15, p >> 4], 1).reshape(-1, p.shape[1]).to(x.dtype)
    w = (w.view(s.shape[0], -1, s.shape[1]) - z[:, None, :]) * s[:, None, :]
    return x @ w.view(-1, s.shape[1])


def packed(*shape):
    return torch.randint(0, 256, shape, dtype=torch.uint8)


def check(fn, *args):
    """In one kernel, with at most twice the error of eager against float64."""
    report = fusir.explain(fn, *args)
    assert len(report.kernels) == 1 and not report.fallbacks, f"{fn.__name__}: {report}"
    assert "tl.dot" in report.kernels[0].source
    torch._dynamo.reset()
    exact = fn(*[arg.double() if arg.is_floating_point() else arg for arg in args])
    ours, eager = ((f(*args).double() - exact).abs().max().item() for f in (fusir.compile(fn), fn))
    assert ours <= 2 * eager + 1e-6 * exact.abs().max().item(), (fn.__name__, ours, eager)


for dtype in (torch.bfloat16, torch.float32):
    for m, k, n in ((16, 128, 48), (5, 64, 33)):
        x, s = torch.randn(m, k, dtype=dtype), torch.rand(k // GROUP, n, dtype=dtype)
        check(along_rows, x, packed(k // 2, n), s)
        if dtype == torch.bfloat16:
            check(along_columns, x, packed(n, k // 2), s.t().contiguous())
            check(one_behind_the_other, x, packed(k // 2, n), s)
            check(in_columns, x, packed(k, n), s)
            check(with_zeros, x, packed(k // 2, n), s, torch.randint(0, 16, s.shape).to(dtype))

# At the size of a model: one kernel for few rows; for many rows the weight is unpacked once.
for m, kernels in ((16, 1), (4096, 2)):
    shapes = (((m, 8192), torch.bfloat16), ((4096, 8192), torch.uint8), ((256, 8192), torch.bfloat16))
    x, p, s = (torch.empty(shape, dtype=dtype, device="meta") for shape, dtype in shapes)
    report = fusir.explain(along_rows, x, p, s)
    assert len(report.kernels) == kernels, str(report)
