"""The pointwise ops of the graph level as functions of torch tensors of one dtype."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import torch
from xdsl.ir import Operation

from fusir.dialects import graph

Unary = Callable[[torch.Tensor], torch.Tensor]
Binary = Callable[[torch.Tensor, torch.Tensor], torch.Tensor]


def _sign(x: torch.Tensor) -> torch.Tensor:
    return torch.where(torch.isnan(x), torch.zeros_like(x), torch.sign(x)) if x.is_floating_point() else torch.sign(x)


def _by_safe_divisor(function: Binary, at_minus_one: Unary) -> Binary:
    """Integer division without traps: 0 where the divisor is 0, and -1 handled apart (the least integer overflows)."""

    def divide(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        if x.is_floating_point():
            return function(x, y)
        minus_one = (y == -1) if y.dtype.is_signed else torch.zeros_like(y, dtype=torch.bool)
        quotient = function(x, torch.where((y == 0) | minus_one, torch.ones_like(y), y))
        return torch.where(y == 0, torch.zeros_like(x), torch.where(minus_one, at_minus_one(x), quotient))

    return divide


def _truncated(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    return torch.true_divide(x, y) if x.is_floating_point() else torch.div(x, y, rounding_mode="trunc")


UNARY: Mapping[type[Operation], Unary] = {
    graph.NegOp: torch.neg,
    graph.AbsOp: torch.abs,
    graph.SignOp: _sign,
    graph.ExpOp: torch.exp,
    graph.Exp2Op: torch.exp2,
    graph.Expm1Op: torch.expm1,
    graph.LogOp: torch.log,
    graph.Log2Op: torch.log2,
    graph.Log10Op: torch.log10,
    graph.Log1pOp: torch.log1p,
    graph.SqrtOp: torch.sqrt,
    graph.RsqrtOp: torch.rsqrt,
    graph.ReciprocalOp: torch.reciprocal,
    graph.SinOp: torch.sin,
    graph.CosOp: torch.cos,
    graph.TanOp: torch.tan,
    graph.AsinOp: torch.asin,
    graph.AcosOp: torch.acos,
    graph.AtanOp: torch.atan,
    graph.SinhOp: torch.sinh,
    graph.CoshOp: torch.cosh,
    graph.TanhOp: torch.tanh,
    graph.AsinhOp: torch.asinh,
    graph.AcoshOp: torch.acosh,
    graph.AtanhOp: torch.atanh,
    graph.ErfOp: torch.erf,
    graph.ErfcOp: torch.erfc,
    graph.SigmoidOp: torch.sigmoid,
    graph.ReluOp: torch.relu,
    graph.FloorOp: torch.floor,
    graph.CeilOp: torch.ceil,
    graph.RoundOp: torch.round,
    graph.TruncOp: torch.trunc,
    graph.NotOp: torch.bitwise_not,
}

BINARY: Mapping[type[Operation], Binary] = {
    graph.AddOp: torch.add,
    graph.SubOp: torch.sub,
    graph.MulOp: torch.mul,
    graph.DivOp: _by_safe_divisor(_truncated, torch.neg),
    graph.FloorDivOp: _by_safe_divisor(torch.floor_divide, torch.neg),
    graph.RemOp: _by_safe_divisor(torch.fmod, torch.zeros_like),
    graph.ModOp: _by_safe_divisor(torch.remainder, torch.zeros_like),
    graph.PowOp: torch.pow,
    graph.Atan2Op: torch.atan2,
    graph.MaximumOp: torch.maximum,
    graph.MinimumOp: torch.minimum,
    graph.FmaxOp: torch.fmax,
    graph.FminOp: torch.fmin,
    graph.AndOp: torch.bitwise_and,
    graph.OrOp: torch.bitwise_or,
    graph.XorOp: torch.bitwise_xor,
    graph.ShlOp: torch.bitwise_left_shift,
    graph.ShrOp: torch.bitwise_right_shift,
}

COMPARE: Mapping[graph.ComparePredicate, Binary] = {
    graph.ComparePredicate.EQ: torch.eq,
    graph.ComparePredicate.NE: torch.ne,
    graph.ComparePredicate.LT: torch.lt,
    graph.ComparePredicate.LE: torch.le,
    graph.ComparePredicate.GT: torch.gt,
    graph.ComparePredicate.GE: torch.ge,
}
