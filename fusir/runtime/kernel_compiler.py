"""Triton source to loaded CUDA kernels: compiled in threads, each once, kept in memory and on disk.

Triton releases the interpreter lock in its passes and in `ptxas`, and keeps no global state between compilations, so
threads give the same binaries as one after the other.
"""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import json
import linecache
import os
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from copy import copy
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

from fusir.dialects.tt import SAME_REGISTER, SAME_REGISTER_AMD
from fusir.runtime.disk_cache import cached_files

MAX_WORKERS = 8
"""Compile threads. A small kernel takes 70 ms (Triton 3.6), 20 of them under the interpreter lock: more do not help."""

CACHE_FORMAT = 1
"""Version of what is stored under a key."""


@dataclass(frozen=True)
class KernelSource:
    """A kernel as Triton source, with everything else its binary depends on, but the GPU."""

    name: str
    source: str
    """A Python module that defines `name` as a `triton.jit` function."""
    signature: tuple[str, ...]
    """Triton types of the arguments that are passed at run time, as `*fp32` or `i32`."""
    constexprs: tuple[tuple[str, int], ...] = ()
    divisible: tuple[int, ...] = ()
    """Positions of the arguments that are multiples of 16: pointers, in bytes, and integers."""
    num_warps: int = 4
    num_stages: int = 1

    def key(self, target: Any) -> str:
        """The identity of the binary for a GPU, with the versions of what makes it."""
        return hashlib.sha256(repr((CACHE_FORMAT, self, _compiler_version(target))).encode()).hexdigest()


@functools.cache
def _compiler_version(target: Any) -> tuple[str, ...]:
    """What identifies the compiler of a target: Triton's version, and its hash of the tools that it uses."""
    import triton
    from triton.compiler.compiler import make_backend

    return (triton.__version__, str(target), str(make_backend(target).hash()))


@dataclass
class LoadedKernel:
    """A kernel on one device. `launch(grid, stream, *arguments)` is written out by callers for speed."""

    function: int
    packed_metadata: Any
    run: Callable[..., None]
    """Triton's launcher, with the scratch memory that the kernel needs:
    `run(gx, gy, gz, stream, function, packed_metadata, None, None, None, *arguments)`."""
    raw_launch: Callable[..., None] | None
    """Its C part, where it can be called directly:
    `raw_launch(gx, gy, gz, stream, function, False, False, None, None, packed_metadata, None, None, None,
    *arguments)`."""


@dataclass
class CompiledKernel:
    """A binary, and its handles on the devices that it was loaded on."""

    source: KernelSource
    compiled: Any
    """Triton's `CompiledKernel`."""
    _loaded: dict[int, LoadedKernel] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def load(self, device: int) -> LoadedKernel:
        """The kernel on a CUDA device, loaded when it is first asked for. The device must be the current one.

        Raises Triton's `OutOfResources` if it needs more shared memory or threads than the device has for a program.
        """
        with self._lock:
            loaded = self._loaded.get(device)
            if loaded is None:
                loaded = self._loaded[device] = self._load(device)
            return loaded

    def _load(self, device: int) -> LoadedKernel:
        # It imports PyTorch, which only a launch needs.
        from fusir.runtime.scratch import raw_launch, with_scratch

        # Triton keeps the handles of one device in the object: each device gets an object of its own.
        kernel: Any = copy(self.compiled)
        for handle in ("module", "function", "_run"):
            setattr(kernel, handle, None)
        # Constexprs are in the binary: launchers of kernels with equal run-time arguments are then one and the same.
        kernel.src = _launch_signature(self.source.signature)
        run = kernel.run
        return LoadedKernel(kernel.function, kernel.packed_metadata, with_scratch(run, device), raw_launch(run))


def _launch_signature(signature: tuple[str, ...]) -> SimpleNamespace:
    names = [f"a{index}" for index in range(len(signature))]
    return SimpleNamespace(
        signature=dict(zip(names, signature, strict=True)), constants={}, fn=SimpleNamespace(arg_names=names)
    )


def _jit_function(kernel: KernelSource) -> Any:
    """The `triton.jit` function that the source defines."""
    digest = hashlib.sha256(kernel.source.encode()).hexdigest()[:16]
    filename = f"<fusir {kernel.name} {digest}>"
    # Triton reads the source back through `inspect`.
    linecache.cache[filename] = (len(kernel.source), None, kernel.source.splitlines(keepends=True), filename)
    namespace: dict[str, Any] = {"__name__": f"fusir_kernel_{digest}"}
    exec(compile(kernel.source, filename, "exec"), namespace)
    return namespace[kernel.name]


def compile_options(num_warps: int, num_stages: int) -> dict[str, Any]:
    """The options of Triton's compiler.

    Multiplications and additions may be contracted, as in torch.compile: said explicitly since Triton's default changes
    with version 3.10. Without the checks for integer overflow, which only its debug mode uses, the front end is faster.
    """
    return {
        "num_warps": num_warps,
        "num_stages": num_stages,
        "enable_fp_fusion": True,
        "sanitize_overflow": False,
    }


def ast_source(kernel: KernelSource, target: Any) -> Any:
    """What Triton's compiler takes: the function with its signature, constexprs and argument attributes.

    Inline assembly is that of NVIDIA GPUs in the source; for another `GPUTarget` it is replaced.
    """
    from triton.compiler import ASTSource

    if target.backend == "hip":
        source = kernel.source.replace(f'"{SAME_REGISTER}"', f'"{SAME_REGISTER_AMD}"')
        kernel = dataclasses.replace(kernel, source=source)
    function = _jit_function(kernel)
    names = list(function.arg_names)
    run_time = names[: len(kernel.signature)]
    constexprs = dict(kernel.constexprs)
    if set(names[len(run_time) :]) != set(constexprs):
        raise ValueError(
            f"{kernel.name}: the source takes {names}, expected {len(run_time)} arguments and {constexprs}"
        )
    signature = dict(zip(run_time, kernel.signature, strict=True)) | dict.fromkeys(constexprs, "constexpr")
    attributes = {(index,): [["tt.divisibility", 16]] for index in kernel.divisible}
    return ASTSource(function, signature, constexprs, attributes)


def triton_compile(kernel: KernelSource, target: Any) -> Any:
    """Triton's `CompiledKernel` for a `GPUTarget`. Needs no GPU. Raises what Triton raises."""
    import triton

    return triton.compile(
        ast_source(kernel, target),
        target=target,
        options=compile_options(kernel.num_warps, kernel.num_stages),
    )


def _compile_entry(kernel: KernelSource, target: Any) -> dict[str, bytes]:
    """What the disk keeps of a compiled kernel."""
    compiled = triton_compile(kernel, target)
    binary = compiled.kernel
    extension = next(name for name, data in compiled.asm.items() if data is binary)
    metadata = dict(compiled.metadata._asdict())
    return {
        "kernel.json": json.dumps(metadata, default=vars).encode(),
        f"kernel.{extension}": binary,
        "kernel.py": kernel.source.encode(),
    }


def _compile(kernel: KernelSource, target: Any, prepare_launch: bool) -> CompiledKernel:
    compiled = _compiled(kernel, target)
    if prepare_launch:
        _launcher_stubs.prepare(kernel.signature, compiled.compiled.metadata)
    return compiled


def _compiled(kernel: KernelSource, target: Any) -> CompiledKernel:
    key = kernel.key(target)
    files = cached_files(key, lambda: _compile_entry(kernel, target))
    if files is None:
        return CompiledKernel(kernel, triton_compile(kernel, target))
    from triton.compiler import CompiledKernel as TritonKernel

    group = {name: str(path) for name, path in files.items() if not name.endswith(".py")}
    return CompiledKernel(kernel, TritonKernel(_launch_signature(kernel.signature), group, key))


class _LauncherStubs:
    """Triton's launchers: C code that it builds for each signature when a kernel is loaded.

    A C compiler takes a quarter of a second for one. Here they are built in the compile threads, each once.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._locks: dict[tuple[str, ...], threading.Lock] = {}
        self._built: set[tuple[str, ...]] = set()

    def prepare(self, signature: tuple[str, ...], metadata: Any) -> None:
        from triton.runtime import driver

        kind = tuple("*" if type_.startswith("*") else type_ for type_ in signature)
        with self._lock:
            lock = self._locks.setdefault(kind, threading.Lock())
        with lock:
            if kind not in self._built:
                active: Any = driver.active
                active.launcher_cls(_launch_signature(signature), metadata)
                self._built.add(kind)


_launcher_stubs = _LauncherStubs()


class _Pool:
    """The compile threads of this process, and what they made."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._executor: ThreadPoolExecutor | None = None
        self._kernels: dict[str, Future[CompiledKernel]] = {}

    def submit(self, kernel: KernelSource, target: Any, prepare_launch: bool) -> Future[CompiledKernel]:
        key = kernel.key(target)
        with self._lock:
            future = self._kernels.get(key)
            if future is None or (future.done() and future.exception() is not None):
                if self._executor is None:
                    workers = min(MAX_WORKERS, os.cpu_count() or 1)
                    self._executor = ThreadPoolExecutor(workers, thread_name_prefix="fusir-compile")
                future = self._kernels[key] = self._executor.submit(_compile, kernel, target, prepare_launch)
            return future


_pool = _Pool()


def _forget_threads() -> None:
    """A forked child has no compile threads, and a lock or a future of the parent may never be released there."""
    global _pool, _launcher_stubs
    _pool = _Pool()
    _launcher_stubs = _LauncherStubs()


os.register_at_fork(after_in_child=_forget_threads)


def compile_kernel(kernel: KernelSource, target: Any, *, prepare_launch: bool = False) -> Future[CompiledKernel]:
    """Compile for a Triton `GPUTarget` in the background; equal requests share one compilation.

    `prepare_launch` also builds what launches on the GPU that is present.
    """
    return _pool.submit(kernel, target, prepare_launch)
