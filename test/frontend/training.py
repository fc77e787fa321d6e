# RUN: %python %s
"""Training steps of modules through `fusir.compile` against eager: losses, gradients, parameters and buffers."""

import copy

import torch
from frontend_checks import strict
from torch import nn
from torch.nn import functional as F

import fusir

strict()
torch.manual_seed(0)


def train(name, model, batches, loss_of, tolerance=1e-5):
    torch._dynamo.reset()
    ours, theirs = copy.deepcopy(model), model
    compiled = fusir.compile(ours)
    optimizers = [torch.optim.SGD(m.parameters(), lr=0.05, momentum=0.9) for m in (ours, theirs)]
    for batch in batches:
        for run, optimizer in zip((compiled, theirs), optimizers, strict=True):
            optimizer.zero_grad()
            loss_of(run(batch)).backward()
            optimizer.step()
    for (key, a), b in zip(ours.state_dict().items(), theirs.state_dict().values(), strict=True):
        assert a.dtype == b.dtype and torch.allclose(a, b, rtol=tolerance, atol=tolerance), (
            name,
            key,
            (a - b).abs().max(),
        )
    print(name)


class Residual(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.conv1 = nn.Conv2d(channels, channels, 3, padding=1)
        self.norm1 = nn.BatchNorm2d(channels)
        self.conv2 = nn.Conv2d(channels, channels, 3, padding=1, bias=False)
        self.norm2 = nn.GroupNorm(2, channels)

    def forward(self, x):
        return F.relu(x + self.norm2(self.conv2(F.relu(self.norm1(self.conv1(x))))))


class Attention(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.norm = nn.LayerNorm(width)
        self.qkv = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)

    def forward(self, x):
        b, t, c = x.shape
        q, k, v = self.qkv(self.norm(x)).view(b, t, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        scores = (q @ k.transpose(-1, -2)) * (q.shape[-1] ** -0.5)
        mask = torch.ones(t, t, dtype=torch.bool, device=x.device).tril()
        weights = scores.masked_fill(~mask, float("-inf")).softmax(-1)
        return x + self.out((weights @ v).transpose(1, 2).reshape(b, t, c))


mlp = nn.Sequential(nn.Linear(6, 8), nn.GELU(), nn.BatchNorm1d(8), nn.SiLU(), nn.LayerNorm(8), nn.Linear(8, 3))
train("mlp", mlp, [torch.randn(5, 6) for _ in range(3)], lambda y: F.cross_entropy(y, torch.tensor([0, 1, 2, 1, 0])))

net = nn.Sequential(nn.Conv2d(3, 4, 3, 2), nn.MaxPool2d(2), Residual(4), nn.AdaptiveAvgPool2d(1), nn.Flatten())
images = [torch.randn(2, 3, 16, 16) for _ in range(3)]
train("convolutions", net, images, lambda y: y.square().mean())
train(
    "channels last",
    copy.deepcopy(net).to(memory_format=torch.channels_last),
    [image.to(memory_format=torch.channels_last) for image in images],
    lambda y: y.square().mean(),
)

train(
    "attention", nn.Sequential(Attention(8, 2), Attention(8, 2)), [torch.randn(2, 5, 8)] * 2, lambda y: y.pow(2).sum()
)

embedding = nn.Sequential(nn.Embedding(10, 6, padding_idx=0), nn.Linear(6, 4), nn.Tanh())
train("embedding", embedding, [torch.randint(0, 10, (3, 4))] * 2, lambda y: F.mse_loss(y, torch.ones_like(y)))

train(
    "double", nn.Linear(4, 3).double(), [torch.randn(2, 4, dtype=torch.float64)], lambda y: y.logsumexp(1).sum(), 1e-9
)

# bfloat16: as close to the f32 gradients as eager is.
wide = nn.Sequential(nn.Linear(16, 16), nn.LayerNorm(16), nn.GELU())
half = copy.deepcopy(wide).bfloat16()
x = torch.randn(8, 16)
wide(x).square().mean().backward()
gradients = {}
for name, run in (("eager", half), ("fusir", fusir.compile(half))):
    half.zero_grad()
    run(x.bfloat16()).square().mean().backward()
    gradients[name] = [p.grad.float() for p in half.parameters()]
for exact, ours, theirs in zip(wide.parameters(), gradients["fusir"], gradients["eager"], strict=True):
    scale = exact.grad.abs().max()
    assert (ours - exact.grad).abs().max() <= 1.5 * (theirs - exact.grad).abs().max() + 0.01 * scale


# Autocast inside and outside, and a graph break.
def autocast(x, w):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        y = torch.relu(x @ w)
    return y.float().sum()


w = torch.randn(16, 4, requires_grad=True)
assert torch.allclose(fusir.compile(autocast)(x, w), autocast(x, w), rtol=2e-2)


def broken(x):
    y = x.sin() * 2
    torch._dynamo.graph_break()
    return y.cos() + 1


assert torch.allclose(fusir.compile(broken)(x), broken(x), atol=1e-6)

# Dropout: governed by torch.manual_seed, another mask in each call, the right rate and scale, the same mask backward.
dropout = fusir.compile(nn.Dropout(0.25))
ones = torch.ones(100, 100, requires_grad=True)
torch.manual_seed(3)
first = dropout(ones)
second = dropout(ones)
torch.manual_seed(3)
assert torch.equal(first, dropout(ones)) and not torch.equal(first, second)
kept = (first != 0).float().mean()
assert abs(kept - 0.75) < 0.02 and torch.allclose(first[first != 0], torch.tensor(1 / 0.75))
first.sum().backward()
assert torch.equal(ones.grad, first.detach())


# A compiled optimizer step on lists of parameters.
def step(parameters, gradients):
    with torch.no_grad():
        torch._foreach_add_(parameters, gradients, alpha=-0.1)
        torch._foreach_mul_(parameters, 0.9)


a, b, g = torch.randn(3), torch.randn(2, 2), [torch.randn(3), torch.randn(2, 2)]
expected = [(a - 0.1 * g[0]) * 0.9, (b - 0.1 * g[1]) * 0.9]
fusir.compile(step)([a, b], g)
torch.testing.assert_close([a, b], expected)

# The backward passes of norms reduce rows and columns of one tensor: with rows enough for many programs, and with few.
for norm in (nn.LayerNorm, nn.RMSNorm):
    for shape in ((2112, 40), (2, 5, 7)):
        with torch.no_grad():
            model = norm(shape[-1])
            model.weight.add_(torch.randn_like(model.weight))
        batches = [torch.randn(shape, requires_grad=True) for _ in range(2)]
        train(f"{norm.__name__} {shape}", model, batches, lambda y: (y * y.detach().cos()).mean())
