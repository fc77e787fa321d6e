"""`split-kernels`: a kernel of several loop nests becomes one kernel for each nest.

What `loop-fuse` cannot put into one nest would not lower. Buffers that lived in the kernel become buffers of the
program:

```
host.launch @f(%x, %y)                    %t = host.alloc ...
...                                       host.launch @f_0(%x, %t)
loop.kernel @f(%x, %y) {                  host.launch @f_1(%t, %y)
  %t = loop.local                  =>     ...
  loop.parallel ... { store .., %t }      loop.kernel @f_0(%x, %t) { loop.parallel ... { store .., %t } }
  loop.parallel ... { load %t ... }       loop.kernel @f_1(%t, %y) { loop.parallel ... { load %t ... } }
}
```
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from xdsl.context import Context
from xdsl.dialects.builtin import IndexType, MemRefType, ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Block, BlockArgument, Operation, Region, SSAValue
from xdsl.ir.affine import AffineExpr
from xdsl.passes import ModulePass
from xdsl.traits import is_side_effect_free

from fusir.analysis.expr import Dim, as_dim, substitute
from fusir.analysis.nests import as_nest
from fusir.dialects import host
from fusir.dialects.graph import SymbolAttr
from fusir.dialects.loop import KernelOp, LocalOp, ParallelOp, memref_type, strides_of
from fusir.remarks import remark
from fusir.transforms.loop.loop_fuse import fuse_kernel


@dataclass(frozen=True)
class SplitKernelsPass(ModulePass):
    """Split every kernel that the program launches and that `loop-fuse` left with several nests."""

    name = "split-kernels"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        unfused = [kernel for kernel in op.ops if isinstance(kernel, KernelOp) and _is_unfused(kernel)]
        if not unfused:
            return
        launches: dict[str, list[host.LaunchOp]] = {}
        for launch in op.walk():
            if isinstance(launch, host.LaunchOp):
                launches.setdefault(launch.kernel.root_reference.data, []).append(launch)
        taken = set(host.symbols_of_module(op))
        for kernel in unfused:
            calls = launches.get(kernel.sym_name.data, [])
            if calls and (reason := _split(kernel, calls, taken)) is not None:
                message = f"@{kernel.sym_name.data} stays a kernel of several nests: {reason}"
                remark("not-fused", self.name, message, kernel.location)


def _is_unfused(kernel: KernelOp) -> bool:
    """Whether the kernel has not the form of one nest without buffers of its own."""
    ops = kernel.body.block.ops
    return kernel.schedule is None and (
        sum(isinstance(op, ParallelOp) for op in ops) > 1 or any(isinstance(op, LocalOp) for op in ops)
    )


@dataclass
class _Piece:
    """The kernel of one nest."""

    kernel: KernelOp
    buffers: list[SSAValue]
    """The buffers of the whole kernel that it takes, in order."""


@dataclass
class _Parts:
    """The top-level ops of a kernel by what they are."""

    scalars: list[Operation] = field(default_factory=list)
    locals: list[LocalOp] = field(default_factory=list)
    nests: list[ParallelOp] = field(default_factory=list)


def _split(kernel: KernelOp, launches: Sequence[host.LaunchOp], taken: set[str]) -> str | None:
    """Put the pieces of `kernel` in its place, or say why that cannot be. `taken` are the symbols of the module."""
    parts = _parts_of(kernel)
    if isinstance(parts, str):
        return parts
    extents = _extents_of_locals(parts)
    if isinstance(extents, str):
        return extents
    symbols = [_function_symbols(kernel, launch) for launch in launches]
    if any(isinstance(dim, AffineExpr) for dims in extents.values() for dim in dims) and None in symbols:
        return "a symbol of a launch is no argument of the program"
    pieces: list[_Piece] = []
    for nest in parts.nests:
        if 0 not in nest.extents:
            pieces.append(_piece(kernel, nest, parts, _new_name(kernel.sym_name.data, len(pieces), taken)))
    for launch, of_function in zip(launches, symbols, strict=True):
        _launch_pieces(kernel, launch, parts.locals, extents, of_function or {}, pieces)
    module_block = kernel.parent_block()
    assert module_block is not None
    module_block.insert_ops_before([piece.kernel for piece in pieces], kernel)
    kernel.detach()
    kernel.erase()
    for piece in pieces:
        fuse_kernel(piece.kernel)
    return None


def _parts_of(kernel: KernelOp) -> _Parts | str:
    parts = _Parts()
    for op in kernel.body.block.ops:
        match op:
            case ParallelOp():
                parts.nests.append(op)
            case LocalOp():
                parts.locals.append(op)
            case _ if is_side_effect_free(op) and not op.regions:
                parts.scalars.append(op)
            case _:
                return f"{op.name} outside of its loops"
    return parts


def _extents_of_locals(parts: _Parts) -> dict[LocalOp, tuple[Dim, ...]] | str:
    """The extents of the buffers, over the symbols of the kernel; symbolic ones are those of the nest that fills them.

    A line that says why, where they are not known.
    """
    extents: dict[LocalOp, tuple[Dim, ...]] = {}
    for op in parts.locals:
        type_ = op.buffer.type
        assert isinstance(type_, MemRefType)
        if type_.has_static_shape():
            extents[op] = type_.get_shape()
    for op in parts.nests:
        nest = as_nest(op)
        if nest is not None and isinstance(nest.buffer.owner, LocalOp):
            extents.setdefault(nest.buffer.owner, nest.extents)
    return extents if all(op in extents for op in parts.locals) else "a buffer of unknown extents"


def _function_symbols(kernel: KernelOp, launch: host.LaunchOp) -> dict[int, AffineExpr] | None:
    """The symbol of the function that each symbol of the kernel is; None if one is something else."""
    symbols: dict[int, AffineExpr] = {}
    for number, argument in enumerate(launch.arguments[len(kernel.buffers) :]):
        func = argument.block.parent_op() if isinstance(argument, BlockArgument) else None
        if not isinstance(func, FuncOp) or not isinstance(argument, BlockArgument) or func.arg_attrs is None:
            return None
        symbol = func.arg_attrs.data[argument.index].data.get("graph.symbol")
        if not isinstance(symbol, SymbolAttr):
            return None
        symbols[number] = AffineExpr.symbol(symbol.position)
    return symbols


def _new_name(base: str, number: int, taken: set[str]) -> str:
    while (name := f"{base}_{number}") in taken:
        number += 1
    taken.add(name)
    return name


def _piece(kernel: KernelOp, nest: ParallelOp, parts: _Parts, name: str) -> _Piece:
    """A kernel of a copy of `nest` that takes the buffers which the nest uses, and all symbols."""
    scalars = _scalars_of(nest, parts.scalars)
    used = set(_operands([*scalars, nest]))
    buffers: list[SSAValue] = [buffer for buffer in kernel.buffers if buffer in used]
    buffers += [op.buffer for op in parts.locals if op.buffer in used]
    arguments: list[SSAValue] = [*buffers, *kernel.symbols]
    types: list[Attribute] = [*(buffer.type for buffer in buffers), *[IndexType()] * len(kernel.symbols)]
    block = Block(arg_types=types)
    values: dict[SSAValue, SSAValue] = dict(zip(arguments, block.args, strict=True))
    for old, new in values.items():
        new.name_hint = old.name_hint
    block.add_ops([op.clone(values) for op in [*scalars, nest]])
    return _Piece(KernelOp(name, Region(block), location=nest.location), buffers)


def _scalars_of(nest: ParallelOp, scalars: Sequence[Operation]) -> list[Operation]:
    """Those of the scalars outside of the loops that a nest needs, in order."""
    needed = set(_operands([nest]))
    result: list[Operation] = []
    for op in reversed(scalars):
        if any(value in needed for value in op.results):
            result.append(op)
            needed.update(op.operands)
    return result[::-1]


def _operands(ops: Sequence[Operation]) -> Iterator[SSAValue]:
    return (operand for op in ops for inner in op.walk() for operand in inner.operands)


def _launch_pieces(
    kernel: KernelOp,
    launch: host.LaunchOp,
    local_ops: Sequence[LocalOp],
    extents: dict[LocalOp, tuple[Dim, ...]],
    of_function: dict[int, AffineExpr],
    pieces: Sequence[_Piece],
) -> None:
    """Replace a launch of the kernel by new buffers and launches of its pieces."""

    def dims_of_function(dims: Sequence[Dim]) -> list[Dim]:
        return [dim if isinstance(dim, int) else as_dim(substitute(dim, (), of_function)) for dim in dims]

    block = launch.parent_block()
    assert block is not None
    buffers: dict[SSAValue, SSAValue] = dict(zip(kernel.buffers, launch.arguments, strict=False))
    new_ops: list[Operation] = []
    used = {buffer for piece in pieces for buffer in piece.buffers}
    for op in local_ops:
        if op.buffer not in used:
            continue
        type_ = op.buffer.type
        assert isinstance(type_, MemRefType)
        dims, strides = dims_of_function(extents[op]), dims_of_function(strides_of(type_))
        alloc = host.AllocOp(dims, strides, memref_type(type_.element_type, dims, strides))
        alloc.result.name_hint = op.buffer.name_hint
        buffers[op.buffer] = alloc.result
        new_ops.append(alloc)
    symbols = launch.arguments[len(kernel.buffers) :]
    for piece in pieces:
        arguments = [*(buffers[buffer] for buffer in piece.buffers), *symbols]
        new_ops.append(host.LaunchOp(piece.kernel.sym_name.data, arguments))
    for op in new_ops:
        op.location = launch.location
    block.insert_ops_before(new_ops, launch)
    launch.detach()
    launch.erase()
