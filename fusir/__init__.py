"""fusir: an MLIR-style compiler in plain Python from PyTorch programs to fused Triton kernels."""

from fusir.api import compile, explain, trace  # noqa: A004 - as torch.compile
from fusir.errors import CaptureError, FusirError, FusirFallbackWarning, OptionError

__version__ = "0.1.0"

__all__ = [
    "CaptureError",
    "FusirError",
    "FusirFallbackWarning",
    "OptionError",
    "compile",
    "explain",
    "trace",
]
