"""The machine that compiled `tt` functions run on: tile values, integer arithmetic that stays symbolic, control flow.

A value is one of
- a tensor with the axes of the programs and then one for each tile dim, of extent 1 where it does not vary;
- an `Affine`, or a tensor `Displaced` by one, for an integer tile; a `Mask`, True or False for an `i1` tile;
- a `Pointer`, which is a buffer with an address.

Integer operations keep what is affine affine while it fits the integer width, else they compute exactly on tensors.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

import torch
from torch import Tensor
from xdsl.ir import Attribute

from fusir.interpreters import index
from fusir.interpreters.chunks import Chunk, Cut, Misaligned
from fusir.interpreters.combine import FOLDS
from fusir.interpreters.index import Affine, Mask, Term, axis_position
from fusir.interpreters.memory import Address, Buffer, Condition, Displaced, Update, atomic, load, reinterpret, store
from fusir.interpreters.scalars import (
    INTEGER_COMPARISONS,
    Function,
    elementwise_function,
    integer_bits,
    torch_dtype,
)


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


Value: TypeAlias = Tensor | Affine | Displaced | Mask | bool | Pointer


ROUND_ELEMENTS = 1 << 18
"""Elements of the largest tile over all programs and loop rounds that run side by side: 1 MiB of f32."""

Body: TypeAlias = "Callable[..., tuple[Tensor, ...]]"
"""What one round of a loop adds to each total: the machine, the induction variable, then the values from outside."""


class Accumulation(NamedTuple):
    """A loop that folds what its rounds compute: the operation and the type of each total."""

    kinds: tuple[str, ...]
    types: tuple[TileType, ...]
    elements: int
    """Elements of the largest tile in the body."""


INTEGER_METHODS: dict[str, str] = {
    "arith.addi": "addi",
    "arith.subi": "subi",
    "arith.muli": "muli",
    "arith.shli": "shli",
    "arith.andi": "andi",
    "arith.ori": "ori",
    "arith.xori": "xori",
    "arith.divsi": "quotient",
    "arith.divui": "quotient",
    "arith.floordivsi": "quotient",
    "arith.remsi": "remainder",
    "arith.remui": "remainder",
    "arith.ceildivsi": "ceildiv",
    "arith.ceildivui": "ceildiv",
    "arith.shrsi": "shift_right",
    "arith.shrui": "shift_right",
    "arith.maxsi": "extremum",
    "arith.maxui": "extremum",
    "arith.minsi": "extremum",
    "arith.minui": "extremum",
}
"""The method of `Programs` for each binary operation on integers; it takes the name, the operands and their type."""

CONVERSION_METHODS: dict[str, str] = {
    "arith.extsi": "convert",
    "arith.extui": "zero_extend",
    "arith.trunci": "convert",
    "arith.index_cast": "convert",
}
"""The method of `Programs` for each integer conversion; it takes the function of tensors, the operand, both types."""


class Programs:
    """A chunk of the program instances of a launch of `grid` programs, run side by side.

    The program number is cut into the radices of the chunk, with an axis for each; `lead` is the number of these axes.
    """

    def __init__(self, kernel: str, chunk: Chunk, grid: int):
        self.kernel = kernel
        self.chunk = chunk
        self.lead = len(chunk.radices)
        self.program_id = Affine(
            chunk.start,
            tuple(
                Term(axis, 1, extent, weight)
                for axis, (extent, weight) in enumerate(zip(chunk.radices, chunk.weights, strict=True))
                if extent > 1
            ),
        )
        self.program_count = Affine(grid)
        self.active: Condition = True
        self.may_replan = chunk.may_replan
        self._tensors: dict[tuple[int, tuple[Term, ...], torch.dtype, int], Tensor] = {}

    # --- representations ----------

    def sizes(self, shape: tuple[int, ...]) -> tuple[int, ...]:
        """The extents of all axes of a tile."""
        return (*self.chunk.radices, *shape)

    def tensor(self, value: Value, tile: TileType) -> Tensor:
        """The value as a tensor."""
        if isinstance(value, Tensor):
            return value
        if isinstance(value, Affine):
            key = (value.constant, value.terms, tile.dtype, len(tile.shape))
            result = self._tensors.get(key)
            if result is None:
                result = index.materialize(value, self.sizes(tile.shape)).to(tile.dtype)
                self._tensors[key] = result
            return result
        if isinstance(value, bool):
            return torch.full((1,) * (self.lead + len(tile.shape)), value)
        if isinstance(value, Mask):
            return index.materialize_mask(value, self.sizes(tile.shape))
        if isinstance(value, Displaced):
            return value.base + self.tensor(value.offset, tile)
        raise TypeError(f"kernel '{self.kernel}': a pointer is used as a number")

    def full(self, value: Value, tile: TileType) -> Tensor:
        """The value as a tensor with its whole tile shape (the axes of the programs may have extent 1)."""
        tensor = self.tensor(value, tile)
        return tensor.expand((*tensor.shape[: self.lead], *tile.shape))

    def constant(self, tensor: Tensor) -> Tensor:
        """A tensor that was made with one axis for the programs."""
        return tensor.view(*(1,) * (self.lead - 1), *tensor.shape) if self.lead > 1 else tensor

    def range(self, start: int, extent: int) -> Affine:
        """`tt.make_range`."""
        return axis_position(self.lead, extent, start)

    def apply(self, function: Function, types: Sequence[TileType], *values: Value) -> Tensor:
        """An elementwise function of values of any representation."""
        return function(*(self.tensor(value, tile) for value, tile in zip(values, types, strict=True)))

    # --- integers ----------

    def addi(self, name: str, a: Value, b: Value, tile: TileType) -> Value:
        """`a + b`."""
        if isinstance(a, Affine) and isinstance(b, Affine):
            result = index.add(a, b)
            if result is not None and tile.holds(result):
                return result
        displaced = self._displace(a, b, tile)
        return self._computed(name, a, b, tile) if displaced is None else displaced

    def _displace(self, a: Value, b: Value, tile: TileType) -> Displaced | None:
        """`a + b` as a tensor displaced by an affine function, if that is smaller than the sum and does not wrap."""
        if not isinstance(b, Affine):
            a, b = b, a
        if not isinstance(b, Affine):
            return None
        offset: Affine | None = b
        if isinstance(a, Displaced):
            a, offset = a.base, index.add(a.offset, b)
        if offset is None or not isinstance(a, Tensor):
            return None
        result = Displaced.make(a, offset)
        if result is not None and tile.dtype != torch.int64:
            low, high = (int(bound) for bound in torch.aminmax(a))
            if low + offset.minimum < tile.low or high + offset.maximum > tile.high:
                return None
        return result

    def subi(self, name: str, a: Value, b: Value, tile: TileType) -> Value:
        """`a - b`."""
        if isinstance(a, Affine) and isinstance(b, Affine):
            result = index.subtract(a, b)
            if result is not None and tile.holds(result):
                return result
        displaced = self._displace(a, b.scale(-1), tile) if isinstance(b, Affine) else None
        return self._computed(name, a, b, tile) if displaced is None else displaced

    def muli(self, name: str, a: Value, b: Value, tile: TileType) -> Value:
        """`a * b`."""
        if isinstance(a, Affine) and isinstance(b, Affine) and not (a.terms and b.terms):
            result = b.scale(a.constant) if b.terms else a.scale(b.constant)
            if tile.holds(result):
                return result
        return self._computed(name, a, b, tile)

    def shli(self, name: str, a: Value, b: Value, tile: TileType) -> Value:
        """`a << b`."""
        if isinstance(a, Affine) and isinstance(b, Affine) and not b.terms and 0 <= b.constant < 63:
            result = a.scale(1 << b.constant)
            if tile.holds(result):
                return result
        return self._computed(name, a, b, tile)

    def divide(self, a: Value, divisor: int) -> tuple[Affine, Affine] | None:
        """Floor quotient and remainder, if they are affine."""
        if not isinstance(a, Affine) or divisor < 1:
            return None
        result = index.divide(a, divisor)
        if self.may_replan and (result is None or any(map(self._splits_programs, result))):
            self._propose_modulus(a, divisor)
        return result

    def _splits_programs(self, a: Affine) -> bool:
        """Whether only some digits of an axis of the programs occur."""
        radices = self.chunk.radices
        return any(axis < self.lead and (low, high) != (1, radices[axis]) for axis, low, high, _ in a.terms)

    def _program_factor(self, a: Affine) -> int:
        """The `f` for which `a` is `f * program + ...`, where the rest does not depend on the program; 0 if none."""
        factors = {axis: factor for axis, low, _, factor in a.terms if axis < self.lead and low == 1}
        found = 0
        for axis, (extent, weight) in enumerate(zip(self.chunk.radices, self.chunk.weights, strict=True)):
            if extent == 1:
                continue
            factor = factors.get(axis, 0)
            if factor % weight or found not in (0, factor // weight):
                return 0
            found = factor // weight
        return found if len(factors) == len([term for term in a.terms if term.axis < self.lead]) else 0

    def _propose_modulus(self, a: Affine, divisor: int) -> None:
        """Raise Misaligned if radices of the programs may make quotient and remainder depend on different axes."""
        factor = self._program_factor(a)
        if factor > 0 and divisor % factor == 0 and divisor // factor not in self.chunk.moduli:
            raise Misaligned(divisor // factor)

    def quotient(self, name: str, a: Value, b: Value, tile: TileType) -> Value:
        """A division of any rounding: all of them agree on non-negative operands."""
        if isinstance(a, Affine) and isinstance(b, Affine) and not b.terms and a.minimum >= 0:
            split = self.divide(a, b.constant)
            if split is not None:
                return split[0]
        return self._computed(name, a, b, tile)

    def remainder(self, name: str, a: Value, b: Value, tile: TileType) -> Value:
        """A remainder, signed or unsigned."""
        if isinstance(a, Affine) and isinstance(b, Affine) and not b.terms and a.minimum >= 0:
            split = self.divide(a, b.constant)
            if split is not None:
                return split[1]
        return self._computed(name, a, b, tile)

    def ceildiv(self, name: str, a: Value, b: Value, tile: TileType) -> Value:
        """A quotient rounded up."""
        if isinstance(a, Affine) and isinstance(b, Affine) and not b.terms and a.minimum >= 0:
            split = self.divide(a.shift(b.constant - 1), b.constant)
            if split is not None:
                return split[0]
        return self._computed(name, a, b, tile)

    def shift_right(self, name: str, a: Value, b: Value, tile: TileType) -> Value:
        """`a >> b`."""
        if isinstance(a, Affine) and isinstance(b, Affine) and not b.terms and a.minimum >= 0 and 0 <= b.constant < 63:
            split = self.divide(a, 1 << b.constant)
            if split is not None:
                return split[0]
        return self._computed(name, a, b, tile)

    def andi(self, name: str, a: Value, b: Value, tile: TileType) -> Value:
        """Bitwise and."""
        if isinstance(a, (bool, Mask)) and isinstance(b, (bool, Mask)):
            return index.conjunction(a, b)
        if a is False or b is False:
            return False
        if a is True or b is True:
            return b if a is True else a
        if isinstance(a, Affine) and isinstance(b, Affine) and not b.terms and a.minimum >= 0:
            low_bits = b.constant + 1
            split = self.divide(a, low_bits) if low_bits & b.constant == 0 else None
            if split is not None:
                return split[1]
        return self._computed(name, a, b, tile)

    def ori(self, name: str, a: Value, b: Value, tile: TileType) -> Value:
        """Bitwise or."""
        if a is True or b is True:
            return True
        if a is False or b is False:
            return b if a is False else a
        return self._computed(name, a, b, tile)

    def xori(self, name: str, a: Value, b: Value, tile: TileType) -> Value:
        """Bitwise exclusive or."""
        if isinstance(a, bool) and isinstance(b, (bool, Mask)):
            a, b = b, a
        if isinstance(a, (bool, Mask)) and isinstance(b, bool):
            result = index.negation(a) if b else a
            if result is not None:
                return result
        return self._computed(name, a, b, tile)

    def extremum(self, name: str, a: Value, b: Value, tile: TileType) -> Value:
        """`arith.maxsi` and its kin, where the ranges decide."""
        if isinstance(a, Affine) and isinstance(b, Affine) and (name[-2] == "s" or min(a.minimum, b.minimum) >= 0):
            difference = index.subtract(b, a)
            if difference is not None:
                larger, smaller = (b, a) if difference.minimum >= 0 else (a, b)
                if difference.minimum >= 0 or difference.maximum <= 0:
                    return larger if "max" in name else smaller
        return self._computed(name, a, b, tile)

    def compare(self, predicate: int, a: Value, b: Value, tile: TileType) -> Value:
        """`arith.cmpi`; the type is that of the operands."""
        if isinstance(a, Affine) and isinstance(b, Affine) and (predicate < 6 or min(a.minimum, b.minimum) >= 0):
            result = self._compare_affine(predicate, a, b)
            if result is not None:
                return result
        if isinstance(a, (bool, Mask)) and isinstance(b, bool) and predicate < 2:
            result = a if b is (predicate == 0) else index.negation(a)
            if result is not None:
                return result
        return INTEGER_COMPARISONS[predicate](self.tensor(a, tile), self.tensor(b, tile))

    def _compare_affine(self, predicate: int, a: Affine, b: Affine) -> Mask | bool | None:
        difference = index.subtract(b, a)
        if difference is None:
            return None
        if predicate < 2:
            if difference.minimum > 0 or difference.maximum < 0:
                return predicate == 1
            if difference.minimum == difference.maximum == 0:
                return predicate == 0
            if predicate == 1:
                return None
            return index.conjunction(*(index.at_least_zero(d) for d in (difference, difference.scale(-1))))  # pyright: ignore[reportArgumentType]
        kind = (predicate - 2) % 4
        if kind >= 2:
            difference = difference.scale(-1)
        result = index.at_least_zero(difference if kind in (1, 3) else difference.shift(-1))
        if isinstance(result, Mask) and self.may_replan:
            self._propose_cut(result.atoms[0])
        return result

    def _propose_cut(self, atom: Affine) -> None:
        """Raise Cut if `atom >= 0` is decided for most programs and undecided only for some between them."""
        factor = self._program_factor(atom)
        if factor == 0:
            return
        count = self.chunk.size
        reach = factor * (count - 1)
        low, high = atom.minimum - min(reach, 0), atom.maximum - max(reach, 0)
        # Undecided between the first position where the atom may be negative and the last where it may be not.
        if factor < 0:
            first, last = low // -factor + 1, high // -factor + 1
        else:
            first, last = -(high // factor), -(low // factor)
        first, last = max(0, min(first, count)), max(0, min(last, count))
        cuts = tuple(self.chunk.start + cut for cut in sorted({first, last}) if 0 < cut < count)
        if cuts and 2 * (last - first) <= count:
            raise Cut(cuts)

    def _computed(self, name: str, a: Value, b: Value, tile: TileType) -> Tensor:
        return elementwise_function(name)(self.tensor(a, tile), self.tensor(b, tile))

    def convert(self, function: Function, value: Value, source: TileType, result: TileType) -> Value:
        """`arith.extsi`, `arith.trunci` or `arith.index_cast`: a value that is representable stays what it is."""
        if isinstance(value, bool):
            return Affine(-int(value))
        if isinstance(value, Displaced) and result.low <= source.low:
            return Displaced(function(value.base), value.offset)
        if isinstance(value, Affine) and result.holds(value) and result.dtype != torch.bool:
            return value
        return function(self.tensor(value, source))

    def zero_extend(self, function: Function, value: Value, source: TileType, result: TileType) -> Value:
        """`arith.extui`: as `convert`, but a negative value changes."""
        if isinstance(value, bool):
            return Affine(int(value))
        if isinstance(value, Affine) and value.minimum < 0:
            return function(self.tensor(value, source))
        return self.convert(function, value, source, result)

    def select(self, condition: Value, a: Value, b: Value, condition_type: TileType, tile: TileType) -> Value:
        """`a` where the condition holds, else `b`."""
        if condition is True:
            return a
        if condition is False:
            return b
        mask = self.tensor(condition, condition_type)
        if isinstance(a, Pointer) and isinstance(b, Pointer):
            if a.buffer is not b.buffer:
                raise NotImplementedError(f"kernel '{self.kernel}': one tile of pointers into two buffers")
            address_type = TileType(tile.shape, torch.int64)
            addresses = (self.tensor(pointer.address, address_type).to(torch.int64) for pointer in (a, b))
            return Pointer(a.buffer, torch.where(mask, *addresses))
        return torch.where(mask, self.tensor(a, tile), self.tensor(b, tile))

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
        machine = Programs(
            self.kernel, Chunk(self.chunk.start, (*self.chunk.radices, count)), self.program_count.constant
        )
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
