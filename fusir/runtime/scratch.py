"""Scratch memory of kernels: where their programs put the TMA descriptors that they make.

Each launch gets memory of its own from PyTorch's allocator, on the stream of the launch, and lets go of it when the
kernel is enqueued: on one stream, what gets the memory next runs after the kernel. So launches on several streams and
of several threads do not share it. While a CUDA graph is recorded, the allocator takes it from the memory of the graph,
which lives as long as the graph.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import copy_context
from typing import Any

import torch

from fusir.runtime.torch_internals import current_raw_stream, empty_strided_cuda


def allocate(size: int, device: int, stream: int) -> torch.Tensor:
    """`size` bytes on a CUDA device, which is the current one, for a launch on a stream.

    PyTorch aligns memory to 512 bytes, which is more than any kernel asks for.
    """
    if stream == current_raw_stream(device):
        return empty_strided_cuda((size,), (1,), torch.uint8)
    other = torch.cuda.ExternalStream(stream, device=device) if stream else torch.cuda.default_stream(device)
    with torch.cuda.stream(other):
        return empty_strided_cuda((size,), (1,), torch.uint8)


def with_scratch(run: Any, device: int) -> Callable[..., None]:
    """A launcher of Triton's for a device that needs no allocator to be set; `run` itself if its kernel has no scratch.

    It takes the arguments of `run`: `(gx, gy, gz, stream, function, packed_metadata, None, None, None, *arguments)`.
    """
    if not getattr(run, "global_scratch_size", 0):
        return run
    if _is_plain(run):
        return _plain(run, device)

    def launch(gx: int, gy: int, gz: int, stream: int, *rest: Any) -> None:
        # Triton's allocator is a variable of the context, which others may have set.
        copy_context().run(_launch_by_allocator, run, device, gx, gy, gz, stream, *rest)

    return launch


def raw_launch(run: Any) -> Callable[..., None] | None:
    """The C function below a Triton 3.6 launcher, if the kernel needs nothing of what the Python part does."""
    return run.launch if _is_plain(run) and not run.global_scratch_size else None


def _is_plain(run: Any) -> bool:
    """Whether a launcher is one of Triton 3.6 for CUDA that only allocates scratch memory and calls its C part:
    `run.launch(gx, gy, gz, stream, function, False, False, scratch, None, packed_metadata, None, None, None,
    *arguments)`.
    """
    import triton

    if not triton.__version__.startswith("3.6.") or type(run).__name__ != "CudaLauncher":
        return False
    return not (run.profile_scratch_size or run.launch_cooperative_grid or run.launch_pdl)


def _plain(run: Any, device: int) -> Callable[..., None]:
    size, launch_kernel = run.global_scratch_size * run.num_ctas, run.launch

    def launch(gx: int, gy: int, gz: int, stream: int, function: int, *rest: Any) -> None:
        # Held until the kernel is enqueued: until then another thread must not get it.
        scratch = allocate(gx * gy * gz * size, device, stream)
        launch_kernel(gx, gy, gz, stream, function, False, False, scratch.data_ptr(), None, *rest)

    return launch


def _launch_by_allocator(run: Any, device: int, gx: int, gy: int, gz: int, launch_stream: int, *rest: Any) -> None:
    import triton

    def allocator(size: int, alignment: int, stream: int | None) -> torch.Tensor:
        return allocate(size, device, launch_stream)

    triton.set_allocator(allocator)
    run(gx, gy, gz, launch_stream, *rest)
