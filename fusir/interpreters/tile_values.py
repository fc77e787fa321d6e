"""The values that compiled `tt` functions compute with, and what the interpreter needs of their types.

A value is one of
- a tensor with the axes of the programs and then one for each tile dim, of extent 1 where it does not vary;
- an `Affine`, or a tensor `Displaced` by one, for an integer tile; a `Mask`, True or False for an `i1` tile;
- a `Pointer`, which is a buffer with an address;
- a `Descriptor` of a tensor in memory.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import torch
from torch import Tensor
from xdsl.ir import Attribute

from fusir.interpreters.index import Affine, Mask
from fusir.interpreters.integers import integer_bits
from fusir.interpreters.memory import Address, Buffer, Displaced
from fusir.interpreters.scalars import torch_dtype


class TileType(NamedTuple):
    """What the interpreter needs of a tile type; `low` and `high` bound the values of an integer type."""

    shape: tuple[int, ...]
    dtype: torch.dtype
    low: int = 0
    high: int = 0

    def holds(self, a: Affine) -> bool:
        """Whether every value of `a` is representable."""
        return self.low <= a.minimum and a.maximum <= self.high


def scalar_type(element: Attribute) -> TileType:
    """The description of a scalar type other than a pointer."""
    dtype = torch_dtype(element)
    if dtype.is_floating_point or dtype == torch.bool:
        return TileType((), dtype)
    half = 1 << (integer_bits(dtype) - 1)
    return TileType((), dtype, -half, half - 1)


class Pointer:
    """A tile of addresses in one buffer."""

    __slots__ = ("address", "buffer")

    def __init__(self, buffer: Buffer, address: Address):
        self.buffer = buffer
        self.address = address


class Descriptor(NamedTuple):
    """A tensor in memory: a scalar pointer, and extents and strides as scalar values."""

    base: Pointer
    shape: tuple[Tensor | Affine | Displaced, ...]
    strides: tuple[Tensor | Affine | Displaced, ...]
    outside: float | int
    """What a load gives outside of the tensor."""


Value: TypeAlias = Tensor | Affine | Displaced | Mask | bool | Pointer | Descriptor
