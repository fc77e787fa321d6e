"""Attributes of the graph dialect: symbolic dims, symbols, and the arguments of ATen calls."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from typing_extensions import override
from xdsl.ir import Data
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineExpr, AffineSymExpr
from xdsl.irdl import irdl_attr_definition
from xdsl.irdl.declarative_assembly_format import (
    AttributeVariable,
    CustomDirective,
    ParsingState,
    PrintingState,
    irdl_custom_directive,
)
from xdsl.irdl.operations import IRDLOperation
from xdsl.parser import AttrParser, Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from fusir.dialects.affine_text import parse_expr, print_symbol_expr, symbol_leaf

Dim: TypeAlias = int | AffineExpr
"""One extent, start or stride: a Python int, or an affine expression over the symbols `s0, s1, ...`."""


def as_dim(dim: Dim) -> Dim:
    """The dim with a constant expression turned into an `int`, so that static dims have one spelling."""
    return dim.value if isinstance(dim, AffineConstantExpr) else dim


def as_expr(dim: Dim) -> AffineExpr:
    """The dim as an affine expression."""
    return AffineExpr.constant(dim) if isinstance(dim, int) else dim


def symbols_of(dims: Iterable[Dim]) -> list[int]:
    """Positions of the symbols used in the dims, ascending, each once."""
    positions: set[int] = set()
    for dim in dims:
        if isinstance(dim, AffineExpr):
            positions.update(e.position for e in dim.dfs() if isinstance(e, AffineSymExpr))
    return sorted(positions)


def parse_dim(parser: AttrParser) -> Dim:
    """Parse an int or an affine expression over `s0, s1, ...`."""
    return as_dim(parse_expr(parser, symbol_leaf(parser)))


def print_dim(printer: Printer, dim: Dim) -> None:
    """Print `4` or `s0 * 2`."""
    print_symbol_expr(printer, as_expr(dim))


def _check_dim(dim: Dim) -> None:
    if isinstance(dim, AffineExpr) and any(isinstance(e, AffineDimExpr) for e in dim.dfs()):
        raise VerifyException(f"a dim is an expression over symbols, got {dim}")


@irdl_attr_definition
class DimsAttr(Data[tuple[Dim, ...]]):
    """A list of dims: `#graph.dims<[s0, s0 * 2, 4096]>`. The encoding of a dynamic tensor type, strides, starts."""

    name = "graph.dims"

    def __init__(self, dims: Sequence[Dim]) -> None:
        super().__init__(tuple(as_dim(d) for d in dims))

    @override
    def verify(self) -> None:
        for dim in self.data:
            _check_dim(dim)

    @classmethod
    @override
    def parse_parameter(cls, parser: AttrParser) -> tuple[Dim, ...]:
        with parser.in_angle_brackets():
            return parse_dims(parser)

    @override
    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            print_dims(printer, self.data)

    @property
    def is_static(self) -> bool:
        """True if every dim is an int."""
        return all(isinstance(d, int) for d in self.data)


def parse_dims(parser: AttrParser) -> tuple[Dim, ...]:
    """Parse `[s0, 4]`."""
    return tuple(parser.parse_comma_separated_list(parser.Delimiter.SQUARE, lambda: parse_dim(parser)))


def print_dims(printer: Printer, dims: Sequence[Dim]) -> None:
    """Print `[s0, 4]`."""
    with printer.in_square_brackets():
        printer.print_list(dims, lambda d: print_dim(printer, d))


@irdl_custom_directive
class Dims(CustomDirective):
    """`custom<Dims>($starts)` in an assembly format: a DimsAttr property as `[s0, 4]`."""

    dims: AttributeVariable

    @override
    def parse(self, parser: Parser, state: ParsingState) -> None:
        self.dims.set(state, DimsAttr(parse_dims(parser)))

    @override
    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        state.print_whitespace(printer)
        dims = self.dims.get(op)
        assert isinstance(dims, DimsAttr)
        print_dims(printer, dims.data)


@dataclass(frozen=True)
class SymbolInfo:
    """What is known about a symbol: its position (0 is `s0`), inclusive range, and a divisor of every value."""

    position: int
    minimum: int = 0
    maximum: int | None = None
    divisor: int = 1


@irdl_attr_definition
class SymbolAttr(Data[SymbolInfo]):
    """Argument attribute that declares a symbol: `#graph.symbol<0, min = 2, max = 4096, divisor = 16>`."""

    name = "graph.symbol"

    def __init__(self, position: int | SymbolInfo, minimum: int = 0, maximum: int | None = None, divisor: int = 1):
        info = position if isinstance(position, SymbolInfo) else SymbolInfo(position, minimum, maximum, divisor)
        super().__init__(info)

    @property
    def position(self) -> int:
        return self.data.position

    @property
    def minimum(self) -> int:
        return self.data.minimum

    @property
    def maximum(self) -> int | None:
        return self.data.maximum

    @property
    def divisor(self) -> int:
        return self.data.divisor

    @override
    def verify(self) -> None:
        if self.position < 0:
            raise VerifyException(f"symbol position must not be negative, got {self.position}")
        if self.minimum < 0:
            raise VerifyException(f"symbol min must not be negative, got {self.minimum}")
        if self.maximum is not None and self.maximum < self.minimum:
            raise VerifyException(f"symbol max {self.maximum} is less than min {self.minimum}")
        if self.divisor < 1:
            raise VerifyException(f"symbol divisor must be positive, got {self.divisor}")

    @classmethod
    @override
    def parse_parameter(cls, parser: AttrParser) -> SymbolInfo:
        fields: dict[str, int] = {}
        with parser.in_angle_brackets():
            position = parser.parse_integer(allow_boolean=False)
            while parser.parse_optional_punctuation(",") is not None:
                key = parser.parse_identifier()
                if key not in ("min", "max", "divisor"):
                    parser.raise_error(f"unknown field {key} of graph.symbol, expected min, max or divisor")
                parser.parse_punctuation("=")
                fields[key] = parser.parse_integer(allow_boolean=False)
        return SymbolInfo(position, fields.get("min", 0), fields.get("max"), fields.get("divisor", 1))

    @override
    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string(f"{self.position}, min = {self.minimum}")
            if self.maximum is not None:
                printer.print_string(f", max = {self.maximum}")
            if self.divisor != 1:
                printer.print_string(f", divisor = {self.divisor}")


@irdl_attr_definition
class OperandRefAttr(Data[int]):
    """`#graph.operand<k>` in the arguments of a `graph.call_aten`: its tensor operand k."""

    name = "graph.operand"

    @override
    def verify(self) -> None:
        if self.data < 0:
            raise VerifyException(f"operand reference must not be negative, got {self.data}")

    @classmethod
    @override
    def parse_parameter(cls, parser: AttrParser) -> int:
        with parser.in_angle_brackets():
            return parser.parse_integer(allow_boolean=False)

    @override
    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_int(self.data)


@irdl_attr_definition
class NoneArgAttr(Data[None]):
    """`#graph.none` in the arguments of a `graph.call_aten`: Python's None."""

    name = "graph.none"

    def __init__(self, data: None = None) -> None:
        super().__init__(data)

    @classmethod
    @override
    def parse_parameter(cls, parser: AttrParser) -> None:
        return None

    @override
    def print_parameter(self, printer: Printer) -> None:
        pass


@irdl_attr_definition
class TorchAttr(Data[str]):
    """`#graph.torch<"bfloat16">` in the arguments of a `graph.call_aten`: a torch dtype, layout, memory format
    (names as in `torch.<name>`) or a device (`"cuda:0"`)."""

    name = "graph.torch"

    @classmethod
    @override
    def parse_parameter(cls, parser: AttrParser) -> str:
        with parser.in_angle_brackets():
            return parser.parse_str_literal()

    @override
    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string_literal(self.data)


@irdl_attr_definition
class SymIntAttr(Data[Dim]):
    """`#graph.sym<s0 * 2>` in the arguments of a `graph.call_aten`: an integer computed from the symbols."""

    name = "graph.sym"

    @override
    def verify(self) -> None:
        _check_dim(self.data)

    @classmethod
    @override
    def parse_parameter(cls, parser: AttrParser) -> Dim:
        with parser.in_angle_brackets():
            return parse_dim(parser)

    @override
    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            print_dim(printer, self.data)
