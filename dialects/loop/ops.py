"""A kernel, its local buffers and its loops: the structure of the `loop` dialect."""

from __future__ import annotations

from abc import ABC
from collections.abc import Sequence
from typing import Any, cast

from xdsl.dialects.builtin import (
    AffineMapAttr,
    AnyFloat,
    ArrayAttr,
    IndexType,
    IntegerType,
    LocationAttr,
    MemRefType,
    Signedness,
    StringAttr,
    i32,
    i64,
)
from xdsl.ir import Attribute, Block, BlockArgument, Operation, Region, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineExpr
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    opt_prop_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import (
    IsolatedFromAbove,
    IsTerminator,
    MemoryAllocEffect,
    NoTerminator,
    Pure,
    RecursiveMemoryEffect,
    SymbolOpInterface,
)
from xdsl.utils.exceptions import VerifyException

from fusir.dialects.affine_text import parse_map_of_operands, print_map_of_operands
from fusir.dialects.loop.attrs import Combiner, CombinerAttr, Dim, ScheduleAttr

_INDEX = IndexType()


def is_kernel_symbol(value: SSAValue) -> bool:
    """Whether `value` is an argument of the kernel: its block has buffers, unlike that of a loop."""
    return isinstance(value, BlockArgument) and any(isinstance(arg.type, MemRefType) for arg in value.block.args)


class LocatedOp(IRDLOperation, ABC):
    """Base of the ops: a constructor that takes a location."""

    def __init__(self, *, location: LocationAttr | None = None, **kwargs: Any):
        super().__init__(**kwargs)
        if location is not None:
            self.location = location


@irdl_op_definition
class KernelOp(LocatedOp):
    """One kernel: its buffers, then the symbols `s0, s1, ...` that its extents and strides are made of.

    ```
    loop.kernel @copy(%x: memref<8xf32>, %out: memref<8xf32>) {
      loop.parallel (%i) in (8) { ... }
    }
    ```
    """

    name = "loop.kernel"

    sym_name = prop_def(StringAttr)
    schedule = opt_prop_def(ScheduleAttr)
    body = region_def("single_block")

    traits = traits_def(IsolatedFromAbove(), SymbolOpInterface(), NoTerminator())

    def __init__(
        self,
        name: str | StringAttr,
        body: Region,
        schedule: ScheduleAttr | None = None,
        location: LocationAttr | None = None,
    ):
        name = StringAttr(name) if isinstance(name, str) else name
        super().__init__(properties={"sym_name": name, "schedule": schedule}, regions=[body], location=location)

    @property
    def buffers(self) -> list[BlockArgument]:
        """The buffer arguments, in order."""
        return [arg for arg in self.body.block.args if isinstance(arg.type, MemRefType)]

    @property
    def symbols(self) -> list[BlockArgument]:
        """The symbol arguments `s0, s1, ...`, in order."""
        return [arg for arg in self.body.block.args if arg.type == _INDEX]

    def verify_(self) -> None:
        seen_symbol = False
        for arg in self.body.block.args:
            if isinstance(arg.type, MemRefType):
                if seen_symbol:
                    raise VerifyException("the buffers of a kernel come before its symbols")
                element = arg.type.element_type
                if isinstance(element, IntegerType) and element.signedness.data is not Signedness.SIGNLESS:
                    raise VerifyException(f"a kernel buffer has a signless element type, got {arg.type}")
            elif isinstance(arg.type, IndexType):
                seen_symbol = True
            else:
                raise VerifyException(f"a kernel argument is a memref or an index, got {arg.type}")
        if not self.buffers:
            raise VerifyException("a kernel has at least one buffer")
        if self.schedule is not None:
            self._verify_schedule(self.schedule)

    def _verify_schedule(self, schedule: ScheduleAttr) -> None:
        outermost = next((op for op in self.body.block.ops if isinstance(op, LoopOp)), None)
        for axis in schedule.axes:
            if axis.rows is None:
                continue
            dims, symbols = axis.rows.offset.num_dims, axis.rows.offset.num_symbols
            if outermost is None or (dims, symbols) != (len(outermost.indices), len(self.symbols)):
                raise VerifyException(
                    f"the offset of the rows of axis '{axis.axis}' must be over the indices of the outermost loop and "
                    "the symbols of the kernel"
                )
        extents: dict[str, tuple[AffineExpr, ...]] = {}
        for op in self.walk():
            if not isinstance(op, LoopOp):
                continue
            if op.axes is None:
                raise VerifyException(f"a scheduled kernel needs 'axes' on every loop, missing on {op.name}")
            for name in dict.fromkeys(axis.data for axis in op.axes):
                if schedule.axis(name) is None:
                    raise VerifyException(f"the schedule has no axis '{name}'")
                dims = tuple(
                    extent for extent, axis in zip(op.bounds.data.results, op.axes, strict=True) if axis.data == name
                )
                if len(op.symbols) == 0 and extents.setdefault(name, dims) != dims:
                    raise VerifyException(f"loops that share axis '{name}' must have equal extents on it")

    @classmethod
    def parse(cls, parser: Parser) -> KernelOp:
        name = parser.parse_symbol_name()
        args = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_argument)
        schedule = None
        if parser.parse_optional_keyword("schedule") is not None:
            attr = parser.parse_attribute()
            if not isinstance(attr, ScheduleAttr):
                parser.raise_error("expected a #loop.schedule attribute")
            schedule = attr
        attributes = parser.parse_optional_attr_dict_with_keyword()
        op = KernelOp(name, parser.parse_region(args), schedule)
        if attributes is not None:
            op.attributes |= attributes.data
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_symbol_name(self.sym_name.data)
        with printer.in_parens():
            printer.print_list(self.body.block.args, printer.print_block_argument)
        if self.schedule is not None:
            printer.print_string(" schedule ")
            printer.print_attribute(self.schedule)
        printer.print_op_attributes(self.attributes, print_keyword=True)
        printer.print_string(" ")
        printer.print_region(self.body, print_entry_block_args=False, print_empty_block=False)


@irdl_op_definition
class LocalOp(LocatedOp):
    """A buffer that lives inside the kernel; `loop-fuse` removes it by forwarding its stores to its loads."""

    name = "loop.local"

    buffer = result_def(MemRefType)

    traits = traits_def(MemoryAllocEffect())

    assembly_format = "attr-dict `:` type($buffer)"

    def __init__(self, memref: MemRefType, location: LocationAttr | None = None):
        super().__init__(result_types=[memref], location=location)


@irdl_op_definition
class YieldOp(LocatedOp):
    """Ends the body of a `loop.reduce` with the values that are folded in."""

    name = "loop.yield"

    values = var_operand_def()

    traits = traits_def(IsTerminator(), Pure())

    assembly_format = "attr-dict ($values^ `:` type($values))?"

    def __init__(self, values: Sequence[SSAValue], location: LocationAttr | None = None):
        super().__init__(operands=[values], location=location)


class LoopOp(LocatedOp, ABC):
    """Loops over a box: `(%i, %j) in (8, %s0)`, one index argument of the body for each extent."""

    bounds = prop_def(AffineMapAttr)
    axes = opt_prop_def(ArrayAttr[StringAttr])
    symbols = var_operand_def(IndexType)
    body = region_def("single_block")

    @property
    def indices(self) -> tuple[BlockArgument, ...]:
        """The loop indices."""
        return self.body.block.args

    @property
    def extents(self) -> tuple[Dim, ...]:
        """The extents; a symbolic one is an expression over `symbols` of this op."""
        return tuple(expr.value if isinstance(expr, AffineConstantExpr) else expr for expr in self.bounds.data.results)

    def _verify_loop(self) -> None:
        bounds = self.bounds.data
        if bounds.num_dims:
            raise VerifyException("loop bounds are made of constants and symbols only")
        if bounds.num_symbols != len(self.symbols):
            raise VerifyException(f"the bounds take {bounds.num_symbols} symbols, got {len(self.symbols)}")
        if len(bounds.results) != len(self.indices):
            raise VerifyException(f"expected {len(bounds.results)} loop indices, got {len(self.indices)}")
        if not self.indices:
            raise VerifyException("a loop has at least one dimension")
        for index in self.indices:
            if not isinstance(index.type, IndexType):
                raise VerifyException(f"a loop index has type index, got {index.type}")
        for extent in bounds.results:
            if isinstance(extent, AffineConstantExpr) and extent.value < 0:
                raise VerifyException(f"a loop extent is not negative, got {extent.value}")
        for symbol in self.symbols:
            if not is_kernel_symbol(symbol):
                raise VerifyException("a loop extent is made of the symbols of the kernel")
        if self.axes is not None and len(self.axes) != len(self.indices):
            raise VerifyException(f"expected an axis for each of {len(self.indices)} dims, got {len(self.axes)}")

    def _print_header(self, printer: Printer) -> None:
        with printer.in_parens():
            printer.print_list(self.indices, printer.print_ssa_value)
        printer.print_string(" in ")
        print_map_of_operands(printer, self.bounds.data, self.symbols, ("(", ")"))
        if self.axes is not None:
            printer.print_string(" axes ")
            printer.print_attribute(self.axes)

    @staticmethod
    def _parse_header(
        parser: Parser,
    ) -> tuple[list[Parser.Argument], AffineMapAttr, list[SSAValue], ArrayAttr[StringAttr] | None]:
        names = parser.parse_comma_separated_list(
            parser.Delimiter.PAREN, lambda: parser.parse_argument(expect_type=False)
        )
        parser.parse_keyword("in")
        index_map, symbols = parse_map_of_operands(parser, lambda _: True, parser.Delimiter.PAREN)
        axes = None
        if parser.parse_optional_keyword("axes") is not None:
            attr = parser.parse_attribute()
            if not isinstance(attr, ArrayAttr) or not all(isinstance(axis, StringAttr) for axis in attr):
                parser.raise_error("expected an array of axis names")
            axes = cast(ArrayAttr[StringAttr], attr)
        return [name.resolve(_INDEX) for name in names], AffineMapAttr(index_map), symbols, axes


@irdl_op_definition
class ParallelOp(LoopOp):
    """Independent iterations: `loop.parallel (%i, %j) in (4, 8) { ... }`."""

    name = "loop.parallel"

    traits = traits_def(NoTerminator(), RecursiveMemoryEffect())

    def __init__(
        self,
        bounds: AffineMapAttr,
        symbols: Sequence[SSAValue],
        body: Region,
        axes: ArrayAttr[StringAttr] | None = None,
        location: LocationAttr | None = None,
    ):
        super().__init__(
            operands=[symbols], properties={"bounds": bounds, "axes": axes}, regions=[body], location=location
        )

    def verify_(self) -> None:
        self._verify_loop()

    @classmethod
    def parse(cls, parser: Parser) -> ParallelOp:
        args, bounds, symbols, axes = cls._parse_header(parser)
        op = ParallelOp(bounds, symbols, parser.parse_region(args), axes)
        op.attributes |= parser.parse_optional_attr_dict()
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        self._print_header(printer)
        printer.print_string(" ")
        printer.print_region(self.body, print_entry_block_args=False, print_empty_block=False)
        printer.print_op_attributes(self.attributes)


_ON_INTEGERS = (Combiner.AND, Combiner.OR, Combiner.XOR, Combiner.UMAX, Combiner.UMIN)


def check_combined(combiner: Combiner, types: Sequence[Attribute]) -> None:
    """Check the types of the values that a combiner folds. Raises VerifyException."""
    element = types[0]
    integer = isinstance(element, IntegerType)
    if not integer and not isinstance(element, AnyFloat):
        raise VerifyException(f"combiner {combiner} folds numbers, got {element}")
    if combiner in _ON_INTEGERS and not integer:
        raise VerifyException(f"combiner {combiner} folds integers, got {element}")
    if combiner.has_index and types[1] not in (i32, i64):
        raise VerifyException(f"the second value of combiner {combiner} is an i32 or i64 index")
    if combiner is Combiner.SUMEXP and (integer or types[1] != element):
        raise VerifyException(f"combiner {combiner} folds two floats, got {element} and {types[1]}")


@irdl_op_definition
class ReduceOp(LoopOp):
    """Fold a value over loops, one combiner for each group of results.

    ```
    %s, %m = loop.reduce [add, max] (%k) in (8) -> f32, f32 {
      ...
      loop.yield %a, %b : f32, f32
    }
    ```
    """

    name = "loop.reduce"

    combiners = prop_def(ArrayAttr[CombinerAttr])
    results_ = var_result_def()

    traits = traits_def(RecursiveMemoryEffect())

    def __init__(
        self,
        combiners: Sequence[Combiner] | ArrayAttr[CombinerAttr],
        bounds: AffineMapAttr,
        symbols: Sequence[SSAValue],
        body: Region,
        result_types: Sequence[Attribute],
        axes: ArrayAttr[StringAttr] | None = None,
        location: LocationAttr | None = None,
    ):
        if not isinstance(combiners, ArrayAttr):
            combiners = ArrayAttr([CombinerAttr(combiner) for combiner in combiners])
        super().__init__(
            operands=[symbols],
            properties={"bounds": bounds, "axes": axes, "combiners": combiners},
            regions=[body],
            result_types=[result_types],
            location=location,
        )

    @property
    def yield_op(self) -> YieldOp:
        """The terminator of the body."""
        terminator = self.body.block.last_op
        assert isinstance(terminator, YieldOp)
        return terminator

    def verify_(self) -> None:
        self._verify_loop()
        terminator = self.body.block.last_op
        if not isinstance(terminator, YieldOp):
            raise VerifyException("the body of loop.reduce ends with loop.yield")
        if not self.combiners.data:
            raise VerifyException("loop.reduce needs a combiner")
        types = [value.type for value in terminator.values]
        if types != [result.type for result in self.results]:
            raise VerifyException("the yielded types must be the result types of loop.reduce")
        if sum(combiner.data.arity for combiner in self.combiners) != len(types):
            raise VerifyException(
                "the combiners take "
                f"{sum(combiner.data.arity for combiner in self.combiners)} values, {len(types)} are yielded"
            )
        position = 0
        for attr in self.combiners:
            check_combined(attr.data, types[position:])
            position += attr.data.arity

    @classmethod
    def parse(cls, parser: Parser) -> ReduceOp:
        def parse_combiner() -> CombinerAttr:
            return CombinerAttr(parser.parse_str_enum(Combiner))

        combiners = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, parse_combiner)
        args, bounds, symbols, axes = cls._parse_header(parser)
        parser.parse_punctuation("->")
        types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
        op = ReduceOp(ArrayAttr(combiners), bounds, symbols, parser.parse_region(args), types, axes)
        op.attributes |= parser.parse_optional_attr_dict()
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        with printer.in_square_brackets():
            printer.print_list(self.combiners, lambda combiner: printer.print_string(combiner.data.value))
        printer.print_string(" ")
        self._print_header(printer)
        printer.print_string(" -> ")
        printer.print_list(self.result_types, printer.print_attribute)
        printer.print_string(" ")
        printer.print_region(self.body, print_entry_block_args=False)
        printer.print_op_attributes(self.attributes)


def single_block(index_count: int, ops: Sequence[Operation] = ()) -> Region:
    """A region of one block with `index_count` index arguments."""
    return Region(Block(ops, arg_types=[_INDEX] * index_count))
