# RUN: %python %s 8 1
"""The same input gives the same bits in every run: no kernel of the corpus sums values up by atomics, and sums repeat
exactly.

python determinism.py <step> <start>      every step-th graph of the corpus (1 0: all of them)
"""

from __future__ import annotations

import sys

import torch
from corpus_kernels import corpus_kernels
from xdsl.dialects.builtin import i32
from xdsl.utils.type import get_element_type_or_self

import fusir
from fusir.dialects import tt


def depends_on_order(kernel: tt.FuncOp) -> bool:
    """Whether a kernel has atomics, but for the counters of programs that wait for each other: these are integers, and
    what is folded meanwhile is folded in the order of the parts (`conversion/exchange.py`)."""
    for op in kernel.walk():
        if isinstance(op, tt.AtomicCASOp):
            return True
        if isinstance(op, tt.AtomicRMWOp) and (kernel.together == 1 or get_element_type_or_self(op.result.type) != i32):
            return True
    return False


def check_sources(step: int, start: int) -> None:
    """No kernel of every `step`-th graph adds to memory in an order that is not its own."""
    count = 0
    for path, func in corpus_kernels(step, start):
        assert not depends_on_order(func), path
        count += 1
    assert count > 50 // step, count


def check_sources_of_programs() -> None:
    """Nor do the kernels of programs that split their reductions, gradients included."""
    x, index = torch.empty(1 << 20, 16, device="meta"), torch.empty(4096, dtype=torch.int64, device="meta")
    for fn in (
        lambda x, i: (x.sum(), x.amax(), x.argmax(), x.var(), x.norm()),
        lambda x, i: (x.sum(0), x.mean(0), x.sum(1)),
        lambda x, i: torch.nn.functional.embedding(i, x).sum(),
        lambda x, i: torch.zeros_like(x).scatter_add(0, i[:, None].expand(-1, 16), x[:4096]),
    ):
        report = fusir.explain(fn, x, index)
        assert not any("atomic" in kernel.source for kernel in report.kernels), report


def check_bits() -> None:
    """Runs of one program, and of the same program compiled again, agree bit by bit."""
    torch.manual_seed(0)
    x = torch.randn(300, 4001)
    results: list[list[torch.Tensor]] = []
    for _ in range(2):
        torch.compiler.reset()
        compiled = fusir.compile(
            lambda x: [
                x.sum(),
                x.sum(0),
                x.sum(1),
                x.var(),
                x.var(0),
                x.softmax(1),
                x.softmax(0),
                x.norm(),
                x.cumsum(1),
            ]
        )
        results += [compiled(x) for _ in range(2)]
    for again in results[1:]:
        for one, other in zip(results[0], again, strict=True):
            assert torch.equal(one.view(torch.int32), other.view(torch.int32))


check_sources(int(sys.argv[1]), int(sys.argv[2]))
check_sources_of_programs()
check_bits()
