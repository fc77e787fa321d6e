# RUN: %python %s
"""Products of bytes: `torch._int_mm` exact in kernels and in calls, quantization and scales around it in few kernels."""

import torch

import fusir

torch.set_num_threads(1)
torch.manual_seed(0)


def bytes_of(*shape):
    return torch.randint(-128, 128, shape, dtype=torch.int8)


def check(fn, *args, kernels, fuse=True):
    """The compiled function gives the bits of eager, in so many kernels and no call."""
    options = {"fuse": fuse}
    report = fusir.explain(fn, *args, options=options)
    if kernels is not None:
        assert len(report.kernels) == kernels and not report.fallbacks, str(report)
    torch._dynamo.reset()
    result, expected = fusir.compile(fn, options=options)(*args), fn(*args)
    assert result.dtype == expected.dtype and torch.equal(result, expected), fn.__name__
    return report


def product(a, b):
    return torch._int_mm(a, b)


def scaled(a, b, rows, columns, bias):
    return ((torch._int_mm(a, b).float() * rows * columns) + bias).to(torch.bfloat16)


def quantized(x, w, columns):
    """Quantized row by row: a scale for each row of what comes and for each column of the weight."""
    rows = x.abs().amax(1, keepdim=True).float() / 127
    q = (x / rows).round().clamp(-128, 127).to(torch.int8)
    return (torch._int_mm(q, w).float() * rows * columns).to(x.dtype)


def quantized_statically(x, w, scale, columns):
    q = (x / scale).round().clamp(-128, 127).to(torch.int8)
    return torch.relu(torch._int_mm(q, w).float() * (scale * columns))


# Extents that PyTorch's operator takes on a GPU, and others; one row or column is an ordinary sum.
for m, k, n in ((17, 40, 8), (3, 5, 7), (1, 33, 9), (9, 33, 1), (33, 1, 17), (64, 1100, 24)):
    check(product, bytes_of(m, k), bytes_of(n, k).t(), kernels=1)
    check(product, bytes_of(m, k), bytes_of(k, n), kernels=None, fuse=False)
for m, k, n in ((0, 8, 8), (20, 0, 8), (20, 8, 0)):
    check(product, bytes_of(m, k), bytes_of(k, n), kernels=None)
# The largest sums.
check(
    product, torch.full((32, 4096), -128, dtype=torch.int8), torch.full((4096, 32), -128, dtype=torch.int8), kernels=1
)

weight, columns = bytes_of(48, 96).t(), torch.rand(48)
check(scaled, bytes_of(40, 96), weight, torch.rand(40, 1), columns, torch.randn(48), kernels=1)
check(quantized, torch.randn(40, 96), weight, columns, kernels=2)
check(quantized, torch.randn(40, 96).bfloat16(), weight, columns, kernels=2)
check(quantized_statically, torch.randn(40, 96), weight, torch.tensor(0.02), columns, kernels=None)
report = check(quantized, torch.randn(40, 96), weight, columns, kernels=None, fuse=False)
assert [each.target for each in report.fallbacks] == ["aten._int_mm.default"], report.fallbacks
