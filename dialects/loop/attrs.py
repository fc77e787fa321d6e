"""Attributes of the `loop` dialect: combiners, strided layouts and the schedule."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from xdsl.dialects.builtin import AffineMapAttr, MemRefLayoutAttr
from xdsl.dialects.utils.enum_attribute import EnumAttribute
from xdsl.ir import Data, SpacedOpaqueSyntaxAttribute
from xdsl.ir.affine import AffineBinaryOpKind, AffineConstantExpr, AffineDimExpr, AffineExpr, AffineMap
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.str_enum import StrEnum

from fusir.dialects.affine_text import binary, parse_expr, print_symbol_expr, symbol_leaf

Dim: TypeAlias = int | AffineExpr
"""An extent or a stride, in elements: static, or an expression over the symbols."""


CACHE_HINT = "loop.evict"
"""Attribute of a `loop.load`: the eviction policy of its cache lines, `evict_first` or `evict_last`."""

DESCRIPTOR = "loop.descriptor"
"""Attribute of a `loop.load` in a contraction: its tiles are blocks that a tensor descriptor loads."""

PRECISION = "loop.precision"
"""Attribute of a `loop.reduce` that is a contraction of f32: how its products may be computed, `tf32` or `bf16x6`."""

STACKED = "loop.stacked"
"""Attribute of a contraction of two products that share a factor: one dot, with the other factors side by side."""

LANE_GROUP = "loop.lane_group"
"""Attribute of a `loop.scan reverse`, a power of two: so many neighbouring lanes of a tile keep the order of their
indices while their groups are in the opposite order, so that a thread still loads them at once. 1 without it."""


class Combiner(StrEnum):
    """How a reduction folds two partial results into one."""

    ADD = "add"
    MUL = "mul"
    MAX = "max"
    MIN = "min"
    UMAX = "umax"
    UMIN = "umin"
    AND = "and"
    OR = "or"
    XOR = "xor"
    ARGMAX = "argmax"
    ARGMIN = "argmin"
    LAST_ARGMAX = "last_argmax"
    LAST_ARGMIN = "last_argmin"
    SUMEXP = "sumexp"

    @property
    def arity(self) -> int:
        """How many values an element has: two for the arg forms (value, index) and `sumexp` (maximum, sum)."""
        return 2 if self in (*_POSITIONS, Combiner.SUMEXP) else 1

    @property
    def has_index(self) -> bool:
        """Whether the second value of an element is an index."""
        return self in _POSITIONS


_POSITIONS = (Combiner.ARGMAX, Combiner.ARGMIN, Combiner.LAST_ARGMAX, Combiner.LAST_ARGMIN)


@irdl_attr_definition
class CombinerAttr(EnumAttribute[Combiner], SpacedOpaqueSyntaxAttribute):
    name = "loop.combiner"


@irdl_attr_definition
class StridedAttr(MemRefLayoutAttr, Data[tuple[AffineExpr, ...]]):
    """Layout of a memref by its strides, where one of them is symbolic: `#loop.strided<[s0 * 4, 1]>`."""

    name = "loop.strided"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> tuple[AffineExpr, ...]:
        with parser.in_angle_brackets():
            leaf = symbol_leaf(parser)
            return tuple(parser.parse_comma_separated_list(parser.Delimiter.SQUARE, lambda: parse_expr(parser, leaf)))

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets(), printer.in_square_brackets():
            printer.print_list(self.data, lambda expr: print_symbol_expr(printer, expr))

    def get_affine_map(self) -> AffineMap:
        offset: AffineExpr = AffineExpr.constant(0)
        for position, stride in enumerate(self.data):
            offset = offset + binary(AffineBinaryOpKind.Mul, AffineDimExpr(position), stride)
        return AffineMap(len(self.data), 0, (offset,))

    def get_strides(self) -> Sequence[int | None]:
        return [expr.value if isinstance(expr, AffineConstantExpr) else None for expr in self.data]

    def get_offset(self) -> int | None:
        return 0


class AxisKind(StrEnum):
    """How the iterations of a tile axis are walked."""

    PROGRAM = "program"
    """The grid walks the axis in steps of the size."""
    TILE = "tile"
    """The whole extent is one tile; the size is the next power of two."""
    LOOP = "loop"
    """Each program walks the axis in steps of the size."""
    SHARED = "shared"
    """Several programs walk the axis together, each has one tile of at most the size: what is reduced along the axis is
    exchanged between them."""


@dataclass(frozen=True)
class RowStart:
    """Where the rows along a tile axis start, of which the whole groups of elements in memory are tiles of their own.

    A group is `group` elements of a buffer, from a multiple of `group` on: what one wide access moves. Rows that do not
    start at such multiples are walked in two segments: the *edges*, which are the elements before the first boundary
    behind the start of the row and those behind the last boundary in it, and the whole groups in between.
    """

    group: int
    """Elements of a group, a power of two."""
    offset: AffineMap
    """The place of the first element of the row in its buffer, over the indices of the outermost loop and the symbols
    of the kernel."""

    def __str__(self) -> str:
        return f"groups of {self.group} from {AffineMapAttr(self.offset)}"


AxisData: TypeAlias = tuple[str, AxisKind, int] | tuple[str, AxisKind, int, RowStart]


@irdl_attr_definition
class AxisAttr(Data[AxisData]):
    """A tile axis of a kernel: `#loop.axis<"x", program, 1024>`.

    An axis in two segments says where its rows start (`RowStart`):
    `#loop.axis<"r", tile, 4096, groups of 8 from affine_map<(d0) -> (d0 * 4097)>>`.
    """

    name = "loop.axis"

    @property
    def axis(self) -> str:
        return self.data[0]

    @property
    def kind(self) -> AxisKind:
        return self.data[1]

    @property
    def size(self) -> int:
        """Iterations in one tile, a power of two; of the whole groups if the axis has segments."""
        return self.data[2]

    @property
    def rows(self) -> RowStart | None:
        """Where the rows start whose edges are a segment of their own; None for an axis in one segment."""
        return self.data[3] if len(self.data) == 4 else None

    def verify(self) -> None:
        if self.size < 1 or self.size & (self.size - 1):
            raise VerifyException(f"the size of axis '{self.axis}' must be a power of two, got {self.size}")
        if self.rows is not None:
            self._verify_rows(self.rows)

    def _verify_rows(self, rows: RowStart) -> None:
        if self.kind in (AxisKind.PROGRAM, AxisKind.SHARED):
            raise VerifyException(f"{self.kind.value} axis '{self.axis}' must not have segments")
        if rows.group < 2 or rows.group & (rows.group - 1) or rows.group > self.size:
            raise VerifyException(
                f"the groups of axis '{self.axis}' must have a power of two of elements, at least 2 and at most the "
                f"size, got {rows.group}"
            )
        if len(rows.offset.results) != 1:
            raise VerifyException(f"the rows of axis '{self.axis}' must have one offset")

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> AxisData:
        with parser.in_angle_brackets():
            axis = parser.parse_str_literal()
            parser.parse_punctuation(",")
            kind = parser.parse_str_enum(AxisKind)
            parser.parse_punctuation(",")
            size = parser.parse_integer(allow_boolean=False)
            if parser.parse_optional_punctuation(",") is None:
                return axis, kind, size
            parser.parse_keyword("groups")
            parser.parse_keyword("of")
            group = parser.parse_integer(allow_boolean=False)
            parser.parse_keyword("from")
            offset = parser.parse_attribute()
            if not isinstance(offset, AffineMapAttr):
                parser.raise_error("expected an affine map")
            return axis, kind, size, RowStart(group, offset.data)

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string_literal(self.axis)
            printer.print_string(f", {self.kind.value}, {self.size}")
            if self.rows is not None:
                printer.print_string(f", {self.rows}")


class Schedule(NamedTuple):
    """The parameters of a `ScheduleAttr`."""

    axes: tuple[AxisAttr, ...]
    num_warps: int
    num_stages: int
    index_bits: int
    group: int = 1
    programs: int = 0


@irdl_attr_definition
class ScheduleAttr(Data[Schedule]):
    """The schedule of a kernel: its tile axes in the order of the tensor dims, and the launch parameters.

    `#loop.schedule<axes = [#loop.axis<"x", program, 1024>], num_warps = 4, num_stages = 1, index_bits = 32>`

    Tiles of a matrix product may be computed in groups, by a fixed number of programs: `, group = 8, programs = 132` at
    the end.
    """

    name = "loop.schedule"

    def __init__(self, data: Schedule | tuple[tuple[AxisAttr, ...], int, int, int]):
        super().__init__(data if isinstance(data, Schedule) else Schedule(*data))

    @property
    def axes(self) -> tuple[AxisAttr, ...]:
        return self.data.axes

    @property
    def num_warps(self) -> int:
        return self.data.num_warps

    @property
    def num_stages(self) -> int:
        return self.data.num_stages

    @property
    def index_bits(self) -> int:
        """Width of index arithmetic: 32, or 64 where an offset can pass 2^31 - 1."""
        return self.data.index_bits

    @property
    def group(self) -> int:
        """Of the last two program axes, how many tiles along the first one are computed before the next tile along the
        second one; 1 for all tiles along the second one before the next along the first."""
        return self.data.group

    @property
    def programs(self) -> int:
        """How many programs compute the tiles, one tile after the other; 0 for one program for each tile."""
        return self.data.programs

    def axis(self, name: str) -> AxisAttr | None:
        """The axis called `name`, or None."""
        return next((axis for axis in self.axes if axis.axis == name), None)

    def verify(self) -> None:
        names = [axis.axis for axis in self.axes]
        if len(set(names)) != len(names):
            raise VerifyException("a schedule must not have two axes of one name")
        if sum(axis.rows is not None for axis in self.axes) > 1:
            raise VerifyException("a schedule must not have two axes with segments")
        if sum(axis.kind is AxisKind.SHARED for axis in self.axes) > 1:
            raise VerifyException("a schedule must not have two shared axes")
        if self.num_warps < 1 or self.num_warps & (self.num_warps - 1):
            raise VerifyException(f"num_warps must be a power of two, got {self.num_warps}")
        if self.num_stages < 1:
            raise VerifyException(f"num_stages must be positive, got {self.num_stages}")
        if self.index_bits not in (32, 64):
            raise VerifyException(f"index_bits must be 32 or 64, got {self.index_bits}")
        if self.group < 1:
            raise VerifyException(f"group must be positive, got {self.group}")
        if self.programs < 0:
            raise VerifyException(f"programs must not be negative, got {self.programs}")
        if self.group > 1 and sum(axis.kind is AxisKind.PROGRAM for axis in self.axes) < 2:
            raise VerifyException("a group needs two program axes")

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> Schedule:
        def parse_axis() -> AxisAttr:
            axis = parser.parse_attribute()
            if not isinstance(axis, AxisAttr):
                parser.raise_error("expected a #loop.axis attribute")
            return axis

        def parse_number(name: str) -> int:
            parser.parse_punctuation(",")
            parser.parse_keyword(name)
            return parse_equal()

        def parse_equal() -> int:
            parser.parse_punctuation("=")
            return parser.parse_integer(allow_boolean=False)

        with parser.in_angle_brackets():
            parser.parse_keyword("axes")
            parser.parse_punctuation("=")
            axes = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, parse_axis)
            numbers = parse_number("num_warps"), parse_number("num_stages"), parse_number("index_bits")
            schedule = Schedule(tuple(axes), *numbers)
            while parser.parse_optional_punctuation(",") is not None:
                if parser.parse_optional_keyword("group") is not None:
                    schedule = schedule._replace(group=parse_equal())
                else:
                    parser.parse_keyword("programs")
                    schedule = schedule._replace(programs=parse_equal())
            return schedule

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string("axes = ")
            with printer.in_square_brackets():
                printer.print_list(self.axes, printer.print_attribute)
            printer.print_string(
                f", num_warps = {self.num_warps}, num_stages = {self.num_stages}, index_bits = {self.index_bits}"
            )
            if self.group > 1:
                printer.print_string(f", group = {self.group}")
            if self.programs:
                printer.print_string(f", programs = {self.programs}")
