"""The enumerations of Triton's dialect.

In Triton's IR an enumeration is an `i32` attribute whose custom text is a keyword. The members here have the integer
as value and the keyword, in capitals, as name.
"""

from __future__ import annotations

from enum import IntEnum
from typing import ClassVar, Self

from xdsl.dialects.builtin import IntegerAttr, i32
from xdsl.ir import Attribute
from xdsl.irdl import IRDLOperation
from xdsl.irdl.declarative_assembly_format import (
    AttributeVariable,
    CustomDirective,
    ParsingState,
    PrintingState,
    irdl_custom_directive,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException


class KeywordEnum(IntEnum):
    """An enumeration that is an `i32` in generic text and a keyword in custom text."""

    @property
    def keyword(self) -> str:
        """The keyword of the custom text."""
        return self.name.lower()

    @property
    def attr(self) -> IntegerAttr:
        """The attribute that stands for this member."""
        return IntegerAttr(self.value, i32)

    @classmethod
    def of(cls, member: Self | str) -> Self:
        """The member itself or the one with that keyword."""
        if not isinstance(member, str):
            return member
        for candidate in cls:
            if candidate.keyword == member:
                return candidate
        raise ValueError(f"unknown {cls.__name__} '{member}', expected one of {cls.keywords()}")

    @classmethod
    def from_attr(cls, attr: Attribute | None) -> Self:
        """The member that an attribute stands for."""
        if isinstance(attr, IntegerAttr) and attr.type == i32 and attr.value.data in cls._value2member_map_:
            return cls(attr.value.data)
        raise VerifyException(f"{attr} is not a {cls.__name__}: expected an i32 of {[int(each) for each in cls]}")

    @classmethod
    def keywords(cls) -> str:
        """All keywords, for messages."""
        return ", ".join(each.keyword for each in cls)

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Parse one keyword."""
        pos = parser.pos
        keyword = parser.parse_identifier()
        for candidate in cls:
            if candidate.keyword == keyword:
                return candidate
        return parser.raise_error(f"unknown {cls.__name__} '{keyword}', expected one of {cls.keywords()}", pos)


class CacheModifier(KeywordEnum):
    """Which caches a load or store uses."""

    NONE = 1
    CA = 2
    CG = 3
    WB = 4
    CS = 5
    WT = 6
    CV = 7


class EvictionPolicy(KeywordEnum):
    """How long a load or store wants its lines to stay in the cache."""

    EVICT_NORMAL = 1
    EVICT_FIRST = 2
    EVICT_LAST = 3


class PaddingOption(KeywordEnum):
    """What a descriptor load gives outside of the tensor."""

    ZERO = 1
    NAN = 2


class MemSemantic(KeywordEnum):
    """The memory order of an atomic."""

    RELAXED = 1
    ACQUIRE = 2
    RELEASE = 3
    ACQ_REL = 4


class MemSyncScope(KeywordEnum):
    """Which threads see an atomic in order."""

    GPU = 1
    CTA = 2
    SYS = 3


class RMWOp(KeywordEnum):
    """The operation of an atomic read-modify-write."""

    AND = 1
    OR = 2
    XOR = 3
    ADD = 4
    FADD = 5
    MAX = 6
    MIN = 7
    UMAX = 8
    UMIN = 9
    EXCH = 10


class ProgramIDDim(KeywordEnum):
    """An axis of the launch grid."""

    X = 0
    Y = 1
    Z = 2


class RoundingMode(KeywordEnum):
    """How a narrowing float conversion rounds."""

    RTZ = 0
    RTNE = 1


class PropagateNan(KeywordEnum):
    """Whether a NaN operand makes the result NaN."""

    NONE = 0
    ALL = 0xFFFF


class InputPrecision(KeywordEnum):
    """How a dot treats f32 operands."""

    TF32 = 0
    TF32X3 = 1
    IEEE = 2
    BF16X3 = 3
    BF16X6 = 4


@irdl_custom_directive
class EnumKeyword(CustomDirective):
    """`custom<XKeyword>($property)`: the property as its keyword. A subclass names the enumeration."""

    ENUM: ClassVar[type[KeywordEnum]] = KeywordEnum

    variable: AttributeVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        self.variable.set(state, self.ENUM.parse(parser).attr)

    def is_anchorable(self) -> bool:
        return self.variable.is_anchorable()

    def is_present(self, op: IRDLOperation) -> bool:
        return self.variable.is_present(op)

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        state.print_whitespace(printer)
        printer.print_string(self.ENUM.from_attr(self.variable.get(op)).keyword)


def keyword_directive(enumeration: type[KeywordEnum]) -> type[CustomDirective]:
    """The `custom<...>` directive, named as the enumeration, that prints a property as a keyword of the enumeration."""
    return type(
        enumeration.__name__,
        (EnumKeyword,),
        {"ENUM": enumeration, "parameters": EnumKeyword.parameters, "__module__": __name__},
    )
