# RUN: %python %s
"""Programs of many kinds through `fusir.compile`, and those that must fall back to PyTorch, with a warning."""

import copy
import warnings

import torch
from torch.nn import functional as F
from torch.utils.checkpoint import checkpoint

import fusir

torch.manual_seed(0)
x = torch.randn(4, 8)


def check(fn, *args, falls_back=False):
    torch._dynamo.reset()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        actual = fusir.compile(fn)(*copy.deepcopy(args))
    torch.testing.assert_close(actual, fn(*copy.deepcopy(args)))
    messages = [str(w.message) for w in caught if issubclass(w.category, fusir.FusirFallbackWarning)]
    assert bool(messages) == falls_back, messages
    assert all("\n" not in message for message in messages)


# Element types that only pass through, and complex numbers.
check(lambda x: x.to(torch.float8_e4m3fn).to(torch.float32) * 2, x)
check(lambda x: x.view(2, 2), torch.zeros(4).to(torch.uint16))
check(lambda x: (torch.complex(x, x) * 1j).conj().abs() + x, x)
check(lambda x: (x * 2 + 1).real, torch.randn(3, dtype=torch.complex64))
check(lambda x: x.t().conj(), torch.randn(3, 4, dtype=torch.complex64))

# Empty and oddly strided inputs.
check(lambda x: (x + 1, x.sum(0), x.reshape(0, 8)), torch.randn(0, 8))
check(lambda a, b: a.t() + b[::2], torch.randn(8, 4), torch.randn(8, 8))
check(lambda a: a + 1, torch.randn(1, 8).expand(4, 8))
check(lambda a: a.sum(-1), torch.randn(3, 5, 4).transpose(0, 2)[:, 1:])

# Operators that ATen runs, beside fused ones.
check(lambda x: (x.topk(2)[1], x.sort()[0] + 1), x)
check(lambda i, w: F.embedding_bag(i, w), torch.randint(0, 5, (2, 3)), torch.randn(5, 4))
check(lambda q: F.scaled_dot_product_attention(q, q, q, is_causal=True), torch.randn(1, 2, 8, 16))
check(lambda x: F.max_pool2d(F.conv2d(x, torch.ones(2, 3, 3, 3)).relu(), 2), torch.randn(2, 3, 8, 8))
check(lambda x: x.cumsum(0).exp(), x)

# Python in the program.
check(lambda x: x + torch.tensor([1.0, 2.0] * 4), x)
check(lambda x: x * torch.pi * x.shape[0], x)
check(lambda x: x * x.sum().item(), x)  # a graph break
check(lambda x: x[x > 0] * 2, x)
check(lambda x: torch.vmap(lambda a: a.sin().sum())(x), x)
check(lambda x: torch.func.grad(lambda a: a.sin().sum())(x), x)
check(lambda x: checkpoint(lambda z: z.sin().exp(), x, use_reentrant=False).sum(), x.clone().requires_grad_())


# Inference mode, with buffers that change.
def update(x):
    x.add_(1)
    return x.sum()


with torch.inference_mode():
    check(lambda x: x.exp() + 1, x)
    check(update, torch.randn(3, 3))


@torch.library.custom_op("frontend_test::double", mutates_args=())
def double(x: torch.Tensor) -> torch.Tensor:
    return x * 2


@double.register_fake
def _(x):
    return torch.empty_like(x)


check(lambda x: double(x + 1) + 1, x)

# What the graph dialect cannot say runs through PyTorch.
check(lambda x: torch.cond(x.sum() > 0, lambda a: a.sin(), lambda a: a.cos(), (x,)), x, falls_back=True)


@torch.library.custom_op("frontend_test::add_to", mutates_args={"x"})
def add_to(x: torch.Tensor, y: torch.Tensor) -> None:
    x.add_(y)


@add_to.register_fake
def _(x, y):
    pass


def with_mutating_operator(x):
    y = x * 2
    add_to(y, x)
    return y + 1


check(with_mutating_operator, x, falls_back=True)

# A foreach optimizer.
ours, theirs = ([torch.nn.Parameter(torch.ones(3, 3) * i) for i in range(3)] for _ in range(2))
optimizers = [torch.optim.AdamW(parameters, lr=0.1, foreach=True) for parameters in (ours, theirs)]
for a, b in zip(ours, theirs, strict=True):
    a.grad = torch.randn(3, 3)
    b.grad = a.grad.clone()
step = fusir.compile(optimizers[0].step)
for _ in range(2):
    step()
    optimizers[1].step()
torch.testing.assert_close(ours, theirs, rtol=1e-5, atol=1e-5)
