# RUN: %python %s
"""Reductions of many elements are at least as exact as eager's, against f64.

The allowance beside eager's error is two units in the last place of the result, or of a sum as large as that of random
signs (the root of the sum of squares): either side rounds the result once and the parts of a sum a few times, and which
of two such sums is nearer is luck. Eager's variances on the CPU are sums in f64.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch
from torch.nn import functional as F

import fusir

Function = Callable[[torch.Tensor], torch.Tensor]

MANY = 1 << 24
ALLOWED_UNITS = 2

torch.set_num_threads(1)


def values(kind: str, count: int, dtype: torch.dtype, seed: int = 0) -> torch.Tensor:
    generator = torch.Generator().manual_seed(seed)
    x = torch.randn(count, generator=generator)
    match kind:
        case "positive":
            x = x.abs()
        case "shifted":
            x = x + 1000
        case "wide":
            x = x * torch.exp(4 * torch.randn(count, generator=generator))
        case "cancelling":
            x = torch.tensor([1e8, 1.0, -1e8]).repeat(count // 3 + 1)
            x = x[torch.randperm(count, generator=generator)]
        case _:
            pass
    return x.to(dtype)


@dataclass(frozen=True)
class Case:
    """A reduction, and the size of a sum of random signs in it, if that can be larger than the result."""

    name: str
    reduce: Function
    size: Function = lambda x: x.new_zeros(())


SUMS = (
    Case("sum", lambda x: x.sum(), lambda x: x.norm()),
    Case("mean", lambda x: x.mean(), lambda x: x.norm() / x.numel()),
)
OTHERS = (
    Case("var", lambda x: x.var()),
    Case("std", lambda x: x.std(correction=0)),
    Case("norm", lambda x: x.norm()),
    Case("norm 1", lambda x: torch.linalg.vector_norm(x, 1)),
    Case("norm inf", lambda x: torch.linalg.vector_norm(x, torch.inf)),
    Case("mean of squares", lambda x: x.square().mean()),
    Case("mean of abs", lambda x: x.abs().mean()),
    Case("logsumexp", lambda x: x.logsumexp(0)),
)
ROWS = (
    Case("sum of rows", lambda x: x.sum(1), lambda x: x.norm(dim=1)),
    Case("sum of columns", lambda x: x.sum(0), lambda x: x.norm(dim=0)),
    Case("mean of columns", lambda x: x.mean(0), lambda x: x.norm(dim=0) / len(x)),
    Case("variance of rows", lambda x: x.var(1)),
    Case("variance of columns", lambda x: x.var(0)),
    Case("norm of rows", lambda x: x.norm(dim=1)),
    Case("logsumexp of rows", lambda x: x.logsumexp(1)),
    Case("softmax", lambda x: x.softmax(1)),
)


def check(cases: Sequence[Case], inputs: Sequence[torch.Tensor]) -> None:
    """Compare the errors, in units in the last place: of each result the root of the mean square over the inputs."""
    torch.compiler.reset()
    compiled = fusir.compile(lambda x: [case.reduce(x) for case in cases], dynamic=False)
    squares: dict[str, list[torch.Tensor]] = {case.name: [] for case in cases}
    for x in inputs:
        exact_x, info = x.double(), torch.finfo(x.dtype)
        for case, ours in zip(cases, compiled(x), strict=True):
            exact = case.reduce(exact_x)
            unit = info.eps * torch.maximum(exact.abs(), case.size(exact_x)).clamp_min(info.tiny)
            errors = [((result.double() - exact) / unit).abs().max() for result in (ours, case.reduce(x))]
            squares[case.name].append(torch.stack(errors).square())
    for name, found in squares.items():
        ours, eager = torch.stack(found).mean(0).sqrt().tolist()
        text = f"{name} of {inputs[0].dtype}{list(inputs[0].shape)}: {ours:.2f} units, eager {eager:.2f}"
        print(text)
        assert ours <= eager + ALLOWED_UNITS, text


for dtype in (torch.float32, torch.bfloat16):
    check((*SUMS, *OTHERS[:1]), [values("normal", MANY, dtype)])
check(SUMS, [values("positive", MANY, torch.float32)])
check(SUMS, [values("cancelling", MANY, torch.float32)])
for kind in ("normal", "positive", "shifted", "wide"):
    check((*SUMS, *OTHERS), [values(kind, 1 << 19, torch.float32, seed) for seed in range(3)])
check((*SUMS, *OTHERS), [values("normal", 1 << 19, torch.bfloat16, seed) for seed in range(3)])
check(SUMS, [values("cancelling", 100_003, torch.float32, seed) for seed in range(20)])
for shape in ((1024, 1009), (30, 40_009), (50_021, 24)):
    check(ROWS, [values("normal", shape[0] * shape[1], torch.float32).view(shape)])
check(ROWS, [values("normal", 1 << 20, torch.bfloat16).view(2048, 512)])
check(
    (
        Case(
            "layer norm",
            lambda x: F.layer_norm(x, (4096,)),
            lambda x: x.square().mean(1, keepdim=True).sqrt() / x.std(),
        ),
    ),
    [values("shifted", 1 << 20, torch.float32).view(256, 4096)],
)
