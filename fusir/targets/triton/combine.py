"""The combine regions of reductions and scans: `tl.sum` and the like, or a helper function."""

from __future__ import annotations

from dataclasses import dataclass, field

from xdsl.dialects import arith, math
from xdsl.dialects.builtin import Float32Type, Float64Type, IntegerType
from xdsl.ir import Attribute, Block, Operation, SSAValue

from fusir.dialects.tile_arith import CMPF_PREDICATES, CMPI_PREDICATES
from fusir.dialects.tt import ReduceOp
from fusir.targets.triton.names import NameTable

_STANDARD: dict[type[Operation], str] = {
    arith.AddfOp: "tl.sum",
    arith.AddiOp: "tl.sum",
    arith.MaxnumfOp: "tl.max",
    arith.MaxSIOp: "tl.max",
    arith.MinnumfOp: "tl.min",
    arith.MinSIOp: "tl.min",
    arith.XOrIOp: "tl.xor_sum",
}
"""Triton's reductions by the op that combines two elements. `tl.max` ignores NaN, unlike `maximumf`."""

VALUE_AND_INDEX = 4
"""Arguments of a region that combines two pairs, most often of a value and an index."""

_ARGUMENT_NAMES = {"gt": "argmax", "ge": "argmax", "lt": "argmin", "le": "argmin"}
"""The name of a helper for such pairs by how it compares the two values."""

_HELPER_NAMES: dict[str, str] = {
    "arith.addf": "add",
    "arith.addi": "add",
    "arith.mulf": "multiply",
    "arith.muli": "multiply",
    "arith.maximumf": "maximum_with_nan",
    "arith.minimumf": "minimum_with_nan",
    "arith.maxnumf": "maximum",
    "arith.minnumf": "minimum",
    "arith.maxsi": "maximum",
    "arith.minsi": "minimum",
    "arith.maxui": "unsigned_maximum",
    "arith.minui": "unsigned_minimum",
    "arith.andi": "bitwise_and",
    "arith.ori": "bitwise_or",
    "arith.xori": "bitwise_xor",
}
"""The name of a helper whose region is one op."""


def combining_op(block: Block) -> Operation | None:
    """The op of a combine region that returns `op(first, second)` and does nothing else."""
    op = block.first_op
    if op is None or op.next_op is None or op.next_op.next_op is not None or len(block.args) != 2:
        return None
    if tuple(op.operands) != tuple(block.args) or tuple(op.next_op.operands) != tuple(op.results):
        return None
    return op


def standard_reduction(op: ReduceOp) -> str | None:
    """The reduction of `triton.language` that gives this very op, if there is one.

    Only for 32 and 64 bits: narrower elements are promoted by them.
    """
    combiner = combining_op(op.combine_op.block)
    if combiner is None or not _keeps_type(combiner.results[0].type):
        return None
    return _STANDARD.get(type(combiner))


def _keeps_type(scalar: Attribute) -> bool:
    if isinstance(scalar, IntegerType):
        return scalar.width.data in (32, 64)
    return isinstance(scalar, Float32Type | Float64Type)


def helper_name(block: Block) -> str:
    """A name that says what a combine region does."""
    combiner = combining_op(block)
    if combiner is not None:
        return _HELPER_NAMES.get(combiner.name, "combine")
    if len(block.args) == VALUE_AND_INDEX:
        if any(isinstance(op, math.ExpOp) for op in block.ops):
            return "sum_exponentials"
        first, second = block.args[0], block.args[2]
        values: dict[tuple[SSAValue, SSAValue], str] = {(first, second): "", (second, first): "last_"}
        for op in block.ops:
            if isinstance(op, arith.CmpfOp | arith.CmpiOp) and (which := values.get((op.lhs, op.rhs))) is not None:
                names = CMPF_PREDICATES if isinstance(op, arith.CmpfOp) else CMPI_PREDICATES
                base = _ARGUMENT_NAMES.get(names[op.predicate.value.data][1:])
                return "combine" if base is None else which + base
    return "combine"


@dataclass
class HelperFunctions:
    """The helper functions of a source module; equal ones are one."""

    names: NameTable = field(default_factory=NameTable)
    sources: dict[str, str] = field(default_factory=dict)
    """Name -> source."""
    _by_text: dict[str, str] = field(default_factory=dict)

    def add(self, base: str, parameters: str, body: str) -> str:
        """The name of the helper with these parameters and this body, made if there is none yet."""
        text = f"({parameters}):\n{body}"
        if text not in self._by_text:
            name = self.names.fresh(f"_{base}")
            self._by_text[text] = name
            self.sources[name] = f"@triton.jit\ndef {name}{text}"
        return self._by_text[text]
