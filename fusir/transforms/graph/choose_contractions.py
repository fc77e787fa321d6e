"""`choose-contractions`: which fusions around contractions become one kernel, with which tiles, and which do not.

    %y = graph.fusion (%a = %x, %b = %w, %c = %bias) {
      %p = graph.contract %a, %b
      %q = graph.broadcast %c
      %r = graph.add %p, %q
      graph.yield %r }

is kept as it is, or kept with tiles, `attributes {"loop.tiles" = #loop.tiles<m = 128, n = 256, ...>}`, or dissolved:

    %p = graph.contract %x, %w
    %q = graph.broadcast %bias
    %y = graph.add %p, %q

so that `contract-to-aten` calls a library for the contraction and `fuse` makes kernels of the rest; or dissolved with
the contraction alone in a fusion with tiles. The pass carries out what the current chooser says
(`contraction_choice.py`), which the compiler sets where something can be measured. Without one every fusion is kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue
from xdsl.passes import ModulePass

from fusir.analysis.expr import product
from fusir.analysis.layout import Strides, layouts_of
from fusir.dialects.graph import ContractOp, Dim, FusionOp, dims_of, element_type_of
from fusir.dialects.loop import TILES, TilesAttr
from fusir.remarks import Remark, remark, source_line, wanted
from fusir.transforms.graph.contraction_choice import (
    LIBRARY,
    Choice,
    Chooser,
    Contraction,
    contractions_wanted,
    current_chooser,
    record_contraction,
)
from fusir.transforms.graph.cse import merge_equal_ops
from fusir.transforms.graph.fusion.dissolve import dissolve
from fusir.transforms.graph.fusion.standalone import standalone_module

UNMEASURED = "nothing was measured"
OUTSIDE = "it is in no fusion"


@dataclass(frozen=True)
class ChooseContractionsPass(ModulePass):
    """Carry out the chooser's decision on each fusion around a contraction."""

    name = "choose-contractions"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        chooser = current_chooser()
        for func in op.body.block.ops:
            if isinstance(func, FuncOp) and not func.is_declaration:
                _Function(func, chooser).run()


class _Function:
    """The fusions of one function."""

    def __init__(self, func: FuncOp, chooser: Chooser | None) -> None:
        self._func: FuncOp = func
        self._chooser: Chooser | None = chooser
        self._choices: dict[str, Choice] = {}
        """What was chosen for a fusion, by the text of the fusion alone in a module."""

    def run(self) -> None:
        fusions: list[FusionOp] = []
        tell = contractions_wanted() or wanted()
        for op in self._func.body.block.ops:
            if isinstance(op, ContractOp) and tell:
                _tell(op, LIBRARY, Choice(note=OUTSIDE), (op,))
            if isinstance(op, FusionOp) and any(isinstance(inner, ContractOp) for inner in op.block.ops):
                fusions.append(op)
        layouts = layouts_of(self._func) if fusions and self._chooser is not None else {}
        # All decisions come first: the layouts are those of the function before it changes.
        choices = [self._choose(fusion, layouts) for fusion in fusions]
        is_dissolved = False
        for fusion, choice in zip(fusions, choices, strict=True):
            if tell:
                contractions = [op for op in fusion.block.ops if isinstance(op, ContractOp)]
                for contract in contractions:
                    _tell(contract, choice.name, choice, contractions)
            is_dissolved |= apply_choice(fusion, choice)
        if is_dissolved:
            # What several fusions computed for themselves is computed once again.
            merge_equal_ops(self._func.body)

    def _choose(self, fusion: FusionOp, layouts: dict[SSAValue, Strides]) -> Choice:
        if self._chooser is None:
            return Choice(note=UNMEASURED)
        values = (*fusion.inputs, *fusion.outputs)
        strides = [stride for value in values for stride in layouts[value]]
        if not all(isinstance(dim, int) for dim in (*strides, *_extents(fusion))):
            return Choice(note="its extents are dynamic")
        module = standalone_module(fusion, layouts)
        key = str(module)
        choice = self._choices.get(key)
        if choice is None:
            choice = self._chooser.choose(module) or Choice(note=UNMEASURED)
            self._choices[key] = choice
        return choice


def apply_choice(fusion: FusionOp, choice: Choice) -> bool:
    """Make of a fusion what was chosen for it, and return whether it was dissolved."""
    if choice.tiles is not None:
        fusion.attributes[TILES] = TilesAttr(choice.tiles)
    elif choice.plain is not None or choice.library:
        dissolve(fusion, choice.plain)
        return True
    return False


def operations_of(contractions: Sequence[ContractOp]) -> int | None:
    """The multiplications and additions of some contractions, None if an extent is dynamic."""
    total = 0
    for op in contractions:
        lhs = dims_of(op.lhs)
        extents = [*dims_of(op.result), *(lhs[d] for d in op.lhs_contract)]
        static = [extent for extent in extents if isinstance(extent, int)]
        if len(static) != len(extents):
            return None
        total += 2 * prod(static)
    return total


def _extents(fusion: FusionOp) -> list[Dim]:
    values = [*fusion.inputs, *(result for op in fusion.block.ops for result in op.results)]
    return [dim for value in values for dim in dims_of(value)]


def _tell(op: ContractOp, name: str, choice: Choice, contractions: Sequence[ContractOp]) -> None:
    """Record and remark what becomes of a contraction. `contractions` are those of its fusion."""
    file, line = source_line(op.location)
    place = Remark("schedule", ChooseContractionsPass.name, "", file, line).place
    told = Contraction(place, shape_text(op), operations_of(contractions), name, choice.alternatives, choice.note)
    record_contraction(told)
    remark("schedule", ChooseContractionsPass.name, str(told), op.location)


def shape_text(op: ContractOp) -> str:
    """`8192x4096x4096 bf16`: rows, columns and contracted extent, with the batch in front if there is one."""
    lhs, rhs = dims_of(op.lhs), dims_of(op.rhs)
    batch = [lhs[d] for d in op.lhs_batch]
    rows = [dim for d, dim in enumerate(lhs) if d not in (*op.lhs_batch, *op.lhs_contract)]
    columns = [dim for d, dim in enumerate(rhs) if d not in (*op.rhs_batch, *op.rhs_contract)]
    groups = [rows, columns, [lhs[d] for d in op.lhs_contract]]
    sizes = [str(product(group)) for group in ([batch, *groups] if batch else groups)]
    return f"{'x'.join(sizes)} {element_type_of(op.lhs)}"
