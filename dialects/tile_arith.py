"""`arith` comparisons, select and integer casts on tensors.

xDSL's `arith.cmpi cmpf select extsi extui trunci sitofp uitofp fptosi fptoui` know scalars only. The classes here are
the same ops on tensors, and `TileArith` is the `arith` dialect that reads both: scalar text gives xDSL's own classes,
tensor text the ones below. `tile_class(arith.CmpiOp)` is the class to make the tensor op with.
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Mapping, Sequence
from typing import ClassVar

from xdsl.dialects import arith
from xdsl.dialects.arith import FastMathFlagsAttr
from xdsl.dialects.builtin import IntegerAttr, LocationAttr, TensorType, i1, i64
from xdsl.ir import Attribute, Block, Dialect, Operation, Region, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    VarConstraint,
    base,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

CMPI_PREDICATES = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")
"""The predicates of `arith.cmpi`, in the order of their numbers."""

CMPF_PREDICATES = (
    *("false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord"),
    *("ueq", "ugt", "uge", "ult", "ule", "une", "uno", "true"),
)
"""The predicates of `arith.cmpf`, in the order of their numbers."""

_TENSOR = base(TensorType[Attribute])
_T: VarConstraint[TensorType[Attribute]] = VarConstraint("T", _TENSOR)


def _mask_type(tensor: Attribute) -> TensorType[Attribute]:
    assert isinstance(tensor, TensorType)
    return TensorType(i1, tensor.get_shape(), tensor.encoding)


class _TileOperation(IRDLOperation, ABC):
    """An op whose scalar form is the class `SCALAR` of xDSL."""

    SCALAR: ClassVar[type[IRDLOperation]]

    @classmethod
    def create(
        cls,
        *,
        operands: Sequence[SSAValue] = (),
        result_types: Sequence[Attribute] = (),
        properties: Mapping[str, Attribute] | None = None,
        attributes: Mapping[str, Attribute] | None = None,
        successors: Sequence[Block] = (),
        regions: Sequence[Region] = (),
        location: LocationAttr | None = None,
    ) -> Operation:
        """The tensor op, or the scalar one if the result is no tensor (as generic text may say)."""
        tensor = bool(result_types) and isinstance(result_types[0], TensorType)
        return (super().create if tensor else cls.SCALAR.create)(
            operands=operands,
            result_types=result_types,
            properties=dict(properties or {}),
            attributes=dict(attributes or {}),
            successors=successors,
            regions=regions,
            location=location,
        )


class _TileCompareOperation(_TileOperation, ABC):
    """Compare two tensors of one type; the result has their shape and `i1` elements."""

    PREDICATES: ClassVar[tuple[str, ...]]

    predicate = prop_def(IntegerAttr)
    lhs = operand_def(_T)
    rhs = operand_def(_T)
    result = result_def(_TENSOR)

    traits = traits_def(Pure())

    @property
    def predicate_name(self) -> str:
        """The predicate as it is printed."""
        return self.PREDICATES[self.predicate.value.data]

    def verify_(self) -> None:
        if not 0 <= self.predicate.value.data < len(self.PREDICATES):
            raise VerifyException(f"predicate {self.predicate.value.data} is unknown")
        if self.result.type != _mask_type(self.lhs.type):
            raise VerifyException(f"the result is {_mask_type(self.lhs.type)}, got {self.result.type}")


@irdl_op_definition
class TileCmpiOp(_TileCompareOperation):
    """`arith.cmpi slt, %x, %y : tensor<4xi32>`, a `tensor<4xi1>`."""

    name = "arith.cmpi"

    SCALAR: ClassVar[type[IRDLOperation]] = arith.CmpiOp
    PREDICATES: ClassVar[tuple[str, ...]] = CMPI_PREDICATES

    def __init__(self, lhs: SSAValue | Operation, rhs: SSAValue | Operation, predicate: str):
        super().__init__(
            operands=[lhs, rhs],
            result_types=[_mask_type(SSAValue.get(lhs).type)],
            properties={"predicate": IntegerAttr(CMPI_PREDICATES.index(predicate), i64)},
        )

    @classmethod
    def parse(cls, parser: Parser) -> TileCmpiOp | arith.CmpiOp:
        predicate, lhs, rhs, _ = _parse_comparison(parser, CMPI_PREDICATES)
        return (TileCmpiOp if isinstance(lhs.type, TensorType) else arith.CmpiOp)(lhs, rhs, predicate)

    def print(self, printer: Printer) -> None:
        _print_comparison(printer, self, None)


@irdl_op_definition
class TileCmpfOp(_TileCompareOperation):
    """`arith.cmpf olt, %x, %y : tensor<4xf32>`, a `tensor<4xi1>`."""

    name = "arith.cmpf"

    SCALAR: ClassVar[type[IRDLOperation]] = arith.CmpfOp
    PREDICATES: ClassVar[tuple[str, ...]] = CMPF_PREDICATES

    fastmath = prop_def(FastMathFlagsAttr, default_value=FastMathFlagsAttr("none"))

    def __init__(
        self,
        lhs: SSAValue | Operation,
        rhs: SSAValue | Operation,
        predicate: str,
        fastmath: FastMathFlagsAttr | None = None,
    ):
        super().__init__(
            operands=[lhs, rhs],
            result_types=[_mask_type(SSAValue.get(lhs).type)],
            properties={
                "predicate": IntegerAttr(CMPF_PREDICATES.index(predicate), i64),
                "fastmath": fastmath or FastMathFlagsAttr("none"),
            },
        )

    @classmethod
    def parse(cls, parser: Parser) -> TileCmpfOp | arith.CmpfOp:
        predicate, lhs, rhs, fastmath = _parse_comparison(parser, CMPF_PREDICATES)
        return (TileCmpfOp if isinstance(lhs.type, TensorType) else arith.CmpfOp)(lhs, rhs, predicate, fastmath)

    def print(self, printer: Printer) -> None:
        _print_comparison(printer, self, self.fastmath)


def _parse_comparison(parser: Parser, predicates: tuple[str, ...]) -> tuple[str, SSAValue, SSAValue, FastMathFlagsAttr]:
    """Parse `predicate, %lhs, %rhs (fastmath<...>)? : type`."""
    pos = parser.pos
    predicate = parser.parse_identifier()
    if predicate not in predicates:
        parser.raise_error(f"unknown predicate '{predicate}', expected one of {', '.join(predicates)}", pos)
    parser.parse_punctuation(",")
    lhs = parser.parse_unresolved_operand()
    parser.parse_punctuation(",")
    rhs = parser.parse_unresolved_operand()
    fastmath = FastMathFlagsAttr("none")
    if parser.parse_optional_keyword("fastmath"):
        fastmath = FastMathFlagsAttr(FastMathFlagsAttr.parse_parameter(parser))
    parser.parse_punctuation(":")
    operand_type = parser.parse_type()
    lhs, rhs = parser.resolve_operands([lhs, rhs], [operand_type, operand_type], pos)
    return predicate, lhs, rhs, fastmath


def _print_comparison(printer: Printer, op: _TileCompareOperation, fastmath: FastMathFlagsAttr | None) -> None:
    printer.print_string(f" {op.predicate_name}, ")
    printer.print_operand(op.lhs)
    printer.print_string(", ")
    printer.print_operand(op.rhs)
    if fastmath is not None and fastmath != FastMathFlagsAttr("none"):
        printer.print_string(" fastmath")
        fastmath.print_parameter(printer)
    printer.print_string(" : ")
    printer.print_attribute(op.lhs.type)


@irdl_op_definition
class TileSelectOp(_TileOperation):
    """`arith.select %c, %x, %y : tensor<4xi1>, tensor<4xf32>`: for each element (an `i1` chooses all)."""

    name = "arith.select"

    SCALAR: ClassVar[type[IRDLOperation]] = arith.SelectOp

    cond = operand_def()
    lhs = operand_def(_T)
    rhs = operand_def(_T)
    result = result_def(_T)

    traits = traits_def(Pure())

    def __init__(self, condition: SSAValue | Operation, on_true: SSAValue | Operation, on_false: SSAValue | Operation):
        super().__init__(operands=[condition, on_true, on_false], result_types=[SSAValue.get(on_true).type])

    def verify_(self) -> None:
        if self.cond.type not in (i1, _mask_type(self.result.type)):
            raise VerifyException(f"the condition is i1 or {_mask_type(self.result.type)}, got {self.cond.type}")

    @classmethod
    def parse(cls, parser: Parser) -> TileSelectOp | arith.SelectOp:
        pos = parser.pos
        operands = [parser.parse_unresolved_operand()]
        for _ in range(2):
            parser.parse_punctuation(",")
            operands.append(parser.parse_unresolved_operand())
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        first = parser.parse_type()
        condition, value_type = (first, parser.parse_type()) if parser.parse_optional_punctuation(",") else (i1, first)
        values = parser.resolve_operands(operands, [condition, value_type, value_type], pos)
        op = (TileSelectOp if isinstance(value_type, TensorType) else arith.SelectOp)(*values)
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_list(self.operands, printer.print_operand)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        if self.cond.type != i1:
            printer.print_attribute(self.cond.type)
            printer.print_string(", ")
        printer.print_attribute(self.result.type)


class _TileCastOperation(_TileOperation, ABC):
    """Convert each element of a tensor."""

    input = operand_def(_TENSOR)
    result = result_def(_TENSOR)

    traits = traits_def(Pure())

    def __init__(self, operand: SSAValue | Operation, target_type: Attribute):
        """`target_type` is the tensor type of the result."""
        super().__init__(operands=[operand], result_types=[target_type])

    def verify_(self) -> None:
        source, result = self.input.type, self.result.type
        assert isinstance(source, TensorType) and isinstance(result, TensorType)
        if source.get_shape() != result.get_shape() or source.encoding != result.encoding:
            raise VerifyException(f"shapes differ: {source} and {result}")
        # The scalar op knows which element types are legal.
        block = Block(arg_types=[source.element_type])
        self.SCALAR.create(operands=[block.args[0]], result_types=[result.element_type]).verify(verify_nested_ops=False)

    @classmethod
    def parse(cls, parser: Parser) -> Operation:
        operand = parser.parse_unresolved_operand()
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        source = parser.parse_type()
        parser.parse_keyword("to")
        result = parser.parse_type()
        return cls.create(
            operands=[parser.resolve_operand(operand, source)], result_types=[result], attributes=attributes
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_operand(self.input)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.input.type)
        printer.print_string(" to ")
        printer.print_attribute(self.result.type)


@irdl_op_definition
class TileExtSIOp(_TileCastOperation):
    """`arith.extsi` on tensors."""

    name = "arith.extsi"

    SCALAR: ClassVar[type[IRDLOperation]] = arith.ExtSIOp


@irdl_op_definition
class TileExtUIOp(_TileCastOperation):
    """`arith.extui` on tensors."""

    name = "arith.extui"

    SCALAR: ClassVar[type[IRDLOperation]] = arith.ExtUIOp


@irdl_op_definition
class TileTruncIOp(_TileCastOperation):
    """`arith.trunci` on tensors."""

    name = "arith.trunci"

    SCALAR: ClassVar[type[IRDLOperation]] = arith.TruncIOp


@irdl_op_definition
class TileSIToFPOp(_TileCastOperation):
    """`arith.sitofp` on tensors."""

    name = "arith.sitofp"

    SCALAR: ClassVar[type[IRDLOperation]] = arith.SIToFPOp


@irdl_op_definition
class TileUIToFPOp(_TileCastOperation):
    """`arith.uitofp` on tensors."""

    name = "arith.uitofp"

    SCALAR: ClassVar[type[IRDLOperation]] = arith.UIToFPOp


@irdl_op_definition
class TileFPToSIOp(_TileCastOperation):
    """`arith.fptosi` on tensors."""

    name = "arith.fptosi"

    SCALAR: ClassVar[type[IRDLOperation]] = arith.FPToSIOp


@irdl_op_definition
class TileFPToUIOp(_TileCastOperation):
    """`arith.fptoui` on tensors."""

    name = "arith.fptoui"

    SCALAR: ClassVar[type[IRDLOperation]] = arith.FPToUIOp


_TILE_CLASSES: tuple[type[_TileOperation], ...] = (
    TileCmpiOp,
    TileCmpfOp,
    TileSelectOp,
    TileExtSIOp,
    TileExtUIOp,
    TileTruncIOp,
    TileSIToFPOp,
    TileUIToFPOp,
    TileFPToSIOp,
    TileFPToUIOp,
)
_TILE_CLASS_OF: dict[type[Operation], type[_TileOperation]] = {each.SCALAR: each for each in _TILE_CLASSES}


def tile_class(scalar: type[Operation]) -> type[Operation]:
    """The class for the same op on tensors: `scalar` itself if it can do both.

    The constructor takes the same arguments; `create` of the returned class makes the scalar op for scalar results.
    """
    return _TILE_CLASS_OF.get(scalar, scalar)


TileArith = Dialect(
    "arith",
    [tile_class(op) for op in arith.Arith.operations],
    list(arith.Arith.attributes),
    [arith.ArithConstantMaterializationInterface()],
)
"""The `arith` dialect whose comparisons, select and casts also work on tensors."""
