"""The options of `fusir.compile` and what the four PyTorch modes set in them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace

from fusir.errors import OptionError

_TARGET = re.compile(r"sm_\d+[a-z]?|gfx[0-9a-f]+")


@dataclass(frozen=True)
class Options:
    """What a compilation may vary. Hashable; equal options give equal code."""

    fuse: bool = True
    """False: one kernel for each operator."""
    target: str | None = None
    """The GPU to generate code for (`"sm_90"`, `"gfx942"`); None: the one present, else sm_90."""
    strict_rounding: bool = False
    """Round half-precision values after every operator, as eager does, instead of at stores only."""
    channels_last: bool | None = None
    """Run convolutions with the channels as the fastest dim; None: where that is expected to be faster."""
    float32_products: str | None = None
    """How matrix products of f32 may be computed in our kernels: `"ieee"`, `"tf32"`, or `"bf16x6"`, six products of
    bf16 pieces. None: as PyTorch's setting says (`torch.set_float32_matmul_precision`), with tf32 or in full."""
    max_autotune: bool = False
    """Measure all candidate tiles of contractions on the device, not only the most promising ones."""
    tune: bool = True
    """Measure on the device, while compiling, whether a contraction and what surrounds it are best one kernel, and with
    which tiles, or a call of the library and other kernels. Results are kept on disk. False: each contraction that can
    be fused is one kernel with default tiles, as where there is no GPU."""
    cuda_graphs: bool = False
    """Record the launches of a call into a CUDA graph and replay it."""


CHOICES = {"float32_products": ("ieee", "tf32", "bf16x6")}
"""The values of options that are words."""

MODES: dict[str, dict[str, bool]] = {
    "default": {},
    "reduce-overhead": {"cuda_graphs": True},
    "max-autotune": {"max_autotune": True, "cuda_graphs": True},
    "max-autotune-no-cudagraphs": {"max_autotune": True},
}
"""What each mode of `torch.compile` sets."""


def resolve_options(mode: str | None = None, options: Mapping[str, object] | Options | None = None) -> Options:
    """The options of a mode with the explicit ones on top. Unknown names and wrong values raise `OptionError`."""
    if mode is not None and mode not in MODES:
        raise OptionError(f"unknown mode {mode!r}; the known modes are {', '.join(MODES)}")
    base = options if isinstance(options, Options) else Options()
    base = replace(base, **MODES[mode or "default"])
    if options is None or isinstance(options, Options):
        return base
    known = {field.name: str(field.type) for field in fields(Options)}
    for name, value in options.items():
        if name not in known:
            raise OptionError(f"unknown option {name!r}; the known options are {', '.join(known)}")
        _check_value(name, value, known[name])
    return replace(base, **{str(name): value for name, value in options.items()})


def _check_value(name: str, value: object, annotation: str) -> None:
    if value is None and annotation.endswith("None"):
        return
    if annotation.startswith("bool"):
        if not isinstance(value, bool):
            raise OptionError(f"option {name!r} must be True or False, got {value!r}")
    elif name in CHOICES:
        if value not in CHOICES[name]:
            raise OptionError(f"option {name!r} must be one of {', '.join(CHOICES[name])}, got {value!r}")
    elif not (isinstance(value, str) and _TARGET.fullmatch(value)):
        raise OptionError(f"option {name!r} must be a GPU architecture such as 'sm_90' or 'gfx942', got {value!r}")
