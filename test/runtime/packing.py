# RUN: %python %s
"""`pack_weights`: what is made of parameters is computed once and kept, and whatever changes a parameter is noticed."""

import copy
import gc
import threading

import torch
import torch.nn.functional as F

import fusir
from fusir.dialects import host
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


torch.manual_seed(0)
x = torch.randn(9, 128, dtype=torch.bfloat16)

# Whatever changes a parameter.
with torch.no_grad():
    layer = Layer()
    compiled = fresh(layer)
    for _ in range(3):
        check(compiled, layer, x, 1)
    assert len(made) == 1 and made[0].packed_bytes == layer.weight.numel() * 2
    layer.gamma.mul_(2)
    check(compiled, layer, x, 2)
    layer.weight.copy_(torch.randn(128, 128) / 16)
    check(compiled, layer, x, 3)
    layer.load_state_dict(Layer().state_dict())
    check(compiled, layer, x, 4)
    layer.weight = torch.nn.Parameter(torch.randn(128, 128, dtype=torch.bfloat16) / 16)
    check(compiled, layer, x, 5)
    layer.weight.data = torch.randn(128, 128, dtype=torch.bfloat16) / 16
    check(compiled, layer, x, 6)
    layer.load_state_dict(Layer().state_dict(), assign=True)
    check(compiled, layer, x, 7)
    torch._foreach_mul_(list(layer.parameters()), 0.5)
    check(compiled, layer, x, 8)
    torch.nn.utils.vector_to_parameters(torch.rand(128 * 129, dtype=torch.bfloat16) / 16, layer.parameters())
    check(compiled, layer, x, 9)
    torch.nn.init.normal_(layer.weight, std=0.1)
    check(compiled, layer, x, 10)
    with torch.inference_mode():
        layer.weight.mul_(2)
    check(compiled, layer, x, 11)
    check(compiled, layer, x, 11)

# A storage that ends: its address may be that of other values, in a tensor of the same version.
with torch.no_grad():
    memory = bytearray(2 * 128 * 128)

    def weight_at_memory(values):
        """A parameter at the address of `memory`."""
        tensor = torch.frombuffer(memory, dtype=torch.bfloat16).view(128, 128)
        tensor.copy_(values)
        return torch.nn.Parameter(tensor)

    layer = Layer()
    layer.weight = weight_at_memory(Layer().weight)
    compiled = fresh(layer)
    check(compiled, layer, x, 1)
    state = layer.weight.data_ptr(), layer.weight._version
    layer.weight = None
    assert made[0].packed_bytes == 0, "the packed tensors outlive the weight"
    layer.weight = weight_at_memory(Layer().weight)
    assert state == (layer.weight.data_ptr(), layer.weight._version)
    check(compiled, layer, x, 2)
    for number in range(3, 6):
        layer.half()
        layer.weight = torch.nn.Parameter(layer.weight * 2)
        layer.bfloat16()
        check(compiled, layer, x, number)

# Optimizers: kernels that count what they write, and fused ones, which do not.
for name in ("SGD", "AdamW"):
    for how in ("fused", "foreach"):
        layer = Layer()
        compiled = fresh(layer)
        optimizer = getattr(torch.optim, name)(layer.parameters(), lr=0.1, **{how: True})
        for number in range(1, 4):
            with torch.no_grad():
                check(compiled, layer, x, number)
                check(compiled, layer, x, number)
            layer.gamma.grad, layer.weight.grad = torch.randn_like(layer.gamma), torch.randn_like(layer.weight)
            optimizer.step()

# The optimizer of another module does not matter; a compiled step does.
other = Layer()
other.gamma.grad, other.weight.grad = torch.ones_like(other.gamma), torch.ones_like(other.weight)
optimizer = torch.optim.SGD(other.parameters(), lr=0.1, fused=True)
with torch.no_grad():
    number = made[0].preparations + 1
    check(compiled, layer, x, number)
    optimizer.step()
    check(compiled, layer, x, number)
    for backend in ("eager", "fusir"):
        number += 1
        torch.compile(torch.optim.SGD(layer.parameters(), lr=0.1, fused=True).step, backend=backend)()
        check(compiled, layer, x, number)

# In inference mode, with weights that have versions and with weights that have none.
layer = Layer()
compiled = fresh(layer)
with torch.inference_mode():
    check(compiled, layer, x, 1)
    check(compiled, layer, x, 1)
    layer.gamma.mul_(2)
    check(compiled, layer, x, 2)
with torch.no_grad():
    check(compiled, layer, x, 3)  # another program
with torch.inference_mode():
    layer = Layer()
    compiled = fresh(layer)
    check(compiled, layer, x, 0)
    layer.weight.mul_(2)
    check(compiled, layer, x, 0)

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
