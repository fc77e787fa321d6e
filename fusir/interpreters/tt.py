"""Execution of `tt` functions on the CPU: all program instances of a launch side by side, in chunks that bound the
memory.

Results are those of the exact operations: 16-bit floats round after each operation, integers wrap at their width. The
order of the programs is that of their number wherever it shows (atomics). Programs of one launch must not read what
others of it write, except through atomics.
"""

from __future__ import annotations

from collections.abc import Sequence
from weakref import WeakKeyDictionary

import torch
from torch import Tensor

from fusir.dialects import tt
from fusir.interpreters.chunks import Chunks, Cut, Misaligned
from fusir.interpreters.flat import flat_loop
from fusir.interpreters.index import Affine
from fusir.interpreters.memory import Buffer, overlaps, reinterpret
from fusir.interpreters.scalars import torch_dtype
from fusir.interpreters.tiles import Pointer, Programs, Value
from fusir.interpreters.tt_source import compile_function, largest_tile, stored_arguments

CHUNK_ELEMENTS = 1 << 18
"""Elements of the largest tile over all programs of a chunk: 1 MiB of f32, so that a few tiles fit the L2 cache."""

MAX_PLANS = 64
"""Remembered divisions of grids into chunks, for one function."""


class CompiledFunction:
    """A `tt` function made executable, with what was learned about dividing its launches into chunks."""

    def __init__(self, func: tt.FuncOp):
        self.name = func.sym_name.data
        self._flat = flat_loop(func)
        self._run = compile_function(func, self._flat)
        self._types = list(func.function_type.inputs)
        self._stored = stored_arguments(func)
        self._max_count = max(1, CHUNK_ELEMENTS // largest_tile(func)) if self._flat is None else CHUNK_ELEMENTS
        self._plans: dict[tuple[object, ...], Chunks] = {}

    def launch(self, args: Sequence[Tensor | int | float], grid: int) -> None:
        """Run programs 0 to `grid - 1`. Raises ValueError for wrong arguments, MemoryAccessError for a bad access."""
        if len(args) != len(self._types):
            raise ValueError(f"kernel '{self.name}' takes {len(self._types)} arguments, got {len(args)}")
        values = self._bind(args)
        count = grid if self._flat is None else grid * self._flat.block
        key = (grid, *(arg for arg in args if not isinstance(arg, Tensor)))
        chunks = self._plans.get(key)
        if chunks is None:
            if len(self._plans) >= MAX_PLANS:
                self._plans.clear()
            chunks = self._plans[key] = Chunks(count, self._max_count)
        start = 0
        while start < count:
            chunk = chunks.at(start)
            try:
                self._run(Programs(self.name, chunk, grid), *values)
            except Cut as cut:
                chunks.cut(cut.positions)
            except Misaligned as misaligned:
                chunks.align(misaligned.modulus)
            else:
                start += chunk.size

    def _bind(self, args: Sequence[Tensor | int | float]) -> list[Value]:
        """The arguments as values of the machine."""
        written = [args[position] for position in sorted(self._stored)]
        written = [arg for arg in written if isinstance(arg, Tensor)]
        values: list[Value] = []
        for position, (arg, type_) in enumerate(zip(args, self._types, strict=True)):
            if isinstance(type_, tt.PointerType):
                if not isinstance(arg, Tensor):
                    raise ValueError(f"argument {position} of kernel '{self.name}' is {type_}, got {arg!r}")
                tensor = reinterpret(arg.detach(), torch_dtype(type_.pointee))
                buffer = Buffer(f"argument {position}", tensor, copies_loads=overlaps(arg, written))
                values.append(Pointer(buffer, Affine(0)))
            elif isinstance(arg, Tensor):
                raise ValueError(f"argument {position} of kernel '{self.name}' is {type_}, got a tensor")
            elif torch_dtype(type_).is_floating_point:
                values.append(torch.full((1,), arg, dtype=torch_dtype(type_)))
            else:
                values.append(Affine(int(arg)))
        return values


_compiled: WeakKeyDictionary[tt.FuncOp, CompiledFunction] = WeakKeyDictionary()


def compiled(func: tt.FuncOp) -> CompiledFunction:
    """The executable form of a function, made once."""
    result = _compiled.get(func)
    if result is None:
        result = _compiled[func] = CompiledFunction(func)
    return result


def launch(func: tt.FuncOp, args: Sequence[Tensor | int | float], grid: int) -> None:
    """Run `grid` program instances of `func`; tensors are written in place.

    `args` has a tensor for each pointer (its first element is where the pointer points) and a number for each scalar.
    """
    compiled(func).launch(args, grid)
