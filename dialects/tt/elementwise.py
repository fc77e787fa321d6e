"""Elementwise ops that upstream `arith` and `math` lack: casts, precise arithmetic, external functions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import BoolAttr, IntegerAttr, LocationAttr, StringAttr, i32, i64
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    AnyAttr,
    VarConstraint,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import EffectInstance, MemoryEffect, MemoryEffectKind, Pure
from xdsl.utils.exceptions import VerifyException

from fusir.dialects.tt.enums import PropagateNan, RoundingMode, keyword_directive
from fusir.dialects.tt.operation import TTOperation, require, require_same_shape
from fusir.dialects.tt.types import (
    PointerType,
    bit_width_of,
    element_of,
    is_float,
    is_integer,
    is_pointer,
    shape_of,
    with_element,
)


class CastOperation(TTOperation):
    """One operand, one result of the same shape."""

    src = operand_def()
    result = result_def()

    traits = traits_def(Pure())

    assembly_format = "$src attr-dict `:` type($src) `->` type($result)"

    def __init__(self, src: SSAValue | Operation, element: Attribute, *, location: LocationAttr | None = None):
        """`element` is the scalar type of the result."""
        src = SSAValue.get(src)
        super().__init__(operands=[src], result_types=[with_element(src.type, element)], location=location)

    def verify_(self) -> None:
        super().verify_()
        require_same_shape(self.src.type, self.result.type)


@irdl_op_definition
class IntToPtrOp(CastOperation):
    """`tt.int_to_ptr %x : i64 -> !tt.ptr<f32>`."""

    name = "tt.int_to_ptr"

    def verify_(self) -> None:
        super().verify_()
        if element_of(self.src.type) != i64:
            raise VerifyException(f"expected i64, got {self.src.type}")
        if not is_pointer(element_of(self.result.type)):
            raise VerifyException(f"expected a pointer result, got {self.result.type}")


@irdl_op_definition
class PtrToIntOp(CastOperation):
    """`tt.ptr_to_int %p : !tt.ptr<f32> -> i64`."""

    name = "tt.ptr_to_int"

    def __init__(self, src: SSAValue | Operation, element: Attribute = i64, *, location: LocationAttr | None = None):
        super().__init__(src, element, location=location)

    def verify_(self) -> None:
        super().verify_()
        if not is_pointer(element_of(self.src.type)):
            raise VerifyException(f"expected a pointer, got {self.src.type}")
        if element_of(self.result.type) != i64:
            raise VerifyException(f"expected an i64 result, got {self.result.type}")


@irdl_op_definition
class BitcastOp(CastOperation):
    """`tt.bitcast %x : tensor<4xf32> -> tensor<4xi32>`: the same bits as another type of the same width."""

    name = "tt.bitcast"

    def verify_(self) -> None:
        super().verify_()
        source, result = element_of(self.src.type), element_of(self.result.type)
        require(
            isinstance(source, PointerType) == isinstance(result, PointerType),
            f"cannot bitcast {source} to {result}: use tt.ptr_to_int or tt.int_to_ptr",
        )
        require(
            bit_width_of(source) == bit_width_of(result),
            f"cannot bitcast {source} to {result}: {bit_width_of(source)} and {bit_width_of(result)} bits",
        )


@irdl_op_definition
class FpToFpOp(TTOperation):
    """`tt.fp_to_fp %x, rounding = rtne : tensor<4xf32> -> tensor<4xf8E5M2>`: float casts from and to 8-bit floats, and
    narrowing with another rounding than to nearest even (everything else is `arith.extf` and `arith.truncf`)."""

    name = "tt.fp_to_fp"

    src = operand_def()
    rounding = opt_prop_def(IntegerAttr)
    result = result_def()

    traits = traits_def(Pure())

    custom_directives = (keyword_directive(RoundingMode),)

    assembly_format = (
        "$src attr-dict (`,` `rounding` `=` custom<RoundingMode>($rounding)^)? `:` type($src) `->` type($result)"
    )

    def __init__(
        self,
        src: SSAValue | Operation,
        element: Attribute,
        rounding: RoundingMode | str | None = None,
        *,
        location: LocationAttr | None = None,
    ):
        """`element` is the scalar type of the result. A narrowing cast needs a rounding mode."""
        src = SSAValue.get(src)
        super().__init__(
            operands=[src],
            result_types=[with_element(src.type, element)],
            properties={"rounding": None if rounding is None else RoundingMode.of(rounding).attr},
            location=location,
        )

    @property
    def rounding_mode(self) -> RoundingMode | None:
        """The rounding mode, if there is one."""
        return None if self.rounding is None else RoundingMode.from_attr(self.rounding)

    def verify_(self) -> None:
        super().verify_()
        require_same_shape(self.src.type, self.result.type)
        source, result = element_of(self.src.type), element_of(self.result.type)
        if not (is_float(source) and is_float(result)):
            raise VerifyException(f"expected floats, got {source} and {result}")
        narrows = bit_width_of(source) > bit_width_of(result)
        require(not narrows or self.rounding_mode is not None, "a narrowing tt.fp_to_fp needs a rounding mode")
        require(narrows or self.rounding_mode is None, "only a narrowing tt.fp_to_fp has a rounding mode")


_T: VarConstraint[Attribute] = VarConstraint("T", AnyAttr())


@irdl_op_definition
class ClampFOp(TTOperation):
    """`tt.clampf %x, %lo, %hi, propagateNan = none : tensor<4xf32>`: `x` limited to `[lo, hi]`."""

    name = "tt.clampf"

    x = operand_def(_T)
    min = operand_def(_T)
    max = operand_def(_T)
    propagate_nan = prop_def(IntegerAttr, prop_name="propagateNan")
    result = result_def(_T)

    traits = traits_def(Pure())

    custom_directives = (keyword_directive(PropagateNan),)

    assembly_format = (
        "$x `,` $min `,` $max `,` `propagateNan` `=` custom<PropagateNan>($propagateNan) attr-dict `:` type($result)"
    )

    def __init__(
        self,
        x: SSAValue | Operation,
        lower: SSAValue | Operation,
        upper: SSAValue | Operation,
        propagate_nan: PropagateNan | str = PropagateNan.NONE,
        *,
        location: LocationAttr | None = None,
    ):
        x = SSAValue.get(x)
        super().__init__(
            operands=[x, lower, upper],
            result_types=[x.type],
            properties={"propagateNan": PropagateNan.of(propagate_nan).attr},
            location=location,
        )

    def verify_(self) -> None:
        super().verify_()
        PropagateNan.from_attr(self.propagate_nan)
        if not is_float(element_of(self.x.type)):
            raise VerifyException(f"expected floats, got {self.x.type}")


class _BinaryOperation(TTOperation):
    """Two operands and a result of one type."""

    x = operand_def(_T)
    y = operand_def(_T)
    result = result_def(_T)

    traits = traits_def(Pure())

    assembly_format = "$x `,` $y attr-dict `:` type($x)"

    def __init__(self, x: SSAValue | Operation, y: SSAValue | Operation, *, location: LocationAttr | None = None):
        x = SSAValue.get(x)
        super().__init__(operands=[x, y], result_types=[x.type], location=location)


@irdl_op_definition
class PreciseDivFOp(_BinaryOperation):
    """`tt.precise_divf %x, %y : tensor<4xf32>`: division rounded as IEEE asks (`arith.divf` may be less exact)."""

    name: ClassVar[str] = "tt.precise_divf"

    def verify_(self) -> None:
        super().verify_()
        if not is_float(element_of(self.x.type)):
            raise VerifyException(f"expected floats, got {self.x.type}")


@irdl_op_definition
class MulhiUIOp(_BinaryOperation):
    """`tt.mulhiui %x, %y : tensor<4xi32>`: the upper half of the unsigned product."""

    name: ClassVar[str] = "tt.mulhiui"

    def verify_(self) -> None:
        super().verify_()
        if not is_integer(element_of(self.x.type)):
            raise VerifyException(f"expected integers, got {self.x.type}")


@irdl_op_definition
class PreciseSqrtOp(TTOperation):
    """`tt.precise_sqrt %x : tensor<4xf32>`: square root rounded as IEEE asks."""

    name = "tt.precise_sqrt"

    x = operand_def(_T)
    result = result_def(_T)

    traits = traits_def(Pure())

    assembly_format = "$x attr-dict `:` type($x)"

    def __init__(self, x: SSAValue | Operation, *, location: LocationAttr | None = None):
        x = SSAValue.get(x)
        super().__init__(operands=[x], result_types=[x.type], location=location)

    def verify_(self) -> None:
        super().verify_()
        if not is_float(element_of(self.x.type)):
            raise VerifyException(f"expected floats, got {self.x.type}")


class ExternEffect(MemoryEffect):
    """No effect if the function is declared pure, else it may read and write anything."""

    @classmethod
    def get_effects(cls, op: Operation) -> set[EffectInstance]:
        assert isinstance(op, ExternElementwiseOp)
        if bool(op.pure):
            return set()
        return {EffectInstance(MemoryEffectKind.READ), EffectInstance(MemoryEffectKind.WRITE)}


@irdl_op_definition
class ExternElementwiseOp(TTOperation):
    """`tt.extern_elementwise %x {libname = "", libpath = "", pure = true, symbol = "__nv_tanhf"} : (f32) -> f32`: a
    function of the target's device library, for each element."""

    name = "tt.extern_elementwise"

    srcs = var_operand_def()
    libname = prop_def(StringAttr)
    libpath = prop_def(StringAttr)
    symbol = prop_def(StringAttr)
    pure = prop_def(BoolAttr)
    result = result_def()

    traits = traits_def(ExternEffect())

    def __init__(
        self,
        srcs: Sequence[SSAValue | Operation],
        symbol: str,
        result_type: Attribute,
        *,
        pure: bool = True,
        location: LocationAttr | None = None,
    ):
        """`result_type` is the tile type of the result. An empty library name is the target's own device library."""
        super().__init__(
            operands=[srcs],
            result_types=[result_type],
            properties={
                "libname": StringAttr(""),
                "libpath": StringAttr(""),
                "pure": BoolAttr.from_bool(pure),
                "symbol": StringAttr(symbol),
            },
            location=location,
        )

    def verify_(self) -> None:
        super().verify_()
        require(self.symbol.data != "", "the symbol must not be empty")
        shapes = {shape_of(each.type) for each in (*self.srcs, self.result)} - {()}
        require(len(shapes) <= 1, "the operands and the result must have one shape")

    @classmethod
    def parse(cls, parser: Parser) -> ExternElementwiseOp:
        pos = parser.pos
        operands = parser.parse_optional_undelimited_comma_separated_list(
            parser.parse_optional_unresolved_operand, parser.parse_unresolved_operand
        )
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        signature = parser.parse_function_type()
        if len(signature.outputs) != 1:
            parser.raise_error("expected one result type", pos)
        srcs = parser.resolve_operands(operands or [], signature.inputs.data, pos)
        op = cls(srcs, "", signature.outputs.data[0])
        for key, value in attributes.items():
            (op.properties if key in op.properties else op.attributes)[key] = value
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(" " if self.srcs else "")
        printer.print_list(self.srcs, printer.print_operand)
        printer.print_op_attributes({**self.properties, **self.attributes})
        printer.print_string(" : ")
        printer.print_function_type(self.operand_types, self.result_types)


@irdl_op_definition
class ElementwiseInlineAsmOp(TTOperation):
    """`tt.elementwise_inline_asm "" {constraints = "=r,0", packed_element = 2 : i32, pure = true} %x : tensor<4xf16>
    -> tensor<4xf16>`: the operand itself, by no instruction at all.

    Compilers do not see that: what is computed of the result is computed there, and not kept from where the same was
    computed of the operand. That is all that kernels use inline assembly for; the elements have 16 bits, two of them
    are in a register.
    """

    name = "tt.elementwise_inline_asm"

    src = operand_def()
    asm_string = prop_def(StringAttr)
    constraints = prop_def(StringAttr)
    packed_element = prop_def(IntegerAttr)
    pure = prop_def(BoolAttr)
    result = result_def()

    traits = traits_def(Pure())

    def __init__(self, src: SSAValue | Operation, *, location: LocationAttr | None = None):
        src = SSAValue.get(src)
        super().__init__(
            operands=[src],
            result_types=[src.type],
            properties={
                "asm_string": StringAttr(""),
                "constraints": StringAttr(SAME_REGISTER),
                "packed_element": IntegerAttr(2, i32),
                "pure": BoolAttr.from_bool(True),
            },
            location=location,
        )

    def verify_(self) -> None:
        super().verify_()
        require(self.asm_string.data == "", "only empty assembly is supported")
        require(self.src.type == self.result.type, "the operand and the result must have one type")
        require(bit_width_of(self.src.type) == 16, "elements of 16 bits are expected")

    @classmethod
    def parse(cls, parser: Parser) -> ElementwiseInlineAsmOp:
        asm = parser.parse_str_literal()
        attributes = parser.parse_optional_attr_dict()
        operand = parser.parse_unresolved_operand()
        parser.parse_punctuation(":")
        source = parser.parse_type()
        parser.parse_punctuation("->")
        result = parser.parse_type()
        op = cls(parser.resolve_operand(operand, source))
        if result != source:
            parser.raise_error("the operand and the result must have one type")
        op.properties["asm_string"] = StringAttr(asm)
        for key, value in attributes.items():
            (op.properties if key in op.properties else op.attributes)[key] = value
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_string_literal(self.asm_string.data)
        names = ("constraints", "packed_element", "pure")
        printer.print_op_attributes({**{name: self.properties[name] for name in names}, **self.attributes})
        printer.print_string(" ")
        printer.print_operand(self.src)
        printer.print_string(" : ")
        printer.print_attribute(self.src.type)
        printer.print_string(" -> ")
        printer.print_attribute(self.result.type)


SAME_REGISTER = "=r,0"
"""The constraints of inline assembly whose result is in the register of its operand, on NVIDIA GPUs."""

SAME_REGISTER_AMD = "=v,0"
"""The same on AMD GPUs, where `r` would be a register that all lanes share."""
