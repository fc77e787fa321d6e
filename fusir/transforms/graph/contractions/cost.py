"""Every number that the fusions of contractions depend on."""

from __future__ import annotations

import math
from collections.abc import Iterable

from xdsl.dialects.builtin import Float32Type
from xdsl.ir import Operation

from fusir.dialects.graph import ContractOp, ConvertOp, element_type_of, is_float
from fusir.transforms.graph.contractions.values import count, extents, size
from fusir.transforms.graph.fusion import cost

MAX_DISTANCE = 128
"""Ops behind a contraction among which its epilogue is looked for, so that the search takes linear time."""

MAX_EPILOGUE = 48
"""Ops that an epilogue may have: more of them spill registers beside the accumulator of a tile."""

MAX_OPERAND_OPS = 24
"""Ops that are computed as an operand of a contraction or of its epilogue is loaded."""

MAX_CLONED_WEIGHT = 2
"""Simple operations for one element that are done again rather than stored, besides conversions of floats."""

SMALL_PART = 2
"""A tensor with at most this part (half) of the elements of a result is repeated along some dims of it: it has an
element for each row or column, as a bias has."""

PART = 128
"""Neighbouring columns (rows) of a result that a kernel reduces to one partial result: divides the usual tiles."""

ROW_TILE = 128
"""Rows of the result that a program computes: how often an element of the right operand is evaluated."""

COLUMN_TILE = 256
"""Columns of the result that a program computes: how often an element of the left operand is evaluated."""

DOT_OPS_PER_BYTE = 146
"""Operations of the tensor cores on halves, two for each product, in the time of one byte of traffic: 700 TFLOP/s of an
H200 in large products over its 4.8 TB/s."""

PROLOGUE_SHARE = 5
"""The arithmetic on operands may take one fifth of the time of the products: it is not hidden behind them."""

OPERAND_DELAY = 0.7
"""How much longer the products of a large contraction take if an operand is computed in registers on its way to the
tensor cores: 8192x4096x4096 in bfloat16 takes 0.65 ms with a scaled operand and 0.35 without, on an H200. So a product
that is as long as its traffic, of few rows, takes operations on its operands in, and a large one does not."""


def weight(op: Operation) -> int:
    """Simple operations for one element; conversions between floats come with loading and storing halves."""
    is_free = isinstance(op, ConvertOp) and all(is_float(element_type_of(v)) for v in (op.operand, op.result))
    return 0 if is_free else cost.weight(op)


def prologue_is_cheap(contract: ContractOp, is_lhs: bool, ops: Iterable[Operation]) -> bool:
    """Whether the ops may be evaluated whenever a tile of the operand is loaded."""
    lhs, rhs, result = count(contract.lhs), count(contract.rhs), count(contract.result)
    dims = extents(contract.lhs)
    inner = math.prod(dims[d] for d in contract.lhs_contract)
    batch = math.prod(dims[d] for d in contract.lhs_batch)
    rows, columns = lhs // (inner * batch), rhs // (inner * batch)
    again = -(-columns // COLUMN_TILE) if is_lhs else -(-rows // ROW_TILE)
    operations = again * sum(weight(op) * count(op.results[0]) for op in ops)
    rate = cost.OPS_PER_BYTE if isinstance(element_type_of(contract.lhs), Float32Type) else DOT_OPS_PER_BYTE
    traffic = sum(size(value) for value in (contract.lhs, contract.rhs, contract.result))
    dots = 2 * result * inner // rate
    if again == 1 and dots <= traffic:
        # Each element is computed once, as it would be to be stored, and the products do not wait for more than memory.
        return True
    # Stored, the operand is written and read once more.
    stored = 2 * size(contract.lhs if is_lhs else contract.rhs) + cost.LAUNCH_BYTES
    if OPERAND_DELAY * dots > stored:
        return False
    return operations * PROLOGUE_SHARE <= max(dots, traffic) * cost.OPS_PER_BYTE
