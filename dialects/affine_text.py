"""Text form of index expressions with named operands: `%i * 2 + %k floordiv 8`.

xDSL builds only pure affine expressions (its `*`, `floordiv` and `mod` want a constant on the right). Extents and
strides may be symbols here, so expressions are built from `AffineBinaryOpExpr` directly where xDSL refuses.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import nullcontext

from xdsl.dialects.builtin import IndexType
from xdsl.ir import SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
    AffineSymExpr,
)
from xdsl.parser import AttrParser, Parser, UnresolvedOperand
from xdsl.parser.affine_parser import AffineParser
from xdsl.printer import Printer
from xdsl.utils.mlir_lexer import MLIRToken

_PRECEDENCE = {
    AffineBinaryOpKind.Add: 10,
    AffineBinaryOpKind.Mul: 20,
    AffineBinaryOpKind.Mod: 20,
    AffineBinaryOpKind.FloorDiv: 20,
    AffineBinaryOpKind.CeilDiv: 20,
}

_WORDS = {
    "floordiv": AffineBinaryOpKind.FloorDiv,
    "ceildiv": AffineBinaryOpKind.CeilDiv,
    "mod": AffineBinaryOpKind.Mod,
}


def binary(kind: AffineBinaryOpKind, lhs: AffineExpr, rhs: AffineExpr) -> AffineExpr:
    """Build `lhs kind rhs`, semi-affine where xDSL's own operators refuse."""
    if kind is AffineBinaryOpKind.Add or isinstance(rhs, AffineConstantExpr):
        return AffineExpr.binary(kind, lhs, rhs)
    if kind is AffineBinaryOpKind.Mul and isinstance(lhs, AffineConstantExpr):
        return AffineExpr.binary(kind, rhs, lhs)
    return AffineBinaryOpExpr(kind, lhs, rhs)


def print_expr(printer: Printer, expr: AffineExpr, leaf: Callable[[AffineExpr], None], min_precedence: int = 0) -> None:
    """Print `expr`; `leaf` prints a dim or a symbol. Parentheses only where the meaning needs them."""
    if isinstance(expr, AffineConstantExpr):
        printer.print_string(str(expr.value))
        return
    if not isinstance(expr, AffineBinaryOpExpr):
        leaf(expr)
        return
    precedence = _PRECEDENCE[expr.kind]
    with printer.in_parens() if precedence < min_precedence else nullcontext():
        print_expr(printer, expr.lhs, leaf, precedence)
        rhs = expr.rhs
        if expr.kind is AffineBinaryOpKind.Add:
            if isinstance(rhs, AffineConstantExpr) and rhs.value < 0:
                printer.print_string(f" - {-rhs.value}")
                return
            printer.print_string(" + ")
            print_expr(printer, rhs, leaf, precedence)
            return
        printer.print_string(f" {expr.kind.get_token()} ")
        print_expr(printer, rhs, leaf, precedence + 1)


def parse_expr(parser: AttrParser, leaf: Callable[[], AffineExpr | None]) -> AffineExpr:
    """Parse an index expression; `leaf` parses a dim or a symbol, or returns None if there is none here."""
    expr = _parse_term(parser, leaf)
    while True:
        if parser.parse_optional_punctuation("+") is not None:
            expr = expr + _parse_term(parser, leaf)
        elif parser.parse_optional_punctuation("-") is not None:
            expr = expr - _parse_term(parser, leaf)
        else:
            return expr


def _parse_term(parser: AttrParser, leaf: Callable[[], AffineExpr | None]) -> AffineExpr:
    expr = _parse_primary(parser, leaf)
    while True:
        if parser.parse_optional_punctuation("*") is not None:
            expr = binary(AffineBinaryOpKind.Mul, expr, _parse_primary(parser, leaf))
            continue
        kind = next((kind for word, kind in _WORDS.items() if parser.parse_optional_keyword(word) is not None), None)
        if kind is None:
            break
        expr = binary(kind, expr, _parse_primary(parser, leaf))
    return expr


def _parse_primary(parser: AttrParser, leaf: Callable[[], AffineExpr | None]) -> AffineExpr:
    if (value := parser.parse_optional_integer(allow_boolean=False)) is not None:
        return AffineExpr.constant(value)
    if parser.parse_optional_punctuation("-") is not None:
        return _parse_primary(parser, leaf) * -1
    if parser.parse_optional_punctuation("(") is not None:
        expr = parse_expr(parser, leaf)
        parser.parse_punctuation(")")
        return expr
    if (expr := leaf()) is None:
        parser.raise_error("expected an index expression")
    return expr


def symbol_leaf(parser: AttrParser) -> Callable[[], AffineExpr | None]:
    """A leaf parser for expressions over the symbols `s0, s1, ...` alone."""

    def leaf() -> AffineExpr | None:
        name = parser.parse_optional_identifier()
        if name is None:
            return None
        if name[0] != "s" or not name[1:].isdigit():
            parser.raise_error(f"expected a symbol s0, s1, ..., got '{name}'")
        return AffineExpr.symbol(int(name[1:]))

    return leaf


def print_symbol_expr(printer: Printer, expr: AffineExpr) -> None:
    """Print an expression over the symbols `s0, s1, ...`."""
    print_expr(printer, expr, lambda leaf: printer.print_string(str(leaf)))


def print_map_of_operands(
    printer: Printer, index_map: AffineMap, operands: Sequence[SSAValue], brackets: tuple[str, str] = ("[", "]")
) -> None:
    """Print the results of `index_map` with `operands` (dims, then symbols) in place of dims and symbols."""

    def leaf(expr: AffineExpr) -> None:
        assert isinstance(expr, AffineDimExpr | AffineSymExpr)
        position = expr.position + (index_map.num_dims if isinstance(expr, AffineSymExpr) else 0)
        printer.print_ssa_value(operands[position])

    printer.print_string(brackets[0])
    printer.print_list(index_map.results, lambda expr: print_expr(printer, expr, leaf))
    printer.print_string(brackets[1])


def parse_map_of_operands(
    parser: Parser,
    is_symbol: Callable[[SSAValue], bool],
    delimiter: Parser.Delimiter = Parser.Delimiter.SQUARE,
) -> tuple[AffineMap, list[SSAValue]]:
    """Parse `[%i, %k * 2 + %s0]`.

    Returns the map and its operands, dims first, then the operands for which `is_symbol` holds, each in order of
    appearance.
    """
    operands: list[SSAValue] = []
    positions: dict[SSAValue, int] = {}

    def leaf() -> AffineExpr | None:
        operand = parser.parse_optional_unresolved_operand()
        if operand is None:
            return None
        value = parser.resolve_operand(UnresolvedOperand(operand.span, operand.index), IndexType())
        if value not in positions:
            positions[value] = len(operands)
            operands.append(value)
        return AffineExpr.dimension(positions[value])

    exprs = parser.parse_comma_separated_list(delimiter, lambda: parse_expr(parser, leaf))
    dims = [value for value in operands if not is_symbol(value)]
    symbols = [value for value in operands if is_symbol(value)]
    place: list[AffineExpr] = [
        AffineExpr.symbol(symbols.index(value)) if is_symbol(value) else AffineExpr.dimension(dims.index(value))
        for value in operands
    ]
    results = tuple(replace_dims(expr, place) for expr in exprs)
    return AffineMap(len(dims), len(symbols), results), dims + symbols


def replace_dims(expr: AffineExpr, dims: Sequence[AffineExpr]) -> AffineExpr:
    """Substitute `dims[i]` for dim `i`; symbols stay."""
    if isinstance(expr, AffineDimExpr):
        return dims[expr.position]
    if isinstance(expr, AffineBinaryOpExpr):
        return binary(expr.kind, replace_dims(expr.lhs, dims), replace_dims(expr.rhs, dims))
    return expr


def _semi_affine_binop(self: AffineParser, lhs: AffineExpr, rhs: AffineExpr, binop: MLIRToken) -> AffineExpr:
    kind = AffineBinaryOpKind.Mul if binop.text == "*" else _WORDS.get(binop.text)
    if kind is not None:
        return binary(kind, lhs, rhs)
    return _affine_binop(self, lhs, rhs, binop)


_affine_binop = AffineParser._create_binop_expr  # pyright: ignore[reportPrivateUsage]


def install() -> None:
    """Make all parsers read semi-affine maps, as `affine_map<(d0)[s0] -> (d0 * s0)>`: xDSL 0.75.0 only prints them."""
    AffineParser._create_binop_expr = _semi_affine_binop  # pyright: ignore[reportPrivateUsage]
