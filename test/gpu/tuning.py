# RUN: rm -rf %t && env FUSIR_CACHE_DIR=%t %python %s
# REQUIRES: cuda
"""Measured choices on a GPU: right results, wrong kernels rejected, each fusion tuned once, nothing of the user touched."""

import os
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser

import fusir
from fusir.errors import FusirFallbackWarning
from fusir.runtime.tuning.device import CudaDevice, Program
from fusir.runtime.tuning.inputs import random_inputs, reference
from fusir.runtime.tuning.records import Records
from fusir.runtime.tuning.tuner import EFFORTS, Tuner
from fusir.tools.registry import make_context
from fusir.transforms.graph.contraction_choice import Choice

warnings.simplefilter("error", FusirFallbackWarning)
DEVICE = torch.device("cuda", torch.cuda.current_device())
CACHE = Path(os.environ["FUSIR_CACHE_DIR"])


def linear(element: str, m: int, n: int, k: int) -> str:
    """A product with a bias and an activation; the weight is transposed in memory."""
    x, w, b, y = f"tensor<{m}x{k}x{element}>", f"tensor<{k}x{n}x{element}>", f"tensor<{n}x{element}>", f"{m}x{n}"
    return f"""
func.func @main(%x: {x}, %w: {w} {{graph.strides = #graph.dims<[1, {k}]>}}, %b: {b}) -> tensor<{y}x{element}> {{
  %y = graph.fusion (%a = %x : {x}, %c = %w : {w}, %d = %b : {b}) -> tensor<{y}x{element}> {{
    %p = graph.contract %a, %c batch [], [] contract [1], [0] : ({x}, {w}) -> tensor<{y}x{element}>
    %e = graph.broadcast %d dims [1] : {b} -> tensor<{y}x{element}>
    %s = graph.add %p, %e : tensor<{y}x{element}>
    %r = graph.relu %s : tensor<{y}x{element}>
    graph.yield %r : tensor<{y}x{element}>
  }}
  return %y : tensor<{y}x{element}>
}}"""


def parse(text: str) -> ModuleOp:
    return Parser(make_context(), text).parse_module()


def choose(device: CudaDevice, text: str, effort: str = "default") -> Choice:
    choice = Tuner(device, Records(), EFFORTS[effort]).choose(parse(text))
    assert choice is not None and not choice.note, choice
    return choice


# The workspace of the library stays allocated.
for element in ("bf16", "f16"):
    choose(CudaDevice(DEVICE.index, {}), linear(element, 64, 64, 64))

# Alternatives are right, or rejected; the best of those with a time is chosen.
for element, m, n, k in (
    ("bf16", 1024, 1024, 1024),
    ("f16", 257, 129, 100),
    ("bf16", 16, 4096, 4096),
    ("f32", 16, 512, 512),
):
    held = torch.cuda.memory_allocated(), torch.cuda.get_rng_state().clone(), torch.get_rng_state().clone()
    choice = choose(CudaDevice(DEVICE.index, {}), linear(element, m, n, k))
    print(element, m, n, k, choice.name)
    for each in choice.alternatives:
        print("   ", each)
    timed = {each.name: each.milliseconds for each in choice.alternatives if not each.rejected}
    assert choice.name in timed and "library" in timed
    assert all(time is not None and 0 < time < 100 for time in timed.values()) or set(timed) == {"library"}
    assert torch.cuda.memory_allocated() == held[0], "the inputs are freed"
    assert torch.equal(torch.cuda.get_rng_state(), held[1]) and torch.equal(torch.get_rng_state(), held[2])


# Large products of f32 without tensor cores are the library's, unmeasured.
choice = Tuner(CudaDevice(DEVICE.index, {}), Records(), EFFORTS["default"]).choose(parse(linear("f32", 512, 512, 512)))
assert choice is not None and choice.library and not choice.alternatives and choice.note, choice


# A kernel that gives wrong results is rejected, whatever its time.
class Spoiling(CudaDevice):
    """All but the library lose their last row."""

    def identity(self) -> tuple[str, ...]:
        return ("spoiling", *super().identity())

    def build(self, modules: Sequence[ModuleOp]) -> list[Program | str]:
        library, *others = super().build(modules)
        return [library, *(other if isinstance(other, str) else self.spoil(other) for other in others)]

    def spoil(self, program: Program) -> Program:
        def run(inputs: list[Any]) -> Sequence[Any]:
            results = program(inputs)
            results[0][-1] = 0
            return results

        return run


choice = choose(Spoiling(DEVICE.index, {}), linear("bf16", 512, 512, 256))
assert choice.library and all(each.rejected for each in choice.alternatives if each.name != "library"), choice

# The reference on the device is that of the interpreter on the CPU.
module = parse(linear("bf16", 64, 48, 96))
inputs = random_inputs(module, DEVICE)
assert [x.stride() for x in inputs] == [(96, 1), (1, 96), (1,)] and all(x.device == DEVICE for x in inputs)
(on_device,) = reference(module, inputs, DEVICE, torch.float64)
(on_cpu,) = reference(module, [x.cpu() for x in inputs], torch.device("cpu"), torch.float64)
torch.testing.assert_close(on_device.cpu(), on_cpu, rtol=1e-10, atol=1e-10)

# Nothing is measured while a CUDA graph is recorded.
device = CudaDevice(DEVICE.index, {})
assert device.reason_against() is None
torch.zeros(1, device=DEVICE)
with torch.cuda.graph(torch.cuda.CUDAGraph()):
    reason = device.reason_against()
assert reason is not None

# Through compile: once for each distinct fusion, then from disk; explain shows what was measured.
measured: list[int] = []
times = CudaDevice.times


def counted(self: CudaDevice, programs: Sequence[Program], inputs: list[Any], runs: int) -> list[float]:
    measured.append(runs)
    return times(self, programs, inputs, runs)


CudaDevice.times = counted


def model(x: torch.Tensor, u: torch.Tensor, v: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    h = torch.nn.functional.gelu(torch.nn.functional.linear(x, u, b))
    return torch.nn.functional.gelu(torch.nn.functional.linear(h, v, b))


args = [
    torch.randn(s, device=DEVICE, dtype=torch.bfloat16) / 8 for s in ((512, 1024), (1024, 1024), (1024, 1024), (1024,))
]
expected = model(*(arg.double() for arg in args))
eager = (model(*args).double() - expected).abs().max().item()


def check(compiled: Any) -> None:
    error = (compiled(*args).double() - expected).abs().max().item()
    assert error <= 2 * eager + 1e-6, (error, eager)


kept = len(list(CACHE.glob("tuning/*/*/choice.json")))
check(fusir.compile(model, options={"tune": False}))
assert not measured and len(list(CACHE.glob("tuning/*/*/choice.json"))) == kept
torch._dynamo.reset()
state = torch.cuda.get_rng_state()
check(fusir.compile(model))
assert torch.equal(torch.cuda.get_rng_state(), state)
report = fusir.explain(model, *args)
print(report)
assert len(report.contractions) == 2
fused = len(list(CACHE.glob("tuning/*/*/choice.json"))) - kept
rounds = len(measured)
assert rounds <= 3 * fused, "each distinct fusion is measured in three rounds at most"
if fused:
    assert all(each.alternatives for each in report.contractions)
torch._dynamo.reset()
check(fusir.compile(model))
assert len(measured) == rounds, "what is on disk is not measured again"
