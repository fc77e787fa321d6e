"""Source places of FX nodes."""

from __future__ import annotations

import os
import re

import torch
from xdsl.dialects.builtin import FileLineColLoc, IntAttr, LocationAttr, StringAttr, UnknownLoc

_FRAME = re.compile(r'File "([^"]+)", line (\d+)')
_TORCH_FOLDER = os.path.dirname(torch.__file__)


def parse_location(stack_trace: str) -> LocationAttr:
    """The innermost frame outside of PyTorch as a location; the innermost one if all are inside."""
    frames: list[tuple[str, str]] = _FRAME.findall(stack_trace)
    if not frames:
        return UnknownLoc()
    outside = [frame for frame in frames if not frame[0].startswith((_TORCH_FOLDER, "<"))]
    file, line = (outside or frames)[-1]
    return FileLineColLoc(StringAttr(file), IntAttr(int(line)), IntAttr(0))
