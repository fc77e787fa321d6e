"""The products of a contraction at the loop level, and which dims are rows, columns and batch dims of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects import arith
from xdsl.ir import Operation, SSAValue

from fusir.analysis.support import Support
from fusir.dialects.loop import ReduceOp


@dataclass(frozen=True)
class Product:
    """One product that a contraction sums up."""

    multiply: Operation
    lhs: SSAValue
    """The first factor, before it is widened to the type of the sum."""
    rhs: SSAValue

    @property
    def widened(self) -> list[Operation]:
        """The multiplication and the conversions of the factors."""
        return [self.multiply, *(op for op in map(_widening, self.multiply.operands) if op is not None)]


@dataclass(frozen=True)
class ContractedDims:
    """The loop indices around a contraction by the factors that depend on them."""

    rows: Support
    """Those that only the first factor depends on."""
    columns: Support
    """Those that only the second factor depends on."""
    batch: Support
    """Those that both depend on."""


def products_of(contraction: ReduceOp) -> list[Product] | None:
    """The products that a contraction sums up; None where it sums up something else."""
    products: list[Product] = []
    for value in contraction.yield_op.values:
        multiply = value.owner
        if not isinstance(multiply, arith.MulfOp | arith.MuliOp):
            return None
        factors: list[SSAValue] = []
        for operand in multiply.operands:
            widening = _widening(operand)
            factors.append(operand if widening is None else widening.operands[0])
        if factors[0].type != factors[1].type:
            factors = list(multiply.operands)
        products.append(Product(multiply, factors[0], factors[1]))
    return products


def contracted_dims(
    contraction: ReduceOp, products: Sequence[Product], supports: dict[SSAValue, Support]
) -> ContractedDims | None:
    """The dims of the products of a contraction, if they are the same for all and each factor misses some."""
    inner = frozenset(contraction.indices)
    found: ContractedDims | None = None
    empty: Support = frozenset()
    for product in products:
        lhs, rhs = supports.get(product.lhs, empty) - inner, supports.get(product.rhs, empty) - inner
        dims = ContractedDims(lhs - rhs, rhs - lhs, lhs & rhs)
        if found is not None and dims != found:
            return None
        found = dims
    if found is None or not found.rows or not found.columns:
        return None
    return found


def _widening(value: SSAValue) -> Operation | None:
    """The conversion to a wider type that a value is."""
    owner = value.owner
    return owner if isinstance(owner, arith.ExtFOp | arith.ExtSIOp) else None
