"""What the runtime uses of PyTorch that is not public: each is the cheapest way to do its job, and Inductor's too.

The CUDA functions are None in builds of PyTorch without CUDA.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any

import torch

_guards: Any = torch._C._dynamo.guards  # pyright: ignore

current_raw_stream: Callable[[int], int] = getattr(torch._C, "_cuda_getCurrentRawStream", None)  # pyright: ignore
"""`current_raw_stream(device)`: the handle of the current CUDA stream of a device."""

empty_strided_cuda: Callable[[Sequence[int], Sequence[int], torch.dtype], torch.Tensor] = getattr(
    _guards, "_empty_strided_cuda", None
)  # pyright: ignore
"""`empty_strided_cuda(shape, strides, dtype)`: a new tensor on the current CUDA device."""

reinterpret_tensor: Callable[[torch.Tensor, Sequence[int], Sequence[int], int], torch.Tensor] = (
    _guards._reinterpret_tensor
)
"""`reinterpret_tensor(tensor, shape, strides, offset)`: a view, with an offset from the first element of the tensor."""

is_capturing: Callable[[], bool] = getattr(torch._C, "_cuda_isCurrentStreamCapturing", lambda: False)  # pyright: ignore
"""Whether the current CUDA stream is being recorded into a CUDA graph."""

version_of: Callable[[torch.Tensor], int] = operator.attrgetter("_version")
"""How often a tensor was written in place. Raises RuntimeError for one that was made in inference mode."""


def storage_use_count(storage: torch.UntypedStorage) -> int:
    """How many tensors and other owners a storage has."""
    return torch._C._storage_Use_Count(storage._cdata)  # pyright: ignore


def without_modes() -> AbstractContextManager[Any]:
    """While a program is traced: run operators on real tensors as outside of the tracing."""
    from torch.utils._python_dispatch import _disable_current_modes  # pyright: ignore

    return _disable_current_modes()


def driver_version() -> str:
    """The version of the CUDA driver, empty where there is none."""
    version = getattr(torch._C, "_cuda_getDriverVersion", None)  # pyright: ignore
    return "" if version is None else str(version())


def copy_all(targets: Sequence[torch.Tensor], sources: Sequence[torch.Tensor]) -> None:
    """Copy tensors pairwise, in few launches."""
    torch._foreach_copy_(list(targets), list(sources))  # pyright: ignore
