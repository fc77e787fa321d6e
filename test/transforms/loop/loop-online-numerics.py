# RUN: %python %s
"""The online law: cascades in one walk agree with float64, however the walk is cut into blocks, or the row into parts that
are walked each for itself and merged, and with the cascade itself where a row holds infinities or NaN."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch
import torch.nn.functional as F
from torch import Tensor
from xdsl.parser import Parser

import fusir
from fusir.dialects.loop import KernelOp, OnlineOp, ReduceOp
from fusir.interpreters.loop import interpret_kernel
from fusir.pipeline import run_pipeline
from fusir.tools.registry import make_context
from fusir.transforms.loop.online import merge_cascades

ROWS, LENGTH = 8, 67
CUTS = ((1, 1), (20, 1), (20, 2), (None, 67))
"""Iterations of a block (None: all), and the number of parts."""


def cosine(x: Tensor) -> Tensor:
    y = x * 0.5 + 1
    return (x * y).sum(1) / (x.norm(dim=1) * y.norm(dim=1))


def skew(x: Tensor) -> Tensor:
    d = x - x.mean(1, keepdim=True)
    return (d * d * d).mean(1) / (d * d).mean(1) ** 1.5


def centred_covariance(x: Tensor) -> Tensor:
    y = x.sin()
    return ((x - x.mean(1, keepdim=True)) * (y - y.mean(1, keepdim=True))).mean(1)


def entropy(x: Tensor) -> Tensor:
    p = F.softmax(x, 1)
    return -(p * F.log_softmax(x, 1)).sum(1)


def masked_softmax_mean(x: Tensor) -> Tensor:
    masked = torch.where(x > 0, x, float("-inf"))
    return (F.softmax(masked, 1) * x).sum(1)


def peak_above_mean(x: Tensor) -> Tensor:
    return (x - x.mean(1, keepdim=True)).amax(1)


def normalised(x: Tensor) -> Tensor:
    return (x / x.norm(dim=1, keepdim=True)).sum(1)


def expectation(x: Tensor) -> Tensor:
    """exp of x - logsumexp, which a part with nothing but -inf has no finite estimate of."""
    p = torch.exp(x - torch.logsumexp(x, 1, keepdim=True))
    return torch.where(x > -1e30, p * x, 0.0).sum(1)


def around_log_norm(x: Tensor) -> Tensor:
    """Deviations from what is infinite where a part is 0."""
    d = x - x.square().sum(1, keepdim=True).log()
    return (d * d).sum(1) + d.sum(1)


def centred_exp(x: Tensor) -> Tensor:
    """exp of x - mean, which overflows at the mean of some parts."""
    return torch.exp(x - x.mean(1, keepdim=True)).sum(1)


def peak(x: Tensor) -> Tensor:
    """Where the first maximum is, 0 in a row of -inf, and its share of the sum of exponentials."""
    share = torch.exp(x.amax(1) - torch.logsumexp(x, 1))
    return x.argmax(1) + torch.where(share > 0, share, 0.0)


CASCADES: dict[str, tuple[Callable[[Tensor], Tensor], int]] = {
    "logsumexp": (lambda x: torch.logsumexp(x, 1), 1),
    "softmax": (lambda x: F.softmax(x, 1), 1),
    "log_softmax": (lambda x: F.log_softmax(x, 1), 1),
    "variance": (lambda x: x.var(1), 1),
    "layer norm": (lambda x: F.layer_norm(x, (LENGTH,)), 1),
    "entropy": (entropy, 1),
    "skew": (skew, 1),
    "covariance": (centred_covariance, 1),
    "masked softmax": (masked_softmax_mean, 1),
    "peak above mean": (peak_above_mean, 1),
    "normalised": (normalised, 1),
    "expectation": (expectation, 2),
    "around log norm": (around_log_norm, 1),
    "centred exp": (centred_exp, 2),
    "peak": (peak, 1),
}
"""Functions of rows, and how many walks fold them."""


def kernel_of(function: Callable[[Tensor], Tensor], x: Tensor) -> KernelOp:
    """The only kernel of a function, fused and not scheduled."""
    module = fusir.trace(function, x)
    run_pipeline(make_context(), module, upto="loop")
    (kernel,) = (op for op in module.ops if isinstance(op, KernelOp))
    return kernel


def run(kernel: KernelOp, x: Tensor, like: Tensor, block: int | None = None, parts: int = 1) -> Tensor:
    result = torch.full_like(like, 77.0, dtype=x.dtype)
    interpret_kernel(kernel, [x, result], block=block, parts=parts)
    return result


def error_of(result: Tensor, exact: Tensor, where: Tensor) -> float:
    difference = (result.double() - exact).abs() / (1 + exact.abs())
    return difference[where].max().item() if bool(where.any()) else 0.0


def check(name: str, function: Callable[[Tensor], Tensor], kernels: Sequence[KernelOp], x: Tensor, rtol: float) -> None:
    """Compare one walk with the cascade and with float64: it may be twice as far off as the cascade, or `rtol`."""
    exact = function(x.double())
    cascade, online = kernels
    expected = run(cascade, x, exact)
    finite = expected.isfinite()
    for block, parts in CUTS:
        result = run(online, x, exact, block, parts)
        where = f"{name}, blocks of {block} in {parts} parts"
        assert torch.equal(result[~finite].nan_to_num(0.5), expected[~finite].nan_to_num(0.5)), (
            f"{where}: {result[~finite]} instead of {expected[~finite]}"
        )
        assert bool(result[finite].isfinite().all()), f"{where}: {result} instead of {expected}"
        error, own = error_of(result, exact, finite), error_of(expected, exact, finite)
        assert error <= max(2 * own, rtol), f"{where}: error {error}, of the cascade {own}"


def special_rows() -> Tensor:
    x = torch.randn(ROWS, LENGTH)
    x[0, :40] = float("-inf")
    x[1] = float("-inf")
    x[2, 5] = float("inf")
    x[3, 60] = float("nan")
    x[4] = 1.0
    x[5, 20:] = float("-inf")
    x[6, :40] = -1e9
    x[7, 66] = float("-inf")
    return x


def uneven_rows() -> Tensor:
    """Parts that have little in common with the whole row."""
    x = torch.randn(ROWS, LENGTH)
    x[0, :40] = 0.0
    x[1, 40:] = 0.0
    x[2, 1:] = 0.0
    x[3, :30], x[3, 30], x[3, 31:] = -300.0, 60.0, 0.0
    return x


EMPTY = """
loop.kernel @normalised(%x: memref<2x?xf32, #loop.strided<[s0, 1]>>, %y: memref<2xf32>, %s0: index) {
  loop.parallel (%i) in (2) {
    %q = loop.reduce [add] (%k) in (%s0) -> f32 {
      %a = loop.load %x[%i, %k] : memref<2x?xf32, #loop.strided<[s0, 1]>>
      %s = arith.mulf %a, %a : f32
      loop.yield %s : f32
    }
    %norm = math.sqrt %q : f32
    %s = loop.reduce [add] (%k) in (%s0) -> f32 {
      %a = loop.load %x[%i, %k] : memref<2x?xf32, #loop.strided<[s0, 1]>>
      %d = arith.divf %a, %norm : f32
      loop.yield %d : f32
    }
    loop.store %s, %y[%i] : memref<2xf32>
  }
}
"""
"""Rows that may be empty: the sum is 0 then, although 1 / norm is infinite."""


def check_empty_rows() -> None:
    module = Parser(make_context(), EMPTY).parse_module()
    (kernel,) = (op for op in module.ops if isinstance(op, KernelOp))
    merge_cascades(kernel)
    kernel.verify()
    for length, expected in ((0, 0.0), (4, 2.0)):
        for parts in (1, 3):
            result = torch.full((2,), 77.0)
            interpret_kernel(kernel, [torch.ones(2, length), result, length], parts=parts)
            assert torch.equal(result, torch.full((2,), expected)), f"rows of {length} in {parts} parts: {result}"


def main() -> None:
    check_empty_rows()
    torch.manual_seed(0)
    torch.set_num_threads(1)
    rows = torch.randn(ROWS, LENGTH)
    special, uneven = special_rows(), uneven_rows()
    for name, (function, walks) in CASCADES.items():
        cascade = kernel_of(function, rows)
        online = cascade.clone()
        merge_cascades(online)
        online.verify()
        folds = [op for op in online.walk() if isinstance(op, OnlineOp | ReduceOp)]
        assert len(folds) == walks, f"{name}: {len(folds)} walks\n{online}"
        check(name, function, (cascade, online), rows, 3e-6)
        # Far from 0, where a difference of squares would have no digit right. In blocks of 1 the mean is a plain sum of
        # 67 terms: off by up to 67 * 1000 * 2^-24, relative to a standard deviation of 1.
        check(f"{name} of large values", function, (cascade, online), rows + 1e3, 4e-3)
        check(f"{name} of special values", function, (cascade, online), special, 3e-6)
        check(f"{name} of uneven values", function, (cascade, online), uneven, 3e-5)


main()
