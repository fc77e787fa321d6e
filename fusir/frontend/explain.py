"""`fusir.explain`: what the compiler makes of a program, at every level, for people."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import BlockArgument, Operation, SSAValue

from fusir import remarks
from fusir.analysis.bytes import Access, fusion_traffic, tensor_bytes
from fusir.dialects import graph, host, tt
from fusir.dialects.graph import Dim
from fusir.frontend.capture import capture
from fusir.frontend.compiler import allow_packing, contraction_chooser, pass_options
from fusir.options import Options
from fusir.pipeline import run_pipeline
from fusir.remarks import Remark
from fusir.tools.registry import make_context
from fusir.transforms.graph.contraction_choice import Contraction, collect_contractions, use_chooser
from fusir.transforms.graph.hoist_parameters import PACKED

NOT_COMPUTATION = ("graph.full", "graph.constant", "graph.broadcast", "graph.yield")
"""Ops that are not listed as what a kernel computes."""


@dataclass(frozen=True)
class TensorAccess:
    """A tensor that a kernel reads from or writes to global memory."""

    name: str
    shape: tuple[Dim, ...]
    dtype: str
    bytes: Dim

    def __str__(self) -> str:
        return f"{self.name}: {self.dtype}[{', '.join(map(str, self.shape))}]"


@dataclass(frozen=True)
class Kernel:
    """One launch of a generated kernel."""

    name: str
    source: str
    """Python source of the Triton kernel; empty where there is none."""
    ttir: str
    """The same as Triton IR."""
    reads: tuple[TensorAccess, ...]
    writes: tuple[TensorAccess, ...]
    bytes: Dim
    """Global memory traffic; an expression over the symbols if a size is dynamic."""
    ops: tuple[str, ...]
    """Graph ops that it computes, in order."""

    def __str__(self) -> str:
        lines = [f"kernel {self.name}: {', '.join(self.ops)}"]
        lines.append(f"  reads  {', '.join(map(str, self.reads)) or 'nothing'}")
        lines.append(f"  writes {', '.join(map(str, self.writes))}")
        lines.append(f"  bytes  {self.bytes}")
        return "\n".join(lines)


@dataclass(frozen=True)
class Fallback:
    """An operator that runs through PyTorch."""

    target: str
    reason: str

    def __str__(self) -> str:
        return f"{self.target}: {self.reason}"


@dataclass
class Report:
    """What fusir makes of a program."""

    kernels: list[Kernel]
    fallbacks: list[Fallback]
    """Operators that run through PyTorch, one for each call, in order."""
    remarks: list[Remark]
    """What was decided, and why."""
    stages: dict[str, str]
    """The text of the module after each stage: graph, fused, loop, scheduled, tt, host."""
    contractions: list[Contraction]
    """What became of each contraction, in order: its alternatives with their times, where `fusir.compile` measured them
    before on this machine."""
    packed: list[TensorAccess]
    """Tensors made of parameters alone that are kept from one call to the next, with the option `pack_weights`."""
    module: ModuleOp = field(repr=False)
    """The lowered module."""

    @cached_property
    def packed_bytes(self) -> int:
        """The memory that the packed tensors take."""
        return sum(each.bytes for each in self.packed if isinstance(each.bytes, int))

    @cached_property
    def bytes(self) -> Dim:
        """Global memory traffic of all kernels."""
        total: Dim = 0
        for kernel in self.kernels:
            total = total + kernel.bytes
        return total

    def __str__(self) -> str:
        lines = [f"{_count(len(self.kernels), 'kernel')}, {_count(len(self.fallbacks), 'call')} through PyTorch"]
        lines += map(str, self.kernels)
        if self.packed:
            lines.append(f"{self.packed_bytes} bytes are kept: {', '.join(map(str, self.packed))}")
        lines += [f"contraction {each}" for each in self.contractions]
        lines += [f"through PyTorch: {each}" for each in self.fallbacks]
        lines += map(str, self.remarks)
        return "\n".join(lines)


def explain_program(fn: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any], options: Options) -> Report:
    """Trace and compile `fn(*args, **kwargs)`, and run nothing. Raises CaptureError if it cannot be traced."""
    captured = capture(fn, args, kwargs)
    imported = captured.imported()
    if options.pack_weights:
        allow_packing(imported, captured.weights)
    return explain_module(imported.module, options, dict(f.split(": ", 1) for f in imported.fallbacks))


def explain_module(module: ModuleOp, options: Options, reasons: Mapping[str, str] | None = None) -> Report:
    """The report on a graph-level module, which is consumed. `reasons` tells why operators were not imported."""
    stages: dict[str, str] = {}
    fused: list[ModuleOp] = []

    def on_stage(name: str, lowered: ModuleOp) -> None:
        stages[name] = str(lowered)
        if name == "fused":
            fused.append(lowered.clone())

    chooser = contraction_chooser(module, options, measures=False)
    with remarks.collect() as collected, collect_contractions() as contractions, use_chooser(chooser):
        run_pipeline(make_context(), module, options=pass_options(options), on_stage=on_stage)
    functions = host.symbols_of_module(module)
    main = functions["main"]
    assert isinstance(main, FuncOp)
    fusions = _Fusions(fused[0])
    kernels: list[Kernel] = []
    fallbacks: list[Fallback] = []
    for op in main.body.block.ops:
        if isinstance(op, host.LaunchOp):
            kernels.append(_kernel(op, functions, fusions, options.target))
        elif isinstance(op, host.CallAtenOp):
            target = op.target.data
            fallbacks.append(Fallback(target, (reasons or {}).get(target, "runs best as PyTorch has it")))
    return Report(kernels, fallbacks, collected, stages, contractions, fusions.packed(), module)


class _Fusions:
    """The fusions of the fused module, with names for the tensors between them."""

    def __init__(self, module: ModuleOp) -> None:
        main = host.symbols_of_module(module)["main"]
        assert isinstance(main, FuncOp)
        self._main = main
        block = main.body.block
        self.fusions = [op for op in block.ops if isinstance(op, graph.FusionOp)]
        self.names: dict[SSAValue, str] = {}
        for argument, attributes in zip(block.args, main.arg_attrs.data if main.arg_attrs else (), strict=False):
            name = attributes.data.get("graph.name")
            if isinstance(name, StringAttr):
                self.names[argument] = name.data
        returned = block.last_op
        assert isinstance(returned, ReturnOp)
        for index, value in enumerate(returned.arguments):
            single = len(returned.arguments) == 1
            self.names.setdefault(self.source(value), "out" if single else f"out{index}")
        intermediates = 0
        for op in block.ops:
            for result in op.results:
                if self.source(result) is result and result not in self.names:
                    self.names[result] = f"tmp{intermediates}"
                    intermediates += 1

    def source(self, value: SSAValue) -> SSAValue:
        """The tensor that a value is a view of."""
        while isinstance(value.owner, graph.ViewOp):
            value = value.owner.operands[0]
        return value

    def packed(self) -> list[TensorAccess]:
        """The arguments that `@prepare` computes."""
        attributes = self._main.arg_attrs.data if self._main.arg_attrs else ()
        arguments = [a for a, each in zip(self._main.body.block.args, attributes, strict=False) if PACKED in each.data]
        return [self.access(Access(argument, tensor_bytes(argument))) for argument in arguments]

    def access(self, access: Access) -> TensorAccess:
        value = access.value
        name = self.names.get(self.source(value))
        if name is None and isinstance(value, BlockArgument):
            name = f"arg{value.index}"
        element = str(graph.element_type_of(value))
        return TensorAccess(name or "tmp", graph.dims_of(value), element, access.bytes)


def _kernel(launch: host.LaunchOp, functions: Mapping[str, Operation], fusions: _Fusions, target: str | None) -> Kernel:
    from fusir.runtime.programs import fusion_position
    from fusir.targets.triton import triton_source
    from fusir.targets.ttir import DEFAULT_TARGET, ttir_text

    name = launch.kernel.root_reference.data
    function = functions[name]
    lowered = isinstance(function, tt.FuncOp)
    source, ttir = (triton_source(function), ttir_text(function, target or DEFAULT_TARGET)) if lowered else ("", "")
    position = fusion_position(launch)
    if position is None:
        return Kernel(name, source, ttir, (), (), 0, ())
    fusion = fusions.fusions[position]
    traffic = fusion_traffic(fusion)
    return Kernel(
        name,
        source,
        ttir,
        tuple(fusions.access(a) for a in traffic.reads),
        tuple(fusions.access(a) for a in traffic.writes),
        traffic.bytes,
        tuple(op.name.removeprefix("graph.") for op in fusion.block.ops if op.name not in NOT_COMPUTATION),
    )


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
