"""Bits of floats in dense literals: `dense<0x7F800000> : tensor<4xf32>` is infinity, in MLIR and in what xDSL prints.

xDSL 0.75.0 reads the bits back as the number 2139095040. This module corrects the reading, for every parser of the
process: text that is printed must mean the same when it is read.
"""

from __future__ import annotations

from typing import Any

from xdsl.dialects.builtin import AnyFloat
from xdsl.parser import AttrParser

_Element: Any = AttrParser._TensorLiteralElement  # pyright: ignore[reportPrivateUsage]
_read_number = _Element.to_type


def _read_element(element: Any, parser: AttrParser, element_type: Any) -> Any:
    """The value of an element of a dense literal. Raises ParseError if it does not fit the type."""
    if not isinstance(element_type, AnyFloat) or not element.span.text.startswith(("0x", "0X")):
        return _read_number(element, parser, element_type)
    bits: int = element.value
    if bits.bit_length() > element_type.bitwidth:
        parser.raise_error("Hexadecimal float constant out of range for type", at_position=element.span)
    return next(element_type.iter_unpack(bits.to_bytes(element_type.compile_time_size, "little")))


def install() -> None:
    """Make all parsers read the bits of floats."""
    _Element.to_type = _read_element
