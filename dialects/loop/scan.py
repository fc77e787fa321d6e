"""Prefixes: a loop whose iterations have an order, and the op that folds a value over them."""

from __future__ import annotations

from collections.abc import Sequence

from typing_extensions import override
from xdsl.dialects.builtin import (
    AffineMapAttr,
    ArrayAttr,
    IntegerAttr,
    LocationAttr,
    StringAttr,
    UnitAttr,
    i1,
)
from xdsl.ir import Region, SSAValue
from xdsl.irdl import (
    irdl_op_definition,
    opt_prop_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import NoTerminator, RecursiveMemoryEffect
from xdsl.utils.exceptions import VerifyException

from fusir.dialects.loop.attrs import LANE_GROUP, Combiner
from fusir.dialects.loop.folded import FoldedOp
from fusir.dialects.loop.ops import LoopOp

PREFIX_COMBINERS = (
    *(Combiner.ADD, Combiner.MUL, Combiner.MAX, Combiner.MIN, Combiner.UMAX, Combiner.UMIN),
    *(Combiner.LAST_ARGMAX, Combiner.LAST_ARGMIN, Combiner.SUMEXP),
)
"""What `loop.prefix` folds with."""


@irdl_op_definition
class ScanOp(LoopOp):
    """Iterations in row-major order of the indices, or in the opposite order if `reverse`.

    ```
    loop.scan reverse (%k) in (8) {
      %v = loop.load %x[%k] : memref<8xf32>
      %p = loop.prefix add %v : f32
      loop.store %p, %y[%k] : memref<8xf32>
    }
    ```
    Only what `loop.prefix` gives depends on the order.
    """

    name = "loop.scan"

    reverse_attr = opt_prop_def(UnitAttr, prop_name="reverse")

    traits = traits_def(NoTerminator(), RecursiveMemoryEffect())

    def __init__(
        self,
        bounds: AffineMapAttr,
        symbols: Sequence[SSAValue],
        body: Region,
        reverse: bool = False,
        axes: ArrayAttr[StringAttr] | None = None,
        location: LocationAttr | None = None,
    ):
        super().__init__(
            operands=[symbols],
            properties={"bounds": bounds, "axes": axes, "reverse": UnitAttr() if reverse else None},
            regions=[body],
            location=location,
        )

    @property
    def reverse(self) -> bool:
        """Whether the last iteration comes first."""
        return self.reverse_attr is not None

    @property
    def lane_group(self) -> int:
        """How many neighbouring lanes of a tile keep the order of their indices in a scan from the end."""
        group = self.attributes.get(LANE_GROUP)
        return group.value.data if isinstance(group, IntegerAttr) else 1

    def verify_(self) -> None:
        self._verify_loop()
        if self.lane_group < 1 or self.lane_group & (self.lane_group - 1):
            raise VerifyException(f"{LANE_GROUP} must be a power of two, got {self.lane_group}")

    @classmethod
    def parse(cls, parser: Parser) -> ScanOp:
        reverse = parser.parse_optional_keyword("reverse") is not None
        args, bounds, symbols, axes = cls._parse_header(parser)
        op = ScanOp(bounds, symbols, parser.parse_region(args), reverse, axes)
        op.attributes |= parser.parse_optional_attr_dict()
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(" reverse " if self.reverse else " ")
        self._print_header(printer)
        printer.print_string(" ")
        printer.print_region(self.body, print_entry_block_args=False, print_empty_block=False)
        printer.print_op_attributes(self.attributes)


@irdl_op_definition
class PrefixOp(FoldedOp):
    """The fold of a value over the iterations of the enclosing `loop.scan` up to this one, itself included.

    `%p = loop.prefix add %v : f32`, or of a pair, `%m, %k = loop.prefix last_argmax %v, %i : f32, i64`. It stands in
    the body of the scan, under no other loop. The extrema propagate NaN.
    """

    name = "loop.prefix"

    @override
    def verify_place(self) -> None:
        if not isinstance(self.parent_op(), ScanOp):
            raise VerifyException("loop.prefix stands in the body of a loop.scan")
        if self.combiner not in PREFIX_COMBINERS:
            known = ", ".join(PREFIX_COMBINERS)
            raise VerifyException(f"loop.prefix folds with one of {known}, got {self.combiner}")
        if any(value.type == i1 for value in self.values):
            raise VerifyException("loop.prefix folds numbers, got i1")
