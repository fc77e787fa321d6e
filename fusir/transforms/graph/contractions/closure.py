"""What can follow a contraction in its kernel: the closure of its result over ops that are computed at its elements."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from xdsl.dialects.func import ReturnOp
from xdsl.ir import Operation, SSAValue

from fusir.analysis.space import keeps_flat_index
from fusir.dialects.graph import (
    CallAtenOp,
    ContractOp,
    GraphOp,
    PermuteOp,
    PointwiseOp,
    ReduceOp,
    ViewOp,
)
from fusir.transforms.graph.contractions import cost
from fusir.transforms.graph.contractions.reductions import cut_of
from fusir.transforms.graph.fusion.program import is_code


@dataclass
class Closure:
    """A contraction, or two that share an operand, and the ops that may follow in one kernel."""

    seeds: list[ContractOp]
    members: dict[Operation, int] = field(default_factory=dict)
    """The ops in program order, views included, each with the contractions that it depends on as a bit mask."""
    window: list[Operation] = field(default_factory=list)
    """The ops from the first contraction on that were looked at, in program order."""
    dependents: set[Operation] = field(default_factory=set)
    """Ops of the window that are no members, and depend on one."""
    far: set[Operation] = field(default_factory=set)
    """Those of them that are in no kernel with what just follows the members: a contraction is between."""
    refused: list[tuple[Operation, str]] = field(default_factory=list)
    """Readers of members that are none themselves, and why."""

    def meeting(self) -> Operation | None:
        """The first op that depends on the first contraction and on another one."""
        return next((op for op, mask in self.members.items() if mask & 1 and mask & ~1), None)


@dataclass
class Search:
    """Finds closures in one function."""

    position: Mapping[Operation, int]
    """About where each op stands."""
    copied: AbstractSet[Operation]
    """The permuted results that must be copied, so that the kernel that has the elements writes them."""
    loaded: AbstractSet[Operation]
    """What is computed as operands of contractions are loaded."""
    reductions: bool
    """Whether kernels may reduce their results."""
    eligible: Callable[[ContractOp], bool]
    """Whether a contraction may be in a fusion."""

    def closure(self, contract: ContractOp) -> Closure:
        """The closure of a contraction, with the first contraction that shares an operand and meets it."""
        found = self._walk(contract, None)
        if len(found.seeds) == 1:
            return found
        meeting = found.meeting()
        if meeting is None:
            return self._walk(contract, [])
        mask = found.members[meeting]
        others = [seed for number, seed in enumerate(found.seeds) if number and mask >> number & 1]
        return found if len(found.seeds) == 2 else self._walk(contract, others[:1])

    def _walk(self, contract: ContractOp, partners: list[ContractOp] | None) -> Closure:
        """The closure of a contraction with these partners; None: with any that may be one."""
        return _Walk(self, contract, partners).run()


class _Walk:
    """One walk along the ops behind a contraction."""

    def __init__(self, search: Search, contract: ContractOp, partners: list[ContractOp] | None) -> None:
        self._search = search
        self._partners = partners
        self._first = contract
        self._last = search.position[contract] + cost.MAX_DISTANCE
        self._masks: dict[SSAValue, int] = {}
        self._terminal: set[SSAValue] = set()
        """Values of members that exist where no other op can follow."""
        self._dependent: set[SSAValue] = set()
        self._pending: set[Operation] = set()
        """Readers of members that are not far behind."""
        self.found = Closure([])

    def run(self) -> Closure:
        found = self.found
        self._seed(self._first)
        found.window.append(self._first)
        op = self._first.next_op
        while op is not None and self._pending and len(found.window) < cost.MAX_DISTANCE:
            has_place = not isinstance(op, GraphOp) or (isinstance(op, CallAtenOp) and not op.pure)
            if has_place and (op.next_op is None or self._depends(op)):
                # What depends on a member may have to move behind others: not an op that must keep its place.
                break
            found.window.append(op)
            self._pending.discard(op)
            self._visit(op)
            op = op.next_op
        return found

    def _depends(self, op: Operation) -> bool:
        return any(operand in self._masks or operand in self._dependent for operand in op.operands)

    def _visit(self, op: Operation) -> None:
        mask = 0
        for operand in op.operands:
            mask |= self._masks.get(operand, 0)
        if any(operand in self._dependent for operand in op.operands):
            if mask:
                self._refuse(op, "it also needs what follows the contraction outside of the kernel")
            self._depend(op)
        elif any(operand in self._terminal for operand in op.operands):
            self._depend(op)
        elif mask:
            reason = self._reason(op)
            if reason is None:
                self._add(op, mask)
            else:
                self._refuse(op, reason)
                self._depend(op)
        elif isinstance(op, ContractOp) and self._is_partner(op):
            self._seed(op)

    def _seed(self, contract: ContractOp) -> None:
        self.found.seeds.append(contract)
        self._add(contract, 1 << (len(self.found.seeds) - 1))

    def _add(self, op: Operation, mask: int) -> None:
        self.found.members[op] = mask
        result = op.results[0]
        self._masks[result] = mask
        if isinstance(op, ReduceOp) or (isinstance(op, PermuteOp) and not keeps_flat_index(op)):
            self._terminal.add(result)
        for use in result.uses:
            reader = use.operation
            if not isinstance(reader, ReturnOp) and self._search.position.get(reader, self._last) <= self._last:
                self._pending.add(reader)

    def _depend(self, op: Operation) -> None:
        self.found.dependents.add(op)
        self._dependent.update(op.results)
        ends = not isinstance(op, ViewOp) and not is_code(op)
        if ends or op in self._search.loaded or any(operand.owner in self.found.far for operand in op.operands):
            self.found.far.add(op)

    def _refuse(self, op: Operation, reason: str) -> None:
        self.found.refused.append((op, reason))

    def _reason(self, op: Operation) -> str | None:
        """Why an op that reads members is none; None if it is one."""
        if len(self.found.members) >= cost.MAX_EPILOGUE:
            return f"the epilogue would have more than {cost.MAX_EPILOGUE} ops"
        if op in self._search.loaded:
            return "it is computed as a contraction loads its operand"
        if isinstance(op, PointwiseOp):
            return None if is_code(op) else "its elements have no code"
        if isinstance(op, ViewOp):
            if keeps_flat_index(op) or op in self._search.copied:
                return None
            return "it needs the elements at other places"
        if isinstance(op, ReduceOp):
            if not self._search.reductions:
                return "it reduces the result"
            cut = cut_of(op, self._first)
            return cut if isinstance(cut, str) else None
        if isinstance(op, ContractOp):
            return "it contracts the result"
        return "it is no pointwise op"

    def _is_partner(self, contract: ContractOp) -> bool:
        """Whether a contraction walks one operand in the same way as the first, to a result of the same shape."""
        first = self._first
        if self._partners is not None and contract not in self._partners:
            return False
        shares_lhs = (contract.lhs, contract.lhs_batch, contract.lhs_contract) == (
            first.lhs,
            first.lhs_batch,
            first.lhs_contract,
        )
        shares_rhs = (contract.rhs, contract.rhs_batch, contract.rhs_contract) == (
            first.rhs,
            first.rhs_batch,
            first.rhs_contract,
        )
        same = contract.result.type == first.result.type and contract.precision == first.precision
        same = same and (shares_lhs or shares_rhs)
        return same and self._search.eligible(contract)
