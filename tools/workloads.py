"""The workloads that `fusir-bench` measures: PyTorch programs with their inputs, in suites.

A maker takes `Inputs` and returns a `Workload`. Sizes are those of a data-centre GPU; `Inputs(small=True)` shrinks each
extent so that a workload runs anywhere in well under a second, which measures nothing but shows that it runs.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn

BF16 = torch.bfloat16
EPSILON = 1e-6
"""The small number in the root of an RMS norm."""
WEIGHT_SCALE = 0.02
"""Standard deviation of random weights, so that products of large matrices stay of the order of one."""


@dataclass(frozen=True)
class Workload:
    """A program and its arguments."""

    fn: Callable[..., Any]
    """A function or module that takes `args` and returns tensors."""
    args: Sequence[Any]
    """Tensors, or lists of tensors."""
    options: Mapping[str, object] | None = None
    """Options of `fusir.compile`; they are not for other compilers."""


@dataclass(frozen=True)
class Inputs:
    """Makes the inputs of workloads on one device."""

    device: str
    small: bool = False

    def extent(self, n: int) -> int:
        """`n`, or about 32 in small mode: a multiple of 8 stays one, an odd number stays odd."""
        return min(n, 32 + n % 8) if self.small else n

    def pick(self, normal: int, small: int) -> int:
        """One of two numbers by mode."""
        return small if self.small else normal

    def randn(self, *shape: int, dtype: torch.dtype = torch.float32, scale: float = 1.0) -> Tensor:
        """Normal numbers of standard deviation `scale`; the shape is that of the full size."""
        return torch.randn([self.extent(n) for n in shape], device=self.device, dtype=dtype) * scale

    def half(self, *shape: int, scale: float = 1.0) -> Tensor:
        """As `randn`, in bfloat16."""
        return self.randn(*shape, dtype=BF16, scale=scale)

    def integers(self, low: int, high: int, *shape: int, dtype: torch.dtype = torch.int64) -> Tensor:
        """Integers in [low, high); the shape is that of the full size."""
        return torch.randint(low, high, [self.extent(n) for n in shape], device=self.device, dtype=dtype)


Maker = Callable[[Inputs], Workload]


def _rms_norm(x: Tensor) -> Tensor:
    """Rows of `x` over their root mean square, computed and returned in float32 or wider."""
    wide = x.float() if x.dtype == BF16 else x
    return wide * torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + EPSILON)


# Examples: what fusion is about, in one program each.


def pointwise_example(inputs: Inputs) -> Workload:
    def fn(x: Tensor, w: Tensor, b: Tensor) -> Tensor:
        return torch.sigmoid(x * w + b)

    return Workload(fn, [inputs.randn(1 << 26) for _ in range(3)])


def reduction_example(inputs: Inputs) -> Workload:
    return Workload(lambda x: (x * 2.0).sum(dim=-1) + 1.0, [inputs.randn(16384, 4096)])


def reduction_1024(inputs: Inputs) -> Workload:
    return Workload(lambda x: (x * 2.0).sum(dim=-1) + 1.0, [inputs.randn(1024, 1024)])


def horizontal_sincos(inputs: Inputs) -> Workload:
    return Workload(lambda x: (torch.sin(x), torch.cos(x)), [inputs.randn(1 << 26)])


def gemm_bias_relu(inputs: Inputs) -> Workload:
    args = [inputs.half(8192, 4096), inputs.half(4096, 4096), inputs.half(4096)]
    return Workload(lambda x, w, b: torch.relu(x @ w + b), args)


def rmsnorm_gemm(inputs: Inputs) -> Workload:
    def fn(x: Tensor, gain: Tensor, w: Tensor) -> Tensor:
        return (_rms_norm(x) * gain).to(x.dtype) @ w

    return Workload(fn, [inputs.half(8192, 4096), inputs.half(4096), inputs.half(4096, 4096)])


def batchnorm_train(inputs: Inputs) -> Workload:
    def fn(x: Tensor, w: Tensor, b: Tensor) -> Tensor:
        return torch.relu(F.batch_norm(x, None, None, w, b, training=True))

    return Workload(fn, [inputs.randn(128, 256, 56, 56), inputs.randn(256), inputs.randn(256)])


# Parts of language models, forward and backward.


def softmax_rows(inputs: Inputs) -> Workload:
    return Workload(lambda x: torch.softmax(x, -1), [inputs.half(8192, 8192)])


def softmax_long(inputs: Inputs) -> Workload:
    return Workload(lambda x: torch.softmax(x, -1), [inputs.half(512, 131072)])


def layernorm(inputs: Inputs) -> Workload:
    def fn(x: Tensor, w: Tensor, b: Tensor) -> Tensor:
        return F.layer_norm(x, (x.shape[-1],), w, b)

    return Workload(fn, [inputs.half(16384, 4096), inputs.half(4096), inputs.half(4096)])


def add_rmsnorm(inputs: Inputs) -> Workload:
    def fn(x: Tensor, residual: Tensor, gain: Tensor) -> tuple[Tensor, Tensor]:
        h = x + residual
        return _rms_norm(h).to(h.dtype) * gain, h

    return Workload(fn, [inputs.half(16384, 4096), inputs.half(16384, 4096), inputs.half(4096)])


def rope(inputs: Inputs) -> Workload:
    def rotate(x: Tensor) -> Tensor:
        a, b = x.chunk(2, -1)
        return torch.cat((-b, a), -1)

    def fn(q: Tensor, k: Tensor, cos: Tensor, sin: Tensor) -> tuple[Tensor, Tensor]:
        return q * cos + rotate(q) * sin, k * cos + rotate(k) * sin

    heads = [inputs.half(8, 32, 4096, 128), inputs.half(8, 8, 4096, 128)]
    return Workload(fn, [*heads, inputs.half(4096, 128), inputs.half(4096, 128)])


def swiglu_act(inputs: Inputs) -> Workload:
    def fn(x: Tensor) -> Tensor:
        gate, up = x.chunk(2, -1)
        return F.silu(gate) * up

    return Workload(fn, [inputs.half(8192, 2 * 14336)])


def swiglu_mlp(inputs: Inputs) -> Workload:
    def fn(x: Tensor, gate: Tensor, up: Tensor, down: Tensor) -> Tensor:
        return (F.silu(x @ gate) * (x @ up)) @ down

    wide = [inputs.half(4096, 14336, scale=WEIGHT_SCALE) for _ in range(2)]
    return Workload(fn, [inputs.half(4096, 4096), *wide, inputs.half(14336, 4096, scale=WEIGHT_SCALE)])


def gelu_bwd(inputs: Inputs) -> Workload:
    def fn(x: Tensor, grad: Tensor) -> Tensor:
        k, c = 0.044715, math.sqrt(2 / math.pi)
        t = torch.tanh(c * (x + k * x * x * x))
        return grad * (0.5 * (1 + t) + 0.5 * x * (1 - t * t) * c * (1 + 3 * k * x * x))

    return Workload(fn, [inputs.half(8192, 14336), inputs.half(8192, 14336)])


def cross_entropy(inputs: Inputs) -> Workload:
    def fn(x: Tensor, target: Tensor) -> Tensor:
        return F.cross_entropy(x.float() if x.dtype == BF16 else x, target)

    return Workload(fn, [inputs.half(4096, 128256), inputs.integers(0, inputs.extent(128256), 4096)])


def naive_attention_causal(inputs: Inputs) -> Workload:
    def fn(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        scores = (q @ k.transpose(-1, -2)) * (q.shape[-1] ** -0.5)
        mask = torch.ones(scores.shape[-2:], device=scores.device, dtype=torch.bool).tril()
        return torch.softmax(scores.masked_fill(~mask, float("-inf")).float(), -1).to(q.dtype) @ v

    return Workload(fn, [inputs.half(4, 32, 2048, 128) for _ in range(3)])


def naive_attention_bias(inputs: Inputs) -> Workload:
    def fn(q: Tensor, k: Tensor, v: Tensor, bias: Tensor) -> Tensor:
        scores = (q @ k.transpose(-1, -2)) * (q.shape[-1] ** -0.5) + bias
        return torch.softmax(scores.float(), -1).to(q.dtype) @ v

    return Workload(fn, [*(inputs.half(4, 16, 2048, 64) for _ in range(3)), inputs.half(1, 16, 2048, 2048)])


def layernorm_bwd(inputs: Inputs) -> Workload:
    def fn(x: Tensor, w: Tensor, b: Tensor, grad: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        xf, gf = (x.float(), grad.float()) if x.dtype == BF16 else (x, grad)
        rstd = torch.rsqrt(xf.var(-1, unbiased=False, keepdim=True) + 1e-5)
        normal = (xf - xf.mean(-1, keepdim=True)) * rstd
        wg = gf * w
        dx = rstd * (wg - wg.mean(-1, keepdim=True) - normal * (wg * normal).mean(-1, keepdim=True))
        return dx.to(x.dtype), (gf * normal).sum(0).to(w.dtype), gf.sum(0).to(b.dtype)

    return Workload(fn, [inputs.half(16384, 4096), inputs.half(4096), inputs.half(4096), inputs.half(16384, 4096)])


def transpose_reduce(inputs: Inputs) -> Workload:
    def fn(x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        return x.transpose(0, 1).contiguous(), x.sum(0), x.sum(1)

    return Workload(fn, [inputs.randn(16384, 8192)])


def adamw_foreach(inputs: Inputs) -> Workload:
    def fn(p: list[Tensor], g: list[Tensor], m: list[Tensor], v: list[Tensor]) -> list[tuple[Tensor, Tensor, Tensor]]:
        results: list[tuple[Tensor, Tensor, Tensor]] = []
        for value, grad, mean, square in zip(p, g, m, v, strict=True):
            mean, square = mean * 0.9 + grad * 0.1, square * 0.999 + grad * grad * 0.001
            results.append((value * 0.9999 - 1e-3 * mean / (square.sqrt() + 1e-8), mean, square))
        return results

    shapes = [(1024, 1024)] * inputs.pick(32, 2) + [(1024,)] * inputs.pick(32, 2) + [(4096, 1024)] * inputs.pick(16, 1)
    p, g, m, v = ([inputs.randn(*shape) for shape in shapes] for _ in range(4))
    return Workload(fn, [p, g, m, [each.abs() for each in v]])


def small_chain(inputs: Inputs) -> Workload:
    """Many small ops: bound by launches."""

    def fn(x: Tensor, w: Tensor) -> Tensor:
        for _ in range(20):
            x = torch.relu(x @ w) + x * 0.5
            x = x / (x.abs().sum(-1, keepdim=True) + 1.0)
        return x

    return Workload(fn, [inputs.randn(64, 256), inputs.randn(256, 256, scale=0.05)])


# Reductions, scans and norms of awkward or large extents.


def three_stats(inputs: Inputs) -> Workload:
    return Workload(lambda x: (x.abs().amax(), x.abs().mean(), x.square().mean()), [inputs.randn(1 << 28)])


def cumsum_rows(inputs: Inputs) -> Workload:
    return Workload(lambda x: torch.cumsum(x, 1), [inputs.randn(32768, 32768)])


def log_softmax_50257(inputs: Inputs) -> Workload:
    return Workload(lambda x: torch.log_softmax(x, -1), [inputs.half(4096, 50257)])


def rmsnorm_4097(inputs: Inputs) -> Workload:
    return Workload(lambda x, g: (_rms_norm(x) * g).to(x.dtype), [inputs.half(16384, 4097), inputs.half(4097)])


def rmsnorm_bwd(inputs: Inputs) -> Workload:
    def fn(x: Tensor, gain: Tensor, grad: Tensor) -> tuple[Tensor, Tensor]:
        xf, gf = (x.float(), grad.float()) if x.dtype == BF16 else (x, grad)
        r = torch.rsqrt(xf.pow(2).mean(-1, keepdim=True) + EPSILON)
        normal, wg = xf * r, gf * gain
        dx = r * (wg - normal * (wg * normal).mean(-1, keepdim=True))
        return dx.to(x.dtype), (gf * normal).sum(0).to(gain.dtype)

    return Workload(fn, [inputs.half(16384, 4096), inputs.half(4096), inputs.half(16384, 4096)])


def groupnorm(inputs: Inputs) -> Workload:
    args = [inputs.half(64, 256, 64, 64), inputs.half(256), inputs.half(256)]
    return Workload(lambda x, w, b: F.group_norm(x, 32, w, b), args)


ROW_LENGTHS = (1000, 4096, 4097, 8192, 32768, 50257, 131072, 262144)
"""Extents of the rows of the suite `rows`."""

ROW_ELEMENTS = 1 << 26
"""Elements of all rows together, about."""


def _rows(function: Callable[..., Tensor], length: int, dtype: torch.dtype, weights: int, inputs: Inputs) -> Workload:
    """`function` of rows of a length and of weights along them."""
    x = inputs.randn(ROW_ELEMENTS // length, length, dtype=dtype)
    return Workload(function, [x, *(inputs.randn(length, dtype=dtype) for _ in range(weights))])


def _layer_norm(x: Tensor, w: Tensor, b: Tensor) -> Tensor:
    return F.layer_norm(x, x.shape[-1:], w, b)


def _rms_norm_of_rows(x: Tensor, w: Tensor) -> Tensor:
    return F.rms_norm(x, x.shape[-1:], w)


def _softmax(x: Tensor) -> Tensor:
    return torch.softmax(x, -1)


def _log_softmax(x: Tensor) -> Tensor:
    return torch.log_softmax(x, -1)


_ROW_FUNCTIONS: dict[str, tuple[Callable[..., Tensor], int]] = {
    "softmax": (_softmax, 0),
    "log_softmax": (_log_softmax, 0),
    "layer_norm": (_layer_norm, 2),
    "rms_norm": (_rms_norm_of_rows, 1),
}


def _row_workloads() -> dict[str, Maker]:
    """Softmax and norms over rows of all lengths in bfloat16, and of some in float32."""
    made: dict[str, Maker] = {}
    for name, (function, weights) in _ROW_FUNCTIONS.items():
        for length in ROW_LENGTHS:
            made[f"{name}_{length}"] = partial(_rows, function, length, BF16, weights)
        made[f"{name}_4096_f32"] = partial(_rows, function, 4096, torch.float32, weights)
    return made


def group_norm_f32(inputs: Inputs) -> Workload:
    args = [inputs.randn(64, 256, 64, 64), inputs.randn(256), inputs.randn(256)]
    return Workload(lambda x, w, b: F.group_norm(x, 32, w, b), args)


def cumsum_reverse(inputs: Inputs) -> Workload:
    return Workload(lambda x: x.flip(1).cumsum(1).flip(1), [inputs.randn(32768, 32768)])


def cumsum_masked(inputs: Inputs) -> Workload:
    mask = inputs.integers(0, 2, 32768, 32768, dtype=torch.int8).bool()
    return Workload(lambda x, m: torch.cumsum(x * m, 1), [inputs.randn(32768, 32768), mask])


# Contractions with what stands before and behind them.


def gemm_gelu(inputs: Inputs) -> Workload:
    args = [inputs.half(8192, 4096), inputs.half(4096, 4096, scale=WEIGHT_SCALE), inputs.half(4096)]
    return Workload(lambda x, w, b: F.gelu(F.linear(x, w, b)), args)


def gemm_residual(inputs: Inputs) -> Workload:
    args = [inputs.half(8192, 4096), inputs.half(4096, 4096, scale=WEIGHT_SCALE), inputs.half(8192, 4096)]
    return Workload(lambda x, w, residual: residual + x @ w, args)


def gemm_rowsum(inputs: Inputs) -> Workload:
    args = [inputs.half(8192, 4096), inputs.half(4096, 4096, scale=WEIGHT_SCALE)]
    return Workload(lambda x, w: (x @ w).float().sum(-1), args)


def gemm_logsumexp(inputs: Inputs) -> Workload:
    args = [inputs.half(4096, 4096), inputs.half(4096, 32000, scale=WEIGHT_SCALE)]
    return Workload(lambda x, w: torch.logsumexp((x @ w).float(), -1), args)


def add_rmsnorm_gemm(inputs: Inputs) -> Workload:
    def fn(x: Tensor, residual: Tensor, gain: Tensor, w: Tensor) -> tuple[Tensor, Tensor]:
        h = x + residual
        return (_rms_norm(h).to(h.dtype) * gain) @ w, h

    rows = [inputs.half(8192, 4096), inputs.half(8192, 4096)]
    return Workload(fn, [*rows, inputs.half(4096), inputs.half(4096, 4096, scale=WEIGHT_SCALE)])


def gemm_f32(inputs: Inputs) -> Workload:
    return Workload(lambda x, w: torch.relu(x @ w), [inputs.randn(4096, 4096), inputs.randn(4096, 4096)])


def gemm_f32_bf16x6(inputs: Inputs) -> Workload:
    """The same with tensor cores, at the accuracy of f32."""
    return replace(gemm_f32(inputs), options={"float32_products": "bf16x6"})


def gemm_small_m(inputs: Inputs) -> Workload:
    args = [inputs.half(16, 4096), inputs.half(4096, 4096, scale=WEIGHT_SCALE), inputs.half(4096)]
    return Workload(lambda x, w, b: F.silu(F.linear(x, w, b)), args)


def int8_weight_gemm(inputs: Inputs) -> Workload:
    args = [inputs.half(16, 8192), inputs.integers(-128, 127, 8192, 8192, dtype=torch.int8), inputs.half(8192)]
    return Workload(lambda x, w, scale: x @ (w.to(x.dtype) * scale), args)


# Whole models with random weights, inference in bfloat16.


class _ResultOf(nn.Module):
    """A language model as a function from token ids to one tensor of its output."""

    def __init__(self, model: Any, result: str) -> None:
        super().__init__()
        self.model = model
        self.result = result

    def forward(self, ids: Tensor) -> Tensor:
        return getattr(self.model(input_ids=ids), self.result)


def _language_model(inputs: Inputs, model: Any, vocabulary: int, *shape: int, result: str = "logits") -> Workload:
    module = _ResultOf(model, result).to(inputs.device, BF16).eval()
    return Workload(module, [inputs.integers(0, vocabulary, *shape)])


def _llama(inputs: Inputs, layers: int, **settings: Any) -> Workload:
    from transformers import LlamaConfig, LlamaForCausalLM

    vocabulary = inputs.pick(32000, 128)
    config = LlamaConfig(
        hidden_size=inputs.pick(2048, 64),
        intermediate_size=inputs.pick(8192, 128),
        num_hidden_layers=inputs.pick(layers, 1),
        num_attention_heads=inputs.pick(32, 4),
        num_key_value_heads=inputs.pick(8, 2),
        vocab_size=vocabulary,
        use_cache=False,
        **settings,
    )
    return _language_model(inputs, LlamaForCausalLM(config), vocabulary, 4, 1024)


def llama(inputs: Inputs) -> Workload:
    return _llama(inputs, 8)


def llama_plain_attention(inputs: Inputs) -> Workload:
    return _llama(inputs, 4, attn_implementation="eager")


def gpt2(inputs: Inputs) -> Workload:
    from transformers import GPT2Config, GPT2LMHeadModel

    config = GPT2Config(n_layer=inputs.pick(12, 1), use_cache=False)
    return _language_model(inputs, GPT2LMHeadModel(config), config.vocab_size, 8, 512)


def bert(inputs: Inputs) -> Workload:
    from transformers import BertConfig, BertModel

    config = BertConfig(num_hidden_layers=inputs.pick(12, 1))
    return _language_model(inputs, BertModel(config), config.vocab_size, 32, 128, result="last_hidden_state")


def _image_model(inputs: Inputs, name: str) -> Workload:
    import timm  # pyright: ignore[reportMissingImports]

    model = timm.create_model(name, pretrained=False).to(inputs.device, BF16).eval()
    images = torch.randn(inputs.pick(64, 1), 3, 224, 224, device=inputs.device, dtype=BF16)
    return Workload(model, [images])


def resnet50(inputs: Inputs) -> Workload:
    return _image_model(inputs, "resnet50")


def vit_base(inputs: Inputs) -> Workload:
    return _image_model(inputs, "vit_base_patch16_224")


def convnext_tiny(inputs: Inputs) -> Workload:
    return _image_model(inputs, "convnext_tiny")


def _suite(*makers: Maker) -> dict[str, Maker]:
    return {maker.__name__: maker for maker in makers}


SUITES: dict[str, dict[str, Maker]] = {
    "seed": _suite(
        pointwise_example,
        reduction_example,
        reduction_1024,
        horizontal_sincos,
        gemm_bias_relu,
        rmsnorm_gemm,
        batchnorm_train,
    ),
    "llm": _suite(
        softmax_rows,
        softmax_long,
        layernorm,
        add_rmsnorm,
        rope,
        swiglu_act,
        swiglu_mlp,
        gelu_bwd,
        cross_entropy,
        naive_attention_causal,
        naive_attention_bias,
        layernorm_bwd,
        transpose_reduce,
        adamw_foreach,
        small_chain,
    ),
    "red": _suite(
        three_stats,
        cumsum_rows,
        cumsum_reverse,
        cumsum_masked,
        log_softmax_50257,
        rmsnorm_4097,
        rmsnorm_bwd,
        groupnorm,
        group_norm_f32,
    ),
    "rows": _row_workloads(),
    "gemm": _suite(
        gemm_gelu,
        gemm_residual,
        gemm_rowsum,
        gemm_logsumexp,
        add_rmsnorm_gemm,
        gemm_f32,
        gemm_f32_bf16x6,
        gemm_small_m,
        int8_weight_gemm,
    ),
    "models": _suite(llama, llama_plain_attention, gpt2, bert, resnet50, vit_base, convnext_tiny),
}
"""Suites by name: names of workloads and what makes them."""
