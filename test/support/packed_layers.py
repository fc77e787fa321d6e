"""Shared by the tests of `pack_weights`: a layer whose weights are worth packing, and what was packed."""

import torch
import torch.nn.functional as F

import fusir
from fusir.runtime import packing

made: list[packing.PackedExecutable] = []
original = packing.PackedExecutable.__init__


def remember(self, *arguments):
    original(self, *arguments)
    made.append(self)


packing.PackedExecutable.__init__ = remember
PACK = {"pack_weights": True}


class Layer(torch.nn.Module):
    """An RMS norm before a projection: the weight of the norm can be folded into that of the projection."""

    def __init__(self, inputs=128, outputs=128, dtype=torch.bfloat16):
        super().__init__()
        self.gamma = torch.nn.Parameter(torch.rand(inputs, dtype=dtype) + 0.5)
        self.weight = torch.nn.Parameter(torch.randn(outputs, inputs, dtype=dtype) / inputs**0.5)

    def forward(self, x):
        scale = torch.rsqrt(x.float().pow(2).mean(-1, keepdim=True) + 1e-6).to(x.dtype)
        return F.linear(x * scale * self.gamma, self.weight)


def exact(layer, x):
    """The result in float64."""
    x, gamma, weight = x.double(), layer.gamma.double(), layer.weight.double()
    return (x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6) * gamma) @ weight.T


def error_of(result, layer, x):
    """The largest error, as a part of the largest value."""
    expected = exact(layer, x)
    return ((result.double() - expected).abs().max() / expected.abs().max()).item()


def fresh(fn, **options):
    torch._dynamo.reset()
    made.clear()
    return fusir.compile(fn, options=PACK | options)


def check(compiled, layer, x, preparations):
    """The result is right, and the packed tensors were computed as often as said."""
    error = error_of(compiled(x), layer, x)
    count = sum(each.preparations for each in made)
    assert error < 0.02, f"{error} after {count} preparations"
    assert count == preparations, f"{count}, expected {preparations}"
