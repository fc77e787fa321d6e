# RUN: %python %s
"""Imported pointwise operators against eager, with the graph interpreter."""

import itertools

import torch
from frontend_checks import Checker, make
from torch.nn import functional as F

FLOATS = (torch.float32, torch.bfloat16, torch.float16, torch.float64)
INTEGERS = (torch.int64, torch.int32, torch.uint8)
SHAPES = ((), (2, 0, 3), (3, 4))

checker = Checker()
check = checker.check

UNARY = [
    "abs",
    "neg",
    "exp",
    "exp2",
    "expm1",
    "sin",
    "cos",
    "tan",
    "atan",
    "sinh",
    "cosh",
    "tanh",
    "asinh",
    "erf",
    "erfc",
    "sigmoid",
    "relu",
    "floor",
    "ceil",
    "round",
    "trunc",
    "sign",
    "isnan",
    "isinf",
    "isfinite",
    "signbit",
    "square",
    "reciprocal",
    "frac",
    "sgn",
    "logical_not",
]
POSITIVE = ["log", "log2", "log10", "log1p", "sqrt", "rsqrt", "acosh"]
INTERVAL = ["asin", "acos", "atanh"]
for name, dtype, shape in itertools.product(UNARY, FLOATS, SHAPES):
    check(name, getattr(torch, name), make(shape, dtype))
for name, dtype in itertools.product(POSITIVE, FLOATS):
    check(name, getattr(torch, name), make((3, 4), dtype, positive=True) + (1 if name == "acosh" else 0))
for name, dtype in itertools.product(INTERVAL, FLOATS):
    check(name, getattr(torch, name), make((3, 4), dtype).clamp(-0.9, 0.9))
for name, dtype in itertools.product(
    ["abs", "neg", "sign", "square", "bitwise_not", "exp", "sqrt", "floor", "logical_not", "isnan"], INTEGERS
):
    check(name, getattr(torch, name), make((3, 4), dtype))

BINARY = [
    "add",
    "sub",
    "mul",
    "maximum",
    "minimum",
    "eq",
    "ne",
    "lt",
    "le",
    "gt",
    "ge",
    "logical_and",
    "logical_xor",
    "remainder",
    "fmod",
    "floor_divide",
]
for name, (left, right) in itertools.product(
    BINARY, itertools.product((torch.float32, torch.bfloat16, *INTEGERS), repeat=2)
):
    check(name, getattr(torch, name), make((3, 4), left), make((4,), right, positive=True))
for name, dtype in itertools.product(["atan2", "copysign", "fmax", "fmin", "pow", "true_divide"], FLOATS):
    check(name, getattr(torch, name), make((3, 4), dtype, positive=True), make((3, 1), dtype, positive=True))
for name, dtype in itertools.product(["bitwise_and", "bitwise_or", "bitwise_xor"], (*INTEGERS, torch.bool)):
    check(name, getattr(torch, name), make((3, 4), dtype), make((4,), dtype))
for name, dtype in itertools.product(["bitwise_left_shift", "bitwise_right_shift"], INTEGERS):
    check(name, getattr(torch, name), make((3, 4), dtype), 2)
for scalar, dtype in itertools.product((2, 0.1, -3.5, True), (*FLOATS, torch.int32)):
    for name in ("add", "sub", "mul", "div", "eq", "lt"):
        if not (name == "sub" and scalar is True):
            check(name, getattr(torch, name), make((3, 4), dtype), scalar)
for exponent, dtype in itertools.product((0, 1, 2, 3, 0.5, -0.5, -1, -2, 1.7), FLOATS):
    check("pow", torch.pow, make((3, 4), dtype, positive=True), exponent)
for dtype in FLOATS:
    x, y, z = (make((3, 4), dtype) for _ in range(3))
    check("add alpha", lambda x, y: torch.add(x, y, alpha=0.3), x, y)
    check("sub alpha", lambda x, y: torch.sub(x, y, alpha=2), x, y)
    check("rsub", lambda x: 1.5 - x, x)
    check("addcmul", lambda x, y, z: torch.addcmul(x, y, z, value=0.5), x, y, z)
    check("addcdiv", lambda x, y, z: torch.addcdiv(x, y, z.abs() + 1, value=0.5), x, y, z)
    check("lerp", torch.lerp, x, y, 0.3)
    check("lerp", torch.lerp, x, y, z.abs())
    check("clamp", lambda x: x.clamp(-0.5, 0.7), x)
    check("clamp", lambda x: x.clamp(min=0.1), x)
    check("clamp", lambda x, y: x.clamp(max=y), x, y)
    check("where", lambda x, y: torch.where(x > 0, x, y), x, y)
    check("where", lambda x: torch.where(x > 0, x, 0.1), x)
    check("masked_fill", lambda x: x.masked_fill(x > 0, float("-inf")), x)
    check("nan_to_num", torch.nan_to_num, x)
    for fn in (
        F.gelu, F.silu, F.softplus, F.elu, F.selu, F.celu, F.leaky_relu, F.hardtanh, F.hardswish, F.hardsigmoid,
        F.mish, F.relu6, F.softsign, F.tanhshrink, F.logsigmoid, F.hardshrink, F.softshrink,
    ):  # fmt: skip
        check(fn.__name__, fn, x)
    check("gelu tanh", lambda x: F.gelu(x, approximate="tanh"), x)
    check("glu", F.glu, x)
    check("prelu", F.prelu, x, make((1,), dtype))
    check("threshold", lambda x: F.threshold(x, 0.1, 2.0), x)

for dtype, target in itertools.product((*FLOATS, *INTEGERS, torch.bool), repeat=2):
    check("to", lambda x, target=target: x.to(target), make((3, 4), dtype))

checker.finish()
