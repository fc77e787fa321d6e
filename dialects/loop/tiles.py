"""The tiles of a kernel that computes contractions."""

from __future__ import annotations

from dataclasses import MISSING, dataclass, fields

from xdsl.ir import Data
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

TILES = "loop.tiles"
"""Attribute of a kernel, and of the `graph.fusion` that becomes one: the tiles it shall have. Without it the schedule
chooses."""


@dataclass(frozen=True)
class Tiles:
    """How the programs of a kernel walk its contractions. Sizes are elements, powers of two."""

    m: int
    """Rows of a tile of the result."""
    n: int
    """Columns of a tile of the result."""
    k: int
    """Steps along the contracted dim that are loaded at once."""
    group: int
    """Tiles along the rows that are computed one after the other, before the next tile along the columns."""
    warps: int
    stages: int
    """Steps along the contracted dim whose loads are under way together."""
    split: int = 1
    """Parts of the contracted dim that are summed up in programs of their own."""
    descriptors: int = 0
    """1 to load the operands of dots by tensor descriptors where their layout allows it, 0 for pointers."""
    persistent: int = 0
    """1 for programs that compute one tile after the other, as many as the GPU has multiprocessors."""
    stacked: int = 0
    """1 for two products that share a factor as one dot; it takes descriptors."""


@irdl_attr_definition
class TilesAttr(Data[Tiles]):
    """`#loop.tiles<m = 128, n = 256, k = 64, group = 8, warps = 8, stages = 3, descriptors = 1>`; what is left out
    has its default."""

    name = "loop.tiles"

    def verify(self) -> None:
        tiles = self.data
        for name in ("m", "n", "k", "warps"):
            size = getattr(tiles, name)
            if size < 1 or size & (size - 1):
                raise VerifyException(f"{name} of loop.tiles must be a power of two, got {size}")
        for name in ("group", "stages", "split"):
            if getattr(tiles, name) < 1:
                raise VerifyException(f"{name} of loop.tiles must be positive, got {getattr(tiles, name)}")
        for name in ("descriptors", "persistent", "stacked"):
            if getattr(tiles, name) not in (0, 1):
                raise VerifyException(f"{name} of loop.tiles must be 0 or 1, got {getattr(tiles, name)}")

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> Tiles:
        names = {field.name: field.default for field in fields(Tiles)}
        with parser.in_angle_brackets():
            sizes: dict[str, int] = {}
            for name, default in names.items():
                if default is MISSING:
                    if sizes:
                        parser.parse_punctuation(",")
                    parser.parse_keyword(name)
                    parser.parse_punctuation("=")
                    sizes[name] = parser.parse_integer(allow_boolean=False)
            while parser.parse_optional_punctuation(",") is not None:
                name = parser.parse_identifier()
                if name not in names or name in sizes:
                    parser.raise_error(f"expected one of {', '.join(n for n in names if n not in sizes)}")
                parser.parse_punctuation("=")
                sizes[name] = parser.parse_integer(allow_boolean=False)
            return Tiles(**sizes)

    def print_parameter(self, printer: Printer) -> None:
        sizes = {field.name: getattr(self.data, field.name) for field in fields(Tiles)}
        defaults = {field.name: field.default for field in fields(Tiles)}
        with printer.in_angle_brackets():
            told = (f"{name} = {size}" for name, size in sizes.items() if size != defaults[name])
            printer.print_string(", ".join(told))
