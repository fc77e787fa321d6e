"""Loads, stores and atomics of whole tiles on torch tensors.

An address is the number of elements from the first element of a buffer: an `Affine` function of the axes, or a
tensor. `sizes` are the extents of all axes (those of the programs first); results may have extent 1 on an axis along
which they do not vary. Affine addresses become strided views; the rest goes through index tensors. An access outside
of the buffer that no mask takes away raises MemoryAccessError: the interpreters are the memory checker of the compiler.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

import torch
from torch import Tensor

from fusir.interpreters.index import (
    Affine,
    Box,
    Mask,
    Strides,
    Term,
    box_of,
    injective,
    materialize,
    materialize_mask,
    strides_of,
)


class Displaced(NamedTuple):
    """`base + offset` not yet added, where `base` has extent 1 on every axis that `offset` depends on."""

    base: Tensor
    offset: Affine

    @classmethod
    def make(cls, base: Tensor, offset: Affine) -> Displaced | None:
        """The sum, None if both depend on some axis or the offset on none."""
        if not offset.terms or any(base.shape[term.axis] != 1 for term in offset.terms):
            return None
        return cls(base, offset)


Address: TypeAlias = Affine | Tensor | Displaced
Condition: TypeAlias = Mask | bool | Tensor
"""A decided, a symbolic or a computed mask."""


class MemoryAccessError(IndexError):
    """A kernel reads or writes outside of a buffer."""


class Buffer:
    """The memory of one tensor: its elements and the gaps between them, addressed from its first element."""

    __slots__ = ("_flat", "copies_loads", "name", "span", "tensor")

    def __init__(self, name: str, tensor: Tensor, copies_loads: bool = False):
        """`copies_loads`: the memory may be written while loaded values are in use, so loads are not views of it."""
        self.name = name
        self.tensor = tensor
        self.copies_loads = copies_loads
        self.span = tensor.numel()
        if self.span and not tensor.is_contiguous():
            self.span = 1 + sum((n - 1) * s for n, s in zip(tensor.shape, tensor.stride(), strict=True))
        self._flat: Tensor | None = None

    def overlaps(self, other: Buffer) -> bool:
        """Whether the two share memory."""
        begin, other_begin = self.tensor.data_ptr(), other.tensor.data_ptr()
        end = begin + self.span * self.tensor.element_size()
        return begin < other_begin + other.span * other.tensor.element_size() and other_begin < end

    @property
    def flat(self) -> Tensor:
        """All addresses as one dimension."""
        if self._flat is None:
            self._flat = self.tensor.as_strided((self.span,), (1,))
        return self._flat

    def window(self, address: Affine, strides: Strides) -> Tensor:
        """The view of the digits of an affine address, from the smallest address on."""
        tensor = self.tensor
        return tensor.as_strided(strides.extents, strides.strides, tensor.storage_offset() + address.minimum)

    def contains(self, address: Affine) -> bool:
        """Whether all of the addresses are inside."""
        return address.minimum >= 0 and address.maximum < self.span

    def fail(self, verb: str, address: int) -> MemoryAccessError:
        """The error of an access outside."""
        return MemoryAccessError(
            f"{verb} at offset {address} of buffer '{self.name}', which spans {self.span} elements"
        )


def reinterpret(tensor: Tensor, dtype: torch.dtype) -> Tensor:
    """The same memory as elements of another dtype of the same width."""
    return tensor if tensor.dtype == dtype else tensor.view(dtype)


def joint_shape(*shapes: Sequence[int]) -> tuple[int, ...]:
    """The shape that tensors of one rank and without empty dims are broadcast to."""
    return tuple(map(max, zip(*shapes, strict=True)))


def as_index(address: Address, sizes: Sequence[int]) -> Tensor:
    """An address as an int64 tensor."""
    if isinstance(address, Displaced):
        return address.base.to(torch.int64) + materialize(address.offset, sizes)
    return materialize(address, sizes) if isinstance(address, Affine) else address.to(torch.int64)


def as_bool(mask: Condition, sizes: Sequence[int]) -> Tensor:
    """A condition as a bool tensor."""
    if isinstance(mask, Tensor):
        return mask
    if isinstance(mask, bool):
        return torch.full((1,) * len(sizes), mask)
    return materialize_mask(mask, sizes)


def poison(dtype: torch.dtype) -> float | int:
    """What a masked lane without another value holds: NaN, so that a use of it shows, or 0."""
    return float("nan") if dtype.is_floating_point else 0


# --- loads ----------


def load(
    buffer: Buffer, address: Address, mask: Condition, other: float | int | Tensor | None, sizes: Sequence[int]
) -> Tensor:
    """The elements at the addresses, `other` where the mask is false."""
    if other is None:
        other = poison(buffer.tensor.dtype)
    if mask is False:
        return _filled(buffer, other, sizes)
    if isinstance(address, Affine):
        if mask is True:
            return _load_view(buffer, address, sizes)
        if isinstance(mask, Mask):
            box = box_of(mask, sizes)
            if box is not None:
                clipped = _clip(address, box, sizes)
                if clipped is not None:
                    return _load_box(buffer, *clipped, box, other, sizes)
        if buffer.contains(address):
            # The lanes that the mask takes away are readable too.
            return _choose(as_bool(mask, sizes), _load_view(buffer, address, sizes), other)
    return _gather(buffer, address, mask, other, sizes)


def _filled(buffer: Buffer, other: float | int | Tensor, sizes: Sequence[int]) -> Tensor:
    if isinstance(other, Tensor):
        return other
    return torch.full((1,) * len(sizes), other, dtype=buffer.tensor.dtype)


def _load_view(buffer: Buffer, address: Affine, sizes: Sequence[int]) -> Tensor:
    if not buffer.contains(address):
        raise buffer.fail("read", address.minimum if address.minimum < 0 else address.maximum)
    strides = strides_of(address, sizes)
    view = buffer.window(address, strides)
    if strides.reversed:
        view = view.flip(strides.reversed)
    result = view if strides.shape == strides.extents else view.reshape(strides.shape)
    return result.clone() if buffer.copies_loads else result


def _clip(address: Affine, box: Box, sizes: Sequence[int]) -> tuple[Affine, list[int]] | None:
    """The address on the positions inside the box, and their extents; None if the box cuts through digits."""
    constant = address.constant
    terms: list[Term] = []
    for term in address.terms:
        axis, low, high, factor = term
        if axis not in box:
            terms.append(term)
            continue
        if low != 1 or high != sizes[axis]:
            return None
        begin, end = box[axis]
        constant += factor * begin
        if end - begin > 1:
            terms.append(Term(axis, 1, end - begin, factor))
    inner = list(sizes)
    for axis, (begin, end) in box.items():
        inner[axis] = end - begin
    return Affine(constant, tuple(terms)), inner


def _load_box(
    buffer: Buffer, address: Affine, inner: list[int], box: Box, other: float | int | Tensor, sizes: Sequence[int]
) -> Tensor:
    if 0 in inner:
        return _filled(buffer, other, sizes)
    view = _load_view(buffer, address, inner)
    varying = {term.axis for term in address.terms} | set(box)
    shape = [size if axis in varying else 1 for axis, size in enumerate(sizes)]
    if isinstance(other, Tensor):
        shape = list(joint_shape(shape, other.shape))
        result = other.expand(shape).clone()
    else:
        result = torch.full(shape, other, dtype=view.dtype)
    _narrow(result, box).copy_(view)
    return result


def _narrow(tensor: Tensor, box: Box) -> Tensor:
    for axis, (begin, end) in box.items():
        if tensor.shape[axis] != 1:
            tensor = tensor.narrow(axis, begin, end - begin)
    return tensor


def _choose(mask: Tensor, value: Tensor, other: float | int | Tensor) -> Tensor:
    if not isinstance(other, Tensor):
        other = torch.full((), other, dtype=value.dtype)
    return torch.where(mask, value, other)


def _checked_index(buffer: Buffer, address: Address, valid: Tensor | None, sizes: Sequence[int], verb: str) -> Tensor:
    """The addresses as int64, those that the mask takes away as 0; raises if one is outside of the buffer."""
    index = as_index(address, sizes)
    if valid is not None:
        index = torch.where(valid, index, 0)
    if not (isinstance(address, Affine) and buffer.contains(address)) and index.numel():
        low, high = torch.aminmax(index)
        if low < 0:
            raise buffer.fail(verb, int(low))
        if high >= buffer.span and (valid is None or bool(valid.any())):
            raise buffer.fail(verb, int(high))
    return index


def _gather(
    buffer: Buffer, address: Address, mask: Condition, other: float | int | Tensor, sizes: Sequence[int]
) -> Tensor:
    valid = None if mask is True else as_bool(mask, sizes)
    if isinstance(address, Displaced):
        windows = _gather_windows(buffer, address, valid, other, sizes)
        if windows is not None:
            return windows
    index = _checked_index(buffer, address, valid, sizes, "read")
    if buffer.span == 0:
        return _filled(buffer, other, sizes)
    value = buffer.flat[index]
    return value if valid is None else _choose(valid, value, other)


def _gather_windows(
    buffer: Buffer, address: Displaced, valid: Tensor | None, other: float | int | Tensor, sizes: Sequence[int]
) -> Tensor | None:
    """The elements of one strided window for each base address, as rows of a table.

    None if the rows are not inner to all axes of the base and the mask, since a transposed table makes slow tiles.
    """
    base, offset = address
    strides = strides_of(offset, sizes)
    inner = min(term.axis for term in offset.terms)
    if strides.reversed or any(extent != 1 for extent in base.shape[inner:]):
        return None
    if valid is not None and any(extent != 1 for extent in valid.shape[inner:]):
        return None
    start = base.to(torch.int64) + offset.minimum
    if valid is not None:
        start = torch.where(valid, start, 0)
    count = buffer.span - (offset.maximum - offset.minimum)
    low, high = (int(bound) for bound in torch.aminmax(start))
    if low < 0 or high >= count:
        if valid is None or bool(valid.any()):
            raise buffer.fail("read", low if low < 0 else high + offset.maximum - offset.minimum)
        return _filled(buffer, other, sizes)
    windows = buffer.flat.as_strided((count, *strides.extents), (1, *strides.strides), buffer.flat.storage_offset())
    rows = windows[start.reshape(-1)].view(*start.shape, *strides.extents)
    # Behind each axis of the base come the digits of the same axis.
    order: list[int] = []
    digit = start.dim()
    for axis, count in enumerate(strides.digits):
        order += [axis, *range(digit, digit + count)]
        digit += count
    result = rows.permute(order).reshape(joint_shape(start.shape, strides.shape))
    return result if valid is None or bool(valid.all()) else _choose(valid, result, other)


# --- stores ----------


def store(buffer: Buffer, address: Address, value: Tensor, mask: Condition, sizes: Sequence[int]) -> None:
    """Write the elements whose mask is true. Of several writes to one address the last one in row-major order stays."""
    if mask is False:
        return
    if isinstance(address, Affine) and _store_view(buffer, address, value, mask, sizes):
        return
    valid = None if mask is True else as_bool(mask, sizes)
    index = _checked_index(buffer, address, valid, sizes, "write")
    shape = joint_shape(index.shape, value.shape, *(() if valid is None else (valid.shape,)))
    index, value = index.expand(shape), value.expand(shape)
    if valid is not None:
        valid = valid.expand(shape)
        index, value = index[valid], value[valid]
    buffer.flat[index] = value


def _store_view(buffer: Buffer, address: Affine, value: Tensor, mask: Condition, sizes: Sequence[int]) -> bool:
    """Store through a strided view if the address allows it."""
    box: Box = {}
    remaining: Tensor | None = None
    inner: Sequence[int] = sizes
    if isinstance(mask, Mask):
        found = box_of(mask, sizes)
        clipped = None if found is None else _clip(address, found, sizes)
        if found is None or clipped is None:
            remaining = materialize_mask(mask, sizes)
        else:
            box = found
            address, inner = clipped
            if 0 in inner:
                return True
    elif isinstance(mask, Tensor):
        remaining = mask
    strides = strides_of(address, inner)
    if not injective(strides):
        return False
    if remaining is not None and not (buffer.contains(address) and _fits(remaining, strides.shape)):
        return False
    if not buffer.contains(address):
        raise buffer.fail("write", address.minimum if address.minimum < 0 else address.maximum)
    value = _last(_narrow(value, box), strides.shape)
    target = buffer.window(address, strides)
    value = _as_digits(value, strides)
    target.copy_(value if remaining is None else torch.where(_as_digits(remaining, strides), value, target))
    return True


def _as_digits(value: Tensor, strides: Strides) -> Tensor:
    """A value of the tile shape, or broadcast to it, in the extents and order of the window."""
    if strides.shape != strides.extents:
        value = value.expand(strides.shape).reshape(strides.extents)
    if strides.reversed:
        value = value.expand(strides.extents).flip(strides.reversed)
    return value


def _fits(mask: Tensor, shape: Sequence[int]) -> bool:
    return all(size in (1, extent) for size, extent in zip(mask.shape, shape, strict=True))


def _last(value: Tensor, shape: Sequence[int]) -> Tensor:
    """The value at the last position of each axis on which the address does not vary."""
    for axis, extent in enumerate(shape):
        if extent == 1 and value.shape[axis] > 1:
            value = value.narrow(axis, value.shape[axis] - 1, 1)
    return value


# --- atomics ----------

Update: TypeAlias = Callable[..., Tensor]
"""The new memory from the old memory and the operands of an atomic."""

_ACCUMULATED = {"add": "sum", "fadd": "sum"}


def atomic(
    buffer: Buffer,
    address: Address,
    operands: Sequence[Tensor],
    update: Update,
    kind: str,
    mask: Condition,
    sizes: Sequence[int],
    wants_old: bool,
) -> Tensor:
    """Update the memory lane by lane in row-major order; the old values (0 where masked off) if `wants_old`.

    `kind` is the name of the operation: sums whose old values nobody wants are done at once.
    """
    valid = None if mask is True else as_bool(mask, sizes)
    index = _checked_index(buffer, address, valid, sizes, "atomic").expand(tuple(sizes))
    dtype = buffer.tensor.dtype
    old = torch.zeros(tuple(sizes), dtype=dtype)
    spread = [operand.expand(tuple(sizes)) for operand in operands]
    lanes = slice(None) if valid is None else valid.expand(tuple(sizes))
    index = index[lanes].reshape(-1)
    spread = [operand[lanes].reshape(-1) for operand in spread]
    if index.numel() == 0:
        return old
    if kind in _ACCUMULATED and not wants_old:
        buffer.flat.index_add_(0, index, spread[0])
        return old
    results = _in_turns(buffer.flat, index, spread, update)
    if valid is None:
        return results.view(tuple(sizes))
    old[lanes] = results
    return old


def _in_turns(flat: Tensor, index: Tensor, operands: list[Tensor], update: Update) -> Tensor:
    """Each turn takes the next lane of every address, so that no two lanes of a turn meet."""
    addresses, order = torch.sort(index, stable=True)
    first = torch.ones_like(addresses, dtype=torch.bool)
    first[1:] = addresses[1:] != addresses[:-1]
    positions = torch.arange(addresses.numel())
    turn = positions - torch.cummax(torch.where(first, positions, 0), 0).values
    old = torch.empty_like(operands[0])
    by_turn = torch.sort(turn, stable=True)
    for lanes in torch.split(order[by_turn.indices], torch.bincount(by_turn.values).tolist()):
        where = index[lanes]
        before = flat[where]
        old[lanes] = before
        flat[where] = update(before, *(operand[lanes] for operand in operands))
    return old
