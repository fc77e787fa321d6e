"""The `loop` dialect: one kernel as loops over scalars (docs/ir.md, section 2)."""

from xdsl.ir import Dialect

from fusir.dialects.loop.attrs import (
    CACHE_HINT,
    DESCRIPTOR,
    LANE_GROUP,
    PRECISION,
    STACKED,
    AxisAttr,
    AxisKind,
    Combiner,
    CombinerAttr,
    Dim,
    RowStart,
    Schedule,
    ScheduleAttr,
    StridedAttr,
)
from fusir.dialects.loop.memory import LoadOp, StoreOp
from fusir.dialects.loop.online import FoldOp, OnlineOp, WalkedOp
from fusir.dialects.loop.ops import (
    KernelOp,
    LocalOp,
    LoopOp,
    ParallelOp,
    ReduceOp,
    YieldOp,
    single_block,
)
from fusir.dialects.loop.scalars import LIBM_ARITY, LibmOp, RandomOp
from fusir.dialects.loop.scan import PREFIX_COMBINERS, PrefixOp, ScanOp
from fusir.dialects.loop.tiles import TILES, Tiles, TilesAttr
from fusir.dialects.loop.types import contiguous_strides, memref_type, multiply, signless, strides_of

Loop = Dialect(
    "loop",
    [
        KernelOp,
        LocalOp,
        ParallelOp,
        ReduceOp,
        OnlineOp,
        FoldOp,
        WalkedOp,
        ScanOp,
        PrefixOp,
        LoadOp,
        StoreOp,
        RandomOp,
        LibmOp,
        YieldOp,
    ],
    [AxisAttr, CombinerAttr, ScheduleAttr, StridedAttr, TilesAttr],
)

__all__ = [
    "CACHE_HINT",
    "DESCRIPTOR",
    "LANE_GROUP",
    "LIBM_ARITY",
    "PRECISION",
    "PREFIX_COMBINERS",
    "STACKED",
    "TILES",
    "AxisAttr",
    "AxisKind",
    "Combiner",
    "CombinerAttr",
    "Dim",
    "FoldOp",
    "KernelOp",
    "LibmOp",
    "LoadOp",
    "LocalOp",
    "Loop",
    "LoopOp",
    "OnlineOp",
    "ParallelOp",
    "PrefixOp",
    "RandomOp",
    "ReduceOp",
    "RowStart",
    "ScanOp",
    "Schedule",
    "ScheduleAttr",
    "StoreOp",
    "StridedAttr",
    "Tiles",
    "TilesAttr",
    "WalkedOp",
    "YieldOp",
    "contiguous_strides",
    "memref_type",
    "multiply",
    "signless",
    "single_block",
    "strides_of",
]
