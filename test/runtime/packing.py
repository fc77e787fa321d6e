# RUN: %python %s
"""`pack_weights`: what is made of parameters is computed once and kept, and whatever changes a parameter is noticed."""

import torch
from packed_layers import Layer, check, fresh, made

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
