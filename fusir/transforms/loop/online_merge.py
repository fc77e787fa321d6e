"""Merging what the walks over parts of the iterations end with; `fusir.transforms.loop.online` says what they carry.

Each walk has summed up its part at its own estimates of the earlier results. The merged results are the folds over the
parts; a sum is corrected, before it is folded, from the estimates of its part to the results of all parts, by the
same law by which a walk corrects it from block to block.
"""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects import arith
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from fusir.analysis.cascade import Cascade, Folded
from fusir.analysis.nests import kernel_extents
from fusir.analysis.rescaling import UNIT, Coefficient
from fusir.conversion.scalar_builder import ScalarBuilder
from fusir.dialects.loop import Combiner, FoldOp, KernelOp, YieldOp
from fusir.transforms.loop.online_scalars import Scope, coefficient_value, combination, iterations, tamed
from fusir.transforms.loop.online_state import Slot, State, estimate


def build_merge(kernel: KernelOp, cascade: Cascade, state: State, constants: ScalarBuilder) -> Region:
    """The merge of a `loop.online` that carries `state`."""
    return _Merge(kernel, cascade, state, constants).build()


class _Merge:
    def __init__(self, kernel: KernelOp, cascade: Cascade, state: State, constants: ScalarBuilder):
        self.kernel = kernel
        self.cascade = cascade
        self.state = state
        block = Block(arg_types=[slot.before.type for slot in state.slots])
        self.scope = Scope(block, constants)
        self.of_part: dict[Slot, SSAValue] = dict(zip(state.slots, block.args, strict=True))
        """What the walk over a part has carried to its end."""
        self.of_all: dict[Slot, SSAValue] = {}
        self.values: dict[SSAValue, SSAValue] = {}
        """Uniform values of the merged results."""
        self.old: dict[SSAValue, SSAValue] = {}
        """Uniform values at the last estimates of a part."""

    def build(self) -> Region:
        block = self.scope.block
        for slot, argument in self.of_part.items():
            argument.name_hint = slot.before.name_hint
        for element, slot in self.state.counts.items():
            self.of_all[slot] = self._total(element)
        for folded in self.cascade.folded:
            if folded.form is None:
                self._fold(folded)
            else:
                self._fold_terms(folded)
        block.add_op(
            YieldOp([self.of_all[slot] for slot in self.state.slots], location=self.cascade.reduces[0].location)
        )
        return Region(block)

    def _fold(self, folded: Folded) -> None:
        slots = self.state.folds[folded]
        values = [self.of_part[slot] for slot in slots]
        if folded.shift is not None:
            element = values[0].type
            values[0] = self.scope.add(arith.AddfOp(values[0], self._correction(folded.shift, element)))
        merged = self._over_parts(folded, folded.combiner, values, folded.results[-1].name_hint)
        self.of_all |= zip(slots, merged, strict=True)

    def _fold_terms(self, folded: Folded) -> None:
        element = folded.values[0].type
        slots = self.state.sums[folded]
        sums = {term: self.of_part[slot] for term, slot in slots.items()}
        for term, form in folded.terms.items():
            if term == UNIT:
                continue
            corrected = combination(self.scope, form, sums, element, lambda c: self._correction(c, element))
            hint = folded.results[0].name_hint if term == folded.values[0] else None
            (self.of_all[slots[term]],) = self._over_parts(folded, Combiner.ADD, [corrected], hint)

    def _over_parts(
        self, folded: Folded, combiner: Combiner, values: list[SSAValue], hint: str | None
    ) -> list[SSAValue]:
        op = FoldOp(combiner, values, folded.reduce.location)
        for result in op.results:
            result.name_hint = hint
        self.scope.block.add_op(op)
        return list(op.results)

    def _correction(self, coefficient: Coefficient, element: Attribute) -> SSAValue:
        return coefficient_value(self.scope, coefficient, element, self._merged, self._of_part)

    # Uniform values

    def _merged(self, value: SSAValue) -> SSAValue:
        """A uniform value of the merged results."""
        return self._evaluate(value, self.values, self._estimate_merged)

    def _of_part(self, value: SSAValue) -> SSAValue:
        """A uniform value at the last estimates of a part."""
        return self._evaluate(value, self.old, self._estimate_of_part)

    def _evaluate(
        self,
        value: SSAValue,
        known: dict[SSAValue, SSAValue],
        estimate_of: Callable[[Folded, SSAValue], SSAValue],
    ) -> SSAValue:
        if (found := known.get(value)) is not None:
            return found
        source = self.cascade.of_result.get(value)
        if source is not None:
            found = estimate_of(source, value)
        elif value in self.cascade.dependent:
            owner = value.owner
            assert isinstance(owner, Operation)
            operands = [self._evaluate(operand, known, estimate_of) for operand in owner.operands]
            found = self.scope.clone(owner, operands)
            if not self.cascade.is_tame(value):
                found = tamed(self.scope, found)
        else:
            found = value
        known[value] = found
        return found

    def _estimate_merged(self, folded: Folded, result: SSAValue) -> SSAValue:
        so_far = self.state.so_far(self.scope, folded, result, self.of_all.__getitem__, self._merged)
        return estimate(self.scope, folded, so_far)

    def _estimate_of_part(self, folded: Folded, result: SSAValue) -> SSAValue:
        so_far = self.state.so_far(self.scope, folded, result, self.of_part.__getitem__, self._of_part)
        if folded.combiner is not Combiner.ADD:
            return estimate(self.scope, folded, so_far)
        # A part may have no iterations.
        one = self.scope.constant(1.0, result.type)
        count = self.scope.add(arith.MaximumfOp(self.of_part[self.state.counts[result.type]], one))
        return estimate(self.scope, folded, so_far, self._total(result.type), count)

    def _total(self, element: Attribute) -> SSAValue:
        return iterations(self.scope, self.kernel, kernel_extents(self.cascade.reduces[0]), element)
