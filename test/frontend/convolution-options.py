# RUN: %python %s
"""The option `channels_last`; a batch of any size; training programs; the operators that keep the layout."""

import torch
from channels_last import check_operators
from frontend_checks import strict
from torch import nn

import fusir

strict()
torch.manual_seed(0)
net = nn.Sequential(nn.Conv2d(6, 6, 3, padding=1), nn.BatchNorm2d(6), nn.ReLU(), nn.Conv2d(6, 6, 3, padding=1)).eval()

forced = fusir.compile(net, dynamic=True, options={"channels_last": True})
for batch in (2, 5, 3):
    x = torch.randn(batch, 6, 8, 8)
    with torch.no_grad():
        torch.testing.assert_close(forced(x), net(x), rtol=1e-4, atol=1e-5)
text = fusir.explain(net, x, options={"channels_last": True}).stages["host"]
assert "[384, 1, 48, 6]" in text
assert "[384, 1, 48, 6]" not in fusir.explain(net, x).stages["host"], "on the CPU PyTorch has its own layouts"

# Training programs keep their layouts.
before = [p.clone() for p in net.parameters()]
gradients = []
for run in (net, fusir.compile(net, options={"channels_last": True})):
    net.zero_grad()
    run(x).square().sum().backward()
    gradients.append([p.grad.clone() for p in net.parameters()])
torch.testing.assert_close(gradients[1], gradients[0], rtol=1e-3, atol=1e-3)

for device in ("cpu", "meta"):
    check_operators(device, torch.float32)
