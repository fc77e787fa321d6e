"""The machine that compiled `tt` functions run on: shapes, memory and control flow of a chunk of programs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

import torch
from torch import Tensor

from fusir.interpreters import index
from fusir.interpreters.chunks import Chunk
from fusir.interpreters.combine import FOLDS
from fusir.interpreters.index import Affine, Mask, axis_position
from fusir.interpreters.memory import Address, Buffer, Condition, Displaced, Update, atomic, load, reinterpret, store
from fusir.interpreters.scalars import elementwise_function
from fusir.interpreters.tile_integers import IntegerTiles
from fusir.interpreters.tile_values import Descriptor, Pointer, TileType, Value

PLANE_RANK = 3
"""Dims of a block of planes."""

ROUND_ELEMENTS = 1 << 18
"""Elements of the largest tile over all programs and loop rounds that run side by side: 1 MiB of f32."""

Body: TypeAlias = "Callable[..., tuple[Tensor, ...]]"
"""What one round of a loop adds to each total: the machine, the induction variable, then the values from outside."""


class DeadlockError(Exception):
    """Programs wait for others that never come."""


_LESS, _AT_LEAST = 2, 5
"""Signed predicates of `arith.cmpi`."""

_BOOL = TileType((), torch.bool)


class Accumulation(NamedTuple):
    """A loop that folds what its rounds compute: the operation and the type of each total."""

    kinds: tuple[str, ...]
    types: tuple[TileType, ...]
    elements: int
    """Elements of the largest tile in the body."""


class Programs(IntegerTiles):
    """A chunk of the program instances of a launch, run side by side."""

    # --- shapes ----------

    @staticmethod
    def _map_axes(value: Affine | Mask | bool, position: Callable[[int], int]) -> Value:
        if isinstance(value, Affine):
            return value.move_axes(position) if value.terms else value
        if isinstance(value, Mask):
            return Mask(tuple(atom.move_axes(position) for atom in value.atoms))
        return value

    @staticmethod
    def _both(value: Displaced, function: Callable[[Value], Value]) -> Displaced:
        base, offset = function(value.base), function(value.offset)
        assert isinstance(base, Tensor) and isinstance(offset, Affine)
        return Displaced(base, offset)

    def _each_part(self, value: Descriptor, function: Callable[[Value], Value]) -> Descriptor:
        base = function(value.base)
        assert isinstance(base, Pointer)
        extents, strides = (
            tuple(self._address(function(part)) for part in parts) for parts in (value.shape, value.strides)
        )
        return Descriptor(base, extents, strides, value.outside)

    def splat(self, value: Value, rank: int) -> Value:
        """A scalar in a tile of `rank` dims."""
        if isinstance(value, Tensor):
            return value.view(*value.shape, *(1,) * rank)
        if isinstance(value, Displaced):
            return Displaced(value.base.view(*value.base.shape, *(1,) * rank), value.offset)
        if isinstance(value, Pointer) and not isinstance(value.address, Affine):
            return Pointer(value.buffer, self._address(self.splat(value.address, rank)))
        return value

    @staticmethod
    def _address(value: Value) -> Address:
        assert isinstance(value, (Tensor, Affine, Displaced))
        return value

    def expand_dims(self, value: Value, axis: int) -> Value:
        """A new tile dim at `axis`."""
        if isinstance(value, Tensor):
            return value.unsqueeze(self.lead + axis)
        if isinstance(value, Displaced):
            return self._both(value, lambda part: self.expand_dims(part, axis))
        if isinstance(value, Pointer):
            return Pointer(value.buffer, self._address(self.expand_dims(value.address, axis)))
        if isinstance(value, Descriptor):
            return self._each_part(value, lambda part: self.expand_dims(part, axis))
        threshold = self.lead + axis
        return self._map_axes(value, lambda a: a + (a >= threshold))

    def permute(self, value: Value, order: tuple[int, ...]) -> Value:
        """Result dim `i` is operand dim `order[i]`."""
        if isinstance(value, Tensor):
            return value.permute(*range(self.lead), *(self.lead + axis for axis in order))
        if isinstance(value, Displaced):
            return self._both(value, lambda part: self.permute(part, order))
        if isinstance(value, Pointer):
            return Pointer(value.buffer, self._address(self.permute(value.address, order)))
        assert not isinstance(value, Descriptor)
        return self._map_axes(value, lambda a: a if a < self.lead else self.lead + order.index(a - self.lead))

    def reshape(self, value: Value, source: TileType, result: TileType) -> Value:
        """The same elements in row-major order."""
        if isinstance(value, Pointer):
            address_source, address_result = (TileType(tile.shape, torch.int64) for tile in (source, result))
            return Pointer(value.buffer, self._address(self.reshape(value.address, address_source, address_result)))
        if isinstance(value, Affine):
            reshaped = index.reshape(value, self.lead, source.shape, result.shape)
            if reshaped is not None:
                return reshaped
        if isinstance(value, bool):
            return value
        tensor = self.full(value, source)
        return tensor.reshape(*tensor.shape[: self.lead], *result.shape)

    def unsplat(self, value: Value) -> Value:
        """The only element."""
        if isinstance(value, Displaced):
            return self._both(value, self.unsplat)
        if isinstance(value, Tensor):
            return value.reshape(value.shape[: self.lead])
        return (
            Pointer(value.buffer, self._address(self.unsplat(value.address))) if isinstance(value, Pointer) else value
        )

    # --- memory ----------

    def add_pointer(self, pointer: Pointer, offset: Value, tile: TileType) -> Pointer:
        """The pointer moved by elements."""
        wide = TileType(tile.shape, torch.int64, -(1 << 63), (1 << 63) - 1)
        if isinstance(offset, Tensor):
            offset = offset.to(torch.int64)
        elif isinstance(offset, Displaced):
            offset = Displaced(offset.base.to(torch.int64), offset.offset)
        address = pointer.address
        if isinstance(address, Affine) and not address.terms and address.constant == 0:
            return Pointer(pointer.buffer, self._address(offset))
        return Pointer(pointer.buffer, self._address(self.addi("arith.addi", address, offset, wide)))

    def cast_pointer(self, pointer: Pointer, dtype: torch.dtype) -> Pointer:
        """The pointer to elements of another dtype of the same width."""
        buffer = pointer.buffer
        tensor = reinterpret(buffer.tensor, dtype)
        return Pointer(Buffer(buffer.name, tensor, buffer.copies_loads), pointer.address)

    def _effective(self, mask: Value, rank: int) -> Condition:
        """The mask of an access in the programs that are active."""
        assert isinstance(mask, (bool, Mask, Tensor))
        active = self.active
        if active is True:
            return mask
        if not isinstance(active, Tensor) and not isinstance(mask, Tensor):
            return index.conjunction(mask, active)
        if active is False or mask is False:
            return False
        wide = active if not isinstance(active, Tensor) else active.view(*active.shape, *(1,) * rank)
        sizes = self.sizes((1,) * rank)
        if isinstance(wide, Mask):
            wide = index.materialize_mask(wide, sizes)
        if mask is True:
            return wide
        return wide & (mask if isinstance(mask, Tensor) else index.materialize_mask(mask, sizes))

    def load(self, pointer: Pointer, mask: Value, other: Value | float | None, tile: TileType) -> Tensor:
        """`tt.load`; a number as `other` is that value in every lane."""
        if not (other is None or isinstance(other, (int, float))) or isinstance(other, bool):
            other = self.tensor(other, tile)
        condition = self._effective(mask, len(tile.shape))
        return load(pointer.buffer, pointer.address, condition, other, self.sizes(tile.shape))

    def store(self, pointer: Pointer, value: Value, mask: Value, tile: TileType) -> None:
        """`tt.store`."""
        self.may_replan = False
        condition = self._effective(mask, len(tile.shape))
        store(pointer.buffer, pointer.address, self.tensor(value, tile), condition, self.sizes(tile.shape))

    def atomic(
        self,
        kind: str,
        update: Update,
        pointer: Pointer,
        values: Sequence[Value],
        mask: Value,
        tile: TileType,
        wants_old: bool,
    ) -> Tensor:
        """`tt.atomic_rmw` and `tt.atomic_cas`: the old values."""
        self.may_replan = False
        condition = self._effective(mask, len(tile.shape))
        operands = [self.tensor(value, tile) for value in values]
        return atomic(
            pointer.buffer, pointer.address, operands, update, kind, condition, self.sizes(tile.shape), wants_old
        )

    # --- addresses ----------

    def pointer_address(self, pointer: Pointer) -> Affine:
        """`tt.ptr_to_int` of the same pointer in all programs."""
        address = pointer.address
        if not isinstance(address, Affine) or address.terms:
            raise NotImplementedError(f"kernel '{self.kernel}': the address of a pointer that differs between programs")
        self.addressed.append(pointer.buffer)
        tensor = pointer.buffer.tensor
        return Affine(tensor.data_ptr() + address.constant * tensor.element_size())

    def _pointer_at(self, base: Pointer, distance: int) -> Pointer:
        """The pointer so many elements behind another one, in what buffer the program knows the address of."""
        start = self.pointer_address(base).constant
        size = base.buffer.tensor.element_size()
        for buffer in self.addressed:
            offset, rest = divmod(start + distance * size - buffer.tensor.data_ptr(), size)
            if rest == 0 and 0 <= offset < buffer.span and buffer.tensor.dtype == base.buffer.tensor.dtype:
                return Pointer(buffer, Affine(offset))
        raise base.buffer.fail("load", distance)

    # --- blocks of descriptors ----------

    def descriptor(
        self, base: Pointer, shape: Sequence[Value], strides: Sequence[Value], outside: float | int
    ) -> Descriptor:
        """`tt.make_tensor_descriptor`."""
        extents, steps = (tuple(self._widened(value) for value in values) for values in (shape, strides))
        return Descriptor(base, extents, steps, outside)

    def _widened(self, value: Value) -> Address:
        """An integer as one of 64 bits."""
        if isinstance(value, Tensor):
            return value.to(torch.int64)
        if isinstance(value, Displaced):
            return Displaced(value.base.to(torch.int64), value.offset)
        return self._address(value)

    def _block(self, descriptor: Descriptor, indices: Sequence[Value], shape: tuple[int, ...]) -> tuple[Pointer, Value]:
        """The pointers to the elements of a block, and which of them are inside of the tensor."""
        rank = len(shape)
        tile = TileType(shape, torch.int64, -(1 << 63), (1 << 63) - 1)
        offset: Value = Affine(0)
        inside: Value = True
        for dim, first in enumerate(indices):
            position = self.addi(
                "arith.addi",
                self.splat(self._widened(first), rank),
                axis_position(self.lead + dim, shape[dim]),
                tile,
            )
            extent, stride = (self.splat(part[dim], rank) for part in (descriptor.shape, descriptor.strides))
            for predicate, bound in ((_AT_LEAST, Affine(0)), (_LESS, extent)):
                inside = self.andi("arith.andi", inside, self.compare(predicate, position, bound, tile), _BOOL)
            step = self.muli("arith.muli", position, stride, tile)
            offset = self.addi("arith.addi", offset, step, tile)
        base = self.splat(descriptor.base, rank)
        assert isinstance(base, Pointer)
        return self.add_pointer(base, offset, tile), inside

    def descriptor_load(
        self, descriptor: Descriptor, indices: Sequence[Value], shape: tuple[int, ...], tile: TileType
    ) -> Tensor:
        """`tt.descriptor_load` of a block of `shape`, which may have more leading dims of 1 than the tile."""
        if self.addressed and shape[0] > 1 and len(shape) == len(tile.shape) == PLANE_RANK:
            return self._planes(descriptor, indices, shape, tile)
        pointer, inside = self._block(descriptor, indices, shape)
        block = self.load(pointer, inside, descriptor.outside, tile._replace(shape=shape))
        return block.reshape(*block.shape[: self.lead], *block.shape[self.lead + len(shape) - len(tile.shape) :])

    def _planes(
        self, descriptor: Descriptor, indices: Sequence[Value], shape: tuple[int, ...], tile: TileType
    ) -> Tensor:
        """A block of planes that are in buffers of their own: the distance between these is the stride."""
        stride, first = descriptor.strides[0], indices[0]
        assert isinstance(stride, Affine) and not stride.terms and isinstance(first, Affine) and not first.terms
        planes: list[Tensor] = []
        for plane in range(first.constant, first.constant + shape[0]):
            base = self._pointer_at(descriptor.base, plane * stride.constant)
            part = Descriptor(base, descriptor.shape[1:], descriptor.strides[1:], descriptor.outside)
            planes.append(self.descriptor_load(part, indices[1:], shape[1:], tile._replace(shape=shape[1:])))
        return torch.stack(torch.broadcast_tensors(*planes), self.lead)

    def descriptor_store(
        self, descriptor: Descriptor, indices: Sequence[Value], value: Value, shape: tuple[int, ...], tile: TileType
    ) -> None:
        """`tt.descriptor_store` to a block of `shape`, which may have more leading dims of 1 than the tile."""
        pointer, inside = self._block(descriptor, indices, shape)
        tensor = self.tensor(value, tile)
        lead, rest = tensor.shape[: self.lead], tensor.shape[self.lead :]
        block = tensor.reshape(*lead, *(1,) * (len(shape) - len(rest)), *rest)
        self.store(pointer, block, inside, tile._replace(shape=shape))

    # --- programs that wait for each other ----------

    def ticket(self, pointer: Pointer) -> Affine:
        """The numbers of the programs in the order in which they start: that of the programs of the grid."""
        self.may_replan = False
        address = pointer.address
        assert isinstance(address, Affine) and not address.terms
        counter = pointer.buffer.flat[address.constant]
        if int(counter) != self.chunk.start:
            raise DeadlockError(
                f"kernel '{self.kernel}': ticket {self.chunk.start} is {int(counter)}: is it 0 at first?"
            )
        counter += self.chunk.size
        return self.program_id

    def wait(self, pointer: Pointer, count: Value, tile: TileType) -> None:
        """Go on, if the counters are at least `count`: nobody else runs who might add to them."""
        arrived = self.load(pointer, True, None, tile)
        waiting = arrived < self.tensor(count, tile)
        if bool(waiting.any()):
            counter = int(arrived[waiting][0])
            raise DeadlockError(f"kernel '{self.kernel}': programs wait for ever, with {counter} arrived")

    # --- control flow ----------

    def branch(self, condition: Value, then: bool) -> Condition:
        """For which programs a side of an `scf.if` runs: True, False, or a condition on programs."""
        assert isinstance(condition, (bool, Mask, Tensor))
        if isinstance(condition, Tensor):
            if bool(condition.all()):
                return then
            if not bool(condition.any()):
                return not then
            return condition if then else ~condition
        if then or isinstance(condition, bool):
            return condition is then if isinstance(condition, bool) else condition
        negated = index.negation(condition)
        return ~index.materialize_mask(condition, self.sizes(())) if negated is None else negated

    def enter(self, condition: Condition) -> Condition:
        """Make only those programs active; gives what `active` is to be restored to."""
        before = self.active
        if condition is not True:
            self.active = self._effective(condition, 0)
        return before

    def merge(self, condition: Condition, on_true: Value, on_false: Value, tile: TileType) -> Value:
        """A result of a branch or the next value of a loop-carried variable: `on_true` where the condition holds."""
        if isinstance(condition, Tensor):
            condition_value: Value = condition.view(*condition.shape, *(1,) * len(tile.shape))
        else:
            condition_value = condition
        return self.select(condition_value, on_true, on_false, TileType(tile.shape, torch.bool), tile)

    def iterate(self, lower: Value, upper: Value, step: Value, tile: TileType) -> Iterator[tuple[Value, Condition]]:
        """The induction variable of each round of an `scf.for`, and which programs take part in that round."""
        if not isinstance(step, Affine) or step.terms or step.constant < 1:
            raise NotImplementedError(f"kernel '{self.kernel}': the step of scf.for must be a positive constant")
        stride = step.constant
        outer = self.active
        if isinstance(lower, Affine) and isinstance(upper, Affine):
            difference = index.subtract(upper, lower)
            if difference is not None:
                for begin in range(0, difference.maximum, stride):
                    taken = index.at_least_zero(difference.shift(-begin - 1))
                    assert taken is not None
                    if taken is not True:
                        self.enter(taken)
                    yield lower.shift(begin), taken
                    self.active = outer
                return
        low, high = self.tensor(lower, tile), self.tensor(upper, tile)
        extent = high.to(torch.int64) - low.to(torch.int64)
        if outer is not True:
            # Programs that take no part may have any bounds.
            extent = torch.where(self.tensor(outer, TileType((), torch.bool)), extent, 0)
        for begin in range(0, int(extent.max()), stride):
            taken = extent > begin
            self.enter(taken)
            yield (lower.shift(begin) if isinstance(lower, Affine) else low + begin), taken
            self.active = outer

    def accumulate(
        self,
        body: Body,
        bounds: tuple[Value, Value, Value],
        tile: TileType,
        plan: Accumulation,
        values: Sequence[Value],
        totals: Sequence[Value],
    ) -> list[Value]:
        """The loop-carried values of an `scf.for` that only accumulates what its rounds compute.

        Many rounds run side by side, with one more axis of the programs, and are folded; the last one, whose masks may
        differ, runs by itself.
        """
        results = list(totals)

        def combine(machine: Programs, taken: Condition, round_: Value, captured: Sequence[Value]) -> None:
            parts = body(machine, round_, *captured)
            for position, (part, kind) in enumerate(zip(parts, plan.kinds, strict=True)):
                if machine is not self:
                    spread = part.expand(
                        *part.shape[: self.lead], machine.chunk.radices[-1], *part.shape[self.lead + 1 :]
                    )
                    part = FOLDS[kind](spread, self.lead)
                old, type_ = results[position], plan.types[position]
                new = elementwise_function(kind)(self.tensor(old, type_), part)
                results[position] = new if taken is True else self.merge(taken, new, old, type_)

        lower, upper, step = bounds
        difference = index.subtract(upper, lower) if isinstance(upper, Affine) and isinstance(lower, Affine) else None
        together = max(1, ROUND_ELEMENTS // (self.chunk.size * plan.elements))
        if (
            together > 1
            and difference is not None
            and not difference.terms
            and isinstance(step, Affine)
            and not step.terms
        ):
            assert isinstance(lower, Affine)
            last = (difference.constant - 1) // step.constant
            if last >= 0:
                combine(self, True, lower.shift(last * step.constant), values)
            wide = [self.expand_dims(value, 0) for value in values]
            for begin in range(0, last, together):
                machine = self._with_rounds(min(together, last - begin))
                first = lower.shift(begin * step.constant)
                rounds = index.add(first, axis_position(self.lead, machine.chunk.radices[-1]).scale(step.constant))
                assert rounds is not None
                combine(machine, True, rounds, wide)
            return results
        for round_, taken in self.iterate(lower, upper, step, tile):
            combine(self, taken, round_, values)
        return results

    def _with_rounds(self, count: int) -> Programs:
        """The same programs with one more axis, the last of theirs, for rounds of a loop."""
        chunk = Chunk(self.chunk.start, (*self.chunk.radices, count), (*self.chunk.weights, 0))
        machine = Programs(self.kernel, chunk, self.program_count.constant)
        machine.program_id = self.program_id
        active = self.active.unsqueeze(-1) if isinstance(self.active, Tensor) else self.active
        machine.active = active
        return machine

    def check(self, condition: Value, message: str, tile: TileType) -> None:
        """`tt.assert`."""
        holds = self.tensor(condition, tile)
        if self.active is not True:
            active = self.tensor(self.active, TileType((), torch.bool))
            holds = holds | ~active.view(*active.shape, *(1,) * len(tile.shape))
        if not bool(holds.all()):
            raise AssertionError(f"kernel '{self.kernel}': {message}")
