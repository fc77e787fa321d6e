# RUN: %python %s --seconds 10
"""PyTorch's own list of operators with sample inputs, imported and run with the graph interpreter. Zero may be wrong.

A run covers as many operators as fit in its time, beginning at another place for each dtype:

    python test/frontend/op_db.py --seconds 600 --samples 4     everything
"""

import argparse
import time
import warnings
from collections import Counter

import torch
from frontend_checks import difference, run_imported
from torch.testing._internal.common_methods_invocations import op_db

import fusir

warnings.simplefilter("ignore")

DTYPES = (
    torch.float32,
    torch.bfloat16,
    torch.int64,
    torch.bool,
    torch.float16,
    torch.uint8,
    torch.float64,
    torch.complex64,
)

UNCHECKED = [
    "empty",
    "rand",
    "bernoulli",
    "multinomial",
    "normal",
    "dropout",
    "uniform",
    "exponential",
    "geometric",
    "cauchy",
    "fractional",
    "rrelu",
    "feature_alpha",
    "svd",
    "pca_lowrank",
    "linalg.",
    "stft",
    "sparse",
    "masked.",
    "_refs",
]
"""Parts of names whose values are random, undefined, or not unique."""

KNOWN = {
    ("nn.functional.soft_margin_loss", torch.float16): "eager overflows where we compute in f32",
    ("nn.functional.multi_head_attention_forward", torch.float16): "rounds at other places than eager",
    ("nn.functional.embedding_bag", torch.bfloat16): "PyTorch's own shape function disagrees with its kernel",
}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--samples", type=int, default=1)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    torch.manual_seed(0)
    deadline = time.monotonic() + options.seconds
    counts: Counter[str] = Counter()
    wrong: list[str] = []
    cases = [(op, dtype) for op in op_db for dtype in DTYPES if dtype in op.supported_dtypes("cpu")]
    # A fixed stride visits all cases once, far ones first.
    stride = next(s for s in range(len(cases) * 3 // 8, len(cases)) if len(cases) % s)
    order = sorted(range(len(cases)), key=lambda i: (i * stride) % len(cases))
    for position in order:
        op, dtype = cases[position]
        name = f"{op.name}.{op.variant_test_name}" if op.variant_test_name else op.name
        if any(part in name for part in UNCHECKED) or options.only not in name or (name, dtype) in KNOWN:
            continue
        if time.monotonic() > deadline:
            counts["left out for time"] += 1
            continue
        for sample in samples(op, dtype, options.samples):
            kind, what = check(op, sample)
            counts[kind] += 1
            if what is not None:
                wrong.append(f"{name} {dtype}: {what}")
    print(", ".join(f"{number} {kind}" for kind, number in sorted(counts.items())))
    print(*wrong, sep="\n")
    assert not wrong


def samples(op, dtype, count):
    try:
        every = list(op.sample_inputs("cpu", dtype))
    except Exception:  # some lists need libraries or devices that are not here
        return []
    return every[:: max(1, len(every) // count)][:count]


def check(op, sample) -> tuple[str, str | None]:
    """The kind of outcome, and what is wrong."""
    args = (sample.input, *sample.args)
    try:
        expected = op.op(*args, **sample.kwargs)
    except Exception:
        return "failing in eager", None
    try:
        imported, actual = run_imported(lambda *a, **k: op.op(*a, **k), args, sample.kwargs)
    except fusir.CaptureError:
        return "not one graph", None
    except Exception as error:
        return "wrong", f"{type(error).__name__}: {' '.join(str(error).split())}"
    what = difference(actual, expected)
    if what is not None:
        return "wrong", what
    return "with calls of ATen" if imported.fallbacks else "native", None


main()
