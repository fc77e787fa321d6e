"""Python expressions as text, with what is needed to combine them: precedence, shape, and whether they are numbers."""

from __future__ import annotations

import math
import re
import struct
from dataclasses import dataclass
from enum import IntEnum

from xdsl.dialects.builtin import IntegerType, bf16, f32
from xdsl.ir import Attribute

MAX_F32 = (2 - 2**-23) * 2.0**127
MIN_NORMAL_F32 = 2.0**-126
"""Triton takes a Python float outside of these magnitudes for an f64."""


_NAME = re.compile(r"[A-Za-z_]\w*(\[[:, None]+\])?")


F32_DIGITS = 9
"""Decimal digits that tell any two float32 apart."""


class Precedence(IntEnum):
    """How tight the outermost operator of an expression binds. Comparisons do not chain here."""

    COMPARE = 0
    OR = 1
    XOR = 2
    AND = 3
    SHIFT = 4
    ADD = 5
    MUL = 6
    UNARY = 7
    ATOM = 8


@dataclass(frozen=True)
class Expr:
    """A Python expression for a value of the IR.

    `shape` is the shape that it has in Python. It may be less than that of the value where broadcasting makes up for
    it: `tt.splat` of a scalar is the scalar itself.
    """

    text: str
    shape: tuple[int, ...] = ()
    precedence: Precedence = Precedence.ATOM
    literal: bool = False
    """A Python number (or a constexpr): it has no type of its own, operators give it the type of the other operand."""

    def at(self, precedence: Precedence) -> str:
        """The text as an operand of an operator, in parentheses if it binds less tight."""
        return self.text if self.precedence >= precedence else f"({self.text})"

    @property
    def atom(self) -> str:
        """The text as something that can be indexed or called."""
        return self.at(Precedence.ATOM)

    @property
    def is_name(self) -> bool:
        """Whether this is nothing but a number or a variable, perhaps with new axes: repeating it costs nothing."""
        return self.literal or _NAME.fullmatch(self.text) is not None


def broadcast_shape(*shapes: tuple[int, ...]) -> tuple[int, ...]:
    """The shape of an elementwise op on expressions: scalars go with everything, else ranks are equal."""
    result: tuple[int, ...] = ()
    for shape in shapes:
        if not result:
            result = shape
        elif shape:
            result = tuple(max(pair) for pair in zip(result, shape, strict=True))
    return result


def number_text(value: float | int, scalar: Attribute) -> str | None:
    """A number as a Python literal; None if Triton's front end would not keep its value.

    It loses the sign of -0.0 and the subnormal numbers of bf16.
    """
    if isinstance(scalar, IntegerType):
        return str(bool(value)) if scalar.width.data == 1 else str(int(value))
    if math.isnan(value):
        return 'float("nan")'
    if math.isinf(value):
        return 'float("inf")' if value > 0 else 'float("-inf")'
    if value == 0.0 and math.copysign(1.0, value) < 0:
        return None
    if scalar == bf16 and 0.0 < abs(value) < MIN_NORMAL_F32:
        return None
    return _shortest_f32(value) if scalar == f32 else repr(float(value))


def _shortest_f32(value: float) -> str:
    """The fewest digits that give this float32, and no number past the largest one: Triton takes that for a float64."""
    bits = struct.pack("f", value)
    for digits in range(1, F32_DIGITS + 1):
        text = repr(float(f"{value:.{digits}g}"))
        if abs(float(text)) <= MAX_F32 and struct.pack("f", float(text)) == bits:
            return text
    return repr(value)


def typed_alone(value: float | int, scalar: Attribute) -> bool:
    """Whether Triton gives the Python number this type where nothing else tells it: int32, int1 and float32."""
    if isinstance(scalar, IntegerType):
        return scalar.width.data in (1, 32)
    if scalar != f32:
        return False
    return value == 0.0 or not math.isfinite(value) or abs(value) >= MIN_NORMAL_F32
