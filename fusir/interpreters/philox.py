"""Philox-4x32-10 on torch CPU tensors, the generator behind `graph.random`.

Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC 2011.
"""

from __future__ import annotations

import torch

_ROUNDS = 10
_KEY_A, _KEY_B = 0x9E3779B9, 0xBB67AE85
_ROUND_A, _ROUND_B = 0xD2511F53, 0xCD9E8D57
_MASK = 0xFFFFFFFF


def _multiply(a: int, b: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """High and low 32 bits of a product of 32-bit unsigned values held in int64, without signed overflow."""
    low = a * (b & 0xFFFF)
    high = a * (b >> 16) + (low >> 16)
    return high >> 16, ((high & 0xFFFF) << 16) | (low & 0xFFFF)


def philox_uniform(seed: int, offset: int, index: torch.Tensor) -> torch.Tensor:
    """Uniform f32 in [0, 1) with 24 random bits for each element of the int64 tensor `index`.

    The key words are the low and high half of `seed`, the counter words those of `index` and of `offset`.
    """
    c0, c1 = index & _MASK, (index >> 32) & _MASK
    c2, c3 = torch.full_like(index, offset & _MASK), torch.full_like(index, (offset >> 32) & _MASK)
    k0, k1 = seed & _MASK, (seed >> 32) & _MASK
    for _ in range(_ROUNDS):
        high_a, low_a = _multiply(_ROUND_A, c0)
        high_b, low_b = _multiply(_ROUND_B, c2)
        c0, c1, c2, c3 = high_b ^ c1 ^ k0, low_b, high_a ^ c3 ^ k1, low_a
        k0, k1 = (k0 + _KEY_A) & _MASK, (k1 + _KEY_B) & _MASK
    return (c0 >> 8).to(torch.float32) * 2.0**-24
