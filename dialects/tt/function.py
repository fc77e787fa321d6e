"""Kernels: `tt.func`, its terminator, and the position of a program in the launch grid."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, Self

from xdsl.dialects.builtin import (
    I32,
    ArrayAttr,
    DictionaryAttr,
    FunctionType,
    IntegerAttr,
    LocationAttr,
    StringAttr,
    SymbolNameConstraint,
    i32,
)
from xdsl.dialects.utils import parse_func_op_like, print_func_op_like
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.irdl import (
    irdl_op_definition,
    lazy_traits_def,
    opt_prop_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import HasParent, IsolatedFromAbove, IsTerminator, Pure, ReturnLike, SymbolOpInterface
from xdsl.utils.exceptions import VerifyException

from fusir.dialects.tt.enums import ProgramIDDim, keyword_directive
from fusir.dialects.tt.operation import TTOperation, require
from fusir.dialects.tt.types import verify_tile_type

TOGETHER = "fusir.together"
"""Attribute of a `tt.func`: how many programs, by the order in which they start, wait for each other (i32)."""

TICKET = "fusir.ticket"
"""Attribute of a `tt.atomic_rmw add` of 1 that numbers the programs in the order in which they start."""

WORKSPACE_TYPES = "fusir.workspace"
"""Attribute of a `tt.func`: the memref types of its last buffers, which hold nothing before and after a launch. The
first of them must be all 0 when the launch starts."""


@irdl_op_definition
class FuncOp(TTOperation):
    """`tt.func public @k(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}) { ... tt.return }`: the code of one program."""

    name = "tt.func"

    body = region_def()
    sym_name = prop_def(SymbolNameConstraint())
    function_type = prop_def(FunctionType)
    sym_visibility = opt_prop_def(StringAttr)
    arg_attrs = opt_prop_def(ArrayAttr[DictionaryAttr])
    res_attrs = opt_prop_def(ArrayAttr[DictionaryAttr])

    traits = traits_def(IsolatedFromAbove(), SymbolOpInterface())

    def __init__(
        self,
        name: str,
        function_type: FunctionType | tuple[Sequence[Attribute], Sequence[Attribute]],
        region: Region | None = None,
        visibility: str | None = "public",
        *,
        arg_attrs: ArrayAttr[DictionaryAttr] | Sequence[Mapping[str, Attribute]] | None = None,
        res_attrs: ArrayAttr[DictionaryAttr] | None = None,
        location: LocationAttr | None = None,
    ):
        """Without a region the body is one empty block with the arguments of the function type."""
        if isinstance(function_type, tuple):
            function_type = FunctionType.from_lists(*function_type)
        if region is None:
            region = Region(Block(arg_types=function_type.inputs.data))
        if arg_attrs is not None and not isinstance(arg_attrs, ArrayAttr):
            arg_attrs = ArrayAttr([DictionaryAttr(dict(each)) for each in arg_attrs])
        super().__init__(
            properties={
                "sym_name": StringAttr(name),
                "function_type": function_type,
                "sym_visibility": StringAttr(visibility) if visibility else None,
                "arg_attrs": arg_attrs,
                "res_attrs": res_attrs,
            },
            regions=[region],
            location=location,
        )

    def verify_(self) -> None:
        for each in (*self.function_type.inputs, *self.function_type.outputs):
            verify_tile_type(each)
        require(
            self.arg_attrs is None or len(self.arg_attrs) == len(self.function_type.inputs), "one arg_attrs an argument"
        )
        entry = self.body.blocks.first
        if entry is None:
            return
        require(
            self.function_type.inputs.data == tuple(entry.arg_types),
            "the entry block arguments must have the types of the function's inputs",
        )

    def argument_attributes(self, index: int) -> dict[str, Attribute]:
        """The attributes of argument `index`; empty if there are none."""
        return dict(self.arg_attrs.data[index].data) if self.arg_attrs is not None else {}

    @property
    def together(self) -> int:
        """How many programs wait for each other; 1 if each is alone."""
        count = self.attributes.get(TOGETHER)
        return count.value.data if isinstance(count, IntegerAttr) else 1

    @property
    def workspace(self) -> tuple[Attribute, ...]:
        """The memref types of the buffers that are workspace."""
        types = self.attributes.get(WORKSPACE_TYPES)
        return tuple(types.data) if isinstance(types, ArrayAttr) else ()

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        visibility = parser.parse_optional_visibility_keyword()
        name, inputs, outputs, region, attributes, arg_attrs, res_attrs = parse_func_op_like(
            parser, reserved_attr_names=("sym_name", "function_type", "sym_visibility")
        )
        op = cls(
            name,
            (inputs, outputs),
            region,
            visibility.data if isinstance(visibility, StringAttr) else visibility,
            arg_attrs=arg_attrs,
            res_attrs=res_attrs,
        )
        if attributes is not None:
            op.attributes |= attributes.data
        return op

    def print(self, printer: Printer) -> None:
        if self.sym_visibility:
            printer.print_string(f" {self.sym_visibility.data}")
        print_func_op_like(
            printer,
            self.sym_name,
            self.function_type,
            self.body,
            self.attributes,
            arg_attrs=self.arg_attrs,
            res_attrs=self.res_attrs,
            reserved_attr_names=("sym_name", "function_type", "sym_visibility", "arg_attrs", "res_attrs"),
        )


@irdl_op_definition
class ReturnOp(TTOperation):
    """`tt.return`: the end of a `tt.func`."""

    name = "tt.return"

    srcs = var_operand_def()

    traits = lazy_traits_def(lambda: (HasParent(FuncOp), IsTerminator(), ReturnLike(), Pure()))

    assembly_format = "attr-dict ($srcs^ `:` type($srcs))?"

    def __init__(self, *srcs: SSAValue | Operation, location: LocationAttr | None = None):
        super().__init__(operands=[srcs], location=location)

    def verify_(self) -> None:
        parent = self.parent_op()
        if isinstance(parent, FuncOp) and parent.function_type.outputs.data != tuple(each.type for each in self.srcs):
            raise VerifyException("the operands of tt.return must have the result types of the function")


class _GridOperation(TTOperation):
    """An op that reads the launch grid along one axis."""

    axis = prop_def(IntegerAttr)
    result = result_def(I32)

    traits = traits_def(Pure())

    custom_directives = (keyword_directive(ProgramIDDim),)

    assembly_format = "custom<ProgramIDDim>($axis) attr-dict `:` type($result)"

    def __init__(self, axis: int | str | ProgramIDDim = 0, *, location: LocationAttr | None = None):
        """`axis` is 0, 1, 2 or `x`, `y`, `z`."""
        axis = ProgramIDDim.of(axis) if isinstance(axis, str) else ProgramIDDim(axis)
        super().__init__(result_types=[i32], properties={"axis": axis.attr}, location=location)

    def verify_(self) -> None:
        ProgramIDDim.from_attr(self.axis)

    @property
    def axis_index(self) -> int:
        """The axis as 0, 1 or 2."""
        return int(ProgramIDDim.from_attr(self.axis))


@irdl_op_definition
class GetProgramIdOp(_GridOperation):
    """`tt.get_program_id x : i32`: the index of this program along an axis of the grid."""

    name: ClassVar[str] = "tt.get_program_id"


@irdl_op_definition
class GetNumProgramsOp(_GridOperation):
    """`tt.get_num_programs x : i32`: the number of programs along an axis of the grid."""

    name: ClassVar[str] = "tt.get_num_programs"
