# RUN: %python %s
"""Convolutions with channels last and their biases in kernels: numerics against f64, strides of results, launches."""

from collections.abc import Callable, Sequence
from typing import Any

import torch
from frontend_checks import strict
from torch import nn
from torch.nn import functional as F
from xdsl.dialects.builtin import ModuleOp

from fusir.dialects import host
from fusir.frontend.capture import capture
from fusir.frontend.compiler import CompiledGraph
from fusir.pipeline import run_pipeline
from fusir.runtime.executable import build
from fusir.tools.registry import make_context

strict()
torch.manual_seed(0)


def compiled(
    fn: Callable[..., Any], args: Sequence[torch.Tensor], products: bool = False
) -> tuple[ModuleOp, list[torch.Tensor]]:
    """The launch program of a program with channels last, and its results."""
    forced = {
        "channels-last": {"mode": ("always",), "products": (products,)},
        "convolution-bias": {"mode": ("always",)},
    }
    captured = capture(fn, args)
    imported = captured.imported()
    run_pipeline(make_context(), imported.module, options=forced)
    call = CompiledGraph(imported, build(imported.module), captured.gm)
    state = [*fn.parameters(), *fn.buffers()] if isinstance(fn, nn.Module) else []
    with torch.no_grad():
        return imported.module, list(call([t.detach() for t in (*state, *args)]))


def steps(module: ModuleOp) -> tuple[list[str], list[str]]:
    """The kernels that a launch program runs, and its calls of ATen."""
    ops = list(host.symbols_of_module(module)["main"].walk())
    kernels = [op.kernel.root_reference.data for op in ops if isinstance(op, host.LaunchOp)]
    return kernels, [op.target.data for op in ops if isinstance(op, host.CallAtenOp)]


def check(fn: Callable[..., Any], *args: torch.Tensor) -> tuple[list[str], list[str]]:
    """Compare a program in f32 with itself in f64, and the strides of its results with those of eager."""
    module, results = compiled(fn, args)
    with torch.no_grad():
        eager = fn(*args)
        wide = fn.double() if isinstance(fn, nn.Module) else fn
        exact = wide(*(a.double() for a in args))
    if isinstance(fn, nn.Module):
        fn.float()
    eager, exact = ([t] if isinstance(t, torch.Tensor) else list(t) for t in (eager, exact))
    for result, seen, reference in zip(results, eager, exact, strict=True):
        torch.testing.assert_close(result, reference.to(result.dtype), rtol=2e-5, atol=2e-5, equal_nan=True)
        assert result.stride() == seen.stride(), (result.stride(), seen.stride())
    return steps(module)


def weights(*shape: int) -> torch.Tensor:
    return torch.randn(shape) / 4


class Basic(nn.Module):
    """The basic block of a ResNet, with biases."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.first, self.second = (nn.Conv2d(channels, channels, 3, padding=1) for _ in range(2))
        self.norms = nn.ModuleList([nn.BatchNorm2d(channels) for _ in range(2)])
        for norm in self.norms:
            norm.running_mean.normal_()
            norm.running_var.uniform_(0.5, 2)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = F.relu(self.norms[0](self.first(x)))
        return F.relu(self.norms[1](self.second(y)) + x)


# A block is its convolutions, a kernel behind each, and copies of what comes from outside: the input and two filters.
kernels, calls = check(Basic(6).eval(), torch.randn(3, 6, 9, 11))
assert calls == ["aten.convolution.default"] * 2, calls
assert len([k for k in kernels if "copy" in k]) == 3 and len(kernels) == 5, kernels

# With another block and pools there is nothing more to copy than filters and the result.
net = nn.Sequential(
    nn.Conv2d(3, 6, 7, 2, 3), nn.ReLU(), nn.MaxPool2d(3, 2, 1), Basic(6), Basic(6), nn.AvgPool2d(2)
).eval()
kernels, calls = check(net, torch.randn(2, 3, 33, 31))
assert calls.count("aten.convolution.default") == 5
assert len([k for k in kernels if "copy" in k]) == 1 + 5 + 1, kernels

# An input that is channels last is taken as it is, and so is a filter of one element.
inverted = nn.Sequential(
    nn.Conv2d(5, 8, 1), nn.ReLU6(), nn.Conv2d(8, 8, 3, groups=8, padding=1), nn.SiLU(), nn.Conv2d(8, 5, 1)
)
kernels, _ = check(inverted, torch.randn(2, 5, 7, 7).to(memory_format=torch.channels_last))
assert len(kernels) == 2 and not any("copy" in k for k in kernels), kernels


class Shuffled(nn.Module):
    """Slices, a channel shuffle, concatenation, nearest upsampling, a transposed convolution, padding."""

    def __init__(self) -> None:
        super().__init__()
        self.narrow = nn.Conv2d(3, 4, 3, padding=1, groups=1)
        self.up = nn.ConvTranspose2d(8, 4, 3, stride=2, output_padding=1, groups=2)
        self.grouped = nn.Conv2d(4, 6, 3, dilation=2, groups=2, padding=(1, 2))
        self.last = nn.Conv2d(10, 2, (1, 3))

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, ...]:
        y = self.narrow(x)
        left, right = y.chunk(2, 1)
        y = torch.cat([right.sigmoid(), left, y], 1)
        n, c, h, w = y.shape
        y = y.view(n, 2, c // 2, h, w).transpose(1, 2).reshape(n, c, h, w)
        z = self.up(y)
        g = F.interpolate(self.grouped(F.pad(z, (1, 0, 2, 1))), scale_factor=2.0)
        z = F.interpolate(z, size=g.shape[2:], mode="bilinear")
        return self.last(torch.cat([g, z], 1)), z.cumsum(1), y


check(Shuffled(), torch.randn(2, 3, 5, 7))
check(Shuffled(), torch.randn(2, 3, 14, 5).transpose(2, 3)[:, :, :, ::2])
check(Shuffled(), torch.randn(1, 3, 1, 1))


class Tokens(nn.Module):
    """Patches, layer norm over channels, a matrix product, group norm, attention, the mean."""

    def __init__(self) -> None:
        super().__init__()
        self.patch, self.depth = nn.Conv2d(3, 8, 2, 2), nn.Conv2d(8, 8, 3, padding=1, groups=8)
        self.norm, self.mix, self.group = nn.LayerNorm(8), nn.Linear(8, 8), nn.GroupNorm(2, 8)
        self.qkv = nn.Conv2d(8, 24, 1)

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, ...]:
        x = self.patch(x)
        y = self.mix(self.norm(self.depth(x).permute(0, 2, 3, 1))).permute(0, 3, 1, 2) + x
        g = F.silu(self.group(y))
        q, k, v = (t.flatten(2).unflatten(1, (2, 4)).transpose(2, 3) for t in self.qkv(g).chunk(3, 1))
        a = F.scaled_dot_product_attention(q, k, v)
        return y.mean((2, 3)), a, g.flatten(1)


check(Tokens(), torch.randn(2, 3, 8, 6))

# Statistics of the batch; adaptive pools; volumes; lines, which have no such layout; results that are intermediates.
check(
    lambda x, w: F.batch_norm(F.conv2d(x, w), None, None, training=True), torch.randn(4, 3, 6, 5), weights(8, 3, 3, 3)
)
check(
    lambda x, w, b: F.adaptive_avg_pool2d(F.conv2d(x, w, b).tanh(), (2, 3)),
    torch.randn(4, 3, 6, 5),
    weights(8, 3, 3, 3),
    weights(8),
)
check(
    lambda x, w, b: F.adaptive_max_pool2d(F.conv2d(x, w, b).tanh(), 1),
    torch.randn(4, 3, 6, 5),
    weights(8, 3, 3, 3),
    weights(8),
)
check(
    lambda x, w, b: F.max_pool3d(F.relu(F.conv3d(x, w, b, padding=1)), 2),
    torch.randn(2, 3, 4, 5, 6),
    weights(4, 3, 3, 3, 3),
    weights(4),
)
check(lambda x, w, b: F.relu(F.conv1d(x, w, b)), torch.randn(2, 3, 9), weights(4, 3, 3), weights(4))
check(lambda x, w: [y := F.conv2d(x, w), z := y.relu(), F.conv2d(z, w)], torch.randn(2, 3, 8, 8), weights(3, 3, 3, 3))
check(lambda x, w: F.conv2d(x, w).as_strided((2, 5), (5, 1)), torch.randn(2, 3, 8, 8), weights(3, 3, 3, 3))
check(lambda x, w: F.conv2d(x, w).relu().permute(2, 0, 3, 1).contiguous(), torch.randn(2, 3, 8, 8), weights(3, 3, 3, 3))
check(lambda x, w: F.conv2d(x, w), torch.randn(0, 3, 8, 8), weights(3, 3, 3, 3))
check(lambda x: F.conv2d(x, x), torch.randn(3, 3, 3, 3))
check(lambda x, w: F.conv2d(x, w).exp(), torch.full((2, 3, 4, 4), torch.nan), weights(2, 3, 2, 2))
check(lambda x, w: F.conv2d(x[0], w).exp(), torch.randn(2, 3, 4, 4), weights(2, 3, 2, 2))

# As matrix products, one behind the other, with the inputs and results where they were.
chain = nn.Sequential(
    nn.Conv2d(8, 16, 1), nn.Conv2d(16, 6, 1, bias=False), nn.ReLU(), nn.Conv2d(6, 8, 3), nn.SiLU(), nn.Conv2d(8, 3, 1)
)
image = torch.randn(2, 8, 5, 7, dtype=torch.bfloat16)
module, (result,) = compiled(chain.bfloat16(), [image], products=True)
assert steps(module)[1].count("aten.convolution.default") == 1, steps(module)
exact = chain.double()(image.double())
torch.testing.assert_close(result.double(), exact, rtol=3e-2, atol=3e-2)
assert result.is_contiguous() and result.dtype == torch.bfloat16
