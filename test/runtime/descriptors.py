# RUN: rm -rf %t && env FUSIR_CACHE_DIR=%t/fusir TRITON_CACHE_DIR=%t/triton %python %s
# REQUIRES: triton
"""Kernels with descriptors: scratch memory of their own for each launch, pointers where memory is not aligned, and an
exception where the device is too small. The driver of the GPU is a stand-in."""

from __future__ import annotations

import contextvars
from typing import Any

import torch
import triton
from triton.backends.compiler import GPUTarget
from triton.runtime import driver
from triton.runtime.errors import OutOfResources
from xdsl.dialects.func import FuncOp
from xdsl.parser import Parser

from fusir.dialects import host, tt
from fusir.runtime import scratch
from fusir.runtime.aot import kernel_source as aot_source
from fusir.runtime.kernel_compiler import compile_kernel
from fusir.runtime.kernel_source import kernel_source
from fusir.runtime.programs import CudaProgram, LaunchPlan
from fusir.targets.python import python_module
from fusir.tools.registry import make_context

TEXT = """
func.func @main(%x: memref<256x64xbf16>, %w: memref<64x128xbf16>) -> memref<256x128xbf16> {
  %y = host.alloc dims [256, 128] strides [128, 1] : memref<256x128xbf16>
  host.launch @product(%x, %w, %y) : (memref<256x64xbf16>, memref<64x128xbf16>, memref<256x128xbf16>) -> ()
  return %y : memref<256x128xbf16>
}
tt.func public @product(%a: !tt.ptr<bf16>, %b: !tt.ptr<bf16>, %y: !tt.ptr<bf16>) attributes {fusir.grid = affine_map<() -> (4)>, fusir.num_warps = 4 : i64, fusir.num_stages = 3 : i64} {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %c256 = arith.constant 256 : i32
  %one = arith.constant 1 : i64
  %s64 = arith.constant 64 : i64
  %s128 = arith.constant 128 : i64
  %zeros = arith.constant dense<0.0> : tensor<64x128xf32>
  %da = tt.make_tensor_descriptor %a, [%c256, %c64], [%s64, %one] : <bf16>, <tensor<64x64xbf16>>
  %db = tt.make_tensor_descriptor %b, [%c64, %c128], [%s128, %one] : <bf16>, <tensor<64x128xbf16>>
  %dy = tt.make_tensor_descriptor %y, [%c256, %c128], [%s128, %one] : <bf16>, <tensor<64x128xbf16>>
  %pid = tt.get_program_id x : i32
  %m = arith.muli %pid, %c64 : i32
  %acc = scf.for %k = %c0 to %c64 step %c64 iter_args(%s = %zeros) -> (tensor<64x128xf32>) : i32 {
    %va = tt.descriptor_load %da[%m, %k] : !tt.tensordesc<tensor<64x64xbf16>> -> tensor<64x64xbf16>
    %vb = tt.descriptor_load %db[%k, %c0] : !tt.tensordesc<tensor<64x128xbf16>> -> tensor<64x128xbf16>
    %d = tt.dot %va, %vb, %s : tensor<64x64xbf16> * tensor<64x128xbf16> -> tensor<64x128xf32>
    scf.yield %d : tensor<64x128xf32>
  } {tt.num_stages = 3 : i32}
  %r = arith.truncf %acc : tensor<64x128xf32> to tensor<64x128xbf16>
  tt.descriptor_store %dy[%m, %c0], %r : !tt.tensordesc<tensor<64x128xbf16>>, tensor<64x128xbf16>
  tt.return
}
"""
PROGRAMS = 4
H100 = GPUTarget("cuda", 90, 32)

module = Parser(make_context(), TEXT).parse_module()
module.verify()
symbols = host.symbols_of_module(module)
main, product = symbols["main"], symbols["product"]
assert isinstance(main, FuncOp) and isinstance(product, tt.FuncOp)
(launch,) = (op for op in main.body.block.ops if isinstance(op, host.LaunchOp))

calls: list[tuple[Any, ...]] = []
made: list[torch.Tensor] = []
STREAM = 77


def empty_strided(shape: tuple[int, ...], strides: tuple[int, ...], dtype: torch.dtype) -> torch.Tensor:
    made.append(torch.empty_strided(shape, strides, dtype=dtype))
    return made[-1]


scratch.empty_strided_cuda = empty_strided
scratch.current_raw_stream = lambda device: STREAM


class CudaLauncher:
    """Triton 3.6's launcher, whose C part notes what it is given."""

    def __init__(self, source: Any, metadata: Any):
        self.num_ctas = 1
        self.global_scratch_size, self.global_scratch_align = metadata.global_scratch_size, 128
        self.profile_scratch_size = 0
        self.launch_cooperative_grid = self.launch_pdl = False

    @staticmethod
    def launch(*arguments: Any) -> None:
        calls.append(arguments)


class OtherLauncher(CudaLauncher):
    """A launcher of another version: it asks Triton's allocator."""

    def __call__(self, gx: int, gy: int, gz: int, stream: int, function: int, *arguments: Any) -> None:
        from triton.runtime import _allocation

        memory = None
        if self.global_scratch_size:
            memory = _allocation._allocator.get()(gx * gy * gz * self.global_scratch_size, 128, stream)
        calls.append(
            (
                gx,
                gy,
                gz,
                stream,
                function,
                False,
                False,
                None if memory is None else memory.data_ptr(),
                None,
                *arguments,
            )
        )


class Utils:
    def get_device_properties(self, device: int) -> dict[str, int]:
        return {"max_shared_mem": [232448, 1024][device]}

    def load_binary(self, name: str, kernel: bytes, shared: int, device: int) -> tuple[int, int, int, int, int]:
        return 10, 11, 100, 0, 1024


class Driver:
    utils = Utils()
    launcher_cls: Any = CudaLauncher
    device = 0

    def get_current_device(self) -> int:
        return self.device

    def get_current_target(self) -> GPUTarget:
        return H100


gpu = Driver()
driver.set_active(gpu)  # pyright: ignore

source = kernel_source(product, main, launch, ())
compiled = compile_kernel(source, H100).result()
size = compiled.compiled.metadata.global_scratch_size
assert size > 0 and "tl.make_tensor_descriptor" in source.source

# A device with too little shared memory: an exception, each time.
gpu.device = 1
for _ in range(2):
    try:
        compiled.load(1)
    except OutOfResources as error:
        assert "shared memory" in str(error), error
    else:
        raise AssertionError("a kernel was loaded that needs more shared memory than there is")
gpu.device = 0

# Each launch has scratch memory of its own, for all programs.
kernel = compiled.load(0)
assert kernel.raw_launch is None
program = CudaProgram(module, main, 0, {launch: LaunchPlan(kernel)}, check_inputs=False)
text = program.source()
namespace: dict[str, Any] = {
    "current_stream": lambda device: STREAM,
    "empty_strided": empty_strided,
    **program.globals,
}
exec(compile(text, "program", "exec"), namespace)
x, w = torch.randn(256, 64, dtype=torch.bfloat16), torch.randn(64, 128, dtype=torch.bfloat16)
for number in range(2):
    (y,) = namespace["program"]([x, w])
    memory = made[2 * number + 1]
    assert made[2 * number] is y and memory.numel() == PROGRAMS * size and memory.dtype == torch.uint8
    pointers = (x.data_ptr(), w.data_ptr(), y.data_ptr())
    metadata = kernel.packed_metadata
    head = (PROGRAMS, 1, 1, STREAM, 11, False, False, memory.data_ptr(), None, metadata, None, None, None)
    assert calls[number] == (*head, *pointers), calls[number]

# So also with a launcher that is not known; an allocator that the user has set stays.
Driver.launcher_cls = OtherLauncher
other = compile_kernel(source, H100).result()
other._loaded.clear()
loaded = other.load(0)
made.clear()
calls.clear()
triton.set_allocator(lambda size, alignment, stream: torch.empty(1))
before = contextvars.copy_context()
loaded.run(PROGRAMS, 1, 1, STREAM, 11, metadata, None, None, None, 1, 2, 3)
assert calls == [(*head[:7], made[0].data_ptr(), *head[8:], 1, 2, 3)], calls
assert made[0].numel() == PROGRAMS * size
assert list(before.items()) == list(contextvars.copy_context().items())

# A kernel without descriptors is launched as ever.
Driver.launcher_cls = CudaLauncher
plain = compile_kernel(kernel_source(product, main, launch, (0, 1, 2)), H100).result()
assert "descriptor" not in plain.source.source and "tl.load" in plain.source.source
assert plain.compiled.metadata.global_scratch_size == 0
assert plain.load(0).raw_launch is CudaLauncher.launch

# Memory that may not be aligned is accessed by pointers, the rest by descriptors; the kernel itself stays as it is.
mixed = kernel_source(product, main, launch, (1,))
assert mixed.source.count("tl.make_tensor_descriptor") == 2 and mixed.source.count("tl.load(b_ptr") == 1
assert mixed.divisible == (0, 2)
assert aot_source(product).source.count("tl.make_tensor_descriptor") == 3

# The Python module sets an allocator.
text = python_module(module)
assert "    triton.set_allocator(scratch)\n" in text and "def scratch(size, alignment, stream):" in text
