# RUN: env FUSIR_DISABLE_CACHE=1 %python %s
# REQUIRES: cuda
"""Kernels of contractions on a GPU: shapes, layouts, element types and tiles of every kind, against float64."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor
from xdsl.dialects.builtin import ModuleOp

import fusir
from fusir.dialects.loop import Tiles
from fusir.frontend.compiler import pass_options
from fusir.options import Options
from fusir.pipeline import run_pipeline
from fusir.runtime import executable
from fusir.tools.registry import make_context
from fusir.transforms.graph.contraction_choice import Choice, use_chooser

DEVICE = "cuda"
HALF_ERROR = 2.0**-7
"""Largest error of a bf16 result, of the largest element: a rounding, and that of sums in another order."""


@dataclass(frozen=True)
class Always:
    """A chooser of one choice."""

    choice: Choice

    def prepare(self, modules: object) -> None:
        pass

    def choose(self, module: object) -> Choice:
        return self.choice


Program = Callable[..., Tensor | tuple[Tensor, ...]]


def build(fn: Program, args: Sequence[Tensor], choice: Choice) -> executable.Executable:
    """The program of a function whose contractions become what is chosen."""
    return lowered(fusir.trace(fn, *args), choice)


def lowered(module: ModuleOp, choice: Choice) -> executable.Executable:
    """The program of a graph; its kernels are compiled in the background."""
    with use_chooser(Always(choice)):
        run_pipeline(make_context(), module, options=pass_options(Options()))
    return executable.build(module, Options(), check_inputs=False)


def error(found: Tensor, expected: Tensor) -> float:
    if expected.numel() == 0:
        return 0.0
    return ((found.double() - expected).abs().max() / expected.abs().max().clamp(min=1e-9)).item()


def half(*shape: int) -> Tensor:
    return torch.randn(shape, device=DEVICE, dtype=torch.bfloat16)


def linear(x: Tensor, w: Tensor, b: Tensor) -> Tensor:
    return F.gelu(F.linear(x, w, b))


def plain(x: Tensor, w: Tensor) -> Tensor:
    return x @ w


def gated(x: Tensor, w: Tensor, v: Tensor) -> Tensor:
    return F.silu(x @ w.t()) * (x @ v.t())


def summed(x: Tensor, w: Tensor) -> Tensor:
    return (x @ w.t()).float().sum(-1)


def batched(x: Tensor, w: Tensor) -> Tensor:
    return torch.relu(x @ w.transpose(-1, -2))


CASES: list[tuple[str, Program, list[Tensor]]] = [
    ("linear 512x384x320", linear, [half(512, 320), half(384, 320) / 16, half(384)]),
    ("linear 257x129x104", linear, [half(257, 104), half(129, 104) / 8, half(129)]),
    ("linear 100x77x51", linear, [half(100, 51), half(77, 51) / 8, half(77)]),
    ("plain 200x136x72", plain, [half(200, 72), half(72, 136)]),
    ("plain, transposed", plain, [half(72, 200).t(), half(136, 72).t()]),
    ("gated 300x256x128", gated, [half(300, 128), half(256, 128) / 8, half(256, 128) / 8]),
    ("summed 130x384x64", summed, [half(130, 64), half(384, 64)]),
    ("batched 6x70x90x48", batched, [half(6, 70, 48), half(6, 90, 48)]),
]

WAYS = [
    Tiles(m, n, k, group, warps, stages, 1, descriptors, persistent, stacked)
    for (m, n, k, group, warps, stages), (descriptors, persistent, stacked) in itertools.product(
        ((128, 128, 64, 8, 8, 3), (64, 32, 32, 2, 4, 2), (16, 64, 64, 16, 4, 4)),
        ((0, 0, 0), (0, 1, 0), (1, 0, 0), (1, 1, 0), (1, 1, 1)),
    )
]


def tiles_do_not_change_results() -> None:
    jobs = [(case, Choice(tiles=tiles)) for case in CASES for tiles in WAYS]
    jobs.append((CASES[3], Choice(plain=Tiles(64, 64, 32, 1, 4, 3, 2))))
    modules = {name: fusir.trace(fn, *args) for name, fn, args in CASES}
    programs = [lowered(modules[name].clone(), choice) for (name, _, _), choice in jobs]
    for ((name, fn, args), choice), program in zip(jobs, programs, strict=True):
        expected = fn(*(each.double() for each in args))
        (found,) = program(list(args))
        assert isinstance(expected, Tensor)
        off = error(found, expected)
        assert off <= HALF_ERROR, f"{name}, {choice.name}: off by {off}"


def element_types() -> None:
    """f16, f32 and bytes; large products, so that every multiprocessor has several tiles."""
    tiles = Choice(tiles=Tiles(128, 128, 64, 8, 8, 3, 1, 1, 1))
    for dtype, bound in ((torch.float16, 2.0**-9), (torch.bfloat16, HALF_ERROR)):
        x, w = (torch.randn(2048, 1024, device=DEVICE, dtype=dtype) for _ in range(2))
        (found,) = build(lambda x, w: x @ w.t(), [x, w], tiles)([x, w])
        assert error(found, x.double() @ w.double().t()) <= bound, dtype
    x, w = (torch.randn(512, 300, device=DEVICE) for _ in range(2))
    (found,) = build(lambda x, w: x @ w.t(), [x, w], Choice(tiles=Tiles(64, 64, 32, 8, 4, 2)))([x, w])
    assert error(found, x.double() @ w.double().t()) <= 2e-6
    x, w = (torch.randint(-128, 128, (256, 192), device=DEVICE, dtype=torch.int8) for _ in range(2))
    (found,) = build(lambda x, w: torch._int_mm(x, w.t()), [x, w], Choice(tiles=Tiles(64, 64, 64, 8, 4, 2)))([x, w])
    assert torch.equal(found.double(), x.double() @ w.double().t()), "products of bytes are exact"


def infinities_and_nan() -> None:
    """A row with an infinity, and one with NaN, keep to themselves, also beside lanes past the end."""
    x, w = half(70, 40), half(50, 40)
    x[3, 5], x[4, 6] = float("inf"), float("nan")
    for descriptors in (0, 1):
        choice = Choice(tiles=Tiles(64, 32, 32, 2, 4, 2, 1, descriptors))
        (found,) = build(lambda x, w: x @ w.t(), [x, w], choice)([x, w])
        expected = x.double() @ w.double().t()
        assert torch.equal(found.isnan(), expected.isnan()) and torch.equal(found.isinf(), expected.isinf())
        finite = expected.isfinite()
        assert error(found[finite], expected[finite]) <= HALF_ERROR


def memory_that_is_not_aligned() -> None:
    """The same program takes inputs that start off a boundary of 16 bytes: then without descriptors."""
    choice = Choice(tiles=Tiles(64, 64, 64, 8, 4, 3, 1, 1, 1))
    x, w = half(200, 128), half(96, 128)
    program = build(lambda x, w: x @ w.t(), [x, w], choice)
    moved = torch.empty(200 * 128 + 3, device=DEVICE, dtype=torch.bfloat16)[3:].view(200, 128).copy_(x)
    for first in (x, moved, x):
        (found,) = program([first, w])
        assert error(found, x.double() @ w.double().t()) <= HALF_ERROR


def recorded_graphs() -> None:
    """CUDA graphs: the scratch memory of descriptors lives as long as they do."""
    x, w, b = half(512, 512), half(768, 512) / 16, half(768)
    program = build(linear, [x, w, b], Choice(tiles=Tiles(128, 128, 64, 8, 8, 3, 1, 1, 1)))
    program([x, w, b])
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        (found,) = program([x, w, b])
    for _ in range(3):
        x.copy_(half(512, 512))
        torch.empty(1 << 20, device=DEVICE).normal_()
        graph.replay()
        assert error(found, linear(x.double(), w.double(), b.double())) <= HALF_ERROR


for check in (
    tiles_do_not_change_results,
    element_types,
    infinities_and_nan,
    memory_that_is_not_aligned,
    recorded_graphs,
):
    check()
    print(f"{check.__name__}: ok", flush=True)
