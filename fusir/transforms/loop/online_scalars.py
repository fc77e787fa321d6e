"""Scalars of the one loop of a cascade: how they are emitted, and the value of what the law has derived."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Mapping, Sequence

from xdsl.dialects import affine, arith
from xdsl.dialects import math as mlir_math
from xdsl.dialects.builtin import AnyFloat, BFloat16Type, Float16Type, Float32Type, Float64Type, i64
from xdsl.ir import Attribute, Block, Operation, SSAValue

from fusir.analysis.accesses import build_map
from fusir.analysis.expr import Dim, as_expr, product
from fusir.analysis.rescaling import ONE, ZERO, Apply, At, Coefficient, Form, Number, Term
from fusir.conversion.scalar_builder import ScalarBuilder
from fusir.dialects.loop import Combiner, KernelOp

Uniform = Callable[[SSAValue], SSAValue]
"""Tells a uniform value at some estimates."""


class Scope:
    """Emits ops into a block and finds those that are there already."""

    def __init__(self, block: Block, constants: ScalarBuilder):
        self.block = block
        self.constants = constants
        self._numbers: dict[object, SSAValue] = {}

    def constant(self, value: float | int, element: Attribute) -> SSAValue:
        return self.constants.constant(value, element)

    def emit(
        self,
        op_class: type[Operation],
        operands: Sequence[SSAValue],
        element: Attribute,
        properties: dict[str, Attribute],
    ) -> SSAValue:
        """The result of a new pure op."""
        return self.add(op_class.create(operands=operands, result_types=[element], properties=properties))

    def clone(self, op: Operation, operands: Sequence[SSAValue]) -> SSAValue:
        """The result of a copy of a pure op, or of a load, on other operands."""
        return self.add(op.clone(dict(zip(op.operands, operands, strict=True))))

    def add(self, op: Operation) -> SSAValue:
        """The result of a pure op or load, or of an equal one that is there already."""
        key = (type(op), tuple(op.operands), tuple(op.properties.items()), op.results[0].type)
        if (known := self._numbers.get(key)) is not None:
            op.erase()
            return known
        self.block.add_op(op)
        self._numbers[key] = op.results[0]
        return op.results[0]


def combination(
    scope: Scope,
    form: Form,
    sums: Mapping[Term, SSAValue],
    element: Attribute,
    coefficient: Callable[[Coefficient], SSAValue],
) -> SSAValue:
    """The sum of coefficients times sums."""
    total: SSAValue | None = None
    for term, factor in form.items():
        if factor == ZERO:
            continue
        value = sums[term]
        if factor != ONE:
            value = scope.add(arith.MulfOp(value, coefficient(factor)))
        total = value if total is None else scope.add(arith.AddfOp(total, value))
    return scope.constant(0.0, element) if total is None else total


def coefficient_value(
    scope: Scope, coefficient: Coefficient, element: Attribute, new: Uniform, old: Uniform
) -> SSAValue:
    """The value of a coefficient, given uniform values at the new and at the old estimates."""
    match coefficient:
        case Number(value=number):
            return scope.constant(number, element)
        case At(value=value):
            return new(value) if coefficient.new else old(value)
        case Apply():
            operands = [coefficient_value(scope, operand, element, new, old) for operand in coefficient.operands]
            return scope.add(coefficient.op(*operands))


def iterations(scope: Scope, kernel: KernelOp, extents: Sequence[Dim], element: Attribute) -> SSAValue:
    """The number of iterations of a loop of these extents, as a float."""
    total = product(extents)
    if isinstance(total, int):
        return scope.constant(float(total), element)
    index_map, operands = build_map([as_expr(total)], {}, kernel)
    index = scope.add(affine.ApplyOp(operands, index_map))
    assert isinstance(element, AnyFloat)
    return scope.add(arith.SIToFPOp(scope.add(arith.IndexCastOp(index, i64)), element))


def bounded(scope: Scope, combiner: Combiner, value: SSAValue) -> SSAValue:
    """The extremum of a part as an estimate: finite where there was nothing but infinities."""
    element = value.type
    if not isinstance(element, AnyFloat):
        return value
    largest = _LARGEST[type(element)]
    if combiner in (Combiner.MAX, Combiner.ARGMAX, Combiner.LAST_ARGMAX):
        return scope.add(arith.MaximumfOp(value, scope.constant(-largest, element)))
    return scope.add(arith.MinimumfOp(value, scope.constant(largest, element)))


def tamed(scope: Scope, value: SSAValue) -> SSAValue:
    """An estimate that may be infinite or no number: 0 instead, also where its square would be infinite."""
    element = value.type
    limit = scope.constant(math.sqrt(_LARGEST[type(element)]), element)
    is_small = scope.add(arith.CmpfOp(scope.add(mlir_math.AbsFOp(value)), limit, "olt"))
    return scope.add(arith.SelectOp(is_small, value, scope.constant(0.0, element)))


_LARGEST: dict[type[Attribute], float] = {
    Float16Type: 65504.0,
    BFloat16Type: (2 - 2**-7) * 2.0**127,
    Float32Type: (2 - 2**-23) * 2.0**127,
    Float64Type: sys.float_info.max,
}
