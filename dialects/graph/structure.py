"""Fusions, and calls of ATen operators."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import cast

from typing_extensions import override
from xdsl.dialects.builtin import (
    ArrayAttr,
    BoolAttr,
    DictionaryAttr,
    FloatAttr,
    IntegerAttr,
    LocationAttr,
    StringAttr,
    i1,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.irdl import (
    ParsePropInAttrDict,
    irdl_op_definition,
    lazy_traits_def,
    opt_prop_def,
    prop_def,
    region_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import (
    EffectInstance,
    HasParent,
    IsolatedFromAbove,
    IsTerminator,
    MemoryEffect,
    MemoryEffectKind,
    Pure,
)
from xdsl.utils.exceptions import VerifyException

from fusir.dialects.graph.attrs import DimsAttr, NoneArgAttr, OperandRefAttr, SymIntAttr, TorchAttr
from fusir.dialects.graph.base import ANY_TENSOR, GraphOp, expect, result_of
from fusir.dialects.graph.types import check_tensor_type, dims_of, element_type_of, is_stored


def _print_types(printer: Printer, types: Sequence[Attribute]) -> None:
    """Print one type bare, otherwise a parenthesized list."""
    if len(types) == 1:
        printer.print_attribute(types[0])
        return
    with printer.in_parens():
        printer.print_list(types, printer.print_attribute)


def _parse_types(parser: Parser) -> list[Attribute]:
    types = parser.parse_optional_comma_separated_list(parser.Delimiter.PAREN, parser.parse_type)
    return [parser.parse_type()] if types is None else list(types)


@irdl_op_definition
class YieldOp(GraphOp):
    """`graph.yield %a, %b : tensor<4xf32>, tensor<8xf32>` ends a fusion: its results."""

    name = "graph.yield"

    values = var_operand_def(ANY_TENSOR)

    traits = lazy_traits_def(lambda: (IsTerminator(), HasParent(FusionOp), Pure()))

    assembly_format = "attr-dict ($values^ `:` type($values))?"

    def __init__(self, values: Sequence[SSAValue | Operation], *, location: LocationAttr | None = None) -> None:
        Operation.__init__(self, operands=tuple(result_of(v) for v in values), location=location)


@irdl_op_definition
class FusionOp(GraphOp):
    """What becomes one kernel:
    `graph.fusion (%a = %x : tensor<4xf32>) -> tensor<4xf32> { ... graph.yield %r : tensor<4xf32> }`.

    Isolated from above; the block arguments are the inputs. Holds only graph ops on native element types, no
    `graph.fusion` and no `graph.call_aten`.
    """

    name = "graph.fusion"

    inputs = var_operand_def(ANY_TENSOR)
    outputs = var_result_def(ANY_TENSOR)
    body = region_def("single_block")

    traits = traits_def(IsolatedFromAbove(), Pure())

    def __init__(
        self,
        inputs: Sequence[SSAValue | Operation],
        result_types: Sequence[Attribute],
        region: Region,
        *,
        location: LocationAttr | None = None,
    ) -> None:
        Operation.__init__(
            self,
            operands=tuple(result_of(v) for v in inputs),
            result_types=tuple(result_types),
            regions=(region,),
            location=location,
        )

    @property
    def block(self) -> Block:
        return self.body.block

    @property
    def terminator(self) -> YieldOp:
        return cast(YieldOp, self.body.block.last_op)

    @classmethod
    @override
    def parse(cls, parser: Parser) -> FusionOp:
        def parse_input() -> tuple[Parser.Argument, SSAValue]:
            argument = parser.parse_argument(expect_type=False)
            parser.parse_punctuation("=")
            unresolved = parser.parse_unresolved_operand()
            parser.parse_punctuation(":")
            type_ = parser.parse_type()
            return argument.resolve(type_), parser.resolve_operand(unresolved, type_)

        inputs = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parse_input)
        parser.parse_punctuation("->")
        result_types = _parse_types(parser)
        attributes = parser.parse_optional_attr_dict_with_keyword()
        region = parser.parse_region([argument for argument, _ in inputs])
        op = cls([value for _, value in inputs], result_types, region)
        if attributes is not None:
            op.attributes.update(attributes.data)
        return op

    @override
    def print(self, printer: Printer) -> None:
        def print_input(argument: SSAValue, value: SSAValue) -> None:
            printer.print_ssa_value(argument)
            printer.print_string(" = ")
            printer.print_ssa_value(value)
            printer.print_string(" : ")
            printer.print_attribute(value.type)

        printer.print_string(" ")
        with printer.in_parens():
            printer.print_list(
                list(zip(self.body.block.args, self.inputs, strict=True)), lambda pair: print_input(*pair)
            )
        printer.print_string(" -> ")
        _print_types(printer, [r.type for r in self.outputs])
        printer.print_op_attributes(self.attributes, print_keyword=True)
        printer.print_string(" ")
        printer.print_region(self.body, print_entry_block_args=False)

    @override
    def verify_(self) -> None:
        block = self.body.block
        expect(
            [a.type for a in block.args] == [v.type for v in self.inputs],
            "graph.fusion: the block arguments must have the types of the inputs",
        )
        terminator = block.last_op
        if not isinstance(terminator, YieldOp):
            raise VerifyException("graph.fusion: the body must end with graph.yield")
        expect(
            [v.type for v in terminator.values] == [r.type for r in self.outputs],
            "graph.fusion: the yielded types must be the result types",
        )
        for op in block.ops:
            expect(
                isinstance(op, GraphOp) and not isinstance(op, (FusionOp, CallAtenOp)),
                f"graph.fusion: {op.name} is not allowed in a fusion",
            )
            for result in op.results:
                _check_native(result)
        for argument in block.args:
            _check_native(argument)


def _check_native(value: SSAValue) -> None:
    check_tensor_type(value.type)
    element = element_type_of(value)
    expect(is_stored(element), f"graph.fusion: no kernel stores elements of type {element}")


class CallAtenEffects(MemoryEffect):
    """A pure call has no effects; any other call reads and writes memory, so it keeps its place and is not removed."""

    @classmethod
    @override
    def get_effects(cls, op: Operation) -> AbstractSet[EffectInstance]:
        if cast(CallAtenOp, op).pure:
            return frozenset()
        return frozenset({EffectInstance(MemoryEffectKind.READ), EffectInstance(MemoryEffectKind.WRITE)})


@irdl_op_definition
class CallAtenOp(GraphOp):
    """Any operator that is run by ATen:
    `graph.call_aten "aten.mm.default"(%x, %w) {args = [#graph.operand<0>, #graph.operand<1>]} : (...) -> ...`

    `args` is the positional argument list and `kwargs` the keyword arguments: `#graph.operand<k>` is operand k, an
    ArrayAttr a list, IntegerAttr, FloatAttr, StringAttr and BoolAttr scalars, `#graph.none` None,
    `#graph.torch<"bfloat16">` a dtype, layout, memory format or device, `#graph.sym<s0 * 2>` a SymInt. A call with
    `pure = false` keeps its order and is never removed. `result_strides` are the strides that eager gives,
    `operand_strides` those the operator saw in tracing.
    """

    name = "graph.call_aten"

    target_attr = prop_def(StringAttr, prop_name="target")
    arguments = var_operand_def(ANY_TENSOR)
    args_attr = prop_def(ArrayAttr, prop_name="args", default_value=ArrayAttr(()))
    kwargs_attr = prop_def(DictionaryAttr, prop_name="kwargs", default_value=DictionaryAttr({}))
    pure_attr = prop_def(IntegerAttr.constr(i1), prop_name="pure", default_value=BoolAttr.from_bool(True))
    result_strides_attr = opt_prop_def(ArrayAttr, prop_name="result_strides")
    operand_strides_attr = opt_prop_def(ArrayAttr, prop_name="operand_strides")
    outputs = var_result_def(ANY_TENSOR)

    traits = traits_def(CallAtenEffects())

    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$target `(` $arguments `)` attr-dict `:` functional-type($arguments, $outputs)"

    def __init__(
        self,
        target: str,
        operands: Sequence[SSAValue | Operation],
        args: Sequence[Attribute],
        kwargs: Mapping[str, Attribute],
        result_types: Sequence[Attribute],
        pure: bool = True,
        result_strides: Sequence[DimsAttr] | None = None,
        operand_strides: Sequence[DimsAttr] | None = None,
        *,
        location: LocationAttr | None = None,
    ) -> None:
        properties: dict[str, Attribute] = {
            "target": StringAttr(target),
            "args": ArrayAttr(args),
            "kwargs": DictionaryAttr(kwargs),
            "pure": BoolAttr.from_bool(pure),
        }
        if result_strides is not None:
            properties["result_strides"] = ArrayAttr(result_strides)
        if operand_strides is not None:
            properties["operand_strides"] = ArrayAttr(operand_strides)
        Operation.__init__(
            self,
            operands=tuple(result_of(v) for v in operands),
            result_types=tuple(result_types),
            properties=properties,
            location=location,
        )

    @property
    def target(self) -> str:
        """Full operator name, e.g. `aten.convolution.default`."""
        return self.target_attr.data

    @property
    def args(self) -> tuple[Attribute, ...]:
        return self.args_attr.data

    @property
    def kwargs(self) -> Mapping[str, Attribute]:
        return self.kwargs_attr.data

    @property
    def pure(self) -> bool:
        return bool(self.pure_attr)

    @property
    def result_strides(self) -> tuple[DimsAttr, ...] | None:
        return _strides(self.result_strides_attr)

    @property
    def operand_strides(self) -> tuple[DimsAttr, ...] | None:
        return _strides(self.operand_strides_attr)

    @override
    def verify_(self) -> None:
        expect(
            self.target.count(".") == 2, f'graph.call_aten: target must be "namespace.op.overload", got "{self.target}"'
        )
        for value in (*self.arguments, *self.outputs):
            check_tensor_type(value.type)
        for attribute in _leaves((*self.args, *self.kwargs.values())):
            if isinstance(attribute, OperandRefAttr):
                expect(
                    attribute.data < len(self.arguments),
                    f"graph.call_aten: {attribute} but there are {len(self.arguments)} operands",
                )
            else:
                expect(isinstance(attribute, _ARGUMENT_CLASSES), f"graph.call_aten: {attribute} is not an argument")
        _check_strides("result_strides", self.result_strides_attr, self.outputs)
        _check_strides("operand_strides", self.operand_strides_attr, self.arguments)


_ARGUMENT_CLASSES = (IntegerAttr, FloatAttr, StringAttr, NoneArgAttr, TorchAttr, SymIntAttr)


def _leaves(arguments: Sequence[Attribute]) -> Iterator[Attribute]:
    """All arguments that are not lists."""
    for attribute in arguments:
        if isinstance(attribute, ArrayAttr):
            yield from _leaves(cast("ArrayAttr[Attribute]", attribute).data)
        else:
            yield attribute


def _strides(attribute: ArrayAttr[Attribute] | None) -> tuple[DimsAttr, ...] | None:
    return None if attribute is None else cast(tuple[DimsAttr, ...], attribute.data)


def _check_strides(what: str, attribute: ArrayAttr[Attribute] | None, values: Sequence[SSAValue]) -> None:
    if attribute is None:
        return
    expect(
        all(isinstance(s, DimsAttr) for s in attribute.data) and len(attribute.data) == len(values),
        f"graph.call_aten: {what} needs one #graph.dims for each of the {len(values)} tensors",
    )
    for strides, value in zip(cast(tuple[DimsAttr, ...], attribute.data), values, strict=True):
        rank = len(dims_of(value))
        expect(
            len(strides.data) == rank,
            f"graph.call_aten: {what} has {len(strides.data)} strides for a tensor of rank {rank}",
        )
