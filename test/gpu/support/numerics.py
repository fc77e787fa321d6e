"""Is a compiled result right? Against eager where they nearly agree, else by the error of both against float64."""

from __future__ import annotations

import copy
import statistics
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import torch
from torch.utils._pytree import tree_flatten, tree_map

CHUNK = 1 << 24
"""Elements compared at a time, so that comparing needs little memory."""

TINY = 1e-300

Errors: TypeAlias = tuple[float, float]
"""Root mean square and maximum."""

CLOSE_RTOL = 1e-5
CLOSE_ATOL = 1e-6
"""Float32 results this close to eager are right; the absolute part is relative to the largest element."""


@dataclass(frozen=True)
class Slack:
    """How much greater than eager's error ours may be (root mean square and maximum), and what always passes."""

    rms: float
    maximum: float
    epsilon: float
    """Errors up to this, relative to the root mean square and the maximum of the reference, are rounding."""


FLOAT32 = Slack(rms=2.0, maximum=4.0, epsilon=2.0**-21)
BFLOAT16 = Slack(rms=1.05, maximum=1.5, epsilon=2.0**-11)


@dataclass
class Verdict:
    ok: bool
    how: str
    """"same", "close" (to eager), "reference" (by float64), "loose" (no reference to be had)."""
    detail: str = ""
    errors: list[tuple[float, float]] = field(default_factory=list)
    """The root mean square error relative to the reference, compiled and eager, of each result that needed float64."""


def tensors(tree: Any) -> list[torch.Tensor]:
    return [leaf for leaf in tree_flatten(tree)[0] if isinstance(leaf, torch.Tensor)]


def to_double(tree: Any) -> Any:
    """The tree with floating-point tensors and modules in float64."""

    def convert(leaf: Any) -> Any:
        if isinstance(leaf, torch.nn.Module):
            return copy.deepcopy(leaf).double()
        if isinstance(leaf, torch.Tensor) and leaf.is_floating_point():
            return leaf.double()
        return leaf

    return tree_map(convert, tree)


def judge(
    actual: Any, eager: Any, reference: Callable[[], Any], slack: Slack, *, reference_must_fit: bool = True
) -> Verdict:
    """Compare two trees of tensors; `reference` computes the float64 tree if it is needed.

    Where the reference needs more memory than there is, torch.OutOfMemoryError is raised, or without
    `reference_must_fit` the results are compared with eager alone.
    """
    actual_leaves, eager_leaves = tensors(actual), tensors(eager)
    if len(actual_leaves) != len(eager_leaves):
        return Verdict(False, "same", f"{len(actual_leaves)} results, eager has {len(eager_leaves)}")
    unclear: list[int] = []
    how = "same"
    for i, (a, e) in enumerate(zip(actual_leaves, eager_leaves, strict=True)):
        if a.shape != e.shape or a.dtype != e.dtype:
            return Verdict(False, "same", f"result {i} is {_kind(a)}, in eager {_kind(e)}")
        if not e.is_floating_point() and not e.is_complex():
            if not torch.equal(a, e):
                return Verdict(False, "same", f"result {i}: {int((a != e).sum())} of {e.numel()} elements differ")
        elif e.dtype != torch.float32 or not _close(a, e):
            unclear.append(i)
        elif not _equal(a, e):
            how = "close"
    if not unclear:
        return Verdict(True, how)
    try:
        reference_leaves = tensors(reference())
    except (RuntimeError, TypeError, NotImplementedError) as error:
        if isinstance(error, torch.OutOfMemoryError) and reference_must_fit:
            raise
        return _judge_loosely(actual_leaves, eager_leaves, unclear, error)
    return _judge_by_reference(actual_leaves, eager_leaves, reference_leaves, unclear, slack)


def _judge_by_reference(
    actual: list[torch.Tensor],
    eager: list[torch.Tensor],
    reference: list[torch.Tensor],
    unclear: list[int],
    slack: Slack,
) -> Verdict:
    """The error of each result must not be much greater than eager's own, or than eager's typical one.

    The typical error, the median over all results relative to their size, keeps results of few elements from failing
    where eager happens to be exact.
    """
    measured: list[tuple[int, Errors, Errors, Errors]] = []
    for i in unclear:
        if not bool((torch.isfinite(actual[i]) == torch.isfinite(eager[i])).all()):
            return Verdict(False, "reference", f"result {i}: not finite where eager is, or the other way round")
        zero = torch.zeros((), device=reference[i].device).expand(reference[i].shape)
        size = _errors(zero, reference[i])
        measured.append((i, _errors(actual[i], reference[i]), _errors(eager[i], reference[i]), size))
    typical = [
        statistics.median(eager_error[k] / size[k] if size[k] else 0.0 for _, _, eager_error, size in measured)
        for k in (0, 1)
    ]
    verdict = Verdict(True, "reference")
    for i, error, eager_error, size in measured:
        verdict.errors.append((error[0] / max(size[0], TINY), eager_error[0] / max(size[0], TINY)))
        for k, factor in ((0, slack.rms), (1, slack.maximum)):
            limit = factor * max(eager_error[k], typical[k] * size[k]) + slack.epsilon * size[k]
            if not error[k] <= limit and verdict.ok:
                verdict.ok = False
                verdict.detail = (
                    f"result {i}: {('rms', 'greatest')[k]} error {error[k]:.3g}, eager's {eager_error[k]:.3g}, "
                    f"{('rms', 'maximum')[k]} of the reference {size[k]:.3g}"
                )
    return verdict


def _judge_loosely(
    actual: list[torch.Tensor], eager: list[torch.Tensor], unclear: list[int], reason: BaseException
) -> Verdict:
    """Without a reference the results must agree to a thousandth."""
    for i in unclear:
        error, size = _errors(actual[i], eager[i]), _errors(torch.zeros_like(eager[i]), eager[i])
        if not error[0] <= 1e-3 * size[0]:
            return Verdict(False, "loose", f"result {i}: rms difference {error[0]:.3g} of {size[0]:.3g}")
    return Verdict(True, "loose", f"no float64 reference: {type(reason).__name__}: {reason}"[:200])


def _chunks(*leaves: torch.Tensor) -> Iterator[tuple[torch.Tensor, ...]]:
    flat = [leaf.detach().reshape(-1) for leaf in leaves]
    for start in range(0, max(flat[0].numel(), 1), CHUNK):
        yield tuple(leaf[start : start + CHUNK] for leaf in flat)


def _equal(a: torch.Tensor, b: torch.Tensor) -> bool:
    return all(bool(((x == y) | (x.isnan() & y.isnan())).all()) for x, y in _chunks(a, b))


def _close(a: torch.Tensor, b: torch.Tensor) -> bool:
    largest = 0.0
    for (chunk,) in _chunks(b):
        finite = chunk[chunk.isfinite()]
        largest = max(largest, float(finite.abs().max()) if finite.numel() else 0.0)
    atol = CLOSE_ATOL * largest
    return all(torch.allclose(x, y, rtol=CLOSE_RTOL, atol=atol, equal_nan=True) for x, y in _chunks(a, b))


def _errors(a: torch.Tensor, b: torch.Tensor) -> Errors:
    """Root mean square and maximum of `a - b` over the elements that are finite in both."""
    square, largest, count = 0.0, 0.0, 0
    for x, y in _chunks(a, b):
        x, y = x.double(), y.double()
        difference = (x - y)[x.isfinite() & y.isfinite()]
        if difference.numel():
            square += float(difference.square().sum())
            largest = max(largest, float(difference.abs().max()))
            count += difference.numel()
    return (square / max(count, 1)) ** 0.5, largest


def _kind(tensor: torch.Tensor) -> str:
    return f"{str(tensor.dtype).removeprefix('torch.')}{list(tensor.shape)}"
