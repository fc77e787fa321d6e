# RUN: %python %s
"""`pack_weights`: several modules and threads, what is packed and what is not, and that results stay what they are."""

import copy
import gc
import threading

import torch
import torch.nn.functional as F
from packed_layers import PACK, Layer, error_of, fresh, made

import fusir
from fusir.dialects import host

torch.manual_seed(0)
x = torch.randn(9, 128, dtype=torch.bfloat16)

# Modules that share one program, each with packed weights of its own; copies are modules of their own.
with torch.no_grad():
    layers = [Layer() for _ in range(3)]
    made.clear()
    torch._dynamo.reset()
    forward = torch.compile(Layer.forward, backend="fusir", options=PACK)
    for _ in range(3):
        for each in layers:
            assert error_of(forward(each, x), each, x) < 0.02
    assert len(made) == 1 and made[0].preparations == 3, (len(made), [each.preparations for each in made])
    assert made[0].packed_bytes == 3 * 128 * 128 * 2
    layers[1].gamma.mul_(3)
    copied = copy.deepcopy(layers[1])
    copied.weight.mul_(2)
    for each in (*layers, copied):
        assert error_of(forward(each, x), each, x) < 0.02
    assert made[0].preparations == 5
    del layers, each, copied
    gc.collect()
    assert made[0].packed_bytes == 0


# Launches: what is kept is not computed in the calls.
def launches(executable):
    return sum(isinstance(op, host.LaunchOp | host.CallAtenOp) for op in executable.func.body.block.ops)


class Several(torch.nn.Module):
    """Weights that are joined, converted, adapted, and in another layout than a convolution wants."""

    def __init__(self):
        super().__init__()
        self.layer = Layer()
        self.q = torch.nn.Linear(128, 96, bias=False)
        self.k = torch.nn.Linear(128, 33, bias=False)
        self.conv = torch.nn.Conv2d(16, 32, 3)
        self.adapter = torch.nn.Parameter(torch.randn(128, 4))

    def forward(self, x, images):
        joined = torch.cat([self.q.weight, self.k.weight]).bfloat16()
        adapted = self.layer.weight + (self.adapter @ self.adapter.T).bfloat16()
        with torch.autocast("cpu", torch.bfloat16):
            images = self.conv(images)
        return self.layer(x), F.linear(x, joined), F.linear(x, adapted), images


with torch.no_grad():
    several = Several()
    images = torch.randn(2, 16, 8, 8).to(memory_format=torch.channels_last)
    torch._dynamo.reset()
    plain = fusir.compile(several)(x, images)
    compiled = fresh(several)
    for _ in range(2):
        for actual, expected in zip(compiled(x, images), plain, strict=True):
            assert actual.stride() == expected.stride()
            torch.testing.assert_close(actual, expected, rtol=2e-2, atol=4e-2)
    assert made[0].preparations == 1
    assert launches(made[0].prepare) == 5, launches(made[0].prepare)
    assert launches(made[0].main) == 6, launches(made[0].main)
    report = fusir.explain(several, x, images, options=PACK)
    assert report.packed_bytes == made[0].packed_bytes == 2 * (128 * 128 * 2 + 129 * 128 + 32 * 16 * 9 + 32)
    assert f"{report.packed_bytes} bytes are kept: " in str(report)
    assert not fusir.explain(several, x, images).packed

# Results do not change what is kept, and they are those without packing within rounding.
with torch.no_grad():
    layer = Layer()
    compiled = fresh(layer)
    first = compiled(x)
    kept = first.clone()
    first.zero_()
    assert torch.equal(compiled(x), kept)
    for strict in (False, True):
        torch._dynamo.reset()
        plain = fusir.compile(layer, options={"strict_rounding": strict})(x)
        packed = fresh(layer, strict_rounding=strict)(x)
        torch.testing.assert_close(packed, plain, rtol=2e-2, atol=2e-2)
        if strict:
            assert torch.equal(packed, plain) and not made, "gamma is no factor of the weight where roundings are kept"

# Calls from several threads, while the weights change in between.
with torch.no_grad():
    layer = Layer()
    compiled = fresh(layer)
    compiled(x)
    failures = []

    def work():
        with torch.no_grad():
            failures.extend(True for _ in range(4) if error_of(compiled(x), layer, x) > 0.02)

    for round_ in range(3):
        layer.gamma.mul_(1.5)
        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not failures
        assert made[0].preparations == round_ + 2

# Nothing is packed for plain tensors, buffers, training, nor unless asked for.
layer = Layer()
compiled = fresh(layer)
compiled(x).sum().backward()
assert not made
with torch.no_grad():
    fresh(lambda x, w: torch.exp(w) * x)(x, torch.randn(128, 128)[:9].repeat(1, 1).bfloat16())
    assert not made
    buffers = torch.nn.Module()
    buffers.register_buffer("w", torch.randn(128, 128))
    fresh(lambda x: x @ torch.exp(buffers.w).bfloat16())(x)
    assert not made
    torch._dynamo.reset()
    fusir.compile(Layer())(x)
    assert not made
