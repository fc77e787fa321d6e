"""Conversions to 8-bit floats, the same in every version of PyTorch."""

from __future__ import annotations

import torch
from torch import Tensor

_LARGEST = torch.finfo(torch.float8_e4m3fn).max


def narrowed(x: Tensor, dtype: torch.dtype) -> Tensor:
    """The tensor as this type. What is too large for float8_e4m3fn is its largest number; PyTorch had NaN once."""
    if dtype != torch.float8_e4m3fn or not x.dtype.is_floating_point:
        return x.to(dtype)
    # To f32 first, as PyTorch does: a clamp leaves NaN.
    return x.to(torch.float32).clamp(-_LARGEST, _LARGEST).to(dtype)
