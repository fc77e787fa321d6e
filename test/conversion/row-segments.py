# RUN: %python %s
"""Rows walked in edges and whole groups give what float64 gives, wherever they start, and nothing else is touched."""

from __future__ import annotations

import torch
from row_kernels import (
    Function,
    all_of,
    compare_with_float64,
    layer_norm,
    log_softmax,
    lower,
    position,
    rows,
    softmax,
)
from torch import Tensor
from xdsl.dialects.builtin import ArrayAttr, StringAttr
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineExpr, AffineMap

from fusir.dialects.loop import AxisAttr, AxisKind, KernelOp, LoopOp, ParallelOp, RowStart, ScheduleAttr
from fusir.transforms.loop.online import merge_cascades

torch.set_num_threads(1)


def cut(kernel: KernelOp, kind: AxisKind, size: int, start: RowStart, index_bits: int) -> None:
    """A schedule with one row a program, of which the edges are a segment."""
    for op in kernel.walk():
        if isinstance(op, LoopOp):
            name = "x" if isinstance(op, ParallelOp) and op.parent_op() is kernel else "r"
            op.properties["axes"] = ArrayAttr([StringAttr(name)] * len(op.indices))
    axes = (AxisAttr(("x", AxisKind.PROGRAM, 1)), AxisAttr(("r", kind, size, start)))
    kernel.properties["schedule"] = ScheduleAttr((axes, 1, 1, index_bits))


def row_offset(outer: LoopOp, extent: int, shift: int) -> AffineMap:
    """Where rows start that lie behind each other: at `row * extent + shift`."""
    offset: AffineExpr = AffineConstantExpr(shift)
    for dim, dim_extent in enumerate(outer.extents):
        assert isinstance(dim_extent, int)
        offset = offset * dim_extent if dim else offset
        offset = offset + AffineDimExpr(dim) * extent
    return AffineMap(len(outer.indices), 0, (offset,))


def add_and_normalize(x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
    """Two inputs with rows that start alike, two stores of which one is in the walk."""
    z = x + y
    return z, z * (z.square().mean(-1, keepdim=True) + 1e-5).rsqrt()


def shifted(x: Tensor) -> Tensor:
    """A load that is not in step with the others."""
    tail = torch.nn.functional.pad(x[:, :-1], (1, 0))
    return (x - tail) / x.abs().sum(-1, keepdim=True)


def peaks(x: Tensor) -> tuple[Tensor, Tensor]:
    """A maximum with its position that is carried together with a sum, in a row that is walked."""
    largest, where = x.max(-1, keepdim=True)
    powers = (x - largest).exp()
    return powers / powers.sum(-1, keepdim=True), where


def integers(x: Tensor) -> Tensor:
    return x - x.sum(-1, keepdim=True).to(x.dtype) * x.amax(-1, keepdim=True)


def check(
    function: Function,
    inputs: list[Tensor],
    kind: AxisKind,
    size: int,
    tolerance: float,
    group: int = 8,
    shift: int = 0,
    index_bits: int = 32,
) -> None:
    def schedule(kernel: KernelOp) -> None:
        if kind is AxisKind.LOOP:
            merge_cascades(kernel)
        outer = next(op for op in kernel.body.block.ops if isinstance(op, LoopOp))
        cut(kernel, kind, size, RowStart(group, row_offset(outer, inputs[0].shape[-1], shift)), index_bits)

    compare_with_float64(function, inputs, *lower(function, inputs, schedule), tolerance)


def tile(extent: int, group: int = 8) -> int:
    """The size of a tile of all whole groups."""
    return max(group, 1 << ((extent - 1) // group * group - 1).bit_length()) if extent > group else group


WALKS = [(AxisKind.TILE, None), (AxisKind.LOOP, 16), (AxisKind.LOOP, 64)]

# Rows of one group and no whole one, of whole ones only, of all lengths of the edges; 9 rows start everywhere.
for extent in (8, 9, 16, 17, 64, 131):
    for kind, size in WALKS:
        check(softmax, [rows(9, extent)], kind, size or tile(extent), 1e-5)
    check(log_softmax, [rows(1, extent)], AxisKind.TILE, tile(extent), 1e-5)
for shift in (1, 7):
    for kind, size in WALKS:
        check(softmax, [rows(3, 131)], kind, size or 128, 1e-5, shift=shift)

for kind, size in WALKS:
    x = rows(5, 131)
    for function in (log_softmax, position, all_of, shifted):
        check(function, [x], kind, size or 128, 1e-5)
    check(layer_norm, [x, rows(1, 131)[0], rows(1, 132)[0, :131].contiguous()], kind, size or 128, 1e-4)
    check(add_and_normalize, [x, rows(5, 131)], kind, size or 128, 1e-4)
    check(integers, [(x * 3).to(torch.int8)], kind, size or 128, 0, group=16)
    check(softmax, [x.bfloat16()], kind, size or 128, 1e-2)
    check(softmax, [x.half()], kind, size or tile(131, 4), 1e-3, group=4)
    check(softmax, [x], kind, size or tile(131, 4), 1e-5, group=4, index_bits=64)
    check(softmax, [x.double()], kind, size or tile(131, 2), 1e-14, group=2)

    # Values that are not finite stay in their rows, also those in an edge, next to another row.
    special = rows(9, 131)
    special[0, 130] = float("nan")
    special[2, 0] = float("inf")
    special[4, 130] = float("-inf")
    special[5] = float("-inf")
    special[7, 0] = float("nan")
    special[8, :] = 7.0
    for function in (softmax, log_softmax, position, peaks):
        check(function, [special], kind, size or 128, 1e-5)
    # A maximum that is there twice: in the edges, in the whole groups and in both.
    twice = torch.zeros(9, 131)
    for row, (first, second) in enumerate([(0, 130), (0, 50), (50, 130), (7, 8), (1, 2), (129, 130), (64, 65)]):
        twice[row, first] = twice[row, second] = 1.0
    check(position, [twice], kind, size or 128, 0)
    check(peaks, [twice], kind, size or 128, 1e-5)
