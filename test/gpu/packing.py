# RUN: rm -rf %t && env FUSIR_CACHE_DIR=%t %python %s
# REQUIRES: cuda
"""`pack_weights` on a GPU: CUDA graphs, ours and the user's, streams, and what the check costs."""

import time

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
PACK = {"pack_weights": True, "tune": False}


class Layer(torch.nn.Module):
    """An RMS norm before a projection."""

    def __init__(self, size=512):
        super().__init__()
        self.gamma = torch.nn.Parameter(torch.rand(size, device="cuda", dtype=torch.bfloat16) + 0.5)
        self.weight = torch.nn.Parameter(torch.randn(size, size, device="cuda", dtype=torch.bfloat16) / size**0.5)

    def forward(self, x):
        scale = torch.rsqrt(x.float().pow(2).mean(-1, keepdim=True) + 1e-6).to(x.dtype)
        return F.linear(x * scale * self.gamma, self.weight)


def error_of(result, layer, x):
    """The largest error, as a part of the largest value."""
    x, gamma, weight = x.double(), layer.gamma.double(), layer.weight.double()
    expected = (x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6) * gamma) @ weight.T
    return ((result.double() - expected).abs().max() / expected.abs().max()).item()


def fresh(fn, **arguments):
    torch._dynamo.reset()
    made.clear()
    return fusir.compile(fn, options=PACK, **arguments)


torch.manual_seed(0)
x = torch.randn(64, 512, device="cuda", dtype=torch.bfloat16)

# Changes, also between replays of recorded graphs: packed tensors keep their addresses.
for mode in (None, "reduce-overhead"):
    with torch.no_grad():
        layer = Layer()
        compiled = fresh(layer, mode=mode)
        for number in range(1, 5):
            for _ in range(5):
                error = error_of(compiled(x), layer, x)
                assert error < 0.02, (mode, number, error)
            assert made[0].preparations == number, (mode, made[0].preparations)
            layer.gamma.mul_(1.5)
        layer.weight = torch.nn.Parameter(layer.weight * 2)
        for _ in range(5):
            assert error_of(compiled(x), layer, x) < 0.02, mode

# A fused optimizer does not count what it writes.
layer = Layer()
compiled = fresh(layer)
optimizer = torch.optim.AdamW(layer.parameters(), lr=0.1, fused=True)
for _ in range(3):
    with torch.no_grad():
        assert error_of(compiled(x), layer, x) < 0.02
    layer.gamma.grad, layer.weight.grad = torch.randn_like(layer.gamma), torch.randn_like(layer.weight)
    optimizer.step()

# Another stream waits for the packed tensors.
with torch.no_grad():
    layer = Layer(4096)
    wide = torch.randn(64, 4096, device="cuda", dtype=torch.bfloat16)
    compiled = fresh(layer)
    compiled(wide)
    first, second = torch.cuda.Stream(), torch.cuda.Stream()
    for _ in range(5):
        torch.cuda.synchronize()
        layer.gamma.mul_(1.25)
        torch.cuda.synchronize()
        with torch.cuda.stream(first):
            torch.cuda._sleep(20_000_000)
            compiled(wide)
        with torch.cuda.stream(second):
            result = compiled(wide)
        torch.cuda.synchronize()
        assert error_of(result, layer, wide) < 0.02

# A graph that the user records reads the parameters when it is replayed.
with torch.no_grad():
    layer = Layer()
    compiled = fresh(layer)
    for _ in range(3):
        compiled(x)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        result = compiled(x)
    for _ in range(3):
        layer.gamma.mul_(1.5)
        graph.replay()
        assert error_of(result, layer, x) < 0.02

# What a call takes in addition.
with torch.no_grad():
    state = [*layer.parameters()] * 50
    start = time.perf_counter()
    for _ in range(1000):
        packing._state_of(state)
    per_parameter = (time.perf_counter() - start) / 1000 / len(state)
    print(f"{per_parameter * 1e9:.0f} ns for each parameter")
    assert per_parameter < 1e-6
