"""Functions over rows, and their kernels under schedules that a test chooses."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor
from xdsl.dialects.builtin import ModuleOp

import fusir
from fusir.conversion.loop_to_tt import replace_kernel
from fusir.dialects import tt
from fusir.dialects.loop import KernelOp
from fusir.interpreters.module import interpret_module
from fusir.pipeline import make_pass, run_pipeline, verify
from fusir.tools.registry import make_context

Function = Callable[..., object]


def lower(
    function: Function, inputs: list[Tensor], schedule: Callable[[KernelOp], None]
) -> tuple[ModuleOp, list[tt.FuncOp]]:
    """The program of a function with its kernels, each under the schedule that the callback gives it."""
    module = fusir.trace(function, *inputs)
    context = make_context()
    run_pipeline(context, module, upto="loop")
    functions: list[tt.FuncOp] = []
    for kernel in list(module.ops):
        if isinstance(kernel, KernelOp):
            schedule(kernel)
            kernel.verify()
            functions.append(replace_kernel(kernel))
    make_pass("plan-buffers").apply(context, module)
    verify(module)
    return module, functions


def compare_with_float64(
    function: Function, inputs: list[Tensor], module: ModuleOp, functions: list[tt.FuncOp], tolerance: float
) -> list[Tensor]:
    """Check that a program has one kernel and gives what the function gives in float64; its results."""
    results: list[Tensor] = []
    exact = function(*(x.double() if x.is_floating_point() else x for x in inputs))
    expected = exact if isinstance(exact, tuple) else (exact,)
    for result, reference in zip(interpret_module(module, inputs), expected, strict=True):
        assert isinstance(result, Tensor) and isinstance(reference, Tensor)
        results.append(result)
        torch.testing.assert_close(result.double(), reference.double(), rtol=tolerance, atol=tolerance, equal_nan=True)
    assert len(functions) == 1, f"{function.__name__}: {[each.sym_name.data for each in functions]}"
    return results


def rows(count: int, extent: int, dtype: torch.dtype = torch.float32) -> Tensor:
    """Random rows, the same for the same extent."""
    return torch.randn(count, extent, generator=torch.Generator().manual_seed(extent)).to(dtype)


def softmax(x: Tensor) -> Tensor:
    return torch.softmax(x, -1)


def log_softmax(x: Tensor) -> Tensor:
    return torch.log_softmax(x, -1)


def layer_norm(x: Tensor, g: Tensor, b: Tensor) -> Tensor:
    return torch.nn.functional.layer_norm(x, x.shape[-1:], g, b)


def position(x: Tensor) -> tuple[Tensor, Tensor]:
    """Pairs of value and index: the first of equal values."""
    where = x.argmax(-1, keepdim=True)
    return x + where, where


def all_of(x: Tensor) -> tuple[Tensor, Tensor]:
    """Values of i1, and two combiners in one nest."""
    large = (x > 1.5).any(-1, keepdim=True)
    return torch.where(large, x * 2, x + x.amin(-1, keepdim=True)), large
