# RUN: %python %s
"""The Python code that launches kernels on a GPU, run here with launchers that note what they are given."""

from typing import Any

import torch
from xdsl.dialects.func import FuncOp
from xdsl.parser import Parser

from fusir.dialects import host
from fusir.runtime.kernel_compiler import LoadedKernel
from fusir.runtime.programs import CudaProgram, LaunchPlan, launch_alignments
from fusir.runtime.torch_internals import reinterpret_tensor
from fusir.tools.registry import make_context

TEXT = """
func.func @main(%x: memref<8x16xf32>, %w: memref<8x16xf32>, %s0: index {graph.symbol = #graph.symbol<0>})
      -> (memref<4x16xf32>, memref<8x16xf32>) {
  %low = host.view %x dims [4, 16] strides [16, 1] offset 64 : memref<8x16xf32> -> memref<4x16xf32>
  %odd = host.view %low dims [4, 15] strides [16, 1] offset 1 : memref<4x16xf32> -> memref<4x15xf32, strided<[16, 1]>>
  %at = host.view %x dims [16] strides [1] offset s0 * 16 : memref<8x16xf32> -> memref<16xf32>
  %y = host.alloc dims [8, 16] strides [16, 1] : memref<8x16xf32>
  host.launch @scale(%w, %y) : (memref<8x16xf32>, memref<8x16xf32>) -> ()
  host.launch @part(%low, %odd, %at, %y, %s0)
      : (memref<4x16xf32>, memref<4x15xf32, strided<[16, 1]>>, memref<16xf32>, memref<8x16xf32>, index) -> ()
  %z = host.alloc dims [8, 16] strides [16, 1] : memref<8x16xf32>
  host.launch @scale(%y, %z) : (memref<8x16xf32>, memref<8x16xf32>) -> ()
  host.launch @never(%z) : (memref<8x16xf32>) -> ()
  host.free %y : memref<8x16xf32>
  return %low, %z : memref<4x16xf32>, memref<8x16xf32>
}
tt.func public @scale(%a: !tt.ptr<f32>, %b: !tt.ptr<f32>) attributes {fusir.grid = affine_map<() -> (3)>} {
  tt.return
}
tt.func public @part(%a: !tt.ptr<f32>, %b: !tt.ptr<f32>, %c: !tt.ptr<f32>, %d: !tt.ptr<f32>, %s0: i32)
      attributes {fusir.grid = affine_map<()[s0] -> ((s0 + 3) floordiv 4)>} {
  tt.return
}
tt.func public @never(%a: !tt.ptr<f32>) attributes {fusir.grid = affine_map<() -> (0)>} {
  tt.return
}
"""

module = Parser(make_context(), TEXT).parse_module()
module.verify()
func = host.symbols_of_module(module)["main"]
assert isinstance(func, FuncOp)
launches = [op for op in func.body.block.ops if isinstance(op, host.LaunchOp)]
alignments = launch_alignments(func)
assert [(a.misaligned, a.dynamic) for a in (alignments[op] for op in launches)] == [
    ((), (0,)),
    ((1,), (0, 2)),
    ((), ()),
    ((), ()),
]

calls: list[tuple[Any, ...]] = []


def noting(name: str) -> Any:
    return lambda *arguments: calls.append((name, *arguments))


raw = LoadedKernel(11, (4, 1, 0), noting("run"), noting("raw"))
plain = LoadedKernel(22, (8, 1, 0), noting("run"), None)
plans = {
    launches[0]: LaunchPlan(raw, noting("unaligned scale")),
    launches[1]: LaunchPlan(plain, noting("unaligned part")),
    launches[2]: LaunchPlan(raw),
    launches[3]: LaunchPlan(raw),
}
program = CudaProgram(module, func, 0, plans, check_inputs=False)  # pyright: ignore
source = program.source()
made: list[torch.Tensor] = []


def empty_strided(dims: tuple[int, ...], strides: tuple[int, ...], dtype: torch.dtype) -> torch.Tensor:
    made.append(torch.empty_strided(dims, strides, dtype=dtype))
    return made[-1]


namespace: dict[str, Any] = {
    "current_stream": lambda device: 77 + device,
    "empty_strided": empty_strided,
    "reinterpret": reinterpret_tensor,
    **program.globals,
}
exec(compile(source, "program", "exec"), namespace)
storage = torch.randn(4 + 2 * 128)
start = next(i for i in range(4) if (storage.data_ptr() + 4 * i) % 16 == 0)


def run(offset: int) -> tuple[int, int]:
    """Call the program with `x` that many elements off a 16-byte boundary; check what does not depend on it."""
    calls.clear()
    made.clear()
    x = storage[start + offset :][:128].view(8, 16)
    w = torch.randn(8, 16)
    low, z = namespace["program"]([x, w, 6])
    assert low.data_ptr() == x[4:].data_ptr() and low.shape == (4, 16)
    assert z is made[1]
    return x.data_ptr(), w.data_ptr()


x, w = run(0)
y, z = (tensor.data_ptr() for tensor in made)
head = (1, 1, 77, 11, False, False, None, None, (4, 1, 0), None, None, None)
assert calls == [
    ("raw", 3, *head, w, y),
    ("run", 2, 1, 1, 77, 22, (8, 1, 0), None, None, None, x + 256, x + 256 + 4, x + 6 * 64, y, 6),
    ("raw", 3, *head, y, z),
], calls
x, w = run(1)
assert [call[0] for call in calls] == ["raw", "unaligned part", "raw"]
assert calls[1][1:] == (2, 77, x + 256, x + 260, x + 384, made[0].data_ptr(), 6)
assert "odd" not in source and source.count("reinterpret(") == 1, "only the returned view is made"
