"""What the tuner needs of a device: build programs for it, run and time them."""

from __future__ import annotations

import functools
import hashlib
import statistics
import threading
from collections.abc import Callable, Generator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any, Protocol

import torch
from xdsl.dialects.builtin import ModuleOp

from fusir.dialects.loop import TILES, KernelOp, Tiles
from fusir.options import Options
from fusir.pipeline import PassOptions, run_pipeline
from fusir.runtime import executable
from fusir.runtime.torch_internals import driver_version, without_modes
from fusir.tools.registry import make_context
from fusir.transforms.graph.choose_contractions import ChooseContractionsPass
from fusir.transforms.loop.contraction_schedule import tile_candidates

Program = Callable[[list[Any]], Sequence[Any]]
"""Takes its inputs as a list, which it empties, and gives the results."""

FLUSH_BYTES = 256 << 20
"""What is written before each measured run, so that no input is in the L2 cache: more than any GPU of today has."""

_one_at_a_time = threading.Lock()
"""Two threads that measure at once would measure each other."""


class Device(Protocol):
    """A device, or what stands in for one."""

    @property
    def device(self) -> torch.device:
        """Where inputs are."""
        ...

    def identity(self) -> tuple[str, ...]:
        """All that the time and the result of a program depend on, beside the program."""
        ...

    def reason_against(self) -> str | None:
        """Why nothing can be measured now, None if it can."""
        ...

    def session(self) -> AbstractContextManager[None]:
        """Everything below happens in one. At the end the memory is given back."""
        ...

    def free_bytes(self) -> int:
        """The memory that is free."""
        ...

    def tiles(self, module: ModuleOp, effort: str) -> list[Tiles]:
        """Tiles to try for the kernel of the only fusion with a contraction, the most promising first. The module is
        consumed."""
        ...

    def build(self, modules: Sequence[ModuleOp]) -> list[Program | str]:
        """Programs of modules whose contractions were chosen, or why there is none. The modules are consumed. A
        program may still raise when it is called."""
        ...

    def times(self, programs: Sequence[Program], inputs: list[Any], runs: int) -> list[float]:
        """The median time of each program in ms over so many runs, which take turns. All were run before."""
        ...


class CudaDevice:
    """A CUDA device."""

    def __init__(self, index: int, pass_options: PassOptions) -> None:
        self.device: torch.device = torch.device("cuda", index)
        self._pass_options: PassOptions = pass_options
        self._flush: torch.Tensor | None = None

    def identity(self) -> tuple[str, ...]:
        import triton

        from fusir import __version__

        properties = torch.cuda.get_device_properties(self.device)
        device = (properties.name, str(self.multiprocessors), f"{properties.major}.{properties.minor}")
        tools = (__version__, compiler_digest(), triton.__version__, torch.__version__, str(torch.version.cuda))
        return (*device, *tools, str(torch.version.hip), driver_version(), matmul_precision(), repr(self._pass_options))

    @property
    def multiprocessors(self) -> int:
        return torch.cuda.get_device_properties(self.device).multi_processor_count

    def reason_against(self) -> str | None:
        return "a CUDA graph is being recorded" if torch.cuda.is_current_stream_capturing() else None

    @contextmanager
    def session(self) -> Generator[None]:
        with _one_at_a_time, without_modes(), torch.no_grad(), torch.cuda.device(self.device):
            try:
                yield
            finally:
                self._flush = None
                torch.cuda.empty_cache()

    def free_bytes(self) -> int:
        free, _ = torch.cuda.mem_get_info(self.device)
        return free + torch.cuda.memory_reserved(self.device) - torch.cuda.memory_allocated(self.device) - FLUSH_BYTES

    def tiles(self, module: ModuleOp, effort: str) -> list[Tiles]:
        self._lower(module, "loop")
        kernels = [op for op in module.body.block.ops if isinstance(op, KernelOp)]
        # If there are several kernels, the one with the contraction is the one that has tiles already.
        kernels = [kernel for kernel in kernels if TILES in kernel.attributes] or kernels
        if len(kernels) != 1:
            return []
        return tile_candidates(kernels[0], effort, self.multiprocessors)

    def build(self, modules: Sequence[ModuleOp]) -> list[Program | str]:
        return [self._build(module) for module in modules]

    def _build(self, module: ModuleOp) -> Program | str:
        """Kernels are compiled in the background: the next module is lowered meanwhile."""
        try:
            self._lower(module, "host")
            # Without the fused module: a kernel that cannot be compiled is an error.
            return executable.build(module, Options(), check_inputs=False)
        except Exception as error:
            return first_line(error)

    def _lower(self, module: ModuleOp, upto: str) -> None:
        run_pipeline(make_context(), module, upto, self._pass_options, behind=ChooseContractionsPass.name)

    def times(self, programs: Sequence[Program], inputs: list[Any], runs: int) -> list[float]:
        if self._flush is None:
            self._flush = torch.empty(FLUSH_BYTES, dtype=torch.int8, device=self.device)
        torch.cuda.synchronize()
        events: list[list[tuple[torch.cuda.Event, torch.cuda.Event]]] = [[] for _ in programs]
        for _ in range(runs):
            for program, pairs in zip(programs, events, strict=True):
                start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
                # While this runs, the host gets ahead, so that launches do not wait for it.
                self._flush.zero_()
                start.record()
                results = program(list(inputs))
                end.record()
                del results
                pairs.append((start, end))
        torch.cuda.synchronize()
        return [statistics.median(start.elapsed_time(end) for start, end in pairs) for pairs in events]


def matmul_precision() -> str:
    """How the library computes products of f32."""
    # Not `allow_tf32`: PyTorch warns of that name where the other one was used.
    return str(torch.backends.cuda.matmul.fp32_precision)


@functools.cache
def compiler_digest() -> str:
    """Identifies the code of this compiler: what another one's kernels computed and took says nothing."""
    root = Path(__file__).parent.parent.parent
    digest = hashlib.sha256()
    for path in sorted(root.rglob("*.py")):
        digest.update(path.relative_to(root).as_posix().encode() + path.read_bytes())
    return digest.hexdigest()


def first_line(error: BaseException) -> str:
    """An error in one line."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return f"{type(error).__name__}: {lines[0]}" if lines else type(error).__name__
