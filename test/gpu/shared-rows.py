# RUN: rm -rf %t && env FUSIR_CACHE_DIR=%t %python %s
# REQUIRES: cuda
"""Rows that several programs share, on a GPU: right, the same bits in every run, on several streams at once, and in CUDA
graphs. A hang here means that programs wait for others that cannot start."""

from __future__ import annotations

import threading
from collections.abc import Callable

import torch
from torch import Tensor

import fusir

DEVICE = torch.device("cuda:0")
RUNS = 5

torch.manual_seed(0)


def softmax(x: Tensor) -> Tensor:
    return torch.softmax(x, -1)


def layer_norm(x: Tensor, g: Tensor, b: Tensor) -> Tensor:
    return torch.nn.functional.layer_norm(x, x.shape[1:], g, b)


def batch_norm(x: Tensor, mean: Tensor, var: Tensor, g: Tensor, b: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    return torch.native_batch_norm(x, g, b, mean, var, True, 0.1, 1e-5)


def random(*shape: int, dtype: torch.dtype = torch.float32) -> Tensor:
    return torch.randn(shape, dtype=dtype, device=DEVICE)


# Rows of dynamic length are not shared, and Dynamo takes extents for dynamic when it has seen others: hence dynamic=False.


def results_of(function: Callable[..., object], inputs: list[Tensor]) -> list[Tensor]:
    results = function(*inputs)
    return [x for x in (results if isinstance(results, tuple) else (results,)) if isinstance(x, Tensor)]


def bits(x: Tensor) -> Tensor:
    return x.contiguous().view(torch.uint8)


def must_share(function: Callable[..., object], inputs: list[Tensor]) -> None:
    """The function is one kernel whose programs wait for each other."""
    report = fusir.explain(function, *inputs)
    assert len(report.kernels) == 1 and 'sem="acquire"' in report.kernels[0].source, report.kernels


WORKLOADS: dict[str, tuple[Callable[..., object], list[Tensor], float]] = {
    "softmax 256x524288": (softmax, [random(256, 524288, dtype=torch.bfloat16)], 1e-2),
    "softmax 64x50257": (softmax, [random(64, 50257)], 1e-5),
    "softmax 100x400001": (softmax, [random(100, 400001, dtype=torch.float16)], 2e-3),
    "layer norm 16x4M": (layer_norm, [random(16, 1 << 22), random(1 << 22), random(1 << 22)], 1e-4),
    "batch norm": (
        batch_norm,
        [random(128, 256, 56, 56), random(256), random(256).abs(), random(256), random(256)],
        1e-4,
    ),
}


def check(name: str) -> list[Tensor]:
    """Right against float64, and RUNS times the same; gives the results."""
    function, inputs, tolerance = WORKLOADS[name]
    compiled = fusir.compile(function, dynamic=False)
    # Batch norm updates its statistics: every run gets copies.
    first = results_of(compiled, [x.clone() for x in inputs])
    exact = results_of(function, [x.double() for x in inputs])
    for result, expected in zip(first, exact, strict=True):
        scale = float(expected.abs().max())
        torch.testing.assert_close(result.double(), expected, rtol=tolerance, atol=tolerance * scale)
    for _ in range(RUNS):
        for result, again in zip(first, results_of(compiled, [x.clone() for x in inputs]), strict=True):
            assert torch.equal(bits(result), bits(again)), f"{name}: other bits in another run"
    return first


def concurrently(names: tuple[str, ...], first: dict[str, list[Tensor]]) -> None:
    """Each workload on a stream of its own, from a thread of its own, all at once."""
    errors: list[BaseException] = []
    start = threading.Barrier(len(names))

    def run(name: str) -> None:
        try:
            function, inputs, _ = WORKLOADS[name]
            compiled = fusir.compile(function, dynamic=False)
            stream = torch.cuda.Stream()
            stream.wait_stream(torch.cuda.default_stream())
            with torch.cuda.stream(stream):
                copies = [[x.clone() for x in inputs] for _ in range(RUNS)]
                start.wait()
                results = [results_of(compiled, each) for each in copies]
            stream.synchronize()
            for each in results:
                for result, expected in zip(each, first[name], strict=True):
                    assert torch.equal(bits(result), bits(expected)), f"{name}: other bits beside other kernels"
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=run, args=(name,)) for name in names]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]


def in_graphs(name: str, first: list[Tensor]) -> None:
    """Replays start with zeroed counters, like launches; also beside launches on another stream."""
    function, inputs, _ = WORKLOADS[name]
    compiled = fusir.compile(function, mode="reduce-overhead", dynamic=False)
    side = torch.cuda.Stream()
    plain = fusir.compile(function, dynamic=False)
    for _ in range(RUNS + 3):
        with torch.cuda.stream(side):
            results_of(plain, inputs)
        for result, expected in zip(results_of(compiled, inputs), first, strict=True):
            other = int((bits(result) != bits(expected)).sum())
            assert other == 0, f"{name}: {other} elements have other bits in a CUDA graph"
    torch.cuda.synchronize()


for workload, inputs, _ in WORKLOADS.values():
    must_share(workload, inputs)
results = {name: check(name) for name in WORKLOADS}
concurrently(("softmax 256x524288", "layer norm 16x4M"), results)
concurrently(("batch norm", "layer norm 16x4M", "softmax 100x400001"), results)
in_graphs("softmax 256x524288", results["softmax 256x524288"])
in_graphs("softmax 64x50257", results["softmax 64x50257"])
