"""Lifetimes of the buffers of a launch program, and which of them may share storage."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import MemRefType
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Operation, SSAValue

from fusir.dialects import host

FRESH_RESULTS = frozenset(
    f"aten.{name}"
    for name in (
        "mm.default",
        "_int_mm.default",
        "_scaled_mm.default",
        "bmm.default",
        "addmm.default",
        "baddbmm.default",
        "convolution.default",
        "convolution_backward.default",
        "native_layer_norm.default",
        "native_batch_norm.default",
        "_scaled_dot_product_flash_attention.default",
        "_scaled_dot_product_efficient_attention.default",
        "_scaled_dot_product_cudnn_attention.default",
        "_scaled_dot_product_flash_attention_for_cpu.default",
        "_scaled_dot_product_flash_attention_backward.default",
        "_scaled_dot_product_efficient_attention_backward.default",
        "_scaled_dot_product_cudnn_attention_backward.default",
        "max_pool2d_with_indices.default",
        "max_pool2d_with_indices_backward.default",
        "avg_pool2d.default",
        "embedding_dense_backward.default",
        "sort.default",
        "topk.default",
        "cumsum.default",
    )
)
"""Operators whose results never share storage with an operand. Any other may return a view of what it got."""


@dataclass(eq=False)
class Storage:
    """Buffers that are, or may be, the same memory."""

    roots: list[SSAValue]
    """What it began with: arguments, allocations, results of calls."""
    last_use: int
    """Position of the last op that uses it; that of its definition if none does."""
    is_returned: bool = False
    merged_into: Storage | None = None

    def merged(self) -> Storage:
        """The storage that this one is part of."""
        storage = self
        while storage.merged_into is not None:
            storage = storage.merged_into
        return storage

    @property
    def is_owned(self) -> bool:
        """Whether it is memory that the program allocates and that nothing outside sees: free to be used again."""
        return not self.is_returned and all(isinstance(root.owner, host.AllocOp) for root in self.roots)


class Lifetimes:
    """The storages of a launch program. Its ops count from 0."""

    def __init__(self, func: FuncOp):
        self.ops: Sequence[Operation] = list(func.body.block.ops)
        self._storage: dict[SSAValue, Storage] = {}
        for argument in func.body.block.args:
            self._define(argument, -1)
        for index, op in enumerate(self.ops):
            for operand in op.operands:
                self._use(operand, index, is_returned=isinstance(op, ReturnOp))
            if isinstance(op, host.ViewOp):
                self._storage[op.result] = self.of(op.source)
                continue
            for result in op.results:
                self._define(result, index)
            if isinstance(op, host.CallAtenOp) and op.target.data not in FRESH_RESULTS and op.results_:
                for value in (*op.operands_, *op.results_):
                    self.merge(self.of(op.results_[0]), self.of(value))

    def _define(self, value: SSAValue, index: int) -> None:
        if isinstance(value.type, MemRefType):
            self._storage[value] = Storage([value], index)

    def _use(self, value: SSAValue, index: int, is_returned: bool) -> None:
        if value in self._storage:
            storage = self.of(value)
            storage.last_use = index
            storage.is_returned |= is_returned

    def of(self, buffer: SSAValue) -> Storage:
        """The storage of a buffer."""
        storage = self._storage[buffer] = self._storage[buffer].merged()
        return storage

    def storages(self) -> list[Storage]:
        """Every storage once, in order of definition."""
        return list(dict.fromkeys(self.of(buffer) for buffer in self._storage))

    def merge(self, kept: Storage, other: Storage) -> None:
        """Make one storage of two."""
        if kept is other:
            return
        if len(kept.roots) < len(other.roots):
            kept, other = other, kept
        kept.roots += other.roots
        kept.last_use = max(kept.last_use, other.last_use)
        kept.is_returned |= other.is_returned
        other.merged_into = kept
