"""Replay of a launch program as a CUDA graph.

The first calls run the program as it is, which loads its kernels and shows which inputs keep their address
(parameters, saved activations). Then the launches of one call are recorded. A replay reads inputs of fixed address
where they are and all others from buffers of its own, which it fills first. Results stay in the memory of the
recording: while the caller holds results of the last replay, a second recording is used, and while both are held, the
program runs as it is. So no result is ever overwritten and none is copied.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any

import torch
from xdsl.dialects.builtin import IndexType
from xdsl.dialects.func import FuncOp
from xdsl.ir import BlockArgument

from fusir.analysis.buffers import Lifetimes
from fusir.dialects import host
from fusir.runtime.torch_internals import copy_all, storage_use_count

Values = list[Any]
Program = Callable[[Values], Values]

WARM_UP_CALLS = 2
"""Calls before the first recording: two show which inputs keep their address."""

MAX_RECORDINGS = 6
"""Recordings in all, those included that were given up because an input moved; then the program runs as it is."""

MAX_LIVE_RECORDINGS = 2
"""Recordings kept at a time: `y = f(x)` in a loop holds one result while the next is made."""


def reason_against(func: FuncOp) -> str | None:
    """Why a launch program cannot be replayed as a CUDA graph, None if it can."""
    if any(isinstance(argument.type, IndexType) for argument in func.body.block.args):
        return "its shapes are dynamic"
    for op in func.body.block.ops:
        if isinstance(op, host.CallAtenOp) and not op.pure:
            return f"{op.target.data} has side effects"
    for storage in Lifetimes(func).storages():
        if storage.is_returned and any(isinstance(root, BlockArgument) for root in storage.roots):
            return "a result may share storage with an input"
    return None


class _Recording:
    """The launches of one call, and the memory they use."""

    def __init__(self, program: Program, inputs: Sequence[torch.Tensor], fixed: Sequence[bool], pool: Any):
        self.addresses = [x.data_ptr() if is_fixed else None for x, is_fixed in zip(inputs, fixed, strict=True)]
        self.copied = [index for index, is_fixed in enumerate(fixed) if not is_fixed]
        self.buffers = [_copy_of(inputs[index]) for index in self.copied]
        arguments: Values = list(inputs)
        for index, buffer in zip(self.copied, self.buffers, strict=True):
            arguments[index] = buffer
        self.graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self.graph, pool=pool, capture_error_mode="thread_local"):
            results: Values = program(arguments)
        self._results = [_describe(result) for result in results]
        self._storages = [result.untyped_storage() for result in results if isinstance(result, torch.Tensor)]
        del results
        self._idle_counts = self._use_counts()

    def _use_counts(self) -> list[int]:
        return [storage_use_count(storage) for storage in self._storages]

    def is_held(self) -> bool:
        """Whether somebody holds a result of the last replay."""
        return self._use_counts() != self._idle_counts

    def fits(self, inputs: Sequence[torch.Tensor]) -> bool:
        """Whether the inputs of fixed address are where they were."""
        return all(
            address is None or x.data_ptr() == address for x, address in zip(inputs, self.addresses, strict=True)
        )

    def replay(self, inputs: Sequence[torch.Tensor]) -> Values:
        if self.copied:
            copy_all(self.buffers, [inputs[index] for index in self.copied])
        self.graph.replay()
        storages = iter(self._storages)
        return [make(next(storages)) if callable(make) else make for make in self._results]


def _copy_of(tensor: torch.Tensor) -> torch.Tensor:
    return torch.empty_strided(tensor.shape, tensor.stride(), dtype=tensor.dtype, device=tensor.device).copy_(tensor)


def _describe(result: Any) -> Any:
    """A function from its storage to the result; a result that is no tensor itself."""
    if not isinstance(result, torch.Tensor):
        return result
    dtype, device, offset = result.dtype, result.device, result.storage_offset()
    shape, strides = result.shape, result.stride()

    def make(storage: torch.UntypedStorage) -> torch.Tensor:
        return torch.empty(0, dtype=dtype, device=device).set_(storage, offset, shape, strides)  # pyright: ignore

    return make


class GraphReplay:
    """A program that is replayed as a CUDA graph when it has run a few times. Takes and gives what the program does."""

    def __init__(self, program: Program, device: int):
        self._program = program
        self._device = device
        self._lock = threading.Lock()
        self._recordings: list[_Recording] = []
        self._made = 0
        self._seen: list[list[int]] = []
        self._stream: torch.cuda.Stream | None = None
        self.given_up: str | None = None
        """Why the program runs as it is from now on."""

    def __call__(self, inputs: Values) -> Values:
        if (
            self.given_up is not None
            or torch.cuda.is_current_stream_capturing()
            or not self._lock.acquire(blocking=False)
        ):
            return self._program(inputs)
        try:
            return self._run(inputs)
        finally:
            self._lock.release()

    def _run(self, inputs: Values) -> Values:
        if len(self._seen) < WARM_UP_CALLS:
            self._seen.append([x.data_ptr() for x in inputs])
            return self._program(inputs)
        self._order_after_last_stream()
        recording = self._recording_for(inputs)
        if recording is None:
            return self._program(inputs)
        results = recording.replay(inputs)
        inputs.clear()
        return results

    def _order_after_last_stream(self) -> None:
        """Replays share memory, so one waits for the last, also on another stream."""
        stream = torch.cuda.current_stream(self._device)
        if self._stream is not None and self._stream != stream:
            stream.wait_stream(self._stream)
        self._stream = stream

    def _recording_for(self, inputs: Values) -> _Recording | None:
        """A recording whose memory is not in use, made now if there is none."""
        fitting = [each for each in self._recordings if each.fits(inputs)]
        for each in fitting:
            if not each.is_held():
                return each
        if len(fitting) >= MAX_LIVE_RECORDINGS:
            return None
        self._recordings = fitting
        if self._made >= MAX_RECORDINGS:
            if not fitting:
                self.given_up = "its inputs move too often"
            return None
        addresses = [x.data_ptr() for x in inputs]
        fixed = [all(seen[i] == address for seen in self._seen) for i, address in enumerate(addresses)]
        self._seen = [*self._seen[1:], addresses]
        self._made += 1
        try:
            recording = _Recording(self._program, inputs, fixed, None)
        except Exception as error:
            self.given_up = f"recording failed: {error}"
            torch.cuda.synchronize(self._device)
            return None
        self._recordings.append(recording)
        return recording
