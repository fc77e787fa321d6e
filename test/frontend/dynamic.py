# RUN: %python %s
"""Dynamic shapes through `fusir.compile`: one compilation for many sizes, forward and backward."""

import torch
from frontend_checks import strict
from torch import nn
from torch.nn import functional as F

import fusir

strict()
torch.manual_seed(0)


def check(fn, inputs, *, backward=False):
    """Results and gradients for all inputs, compiled once."""
    torch._dynamo.reset()
    compiled = fusir.compile(fn, dynamic=True)
    for number, args in enumerate(inputs):
        with torch._dynamo.config.patch(error_on_recompile=number > 0):
            mine = [a.clone().requires_grad_(backward and a.is_floating_point()) for a in args]
            theirs = [a.clone().requires_grad_(backward and a.is_floating_point()) for a in args]
            actual, expected = compiled(*mine), fn(*theirs)
            torch.testing.assert_close(actual, expected, rtol=1e-4, atol=1e-5)
            if backward:
                actual.square().sum().backward()
                expected.square().sum().backward()
                torch.testing.assert_close([a.grad for a in mine], [a.grad for a in theirs], rtol=1e-4, atol=1e-5)


sizes = [(3, 5), (7, 2), (16, 33)]
check(lambda x: torch.sigmoid(x * 2) + 1, [(torch.randn(s),) for s in sizes], backward=True)
check(lambda x: x.softmax(-1).t(), [(torch.randn(s),) for s in sizes], backward=True)
check(lambda x: (x - x.mean(0)) / x.std(0), [(torch.randn(s),) for s in sizes])
check(lambda x: x.view(-1, x.shape[-1] // 2, 2).sum(1), [(torch.randn(a, 2, 2 * b),) for a, b in sizes])
check(lambda x, y: torch.cat([x, y], 1)[:, 1:], [(torch.randn(a, b), torch.randn(a, b + 2)) for a, b in sizes])
check(lambda x: x[:, -1] + torch.arange(x.shape[0]), [(torch.randn(s),) for s in sizes])
check(lambda x: x.new_zeros(x.shape[0], 2 * x.shape[1]) + 1, [(torch.randn(s),) for s in sizes])
check(lambda x: (x + 1, x.shape[0] * 2), [(torch.randn(s),) for s in sizes])
check(lambda i, w: F.embedding(i, w).sum(1), [(torch.randint(0, 9, s), torch.randn(9, 4)) for s in sizes])

layer = nn.Sequential(nn.Linear(6, 8), nn.GELU(), nn.LayerNorm(8))
check(layer, [(torch.randn(a, b, 6),) for a, b in sizes], backward=True)

norm = nn.BatchNorm1d(4)
check(norm, [(torch.randn(a + 2, 4),) for a, _ in sizes], backward=True)

# A marked dim alone.
torch._dynamo.reset()
compiled = fusir.compile(lambda x: x.relu().sum(1))
for rows in (4, 9, 11):
    x = torch.randn(rows, 8)
    torch._dynamo.mark_dynamic(x, 0)
    torch.testing.assert_close(compiled(x), x.relu().sum(1))
