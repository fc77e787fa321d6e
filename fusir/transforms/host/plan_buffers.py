"""`plan-buffers`: when the buffers of a launch program end, and which of them are one memory.

```
%a = host.alloc ...                      %a = host.alloc ...
host.launch @f(%x, %a)                   host.launch @f(%x, %a)
%b = host.alloc ...                      %b = host.alloc ...
host.launch @g(%a, %b)           =>      host.launch @g(%a, %b)
%c = host.alloc ...                      host.launch @h(%b, %a)
host.launch @h(%b, %c)                   host.free %b
...                                      ...
```
Here `%a` is dead when `%c` is made, and they have one size. A kernel that reads and writes each element at the same
index writes over its operand. An allocation of zeros is always made: old memory is not 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias, cast

from xdsl.context import Context
from xdsl.dialects.builtin import MemRefType, ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from fusir.analysis.buffers import Lifetimes, Storage
from fusir.analysis.expr import product
from fusir.analysis.in_place import may_write_over
from fusir.dialects import host
from fusir.dialects.graph import Dim
from fusir.remarks import remark

_Size: TypeAlias = tuple[Attribute, Dim]
"""Element type and number of elements: buffers of one size can be one memory."""


@dataclass(frozen=True)
class PlanBuffersPass(ModulePass):
    """Reuse buffers that are dead, write in place where that is proven to be right, and free the rest."""

    name = "plan-buffers"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        kernels = host.symbols_of_module(op)
        for func in op.body.block.ops:
            if isinstance(func, FuncOp) and any(
                isinstance(each, host.AllocOp | host.CallAtenOp) for each in func.walk()
            ):
                _Planner(func, kernels).run()


def _size(alloc: host.AllocOp) -> _Size:
    return cast("MemRefType[Any]", alloc.result.type).element_type, product(alloc.dims.data)


class _Planner:
    """Plans one launch program, then rewrites it."""

    def __init__(self, func: FuncOp, kernels: Mapping[str, Operation]):
        self.kernels = kernels
        self.lifetimes = Lifetimes(func)
        self.positions = {op: index for index, op in enumerate(self.lifetimes.ops)}
        self.instead: dict[host.AllocOp, SSAValue] = {}
        """Allocations that are not made, and the earlier allocation whose memory they get."""

    def run(self) -> None:
        self._write_in_place()
        ends = self._reuse_dead_buffers()
        for alloc, buffer in self.instead.items():
            self._replace(alloc, buffer)
        for storage, index in reversed(ends.items()):
            last = self.lifetimes.ops[index]
            made = [root for root in storage.roots if _is_local(root) and root.owner not in self.instead]
            frees = [host.FreeOp(root) for root in made]
            for free in frees:
                free.location = last.location
            Rewriter.insert_op(frees, InsertPoint.after(last))

    def _write_in_place(self) -> None:
        """Let launches write a new buffer over an operand that dies there."""
        unwritten: dict[SSAValue, host.AllocOp] = {}
        for index, op in enumerate(self.lifetimes.ops):
            if isinstance(op, host.AllocOp) and not op.zero:
                unwritten[op.result] = op
            elif isinstance(op, host.LaunchOp):
                for position, argument in enumerate(op.arguments):
                    if argument in unwritten:
                        self._write_over_operand(index, op, position, unwritten[argument])
            for operand in op.operands:
                unwritten.pop(operand, None)

    def _write_over_operand(self, index: int, launch: host.LaunchOp, written: int, alloc: host.AllocOp) -> None:
        name = launch.kernel.root_reference.data
        target = self.lifetimes.of(alloc.result)
        for read, argument in enumerate(launch.arguments):
            owner = argument.owner
            if read == written or not isinstance(owner, host.AllocOp) or _size(owner) != _size(alloc):
                continue
            source = self.lifetimes.of(argument)
            if not source.is_owned or source.last_use != index or self.positions[owner] > self.positions[alloc]:
                continue
            if any(
                position != read and isinstance(other.type, MemRefType) and self.lifetimes.of(other) is source
                for position, other in enumerate(launch.arguments)
            ):
                continue
            if may_write_over(self.kernels[name], read, written):
                self.instead[alloc] = argument
                self.lifetimes.merge(source, target)
                remark("buffer", PlanBuffersPass.name, f"@{name} writes over its argument {read}", launch.location)
                return

    def _reuse_dead_buffers(self) -> dict[Storage, int]:
        """Give allocations the memory of dead buffers. Returns the storages that end in the program, and where."""
        ending: dict[int, list[Storage]] = {}
        for storage in self.lifetimes.storages():
            ending.setdefault(storage.last_use, []).append(storage)
        ends: dict[Storage, int] = {}
        dead: dict[_Size, list[Storage]] = {}
        for index, op in enumerate(self.lifetimes.ops):
            if isinstance(op, host.AllocOp) and not op.zero and op not in self.instead and dead.get(_size(op)):
                target = self.lifetimes.of(op.result)
                if target.last_use > index:
                    storage = dead[_size(op)].pop()
                    del ends[storage]
                    self.instead[op] = storage.roots[0]
                    self.lifetimes.merge(storage, target)
            for each in ending.get(index, ()):
                storage = each.merged()
                if storage.is_returned or storage.last_use != index or storage in ends:
                    continue
                ends[storage] = index
                if storage.is_owned:
                    dead.setdefault(_size(cast(host.AllocOp, storage.roots[0].owner)), []).append(storage)
        return ends

    def _replace(self, alloc: host.AllocOp, buffer: SSAValue) -> None:
        """Use `buffer` in place of a new allocation."""
        owner = cast(host.AllocOp, buffer.owner)
        while owner in self.instead:
            owner = cast(host.AllocOp, self.instead[owner].owner)
        replacement: SSAValue = owner.result
        if owner.dims != alloc.dims or owner.strides != alloc.strides:
            view = host.ViewOp(replacement, alloc.dims.data, alloc.strides.data, 0, cast(Any, alloc.result.type))
            view.location = alloc.location
            view.result.name_hint = alloc.result.name_hint
            Rewriter.insert_op(view, InsertPoint.before(alloc))
            replacement = view.result
        alloc.result.replace_all_uses_with(replacement)
        Rewriter.erase_op(alloc)


def _is_local(root: SSAValue) -> bool:
    """Whether a buffer comes into being in the program."""
    return isinstance(root.owner, host.AllocOp | host.CallAtenOp)
