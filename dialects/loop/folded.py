"""The base of the ops that fold values over the iterations of the loop around them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Self

from xdsl.dialects.builtin import LocationAttr
from xdsl.ir import SSAValue
from xdsl.irdl import prop_def, traits_def, var_operand_def, var_result_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import NoMemoryEffect
from xdsl.utils.exceptions import VerifyException

from fusir.dialects.loop.attrs import Combiner, CombinerAttr
from fusir.dialects.loop.ops import LocatedOp, check_combined


class FoldedOp(LocatedOp, ABC):
    """What a combiner makes of values of many iterations, with results of the types of the values: `add %x : f32`."""

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
        """How two values are folded into one."""
        return self.combiner_attr.data

    @abstractmethod
    def verify_place(self) -> None:
        """Check the loop around the op and what that loop folds with. Raises VerifyException."""

    def verify_(self) -> None:
        self.verify_place()
        combiner, types = self.combiner, [value.type for value in self.values]
        if len(types) != combiner.arity:
            raise VerifyException(f"combiner {combiner} takes {combiner.arity} values, got {len(types)}")
        if types != [result.type for result in self.results]:
            raise VerifyException(f"the results of {self.name} have the types of its values")
        check_combined(combiner, types)

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        combiner = parser.parse_str_enum(Combiner)
        values = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_unresolved_operand)
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
        op = cls(combiner, parser.resolve_operands(values, types, parser.pos))
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(f" {self.combiner} ")
        printer.print_list(self.values, printer.print_ssa_value)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_list([value.type for value in self.values], printer.print_attribute)
