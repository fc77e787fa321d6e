# RUN: %python %s
"""8-bit floats: casts bit for bit as in PyTorch, scaled products against float64, few kernels."""

import math
from unittest.mock import patch

import torch

import fusir
from fusir.frontend.table import cast

torch.set_num_threads(1)
torch.manual_seed(0)
E4M3, E5M2 = torch.float8_e4m3fn, torch.float8_e5m2


def compiled(fn, *args, fuse=True):
    torch._dynamo.reset()
    return fusir.compile(fn, options={"fuse": fuse})(*args)


def converter(dtype):
    return lambda x: x.to(dtype)


def same(result, expected):
    """Equal with the signs of zeros; NaN has none."""
    result, expected = result.float(), expected.float()
    torch.testing.assert_close(result, expected, rtol=0, atol=0, equal_nan=True)
    assert torch.equal(result.signbit() & ~result.isnan(), expected.signbit() & ~expected.isnan())


# Casts: every half, the places where the types end, and all values back.
edges = [0.0, 448.0, 463.9, 464.0, 464.00003, 480.0, 57344.0, 61439.996, 61440.0, 65536.0, 1e30, math.inf, math.nan]
edges += [2.0**-9, 2.0**-10, 1.5 * 2.0**-10, 2.0**-16, 2.0**-17, 1.01 * 2.0**-17]
singles = torch.cat([torch.tensor(edges), -torch.tensor(edges), torch.randn(500) * torch.logspace(-8, 6, 500)])
halves = torch.arange(1 << 16, dtype=torch.int32).to(torch.int16)
for dtype in (E4M3, E5M2):
    for source in (singles, halves.view(torch.bfloat16), halves.view(torch.float16), singles.double()):
        report = fusir.explain(converter(dtype), source)
        assert len(report.kernels) == 1 and not report.fallbacks, str(report)
        same(compiled(converter(dtype), source), source.to(dtype))
    same(compiled(converter(dtype), torch.arange(-500, 500)), torch.arange(-500, 500).to(dtype))
    every = torch.arange(256).to(torch.uint8).view(dtype)
    for target in (torch.float32, torch.bfloat16, torch.float16):
        same(compiled(converter(target), every), every.to(target))
positive = torch.arange(120).to(torch.uint8).view(E4M3)
same(compiled(converter(E5M2), positive), positive.to(E5M2))
# Where PyTorch has NaN for what is too large, so do kernels.
with patch.object(cast, "overflows_to_nan", lambda: True):
    found = compiled(converter(E4M3), torch.tensor([464.0, 464.00003, -1e30, math.inf, 3.0])).float()
    assert found.isnan().tolist() == [False, True, True, True, False] and found[0] == 448, found


def scaled(a, b, scale_a, scale_b):
    return torch._scaled_mm(a, b, scale_a, scale_b, out_dtype=torch.float32)


def with_bias(a, b, scale_a, scale_b, bias):
    return torch.relu(torch._scaled_mm(a, b, scale_a, scale_b, bias=bias, out_dtype=torch.bfloat16))


def quantized(x, w, scale_w):
    scale = x.abs().amax(1, keepdim=True).float() / 448
    q = (x / scale).clamp(-448, 448).to(E4M3)
    return torch._scaled_mm(q, w, scale, scale_w, out_dtype=x.dtype)


def float8(*shape, dtype=E4M3):
    return torch.randn(shape).to(dtype)


for m, k, n in ((32, 64, 48), (17, 80, 16), (1, 32, 16)):
    a, b = float8(m, k), float8(n, k).t()
    exact = a.double() @ b.double()
    for scales in ((torch.tensor(0.5), torch.tensor(3.0)), (torch.rand(m, 1), torch.rand(1, n))):
        report = fusir.explain(scaled, a, b, *scales)
        assert len(report.kernels) == 1 and not report.fallbacks, str(report)
        expected = exact * scales[0].double() * scales[1].double()
        for fuse in (True, False):
            torch.testing.assert_close(
                compiled(scaled, a, b, *scales, fuse=fuse).double(), expected, rtol=1e-5, atol=1e-4
            )
    bias = torch.randn(n).bfloat16()
    assert len(fusir.explain(with_bias, a, b, torch.tensor(0.5), torch.tensor(3.0), bias).kernels) == 1
    result = compiled(with_bias, a, b, torch.tensor(0.5), torch.tensor(3.0), bias)
    torch.testing.assert_close(result.double(), (exact * 1.5 + bias.double()).relu(), rtol=2**-8, atol=1e-4)
x, w = torch.randn(24, 64).bfloat16(), float8(48, 64).t()
report = fusir.explain(quantized, x, w, torch.rand(1, 48))
assert len(report.kernels) == 2 and not report.fallbacks, str(report)
scale = torch.rand(1, 48)
torch.testing.assert_close(compiled(quantized, x, w, scale), quantized(x, w, scale))

# What is left to PyTorch.
report = fusir.explain(scaled, float8(32, 64), float8(48, 64, dtype=E5M2).t(), torch.tensor(1.0), torch.tensor(1.0))
assert [each.target for each in report.fallbacks] == ["aten._scaled_mm.default"], str(report)
