# RUN: env FUSIR_DISABLE_CACHE=1 %python %s
"""The alternatives of the tuner are complete programs: lowered by the pipeline, run by the interpreters, and right."""

from collections.abc import Sequence
from contextlib import contextmanager
from typing import Any

import torch
from xdsl.parser import Parser

import fusir
from fusir.dialects.loop import KernelOp, LoadOp, Tiles
from fusir.frontend.compiler import contraction_chooser
from fusir.frontend.explain import explain_module
from fusir.options import Options
from fusir.runtime.tuning import device as tuning_device
from fusir.runtime.tuning.device import CudaDevice
from fusir.runtime.tuning.records import Records
from fusir.runtime.tuning.tuner import EFFORTS, Tuner
from fusir.tools.registry import make_context
from fusir.transforms.graph.contraction_choice import Choice

TILES = [
    Tiles(m=16, n=16, k=16, group=1, warps=4, stages=1),
    Tiles(m=32, n=16, k=32, group=8, warps=4, stages=2),
]
loads: list[int] = []


def candidates(kernel: KernelOp, effort: str, multiprocessors: int) -> list[Tiles]:
    assert (effort, multiprocessors) == ("max", 132)
    loads.append(sum(isinstance(op, LoadOp) for op in kernel.walk()))
    return TILES


tuning_device.tile_candidates = candidates


class OnCpu(CudaDevice):
    """The code for CUDA devices, with the interpreters in place of one."""

    multiprocessors = 132

    def __init__(self) -> None:
        super().__init__(0, {})
        self.device = torch.device("cpu")

    def identity(self) -> tuple[str, ...]:
        return ("cpu",)

    def reason_against(self) -> None:
        return None

    def free_bytes(self) -> int:
        return 1 << 40

    @contextmanager
    def session(self):
        yield

    def times(self, programs: Sequence[Any], inputs: list[Any], runs: int) -> list[float]:
        return [1 / (1 + index) for index, _ in enumerate(programs)]


def text(element: str, wide: str) -> str:
    """A product with a bias and an activation, its weight transposed in memory, in extents that no tile divides."""
    return f"""
func.func @main(%x: tensor<33x70x{element}>, %w: tensor<70x19x{element}> {{graph.strides = #graph.dims<[1, 70]>}}, %b: tensor<19x{element}>) -> tensor<33x19x{element}> {{
  %y = graph.fusion (%a = %x : tensor<33x70x{element}>, %c = %w : tensor<70x19x{element}>, %d = %b : tensor<19x{element}>) -> tensor<33x19x{element}> {{
    %p = graph.contract %a, %c batch [], [] contract [1], [0] : (tensor<33x70x{element}>, tensor<70x19x{element}>) -> tensor<33x19x{wide}>
    %v = graph.convert %d : tensor<19x{element}> -> tensor<19x{wide}>
    %e = graph.broadcast %v dims [1] : tensor<19x{wide}> -> tensor<33x19x{wide}>
    %s = graph.add %p, %e : tensor<33x19x{wide}>
    %t = graph.tanh %s : tensor<33x19x{wide}>
    %r = graph.convert %t : tensor<33x19x{wide}> -> tensor<33x19x{element}>
    graph.yield %r : tensor<33x19x{element}>
  }}
  return %y : tensor<33x19x{element}>
}}"""


for element, wide in (("bf16", "f32"), ("f16", "f32")):
    module = Parser(make_context(), text(element, wide)).parse_module()
    choice = Tuner(OnCpu(), Records(), EFFORTS["max"]).choose(module)
    # Without f16 sums by the library: they may overflow where these do not.
    assert choice is not None and len(choice.alternatives) == (5 if element == "bf16" else 4), choice
    for each in choice.alternatives:
        assert not each.rejected and each.milliseconds is not None, each
    assert choice == Choice(tiles=TILES[1]), choice
assert loads == [3, 2] * 2, "the fused kernel loads a bias, the plain one does not"
# Fusions that are prepared are built once.
module = Parser(make_context(), text("bf16", "f32")).parse_module()
tuner = Tuner(OnCpu(), Records(), EFFORTS["max"])
tuner.prepare([module.clone()])
count = len(loads)
assert tuner.choose(module) == Choice(tiles=TILES[1]) and len(loads) == count

# Large products of f32 are the library's: nothing is built.
wide = text("f32", "f32").replace("33x", "64x").replace("x19", "x64").replace("<19", "<64")
choice = tuner.choose(Parser(make_context(), wide).parse_module())
assert choice == Choice(library=True) and "tensor cores" in choice.note and len(loads) == count

# A candidate that is no tile is one that does not build.
TILES.append(Tiles(m=3, n=16, k=16, group=1, warps=4, stages=1))
choice = Tuner(OnCpu(), Records(), EFFORTS["max"]).choose(Parser(make_context(), text("bf16", "f32")).parse_module())
assert choice is not None and choice.tiles == TILES[1]
assert sum(bool(each.rejected) for each in choice.alternatives) == 2, choice.alternatives

# Nothing is measured without a device: explain tells so, and shows the fused kernel.
module = Parser(make_context(), text("bf16", "f32")).parse_module()
assert contraction_chooser(module, Options(tune=False)) is None
if not torch.cuda.is_available():
    report = explain_module(module, Options())
    assert [str(each) for each in report.contractions] == ["33x19x70 bf16: fused; nothing was measured"]
    assert len(report.kernels) == 1 and not report.fallbacks and "contraction 33x19x70" in str(report)
    report = fusir.explain(torch.mm, *(torch.randn(4, 4, dtype=torch.float64) for _ in range(2)))
    assert [str(each) for each in report.contractions] == ["4x4x4 f64: library; it is in no fusion"]
