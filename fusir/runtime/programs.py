"""Launch programs as Python code that the runtime executes.

`InterpretedProgram` runs kernels through the `tt` interpreter, on any device. `CudaProgram` launches compiled
kernels: pointers are plain integers, views that only kernels read are never made, and each launch is one call of
Triton's C launcher.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from typing_extensions import override
from xdsl.dialects.builtin import FixedBitwidthType, IntegerType, MemRefType, ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import BlockArgument, Operation, SSAValue

from fusir.analysis.buffers import Lifetimes
from fusir.conversion.graph_to_loop import FUSION, dims_of_argument
from fusir.dialects import host, tt
from fusir.dialects.graph import Dim
from fusir.dialects.loop import strides_of
from fusir.runtime.kernel_compiler import LoadedKernel
from fusir.targets.host_program import HELPERS, HostProgram, python_tuple

POINTER_ALIGNMENT = 16
"""Bytes: the widest load of one thread. Triton's `tt.divisibility` speaks of the same number."""


@dataclass(frozen=True)
class PointerAlignment:
    """What is known of the pointers of one launch, by the position of the argument."""

    misaligned: tuple[int, ...] = ()
    """Pointers that may be off a 16-byte boundary and are not worth a check."""
    dynamic: tuple[int, ...] = ()
    """Pointers that are on a 16-byte boundary unless the caller's tensor is not."""

    @property
    def without_dynamic(self) -> tuple[int, ...]:
        """The positions that are not known to be aligned, checks left out."""
        return tuple(sorted((*self.misaligned, *self.dynamic)))


@dataclass
class _View:
    root: SSAValue
    dims: tuple[Dim, ...]
    strides: tuple[Dim, ...]
    offset: list[Dim]
    """Terms of the offset from the first element of the root."""
    is_made: bool = False


def element_bytes(buffer: SSAValue) -> int:
    """The size of an element in memory; `i1` takes a byte."""
    element = cast("MemRefType[Any]", buffer.type).element_type
    if isinstance(element, IntegerType):
        return max(8, element.width.data) // 8
    if isinstance(element, FixedBitwidthType):
        return element.size
    return 2 * cast(FixedBitwidthType, element.element_type).size  # complex


def view_sources(func: FuncOp) -> dict[SSAValue, _View]:
    """Each view of the function in terms of the buffer that it is, through other views, a view of."""
    views: dict[SSAValue, _View] = {}
    for op in func.body.block.ops:
        if isinstance(op, host.ViewOp):
            source = views.get(op.source)
            root = op.source if source is None else source.root
            before = [] if source is None else source.offset
            offset = [*before, op.offset.data] if op.offset.data != 0 else before
            views[op.result] = _View(root, op.dims.data, op.strides.data, offset)
    return views


def _last_uses_of_arguments(func: FuncOp) -> dict[int, list[SSAValue]]:
    """By position of an op, the buffer arguments that no later op uses, without returned ones and parameters."""
    ends: dict[int, list[SSAValue]] = {}
    for storage in Lifetimes(func).storages():
        for root in storage.roots:
            if isinstance(root, BlockArgument) and not storage.is_returned and storage.last_use >= 0:
                attributes = {} if func.arg_attrs is None else func.arg_attrs.data[root.index].data
                if "graph.parameter" not in attributes:
                    ends.setdefault(storage.last_use, []).append(root)
    return ends


class RuntimeProgram(HostProgram):
    """A launch program whose source is executed in this process."""

    device_index = -1
    """The device that the program is for, as `Tensor.get_device` gives it."""

    def __init__(self, module: ModuleOp, func: FuncOp, reserved: Sequence[str], *, check_inputs: bool):
        super().__init__(module, func, ("program", "check_input", "reinterpret", *reserved))
        self.globals: dict[str, Any] = {}
        self._operators: dict[str, str] = {}
        self._views = view_sources(func)
        self._views_of: dict[SSAValue, list[SSAValue]] = {}
        self._last_uses = _last_uses_of_arguments(func)
        self._check_inputs = check_inputs

    def source(self) -> str:
        """A Python module that defines `program(inputs)`."""
        names = python_tuple(self.argument_names) if self.argument_names else "_"
        head = ["def program(inputs):", f"    {names} = inputs", "    inputs.clear()", *self._prologue()]
        body = "\n".join(f"    {line}" for line in self.write())
        return "\n".join(["import torch", "", HELPERS, "", *head, body, ""])

    def _prologue(self) -> list[str]:
        if not self._check_inputs:
            return []
        lines: list[str] = []
        for index, argument in enumerate(self.func.body.block.args):
            name = self.name(argument)
            if isinstance(argument.type, MemRefType):
                dims = dims_of_argument(self.func, index)
                expected = f"{self.dims(dims)}, {self.dims(strides_of(argument.type))}, {self.element_dtype(argument)}"
                lines.append(f"    check_input({index}, {name}, {expected}, {self.device_index})")
        return lines

    @override
    def operator(self, target: str) -> str:
        if target not in self._operators:
            name = self.fresh("_".join(["aten", *target.split(".")[1:]]))
            self._operators[target] = name
            self.globals[name] = resolve_operator(target)
        return self._operators[target]

    @override
    def view(self, op: host.ViewOp) -> None:
        """Nothing: a view is made where a tensor is needed."""

    @override
    def tensor(self, value: SSAValue) -> str:
        view = self._views.get(value)
        if view is not None and not view.is_made:
            view.is_made = True
            self._views_of.setdefault(view.root, []).append(value)
            offset = " + ".join(self.dim(term) for term in view.offset) or "0"
            root = self.name(view.root)
            self.emit(
                f"{self.name(value)} = reinterpret({root}, {self.dims(view.dims)}, {self.dims(view.strides)}, {offset})"
            )
        return self.name(value)

    @override
    def free(self, op: host.FreeOp) -> None:
        names = [self.name(value) for value in (op.buffer, *self._views_of.get(op.buffer, ()))]
        self.emit(f"del {', '.join(names)}")

    @override
    def written(self, position: int) -> None:
        """Let go of the arguments that were used for the last time: the caller may have kept no other reference."""
        for argument in self._last_uses.get(position, ()):
            names = [self.name(value) for value in (argument, *self._views_of.get(argument, ()))]
            self.emit(f"del {', '.join(names)}")

    def arguments(self, op: host.LaunchOp) -> list[str]:
        """The arguments of a launch: tensors and integers."""
        return [self.tensor(a) if isinstance(a.type, MemRefType) else self.name(a) for a in op.arguments]

    def launch_fusion(self, op: host.LaunchOp, run: Callable[..., None], name: str) -> None:
        """Write the launch of a kernel that could not be compiled: its fusion is run by ATen."""
        self.globals[name] = run
        symbols = ", ".join(f"{position}: {symbol}" for position, symbol in sorted(self._symbols.items()))
        tensors = [self.tensor(buffer) for buffer in op.tensors]
        self.emit(f"{name}([{', '.join(tensors)}], {{{symbols}}})")


def resolve_operator(target: str) -> Any:
    """The operator of a name such as `aten.mm.default`. Raises ValueError if PyTorch has none."""
    import torch

    if target in ("aten.mm.default", "aten.bmm.default", "aten.addmm.default", "aten.baddbmm.default"):
        # The same operators, without the argument matching of `torch.ops`.
        return getattr(torch, target.split(".")[1])
    value: Any = torch.ops
    try:
        for part in target.split("."):
            value = getattr(value, part)
    except AttributeError:
        raise ValueError(f"PyTorch has no operator {target}") from None
    return value


class InterpretedProgram(RuntimeProgram):
    """Kernels are run by the `tt` interpreter on the device of the inputs."""

    def __init__(
        self,
        module: ModuleOp,
        func: FuncOp,
        device: Any,
        by_aten: Mapping[Operation, Callable[..., None]],
        *,
        check_inputs: bool,
    ):
        """`by_aten` has the launches whose kernel cannot be run, with what to do instead."""
        super().__init__(module, func, ("interpret", "device"), check_inputs=check_inputs)
        self.globals["device"] = device
        self._by_aten = by_aten
        self._kernel_names: dict[Operation, str] = {}

    @override
    def alloc(self, op: host.AllocOp) -> None:
        layout = f"{self.dims(op.dims.data)}, {self.dims(op.strides.data)}"
        dtype = self.element_dtype(op.result)
        zero = ".zero_()" if op.zero else ""
        self.emit(f"{self.name(op.result)} = torch.empty_strided({layout}, dtype={dtype}, device=device){zero}")

    @override
    def launch(self, op: host.LaunchOp) -> None:
        symbol = op.kernel.root_reference.data
        if op in self._by_aten:
            self.launch_fusion(op, self._by_aten[op], self.fresh(f"fusion_{symbol}"))
            return
        kernel = self.kernels[symbol]
        name = self._kernel_names.get(kernel)
        if name is None:
            name = self._kernel_names[kernel] = self.fresh(f"kernel_{symbol}")
            self.globals[name] = kernel
        self.emit(f"interpret({name}, [{', '.join(self.arguments(op))}], {self.grid(op)})")


@dataclass
class LaunchPlan:
    """How one launch of a `CudaProgram` is done."""

    kernel: LoadedKernel | None = None
    """The kernel for the usual alignment; None if it could not be compiled."""
    unaligned: Callable[..., None] | None = None
    """`unaligned(grid, stream, *arguments)`: the kernel for pointers off a 16-byte boundary."""
    run_fusion: Callable[..., None] | None = None
    """Without a kernel: `run_fusion(tensors, symbols)` runs the fusion by ATen."""


class CudaProgram(RuntimeProgram):
    """Kernels are launched on one CUDA device, on the current stream of the caller."""

    def __init__(
        self, module: ModuleOp, func: FuncOp, device: int, plans: dict[Operation, LaunchPlan], *, check_inputs: bool
    ):
        reserved = ("stream", "current_stream", "empty_strided", "ordered")
        super().__init__(module, func, reserved, check_inputs=check_inputs)
        self.device_index = device
        self._plans = plans
        self._pointers: dict[SSAValue, str] = {}
        self._launchers: dict[int, tuple[str, str, str]] = {}
        self._alignments = launch_alignments(func)
        self._addressed = {
            self._root(argument)
            for op, plan in plans.items()
            if plan.kernel is not None
            for argument in cast(host.LaunchOp, op).arguments
            if isinstance(argument.type, MemRefType)
        }

        # The body names the addresses of the arguments before the prologue is written.
        for argument in func.body.block.args:
            if argument in self._addressed:
                self._address(argument)

    def _root(self, value: SSAValue) -> SSAValue:
        view = self._views.get(value)
        return value if view is None else view.root

    @override
    def _prologue(self) -> list[str]:
        lines = super()._prologue()
        lines.append(f"    stream = current_stream({self.device_index})")
        for argument in self.func.body.block.args:
            if argument in self._addressed:
                lines.append(f"    {self._address(argument)}")
        return lines

    def _address(self, value: SSAValue) -> str:
        """The statement that binds the address of a buffer to a name."""
        pointer = self._pointers.get(value)
        if pointer is None:
            pointer = self._pointers[value] = self.fresh(f"p_{self.name(value)}")
        return f"{pointer} = {self.name(value)}.data_ptr()"

    @override
    def alloc(self, op: host.AllocOp) -> None:
        layout = f"{self.dims(op.dims.data)}, {self.dims(op.strides.data)}"
        zero = ".zero_()" if op.zero else ""
        self.emit(f"{self.name(op.result)} = empty_strided({layout}, {self.element_dtype(op.result)}){zero}")
        self.defined(op.result)

    @override
    def defined(self, value: SSAValue) -> None:
        if value in self._addressed:
            self.emit(self._address(value))

    def _pointer(self, value: SSAValue) -> str:
        view = self._views.get(value)
        if view is None or not view.offset:
            return self._pointers[self._root(value)]
        size = element_bytes(value)
        static = sum(term for term in view.offset if isinstance(term, int)) * size
        terms = [f"({self.dim(term)}) * {size}" for term in view.offset if not isinstance(term, int)]
        return " + ".join([self._pointers[view.root], *terms, *([str(static)] if static else [])])

    @override
    def launch(self, op: host.LaunchOp) -> None:
        plan = self._plans[op]
        symbol = op.kernel.root_reference.data
        if plan.kernel is None:
            assert plan.run_fusion is not None
            self.launch_fusion(op, plan.run_fusion, self.fresh(f"fusion_{symbol}"))
            return
        grid = self.grid(op)
        if grid == 0:
            return
        arguments = [self._pointer(a) if isinstance(a.type, MemRefType) else self.name(a) for a in op.arguments]
        call = self._launch_call(plan.kernel, symbol, grid, arguments)
        waits = cast(tt.FuncOp, self.kernels[symbol]).together > 1
        indent = "    " if waits else ""
        if waits:
            self.emit("with ordered(stream):")
        dynamic = [f"({arguments[index]})" for index in self._alignments[op].dynamic]
        if plan.unaligned is not None and dynamic:
            name = self.fresh(f"unaligned_{symbol}")
            self.globals[name] = plan.unaligned
            is_off = f"({' | '.join(dynamic)}) & {POINTER_ALIGNMENT - 1}"
            self.emit(f"{indent}if {is_off}: {name}({grid}, stream, {', '.join(arguments)})")
            self.emit(f"{indent}else: {call}")
        else:
            self.emit(indent + call)

    def _launch_call(self, kernel: LoadedKernel, symbol: str, grid: int | str, arguments: Sequence[str]) -> str:
        names = self._launchers.get(id(kernel))
        if names is None:
            names = self._launchers[id(kernel)] = (
                self.fresh(f"run_{symbol}"),
                self.fresh(f"function_{symbol}"),
                self.fresh(f"metadata_{symbol}"),
            )
            raw = kernel.raw_launch
            values = (kernel.run if raw is None else raw, kernel.function, kernel.packed_metadata)
            self.globals.update(zip(names, values, strict=True))
        run, function, metadata = names
        values = ", ".join(arguments)
        if kernel.raw_launch is None:
            return f"{run}({grid}, 1, 1, stream, {function}, {metadata}, None, None, None, {values})"
        return (
            f"{run}({grid}, 1, 1, stream, {function}, False, False, None, None, {metadata}, None, None, None, {values})"
        )


def launch_alignments(func: FuncOp) -> dict[Operation, PointerAlignment]:
    """What is known of the pointers of each launch. A buffer that `host.alloc` makes is aligned."""
    views = view_sources(func)
    alignments: dict[Operation, PointerAlignment] = {}
    for op in func.body.block.ops:
        if not isinstance(op, host.LaunchOp):
            continue
        misaligned: list[int] = []
        dynamic: list[int] = []
        for index, argument in enumerate(op.arguments):
            if not isinstance(argument.type, MemRefType):
                continue
            view = views.get(argument)
            terms = [] if view is None else view.offset
            root = argument if view is None else view.root
            size = element_bytes(argument)
            static = sum(term for term in terms if isinstance(term, int)) * size
            if static % POINTER_ALIGNMENT:
                misaligned.append(index)
            elif any(not isinstance(term, int) for term in terms) or not isinstance(root.owner, host.AllocOp):
                dynamic.append(index)
        alignments[op] = PointerAlignment(tuple(misaligned), tuple(dynamic))
    return alignments


def fusion_position(op: host.LaunchOp) -> int | None:
    """Which `graph.fusion` of the graph function the launch came from."""
    position = op.attributes.get(FUSION)
    return None if position is None else cast(Any, position).value.data
