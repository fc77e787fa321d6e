"""The law of row factors: a factor that does not depend on the contracted dims leaves the contraction.

```
%r = graph.rsqrt ... : tensor<128xf32>                               (of a reduction of the rows of %x)
%0 = graph.mul (graph.convert %x), (graph.broadcast %r dims [0]) : tensor<128x64xf32>
%1 = graph.mul %0, (graph.broadcast %g dims [1]) : tensor<128x64xf32>
%y = graph.contract (graph.convert %1), %w ... -> tensor<128x32xbf16>
```
becomes
```
%0 = graph.mul (graph.convert %w), (graph.broadcast %g dims [0]) : tensor<64x32xf32>
%1 = graph.contract %x, (graph.convert %0) ... -> tensor<128x32xf32>
%y = graph.convert (graph.mul %1, (graph.broadcast %r dims [0])) -> tensor<128x32xbf16>
```

The normalised rows are never written. It applies where the factor is made of a reduction, so that the product would
have to be stored, and where only contractions read the product. A factor along the contracted dims alone (the weight of
the norm) goes to the other operand if that has fewer elements, and the law is applied if that pays. The normalised
values are not rounded any more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from xdsl.dialects.builtin import f16
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from fusir.analysis.factors import common_refinement
from fusir.dialects.graph import (
    BroadcastOp,
    ContractOp,
    ConvertOp,
    Dim,
    DivOp,
    MulOp,
    PermuteOp,
    PointwiseOp,
    ReduceOp,
    ReshapeOp,
    ViewOp,
    dims_of,
    element_type_of,
    is_float,
)
from fusir.dialects.graph.contraction import wide_element
from fusir.remarks import remark
from fusir.transforms.graph.contractions.values import base_of, count, erase_unused, size
from fusir.transforms.graph.fusion.cost import LAUNCH_BYTES, weight
from fusir.transforms.graph.fusion.program import is_code

_MAX_CONE = 32
"""Values behind a factor among which a reduction is looked for."""

_MAX_STEPS = 16
"""Views, conversions and products between the contraction and the factors."""

_Step: TypeAlias = "tuple[ReshapeOp | PermuteOp, frozenset[int]]"
"""A view of the operand, and which dims of the operand of the view are contracted."""


@dataclass
class RowFactors:
    """Takes factors out of the contractions of a function, in program order."""

    operand_ops: set[Operation] = field(default_factory=set)
    """The ops that make what is left of an operand: they are computed as a contraction loads it."""
    made: dict[object, SSAValue] = field(default_factory=dict)
    """What was made, by what it is made of: contractions of one product go on sharing an operand."""

    def hoist(self, contract: ContractOp) -> ContractOp:
        """Take the factors of rows out of both operands. Returns the contraction that is left."""
        for is_lhs in (True, False):
            product = _product(contract, is_lhs)
            if product is not None:
                contract = _Hoist(self, contract, is_lhs, product).run()
        return contract


@dataclass
class _Product:
    """An operand of a contraction as a product behind views."""

    contracted: frozenset[int]
    """The contracted dims of the product."""
    steps: list[_Step] = field(default_factory=list)
    """The views between the product and the contraction, the one next to the contraction first."""
    rows: list[tuple[BroadcastOp, bool]] = field(default_factory=list)
    """Factors for each row that are made of reductions; true if the product is divided by it."""
    columns: list[BroadcastOp] = field(default_factory=list)
    """Factors along the contracted dims only."""
    others: list[SSAValue] = field(default_factory=list)


def _product(contract: ContractOp, is_lhs: bool) -> _Product | None:
    """The factors of an operand, if one of them shall leave the contraction."""
    operand = contract.lhs if is_lhs else contract.rhs
    if not is_float(element_type_of(operand)):
        return None
    found = _Product(frozenset(contract.lhs_contract if is_lhs else contract.rhs_contract))
    if not _contracted_alike(operand, contract, found.contracted):
        return None
    value = operand
    for _ in range(_MAX_STEPS):
        op = value.owner
        if value is not operand and not _has_one_reader(value):
            return None
        if isinstance(op, ReshapeOp | PermuteOp):
            below = _contracted_below(op, found.contracted)
            if below is None:
                return None
            found.steps.append((op, below))
            found.contracted = below
            value = op.operand
        elif isinstance(op, ConvertOp) and _is_float_convert(op):
            value = op.operand
        else:
            break
    if not isinstance(value.owner, MulOp | DivOp):
        return None
    _collect(value, found, exclusive=True, depth=0)
    if not found.rows or not found.others or not all(map(_is_at_hand, found.others)):
        return None
    if element_type_of(operand) == f16 and not _fits_half(found):
        return None
    return found if _pays(operand, found) else None


def _pays(operand: SSAValue, found: _Product) -> bool:
    """Whether the law moves fewer bytes: the product is not written any more.

    Factors along the contracted dims go to the other operand, which is stored once more for each contraction. What is
    left of the product is read for the reduction only, unless a kernel has it anyway that computes it.
    """
    if not found.columns:
        return True
    saved = size(operand)
    if any(isinstance(base_of(value).owner, Operation) for value in found.others):
        saved *= 2
    others = [use.operation.operands[1 - use.index] for use in operand.uses]
    return saved > sum(2 * size(other) for other in others) + LAUNCH_BYTES


def _collect(value: SSAValue, found: _Product, exclusive: bool, depth: int) -> None:
    """Take a product apart. Factors of rows count while nothing but the contraction reads the product."""
    op = value.owner
    if depth < _MAX_STEPS and isinstance(op, ConvertOp) and _is_float_convert(op) and _is_product(op.operand):
        _collect(op.operand, found, exclusive and _has_one_reader(op.operand), depth + 1)
    elif depth < _MAX_STEPS and isinstance(op, MulOp | DivOp):
        left, right = op.lhs, op.rhs
        if isinstance(op, DivOp):
            if not (exclusive and _is_row_factor(right, found)):
                found.others.append(value)
                return
            assert isinstance(right.owner, BroadcastOp)
            found.rows.append((right.owner, True))
            _collect(left, found, exclusive and _has_one_reader(left), depth + 1)
            return
        for side in (left, right):
            if exclusive and _is_row_factor(side, found):
                assert isinstance(side.owner, BroadcastOp)
                found.rows.append((side.owner, False))
            elif _is_column_factor(side, found):
                assert isinstance(side.owner, BroadcastOp)
                found.columns.append(side.owner)
            else:
                _collect(side, found, exclusive and _has_one_reader(side), depth + 1)
    else:
        found.others.append(value)


def _is_product(value: SSAValue) -> bool:
    return isinstance(value.owner, MulOp | DivOp)


def _is_float_convert(op: ConvertOp) -> bool:
    return is_float(element_type_of(op.operand)) and is_float(element_type_of(op.result))


def _has_one_reader(value: SSAValue) -> bool:
    uses = iter(value.uses)
    first = next(uses, None)
    return first is not None and all(use.operation is first.operation for use in uses)


def _contracted_alike(operand: SSAValue, contract: ContractOp, contracted: frozenset[int]) -> bool:
    """Whether only contractions over the same dims read an operand."""
    for use in operand.uses:
        reader = use.operation
        if not isinstance(reader, ContractOp) or reader.parent is not contract.parent:
            return False
        if contracted != frozenset(reader.rhs_contract if use.index else reader.lhs_contract):
            return False
    return True


def _contracted_below(op: ReshapeOp | PermuteOp, contracted: frozenset[int]) -> frozenset[int] | None:
    """Which dims of the operand of a view are contracted, if those of its result are; None if one is so in part."""
    if isinstance(op, PermuteOp):
        return frozenset(op.permutation[d] for d in contracted)
    pieces = common_refinement(dims_of(op.operand), dims_of(op.result))
    if pieces is None:
        return None
    below: dict[int, bool] = {}
    for _, first, second in pieces:
        if below.setdefault(first, second in contracted) != (second in contracted):
            return None
    return frozenset(d for d, is_contracted in below.items() if is_contracted)


def _kept_dims(op: BroadcastOp) -> set[int]:
    """The dims along which a broadcast value may vary."""
    return {d for d, extent in zip(op.dims, dims_of(op.operand), strict=True) if extent != 1}


def _is_row_factor(value: SSAValue, found: _Product) -> bool:
    op = value.owner
    if not isinstance(op, BroadcastOp) or not is_float(element_type_of(value)):
        return False
    return not _kept_dims(op) & found.contracted and _is_made_of_reduction(op.operand)


def _is_column_factor(value: SSAValue, found: _Product) -> bool:
    op = value.owner
    return isinstance(op, BroadcastOp) and bool(kept := _kept_dims(op)) and kept <= found.contracted


def _is_made_of_reduction(value: SSAValue) -> bool:
    seen: set[SSAValue] = set()
    waiting = [value]
    while waiting and len(seen) < _MAX_CONE:
        each = waiting.pop()
        if each in seen:
            continue
        seen.add(each)
        op = each.owner
        if isinstance(op, ReduceOp):
            return True
        if isinstance(op, PointwiseOp | ViewOp):
            waiting += op.operands
    return False


def _is_at_hand(value: SSAValue) -> bool:
    """Whether a factor is stored anyway, or a cheap function of what is: it is computed as it is loaded."""
    while isinstance(value.owner, ConvertOp) and size(base_of(value.owner.operand)) <= size(value):
        value = base_of(value.owner.operand)
    op = base_of(value).owner
    if not isinstance(op, Operation) or not is_code(op):
        return True
    return isinstance(op, PointwiseOp) and weight(op) == 1


def _fits_half(found: _Product) -> bool:
    """Whether a product without its row factors does not overflow f16: it is an f16 tensor."""
    if found.columns or len(found.others) != 1:
        return False
    op = found.others[0].owner
    value = op.operand if isinstance(op, ConvertOp) else found.others[0]
    return element_type_of(value) == f16


def _unconverted(value: SSAValue) -> SSAValue:
    """A value before it was widened."""
    op = value.owner
    is_widened = isinstance(op, ConvertOp) and wide_element(element_type_of(op.operand)) == element_type_of(value)
    return op.operand if isinstance(op, ConvertOp) and is_widened else value


class _Hoist:
    """Rewrites one contraction."""

    def __init__(self, factors: RowFactors, contract: ContractOp, is_lhs: bool, product: _Product) -> None:
        self._factors = factors
        self._contract = contract
        self._is_lhs = is_lhs
        self._product = product
        self._ops: list[Operation] = []

    def run(self) -> ContractOp:
        old, product = self._contract, self._product
        operand, other = (old.lhs, old.rhs) if self._is_lhs else (old.rhs, old.lhs)
        element = element_type_of(operand)
        moves = bool(product.columns) and count(other) < count(operand)
        if moves:
            wide = self._convert(other)
            for column in product.columns:
                wide = self._add(MulOp(wide, self._column(column, other)))
            other = self._add(ConvertOp(wide, element)) if wide.type != other.type else wide
        factors = [*product.others, *(() if moves else (column.result for column in product.columns))]
        operand = self._lift_product(factors)
        lhs, rhs = (operand, other) if self._is_lhs else (other, operand)
        new = ContractOp(
            lhs,
            rhs,
            old.lhs_batch,
            old.rhs_batch,
            old.lhs_contract,
            old.rhs_contract,
            element=wide_element(element),
            precision=old.precision,
        )
        value = self._add(new)
        for row, divides in product.rows:
            factor = self._row(row, value)
            value = self._add(DivOp(value, factor) if divides else MulOp(value, factor))
        if value.type != old.result.type:
            value = self._add(ConvertOp(value, element_type_of(old.result)))
        Rewriter.insert_op(self._ops, InsertPoint.before(old))
        value.name_hint = old.result.name_hint
        old.result.replace_all_uses_with(value)
        side = "left" if self._is_lhs else "right"
        remark("fused", "fuse-contractions", f"row factors of the {side} operand follow the product", old.location)
        erase_unused([old.result])
        return new

    def _add(self, op: Operation) -> SSAValue:
        op.location = self._contract.location
        self._ops.append(op)
        return op.results[0]

    def _convert(self, value: SSAValue) -> SSAValue:
        """A value in the precision of factors, at least f32."""
        wide = wide_element(element_type_of(value))
        return value if element_type_of(value) == wide else self._add(ConvertOp(value, wide))

    def _reshape(self, value: SSAValue, dims: Sequence[Dim]) -> SSAValue:
        return value if dims_of(value) == tuple(dims) else self._add(ReshapeOp(value, dims))

    def _permute(self, value: SSAValue, permutation: Sequence[int]) -> SSAValue:
        if list(permutation) == sorted(permutation):
            return value
        return self._add(PermuteOp(value, permutation))

    def _lift_product(self, factors: Sequence[SSAValue]) -> SSAValue:
        """The product of some factors, behind the views of the operand and in its type."""
        element = element_type_of(self._contract.lhs)
        steps = self._product.steps
        key = (tuple(factors), tuple(step for step, _ in steps), element)
        if key not in self._factors.made:
            first = len(self._ops)
            self._factors.made[key] = self._make_product([_unconverted(factor) for factor in factors], element)
            self._factors.operand_ops.update(self._ops[first:])
        return self._factors.made[key]

    def _make_product(self, factors: Sequence[SSAValue], element: Attribute) -> SSAValue:
        # Conversions are made anew: what else reads the converted values shall not keep them from being so.
        value = factors[0]
        if len(factors) > 1:
            value = self._convert(value)
            for factor in factors[1:]:
                value = self._add(MulOp(value, self._convert(factor)))
        if element_type_of(value) != element:
            value = self._add(ConvertOp(value, element))
        for step, _ in reversed(self._product.steps):
            is_reshape = isinstance(step, ReshapeOp)
            value = self._add(
                ReshapeOp(value, dims_of(step.result)) if is_reshape else PermuteOp(value, step.permutation)
            )
        return value

    def _project(self, op: BroadcastOp, kept: Sequence[int]) -> SSAValue:
        """A broadcast value along the dims `kept` only: it does not vary along the others."""
        dims, source = dims_of(op.result), dims_of(op.operand)
        positions = [j for j, d in enumerate(op.dims) if d in kept]
        value = self._reshape(op.operand, [source[j] for j in positions])
        target = [dims[d] for d in kept]
        if list(dims_of(value)) == target:
            return value
        return self._add(BroadcastOp(value, [list(kept).index(op.dims[j]) for j in positions], target))

    def _lift(self, value: SSAValue, contracted: bool) -> SSAValue:
        """A value along the contracted dims of the product (or the others) along those of the operand."""
        product = self._product
        steps = product.steps
        above = [
            frozenset(self._contract.lhs_contract if self._is_lhs else self._contract.rhs_contract),
            *(below for _, below in steps),
        ]
        for number in reversed(range(len(steps))):
            step, below = steps[number]
            to = above[number]
            dims = dims_of(step.result)
            kept = [d for d in range(len(dims)) if (d in to) == contracted]
            if isinstance(step, ReshapeOp):
                value = self._reshape(value, [dims[d] for d in kept])
            else:
                source = [d for d in range(len(dims)) if (d in below) == contracted]
                value = self._permute(value, [source.index(step.permutation[d]) for d in kept])
        return value

    def _row(self, op: BroadcastOp, result: SSAValue) -> SSAValue:
        """A factor for each row, at the elements of the result."""
        contract = self._contract
        operand, batch, used = (
            (contract.lhs, contract.lhs_batch, contract.lhs_contract)
            if self._is_lhs
            else (contract.rhs, contract.rhs_batch, contract.rhs_contract)
        )
        rank = len(dims_of(op.result))
        kept = [d for d in range(rank) if d not in self._product.contracted]
        value = self._convert(self._lift(self._project(op, kept), contracted=False))
        all_dims = range(len(dims_of(operand)))
        free = [d for d in all_dims if d not in (*batch, *used)]
        first = len(batch) if self._is_lhs else len(dims_of(result)) - len(free)
        places = {d: place for place, d in enumerate(batch)}
        places |= {d: first + place for place, d in enumerate(free)}
        return self._spread(value, [places[d] for d in all_dims if d not in used], result)

    def _column(self, op: BroadcastOp, other: SSAValue) -> SSAValue:
        """A factor along the contracted dims, at the elements of the other operand."""
        contract = self._contract
        used, others = contract.lhs_contract, contract.rhs_contract
        if not self._is_lhs:
            used, others = others, used
        rank = len(dims_of(op.result))
        kept = [d for d in range(rank) if d in self._product.contracted]
        value = self._convert(self._lift(self._project(op, kept), contracted=True))
        return self._spread(value, [others[used.index(d)] for d in sorted(used)], other)

    def _spread(self, value: SSAValue, places: Sequence[int], target: SSAValue) -> SSAValue:
        """A value whose dims are those at `places` of a tensor, repeated along the others."""
        order = sorted(range(len(places)), key=lambda position: places[position])
        value = self._permute(value, order)
        dims = dims_of(target)
        if dims_of(value) == dims:
            return value
        return self._add(BroadcastOp(value, sorted(places), dims))
