"""One program through all levels of fusir: `make demo`, or `python examples/demo.py`. Needs no GPU.

The program is a pointwise op, a reduction and a pointwise op: three kernels in eager PyTorch, one here.
"""

from __future__ import annotations

import torch

import fusir

TITLES = {
    "graph": "tensor level: the program as PyTorch gives it, simplified",
    "fused": "tensor level, fused: each graph.fusion becomes one kernel",
    "loop": "loop level: the fusion as one loop nest, beside the launch program",
    "scheduled": "loop level, scheduled: axes, tile sizes and warps are chosen",
    "tt": "tile level: Triton's own IR",
    "host": "host level: the launch program with its buffers planned",
}


def program(x: torch.Tensor) -> torch.Tensor:
    """The running example: `(x * 2).sum(-1) + 1`."""
    return (x * 2).sum(-1) + 1


def show(title: str, text: object) -> None:
    """Print a part under a heading."""
    print(f"\n==== {title} ====\n{text}")


def main() -> None:
    device = "cuda" if torch.cuda.is_available() else "cpu"
    x = torch.randn(1024, 1024, device=device)

    report = fusir.explain(program, x)
    for stage, title in TITLES.items():
        show(title, report.stages[stage])
    for kernel in report.kernels:
        show(f"Triton source of {kernel.name}", kernel.source)
        reads = ", ".join(str(each) for each in kernel.reads)
        writes = ", ".join(str(each) for each in kernel.writes)
        show(f"{kernel.name} and global memory", f"reads {reads}\nwrites {writes}\nmoves {kernel.bytes} bytes")

    expected = program(x)
    result = fusir.compile(program)(x)
    torch.testing.assert_close(result, expected, rtol=1e-5, atol=1e-4)
    error = (result - expected).abs().max().item()
    show(f"the result, on {device}", f"{len(report.kernels)} kernel; equal to eager PyTorch within {error:.1e}")


if __name__ == "__main__":
    main()
