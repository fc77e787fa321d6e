"""Prefixes: a loop whose iterations have an order, and the op that folds a value over them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import (
    AffineMapAttr,
    AnyFloat,
    ArrayAttr,
    IntegerAttr,
    IntegerType,
    LocationAttr,
    StringAttr,
    UnitAttr,
)
from xdsl.ir import Region, SSAValue
from xdsl.irdl import (
    AnyAttr,
    VarConstraint,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import NoMemoryEffect, NoTerminator, RecursiveMemoryEffect
from xdsl.utils.exceptions import VerifyException

from fusir.dialects.loop.attrs import LANE_GROUP, Combiner, CombinerAttr
from fusir.dialects.loop.ops import LocatedOp, LoopOp

PREFIX_COMBINERS = (Combiner.ADD, Combiner.MUL, Combiner.MAX, Combiner.MIN, Combiner.UMAX, Combiner.UMIN)
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
class PrefixOp(LocatedOp):
    """The fold of a value over the iterations of the enclosing `loop.scan` up to this one, itself included.

    `%p = loop.prefix add %v : f32`. It stands in the body of the scan, under no other loop. `max` and `min` propagate
    NaN.
    """

    name = "loop.prefix"

    T: ClassVar = VarConstraint("T", AnyAttr())

    combiner_attr = prop_def(CombinerAttr, prop_name="combiner")
    value = operand_def(T)
    result = result_def(T)

    traits = traits_def(NoMemoryEffect())

    assembly_format = "$combiner $value attr-dict `:` type($value)"

    def __init__(self, combiner: Combiner, value: SSAValue, location: LocationAttr | None = None):
        super().__init__(
            operands=[value],
            properties={"combiner": CombinerAttr(combiner)},
            result_types=[value.type],
            location=location,
        )

    @property
    def combiner(self) -> Combiner:
        """How two values are folded into one."""
        return self.combiner_attr.data

    def verify_(self) -> None:
        if not isinstance(self.parent_op(), ScanOp):
            raise VerifyException("loop.prefix stands in the body of a loop.scan")
        combiner, element = self.combiner, self.value.type
        if combiner not in PREFIX_COMBINERS:
            known = ", ".join(PREFIX_COMBINERS)
            raise VerifyException(f"loop.prefix folds with one of {known}, got {combiner}")
        if not isinstance(element, AnyFloat | IntegerType) or element == IntegerType(1):
            raise VerifyException(f"loop.prefix folds numbers, got {element}")
        if combiner in (Combiner.UMAX, Combiner.UMIN) and not isinstance(element, IntegerType):
            raise VerifyException(f"combiner {combiner} folds integers, got {element}")
