"""Helpers of the tests that compare a graph before and after a pass, bit for bit."""

from collections.abc import Sequence

import torch
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass

from fusir.dialects import graph
from fusir.interpreters.graph import interpret

_UNSIGNED_ZERO = ("maximum", "minimum", "fmax", "fmin", "relu")


def module_of(block: Block, results: Sequence[SSAValue]) -> ModuleOp:
    """A module with @main of the block, which returns the values."""
    block.add_op(ReturnOp(*results))
    types = [a.type for a in block.args]
    return ModuleOp([FuncOp("main", (types, [v.type for v in results]), Region(block))])


def identical(a: torch.Tensor, b: torch.Tensor, signed_zeros: bool = True) -> torch.Tensor:
    """Elementwise: equal in value and sign, or both NaN."""
    same = a == b
    if not a.is_floating_point():
        return same
    if signed_zeros:
        same &= torch.signbit(a) == torch.signbit(b)
    return same | (a.isnan() & b.isnan())


def check_pass(module: ModuleOp, pass_: ModulePass, inputs: Sequence[torch.Tensor], names: Sequence[str]) -> int:
    """Check that the pass keeps every result, and return the number of graph ops that are left.

    The sign of a zero that `maximum` or `minimum` chose is not defined, so it may change.
    """
    before = interpret(module, inputs)
    pass_.apply(Context(), module)
    module.verify()
    after = interpret(module, inputs)
    for name, a, b in zip(names, before, after, strict=True):
        assert isinstance(a, torch.Tensor) and isinstance(b, torch.Tensor)
        same = identical(a, b, signed_zeros=not any(word in name for word in _UNSIGNED_ZERO))
        assert same.all(), f"{name}: {b[~same][:3].tolist()} instead of {a[~same][:3].tolist()} after {pass_.name}"
    return count_ops(module)


def count_ops(module: ModuleOp) -> int:
    return sum(isinstance(op, graph.GraphOp) for op in module.walk())


def describe(op: Operation) -> str:
    """The op with its constants, for messages: `graph.mul(x, full 2.0)`."""
    operands: list[str] = []
    for value in op.operands:
        owner = value.owner
        if isinstance(owner, graph.FullOp):
            operands.append(str(owner.scalar))
        else:
            operands.append(describe(owner) if isinstance(owner, Operation) else "x")
    return f"{op.name.removeprefix('graph.')}({', '.join(operands)})"
