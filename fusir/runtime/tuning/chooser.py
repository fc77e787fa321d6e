"""The tuner of a device."""

from __future__ import annotations

import torch

from fusir.pipeline import PassOptions
from fusir.runtime.tuning.device import CudaDevice
from fusir.runtime.tuning.records import Records
from fusir.runtime.tuning.tuner import EFFORTS, Tuner

_records = Records()
"""What this process knows: choices are kept on disk too, unless that is switched off."""


def chooser_on(
    device: torch.device, target: str | None, pass_options: PassOptions, effort: str, *, measures: bool = True
) -> Tuner | None:
    """The tuner for a device, None if it is no GPU that is present, or not the target.

    Args:
        device: what the program is for.
        target: the GPU that code is generated for, None for this one.
        pass_options: what the program is compiled with.
        effort: a name of `EFFORTS`.
        measures: False for a tuner that only knows what was measured before.
    """
    if device.type != "cuda" or not torch.cuda.is_available():
        return None
    index = device.index if ":" in str(device) else torch.cuda.current_device()
    if index >= torch.cuda.device_count():
        return None
    if target is not None and target.rstrip("a" if target.startswith("sm_") else "") != _target_of(index):
        return None
    return Tuner(CudaDevice(index, pass_options), _records, EFFORTS[effort], measures=measures)


def _target_of(index: int) -> str:
    """The name of a GPU as a target."""
    properties = torch.cuda.get_device_properties(index)
    if torch.version.hip is not None:
        return str(getattr(properties, "gcnArchName", "")).split(":")[0]
    return f"sm_{properties.major}{properties.minor}"
