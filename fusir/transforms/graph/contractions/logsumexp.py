"""Logsumexps of the results of contractions: as one reduction they have partial results, as a cascade they have none.

The cascade needs the maximum of a whole row before it sums up, so that the product would have to be stored. A reduction
`graph.reduce logsumexp` reads it once: `contractions/reductions.py` has parts of it in the kernel of the contraction.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from collections.abc import Set as AbstractSet

from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from fusir.analysis.space import keeps_flat_index
from fusir.dialects.graph import ContractOp, PointwiseOp, ReduceKind, ReduceOp, ReshapeOp, dims_of
from fusir.remarks import remark
from fusir.transforms.graph.contractions import cost
from fusir.transforms.graph.contractions.reductions import cut_of
from fusir.transforms.graph.contractions.values import erase_unused
from fusir.transforms.graph.logsumexp import Cascade, expanded_ops, match_cascade


def raise_logsumexps(func: FuncOp, eligible: Callable[[ContractOp], bool]) -> list[ReduceOp]:
    """Make reductions of the cascades that alone read what a contraction gives and that have partial results."""
    raised: list[ReduceOp] = []
    for op in list(func.body.block.ops):
        if not isinstance(op, ReduceOp) or (cascade := match_cascade(op)) is None:
            continue
        contract = _only_source(cascade)
        if contract is not None and eligible(contract):
            reduce = ReduceOp(ReduceKind.LOGSUMEXP, op.operand, op.dims, location=op.location)
            cut = cut_of(reduce, contract)
            if isinstance(cut, str):
                remark("not-fused", "fuse-contractions", f"{reduce.kind}: {cut}", op.location)
                reduce.erase()
                continue
            _replace(cascade, reduce)
            raised.append(reduce)
    return raised


def expand_logsumexps(reductions: Iterable[ReduceOp]) -> None:
    """Make cascades of those reductions that are in no fusion."""
    for reduce in reductions:
        if reduce.parent is not None:
            ops = expanded_ops(reduce)
            ops[-1].results[0].name_hint = reduce.result.name_hint
            Rewriter.replace_op(reduce, ops)


def _replace(cascade: Cascade, reduce: ReduceOp) -> None:
    old = cascade.total.result
    ops: list[Operation] = [reduce]
    if dims_of(old) != dims_of(reduce.result):
        ops.append(ReshapeOp(reduce.result, dims_of(old), location=cascade.total.location))
    Rewriter.insert_op(ops, InsertPoint.before(cascade.total))
    reduce.result.name_hint = old.name_hint
    old.replace_all_uses_with(ops[-1].results[0])
    erase_unused([old])


def _only_source(cascade: Cascade) -> ContractOp | None:
    """The last contraction that the operand is made of pointwise, if nothing but the cascade needs its result."""
    seen: dict[Operation, None] = {}
    waiting = [cascade.operand]
    contracts: list[ContractOp] = []
    while waiting and len(seen) < cost.MAX_DISTANCE:
        op = waiting.pop().owner
        if not isinstance(op, Operation) or op in seen:
            continue
        if isinstance(op, ContractOp):
            contracts.append(op)
        elif isinstance(op, PointwiseOp) or keeps_flat_index(op):
            waiting += op.operands
        else:
            continue
        seen[op] = None
    if waiting or not contracts:
        return None
    contract = contracts[0]
    for other in contracts[1:]:
        if contract.is_before_in_block(other):
            contract = other
    return contract if _is_read_by(contract.result, set(seen), {cascade.maximum, cascade.difference}) else None


def _is_read_by(value: SSAValue, between: AbstractSet[Operation], ends: AbstractSet[Operation]) -> bool:
    """Whether all that reads a value, or what the ops `between` make of it, is one of these ops or of the `ends`."""
    waiting, seen = [value], {value}
    while waiting:
        for use in waiting.pop().uses:
            op = use.operation
            if op in ends:
                continue
            if op not in between:
                return False
            for result in op.results:
                if result not in seen:
                    seen.add(result)
                    waiting.append(result)
    return True
