"""The scalar form of each pointwise graph op."""

from __future__ import annotations

import math as pymath
from collections.abc import Callable, Sequence

from xdsl.dialects import arith, math
from xdsl.dialects.builtin import AnyFloat, IntegerType
from xdsl.ir import Attribute, Operation, SSAValue

from fusir.conversion.scalar_builder import ScalarBuilder
from fusir.dialects import graph
from fusir.dialects.graph import element_type_of, is_unsigned
from fusir.dialects.loop import LibmOp, signless

Emitter = Callable[[ScalarBuilder, Sequence[SSAValue], Operation], SSAValue]

_FLOAT_UNARY: dict[type[Operation], Callable[[SSAValue], Operation]] = {
    graph.ExpOp: math.ExpOp,
    graph.Exp2Op: math.Exp2Op,
    graph.Expm1Op: math.ExpM1Op,
    graph.LogOp: math.LogOp,
    graph.Log2Op: math.Log2Op,
    graph.Log10Op: math.Log10Op,
    graph.Log1pOp: math.Log1pOp,
    graph.SqrtOp: math.SqrtOp,
    graph.RsqrtOp: math.RsqrtOp,
    graph.SinOp: math.SinOp,
    graph.CosOp: math.CosOp,
    graph.TanOp: math.TanOp,
    graph.AsinOp: math.AsinOp,
    graph.AcosOp: math.AcosOp,
    graph.AtanOp: math.AtanOp,
    graph.SinhOp: math.SinhOp,
    graph.CoshOp: math.CoshOp,
    graph.TanhOp: math.TanhOp,
    graph.AsinhOp: math.AsinhOp,
    graph.AcoshOp: math.AcoshOp,
    graph.AtanhOp: math.AtanhOp,
    graph.ErfOp: math.ErfOp,
    graph.FloorOp: math.FloorOp,
    graph.CeilOp: math.CeilOp,
    graph.RoundOp: math.RoundEvenOp,
    graph.TruncOp: math.TruncOp,
}

_BinaryForm = Callable[[SSAValue, SSAValue], Operation]

# (float op, signed op, unsigned op); None where the op has no form on that class of types.
_BINARY: dict[type[Operation], tuple[_BinaryForm | None, _BinaryForm | None, _BinaryForm | None]] = {
    graph.AddOp: (arith.AddfOp, arith.AddiOp, arith.AddiOp),
    graph.SubOp: (arith.SubfOp, arith.SubiOp, arith.SubiOp),
    graph.MulOp: (arith.MulfOp, arith.MuliOp, arith.MuliOp),
    graph.DivOp: (arith.DivfOp, arith.DivSIOp, arith.DivUIOp),
    graph.PowOp: (math.PowFOp, None, None),
    graph.Atan2Op: (math.Atan2Op, None, None),
    graph.MaximumOp: (arith.MaximumfOp, arith.MaxSIOp, arith.MaxUIOp),
    graph.MinimumOp: (arith.MinimumfOp, arith.MinSIOp, arith.MinUIOp),
    graph.FmaxOp: (arith.MaxnumfOp, arith.MaxSIOp, arith.MaxUIOp),
    graph.FminOp: (arith.MinnumfOp, arith.MinSIOp, arith.MinUIOp),
    graph.AndOp: (None, arith.AndIOp, arith.AndIOp),
    graph.OrOp: (None, arith.OrIOp, arith.OrIOp),
    graph.XorOp: (None, arith.XOrIOp, arith.XOrIOp),
    graph.ShlOp: (None, arith.ShLIOp, arith.ShLIOp),
    graph.ShrOp: (None, arith.ShRSIOp, arith.ShRUIOp),
}

_FLOAT_PREDICATES = {"eq": "oeq", "ne": "une", "lt": "olt", "le": "ole", "gt": "ogt", "ge": "oge"}


def _neg(b: ScalarBuilder, values: Sequence[SSAValue], op: Operation) -> SSAValue:
    (x,) = values
    if isinstance(x.type, AnyFloat):
        return b.add(arith.NegfOp(x))
    return b.add(arith.SubiOp(b.constant(0, x.type), x))


def _abs(b: ScalarBuilder, values: Sequence[SSAValue], op: Operation) -> SSAValue:
    (x,) = values
    return x if is_unsigned(element_type_of(op.operands[0])) else b.absolute(x)


def _sign(b: ScalarBuilder, values: Sequence[SSAValue], op: Operation) -> SSAValue:
    (x,) = values
    zero, one, minus = b.constant(0, x.type), b.constant(1, x.type), b.constant(-1, x.type)
    if isinstance(x.type, AnyFloat):
        negative = b.add(arith.CmpfOp(x, zero, "olt"))
        positive = b.add(arith.CmpfOp(x, zero, "ogt"))
    elif is_unsigned(element_type_of(op.operands[0])):
        return b.add(arith.SelectOp(b.add(arith.CmpiOp(x, zero, "ne")), one, zero))
    else:
        negative = b.add(arith.CmpiOp(x, zero, "slt"))
        positive = b.add(arith.CmpiOp(x, zero, "sgt"))
    return b.add(arith.SelectOp(positive, one, b.add(arith.SelectOp(negative, minus, zero))))


def _reciprocal(b: ScalarBuilder, values: Sequence[SSAValue], op: Operation) -> SSAValue:
    (x,) = values
    return b.add(arith.DivfOp(b.constant(1.0, x.type), x))


def _sigmoid(b: ScalarBuilder, values: Sequence[SSAValue], op: Operation) -> SSAValue:
    """`1 / (1 + exp(-x))`: exact at both infinities, no overflow to NaN."""
    (x,) = values
    one = b.constant(1.0, x.type)
    exp = b.add(math.ExpOp(b.add(arith.NegfOp(x))))
    return b.add(arith.DivfOp(one, b.add(arith.AddfOp(one, exp))))


def _relu(b: ScalarBuilder, values: Sequence[SSAValue], op: Operation) -> SSAValue:
    (x,) = values
    zero = b.constant(0, x.type)
    if isinstance(x.type, AnyFloat):
        return b.add(arith.MaximumfOp(x, zero))
    return x if is_unsigned(element_type_of(op.operands[0])) else b.add(arith.MaxSIOp(x, zero))


def _erfc(b: ScalarBuilder, values: Sequence[SSAValue], op: Operation) -> SSAValue:
    return b.add(LibmOp("erfc", values))


def _rem(b: ScalarBuilder, values: Sequence[SSAValue], op: Operation) -> SSAValue:
    x, y = values
    if isinstance(x.type, AnyFloat):
        return b.add(LibmOp("fmod", values))
    return b.add(arith.RemUIOp(x, y) if is_unsigned(element_type_of(op.operands[0])) else arith.RemSIOp(x, y))


def _not(b: ScalarBuilder, values: Sequence[SSAValue], op: Operation) -> SSAValue:
    (x,) = values
    return b.add(arith.XOrIOp(x, b.constant(-1, x.type)))


def _compare(b: ScalarBuilder, values: Sequence[SSAValue], op: Operation) -> SSAValue:
    assert isinstance(op, graph.CompareOp)
    x, y = values
    predicate = str(op.predicate)
    if isinstance(x.type, AnyFloat):
        return b.add(arith.CmpfOp(x, y, _FLOAT_PREDICATES[predicate]))
    if predicate in ("eq", "ne"):
        return b.add(arith.CmpiOp(x, y, predicate))
    element = element_type_of(op.lhs)
    unsigned = is_unsigned(element) or element == IntegerType(1)
    return b.add(arith.CmpiOp(x, y, ("u" if unsigned else "s") + predicate))


def _isnan(b: ScalarBuilder, values: Sequence[SSAValue], op: Operation) -> SSAValue:
    return b.is_nan(values[0])


def _isinf(b: ScalarBuilder, values: Sequence[SSAValue], op: Operation) -> SSAValue:
    (x,) = values
    return b.add(arith.CmpfOp(b.absolute(x), b.constant(pymath.inf, x.type), "oeq"))


def _select(b: ScalarBuilder, values: Sequence[SSAValue], op: Operation) -> SSAValue:
    return b.add(arith.SelectOp(*values))


def _convert(b: ScalarBuilder, values: Sequence[SSAValue], op: Operation) -> SSAValue:
    source, target = element_type_of(op.operands[0]), element_type_of(op.results[0])
    return b.convert(values[0], signless(target), is_unsigned(source), is_unsigned(target))


def _bitcast(b: ScalarBuilder, values: Sequence[SSAValue], op: Operation) -> SSAValue:
    target = signless(element_type_of(op.results[0]))
    return values[0] if values[0].type == target else b.add(arith.BitcastOp(values[0], target))


_SPECIAL: dict[type[Operation], Emitter] = {
    graph.NegOp: _neg,
    graph.AbsOp: _abs,
    graph.SignOp: _sign,
    graph.ReciprocalOp: _reciprocal,
    graph.SigmoidOp: _sigmoid,
    graph.ReluOp: _relu,
    graph.ErfcOp: _erfc,
    graph.RemOp: _rem,
    graph.NotOp: _not,
    graph.CompareOp: _compare,
    graph.IsNanOp: _isnan,
    graph.IsInfOp: _isinf,
    graph.SelectOp: _select,
    graph.ConvertOp: _convert,
    graph.BitcastOp: _bitcast,
}


def has_scalar_form(op: Operation) -> bool:
    """Whether `emit_scalar` knows the op on its element type."""
    if type(op) in _FLOAT_UNARY or type(op) in _SPECIAL:
        return True
    forms = _BINARY.get(type(op))
    if forms is None:
        return False
    element = element_type_of(op.operands[0])
    return forms[0 if isinstance(element, AnyFloat) else 2 if is_unsigned(element) else 1] is not None


def emit_scalar(b: ScalarBuilder, op: Operation, values: Sequence[SSAValue]) -> SSAValue:
    """Append the scalar form of the pointwise graph op `op` on `values` and return its value.

    Raises KeyError if the op has no scalar form (see `has_scalar_form`).
    """
    unary = _FLOAT_UNARY.get(type(op))
    if unary is not None:
        return b.add(unary(values[0]))
    forms = _BINARY.get(type(op))
    if forms is not None:
        element: Attribute = element_type_of(op.operands[0])
        form = forms[0 if isinstance(element, AnyFloat) else 2 if is_unsigned(element) else 1]
        if form is None:
            raise KeyError(op.name)
        return b.add(form(values[0], values[1]))
    return _SPECIAL[type(op)](b, values, op)
