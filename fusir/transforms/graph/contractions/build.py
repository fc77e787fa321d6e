"""Moving a contraction and what joins it into a `graph.fusion`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from fusir.analysis.readers import readers_of
from fusir.analysis.space import SpaceError, verify_fusion_space
from fusir.dialects.graph import FullOp, FusionOp, IotaOp, ReduceOp, ViewOp, YieldOp
from fusir.transforms.graph.contractions.closure import Closure
from fusir.transforms.graph.contractions.operands import Operands
from fusir.transforms.graph.contractions.reductions import finish_ops, partial_ops
from fusir.transforms.graph.contractions.values import MAX_VIEWS, erase_unused
from fusir.transforms.graph.fusion import cost
from fusir.transforms.graph.fusion.build import fused_location, hint_layout, location_of


@dataclass
class Body:
    """The ops of a fusion that is to be built."""

    closure: Closure
    kept: set[Operation]
    """The contractions and the epilogue, without views."""
    operands: Operands

    @property
    def roots(self) -> list[SSAValue]:
        """The values that are stored."""
        roots = [op.results[0] for op in self.closure.members if op in self.kept and self._is_read_outside(op)]
        return roots + self.operands.returned

    def _is_read_outside(self, op: Operation) -> bool:
        waiting = [op.results[0]]
        while waiting:
            for use in waiting.pop().uses:
                reader = use.operation
                if isinstance(reader, ViewOp) and reader not in self.kept:
                    waiting.append(reader.results[0])
                elif reader not in self.kept:
                    return True
        return False


def build(body: Body) -> FusionOp:
    """The fusion, of clones and in no block. Raises `SpaceError` if it cannot be one kernel."""
    return _Builder(body).run()


@dataclass
class _Builder:
    body: Body
    block: Block = field(default_factory=Block)
    known: dict[SSAValue, SSAValue] = field(default_factory=dict)
    inputs: dict[SSAValue, SSAValue] = field(default_factory=dict)
    source: list[Operation] = field(default_factory=list)
    """What was cloned."""

    def run(self) -> FusionOp:
        for op in self.body.closure.members:
            if op in self.body.kept:
                self._clone(op)
        roots = self.body.roots
        yielded = [self._inside(root) for root in roots]
        self.block.add_op(YieldOp(yielded))
        location = fused_location([op.location for op in self.source])
        types = [value.type for value in yielded]
        fusion = FusionOp(list(self.inputs), types, Region(self.block), location=location)
        hint_layout(fusion, yielded)
        for value, root, result in zip(yielded, roots, fusion.outputs, strict=True):
            if value.type == root.type:
                result.name_hint = root.name_hint
        try:
            if len(self.inputs) + len(roots) > cost.MAX_BUFFERS:
                raise SpaceError(f"it reads and writes more than {cost.MAX_BUFFERS} tensors")
            verify_fusion_space(fusion)
        except SpaceError:
            # What nobody erases would go on reading its inputs.
            fusion.erase()
            raise
        return fusion

    def _clone(self, op: Operation) -> None:
        operands = [self._inside(operand) for operand in op.operands]
        self.source.append(op)
        if isinstance(op, ReduceOp):
            ops = partial_ops(op, operands[0], self.body.closure.seeds[0])
            self.block.add_ops(ops)
            self.known[op.results[0]] = ops[-1].results[0]
            return
        copy = op.clone()
        copy.operands = operands
        self.block.add_op(copy)
        self.known[op.results[0]] = copy.results[0]

    def _inside(self, value: SSAValue, views: int = 0) -> SSAValue:
        """A value in the fusion."""
        if value not in self.known:
            op = value.owner
            is_view = isinstance(op, ViewOp) and views < MAX_VIEWS
            if is_view:
                assert isinstance(op, ViewOp)
                operand = self._inside(op.operands[0], views + 1)
                copy = op.clone()
                copy.operands = [operand]
                self.block.add_op(copy)
                self.known[value] = copy.results[0]
            elif isinstance(op, FullOp | IotaOp):
                copy = op.clone()
                self.block.add_op(copy)
                self.known[value] = copy.results[0]
            elif op in self.body.operands.ops:
                assert isinstance(op, Operation)
                self._clone(op)
            else:
                argument = self.block.insert_arg(value.type, len(self.block.args), location_of(value))
                argument.name_hint = value.name_hint
                self.inputs[value] = argument
                self.known[value] = argument
        return self.known[value]


def place(body: Body, fusion: FusionOp) -> list[Operation]:
    """Put a fusion in the place of the ops that it has clones of. Returns the ops that now stand behind it."""
    closure, kept = body.closure, body.kept
    last = max(number for number, op in enumerate(closure.window) if op in kept)
    behind = [
        op for op in closure.window[:last] if op not in kept and (op in closure.dependents or op in closure.members)
    ]
    behind = [*_returned_views(body.operands.returned), *behind]
    for op in behind:
        op.detach()
    anchor = closure.window[last]
    Rewriter.insert_op([fusion, *behind], InsertPoint.after(anchor))
    finished: list[Operation] = []
    roots = body.roots
    for root, result in zip(roots, fusion.outputs, strict=True):
        value: SSAValue = result
        if isinstance(root.owner, ReduceOp):
            ops = finish_ops(root.owner, result, closure.seeds[0])
            finished += ops
            value = ops[-1].results[0] if ops else result
            value.name_hint = root.name_hint
        root.replace_all_uses_with(value)
    Rewriter.insert_op(finished, InsertPoint.after(fusion))
    _erase(body)
    return [fusion, *finished, *behind]


def _returned_views(values: Sequence[SSAValue]) -> list[Operation]:
    """The views of some values that only the end of the function reads, in order."""
    views: list[Operation] = []
    for value in values:
        waiting = [value]
        while waiting:
            for use in waiting.pop().uses:
                op = use.operation
                if isinstance(op, ViewOp) and op not in views and _is_returned(op):
                    views.append(op)
                    waiting.append(op.results[0])
    return views


def _is_returned(op: ViewOp) -> bool:
    return all(reader.name == "func.return" for reader in readers_of(op.results[0]))


def _erase(body: Body) -> None:
    for op in reversed(list(body.closure.members)):
        if op in body.kept:
            erase_unused([op.results[0]])
    erase_unused([op.results[0] for op in body.operands.ops if op.parent is not None])


def epilogue_of(body: Body) -> Iterable[Operation]:
    """The ops of the epilogue in program order."""
    return (op for op in body.closure.members if op in body.kept and op not in body.closure.seeds)
