"""`fuse-contractions`: each contraction becomes a fusion, with its epilogue and what computes its operands.

```
%0 = graph.convert %w : tensor<64x32xi8> -> tensor<64x32xbf16>
%1 = graph.contract %x, %0 batch [], [] contract [1], [0] : ...
%2 = graph.broadcast %b dims [1] : tensor<32xbf16> -> tensor<128x32xbf16>
%3 = graph.add %1, %2 : tensor<128x32xbf16>
%y = graph.relu %3 : tensor<128x32xbf16>
```
becomes
```
%y = graph.fusion (%a = %x : ..., %c = %w : tensor<64x32xi8>, %d = %b : tensor<32xbf16>) -> tensor<128x32xbf16> {
  %0 = graph.convert %c : tensor<64x32xi8> -> tensor<64x32xbf16>
  %1 = graph.contract %a, %0 ...
  ... }
```

- **Epilogue**: the ops at the elements of the result with which the least bytes are moved (`contractions/choice.py`).
  Two contractions that share an operand and meet in a pointwise op share a fusion, as in a gated layer.
- **Prologue**: pointwise ops and concatenations on an operand that nobody else reads, or that are cheap to do again
  (`contractions/operands.py`).
- **Reductions** of rows or columns of the result: partial results come out of the fusion
  (`contractions/reductions.py`). A logsumexp, which is a cascade of two reductions, is one where nothing else needs the
  product (`contractions/logsumexp.py`).
- A factor for each row, such as that of an RMS norm, leaves the contraction (`contractions/row_factors.py`), and
  columns padded for ATen's products are as they were where an epilogue gains by it (`contractions/padding.py`).
- What is made of parameters alone stays outside where it can be kept (`graph.pack_parameters`, `hoist-parameters`).

Contractions of 8-bit floats, f16, bf16, f32 and of i8 to i32 are fused. Those of other elements, and those of symbolic
extents, are left for `contract-to-aten`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from typing_extensions import override
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, bf16, f16, f32, i8, i32
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass

from fusir.analysis.layout import transposed_results
from fusir.analysis.parameters import PACK, Parameters
from fusir.analysis.space import SpaceError
from fusir.dialects.graph import ContractOp, FusionOp, PermuteOp, ReduceOp, ViewOp, dims_of, element_type_of, is_float8
from fusir.remarks import remark, wanted
from fusir.transforms.graph.contractions.build import Body, build, place
from fusir.transforms.graph.contractions.choice import Choice, names_of_ops
from fusir.transforms.graph.contractions.closure import Closure, Search
from fusir.transforms.graph.contractions.logsumexp import expand_logsumexps, raise_logsumexps
from fusir.transforms.graph.contractions.operands import IsKept, Operands, is_kept_nowhere
from fusir.transforms.graph.contractions.padding import without_padding
from fusir.transforms.graph.contractions.row_factors import RowFactors
from fusir.transforms.graph.contractions.values import base_of, count, is_static
from fusir.transforms.graph.dce import erase_dead_ops
from fusir.transforms.graph.fusion.names import names_of


@dataclass(frozen=True)
class FuseContractionsPass(ModulePass):
    """Form a fusion around each contraction at the top level of every graph function."""

    name = "fuse-contractions"

    enabled: bool = True
    """False: none."""
    strict_rounding: bool = False
    """Keep every rounding to half precision: no factor leaves a contraction."""
    reductions: bool = True
    """False: no reductions of results in parts."""

    @override
    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for func in op.body.block.ops:
            if self.enabled and isinstance(func, FuncOp) and func.body.blocks:
                fuse_contractions(func, self.strict_rounding, self.reductions)


def fuse_contractions(func: FuncOp, strict_rounding: bool = False, reductions: bool = True) -> list[FusionOp]:
    """Form fusions around the contractions of a graph function of one block, and return them in order."""
    if not any(isinstance(op, ContractOp) for op in func.body.block.ops):
        return []
    erase_dead_ops(func.body)
    contracts = [op for op in func.body.block.ops if isinstance(op, ContractOp)]
    names = names_of(func.body.block) if wanted() else {}
    parameters = Parameters(func) if PACK in func.attributes else None
    factors = RowFactors(parameters)
    prepared: list[ContractOp] = []
    for contract in contracts:
        reason = refusal(contract)
        if reason is not None:
            remark("not-fused", FuseContractionsPass.name, reason, contract.location)
            continue
        name = names.get(contract.result, "")
        contract = without_padding(contract)
        prepared.append(contract if strict_rounding else factors.hoist(contract))
        names[prepared[-1].result] = name
    raised = raise_logsumexps(func, lambda contract: refusal(contract) is None) if reductions else []
    position = {op: number for number, op in enumerate(func.body.block.ops)}
    copied: set[Operation] = set(transposed_results(func))
    search = Search(position, copied, factors.operand_ops, reductions, lambda contract: refusal(contract) is None)
    is_kept = parameters.is_worth_keeping if parameters is not None else is_kept_nowhere
    fusions = list(_Former(search, position, names, is_kept).form_all(prepared))
    expand_logsumexps(raised)
    return fusions


def refusal(contract: ContractOp) -> str | None:
    """Why a contraction is left to ATen; None if it may be in a fusion."""
    element = element_type_of(contract.lhs)
    known = element in (f16, bf16, f32) or is_float8(element)
    if not known and (element, element_type_of(contract.result)) != (i8, i32):
        return f"a contraction of {element} elements"
    if not is_static(contract.lhs) or not is_static(contract.rhs):
        return "a contraction of symbolic extents"
    if not contract.lhs_contract or 0 in (*dims_of(contract.lhs), *dims_of(contract.rhs)):
        return "a contraction without products to sum up"
    return None


class _Former:
    """Forms the fusions of one function."""

    def __init__(
        self, search: Search, position: dict[Operation, int], names: dict[SSAValue, str], is_kept: IsKept
    ) -> None:
        """`names` are those of values in remarks; `position` is that of the search."""
        self._search = search
        self._is_kept = is_kept
        self._position = position
        self._names = names

    def form_all(self, contracts: Sequence[ContractOp]) -> Iterator[FusionOp]:
        for contract in contracts:
            if contract.parent is not None and (fusion := self._form(contract)) is not None:
                yield fusion

    def _form(self, contract: ContractOp) -> FusionOp | None:
        closure = self._search.closure(contract)
        kept = Choice(closure).best(closure.meeting())
        built = self._build(closure, kept)
        if built is None:
            return None
        attempt, fusion = built
        if wanted():
            self._explain(attempt, fusion)
        position = max(self._position[op] for op in attempt.body.kept)
        for op in place(attempt.body, fusion):
            self._position[op] = position
        return fusion

    def _build(self, closure: Closure, kept: set[Operation]) -> tuple[_Attempt, FusionOp] | None:
        for attempt in _attempts(closure, kept, self._is_kept):
            try:
                return attempt, build(attempt.body)
            except SpaceError as error:
                self._tell(closure.seeds[0], str(error))
        return None

    def _tell(self, op: Operation, reason: str) -> None:
        remark("not-fused", FuseContractionsPass.name, reason, op.location)

    def _names_of(self, ops: Sequence[Operation]) -> str:
        """The names of the results of ops, of ops that the pass has made what they do."""
        names = [self._names.get(op.results[0]) if op.results else None for op in ops]
        return ", ".join(name or op.name.removeprefix("graph.") for name, op in zip(names, ops, strict=True))

    def _explain(self, attempt: _Attempt, fusion: FusionOp) -> None:
        """Remark on what the fusion holds, and on what is left out."""
        closure, kept = attempt.body.closure, attempt.body.kept
        for op, reason in closure.refused:
            if any(operand.owner in kept for operand in map(base_of, op.operands)):
                self._tell(op, f"{self._names_of([op])}: {reason}")
        left = [op for op in closure.members if op not in kept and not isinstance(op, ViewOp)]
        if left:
            self._tell(
                left[0],
                f"{self._names_of(left)}: fewer bytes are moved where these are computed after reading the result",
            )
        for reason in attempt.refused:
            self._tell(closure.seeds[0], reason)
        parts = [self._names_of([seed for seed in closure.seeds if seed in kept])]
        epilogue = [op for op in closure.members if op in kept and op not in closure.seeds]
        if epilogue:
            parts.append(f"epilogue {names_of_ops(epilogue)}")
        if attempt.body.operands.ops:
            parts.append(f"operands {names_of_ops(reversed(list(attempt.body.operands.ops)))}")
        remark("fused", FuseContractionsPass.name, "; ".join(parts), fusion.location)


@dataclass
class _Attempt:
    """What a fusion may consist of."""

    body: Body
    refused: list[str] = field(default_factory=list)
    """Why operands are read as they are."""


def _attempts(closure: Closure, kept: set[Operation], is_kept: IsKept) -> Iterator[_Attempt]:
    """What a fusion may consist of, the best first: an op that the space does not allow is left out in the next."""
    yield _attempt(closure, kept, is_kept)
    for left_out in (PermuteOp, ReduceOp):
        fewer = {op for op in kept if not isinstance(op, left_out)}
        if fewer != kept:
            yield _attempt(closure, fewer, is_kept)
        kept = fewer
    alone: set[Operation] = {closure.seeds[0]}
    yield _attempt(closure, alone, is_kept)
    yield _Attempt(Body(closure, alone, Operands(alone, count(closure.seeds[0].result))))


def _attempt(closure: Closure, kept: set[Operation], is_kept: IsKept) -> _Attempt:
    operands = Operands(kept, count(closure.seeds[0].result), is_kept)
    attempt = _Attempt(Body(closure, kept, operands))
    read = [
        operand
        for op in closure.members
        if op in kept and not isinstance(op, ContractOp)
        for operand in op.operands
        if not (isinstance(operand.owner, Operation) and operand.owner in closure.members)
    ]
    operands.add_epilogue(read)
    for contract in closure.seeds:
        for is_lhs in (True, False) if contract in kept else ():
            reason = operands.add_prologue(contract, is_lhs)
            if reason is not None:
                attempt.refused.append(reason)
    return attempt
