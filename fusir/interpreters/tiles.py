"""The machine that compiled `tt` functions run on: tile values, integer arithmetic that stays symbolic, control flow.

A value is one of
- a tensor with axis 0 for the programs and one axis for each tile dim, with extent 1 where it does not vary;
- an `Affine` for an integer tile, a `Mask`, True or False for an `i1` tile;
- a `Pointer`, which is a buffer with an address.

Integer operations keep what is affine affine while it fits the integer width, else they compute exactly on tensors.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeAlias

import torch
from torch import Tensor
from xdsl.ir import Attribute

from fusir.interpreters import index
from fusir.interpreters.index import Affine, Mask, Misaligned, axis_position
from fusir.interpreters.memory import Address, Buffer, Condition, Update, atomic, load, reinterpret, store
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


Value: TypeAlias = Tensor | Affine | Mask | bool | Pointer


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


class Cut(Exception):
    """The chunk of programs should be split at these program numbers, so that masks are decided in its parts."""

    def __init__(self, positions: tuple[int, ...]):
        super().__init__(positions)
        self.positions = positions


class Programs:
    """A chunk of program instances `start <= pid < start + count` of a launch of `grid` programs, run side by side."""

    def __init__(self, kernel: str, start: int, count: int, grid: int, may_replan: bool, moduli: Sequence[int]):
        """`may_replan`: whether Cut and Misaligned may be raised before the first effect, to get better chunks.

        `moduli`: those that the division into chunks has tried to respect already.
        """
        self.kernel = kernel
        self.start = start
        self.count = count
        self.grid = grid
        self.may_replan = may_replan
        self._moduli = moduli
        self.program_id = axis_position(0, count, start)
        self.program_count = Affine(grid)
        self.active: Condition = True
        self._tensors: dict[tuple[int, tuple[index.Term, ...], torch.dtype, int], Tensor] = {}

    # --- representations ----------

    def sizes(self, shape: tuple[int, ...]) -> tuple[int, ...]:
        """The extents of all axes of a tile."""
        return (self.count, *shape)

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
            return torch.full((1,) * (len(tile.shape) + 1), value)
        if isinstance(value, Mask):
            return index.materialize_mask(value, self.sizes(tile.shape))
        raise TypeError(f"kernel '{self.kernel}': a pointer is used as a number")

    def full(self, value: Value, tile: TileType) -> Tensor:
        """The value as a tensor with its whole tile shape (the program axis may have extent 1)."""
        tensor = self.tensor(value, tile)
        return tensor.expand((tensor.shape[0], *tile.shape))

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
        return self._computed(name, a, b, tile)

    def subi(self, name: str, a: Value, b: Value, tile: TileType) -> Value:
        """`a - b`."""
        if isinstance(a, Affine) and isinstance(b, Affine):
            result = index.subtract(a, b)
            if result is not None and tile.holds(result):
                return result
        return self._computed(name, a, b, tile)

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
        try:
            return index.divide(a, divisor)
        except Misaligned as misaligned:
            if self.may_replan and misaligned.modulus not in self._moduli:
                raise
            return None

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
        on_programs = [term for term in atom.terms if term.axis == 0]
        if len(on_programs) != 1 or on_programs[0].low != 1 or on_programs[0].high != self.count:
            return
        factor = on_programs[0].factor
        reach = factor * (self.count - 1)
        low, high = atom.minimum - min(reach, 0), atom.maximum - max(reach, 0)
        # Undecided between the first position where the atom may be negative and the last where it may be not.
        if factor < 0:
            first, last = low // -factor + 1, high // -factor + 1
        else:
            first, last = -(high // factor), -(low // factor)
        first, last = max(0, min(first, self.count)), max(0, min(last, self.count))
        cuts = tuple(self.start + cut for cut in sorted({first, last}) if 0 < cut < self.count)
        if cuts and 2 * (last - first) <= self.count:
            raise Cut(cuts)

    def _computed(self, name: str, a: Value, b: Value, tile: TileType) -> Tensor:
        return elementwise_function(name)(self.tensor(a, tile), self.tensor(b, tile))

    def convert(self, function: Function, value: Value, source: TileType, result: TileType) -> Value:
        """`arith.extsi`, `arith.trunci` or `arith.index_cast`: a value that is representable stays what it is."""
        if isinstance(value, bool):
            return Affine(-int(value))
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

    def _map_axes(self, value: Value, position: dict[int, int]) -> Value | None:
        if isinstance(value, Affine):
            return value.move_axes(position.__getitem__) if value.terms else value
        if isinstance(value, Mask):
            return Mask(tuple(atom.move_axes(position.__getitem__) for atom in value.atoms))
        return value if isinstance(value, bool) else None

    def splat(self, value: Value, rank: int) -> Value:
        """A scalar in a tile of `rank` dims."""
        if isinstance(value, Tensor):
            return value.view(-1, *(1,) * rank)
        if isinstance(value, Pointer):
            return Pointer(value.buffer, self._address(self.splat(value.address, rank)))
        return value

    @staticmethod
    def _address(value: Value) -> Address:
        assert isinstance(value, (Tensor, Affine))
        return value

    def expand_dims(self, value: Value, axis: int, rank: int) -> Value:
        """A new tile dim at `axis`; `rank` is that of the operand."""
        if isinstance(value, Tensor):
            return value.unsqueeze(axis + 1)
        if isinstance(value, Pointer):
            return Pointer(value.buffer, self._address(self.expand_dims(value.address, axis, rank)))
        moved = self._map_axes(value, {a: a + (a > axis) for a in range(rank + 1)})
        assert moved is not None
        return moved

    def permute(self, value: Value, order: tuple[int, ...]) -> Value:
        """Result dim `i` is operand dim `order[i]`."""
        if isinstance(value, Tensor):
            return value.permute(0, *(axis + 1 for axis in order))
        if isinstance(value, Pointer):
            return Pointer(value.buffer, self._address(self.permute(value.address, order)))
        position = {0: 0} | {axis + 1: place + 1 for place, axis in enumerate(order)}
        moved = self._map_axes(value, position)
        assert moved is not None
        return moved

    def reshape(self, value: Value, source: TileType, result: TileType) -> Value:
        """The same elements in row-major order."""
        if isinstance(value, Pointer):
            address_source, address_result = (TileType(tile.shape, torch.int64) for tile in (source, result))
            return Pointer(value.buffer, self._address(self.reshape(value.address, address_source, address_result)))
        if isinstance(value, Affine):
            reshaped = index.reshape(value, source.shape, result.shape)
            if reshaped is not None:
                return reshaped
        if isinstance(value, bool):
            return value
        tensor = self.full(value, source)
        return tensor.reshape(tensor.shape[0], *result.shape)

    def unsplat(self, value: Value) -> Value:
        """The only element."""
        if isinstance(value, Tensor):
            return value.reshape(-1)
        return (
            Pointer(value.buffer, self._address(self.unsplat(value.address))) if isinstance(value, Pointer) else value
        )

    # --- memory ----------

    def add_pointer(self, pointer: Pointer, offset: Value, tile: TileType) -> Pointer:
        """The pointer moved by elements."""
        address = pointer.address
        if isinstance(address, Affine) and isinstance(offset, Affine):
            moved = index.add(address, offset)
            if moved is not None:
                return Pointer(pointer.buffer, moved)
        wide = TileType(tile.shape, torch.int64)
        moved = self.tensor(address, wide) + self.tensor(offset, wide if isinstance(offset, Affine) else tile)
        return Pointer(pointer.buffer, moved)

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
        wide = active if not isinstance(active, Tensor) else active.view(-1, *(1,) * rank)
        sizes = (self.count,) + (1,) * rank
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
        return ~index.materialize_mask(condition, (self.count,)) if negated is None else negated

    def enter(self, condition: Condition) -> Condition:
        """Make only those programs active; gives what `active` is to be restored to."""
        before = self.active
        if condition is not True:
            self.active = self._effective(condition, 0)
        return before

    def merge(self, condition: Condition, on_true: Value, on_false: Value, tile: TileType) -> Value:
        """A result of a branch or the next value of a loop-carried variable: `on_true` where the condition holds."""
        if isinstance(condition, Tensor):
            condition_value: Value = condition.view(-1, *(1,) * len(tile.shape))
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

    def check(self, condition: Value, message: str, tile: TileType) -> None:
        """`tt.assert`."""
        holds = self.tensor(condition, tile)
        if self.active is not True:
            active = self.tensor(self.active, TileType((), torch.bool))
            holds = holds | ~active.view(-1, *(1,) * len(tile.shape))
        if not bool(holds.all()):
            raise AssertionError(f"kernel '{self.kernel}': {message}")
