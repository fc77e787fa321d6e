"""`build`: a lowered module becomes a Python callable."""

from __future__ import annotations

import linecache
import threading
import warnings
import weakref
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import Any

import torch
from xdsl.dialects.builtin import MemRefType, ModuleOp, StringAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation

from fusir.dialects import host, tt
from fusir.errors import FusirError, FusirFallbackWarning
from fusir.options import Options
from fusir.remarks import remark
from fusir.runtime.cuda_graphs import GraphReplay, reason_against
from fusir.runtime.fallback import RunFusion, fusion_runner
from fusir.runtime.kernel_compiler import CompiledKernel, KernelSource, LoadedKernel, compile_kernel
from fusir.runtime.kernel_source import kernel_source
from fusir.runtime.launch_order import launch_order
from fusir.runtime.programs import (
    CudaProgram,
    InterpretedProgram,
    LaunchPlan,
    RuntimeProgram,
    launch_alignments,
)
from fusir.runtime.torch_internals import current_raw_stream, empty_strided_cuda, reinterpret_tensor

Values = list[Any]
"""Tensors and, for symbols, ints."""

CPU = -1
"""The device index of tensors that are not on a GPU, as `Tensor.get_device` gives it."""


class Executable:
    """A compiled function: takes a list of inputs, gives the list of outputs.

    The inputs are the arguments of the launch program in order: tensors, and ints for its symbols. The list is
    emptied, so that inputs can be freed when they are dead (the boxed convention of AOTAutograd).

    It runs on the device of its tensors and on the current stream there. Kernels are loaded on a device when it is
    first used. Calls from several threads are safe.
    """

    _boxed_call = True

    def __init__(self, module: ModuleOp, func: FuncOp, options: Options, fused: ModuleOp | None, check_inputs: bool):
        self.module = module
        self.func = func
        self.options = options
        self.fallbacks: list[str] = []
        """The kernels that could not be compiled and run through ATen."""
        self.sources: dict[int, str] = {}
        """The generated Python program of each device index (-1: CPU) used so far."""
        self._fused = fused
        self._check_inputs = check_inputs
        self._lock = threading.Lock()
        self._programs: dict[int, Callable[[Values], Values]] = {}
        self._kernels = host.symbols_of_module(module)
        self._alignments = launch_alignments(func)
        arguments = func.body.block.args
        self._arity = len(arguments)
        self._probe = next((i for i, a in enumerate(arguments) if isinstance(a.type, MemRefType)), None)
        self._compiling = self._start_compiling()

    def __call__(self, inputs: Values) -> Values:
        if len(inputs) != self._arity:
            raise FusirError(f"expected {self._arity} inputs, got {len(inputs)}")
        index = self._device_index(inputs)
        program = self._programs.get(index)
        if program is None:
            program = self._bind(index)
        if torch.is_grad_enabled():
            with torch.no_grad():
                return self._run(program, index, inputs)
        return self._run(program, index, inputs)

    @staticmethod
    def _run(program: Callable[[Values], Values], index: int, inputs: Values) -> Values:
        if index >= 0 and torch.cuda.current_device() != index:
            with torch.cuda.device(index):
                return program(inputs)
        return program(inputs)

    def _device_index(self, inputs: Values) -> int:
        """The device to run on: that of the first tensor."""
        if self._probe is None:
            return self._default_index()
        first = inputs[self._probe]
        if self._check_inputs and not isinstance(first, torch.Tensor):
            raise FusirError(f"input {self._probe} must be a tensor, got {type(first).__name__}")
        return first.get_device()

    @property
    def device(self) -> torch.device | None:
        """The device that the function was compiled for, None if it does not say."""
        name = self.func.attributes.get("graph.device")
        return torch.device(name.data) if isinstance(name, StringAttr) else None

    def _default_index(self) -> int:
        device = self.device
        if device is None or device.type != "cuda":
            return CPU
        return device.index if ":" in str(device) else torch.cuda.current_device()

    def _launches(self) -> list[host.LaunchOp]:
        return [op for op in self.func.body.block.ops if isinstance(op, host.LaunchOp)]

    def _start_compiling(self) -> dict[Operation, Future[CompiledKernel]]:
        """Start compilation for the device that the function names, if it is there."""
        index = self._default_index() if torch.cuda.is_available() else CPU
        return {} if index == CPU else self._compile_for(index)

    def _compile_for(self, index: int) -> dict[Operation, Future[CompiledKernel]]:
        target = gpu_target(index)
        return {op: self._submit(op, target) for op in self._launches()}

    def _submit(self, op: host.LaunchOp, target: Any) -> Future[CompiledKernel]:
        """Start the compilation of the kernel of a launch; what is wrong with it shows in the future."""
        try:
            return compile_kernel(self._source(op, self._alignments[op].misaligned), target, prepare_launch=True)
        except Exception as error:
            failed: Future[CompiledKernel] = Future()
            failed.set_exception(error)
            return failed

    def _source(self, op: host.LaunchOp, unaligned: Sequence[int]) -> KernelSource:
        name = op.kernel.root_reference.data
        kernel = self._kernels[name]
        if not isinstance(kernel, tt.FuncOp):
            raise FusirError(f"@{name} was not lowered to tt")
        return kernel_source(kernel, self.func, op, unaligned)

    def _bind(self, index: int) -> Callable[[Values], Values]:
        """The program for a device: wait for its kernels, load them, and make the Python code."""
        with self._lock:
            program = self._programs.get(index)
            if program is None:
                if index == CPU:
                    program = self._bind_interpreter(torch.device("cpu"))
                else:
                    with torch.cuda.device(index):
                        program = self._bind_cuda(index)
                self._programs[index] = program
            return program

    def _bind_interpreter(self, device: torch.device) -> Callable[[Values], Values]:
        from fusir.interpreters.tt import launch

        not_lowered: dict[Operation, RunFusion] = {
            op: self._run_fusion(op, FusirError("it was not lowered to tt"))
            for op in self._launches()
            if not isinstance(self._kernels[op.kernel.root_reference.data], tt.FuncOp)
        }
        program = InterpretedProgram(self.module, self.func, device, not_lowered, check_inputs=self._check_inputs)
        return self._load(program, CPU, {"interpret": launch})

    def _bind_cuda(self, index: int) -> Callable[[Values], Values]:
        compiling = self._compiling if index == self._default_index() else {}
        compiling = compiling or self._compile_for(index)
        plans: dict[Operation, LaunchPlan] = {op: self._plan(op, compiling[op], index) for op in self._launches()}
        program = CudaProgram(self.module, self.func, index, plans, check_inputs=self._check_inputs)
        names: dict[str, Any] = {
            "current_stream": current_raw_stream,
            "empty_strided": empty_strided_cuda,
            "ordered": launch_order(index),
        }
        run = self._load(program, index, names)
        if not self.options.cuda_graphs:
            return run
        reason = reason_against(self.func)
        if reason is not None:
            message = f"@{self.func.sym_name.data} is not replayed: {reason}"
            remark("fallback", "cuda-graphs", message, self.func.location)
            return run
        return GraphReplay(run, index)

    def _plan(self, op: host.LaunchOp, future: Future[CompiledKernel], index: int) -> LaunchPlan:
        try:
            kernel = future.result().load(index)
            self._check_together(op, index)
        except Exception as error:
            return LaunchPlan(run_fusion=self._run_fusion(op, error))
        alignment = self._alignments[op]
        if not alignment.dynamic:
            return LaunchPlan(kernel)
        unaligned = UnalignedLaunch(lambda: self._source(op, alignment.without_dynamic), index)
        return LaunchPlan(kernel, unaligned)

    def _check_together(self, op: host.LaunchOp, index: int) -> None:
        """Raise FusirError if the device may not hold all programs that wait for each other at a time.

        It holds at least one program on each multiprocessor, whatever its registers and shared memory.
        """
        kernel = self._kernels[op.kernel.root_reference.data]
        together = kernel.together if isinstance(kernel, tt.FuncOp) else 1
        count = torch.cuda.get_device_properties(index).multi_processor_count
        if together > count:
            raise FusirError(f"{together} programs wait for each other, the device has {count} multiprocessors")

    def _run_fusion(self, op: host.LaunchOp, error: Exception) -> RunFusion:
        """What to do for a launch whose kernel cannot be had: run its fusion by ATen, and tell the user."""
        name = op.kernel.root_reference.data
        run_fusion = None if self._fused is None else fusion_runner(self._fused, self.func, op)
        if run_fusion is None:
            raise FusirError(f"kernel {name} cannot be compiled: {_first_line(error)}") from error
        if name not in self.fallbacks:
            self.fallbacks.append(name)
            text = f"kernel {name} cannot be compiled and runs through ATen: {_first_line(error)}"
            warnings.warn(text, FusirFallbackWarning, stacklevel=2)
        return run_fusion

    def _load(self, program: RuntimeProgram, index: int, names: dict[str, Any]) -> Callable[[Values], Values]:
        source = program.source()
        filename = f"<fusir program {id(self):x} {index}>"
        linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)
        namespace: dict[str, Any] = {
            "check_input": check_input,
            "reinterpret": reinterpret_tensor,
            **names,
            **program.globals,
        }
        weakref.finalize(self, linecache.cache.pop, filename, None)
        exec(compile(source, filename, "exec"), namespace)
        self.sources[index] = source
        return namespace["program"]


class UnalignedLaunch:
    """A kernel for pointers off a 16-byte boundary; compiled and loaded when it is first launched."""

    def __init__(self, source: Callable[[], KernelSource], device: int):
        self._source = source
        self._device = device
        self._kernel: LoadedKernel | None = None

    def __call__(self, grid: int, stream: int, *arguments: Any) -> None:
        kernel = self._kernel
        if kernel is None:
            compiled = compile_kernel(self._source(), gpu_target(self._device)).result()
            kernel = self._kernel = compiled.load(self._device)
        kernel.run(grid, 1, 1, stream, kernel.function, kernel.packed_metadata, None, None, None, *arguments)


def gpu_target(index: int) -> Any:
    """Triton's `GPUTarget` of a device."""
    from triton.runtime import driver

    with torch.cuda.device(index):
        return driver.active.get_current_target()


def check_input(
    position: int, value: Any, dims: Sequence[int], strides: Sequence[int], dtype: torch.dtype, device: int
) -> None:
    """Raise FusirError unless an input is a tensor such as the program was compiled for, on the device `device`."""
    if not isinstance(value, torch.Tensor):
        raise FusirError(f"input {position} must be a tensor, got {type(value).__name__}")
    if tuple(value.shape) != dims or value.dtype != dtype:
        raise FusirError(f"input {position} must be {dtype} of shape {dims}, got {value.dtype} of {tuple(value.shape)}")
    if value.get_device() != device:
        expected = "cpu" if device == CPU else f"cuda:{device}"
        raise FusirError(f"input {position} must be on {expected}, got {value.device}")
    if value.stride() != strides and 0 not in dims:
        pairs = zip(dims, value.stride(), strides, strict=True)
        if any(extent != 1 and stride != wanted for extent, stride, wanted in pairs):
            raise FusirError(f"input {position} must have strides {strides}, got {value.stride()}")


def _first_line(error: Exception) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return f"{type(error).__name__}: {lines[0]}" if lines else type(error).__name__


def build(
    module: ModuleOp,
    options: Options | None = None,
    *,
    fused: ModuleOp | None = None,
    function: str = "main",
    check_inputs: bool = True,
) -> Executable:
    """The callable of a launch program.

    Args:
        module: a module lowered to `host` and `tt`. It must not be changed afterwards.
        options: what the module was compiled with.
        fused: the graph-level module just before `convert-graph-to-loop`. With it, a kernel that cannot be compiled
            runs through ATen, with a `FusirFallbackWarning`; without it that is an error.
        function: the name of the launch program.
        check_inputs: whether each call checks shapes, strides, dtypes and devices. Turn it off only where something
            else guards them.
    """
    func = host.symbols_of_module(module).get(function)
    if not isinstance(func, FuncOp):
        raise FusirError(f"the module has no function @{function}")
    return Executable(module, func, options or Options(), fused, check_inputs)
