"""Helpers of the tests of the front end."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch.utils import _pytree as pytree

import fusir
from fusir.frontend.capture import capture
from fusir.frontend.compiler import CompiledGraph
from fusir.frontend.imported import ImportedGraph
from fusir.interpreters.graph import interpret

TOLERANCES = {
    torch.float16: 5e-3,
    torch.bfloat16: 3e-2,
    torch.float32: 1e-4,
    torch.complex64: 1e-4,
}
"""Relative and absolute; f64 and integers are 1e-6."""


def strict() -> None:
    """Make a fall back to PyTorch an error."""
    warnings.simplefilter("error", fusir.FusirFallbackWarning)


def tensors_of(tree: Any) -> list[torch.Tensor]:
    return [leaf for leaf in pytree.tree_leaves(tree) if isinstance(leaf, torch.Tensor)]


def run_imported(
    fn: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any] | None = None, *, dynamic: bool = False
) -> tuple[ImportedGraph, list[Any]]:
    """Trace, import, verify, and run with the graph interpreter; the flat outputs."""
    captured = capture(fn, args, kwargs, dynamic=dynamic)
    imported = captured.imported()
    imported.module.verify()
    call = CompiledGraph(imported, lambda inputs: interpret(imported.module, inputs), captured.gm)
    state = [p.detach() for p in (*fn.parameters(), *fn.buffers())] if isinstance(fn, torch.nn.Module) else []
    with torch.no_grad():
        return imported, list(call([*state, *(t.detach() for t in tensors_of((tuple(args), kwargs or {})))]))


def difference(actual: Sequence[Any], expected: Any) -> str | None:
    """What is wrong with the outputs, None if they agree in type, shape and value."""
    leaves = [leaf for leaf in pytree.tree_leaves(expected) if leaf is not None]
    if len(leaves) != len(actual):
        return f"{len(actual)} outputs instead of {len(leaves)}"
    for got, want in zip(actual, leaves, strict=True):
        if not isinstance(want, torch.Tensor):
            if got != want:
                return f"{got} instead of {want}"
            continue
        if got.dtype != want.dtype or got.shape != want.shape:
            return f"{got.dtype}{list(got.shape)} instead of {want.dtype}{list(want.shape)}"
        tolerance = TOLERANCES.get(want.dtype, 1e-6)
        try:
            torch.testing.assert_close(got, want.detach(), rtol=tolerance, atol=tolerance, equal_nan=True)
        except AssertionError as error:
            return " ".join(str(error).split())
    return None


class Checker:
    """Counts cases of imported operators against eager and collects what is wrong."""

    def __init__(self) -> None:
        warnings.simplefilter("ignore")
        torch.manual_seed(0)
        self.cases = 0
        self.native = 0
        self.failures: list[str] = []

    def check(
        self,
        name: str,
        fn: Callable[..., Any],
        *args: Any,
        may_call: bool = False,
        dynamic: bool = False,
        **kwargs: Any,
    ) -> None:
        """Compare with eager. Without `may_call`, a call of ATen is an error too."""
        expected = fn(*(a.clone() if isinstance(a, torch.Tensor) else a for a in args), **kwargs)
        imported, actual = run_imported(fn, args, kwargs, dynamic=dynamic)
        wrong = difference(actual, expected)
        self.cases += 1
        self.native += not imported.fallbacks
        if wrong is None and imported.fallbacks and not may_call:
            wrong = f"not native: {imported.fallbacks}"
        if wrong is not None:
            inputs = [f"{a.dtype}{list(a.shape)}" if isinstance(a, torch.Tensor) else a for a in args]
            self.failures.append(f"{name}{inputs}: {wrong}")

    def finish(self) -> None:
        """Print the counts and fail if something was wrong."""
        print(f"{self.cases} cases, {self.native} without a call of ATen, {len(self.failures)} wrong")
        print(*self.failures, sep="\n")
        assert not self.failures


def make(shape: Sequence[int], dtype: torch.dtype, *, positive: bool = False) -> torch.Tensor:
    """Random values: normal, or small non-negative integers; `positive` keeps them away from 0."""
    if dtype == torch.bool:
        return torch.rand(shape) < 0.5
    if not dtype.is_floating_point:
        return torch.randint(1 if positive else 0, 9, shape, dtype=dtype)
    return (torch.rand(shape) + 0.3 if positive else torch.randn(shape)).to(dtype)
