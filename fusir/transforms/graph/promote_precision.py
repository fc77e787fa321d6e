"""Half precision inside a fusion is computed in f32."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, f32
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from fusir.dialects import graph
from fusir.transforms.graph.patterns.matching import producer

_ROUNDED_OPERANDS = (
    graph.CompareOp,
    graph.IsNanOp,
    graph.IsInfOp,
    graph.FloorOp,
    graph.CeilOp,
    graph.RoundOp,
    graph.TruncOp,
    graph.FloorDivOp,
    graph.RemOp,
    graph.ModOp,
    graph.SignOp,
)
"""Ops that jump: they see the rounded value, so that excess precision does not change which way they go."""

_POSITIONS = (graph.ReduceKind.ARGMAX, graph.ReduceKind.ARGMIN)


def _is_half(value: SSAValue) -> bool:
    return graph.is_half(graph.element_type_of(value))


def _with_element(value: SSAValue, element_type: Attribute) -> graph.AnyTensor:
    return graph.tensor_type(element_type, graph.dims_of(value))


class _FusionRewrite:
    """One walk over the body of a fusion.

    A half value is either stored: it exists in the body as it was; or computed: only its f32 value exists, in
    `_computed`. Each conversion between the two is made once, at its first use.
    """

    def __init__(self, strict: bool) -> None:
        self._strict = strict
        self._computed: dict[SSAValue, SSAValue] = {}
        self._stored_of_computed: dict[SSAValue, SSAValue] = {}
        self._wide_of_stored: dict[SSAValue, SSAValue] = {}
        self._replaced: list[Operation] = []
        self._op: Operation

    def run(self, fusion: graph.FusionOp) -> None:
        for op in list(fusion.block.ops):
            self._op = op
            if any(_is_half(v) for v in (*op.operands, *op.results)):
                self._rewrite(op)
        for op in reversed(self._replaced):
            op.detach()
            op.erase()

    # Values

    def _insert(self, op: Operation) -> SSAValue:
        op.location = self._op.location
        Rewriter.insert_op(op, InsertPoint.before(self._op))
        return op.results[0]

    def _stored(self, value: SSAValue) -> SSAValue:
        """The value in half precision."""
        wide = self._computed.get(value)
        if wide is None:
            return value
        if value not in self._stored_of_computed:
            half = self._insert(graph.ConvertOp(wide, graph.element_type_of(value)))
            self._stored_of_computed[value] = half
        return self._stored_of_computed[value]

    def _wide(self, value: SSAValue) -> SSAValue:
        """The value in f32, with the precision in which it was computed."""
        if not _is_half(value):
            return value
        return self._computed[value] if value in self._computed else self._widened(value)

    def _rounded(self, value: SSAValue) -> SSAValue:
        """The value in f32 after rounding to half precision."""
        return self._widened(self._stored(value)) if _is_half(value) else value

    def _widened(self, stored: SSAValue) -> SSAValue:
        if stored not in self._wide_of_stored:
            full = producer(stored, graph.FullOp)
            if full is not None:
                wide: Operation = graph.FullOp(full.scalar, _with_element(stored, f32))
            else:
                wide = graph.ConvertOp(stored, f32)
            self._wide_of_stored[stored] = self._insert(wide)
        return self._wide_of_stored[stored]

    # Ops

    def _rewrite(self, op: Operation) -> None:
        match op:
            case graph.ConvertOp():
                self._convert(op)
            case graph.ContractOp():
                self._contract(op)
            case graph.BitcastOp() | graph.YieldOp():
                # A bitcast needs the very bits.
                self._keep(op)
            case graph.ReduceOp() | graph.ScanOp() if op.kind in _POSITIONS:
                self._compute(op, [self._rounded(op.operand)])
            case graph.PointwiseOp() if isinstance(op, _ROUNDED_OPERANDS):
                self._compute(op, [self._rounded(v) for v in op.operands])
            case graph.SelectOp() | graph.ViewOp() | graph.PadOp() | graph.ConcatOp() | graph.GatherOp():
                # Ops that only move values run in the precision in which their operands are at hand.
                if any(v in self._computed for v in op.operands):
                    self._compute(op, [self._wide(v) for v in op.operands])
                else:
                    self._keep(op)
            case graph.PointwiseOp() | graph.ReduceOp() | graph.ScanOp():
                self._compute(op, [self._wide(v) for v in op.operands])
            case _:
                self._keep(op)

    def _keep(self, op: Operation) -> None:
        """Leave the op as it is, on stored operands."""
        for i, value in enumerate(op.operands):
            stored = self._stored(value)
            if stored is not value:
                op.operands[i] = stored

    def _convert(self, op: graph.ConvertOp) -> None:
        """A conversion from or to half precision: the rounding between two computations in f32 is dropped."""
        target = graph.element_type_of(op.result)
        if graph.is_half(target) and self._strict:
            self._keep(op)
        elif graph.is_half(target):
            wide = self._wide(op.operand)
            is_f32 = graph.element_type_of(wide) == f32
            self._define(op, wide if is_f32 else self._insert(graph.ConvertOp(wide, f32)))
        else:
            value = self._wide(op.operand) if graph.is_float(target) else self._rounded(op.operand)
            self._replace(op, value if target == f32 else self._insert(graph.ConvertOp(value, target)))

    def _contract(self, op: graph.ContractOp) -> None:
        """A contraction of stored halves: it accumulates in f32, and what follows takes the sums as they are."""
        if self._strict or not _is_half(op.result):
            self._keep(op)
            return
        new = graph.ContractOp(
            self._stored(op.lhs),
            self._stored(op.rhs),
            op.lhs_batch,
            op.rhs_batch,
            op.lhs_contract,
            op.rhs_contract,
            element=f32,
        )
        new.attributes = dict(op.attributes)
        wide = self._insert(new)
        wide.name_hint = op.result.name_hint
        self._define(op, wide)

    def _compute(self, op: Operation, operands: Sequence[SSAValue]) -> None:
        """The op on f32 operands; a result of half precision becomes a computed one."""
        result = op.results[0]
        element = f32 if _is_half(result) else graph.element_type_of(result)
        properties = dict(op.properties)
        if isinstance(op, graph.PadOp):
            properties["value"] = graph.scalar_attr(op.scalar, element)
        new = type(op).create(
            operands=operands,
            result_types=[_with_element(result, element)],
            properties=properties,
            attributes=op.attributes,
        )
        value = self._insert(new)
        value.name_hint = result.name_hint
        if _is_half(result):
            self._define(op, value)
        else:
            self._replace(op, value)

    def _define(self, op: Operation, wide: SSAValue) -> None:
        """Record the f32 value of the half result of the op; with strict rounding the rounded value takes its place."""
        result = op.results[0]
        if self._strict:
            self._replace(op, self._insert(graph.ConvertOp(wide, graph.element_type_of(result))))
        else:
            self._computed[result] = wide
            self._replaced.append(op)

    def _replace(self, op: Operation, value: SSAValue) -> None:
        op.results[0].replace_all_uses_with(value)
        self._replaced.append(op)


@dataclass(frozen=True)
class PromotePrecisionPass(ModulePass):
    """Inside each fusion, compute f16 and bf16 in f32: convert where stored values are first used and where results are
    yielded, and drop the roundings between."""

    name = "promote-precision"

    strict_rounding: bool = False
    """Round the result of each op to half precision, as eager PyTorch does."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for fusion in [o for o in op.walk() if isinstance(o, graph.FusionOp)]:
            _FusionRewrite(self.strict_rounding).run(fusion)
