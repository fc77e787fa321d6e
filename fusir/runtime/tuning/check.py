"""Whether the results of a kernel are right: compared with a reference, and with the error that the library makes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue

from fusir.dialects.graph import ContractOp, Precision, dims_of, element_type_of, is_float, is_float8
from fusir.interpreters.graph import torch_dtype
from fusir.runtime.tuning.inputs import as_computed
from fusir.transforms.graph.fusion.standalone import fusion_of

MAX_RATIO = 4.0
"""The largest error may be this many times that of the library: both are the largest of many, and roundings differ."""

MEAN_RATIO = 2.0
"""The same for root mean square errors."""

ACCUMULATION = 4.0
"""Errors of sums of k products in f32 stay below this many times sqrt(k) 2^-24 of their size."""

UNKNOWN_RATIO = 8.0
"""Without a library: how many roundings of the narrowest type an error may amount to."""

TF32_RATIO = (8.0, 2.0)
"""How many roundings of tf32 the largest and the root mean square error may amount to beside, where its factors may be
rounded to it: the library need not do so. Cutting off both factors changes a product by one rounding on average."""

TF32_EPSILON = 2.0**-10

MISMATCHES = 1e-3
"""The share of integer results computed of floats that may differ from the reference: roundings decide them."""


@dataclass(frozen=True)
class Tolerance:
    """What is known of a fusion before it runs."""

    inner: int
    """The longest contracted extent."""
    narrowest: float
    """The relative spacing of the narrowest float type in the fusion."""
    exact: tuple[bool, ...]
    """For each result, whether it depends on no float."""
    rounded: float = 0.0
    """The relative spacing of what factors may be rounded to as they are multiplied."""


def tolerance_of(module: ModuleOp) -> Tolerance:
    """The tolerance for the results of the only fusion of a module."""
    fusion = fusion_of(module)
    contractions = [op for op in fusion.block.ops if isinstance(op, ContractOp)]
    inner = max((math.prod(int(str(dims_of(op.lhs)[d])) for d in op.lhs_contract) for op in contractions), default=1)
    values = [*fusion.block.args, *(result for op in fusion.block.ops for result in op.results)]
    floats = {torch_dtype(element_type_of(value)) for value in values if _is_any_float(value)}
    narrowest = max((torch.finfo(dtype).eps for dtype in floats), default=0.0)
    exact = tuple(not _depends_on_float(value) for value in fusion.terminator.values)
    rounded = TF32_EPSILON if any(op.precision is Precision.TF32 for op in contractions) else 0.0
    return Tolerance(inner, narrowest, exact, rounded)


def _depends_on_float(value: SSAValue) -> bool:
    seen: set[SSAValue] = set()
    pending = [value]
    while pending:
        value = pending.pop()
        if value in seen:
            continue
        seen.add(value)
        if _is_any_float(value):
            return True
        if isinstance(value.owner, Operation):
            pending.extend(value.owner.operands)
    return False


def _is_any_float(value: SSAValue) -> bool:
    return is_float(element_type_of(value)) or is_float8(element_type_of(value))


@dataclass(frozen=True)
class _Errors:
    """Errors relative to the size of an element, but at least to the mean size."""

    largest: float
    mean: float
    """The root mean square."""


class Check:
    """Compares the results of kernels with those of a reference."""

    def __init__(
        self, tolerance: Tolerance, reference: Sequence[torch.Tensor], library: Sequence[torch.Tensor] | None
    ) -> None:
        """`reference` has float64 (or f32) for every float. `library` are results of code that is known to be right,
        in the types that results have; None if there is none."""
        self._tolerance: Tolerance = tolerance
        self._reference: Sequence[torch.Tensor] = reference
        self._library: Sequence[torch.Tensor] | None = library

    def rejection(self, results: Sequence[torch.Tensor]) -> str | None:
        """Why results are wrong, in one line; None if they are right."""
        if len(results) != len(self._reference):
            return f"it has {len(results)} results instead of {len(self._reference)}"
        for index, (result, expected) in enumerate(zip(results, self._reference, strict=True)):
            library = None if self._library is None else self._library[index]
            if result.shape != expected.shape:
                return f"result {index} has shape {list(result.shape)} instead of {list(expected.shape)}"
            if not expected.numel():
                continue
            if result.is_floating_point():
                reason = self._wrong_floats(result, expected, library)
            else:
                reason = self._wrong_integers(result, expected, library, self._tolerance.exact[index])
            if reason is not None:
                return f"wrong result {index}: {reason}"
        return None

    def _wrong_floats(self, result: torch.Tensor, expected: torch.Tensor, library: torch.Tensor | None) -> str | None:
        rounding = torch.finfo(result.dtype).eps / 2
        result, expected = as_computed(result), as_computed(expected)
        library = None if library is None else as_computed(library)
        rounded = expected.to(result.dtype)
        finite = rounded.isfinite()
        lost = int((finite & ~result.isfinite()).sum())
        if lost:
            return f"{lost} elements are not finite"
        same = _same(result, rounded)
        if library is not None:
            same |= _same(result, library)
        unlike = int((~finite & ~same).sum())
        if unlike:
            return f"{unlike} elements that are not finite differ"
        scale = expected.abs()
        scale += scale[finite].mean() if bool(finite.any()) else 0.0
        slack = rounding + ACCUMULATION * math.sqrt(self._tolerance.inner) * 2.0**-24
        ours = _errors(result, expected, scale, finite)
        if library is None:
            largest = mean = UNKNOWN_RATIO * self._tolerance.narrowest + slack
        else:
            theirs = _errors(library, expected, scale, finite & library.isfinite())
            largest, mean = MAX_RATIO * theirs.largest + slack, MEAN_RATIO * theirs.mean + slack
        largest += TF32_RATIO[0] * self._tolerance.rounded
        mean += TF32_RATIO[1] * self._tolerance.rounded
        # Written so that NaN is refused.
        if not ours.largest <= largest:
            return f"a relative error of {ours.largest:.2g}, {largest:.2g} is allowed"
        if not ours.mean <= mean:
            return f"a mean relative error of {ours.mean:.2g}, {mean:.2g} is allowed"
        return None

    def _wrong_integers(
        self, result: torch.Tensor, expected: torch.Tensor, library: torch.Tensor | None, exact: bool
    ) -> str | None:
        share = _mismatches(result, expected)
        allowed = 0.0
        if not exact:
            allowed = MISMATCHES + (0.0 if library is None else MAX_RATIO * _mismatches(library, expected))
        return None if share <= allowed else f"{share:.2%} of the elements differ, {allowed:.2%} may"


def _same(result: torch.Tensor, expected: torch.Tensor) -> torch.Tensor:
    return (result == expected) | (result.isnan() & expected.isnan())


def _errors(result: torch.Tensor, expected: torch.Tensor, scale: torch.Tensor, counted: torch.Tensor) -> _Errors:
    """`scale` is not 0 where an error is not."""
    error = (result.to(expected.dtype) - expected).abs_()
    error = torch.where(counted & (error != 0), error / scale, 0.0)
    return _Errors(error.max().item(), error.square().mean().sqrt().item())


def _mismatches(result: torch.Tensor, expected: torch.Tensor) -> float:
    """The share of the elements that differ."""
    return (result != expected.to(result.dtype)).double().mean().item()
