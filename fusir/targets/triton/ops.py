"""Elementwise and shape ops as Python expressions.

Triton's front end gives back the op that was printed: operands of one type are not promoted, a Python number takes the
type of the other operand of an operator. Where that is not so, the value is cast or typed explicitly.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import copysign
from typing import Protocol

from xdsl.dialects import arith
from xdsl.dialects.builtin import BFloat16Type, Float16Type, Float32Type, Float64Type, IntegerType, i1
from xdsl.ir import Attribute, Operation, SSAValue

from fusir.diagnostics import fail
from fusir.dialects import tile_arith, tt
from fusir.dialects.tt import element_of, shape_of
from fusir.dialects.tt.types import is_float8
from fusir.targets.libdevice import portable_function
from fusir.targets.triton.expr import Expr, Precedence, broadcast_shape
from fusir.targets.triton.types import dtype_name


class Operands(Protocol):
    """How the printers below get at the operands of an op."""

    def use(self, value: SSAValue) -> Expr:
        """The value; a number or of a lesser shape where broadcasting makes up for it."""
        ...

    def typed(self, value: SSAValue) -> Expr:
        """The value with its own type: never a bare number."""
        ...

    def argument(self, value: SSAValue) -> Expr:
        """The value as an argument of a function: a bare number only if Triton gives it the right type by itself."""
        ...

    def exact(self, value: SSAValue) -> Expr:
        """The value with its own type and its full shape."""
        ...

    def shape_text(self, value: SSAValue) -> str:
        """The shape of the value as a Python list, with the names of block sizes."""
        ...


Printer = Callable[[Operands, Operation], Expr]
"""Makes the expression for the result of an op."""


def cast(expr: Expr, scalar: Attribute, *, unsigned: bool = False, bitcast: bool = False) -> Expr:
    """`expr.to(type)`."""
    options = ", bitcast=True" if bitcast else ""
    return Expr(f"{expr.atom}.to({dtype_name(scalar, unsigned=unsigned)}{options})", expr.shape)


def call(function: str, *arguments: Expr, options: str = "") -> Expr:
    """`function(arguments...)`, elementwise."""
    text = ", ".join([*(each.text for each in arguments), *([options] if options else [])])
    return Expr(f"{function}({text})", broadcast_shape(*(each.shape for each in arguments)))


# ---- operators ----------------------------------------------------------------------------------------------------


def _operands(operands: Operands, lhs: SSAValue, rhs: SSAValue) -> tuple[Expr, Expr]:
    """Two operands of one type for an operator: at most one is a bare number."""
    left, right = operands.use(lhs), operands.use(rhs)
    return (operands.typed(lhs) if left.literal and right.literal else left), right


def _infix(symbol: str, precedence: Precedence, left: Expr, right: Expr) -> Expr:
    # Operators group to the left, and comparisons must not chain.
    first = Precedence(precedence + 1) if precedence is Precedence.COMPARE else precedence
    text = f"{left.at(first)} {symbol} {right.at(Precedence(precedence + 1))}"
    return Expr(text, broadcast_shape(left.shape, right.shape), precedence)


def _operator(symbol: str, precedence: Precedence) -> Printer:
    def printer(operands: Operands, op: Operation) -> Expr:
        return _infix(symbol, precedence, *_operands(operands, op.operands[0], op.operands[1]))

    return printer


def _unsigned(operands: Operands, value: SSAValue) -> Expr:
    """The value read as unsigned; a number keeps its bits."""
    expr, element = operands.use(value), element_of(value.type)
    if not expr.literal:
        return cast(expr, element, unsigned=True)
    if expr.text.startswith("-") and isinstance(element, IntegerType):
        return Expr(str(int(expr.text) + (1 << element.width.data)), literal=True)
    return expr


def _unsigned_operands(operands: Operands, op: Operation) -> tuple[Expr, Expr]:
    left, right = _unsigned(operands, op.operands[0]), _unsigned(operands, op.operands[1])
    if left.literal and right.literal:
        left = cast(operands.typed(op.operands[0]), element_of(op.operands[0].type), unsigned=True)
    return left, right


def _unsigned_operator(symbol: str, precedence: Precedence) -> Printer:
    def printer(operands: Operands, op: Operation) -> Expr:
        return cast(_infix(symbol, precedence, *_unsigned_operands(operands, op)), element_of(op.results[0].type))

    return printer


def _half_divide(symbol: str) -> Printer:
    """Division and remainder, which Triton does in f32 for halves: rounding twice is exact (24 >= 2 * 11 + 2 bits)."""

    def printer(operands: Operands, op: Operation) -> Expr:
        result = _infix(symbol, Precedence.MUL, *_operands(operands, op.operands[0], op.operands[1]))
        element = element_of(op.results[0].type)
        return cast(result, element) if isinstance(element, Float16Type | BFloat16Type) else result

    return printer


def _xor(operands: Operands, op: Operation) -> Expr:
    left, right = _operands(operands, op.operands[0], op.operands[1])
    if right.literal and right.text in ("True", "-1"):
        return _invert(left)
    return _infix("^", Precedence.XOR, left, right)


# ---- comparisons --------------------------------------------------------------------------------------------------

_COMPARE = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}
_NEGATED = {"lt": "ge", "le": "gt", "gt": "le", "ge": "lt"}


def _comparands(operands: Operands, lhs: SSAValue, rhs: SSAValue) -> tuple[Expr, Expr]:
    """Two operands for a comparison.

    It takes a bare number for an int32 or float32, and widens the other operand to that: the same result for integers
    and for halves, not for f64.
    """
    if isinstance(element_of(lhs.type), IntegerType | Float16Type | BFloat16Type):
        return _operands(operands, lhs, rhs)
    left, right = operands.argument(lhs), operands.argument(rhs)
    return (operands.typed(lhs) if left.literal and right.literal else left), right


def _compare_int(operands: Operands, op: Operation) -> Expr:
    assert isinstance(op, arith.CmpiOp | tile_arith.TileCmpiOp)
    predicate = tile_arith.CMPI_PREDICATES[op.predicate.value.data]
    if predicate in ("eq", "ne"):
        return _infix(_COMPARE[predicate], Precedence.COMPARE, *_comparands(operands, op.lhs, op.rhs))
    pair = _unsigned_operands(operands, op) if predicate[0] == "u" else _comparands(operands, op.lhs, op.rhs)
    return _infix(_COMPARE[predicate[1:]], Precedence.COMPARE, *pair)


def _compare_float(operands: Operands, op: Operation) -> Expr:
    assert isinstance(op, arith.CmpfOp | tile_arith.TileCmpfOp)
    predicate = tile_arith.CMPF_PREDICATES[op.predicate.value.data]
    left, right = _comparands(operands, op.lhs, op.rhs)

    def compare(kind: str, first: Expr = left, second: Expr = right) -> Expr:
        return _infix(_COMPARE[kind], Precedence.COMPARE, first, second)

    def differ() -> Expr:
        return _infix("|", Precedence.OR, compare("lt"), compare("gt"))

    match predicate:
        case "oeq" | "olt" | "ole" | "ogt" | "oge":
            return compare(predicate[1:])
        case "une":
            return compare("ne")
        case "ult" | "ule" | "ugt" | "uge":
            return _invert(compare(_NEGATED[predicate[1:]]))
        case "one":
            return differ()
        case "ueq":
            return _invert(differ())
        case "uno":
            tests = [compare("ne", each, each) for each in _maybe_nan(op, left, right)]
            return tests[0] if len(tests) == 1 else _infix("|", Precedence.OR, *tests)
        case "ord":
            tests = [compare("eq", each, each) for each in _maybe_nan(op, left, right)]
            return tests[0] if len(tests) == 1 else _infix("&", Precedence.AND, *tests)
        case _:
            return fail(op, f"arith.cmpf {predicate} cannot be written in Triton's language")


def _invert(expr: Expr) -> Expr:
    return Expr(f"~{expr.at(Precedence.UNARY)}", expr.shape, Precedence.UNARY)


def _maybe_nan(op: Operation, left: Expr, right: Expr) -> list[Expr]:
    """The operands of a test for NaN that can be one, each once."""
    found = [each for each in dict.fromkeys((left, right)) if not each.literal or "nan" in each.text]
    return found if found else fail(op, "both operands of the comparison are constants")


# ---- functions ----------------------------------------------------------------------------------------------------


def _function(name: str, *types: type[Attribute]) -> Printer:
    """A function of `triton.language` for these element types."""

    def printer(operands: Operands, op: Operation) -> Expr:
        element = element_of(op.results[0].type)
        if types and not isinstance(element, types):
            fail(op, f"{op.name} on {element}: Triton's {name} takes {' and '.join(_type_names(types))} only")
        return call(name, *(operands.argument(each) for each in op.operands))

    return printer


def _type_names(types: Sequence[type[Attribute]]) -> list[str]:
    return [each.name for each in types]


_F32_F64 = (Float32Type, Float64Type)


def _extremum(name: str, options: str = "") -> Printer:
    """`tl.maximum` and `tl.minimum`, which give f32 for bf16."""

    def printer(operands: Operands, op: Operation) -> Expr:
        result = call(name, *(operands.argument(each) for each in op.operands), options=options)
        element = element_of(op.results[0].type)
        return cast(result, element) if isinstance(element, BFloat16Type) else result

    return printer


def _unsigned_extremum(name: str) -> Printer:
    def printer(operands: Operands, op: Operation) -> Expr:
        element = element_of(op.results[0].type)
        pair = (cast(operands.typed(each), element, unsigned=True) for each in op.operands)
        return cast(call(name, *pair), element)

    return printer


def _clamp(operands: Operands, op: Operation) -> Expr:
    assert isinstance(op, tt.ClampFOp)
    propagate = tt.PropagateNan.from_attr(op.propagate_nan) is tt.PropagateNan.ALL
    return _extremum("tl.clamp", _PROPAGATE_NAN if propagate else "")(operands, op)


_PROPAGATE_NAN = "propagate_nan=tl.PropagateNan.ALL"


def _extern(operands: Operands, op: Operation) -> Expr:
    assert isinstance(op, tt.ExternElementwiseOp)
    function = portable_function(op.symbol.data)
    if not bool(op.pure):
        fail(op, "an external function with side effects cannot be written in Triton's language")
    if function is None:
        fail(op, f"triton.language.extra.libdevice has no function for {op.symbol.data}")
    return call(f"libdevice.{function}", *(operands.argument(each) for each in op.srcs))


def _select(operands: Operands, op: Operation) -> Expr:
    condition, on_true, on_false = op.operands
    return call("tl.where", operands.argument(condition), *_operands(operands, on_true, on_false))


# ---- casts --------------------------------------------------------------------------------------------------------


def _cast(operands: Operands, op: Operation) -> Expr:
    return cast(operands.typed(op.operands[0]), element_of(op.results[0].type))


def _bitcast(operands: Operands, op: Operation) -> Expr:
    element = element_of(op.results[0].type)
    return cast(operands.typed(op.operands[0]), element, bitcast=not isinstance(element, tt.PointerType))


def _unsigned_source_cast(operands: Operands, op: Operation) -> Expr:
    source = element_of(op.operands[0].type)
    operand = operands.typed(op.operands[0])
    return cast(operand if source == i1 else cast(operand, source, unsigned=True), element_of(op.results[0].type))


def _signed_source_cast(operands: Operands, op: Operation) -> Expr:
    if element_of(op.operands[0].type) != i1:
        return _cast(operands, op)
    # Triton reads an int1 as unsigned.
    minus = Expr("-1" if isinstance(element_of(op.results[0].type), IntegerType) else "-1.0", literal=True)
    return _infix("*", Precedence.MUL, _cast(operands, op), minus)


def _unsigned_result_cast(operands: Operands, op: Operation) -> Expr:
    element = element_of(op.results[0].type)
    return cast(cast(operands.typed(op.operands[0]), element, unsigned=True), element)


def _truncate_int(operands: Operands, op: Operation) -> Expr:
    if element_of(op.results[0].type) != i1:
        return _cast(operands, op)
    low = _infix("&", Precedence.AND, operands.typed(op.operands[0]), Expr("1", literal=True))
    return _infix("!=", Precedence.COMPARE, low, Expr("0", literal=True))


def _fp_to_fp(operands: Operands, op: Operation) -> Expr:
    assert isinstance(op, tt.FpToFpOp)
    operand, element = operands.typed(op.src), element_of(op.result.type)
    if op.rounding_mode is tt.RoundingMode.RTZ:
        return Expr(f'{operand.atom}.to({dtype_name(element)}, fp_downcast_rounding="rtz")', operand.shape)
    return cast(operand, element)


# ---- shapes -------------------------------------------------------------------------------------------------------


def _reshape(operands: Operands, op: Operation) -> Expr:
    assert isinstance(op, tt.ReshapeOp)
    options = ", can_reorder=True" if op.allow_reorder is not None else ""
    text = f"tl.reshape({operands.exact(op.src).text}, {operands.shape_text(op.result)}{options})"
    return Expr(text, shape_of(op.result.type))


def _trans(operands: Operands, op: Operation) -> Expr:
    assert isinstance(op, tt.TransOp)
    if op.permutation == (1, 0):
        return Expr(f"{operands.exact(op.src).atom}.T", shape_of(op.result.type))
    order = ", ".join(map(str, op.permutation))
    return Expr(f"tl.permute({operands.exact(op.src).text}, ({order},))", shape_of(op.result.type))


def _of_exact(template: str) -> Printer:
    """A function of full tensors; the template names the operands `{0}`, `{1}`."""

    def printer(operands: Operands, op: Operation) -> Expr:
        arguments = [operands.exact(each).text for each in op.operands]
        return Expr(template.format(*arguments), shape_of(op.results[0].type))

    return printer


def _histogram(operands: Operands, op: Operation) -> Expr:
    assert isinstance(op, tt.HistogramOp)
    shape = shape_of(op.result.type)
    return Expr(f"tl.histogram({operands.exact(op.src).text}, {shape[0]})", shape)


def _gather(operands: Operands, op: Operation) -> Expr:
    assert isinstance(op, tt.GatherOp)
    source, indices = operands.exact(op.src).text, operands.exact(op.indices).text
    return Expr(f"tl.gather({source}, {indices}, {op.axis.value.data})", shape_of(op.result.type))


def _is_zero(value: SSAValue) -> bool:
    """Whether a tile is 0 in all elements, and not -0."""
    number = tt.constant_number(value)
    return number is not None and number == 0 and copysign(1.0, number) > 0


def _dot(operands: Operands, op: Operation) -> Expr:
    assert isinstance(op, tt.DotOp)
    factors = (op.a, op.b) if _is_zero(op.c) else (op.a, op.b, op.c)
    arguments = [operands.exact(each).text for each in factors]
    if is_float8(element_of(op.a.type)) and op.imprecise_terms < tt.ALL_IMPRECISE:
        arguments.append(f"max_num_imprecise_acc={op.imprecise_terms}")
    if isinstance(element_of(op.a.type), Float32Type):
        arguments.append(f'input_precision="{op.precision.keyword}"')
    accumulator = element_of(op.c.type)
    if not isinstance(accumulator, Float32Type):
        arguments.append(f"out_dtype={dtype_name(accumulator)}")
    return Expr(f"tl.dot({', '.join(arguments)})", shape_of(op.d.type))


def _grid(function: str) -> Printer:
    def printer(operands: Operands, op: Operation) -> Expr:
        assert isinstance(op, tt.GetProgramIdOp | tt.GetNumProgramsOp)
        return Expr(f"{function}({op.axis_index})")

    return printer


def _add_pointer(operands: Operands, op: Operation) -> Expr:
    assert isinstance(op, tt.AddPtrOp)
    return _infix("+", Precedence.ADD, operands.use(op.ptr), operands.argument(op.offset))


_PRINTERS: dict[str, Printer] = {
    **{name: _operator("+", Precedence.ADD) for name in ("arith.addi", "arith.addf")},
    **{name: _operator("-", Precedence.ADD) for name in ("arith.subi", "arith.subf")},
    **{name: _operator("*", Precedence.MUL) for name in ("arith.muli", "arith.mulf")},
    "arith.divsi": _operator("//", Precedence.MUL),
    "arith.remsi": _operator("%", Precedence.MUL),
    "arith.divui": _unsigned_operator("//", Precedence.MUL),
    "arith.remui": _unsigned_operator("%", Precedence.MUL),
    "arith.divf": _half_divide("/"),
    "arith.remf": _half_divide("%"),
    "arith.andi": _operator("&", Precedence.AND),
    "arith.ori": _operator("|", Precedence.OR),
    "arith.xori": _xor,
    "arith.shli": _operator("<<", Precedence.SHIFT),
    "arith.shrsi": _operator(">>", Precedence.SHIFT),
    "arith.shrui": _unsigned_operator(">>", Precedence.SHIFT),
    "arith.cmpi": _compare_int,
    "arith.cmpf": _compare_float,
    "arith.select": _select,
    "arith.maxnumf": _extremum("tl.maximum"),
    "arith.minnumf": _extremum("tl.minimum"),
    "arith.maximumf": _extremum("tl.maximum", _PROPAGATE_NAN),
    "arith.minimumf": _extremum("tl.minimum", _PROPAGATE_NAN),
    "arith.maxsi": _function("tl.maximum"),
    "arith.minsi": _function("tl.minimum"),
    "arith.maxui": _unsigned_extremum("tl.maximum"),
    "arith.minui": _unsigned_extremum("tl.minimum"),
    **dict.fromkeys(("arith.extf", "arith.truncf", "arith.fptosi", "tt.int_to_ptr", "tt.ptr_to_int"), _cast),
    "arith.trunci": _truncate_int,
    **dict.fromkeys(("arith.extsi", "arith.sitofp"), _signed_source_cast),
    **dict.fromkeys(("arith.extui", "arith.uitofp"), _unsigned_source_cast),
    "arith.fptoui": _unsigned_result_cast,
    "tt.fp_to_fp": _fp_to_fp,
    **dict.fromkeys(("tt.bitcast", "arith.bitcast"), _bitcast),
    "math.absf": _function("tl.abs"),
    "math.absi": _function("tl.abs"),
    **{
        f"math.{name}": _function(f"tl.{name}", *_F32_F64)
        for name in ("exp", "exp2", "log", "log2", "cos", "sin", "sqrt", "rsqrt", "erf", "floor", "ceil")
    },
    "math.fma": _function("tl.fma"),
    "tt.precise_sqrt": _function("tl.sqrt_rn", Float32Type),
    "tt.precise_divf": _function("tl.div_rn", Float32Type),
    "tt.mulhiui": _function("tl.umulhi"),
    "tt.clampf": _clamp,
    "tt.extern_elementwise": _extern,
    "tt.addptr": _add_pointer,
    "tt.reshape": _reshape,
    "tt.trans": _trans,
    "tt.join": _of_exact("tl.join({0}, {1})"),
    "tt.cat": _of_exact("tl.cat({0}, {1}, can_reorder=True)"),
    "tt.unsplat": _of_exact("({0}).item()"),
    "tt.histogram": _histogram,
    "tt.gather": _gather,
    "tt.dot": _dot,
    "tt.get_program_id": _grid("tl.program_id"),
    "tt.get_num_programs": _grid("tl.num_programs"),
}


def print_expression(operands: Operands, op: Operation) -> Expr:
    """The expression for the result of an elementwise or shape op. An op that Triton lacks is a `CompileError`."""
    printer = _PRINTERS.get(op.name)
    if printer is None:
        fail(op, f"{op.name} cannot be written in Triton's language")
    return printer(operands, op)


def is_expression(op: Operation) -> bool:
    """Whether the op is an elementwise or shape op that this module prints."""
    return op.name in _PRINTERS
