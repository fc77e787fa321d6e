"""Who reads a tensor of a graph function."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.ir import Operation, SSAValue

from fusir.dialects.graph import ViewOp


def readers_of(value: SSAValue) -> Iterator[Operation]:
    """The ops that read a value, also through views."""
    waiting = [value]
    while waiting:
        for use in waiting.pop().uses:
            if isinstance(use.operation, ViewOp):
                waiting.append(use.operation.results[0])
            else:
                yield use.operation
