"""Integer and mask arithmetic on tiles that stays symbolic while it can.

What is affine stays affine while it fits the integer width; everything else is computed exactly on tensors.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from fusir.interpreters import index
from fusir.interpreters.chunks import Chunk, Cut, Misaligned
from fusir.interpreters.index import Affine, Mask, Term, axis_position
from fusir.interpreters.integers import INTEGER_COMPARISONS
from fusir.interpreters.memory import Buffer, Condition, Displaced
from fusir.interpreters.scalars import Function, elementwise_function
from fusir.interpreters.tile_values import Pointer, TileType, Value

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


class IntegerTiles:
    """The values of a chunk of the program instances of a launch of `grid` programs.

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
        self.may_replan = True
        self.addressed: list[Buffer] = []
        """The buffers whose address the program has taken."""
        self._tensors: dict[tuple[int, tuple[Term, ...], torch.dtype, tuple[int, ...]], Tensor] = {}

    # --- representations ----------

    def sizes(self, shape: tuple[int, ...]) -> tuple[int, ...]:
        """The extents of all axes of a tile."""
        return (*self.chunk.radices, *shape)

    def tensor(self, value: Value, tile: TileType) -> Tensor:
        """The value as a tensor."""
        if isinstance(value, Tensor):
            return value
        if isinstance(value, Affine):
            key = (value.constant, value.terms, tile.dtype, tile.shape)
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
        if self.may_replan and self.chunk.may_align and (result is None or any(map(self._splits_programs, result))):
            self._propose_modulus(a, divisor)
        return result

    def _splits_programs(self, a: Affine) -> bool:
        """Whether only some digits of an axis of the programs occur."""
        radices = self.chunk.radices
        return any(axis < self.lead and (low, high) != (1, radices[axis]) for axis, low, high, _ in a.terms)

    def _program_factor(self, a: Affine) -> int:
        """The `f` for which `a` is `f * program + ...`, where the rest does not depend on the program; 0 if none."""
        factors = {axis: factor for axis, low, _, factor in a.terms if axis < self.lead and low == 1}
        if len(factors) != sum(axis < self.lead for axis, *_ in a.terms):
            return 0
        found: int | None = None
        for axis, (extent, weight) in enumerate(zip(self.chunk.radices, self.chunk.weights, strict=True)):
            if extent > 1:
                factor, rest = divmod(factors.get(axis, 0), weight)
                if rest or found not in (None, factor):
                    return 0
                found = factor
        return found or 0

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
        if isinstance(result, Mask) and self.may_replan and self.chunk.may_cut:
            self._propose_cut(result.atoms[0])
        return result

    def _propose_cut(self, atom: Affine) -> None:
        """Raise Cut if `atom >= 0` is decided on most of an axis of the programs and undecided only between."""
        for axis, low_digit, high_digit, factor in atom.terms:
            if axis >= self.lead:
                return
            extent = self.chunk.radices[axis]
            if (low_digit, high_digit) != (1, extent):
                continue
            reach = factor * (extent - 1)
            low, high = atom.minimum - min(reach, 0), atom.maximum - max(reach, 0)
            # Undecided between the first position where the atom may be negative and the last where it may be not.
            if factor < 0:
                first, last = low // -factor + 1, high // -factor + 1
            else:
                first, last = -(high // factor), -(low // factor)
            first, last = max(0, min(first, extent)), max(0, min(last, extent))
            positions = tuple(sorted({first, last} - {0, extent}))
            if positions and 2 * (last - first) <= extent:
                raise Cut(axis, positions)

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
