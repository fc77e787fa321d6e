"""Kernels whose programs wait for each other run one after the other on a device, whatever their streams.

A device holds all programs that wait for each other if it has no others to hold that wait as well: of two such kernels
that run side by side each might have a part of the programs that it needs, and both would wait for ever. Kernels
without waiting programs end by themselves and may run beside them.

Launches that are being recorded into a CUDA graph are not ordered with those of other streams: a replay relies on the
device starting all programs of one kernel before those of the next.
"""

from __future__ import annotations

import threading
from types import TracebackType

import torch


class LaunchOrder:
    """`with order(stream):` around a launch on a stream of the device lets it wait for the launch before."""

    def __init__(self, device: int):
        self._device = device
        self._lock = threading.Lock()
        self._stream: int | None = None
        """The stream of the last launch."""

    def __call__(self, stream: int) -> LaunchOrder:
        self._lock.acquire()
        try:
            if stream != self._stream:
                self._follow(stream)
        except BaseException:
            self._lock.release()
            raise
        return self

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._lock.release()

    def _follow(self, stream: int) -> None:
        """Let what is launched on `stream` from here on wait for the stream of the last launch."""
        new = self._stream_of(stream)
        if _is_capturing(new):
            return
        if self._stream is not None and not _is_capturing(last := self._stream_of(self._stream)):
            new.wait_event(last.record_event())
        self._stream = stream

    def _stream_of(self, handle: int) -> torch.cuda.Stream:
        if handle == 0:
            return torch.cuda.default_stream(self._device)
        return torch.cuda.ExternalStream(handle, device=self._device)


def _is_capturing(stream: torch.cuda.Stream) -> bool:
    with torch.cuda.stream(stream):
        return torch.cuda.is_current_stream_capturing()


_orders: dict[int, LaunchOrder] = {}
_orders_lock = threading.Lock()


def launch_order(device: int) -> LaunchOrder:
    """The order of a device: one for all programs of this process."""
    with _orders_lock:
        return _orders.setdefault(device, LaunchOrder(device))
