"""Compilation of one FX graph: import, lower, build, and what to do when a step cannot."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import torch
from torch import fx
from xdsl.dialects.builtin import ModuleOp, StringAttr, UnitAttr
from xdsl.dialects.func import FuncOp

from fusir.analysis.devices import DEFAULT_MULTIPROCESSORS, has_descriptors, multiprocessors_of
from fusir.errors import FusirFallbackWarning
from fusir.frontend.dims import evaluate
from fusir.frontend.imported import Constant, ImportedGraph, Input, Integer, Literal, Output, Result
from fusir.frontend.importer import import_graph
from fusir.frontend.internals import convolutions_use_tf32, write_unseen
from fusir.options import Options
from fusir.pipeline import PassOptions
from fusir.transforms.graph.contraction_choice import Chooser, use_chooser

BoxedCallable = Callable[[list[Any]], Sequence[Any]]
"""Takes its inputs as a list, which it empties, so that inputs can be freed as soon as they are dead."""

Executable = Callable[..., Sequence[Any]]


def compile_graph(
    gm: fx.GraphModule,
    example_inputs: Sequence[Any],
    options: Options,
    *,
    parameters: Iterable[int] = (),
    names: Sequence[str] | None = None,
    kind: str = "graph",
) -> BoxedCallable:
    """Compile a functional ATen graph to a boxed callable with the same inputs and outputs.

    Never raises because of the graph: what cannot be compiled runs through FX, with a FusirFallbackWarning that says
    why.

    Args:
        gm: the graph, with `meta["val"]` on its nodes.
        example_inputs: its (fake) inputs.
        options: what may vary.
        parameters: numbers of inputs that have the same storage in every call.
        names: names of the inputs.
        kind: what to call the graph in warnings.
    """
    try:
        imported = import_graph(gm, parameters, names)
        # No other graph was traced with the strides of the results of an inference graph.
        part = "graph.inference" if kind == "graph" else "graph.training"
        main_function(imported.module).attributes[part] = UnitAttr()
        execute = build(imported.module, options)
    except Exception as error:
        warn_fallback(f"the {kind} of {origin(gm)} runs through PyTorch", error)
        return _boxed(gm)
    return CompiledGraph(imported, execute, gm)


def build(module: ModuleOp, options: Options) -> Executable:
    """Lower a module of the graph dialect and make it callable. The module is consumed."""
    from fusir.pipeline import run_pipeline
    from fusir.runtime import executable
    from fusir.tools.registry import make_context

    fused: list[ModuleOp] = []

    def keep_fused(stage: str, lowered: ModuleOp) -> None:
        if stage == "fused":
            fused.append(lowered.clone())

    with use_chooser(contraction_chooser(module, options)):
        run_pipeline(make_context(), module, options=pass_options(options), on_stage=keep_fused)
    return executable.build(module, options, fused=fused[0], check_inputs=False)


def contraction_chooser(module: ModuleOp, options: Options, *, measures: bool = True) -> Chooser | None:
    """Who chooses what becomes of the contractions of a module: the tuner, where the device is present.

    Without `measures` it only knows what was measured before.
    """
    name = main_function(module).attributes.get("graph.device")
    if not (isinstance(name, StringAttr) and options.tune and options.fuse and torch.cuda.is_available()):
        return None
    from fusir.runtime.tuning.chooser import chooser_on

    effort = "max" if options.max_autotune else "default"
    return chooser_on(torch.device(name.data), options.target, pass_options(options), effort, measures=measures)


def main_function(module: ModuleOp) -> FuncOp:
    """The function that a module is compiled for."""
    return next(op for op in module.ops if isinstance(op, FuncOp))


def pass_options(options: Options) -> PassOptions:
    """The options of a compilation as options of single passes."""
    multiprocessors = {"multiprocessors": (_multiprocessors(options),)}
    products = options.float32_products
    return {
        "channels-last": {"mode": (_channels_last(options),), "tf32": (convolutions_use_tf32(),)},
        "float32-products": {} if products is None else {"precision": (products,)},
        "split-reductions": multiprocessors,
        "loop-online": multiprocessors,
        "loop-schedule": multiprocessors | {"descriptors": (_has_descriptors(options),)},
        "fuse-contractions": {"enabled": (options.fuse,), "strict_rounding": (options.strict_rounding,)},
        "fuse": {"enabled": (options.fuse,)},
        "promote-precision": {"strict_rounding": (options.strict_rounding,)},
    }


def _channels_last(options: Options) -> str:
    """The mode of the pass `channels-last`. MIOpen, which runs convolutions on AMD, gives other layouts."""
    is_amd = options.target.startswith("gfx") if options.target is not None else torch.version.hip is not None
    if options.channels_last is None:
        return "never" if is_amd else "auto"
    return "always" if options.channels_last else "never"


def _multiprocessors(options: Options) -> int:
    """Those of the target; without one, of the GPU present."""
    if options.target is not None:
        return multiprocessors_of(options.target)
    if torch.cuda.is_available():
        return torch.cuda.get_device_properties(torch.cuda.current_device()).multi_processor_count
    return DEFAULT_MULTIPROCESSORS


def _has_descriptors(options: Options) -> bool:
    """Whether the target, or else the GPU present, has tensor descriptors in hardware."""
    if options.target is not None:
        return has_descriptors(options.target)
    if torch.cuda.is_available():
        return torch.version.hip is None and torch.cuda.get_device_capability() >= (9, 0)
    return True


def warn_fallback(what: str, error: BaseException | str) -> None:
    """Tell the user once more that something is not compiled, with the reason in one line."""
    reason = error if isinstance(error, str) else f"{type(error).__name__}: {error}"
    warnings.warn(f"{what}: {' '.join(reason.split())}", FusirFallbackWarning, stacklevel=2)


class CompiledGraph:
    """A boxed callable around an executable: argument order, symbols, aliasing and updates of inputs.

    Results that the FX graph gives fresh storage must not share storage with an input or with each other; where the
    compiled program returns one buffer twice (`return x + 0, x`), the first call finds it out and from then on such
    results are copied.
    """

    def __init__(self, imported: ImportedGraph, execute: Executable, gm: fx.GraphModule) -> None:
        self._boxed_call = True  # in the instance, where `functools.wraps` looks
        self.imported = imported
        self.execute = execute
        self._gm = gm
        self._call: BoxedCallable | None = None
        self._arguments = [getattr_path(gm, a.name) if isinstance(a, Constant) else a for a in imported.arguments]
        inputs = [a for a in imported.arguments if isinstance(a, Input)]
        self._in_order = len(inputs) == len(imported.arguments) and [a.index for a in inputs] == list(
            range(sum(n.op == "placeholder" for n in gm.graph.nodes))
        )
        self._plain_outputs = [o.index for o in imported.outputs if isinstance(o, Result)] == list(
            range(len(imported.outputs))
        )
        """The outputs are the first results of the module, in order."""
        self._symbols = [(i, attribute.position) for i, attribute in imported.symbol_arguments()]
        self._keeps_inputs = any(isinstance(o, Input) for o in imported.outputs) or bool(imported.updates)
        self._copied: list[int] | None = None

    def __call__(self, inputs: list[Any]) -> Sequence[Any]:
        if self._call is None:
            return self._first_call(inputs)
        return self._call(inputs)

    def _first_call(self, inputs: list[Any]) -> Sequence[Any]:
        """What only shows on the device (a kernel that cannot be loaded) still ends in a fall back to FX, unless the
        program talks to other processes, which must not happen twice."""
        kept = list(inputs)
        try:
            results = self._run(inputs)
        except (torch.OutOfMemoryError, MemoryError):
            raise
        except Exception as error:
            if self.imported.has_side_effects:
                raise
            results = self._gm(*kept)
            warn_fallback(f"a graph of {origin(self._gm)} runs through PyTorch", error)
            self._call = _boxed(self._gm)
            return results
        self._call = self.execute if self._is_direct(results) else self._run
        return results

    def _is_direct(self, results: Sequence[Any]) -> bool:
        """Whether the executable alone takes the inputs and gives the outputs."""
        plain = self._in_order and self._plain_outputs and not self.imported.updates
        return plain and not self._copied and len(results) == len(self.imported.outputs)

    def _run(self, inputs: list[Any]) -> Sequence[Any]:
        arguments = list(inputs) if self._in_order else self._gather(inputs)
        kept = list(inputs) if self._keeps_inputs or self._copied is None else []
        symbols = self._symbol_values(arguments) if self._symbols else ()
        inputs.clear()
        results = list(self.execute(arguments))
        if self._copied is None:
            self._copied = self._find_shared_storage(results, kept)
        for index in self._copied:
            results[index] = results[index].clone()
        if self.imported.updates:
            self._update(results, kept)
        if self._plain_outputs:
            return results[: len(self.imported.outputs)]
        return [self._output(o, results, kept, symbols) for o in self.imported.outputs]

    def _gather(self, inputs: Sequence[Any]) -> list[Any]:
        values: list[Any] = []
        for argument in self._arguments:
            if isinstance(argument, torch.Tensor):
                values.append(argument)
            elif isinstance(argument, Input):
                values.append(inputs[argument.index])
            else:
                values.append(inputs[argument.index].shape[argument.dim])
        return values

    def _symbol_values(self, arguments: Sequence[Any]) -> Sequence[int]:
        values = [0] * (1 + max(position for _, position in self._symbols))
        for index, position in self._symbols:
            values[position] = arguments[index]
        return values

    def _find_shared_storage(self, results: Sequence[Any], inputs: Sequence[Any]) -> list[int]:
        """Results that must have a storage of their own but do not."""
        seen = {_storage(value) for value in inputs if isinstance(value, torch.Tensor)}
        seen.update(_storage(value) for value in self._arguments if isinstance(value, torch.Tensor))
        shared: list[int] = []
        outputs = {o.index: o for o in self.imported.outputs if isinstance(o, Result)}
        for index, output in sorted(outputs.items()):
            storage = _storage(results[index])
            if storage in seen and storage != 0 and not output.may_alias:
                shared.append(index)
            seen.add(storage)
        # New values of inputs must not change while inputs are written one after the other.
        held = {_storage(value) for value in inputs if isinstance(value, torch.Tensor)}
        shared += [index for _, index in self.imported.updates if _storage(results[index]) in held - {0}]
        return shared

    def _update(self, results: Sequence[Any], inputs: Sequence[Any]) -> None:
        """Write the new values of the inputs that the program changes in place, all at once where PyTorch can.

        AOTAutograd accounts for these writes, so they must not count as new versions of the inputs.
        """
        targets = [inputs[index] for index, _ in self.imported.updates]
        values = [results[index] for _, index in self.imported.updates]
        write_unseen(targets, values)

    def _output(self, output: Output, results: Sequence[Any], inputs: Sequence[Any], symbols: Sequence[int]) -> Any:
        match output:
            case Result():
                return results[output.index]
            case Input():
                return inputs[output.index]
            case Integer():
                return evaluate(output.value, symbols)
            case Literal():
                return output.value


def _storage(tensor: torch.Tensor) -> int:
    return tensor.untyped_storage().data_ptr()


def getattr_path(module: Any, path: str) -> Any:
    """The attribute of a module at a dotted path."""
    for part in path.split("."):
        module = getattr(module, part)
    return module


def _boxed(gm: fx.GraphModule) -> BoxedCallable:
    """The graph run by PyTorch."""

    def run(inputs: list[Any]) -> Sequence[Any]:
        arguments = list(inputs)
        inputs.clear()
        return gm(*arguments)

    run._boxed_call = True  # pyright: ignore[reportFunctionMemberAccess]
    return run


def origin(gm: fx.GraphModule) -> str:
    """The source line of the first operator that has one."""
    from fusir.diagnostics import place_of
    from fusir.frontend.locations import parse_location

    for node in gm.graph.nodes:
        if node.op == "call_function" and node.stack_trace and (place := place_of(parse_location(node.stack_trace))):
            return place
    return "a graph without source lines"
