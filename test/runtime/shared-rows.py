# RUN: %python %s
"""The launch program of a kernel whose programs wait for each other: zeroed counters, one launch at a time; and what runs
in its place gets no workspace."""

from __future__ import annotations

from typing import Any

import torch
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

import fusir
from fusir.dialects import host
from fusir.pipeline import run_pipeline
from fusir.runtime.executable import build
from fusir.runtime.fallback import fusion_runner
from fusir.runtime.kernel_compiler import LoadedKernel
from fusir.runtime.programs import CudaProgram, LaunchPlan
from fusir.tools.registry import make_context

torch.set_num_threads(1)


def softmax(x: torch.Tensor) -> torch.Tensor:
    return torch.softmax(x, -1)


x = torch.randn(12, 40000)
fused: list[ModuleOp] = []
module = fusir.trace(softmax, x)
run_pipeline(make_context(), module, on_stage=lambda stage, m: fused.append(m.clone()) if stage == "fused" else None)
func = host.symbols_of_module(module)["main"]
assert isinstance(func, FuncOp)
(launch,) = (op for op in func.body.block.ops if isinstance(op, host.LaunchOp))
assert launch.workspace == 2 and len(launch.tensors) == 2

expected = torch.softmax(x.double(), -1)
execute = build(module)
for _ in range(2):
    (result,) = execute([x])
    torch.testing.assert_close(result.double(), expected, rtol=1e-5, atol=1e-9)

# By ATen, in place of the kernel.
run = fusion_runner(fused[0], func, launch)
assert run is not None
out = torch.empty_like(x)
run([x, out], {})
torch.testing.assert_close(out.double(), expected, rtol=1e-5, atol=1e-9)

events: list[Any] = []


class Ordered:
    """Notes when a launch is ordered."""

    def __call__(self, stream: int) -> Ordered:
        events.append(("wait", stream))
        return self

    def __enter__(self) -> None:
        pass

    def __exit__(self, *_: object) -> None:
        events.append("done")


def note_launch(grid: int, *_: object) -> None:
    events.append(("launch", grid))


def empty_strided(dims: tuple[int, ...], strides: tuple[int, ...], dtype: torch.dtype) -> torch.Tensor:
    result = torch.empty_strided(dims, strides, dtype=dtype).fill_(7)
    made.append(result)
    return result


made: list[torch.Tensor] = []
plan = LaunchPlan(LoadedKernel(11, (4, 1, 0), note_launch, None), note_launch)
program = CudaProgram(module, func, 0, {launch: plan}, check_inputs=False)
source = program.source()
namespace: dict[str, Any] = {
    "current_stream": lambda device: 77,
    "empty_strided": empty_strided,
    "ordered": Ordered(),
    **program.globals,
}
exec(compile(source, "program", "exec"), namespace)
namespace["program"]([x])
kernel = host.symbols_of_module(module)[launch.kernel.root_reference.data]
assert events == [("wait", 77), ("launch", 12 * kernel.together), "done"], events  # pyright: ignore
_, counters, partials = made
assert counters.dtype == torch.int32 and not counters.any(), "the counters start at 0"
assert partials.dtype == torch.float32 and bool((partials == 7).all()), "the partial values start as anything"
