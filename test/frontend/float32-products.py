# RUN: %python %s
"""How products of f32 are computed: PyTorch's setting at import, the option, and the ranges of products of pieces.

On the CPU the tile interpreter multiplies pieces as Triton does.
"""

import math

import torch

import fusir
from fusir.options import resolve_options

torch.set_num_threads(1)
LARGEST_BF16 = torch.finfo(torch.bfloat16).max


def product(a, b):
    return a @ b + 1


a, b = torch.randn(40, 96), torch.randn(96, 24)

# Import takes PyTorch's setting as it is then.
texts = {}
for setting in ("high", "medium", "highest"):
    torch.set_float32_matmul_precision(setting)
    texts[setting] = str(fusir.trace(product, a, b))
    half = str(fusir.trace(product, a.half(), b.half()))
    assert " precision " not in half, half
assert texts["high"] == texts["medium"] and "precision tf32 :" in texts["high"], texts["high"]
assert " precision " not in texts["highest"], texts["highest"]

# The option wins, to the instruction.
for option, written in {"ieee": "ieee", "tf32": "tf32", "bf16x6": "bf16x6", None: "tf32"}.items():
    torch.set_float32_matmul_precision("high")
    report = fusir.explain(product, a, b, options={"float32_products": option, "target": "sm_90"})
    assert f'input_precision="{written}"' in report.kernels[0].source, report.kernels[0].source
    assert not report.fallbacks
torch.set_float32_matmul_precision("highest")
try:
    resolve_options(None, {"float32_products": "tf64"})
except fusir.OptionError as error:
    assert str(error) == "option 'float32_products' must be one of ieee, tf32, bf16x6, got 'tf64'", error
else:
    raise AssertionError("tf64 is taken")


def compute(a, b, precision):
    """The product as a kernel with this precision computes it, without the sum behind it."""
    torch._dynamo.reset()
    compiled = fusir.compile(lambda a, b: (a @ b).neg(), options={"float32_products": precision})
    return -compiled(a, b)


def errors(a, b):
    """The largest error of each precision, relative to the largest sum of the sizes of the products."""
    exact = a.double() @ b.double()
    size = (a.double().abs() @ b.double().abs()).max()
    return {p: ((compute(a, b, p).double() - exact).abs().max() / size).item() for p in ("ieee", "tf32", "bf16x6")}


# Six products of pieces are as exact as those of f32, also where sums cancel; one of tf32 is not.
for shape in ((40, 96, 24), (1, 37, 5), (17, 1, 3), (33, 257, 65)):
    a, b = torch.randn(shape[0], shape[1]), torch.randn(shape[1], shape[2])
    found = errors(a, b)
    assert found["bf16x6"] <= max(2 * found["ieee"], 2**-23), (shape, found)
    is_dot = 1 not in shape
    assert not is_dot or 2**-14 < found["tf32"] < 2**-9, (shape, found)
a, b = torch.randn(32, 64), torch.randn(64, 32)
cancelling = errors(torch.cat([a, a * (1 + 2**-20)], 1), torch.cat([b, -b], 0))
assert cancelling["bf16x6"] < 2**-23, cancelling

# Rows and columns of very different sizes keep their relative errors.
scale = torch.logspace(-12, 12, 32)
badly = a * scale[:, None]
exact = badly.double() @ b.double()
rows = (badly.double().abs() @ b.double().abs()).amax(1, keepdim=True)
assert ((compute(badly, b, "bf16x6").double() - exact).abs() / rows).max() < 2**-22

# Factors below 2^-110 lose their smallest pieces: the error is absolute, at most 2^-133 of the other factor.
for exponent in (-100, -120, -130, -140, -149):
    tiny = torch.full((16, 16), 1 + 2**-7 + 2**-14 + 2**-21).double().mul(2.0**exponent).float()
    large = torch.eye(16) * 2.0**60
    result, exact = compute(tiny, large, "bf16x6").double(), tiny.double() @ large.double()
    error = (result - exact).abs().max() / 2.0**60
    assert error <= 2.0**-133, (exponent, math.log2(error))
    assert exponent < -110 or error <= 2.0 ** (exponent - 23), (exponent, error)

# Infinities and NaN are those of f32.
special = torch.randn(32, 32)
special[0, 3], special[1, 4], special[2, 5], special[3, 6:8] = (
    math.inf,
    -math.inf,
    math.nan,
    torch.tensor([1, -1]) * math.inf,
)
other = torch.randn(32, 32)
other[3, 7] = 0.0
torch.testing.assert_close(compute(special, other, "bf16x6"), special @ other, equal_nan=True, rtol=1e-5, atol=1e-4)
assert compute(special, other, "bf16x6")[0, 7].isnan()

# What is above the largest bf16 and no infinity becomes one: why pieces are no default.
beyond = torch.zeros(16, 16)
beyond[0, 0], beyond[1, 1] = torch.finfo(torch.float32).max, LARGEST_BF16
result = compute(beyond, torch.eye(16) * 0.5, "bf16x6")
assert result[0, 0] == math.inf and result[1, 1] == LARGEST_BF16 / 2, result
assert torch.equal(compute(beyond, torch.eye(16) * 0.5, "ieee"), beyond * 0.5)
