"""What users call: `compile`, `trace`, `explain`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeGuard, TypeVar

from fusir.options import Options, resolve_options

if TYPE_CHECKING:
    from torch.export import ExportedProgram
    from xdsl.dialects.builtin import ModuleOp

    from fusir.frontend.explain import Report

F = TypeVar("F", bound=Callable[..., Any])


def compile(  # noqa: A001 - as torch.compile
    fn: F,
    mode: str | None = None,
    dynamic: bool | None = None,
    fullgraph: bool = False,
    options: Mapping[str, object] | Options | None = None,
) -> F:
    """`torch.compile` with fusir as the compiler.

    Args:
        fn: a function, a `torch.nn.Module`, or an exported program (`dynamic` and `fullgraph` do not matter then).
        mode: None, "default", "reduce-overhead", "max-autotune" or "max-autotune-no-cudagraphs".
        dynamic: as in `torch.compile`.
        fullgraph: as in `torch.compile`.
        options: fields of `fusir.options.Options` by name; they go on top of what the mode sets.

    Raises OptionError for an unknown mode or option, TypeError if `fn` cannot be called.
    """
    import torch

    from fusir.frontend.backend import Backend

    resolved = resolve_options(mode, options)
    _check_callable(fn)
    if _is_exported(fn):
        from fusir.frontend.export import compile_exported

        return compile_exported(fn, resolved)  # pyright: ignore[reportReturnType]
    backend = Backend(resolved)
    return torch.compile(fn, backend=backend, dynamic=dynamic, fullgraph=fullgraph)  # pyright: ignore[reportReturnType]


def trace(fn: Callable[..., Any], *args: Any, **kwargs: Any) -> ModuleOp:
    """The program at graph level, without running it. `str(module)` is its text.

    Arguments may be tensors of any device, also fake and meta ones; parameters and buffers become arguments.
    Raises CaptureError if the function cannot be traced into one graph.
    """
    from fusir.frontend.capture import trace_module

    _check_callable(fn)
    return trace_module(fn, args, kwargs)


def explain(
    fn: Callable[..., Any], *args: Any, options: Mapping[str, object] | Options | None = None, **kwargs: Any
) -> Report:
    """What fusir makes of a program: kernels, fallbacks, remarks and every level. Runs the compiler and nothing else.

    Raises CaptureError if the function cannot be traced into one graph, OptionError for an unknown option.
    """
    from fusir.frontend.explain import explain_program

    _check_callable(fn)
    return explain_program(fn, args, kwargs, resolve_options(None, options))


def _check_callable(fn: object) -> None:
    if not callable(fn) and not _is_exported(fn):
        raise TypeError(f"expected a function or a torch.nn.Module, got {type(fn).__name__}")


def _is_exported(fn: object) -> TypeGuard[ExportedProgram]:
    """Whether this is a `torch.export` program; PyTorch is imported already if there is one."""
    return type(fn).__name__ == "ExportedProgram"
