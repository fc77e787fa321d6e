"""Prefixes: a loop whose iterations have an order, and the op that folds a value over them."""

from __future__ import annotations

from collections.abc import Sequence

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
    irdl_op_definition,
    opt_prop_def,
    prop_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import NoMemoryEffect, NoTerminator, RecursiveMemoryEffect
from xdsl.utils.exceptions import VerifyException

from fusir.dialects.loop.attrs import LANE_GROUP, Combiner, CombinerAttr
from fusir.dialects.loop.ops import LocatedOp, LoopOp, check_combined

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
class PrefixOp(LocatedOp):
    """The fold of a value over the iterations of the enclosing `loop.scan` up to this one, itself included.

    `%p = loop.prefix add %v : f32`, or of a pair, `%m, %k = loop.prefix last_argmax %v, %i : f32, i64`. It stands in
    the body of the scan, under no other loop. The extrema propagate NaN.
    """

    name = "loop.prefix"

    combiner_attr = prop_def(CombinerAttr, prop_name="combiner")
    values = var_operand_def()
    results_ = var_result_def()

    traits = traits_def(NoMemoryEffect())

    def __init__(self, combiner: Combiner, values: Sequence[SSAValue], location: LocationAttr | None = None):
        super().__init__(
            operands=[values],
            properties={"combiner": CombinerAttr(combiner)},
            result_types=[[value.type for value in values]],
            location=location,
        )

    @property
    def combiner(self) -> Combiner:
        """How two elements are folded into one."""
        return self.combiner_attr.data

    def verify_(self) -> None:
        if not isinstance(self.parent_op(), ScanOp):
            raise VerifyException("loop.prefix stands in the body of a loop.scan")
        combiner = self.combiner
        if combiner not in PREFIX_COMBINERS:
            known = ", ".join(PREFIX_COMBINERS)
            raise VerifyException(f"loop.prefix folds with one of {known}, got {combiner}")
        types = [value.type for value in self.values]
        if len(types) != combiner.arity:
            raise VerifyException(f"combiner {combiner} takes {combiner.arity} values, got {len(types)}")
        if types != [result.type for result in self.results]:
            raise VerifyException("the results of loop.prefix have the types of its values")
        element = types[0]
        if not isinstance(element, AnyFloat | IntegerType) or element == IntegerType(1):
            raise VerifyException(f"loop.prefix folds numbers, got {element}")
        check_combined(combiner, types)

    @classmethod
    def parse(cls, parser: Parser) -> PrefixOp:
        combiner = parser.parse_str_enum(Combiner)
        operands = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_unresolved_operand)
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
        op = PrefixOp(combiner, parser.resolve_operands(operands, types, parser.pos))
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(f" {self.combiner} ")
        printer.print_list(self.values, printer.print_ssa_value)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_list([value.type for value in self.values], printer.print_attribute)
