"""Moving the ops of each group into a `graph.fusion`.

Ops are moved, not cloned, except views and constants, which each fusion that reads through them copies. The function
is then put into the order of the groups; views outside of fusions go in front of the first op that needs them.
"""

from __future__ import annotations

from xdsl.dialects.builtin import ArrayAttr, FusedLoc, LocationAttr, NoneAttr, UnknownLoc
from xdsl.ir import Attribute, Block, BlockArgument, Operation, Region, SSAValue

from fusir.analysis.layout import STRIDES, row_major
from fusir.dialects.graph import DimsAttr, FusionOp, YieldOp, dims_of
from fusir.transforms.graph.fusion.groups import Group, Groups
from fusir.transforms.graph.fusion.program import Program, Read

MAX_LOCATIONS = 8
"""Source places that a fusion keeps; its ops keep their own."""


def build_fusions(program: Program, groups: Groups) -> list[FusionOp]:
    """Rewrite the function of the program: each group of code nodes becomes a fusion. Returns them in order."""
    return _Builder(program, groups).run()


class _Builder:
    def __init__(self, program: Program, groups: Groups) -> None:
        self._program: Program = program
        self._groups: Groups = groups
        self._block: Block = program.func.body.block
        self._result_of: dict[SSAValue, SSAValue] = {}
        """For the results of code ops the results of fusions that hold them."""

    def run(self) -> list[FusionOp]:
        ops = list(self._block.ops)
        for op in ops:
            op.detach()
        fusions: list[FusionOp] = []
        for group in self._groups:
            if group.is_code:
                if group.roots:
                    fusions.append(self._fusion(group))
                    self._block.add_op(fusions[-1])
            else:
                op = self._program.nodes[group.nodes[0]].op
                self._place_views(op)
                self._block.add_op(op)
        for op in reversed(ops):
            if op.parent is None:
                op.erase()
        return fusions

    def _place_views(self, reader: Operation) -> None:
        """Put the views that an op outside of fusions reads at the end, and let all of them read results of fusions."""
        operands = list(reader.operands)
        for index, operand in enumerate(operands):
            chain: list[Operation] = []
            value = operand
            while value not in self._result_of and isinstance(owner := value.owner, Operation) and owner.parent is None:
                chain.append(owner)
                if not owner.operands:
                    break
                value = owner.operands[0]
            result = self._result_of.get(value, value)
            if chain and chain[-1].operands:
                chain[-1].operands[0] = result
            elif not chain:
                operands[index] = result
            self._block.add_ops(reversed(chain))
        reader.operands = operands

    def _fusion(self, group: Group) -> FusionOp:
        nodes = [self._program.nodes[number] for number in sorted((*group.nodes, *group.copies))]
        block = Block()
        inputs: dict[SSAValue, SSAValue] = {}
        known: dict[SSAValue, SSAValue] = {}
        for node in nodes:
            op = node.op.clone() if node.number in group.copies else node.op
            known[node.value] = op.results[0]
            op.operands = [self._inside(read, block, known, inputs) for read in node.reads]
            block.add_op(op)
        values = [self._program.nodes[number].value for number in sorted(group.roots)]
        block.add_op(YieldOp(values))
        location = fused_location([node.op.location for node in nodes])
        fusion = FusionOp(list(inputs), [value.type for value in values], Region(block), location=location)
        hint_layout(fusion, values)
        for value, result in zip(values, fusion.outputs, strict=True):
            result.name_hint = value.name_hint
            self._result_of[value] = result
        return fusion

    def _inside(
        self, read: Read, block: Block, known: dict[SSAValue, SSAValue], inputs: dict[SSAValue, SSAValue]
    ) -> SSAValue:
        """The operand of an op in a fusion: the base of its read, in the fusion, behind copies of the views between."""
        values = [*(view.results[0] for view in read.views), read.base]
        position = next((i for i, value in enumerate(values) if value in known), len(read.views))
        if values[position] not in known:
            known[values[position]] = self._base(read, block, inputs)
        value = known[values[position]]
        for view in reversed(read.views[:position]):
            copy = view.clone()
            copy.operands[0] = value
            block.add_op(copy)
            value = copy.results[0]
            known[view.results[0]] = value
        return value

    def _base(self, read: Read, block: Block, inputs: dict[SSAValue, SSAValue]) -> SSAValue:
        """A value from outside, or a constant, in the fusion."""
        if read.is_constant:
            owner = read.base.owner
            assert isinstance(owner, Operation)
            copy = owner.clone()
            block.add_op(copy)
            return copy.results[0]
        if read.in_buffer and isinstance(read.base.owner, Operation) and read.base.owner.parent is None:
            self._place_views(read.base.owner)
            self._block.add_op(read.base.owner)
        value = self._result_of.get(read.base, read.base)
        argument = block.insert_arg(value.type, len(block.args), location_of(value))
        argument.name_hint = value.name_hint
        inputs[value] = argument
        return argument


def location_of(value: SSAValue) -> LocationAttr:
    """The location of the op or argument that defines a value."""
    if isinstance(value, BlockArgument):
        return value.location
    return value.owner.location if isinstance(value.owner, Operation) else UnknownLoc()


def fused_location(locations: list[LocationAttr]) -> LocationAttr:
    """The distinct known locations, the last ones first: a fusion is named after what it ends with."""
    known = list(dict.fromkeys(each for each in reversed(locations) if not isinstance(each, UnknownLoc)))
    if len(known) <= 1:
        return known[0] if known else UnknownLoc()
    return FusedLoc(ArrayAttr[Attribute](known[:MAX_LOCATIONS]), NoneAttr())


def hint_layout(fusion: FusionOp, values: list[SSAValue]) -> None:
    """Carry the layout hints of the results over to the fusion."""
    hints = [owner.attributes.get(STRIDES) for value in values if isinstance(owner := value.owner, Operation)]
    if not any(isinstance(hint, DimsAttr) for hint in hints):
        return
    if len(hints) == 1 and hints[0] is not None:
        fusion.attributes[STRIDES] = hints[0]
        return
    filled = [
        hint if isinstance(hint, DimsAttr) else DimsAttr(row_major(dims_of(value)))
        for hint, value in zip(hints, values, strict=True)
    ]
    fusion.attributes[STRIDES] = ArrayAttr[Attribute](filled)
