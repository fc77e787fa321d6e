"""Ops of the host dialect: the launch program over buffers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias, cast

from typing_extensions import override
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    BoolAttr,
    DictionaryAttr,
    FunctionType,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    ModuleOp,
    StringAttr,
    SymbolRefAttr,
    UnitAttr,
    i1,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.irdl.declarative_assembly_format import (
    AttributeVariable,
    CustomDirective,
    ParsingState,
    PrintingState,
    irdl_custom_directive,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import (
    MemoryAllocEffect,
    MemoryFreeEffect,
    MemoryReadEffect,
    MemoryWriteEffect,
    NoMemoryEffect,
)
from xdsl.utils.exceptions import VerifyException

from fusir.dialects.graph.attrs import Dim, Dims, DimsAttr, OperandRefAttr, SymIntAttr, parse_dim, print_dim
from fusir.dialects.loop.types import strides_of

AnyMemRef: TypeAlias = MemRefType[Any]


def check_layout(type_: Attribute, dims: DimsAttr, strides: DimsAttr) -> None:
    """Raise VerifyException unless the memref type has exactly these dims and strides."""
    if not isinstance(type_, MemRefType):
        raise VerifyException(f"expected a memref type, got {type_}")
    buffer = cast(AnyMemRef, type_)
    shape = tuple(dim if isinstance(dim, int) else DYNAMIC_INDEX for dim in dims.data)
    if shape != buffer.get_shape():
        raise VerifyException(f"dims do not agree with the type {type_}")
    if any(isinstance(dim, int) and dim < 0 for dim in dims.data):
        raise VerifyException("dims must not be negative")
    try:
        type_strides = strides_of(buffer)
    except ValueError as error:
        raise VerifyException(str(error)) from error
    if strides.data != type_strides:
        raise VerifyException(f"strides do not agree with the type {type_}")


@irdl_custom_directive
class Offset(CustomDirective):
    """`custom<Offset>($offset)` in an assembly format: a SymIntAttr property as `s0 * 2`."""

    offset: AttributeVariable

    @override
    def parse(self, parser: Parser, state: ParsingState) -> None:
        self.offset.set(state, SymIntAttr(parse_dim(parser)))

    @override
    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        state.print_whitespace(printer)
        offset = self.offset.get(op)
        assert isinstance(offset, SymIntAttr)
        print_dim(printer, offset.data)


@irdl_op_definition
class AllocOp(IRDLOperation):
    """A new buffer. Dims and strides (in elements) are over the symbols of the function.

    Its contents are not initialized, with `zero` all 0.
    """

    name = "host.alloc"

    zero_attr = opt_prop_def(UnitAttr, prop_name="zero")
    dims = prop_def(DimsAttr)
    strides = prop_def(DimsAttr)
    result = result_def(MemRefType)

    traits = traits_def(MemoryAllocEffect())
    custom_directives = (Dims,)
    assembly_format = (
        "(`zero` $zero^)? `dims` custom<Dims>($dims) `strides` custom<Dims>($strides) attr-dict `:` type($result)"
    )

    def __init__(self, dims: Sequence[Dim], strides: Sequence[Dim], type_: AnyMemRef, *, zero: bool = False):
        super().__init__(
            properties={
                "dims": DimsAttr(dims),
                "strides": DimsAttr(strides),
                "zero": UnitAttr() if zero else None,
            },
            result_types=[type_],
        )

    @property
    def zero(self) -> bool:
        """Whether the contents are 0 at first."""
        return self.zero_attr is not None

    @override
    def verify_(self) -> None:
        check_layout(self.result.type, self.dims, self.strides)


@irdl_op_definition
class FreeOp(IRDLOperation):
    """The end of a buffer's life: neither it nor a view of it is used afterwards."""

    name = "host.free"

    buffer = operand_def(MemRefType)

    traits = traits_def(MemoryFreeEffect())
    assembly_format = "$buffer attr-dict `:` type($buffer)"

    def __init__(self, buffer: SSAValue):
        super().__init__(operands=[buffer])


@irdl_op_definition
class ViewOp(IRDLOperation):
    """The storage of `source` under other dims and strides, from `offset` elements after its first one."""

    name = "host.view"

    source = operand_def(MemRefType)
    dims = prop_def(DimsAttr)
    strides = prop_def(DimsAttr)
    offset = prop_def(SymIntAttr)
    result = result_def(MemRefType)

    traits = traits_def(NoMemoryEffect())
    custom_directives = (Dims, Offset)
    assembly_format = (
        "$source `dims` custom<Dims>($dims) `strides` custom<Dims>($strides) `offset` custom<Offset>($offset) "
        "attr-dict `:` type($source) `->` type($result)"
    )

    def __init__(self, source: SSAValue, dims: Sequence[Dim], strides: Sequence[Dim], offset: Dim, type_: AnyMemRef):
        super().__init__(
            operands=[source],
            properties={"dims": DimsAttr(dims), "strides": DimsAttr(strides), "offset": SymIntAttr(offset)},
            result_types=[type_],
        )

    @override
    def verify_(self) -> None:
        check_layout(self.result.type, self.dims, self.strides)
        if cast(AnyMemRef, self.source.type).element_type != cast(AnyMemRef, self.result.type).element_type:
            raise VerifyException("a view has the element type of its source")
        if isinstance(self.offset.data, int) and self.offset.data < 0:
            raise VerifyException(f"offset must not be negative, got {self.offset.data}")


@irdl_op_definition
class CopyOp(IRDLOperation):
    """Copy the elements of `source` into `target`: same dims, any strides, no overlap."""

    name = "host.copy"

    source = operand_def(MemRefType)
    target = operand_def(MemRefType)

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())
    assembly_format = "$source `to` $target attr-dict `:` type($source) `to` type($target)"

    def __init__(self, source: SSAValue, target: SSAValue):
        super().__init__(operands=[source, target])

    @override
    def verify_(self) -> None:
        source, target = cast(AnyMemRef, self.source.type), cast(AnyMemRef, self.target.type)
        if source.get_shape() != target.get_shape() or source.element_type != target.element_type:
            raise VerifyException("source and target of a copy have the same shape and element type")


def _print_call_arguments(printer: Printer, op: IRDLOperation, arguments: Sequence[SSAValue]) -> None:
    with printer.in_parens():
        printer.print_list(arguments, printer.print_ssa_value)
    printer.print_op_attributes(op.attributes)
    printer.print_string(" : ")
    printer.print_attribute(FunctionType.from_lists([a.type for a in arguments], [r.type for r in op.results]))


def _parse_call_arguments(parser: Parser) -> tuple[Sequence[SSAValue], Sequence[Attribute], dict[str, Attribute]]:
    operands = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_unresolved_operand)
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    place = parser.pos
    type_ = parser.parse_type()
    if not isinstance(type_, FunctionType):
        parser.raise_error("expected a function type")
    values = parser.resolve_operands(operands, list(type_.inputs.data), place)
    return values, type_.outputs.data, attributes


WORKSPACE = "workspace"
"""Attribute of a launch: how many of its buffers, the last ones, are workspace of the kernel."""


@irdl_op_definition
class LaunchOp(IRDLOperation):
    """Run the kernel with these arguments: its buffers in order, then its symbols.

    `fusion`, where present, is the position of the `graph.fusion` among those of the function that the kernel was
    made of. `workspace` is the number of buffers, the last ones, that hold nothing before and after the launch.
    """

    name = "host.launch"

    kernel = prop_def(SymbolRefAttr)
    arguments = var_operand_def(MemRefType | IndexType)

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    def __init__(self, kernel: str | SymbolRefAttr, arguments: Sequence[SSAValue]):
        reference = SymbolRefAttr(kernel) if isinstance(kernel, str) else kernel
        super().__init__(operands=[arguments], properties={"kernel": reference})

    @property
    def workspace(self) -> int:
        """How many of the buffers, the last ones, are workspace of the kernel."""
        count = self.attributes.get(WORKSPACE)
        return count.value.data if isinstance(count, IntegerAttr) else 0

    @property
    def tensors(self) -> list[SSAValue]:
        """The buffers that are operands and results of the kernel."""
        buffers = [argument for argument in self.arguments if isinstance(argument.type, MemRefType)]
        return buffers[: len(buffers) - self.workspace]

    @classmethod
    @override
    def parse(cls, parser: Parser) -> LaunchOp:
        name = parser.parse_symbol_name()
        values, results, attributes = _parse_call_arguments(parser)
        if results:
            parser.raise_error("host.launch has no results")
        op = cls(name.data, values)
        op.attributes.update(attributes)
        return op

    @override
    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_symbol_name(self.kernel.root_reference.data)
        _print_call_arguments(printer, self, self.arguments)

    @override
    def verify_(self) -> None:
        kinds = [isinstance(argument.type, IndexType) for argument in self.arguments]
        if kinds != sorted(kinds):
            raise VerifyException("the symbols of a launch come after its buffers")
        if not 0 <= self.workspace <= kinds.count(False):
            raise VerifyException(f"workspace = {self.workspace}, but the launch has {kinds.count(False)} buffers")
        # The kernels are looked up once for all launches of a block, by the first of them.
        previous = self.prev_op
        while previous is not None:
            if isinstance(previous, LaunchOp):
                return
            previous = previous.prev_op
        self._verify_kernels_of_block()

    def _verify_kernels_of_block(self) -> None:
        module = self.get_toplevel_object()
        block = self.parent_block()
        if block is None or not isinstance(module, ModuleOp):
            return
        kernels = symbols_of_module(module)
        for op in block.ops:
            if not isinstance(op, LaunchOp):
                continue
            name = op.kernel.root_reference.data
            kernel = kernels.get(name)
            if kernel is None:
                raise VerifyException(f"no kernel @{name} in the module")
            if kernel.name not in KERNEL_OPS or not kernel.regions:
                raise VerifyException(f"@{name} is not a kernel")
            count = len(kernel.regions[0].block.args)
            if count != len(op.arguments):
                raise VerifyException(f"kernel @{name} takes {count} arguments, the launch has {len(op.arguments)}")


KERNEL_OPS = ("loop.kernel", "tt.func")
"""The names of the ops that a launch may run."""


def symbols_of_module(module: Operation) -> dict[str, Operation]:
    """The ops directly inside the module that have a symbol name, by that name."""
    symbols: dict[str, Operation] = {}
    for region in module.regions:
        for op in region.block.ops:
            name = op.properties.get("sym_name") or op.attributes.get("sym_name")
            if isinstance(name, StringAttr):
                symbols[name.data] = op
    return symbols


@irdl_op_definition
class CallAtenOp(IRDLOperation):
    """Run a PyTorch operator. Arguments are written as in `graph.call_aten`.

    The results are the first leaves of what the operator returns, or those at the places that the attribute
    `graph.positions` lists. They have the strides of their types: where the operator gives others, the runtime copies.
    A result may share the storage of an operand. A call that is not `pure` has effects beyond its results.
    """

    name = "host.call_aten"

    target = prop_def(StringAttr)
    args = prop_def(ArrayAttr)
    kwargs = opt_prop_def(DictionaryAttr)
    pure_attr = prop_def(IntegerAttr.constr(i1), prop_name="pure")
    operands_ = var_operand_def(MemRefType)
    results_ = var_result_def(MemRefType)

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    def __init__(
        self,
        target: str | StringAttr,
        args: ArrayAttr[Attribute],
        kwargs: DictionaryAttr | None,
        operands: Sequence[SSAValue],
        result_types: Sequence[Attribute],
        pure: bool = True,
    ):
        name = StringAttr(target) if isinstance(target, str) else target
        properties: dict[str, Attribute] = {"target": name, "args": args, "pure": BoolAttr.from_bool(pure)}
        if kwargs is not None and kwargs.data:
            properties["kwargs"] = kwargs
        super().__init__(operands=[operands], result_types=[result_types], properties=properties)

    @property
    def pure(self) -> bool:
        return bool(self.pure_attr)

    @classmethod
    @override
    def parse(cls, parser: Parser) -> CallAtenOp:
        target = parser.parse_str_literal()
        values, results, attributes = _parse_call_arguments(parser)
        args, kwargs = attributes.pop("args", None), attributes.pop("kwargs", None)
        if not isinstance(args, ArrayAttr):
            parser.raise_error("host.call_aten needs its arguments as args = [...]")
        if kwargs is not None and not isinstance(kwargs, DictionaryAttr):
            parser.raise_error("the kwargs of host.call_aten are a dictionary")
        pure = attributes.pop("pure", None)
        op = cls(target, args, kwargs, values, results, pure is None or bool(cast("IntegerAttr[IntegerType]", pure)))
        op.attributes.update(attributes)
        return op

    @override
    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_string_literal(self.target.data)
        with printer.in_parens():
            printer.print_list(self.operands_, printer.print_ssa_value)
        arguments: dict[str, Attribute] = {"args": self.args}
        if self.kwargs is not None:
            arguments["kwargs"] = self.kwargs
        if not self.pure:
            arguments["pure"] = self.pure_attr
        printer.print_op_attributes(arguments | self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(
            FunctionType.from_lists([o.type for o in self.operands_], [r.type for r in self.results_])
        )

    @override
    def verify_(self) -> None:
        if self.target.data.count(".") < 1:
            raise VerifyException(f'expected an operator name as "aten.mm.default", got "{self.target.data}"')
        values: list[Attribute] = list(self.args.data)
        if self.kwargs is not None:
            values.extend(self.kwargs.data.values())
        while values:
            value = values.pop()
            if isinstance(value, ArrayAttr):
                values.extend(cast(ArrayAttr[Attribute], value).data)
            elif isinstance(value, OperandRefAttr) and value.data >= len(self.operands_):
                raise VerifyException(f"#graph.operand<{value.data}> is beyond the {len(self.operands_)} operands")
