"""Tensors that depend on parameters alone, kept from one call to the next.

`hoist-parameters` splits a program: `@prepare` makes packed tensors of the parameters, `@main` takes them as further
inputs. Each call compares the address and the version of each parameter with those that `@prepare` saw. PyTorch counts
a version for each write in place; a parameter that was replaced or moved has another address, or its old storage has
ended, which ends what was made of it. So several modules can share one program, each with packed tensors of its own.
Optimizers may write by kernels that do not count (`fused=True`): a hook after their steps tells what they have written.

Other writes that PyTorch does not count are not noticed: through `Tensor.data`, through NumPy, DLPack or another
process that share the memory, by kernels of the user, by collectives of `torch.distributed`, and by libraries that keep
the count on purpose, as FSDP does when it gathers parameters.
"""

from __future__ import annotations

import functools
import threading
import weakref
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import Any, cast

import torch
from torch.optim.optimizer import register_optimizer_step_post_hook
from xdsl.dialects.builtin import IntegerAttr, ModuleOp
from xdsl.dialects.func import FuncOp

from fusir.dialects import host
from fusir.options import Options
from fusir.runtime.executable import Executable, build
from fusir.runtime.torch_internals import copy_all, current_raw_stream, is_capturing, version_of
from fusir.transforms.graph.hoist_parameters import ARGUMENT, PREPARE

Pointers = tuple[int, ...]
Versions = tuple[int, ...]


_executables: weakref.WeakSet[PackedExecutable] = weakref.WeakSet()
_executables_lock = threading.Lock()


class _Packed:
    """What `@prepare` returned for some parameters."""

    def __init__(self, pointers: Pointers, versions: Versions, tensors: list[torch.Tensor], device: int) -> None:
        self.pointers = pointers
        self.versions: Versions | None = versions
        """Those of the parameters; None if one was written since."""
        self.tensors = tensors
        self.storages: list[weakref.ref[torch.UntypedStorage]] = []
        """The storages of the parameters. When one ends, its address may be that of other data."""
        self._ready: torch.cuda.Event | None = None
        self._streams: set[int] = set()
        """The streams on which the tensors may be read."""
        if device >= 0:
            stream = torch.cuda.current_stream(device)
            self._ready = torch.cuda.Event()
            self._ready.record(stream)
            self._streams.add(stream.cuda_stream)

    def follow(self, device: int) -> None:
        """Let the current stream of a GPU wait until the tensors are written."""
        if self._ready is None or current_raw_stream(device) in self._streams:
            return
        stream = torch.cuda.current_stream(device)
        stream.wait_event(self._ready)
        for tensor in self.tensors:
            tensor.record_stream(stream)
        self._streams.add(stream.cuda_stream)


class PackedExecutable:
    """Calls a program with its inputs and with the packed tensors of its parameters. Takes and gives what it would
    without packing; calls from several threads are safe."""

    _boxed_call = True

    def __init__(self, main: Executable, prepare: Executable, sources: Sequence[int]) -> None:
        """`sources` are the inputs that `prepare` takes."""
        self.main = main
        self.prepare = prepare
        self.preparations = 0
        """How often the packed tensors were computed."""
        self._sources = tuple(sources)
        self._lock = threading.Lock()
        self._kept: dict[Pointers, _Packed] = {}
        """The packed tensors by the addresses of the parameters that they are made of."""
        _watch_optimizers()
        with _executables_lock:
            _executables.add(self)

    def __call__(self, inputs: list[Any]) -> list[Any]:
        inputs.extend(self._packed([inputs[index] for index in self._sources]))
        return self.main(inputs)

    @property
    def packed_bytes(self) -> int:
        """The bytes of all packed tensors that are kept now."""
        kept = list(self._kept.values())
        return sum(tensor.numel() * tensor.element_size() for packed in kept for tensor in packed.tensors)

    def written(self, pointers: AbstractSet[int]) -> None:
        """Compute anew, when it is next needed, what was made of parameters at these addresses."""
        for packed in list(self._kept.values()):
            if not pointers.isdisjoint(packed.pointers):
                packed.versions = None

    def _packed(self, parameters: list[torch.Tensor]) -> list[torch.Tensor]:
        device = parameters[0].get_device()
        if device >= 0 and is_capturing():
            # The user's CUDA graph must see what the parameters hold when it is replayed.
            return self.prepare(parameters)
        try:
            pointers, versions = _state_of(parameters)
        except RuntimeError:
            return self.prepare(parameters)  # tensors made in inference mode have no version
        packed = self._kept.get(pointers)
        if packed is None or packed.versions != versions:
            packed = self._prepare(parameters, pointers, device)
        packed.follow(device)
        return packed.tensors

    def _prepare(self, parameters: list[torch.Tensor], pointers: Pointers, device: int) -> _Packed:
        """Compute the packed tensors, unless another thread has done so.

        Those of a parameter that was written in place are written in place: recorded CUDA graphs read them where they
        are. Who reads them has to come before the write to the parameter, as who reads the parameter.
        """
        with self._lock:
            # The versions before anything is read: what is written meanwhile is noticed by the next call.
            versions = _state_of(parameters)[1]
            before = self._kept.get(pointers)
            if before is not None and before.versions == versions:
                return before
            storages = [parameter.untyped_storage() for parameter in parameters]
            self.preparations += 1
            # In inference mode, tensors would be made that nobody can write to outside of it.
            with torch.inference_mode(False), torch.no_grad():
                tensors = cast("list[torch.Tensor]", self.prepare(list(parameters)))
                if before is not None:
                    before.follow(device)
                    copy_all(before.tensors, tensors)
                    tensors = before.tensors
            packed = _Packed(pointers, versions, tensors, device)
            self._end_with(packed, storages)
            self._kept[pointers] = packed
            return packed

    def _end_with(self, packed: _Packed, storages: list[torch.UntypedStorage]) -> None:
        """Forget packed tensors when a storage that they were made of ends."""
        kept, pointers, reference = self._kept, packed.pointers, weakref.ref(packed)

        def forget(_: object) -> None:
            ended = reference()
            if ended is not None and kept.get(pointers) is ended:
                kept.pop(pointers, None)

        packed.storages = [weakref.ref(storage, forget) for storage in storages]


def _state_of(parameters: list[torch.Tensor]) -> tuple[Pointers, Versions]:
    """What changes when a parameter changes. Raises RuntimeError if one has no version."""
    return tuple(map(torch.Tensor.data_ptr, parameters)), tuple(map(version_of, parameters))


@functools.cache
def _watch_optimizers() -> None:
    """Have all optimizers tell what they write, compiled ones too."""
    hook: Any = torch.compiler.disable(cast(Any, _after_step))
    register_optimizer_step_post_hook(hook)


def _after_step(optimizer: torch.optim.Optimizer, _args: Any, _kwargs: Any) -> None:
    with _executables_lock:
        executables = [each for each in _executables if each.packed_bytes]
    if executables:
        pointers = {parameter.data_ptr() for group in optimizer.param_groups for parameter in group["params"]}
        for each in executables:
            each.written(pointers)


def with_packed(
    main: Executable, module: ModuleOp, options: Options, fused: ModuleOp | None = None
) -> Executable | PackedExecutable:
    """The program `@main` of a lowered module, called with what its `@prepare` returns, if it has one.

    `options` and `fused` are as in `fusir.runtime.executable.build`.
    """
    prepare = host.symbols_of_module(module).get(PREPARE)
    if not isinstance(prepare, FuncOp):
        return main
    attributes = () if prepare.arg_attrs is None else prepare.arg_attrs.data
    positions = [each.data[ARGUMENT] for each in attributes]
    sources = [position.value.data for position in positions if isinstance(position, IntegerAttr)]
    options = replace(options, cuda_graphs=False)
    return PackedExecutable(main, build(module, options, fused=fused, function=PREPARE, check_inputs=False), sources)
