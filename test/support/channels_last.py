"""Whether operators give channels last for channels last, as `fusir.transforms.graph.layout_plan` relies on."""

from __future__ import annotations

from typing import Any

import torch

from fusir.transforms.graph.layout_plan import KEEP_LAYOUT

ARGUMENTS: dict[str, tuple[Any, ...]] = {
    "aten._adaptive_avg_pool2d.default": ([2, 3],),
    "aten.avg_pool2d.default": ([2, 2],),
    "aten.max_pool2d_with_indices.default": ([3, 3], [2, 2], [1, 1]),
    "aten.upsample_bicubic2d.default": ([12, 14], False),
    "aten.upsample_bilinear2d.default": ([12, 14], False),
    "aten.upsample_nearest2d.default": ([12, 14],),
}
"""Those behind the image."""


def check_operators(device: str, dtype: torch.dtype) -> None:
    """Raises AssertionError, with the operator and its strides, for one that does not keep to it."""
    assert ARGUMENTS.keys() == KEEP_LAYOUT
    image = torch.ones(2, 32, 6, 7, device=device, dtype=dtype).to(memory_format=torch.channels_last)
    for target, arguments in ARGUMENTS.items():
        namespace, name, overload = target.split(".")
        results = getattr(getattr(getattr(torch.ops, namespace), name), overload)(image, *arguments)
        for result in [results] if isinstance(results, torch.Tensor) else results:
            assert result.is_contiguous(memory_format=torch.channels_last), (target, result.stride())
