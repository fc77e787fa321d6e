"""What the front end uses of PyTorch beyond its public interface, in one place.

Checked with PyTorch 2.11 to 2.13.
"""
# pyright: reportPrivateUsage=false, reportPrivateImportUsage=false, reportAttributeAccessIssue=false

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any, cast

import torch
from torch._functorch._aot_autograd.functional_utils import from_fun, has_data_mutation
from torch._ops import OpOverload, OpOverloadPacket
from torch._subclasses.functional_tensor import FunctionalTensor, FunctionalTensorMode
from torch.utils import _pytree as pytree

__all__ = [
    "OpOverload",
    "OpOverloadPacket",
    "aten_names",
    "compiling",
    "convolutions_use_tf32",
    "functionalized",
    "is_missing",
    "preserve_node_meta",
    "static_input_indices",
    "without_autocast",
    "write_unseen",
]


def aten_names() -> list[str]:
    """The names of all ATen operators without their overloads, sorted: `abs`, `add`, ..."""
    names: list[str] = torch._C._dispatch_get_all_op_names()
    return sorted({n.removeprefix("aten::").split(".")[0] for n in names if n.startswith("aten::")})


def static_input_indices() -> Sequence[int]:
    """While AOTAutograd compiles: the inputs of the forward graph that have the same storage in every call."""
    context = torch._guards.TracingContext.try_get()
    metadata = None if context is None else context.fw_metadata
    return () if metadata is None else metadata.static_input_indices or ()


def without_autocast() -> AbstractContextManager[Any]:
    """Autocast is part of the graph already and must not act on what a compiler runs."""
    return torch._C._DisableAutocast()


@contextmanager
def compiling() -> Generator[None]:
    """Libraries ask `torch.compiler.is_compiling()` and then avoid code that depends on values."""
    before = torch.compiler._is_compiling_flag
    torch.compiler._is_compiling_flag = True
    try:
        yield
    finally:
        torch.compiler._is_compiling_flag = before


def convolutions_use_tf32() -> bool:
    """Whether cuDNN may run convolutions of f32 in TF32."""
    try:
        return torch.backends.cudnn.allow_tf32
    except RuntimeError:  # set through the newer interface, which the older one refuses to read then
        return torch.backends.cudnn.conv.fp32_precision == "tf32"


def is_missing(device: torch.device) -> bool:
    """Whether this is a GPU of a kind that this build of PyTorch knows nothing of."""
    return device.type == "cuda" and not torch.backends.cuda.is_built()


def functionalized(program: Callable[..., Any]) -> Callable[..., Any]:
    """The program without writes in place, except that inputs that it changes get their new values at the end."""

    def run(*inputs: torch.Tensor) -> Any:
        without_functionalize = torch._C._ExcludeDispatchKeyGuard(
            torch._C.DispatchKeySet(torch._C.DispatchKey.Functionalize)
        )
        with without_functionalize:
            with FunctionalTensorMode():
                wrapped = [FunctionalTensor.to_functional(value) for value in inputs]
                outputs = pytree.tree_map_only(FunctionalTensor, from_fun, program(*wrapped))
                pairs = [(old, new) for old, new in zip(inputs, wrapped, strict=True) if _is_changed(new)]
                changed = [(old, cast(torch.Tensor, from_fun(new))) for old, new in pairs]
            with torch.no_grad():
                for old, new in changed:
                    old.copy_(new)
        return outputs

    return run


def _is_changed(tensor: FunctionalTensor) -> bool:
    torch._sync(tensor)
    return has_data_mutation(tensor)


def preserve_node_meta() -> AbstractContextManager[Any]:
    """While a graph is traced again: new nodes take the stack trace of the node that they come from."""
    return torch.fx.traceback.preserve_node_meta()


def write_unseen(targets: list[torch.Tensor], values: list[torch.Tensor]) -> None:
    """Copy values into targets in as few launches as PyTorch can, without counting as new versions of the targets."""
    counted = tuple(t for t in targets if not t.is_inference())
    with torch.no_grad(), torch.autograd._unsafe_preserve_version_counter(counted):
        torch._foreach_copy_(targets, values)
