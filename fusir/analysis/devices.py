"""What decisions need to know of a GPU that need not be present."""

from __future__ import annotations

from xdsl.dialects.builtin import StringAttr
from xdsl.dialects.func import FuncOp

MULTIPROCESSORS = {"sm_80": 108, "sm_90": 132, "sm_100": 148, "gfx942": 304}
"""Multiprocessors (AMD: compute units) of the largest GPU of an architecture: A100, H100 and H200, B200, MI300X."""

FEWEST_MULTIPROCESSORS = 64
"""What is assumed of an architecture that is not listed."""

DEFAULT_MULTIPROCESSORS = MULTIPROCESSORS["sm_90"]


def multiprocessors_of(target: str) -> int:
    """The multiprocessors of a target such as `sm_90`."""
    return MULTIPROCESSORS.get(target.rstrip("a") if target.startswith("sm_") else target, FEWEST_MULTIPROCESSORS)


def has_descriptors(target: str) -> bool:
    """Whether the hardware of a target such as `sm_90` copies blocks that tensor descriptors describe."""
    return target.startswith("sm_") and int(target[3:].rstrip("af")) >= 90


def is_on_gpu(func: FuncOp) -> bool:
    """Whether a function runs on a GPU, as its attribute `graph.device` says."""
    device = func.attributes.get("graph.device")
    return isinstance(device, StringAttr) and device.data.partition(":")[0] == "cuda"
