"""Execution of `tt` functions on the CPU: all program instances of a launch side by side, in chunks that bound the
memory.

Results are those of the exact operations: 16-bit floats round after each operation, integers wrap at their width. The
order of the programs is that of their number wherever it shows (atomics). Programs of one launch must not read what
others of it write, except through atomics, or of programs that they have waited for: those that wait for each other
(`fusir.together`) are in one chunk, where each has written what the others read before any of them goes on.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple
from weakref import WeakKeyDictionary

import torch
from torch import Tensor
from xdsl.ir import Attribute, BlockArgument

from fusir.dialects import tt
from fusir.interpreters.chunks import Chunk, Cut, Division, Misaligned, groups
from fusir.interpreters.flat import flat_loop
from fusir.interpreters.index import Affine
from fusir.interpreters.memory import Buffer, reinterpret
from fusir.interpreters.scalars import torch_dtype
from fusir.interpreters.tile_values import Pointer, Value
from fusir.interpreters.tiles import Programs
from fusir.interpreters.tt_analysis import accessed_arguments, largest_tile
from fusir.interpreters.tt_source import compile_function

CHUNK_ELEMENTS = 1 << 18
"""Elements of the largest tile over all programs of a chunk: 1 MiB of f32, so that a few tiles fit the L2 cache."""

MAX_IMPROVEMENTS = 64
"""How often the first launch of a grid may divide its chunks in a better way."""

MAX_PLANS = 64
"""Remembered divisions of grids into chunks, for one function."""


_ORIGIN = Affine(0)


class Parameter(NamedTuple):
    """An argument of a function."""

    name: str
    type: Attribute
    is_pointer: bool
    dtype: torch.dtype
    """Of the scalar, or of what the pointer points to."""


def _parameter(arg: BlockArgument, position: int) -> Parameter:
    pointer = isinstance(arg.type, tt.PointerType)
    dtype = torch_dtype(arg.type.pointee if isinstance(arg.type, tt.PointerType) else arg.type)
    return Parameter(arg.name_hint or str(position), arg.type, pointer, dtype)


class CompiledFunction:
    """A `tt` function made executable, with what was learned about dividing its launches into chunks."""

    def __init__(self, func: tt.FuncOp):
        self.name = func.sym_name.data
        self._flat = flat_loop(func)
        self._run = compile_function(func, self._flat)
        self._parameters = [_parameter(arg, position) for position, arg in enumerate(func.body.block.args)]
        self._stored = accessed_arguments(func, (tt.StoreOp, tt.DescriptorStoreOp, tt.AtomicRMWOp, tt.AtomicCASOp))
        self._loaded = accessed_arguments(func, (tt.LoadOp, tt.DescriptorLoadOp))
        self._max_count = max(1, CHUNK_ELEMENTS // largest_tile(func)) if self._flat is None else CHUNK_ELEMENTS
        self._together = func.together
        self._plans: dict[tuple[object, ...], list[Chunk]] = {}

    def launch(self, args: Sequence[Tensor | int | float], grid: int) -> None:
        """Run programs 0 to `grid - 1`. Raises ValueError for wrong arguments, MemoryAccessError for a bad access."""
        if len(args) != len(self._parameters):
            raise ValueError(f"kernel '{self.name}' takes {len(self._parameters)} arguments, got {len(args)}")
        values = self._bind(args)
        key = (grid, *(arg for arg in args if not isinstance(arg, Tensor)))
        plan = self._plans.get(key)
        if plan is not None:
            for chunk in plan:
                self._run(Programs(self.name, chunk, grid), *values)
            return
        if len(self._plans) >= MAX_PLANS:
            self._plans.clear()
        if self._together > 1:
            self._plans[key] = plan = groups(grid, self._together, self._max_count)
            for chunk in plan:
                self._run(Programs(self.name, chunk, grid), *values)
            return
        self._plans[key] = self._first_launch(values, grid)

    def _first_launch(self, values: Sequence[Value], grid: int) -> list[Chunk]:
        """Run all programs in chunks that are improved on the way; gives the chunks for the next time."""
        total = grid if self._flat is None else grid * self._flat.block
        division = Division(total, self._max_count)
        plan: list[Chunk] = []
        waiting: list[Chunk] = []
        start = improvements = 0
        while waiting or start < total:
            may_improve = improvements < MAX_IMPROVEMENTS
            fresh = not waiting
            chunk = division.at(start, may_improve) if fresh else waiting.pop()
            try:
                self._run(Programs(self.name, chunk if may_improve else chunk.settled(), grid), *values)
            except Cut as cut:
                improvements += 1
                if fresh:
                    start += chunk.size
                waiting += reversed(chunk.cut(cut.axis, cut.positions))
            except Misaligned as misaligned:
                improvements += 1
                division.align(misaligned.modulus)
            else:
                if fresh:
                    start += chunk.size
                plan.append(chunk.settled())
        return plan

    def _bind(self, args: Sequence[Tensor | int | float]) -> list[Value]:
        """The arguments as values of the machine."""
        values: list[Value] = []
        for arg, parameter in zip(args, self._parameters, strict=True):
            if isinstance(arg, Tensor) != parameter.is_pointer:
                kind = "a tensor" if isinstance(arg, Tensor) else repr(arg)
                raise ValueError(f"argument '{parameter.name}' of kernel '{self.name}' is {parameter.type}, got {kind}")
            if isinstance(arg, Tensor):
                tensor = reinterpret(arg.detach() if arg.requires_grad else arg, parameter.dtype)
                values.append(Pointer(Buffer(parameter.name, tensor), _ORIGIN))
            elif parameter.dtype.is_floating_point:
                values.append(torch.full((1,), arg, dtype=parameter.dtype))
            else:
                values.append(Affine(int(arg)))
        written = [value.buffer for position in self._stored if isinstance(value := values[position], Pointer)]
        for position in self._loaded:
            value = values[position]
            if isinstance(value, Pointer):
                value.buffer.copies_loads = any(value.buffer.overlaps(buffer) for buffer in written)
        return values


_compiled: WeakKeyDictionary[tt.FuncOp, CompiledFunction] = WeakKeyDictionary()


def compiled(func: tt.FuncOp) -> CompiledFunction:
    """The executable form of a function, made once: it must not be changed afterwards."""
    result = _compiled.get(func)
    if result is None:
        result = _compiled[func] = CompiledFunction(func)
    return result


def launch(func: tt.FuncOp, args: Sequence[Tensor | int | float], grid: int) -> None:
    """Run `grid` program instances of `func`; tensors are written in place.

    `args` has a tensor for each pointer (its first element is where the pointer points) and a number for each scalar.
    """
    compiled(func).launch(args, grid)
