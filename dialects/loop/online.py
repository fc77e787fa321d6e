"""Online reductions: a walk in blocks that hands partial results on, and the fold of a block."""

from __future__ import annotations

from collections.abc import Sequence

from typing_extensions import override
from xdsl.dialects.builtin import AffineMapAttr, ArrayAttr, IndexType, LocationAttr, StringAttr
from xdsl.ir import Attribute, BlockArgument, Region, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    irdl_op_definition,
    opt_region_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.traits import NoMemoryEffect, RecursiveMemoryEffect
from xdsl.utils.exceptions import VerifyException

from fusir.dialects.loop.folded import FoldedOp
from fusir.dialects.loop.memory import LoadOp, StoreOp
from fusir.dialects.loop.ops import LocatedOp, LoopOp, YieldOp

_INDEX = IndexType()


@irdl_op_definition
class OnlineOp(LoopOp):
    """A walk over the iterations in consecutive blocks, whose sizes the schedule chooses, with values handed from block
    to block.

    ```
    %m, %s = loop.online (%k) in (131072) carry (%m0 = %lowest, %s0 = %zero) -> f32, f32 {
      %x = loop.load %a[%k] : memref<131072xf32>
      %b = loop.fold max %x : f32
      %m1 = arith.maximumf %m0, %b : f32
      ...
      loop.yield %m1, %s1 : f32, f32
    }
    ```
    A value of the body is one for each iteration if it depends on the indices, else one for the block; carried and
    yielded values are ones for the block, and `loop.fold` leads from the one to the other. The results are what the
    last block yields, the initial values if there is no iteration. What the loop computes must not depend on where the
    blocks end, but for rounding: `loop-online`, which makes these loops, sees to it.

    The iterations may also be cut into parts that are walked each for itself, from the initial values, if the loop says
    how the results are made of what these walks end with:
    ```
    } merge (%mp, %sp) {
      %m2 = loop.fold max %mp : f32
      ...
      loop.yield %m2, %s2 : f32, f32
    }
    ```
    There a value that depends on the arguments is one for each part, and `loop.fold` folds it over the parts.
    """

    name = "loop.online"

    inits = var_operand_def()
    results_ = var_result_def()
    body = region_def("single_block")
    merge = opt_region_def("single_block")
    """How the results are made of what walks over the parts of the iterations carry at their ends."""

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(RecursiveMemoryEffect())

    def __init__(
        self,
        bounds: AffineMapAttr,
        symbols: Sequence[SSAValue],
        inits: Sequence[SSAValue],
        body: Region,
        axes: ArrayAttr[StringAttr] | None = None,
        location: LocationAttr | None = None,
        merge: Region | None = None,
    ):
        super().__init__(
            operands=[inits, symbols],
            properties={"bounds": bounds, "axes": axes},
            regions=[body, merge],
            result_types=[[init.type for init in inits]],
            location=location,
        )

    @property
    def indices(self) -> tuple[BlockArgument, ...]:
        return self.body.block.args[: len(self.bounds.data.results)]

    @property
    def carried(self) -> tuple[BlockArgument, ...]:
        """What the block before has yielded; in the first block the initial values."""
        return self.body.block.args[len(self.bounds.data.results) :]

    @property
    def yield_op(self) -> YieldOp:
        """The terminator of the body."""
        terminator = self.body.block.last_op
        assert isinstance(terminator, YieldOp)
        return terminator

    def verify_(self) -> None:
        self._verify_loop()
        if not isinstance(self.body.block.last_op, YieldOp):
            raise VerifyException("the body of loop.online ends with loop.yield")
        types = [init.type for init in self.inits]
        if not types:
            raise VerifyException("loop.online carries a value")
        for what, values in (
            ("carried", self.carried),
            ("yielded", self.yield_op.values),
            ("result", self.results),
        ):
            if [value.type for value in values] != types:
                raise VerifyException(f"the {what} types of loop.online must be those of its initial values")
        if self.merge is not None:
            self._verify_merge(self.merge, types)

    def _verify_merge(self, merge: Region, types: Sequence[Attribute]) -> None:
        terminator = merge.block.last_op
        if not isinstance(terminator, YieldOp):
            raise VerifyException("the merge of loop.online ends with loop.yield")
        for what, values in (("merged", merge.block.args), ("yielded", terminator.values)):
            if [value.type for value in values] != types:
                raise VerifyException(f"the {what} types of a merge must be those of the initial values of loop.online")
        for op in merge.block.ops:
            if op.regions or isinstance(op, LoadOp | StoreOp):
                raise VerifyException(f"the merge of loop.online is made of scalars alone, got {op.name}")

    @classmethod
    def parse(cls, parser: Parser) -> OnlineOp:
        indices, bounds, symbols, axes = cls._parse_header(parser)
        parser.parse_keyword("carry")

        def parse_carried() -> tuple[Parser.UnresolvedArgument, UnresolvedOperand]:
            name = parser.parse_argument(expect_type=False)
            parser.parse_punctuation("=")
            return name, parser.parse_unresolved_operand()

        carried = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parse_carried)
        parser.parse_punctuation("->")
        types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
        if len(types) != len(carried):
            parser.raise_error(f"expected {len(carried)} types, one for each carried value, got {len(types)}")
        inits = [parser.resolve_operand(init, type_) for (_, init), type_ in zip(carried, types, strict=True)]
        args = [*indices, *(name.resolve(type_) for (name, _), type_ in zip(carried, types, strict=True))]
        body, merge = parser.parse_region(args), None
        if parser.parse_optional_keyword("merge") is not None:
            names = parser.parse_comma_separated_list(
                parser.Delimiter.PAREN, lambda: parser.parse_argument(expect_type=False)
            )
            if len(names) != len(types):
                parser.raise_error(f"expected {len(types)} values to merge, one for each carried one, got {len(names)}")
            merge = parser.parse_region([name.resolve(type_) for name, type_ in zip(names, types, strict=True)])
        op = OnlineOp(bounds, symbols, inits, body, axes, merge=merge)
        op.attributes |= parser.parse_optional_attr_dict()
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        self._print_header(printer)
        printer.print_string(" carry ")
        with printer.in_parens():
            printer.print_list(zip(self.carried, self.inits, strict=True), lambda pair: _print_pair(printer, *pair))
        printer.print_string(" -> ")
        printer.print_list(self.result_types, printer.print_attribute)
        printer.print_string(" ")
        printer.print_region(self.body, print_entry_block_args=False)
        if self.merge is not None:
            printer.print_string(" merge ")
            with printer.in_parens():
                printer.print_list(self.merge.block.args, printer.print_ssa_value)
            printer.print_string(" ")
            printer.print_region(self.merge, print_entry_block_args=False)
        printer.print_op_attributes(self.attributes)


def _print_pair(printer: Printer, carried: SSAValue, init: SSAValue) -> None:
    printer.print_ssa_value(carried)
    printer.print_string(" = ")
    printer.print_ssa_value(init)


@irdl_op_definition
class FoldOp(FoldedOp):
    """The fold of a value over the iterations of a block of the enclosing `loop.online`, in its merge over the parts.

    `%b = loop.fold max %x : f32`, `%v, %i = loop.fold argmax %x, %k : f32, i64`. It stands in the body or the merge of
    the loop, under no other one.
    """

    name = "loop.fold"

    @override
    def verify_place(self) -> None:
        if not isinstance(self.parent_op(), OnlineOp):
            raise VerifyException("loop.fold stands in the body or the merge of a loop.online")


@irdl_op_definition
class WalkedOp(LocatedOp):
    """The number of iterations of a walk of a `loop.online` up to the end of this block: `%n = loop.walked`.

    A walk over a part of the iterations counts those of the part.
    """

    name = "loop.walked"

    result = result_def(IndexType)

    traits = traits_def(NoMemoryEffect())

    assembly_format = "attr-dict"

    def __init__(self, location: LocationAttr | None = None):
        super().__init__(result_types=[_INDEX], location=location)

    def verify_(self) -> None:
        loop = self.parent_op()
        if not isinstance(loop, OnlineOp) or self.parent_region() is not loop.body:
            raise VerifyException("loop.walked stands in the body of a loop.online")
