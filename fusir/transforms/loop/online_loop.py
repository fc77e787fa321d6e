"""Building the one loop of a cascade of reductions; `fusir.transforms.loop.online` says what it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from xdsl.dialects import arith
from xdsl.dialects.builtin import AnyFloat, IndexType, i64
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from fusir.analysis.cascade import Cascade, Folded
from fusir.analysis.expr import product
from fusir.analysis.nests import kernel_extents
from fusir.analysis.rescaling import ONE, UNIT, ZERO, Coefficient, Form, Masked, Product, Term, Unit, settled
from fusir.conversion.scalar_builder import ScalarBuilder
from fusir.conversion.tile_reduction import fold, identities
from fusir.dialects.loop import Combiner, FoldOp, KernelOp, OnlineOp, StoreOp, WalkedOp, YieldOp
from fusir.transforms.loop.online_merge import build_merge
from fusir.transforms.loop.online_scalars import (
    Scope,
    Uniform,
    bounded,
    coefficient_value,
    combination,
    iterations,
    tamed,
)
from fusir.transforms.loop.online_state import Slot, State, estimate

_INDEX = IndexType()


def build_online(kernel: KernelOp, cascade: Cascade) -> None:
    """Replace the reductions of a cascade by one `loop.online`."""
    _Builder(kernel, cascade).build()


class _Builder:
    def __init__(self, kernel: KernelOp, cascade: Cascade):
        self.kernel = kernel
        self.cascade = cascade
        self.dependent = cascade.dependent
        self.constants = ScalarBuilder()
        self.first = cascade.reduces[0]
        self.rank = len(self.first.indices)
        block = Block(arg_types=[_INDEX] * self.rank)
        for argument, index in zip(block.args, self.first.indices, strict=True):
            argument.name_hint = index.name_hint
        self.scope = Scope(block, self.constants)
        self.state = State()
        self.values: dict[SSAValue, SSAValue] = {}
        """Values in the loop, uniform ones at the new estimates."""
        self.old: dict[SSAValue, SSAValue] = {}
        """Uniform values in the loop at the old estimates."""

    def build(self) -> None:
        block = self.scope.block
        for reduce in self.cascade.reduces:
            self.values |= zip(reduce.indices, block.args, strict=False)
            for op in reduce.body.block.ops:
                if isinstance(op, StoreOp):
                    block.add_op(op.clone({operand: self._now(operand) for operand in op.operands}))
            for folded in self.cascade.folded:
                if folded.reduce is reduce:
                    self._fold(folded)
        location = self.first.location
        slots = self.state.slots
        block.add_op(YieldOp([slot.after for slot in slots], location=location))
        merge = build_merge(self.kernel, self.cascade, self.state, self.constants)
        inits = [slot.init for slot in slots]
        online = OnlineOp(self.first.bounds, self.first.symbols, inits, Region(block), location=location, merge=merge)
        self.cascade.block.insert_op_before(online, self.first)
        for slot, result in zip(slots, online.results, strict=True):
            result.name_hint = slot.before.name_hint
        _Epilogue(self, dict(zip(slots, online.results, strict=True))).build()
        constants: list[Operation] = [op for op in self.constants.constants.values() if op.parent is None]
        top = self.kernel.body.block
        if constants:
            assert top.first_op is not None
            top.insert_ops_before(constants, top.first_op)

    def _carry(self, init: float | int, element: Attribute, hint: str | None) -> Slot:
        """A new carried value with a constant start."""
        block = self.scope.block
        argument = block.insert_arg(element, len(block.args))
        argument.name_hint = hint
        slot = Slot(self.constants.constant(init, element), argument)
        self.state.slots.append(slot)
        return slot

    # Values in the loop

    def _now(self, value: SSAValue) -> SSAValue:
        """A value in the loop, at the new estimates."""
        return self._evaluate(value, self.values, self._estimate_now)

    def _before(self, value: SSAValue) -> SSAValue:
        """A uniform value in the loop, at the old estimates."""
        return self._evaluate(value, self.old, self._estimate_before)

    def _evaluate(
        self, value: SSAValue, known: dict[SSAValue, SSAValue], estimate: Callable[[Folded, SSAValue], SSAValue]
    ) -> SSAValue:
        if (found := known.get(value)) is not None:
            return found
        source = self.cascade.of_result.get(value)
        owner = value.owner
        if source is not None:
            found = estimate(source, value)
        elif value in self.dependent or self._is_inner(value):
            assert isinstance(owner, Operation)
            found = self.scope.clone(owner, [self._evaluate(operand, known, estimate) for operand in owner.operands])
            if not self._is_inner(value) and not self.cascade.is_tame(value):
                found = tamed(self.scope, found)
        else:
            self._hoist(value)
            found = value
        if found.name_hint is None:
            found.name_hint = value.name_hint
        known[value] = found
        return found

    def _is_inner(self, value: SSAValue) -> bool:
        """Whether a value is computed in the body of a reduction of the cascade."""
        owner = value.owner
        return isinstance(owner, Operation) and owner.parent_op() in self.cascade.reduces

    def _hoist(self, value: SSAValue) -> None:
        """Put a value that depends on none of the reductions before the loop."""
        owner = value.owner
        if not isinstance(owner, Operation) or owner.parent is not self.cascade.block:
            return
        if owner.is_before_in_block(self.first):
            return
        for operand in owner.operands:
            self._hoist(operand)
        owner.detach()
        self.cascade.block.insert_op_before(owner, self.first)

    # Folds

    def _fold(self, folded: Folded) -> None:
        if folded.form is not None:
            self._fold_terms(folded, folded.form)
            return
        elements = [value.type for value in folded.values]
        starts = identities(folded.combiner, elements)
        slots = [self._carry(start, old.type, old.name_hint) for start, old in zip(starts, folded.results, strict=True)]
        before = [slot.before for slot in slots]
        if folded.shift is not None:
            before[0] = self.scope.add(arith.AddfOp(before[0], self._correction(folded.shift, elements[0])))
        of_block = FoldOp(folded.combiner, [self._now(value) for value in folded.values], folded.reduce.location)
        self.scope.block.add_op(of_block)
        after = fold(self.scope.emit, folded.combiner, before, list(of_block.results), elements[0])
        for slot, value in zip(slots, after, strict=True):
            slot.after = value
        self.state.folds[folded] = slots

    def _fold_terms(self, folded: Folded, form: Form) -> None:
        """Carry the sum of each term of the form."""
        (value,) = folded.values
        element = value.type
        slots: dict[Term, Slot] = {}
        for term in folded.terms:
            if term == UNIT:
                slots[term] = self._count(element)
            else:
                slots[term] = self._carry(0.0, element, folded.results[0].name_hint if term == value else None)
        self.state.sums[folded] = slots
        before = {term: slot.before for term, slot in slots.items()}
        for term, own_form in folded.terms.items():
            if term == UNIT:
                continue
            of_block = FoldOp(Combiner.ADD, [self._term(term, element)], folded.reduce.location)
            self.scope.block.add_op(of_block)
            corrected = combination(self.scope, own_form, before, element, lambda c: self._correction(c, element))
            slots[term].after = self.scope.add(arith.AddfOp(corrected, of_block.results[0]))

    def _term(self, term: Term, element: Attribute) -> SSAValue:
        """The value of a term in an iteration."""
        match term:
            case Unit():
                return self.scope.constant(1.0, element)
            case Product():
                return self.scope.add(arith.MulfOp(self._term(term.lhs, element), self._term(term.rhs, element)))
            case Masked():
                value, zero = self._term(term.term, element), self.scope.constant(0.0, element)
                operands = (value, zero) if term.holds else (zero, value)
                return self.scope.add(arith.SelectOp(self._now(term.condition), *operands))
            case _:
                return self._now(term)

    def _correction(self, coefficient: Coefficient, element: Attribute) -> SSAValue:
        """A coefficient in the loop."""
        return coefficient_value(self.scope, coefficient, element, self._now, self._before)

    # Estimates

    def _count(self, element: Attribute) -> Slot:
        """The iterations so far, as floats."""
        if (slot := self.state.counts.get(element)) is None:
            slot = self.state.counts[element] = self._carry(0.0, element, "count")
            walked = WalkedOp()
            self.scope.block.add_op(walked)
            assert isinstance(element, AnyFloat)
            number = self.scope.add(arith.IndexCastOp(walked.result, i64))
            slot.after = self.scope.add(arith.SIToFPOp(number, element))
            slot.after.name_hint = "count"
        return slot

    def _estimate_now(self, folded: Folded, result: SSAValue) -> SSAValue:
        so_far = self.state.so_far(self.scope, folded, result, lambda slot: slot.after, self._now)
        if folded.combiner is not Combiner.ADD:
            return estimate(self.scope, folded, so_far)
        return estimate(self.scope, folded, so_far, self._total(result.type), self._count(result.type).after)

    def _estimate_before(self, folded: Folded, result: SSAValue) -> SSAValue:
        so_far = self.state.so_far(self.scope, folded, result, lambda slot: slot.before, self._before)
        if folded.combiner is not Combiner.ADD:
            return estimate(self.scope, folded, so_far)
        one = self.scope.constant(1.0, result.type)
        count = self.scope.add(arith.MaximumfOp(self._count(result.type).before, one))
        return estimate(self.scope, folded, so_far, self._total(result.type), count)

    def _total(self, element: Attribute) -> SSAValue:
        return iterations(self.scope, self.kernel, kernel_extents(self.first), element)


class _Epilogue:
    """The results of the reductions behind the loop, where each of these stood."""

    def __init__(self, builder: _Builder, results: Mapping[Slot, SSAValue]):
        self.builder = builder
        self.cascade = builder.cascade
        self.results = results
        self.exact = {folded: self._is_exact(folded) for folded in self.cascade.folded}
        self.final: dict[SSAValue, SSAValue] = {}
        """What has taken the place of the results of the reductions."""
        self.estimates: dict[SSAValue, SSAValue] = {}
        """Uniform values at the estimates that the last block had."""
        self.scope = Scope(Block(), builder.constants)

    def build(self) -> None:
        for reduce in self.cascade.reduces:
            self.scope = Scope(Block(), self.builder.constants)
            for folded in self.cascade.folded:
                if folded.reduce is reduce:
                    self._replace(folded)
            for op in list(self.scope.block.ops):
                op.detach()
                op.location = reduce.location
                self.cascade.block.insert_op_before(op, reduce)
            for old in reduce.results:
                new = self.final[old]
                if new.name_hint is None:
                    new.name_hint = old.name_hint
                old.replace_all_uses_with(new)
        for reduce in self.cascade.reduces:
            reduce.detach()
            reduce.erase()

    def _replace(self, folded: Folded) -> None:
        values = self._values(folded)
        for old, value in zip(folded.results, values, strict=True):
            self.final[old] = value
            self.estimates[old] = self.estimates[value] = self._last_estimate(folded, value)

    def _values(self, folded: Folded) -> list[SSAValue]:
        """The results of a fold."""
        element = folded.values[0].type
        if folded.form is None:
            values = [self.results[slot] for slot in self.builder.state.folds[folded]]
            if folded.shift is not None and not self.exact[folded]:
                shift = coefficient_value(self.scope, folded.shift, element, self._true, self._estimate)
                values[0] = self._unless_empty(self.scope.add(arith.AddfOp(values[0], shift)), values[0])
            return values
        form = folded.form
        if self.exact[folded]:
            form = {term: settled(coefficient) for term, coefficient in form.items()}
        total = self._sum(folded, form, self._true)
        if any(coefficient not in (ZERO, ONE) for coefficient in form.values()):
            total = self._unless_empty(total, self.scope.constant(0.0, element))
        return [total]

    def _unless_empty(self, value: SSAValue, nothing: SSAValue) -> SSAValue:
        """The value, or that of a loop without iterations: its correction may be no number."""
        extents = kernel_extents(self.builder.first)
        if isinstance(count := product(extents), int) and count > 0:
            return value
        total = iterations(self.scope, self.builder.kernel, extents, value.type)
        is_empty = self.scope.add(arith.CmpfOp(total, self.scope.constant(0.0, value.type), "oeq"))
        return self.scope.add(arith.SelectOp(is_empty, nothing, value))

    def _sum(self, folded: Folded, form: Form, new: Uniform) -> SSAValue:
        element = folded.values[0].type
        sums = {term: self.results[slot] for term, slot in self.builder.state.sums[folded].items()}
        return combination(
            self.scope, form, sums, element, lambda c: coefficient_value(self.scope, c, element, new, self._estimate)
        )

    def _last_estimate(self, folded: Folded, value: SSAValue) -> SSAValue:
        """The estimate of a result that the last block had, given the result."""
        if folded.form is not None and not self.exact[folded]:
            form = {term: settled(coefficient) for term, coefficient in folded.form.items()}
            value = self._sum(folded, form, self._estimate)
        return value if folded.combiner is Combiner.ADD else bounded(self.scope, folded.combiner, value)

    def _is_exact(self, folded: Folded) -> bool:
        """Whether the last estimates of all that a fold depends on are the results themselves, as those of sums are."""
        if not self.cascade.are_tame(folded.values):
            return False
        seen: set[Folded] = set()
        pending = [folded]
        while pending:
            for result in self.cascade.sources(pending.pop().values):
                source = self.cascade.of_result[result]
                if not self.cascade.are_tame(source.values):
                    return False
                if source.combiner is not Combiner.ADD and isinstance(source.values[0].type, AnyFloat):
                    return False
                if source not in seen:
                    seen.add(source)
                    pending.append(source)
        return True

    def _true(self, value: SSAValue) -> SSAValue:
        """A uniform value, of the results themselves."""
        return self.final.get(value, value)

    def _estimate(self, value: SSAValue) -> SSAValue:
        """A uniform value at the estimates that the last block had."""
        if (found := self.estimates.get(value)) is not None:
            return found
        owner = value.owner
        if value not in self.cascade.dependent or not isinstance(owner, Operation):
            return value
        found = self.scope.clone(owner, [self._estimate(operand) for operand in owner.operands])
        if not self.cascade.is_tame(value):
            found = tamed(self.scope, found)
        self.estimates[value] = found
        return found
