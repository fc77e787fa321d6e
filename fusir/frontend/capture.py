"""Tracing a function or module into one graph without running it."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import fx
from torch._subclasses.fake_tensor import FakeTensor, FakeTensorMode
from torch.export import ExportedProgram
from torch.fx.experimental.proxy_tensor import make_fx
from torch.fx.experimental.symbolic_shapes import DimDynamic, ShapeEnv, StatelessSymbolicContext
from torch.utils import _pytree as pytree
from xdsl.dialects.builtin import ModuleOp, StringAttr

from fusir.errors import CaptureError
from fusir.frontend.call_aten import is_mutating
from fusir.frontend.decompositions import decompositions
from fusir.frontend.dims import UnsupportedGraph
from fusir.frontend.imported import ImportedGraph
from fusir.frontend.importer import import_graph
from fusir.frontend.internals import OpOverload, compiling, functionalized, is_missing, preserve_node_meta

MAX_RETRACES = 3
"""How often a traced graph is traced again to get rid of writes in place."""


@dataclass
class Capture:
    """A traced program: its functional ATen graph and what its inputs are called."""

    gm: fx.GraphModule
    names: list[str]
    parameters: list[int]
    """Numbers of the inputs that are parameters or buffers of the module."""
    weights: frozenset[int] = frozenset()
    """Those of them that are an `nn.Parameter`."""
    device: torch.device | None = None
    """The device of the program, where it is another one than that of the graph."""

    def imported(self) -> ImportedGraph:
        """The graph as a module of the graph dialect. Raises CaptureError if the dialect cannot express it."""
        try:
            imported = import_graph(self.gm, self.parameters, self.names)
        except UnsupportedGraph as error:
            raise CaptureError(f"the program cannot be expressed at graph level: {error}") from error
        if self.device is not None:
            imported.function.attributes["graph.device"] = StringAttr(str(self.device))
        return imported


def trace_module(
    fn: Callable[..., Any] | ExportedProgram, args: Sequence[Any] = (), kwargs: Mapping[str, Any] | None = None
) -> ModuleOp:
    """The program `fn(*args, **kwargs)` at graph level; see `capture`."""
    return capture(fn, args, kwargs).imported().module


def capture(
    fn: Callable[..., Any] | ExportedProgram,
    args: Sequence[Any] = (),
    kwargs: Mapping[str, Any] | None = None,
    *,
    dynamic: bool = False,
) -> Capture:
    """Trace `fn(*args, **kwargs)` with fake tensors.

    Args:
        fn: a function or module; parameters and buffers of a module become inputs, named as in its state dict. Of an
            exported program it is the graph that was exported, whatever the arguments.
        args, kwargs: example arguments, in any nesting; tensors of any device, also fake and meta ones. Other values
            become constants of the program.
        dynamic: make every extent of the arguments but 0 and 1 a symbol, not only those marked as dynamic.

    Raises CaptureError, with the reason in one line, where the program depends on values or on untraceable Python.
    """
    if isinstance(fn, ExportedProgram):
        from fusir.frontend.export import capture_exported

        return capture_exported(fn)
    state = _module_state(fn)
    leaves, structure = pytree.tree_flatten((tuple(args), dict(kwargs or {})))
    tensors = [leaf for leaf in leaves if isinstance(leaf, torch.Tensor)]
    names = [*state, *_argument_names(fn, args, kwargs or {}, leaves)]
    mode = _fake_mode(tensors)
    inputs = [_fake(value, mode, False) for value in state.values()]
    inputs += [_fake(value, mode, dynamic) for value in tensors]

    def program(*values: Any) -> list[Any]:
        held, given = values[: len(state)], iter(values[len(state) :])
        filled = [next(given) if isinstance(leaf, torch.Tensor) else leaf for leaf in leaves]
        call_args, call_kwargs = pytree.tree_unflatten(filled, structure)
        if isinstance(fn, torch.nn.Module):
            result = torch.func.functional_call(fn, dict(zip(state, held, strict=True)), call_args, call_kwargs)
        else:
            result = fn(*call_args, **call_kwargs)
        return [v for v in pytree.tree_leaves(result) if v is not None]

    device = next((i.device for i in inputs if is_missing(i.device)), None)
    if device is not None:
        with mode:
            inputs = [_on_cpu(value) if value.device == device else value for value in inputs]
    try:
        with mode, compiling():
            gm = _trace(program, inputs)
            # Decompositions may write in place; tracing the result again makes values of those writes.
            for _ in range(MAX_RETRACES):
                if not _writes_in_place(gm):
                    break
                with preserve_node_meta():
                    gm = _trace(fx.Interpreter(gm).run, inputs)
    except Exception as error:
        text = " ".join(str(error).split())
        raise CaptureError(f"cannot trace {_name_of(fn)}: {type(error).__name__}: {text}") from error
    gm.graph.eliminate_dead_code()
    gm.recompile()
    weights = frozenset(i for i, value in enumerate(state.values()) if isinstance(value, torch.nn.Parameter))
    return Capture(gm, names, list(range(len(state))), weights, device)


def _trace(program: Callable[..., Any], inputs: Sequence[torch.Tensor]) -> fx.GraphModule:
    return make_fx(
        functionalized(program),
        decomposition_table=decompositions(),
        tracing_mode="real",
        _allow_non_fake_inputs=True,
        record_stack_traces=True,
    )(*inputs)


def _writes_in_place(gm: fx.GraphModule) -> bool:
    """True if there are writes other than those to inputs at the end."""
    return any(
        isinstance(node.target, OpOverload)
        and is_mutating(node.target)
        and not (node.target is torch.ops.aten.copy_.default and node.args[0].op == "placeholder")
        for node in gm.graph.nodes
    )


def _module_state(fn: Callable[..., Any]) -> dict[str, torch.Tensor]:
    if not isinstance(fn, torch.nn.Module):
        return {}
    return {**dict(fn.named_parameters()), **dict(fn.named_buffers())}


def _fake_mode(tensors: Sequence[torch.Tensor]) -> FakeTensorMode:
    """The mode of fake arguments if there are any, else a new one."""
    for tensor in tensors:
        if isinstance(tensor, FakeTensor):
            return tensor.fake_mode
    return FakeTensorMode(allow_non_fake_inputs=True, shape_env=ShapeEnv())


def _fake(value: torch.Tensor, mode: FakeTensorMode, dynamic: bool) -> torch.Tensor:
    """The tensor without its data; extents are symbols if `dynamic`, or if they are marked."""
    if isinstance(value, FakeTensor):
        return value
    marked: set[int] = getattr(value, "_dynamo_dynamic_indices", set())
    if not dynamic and not marked:
        return mode.from_tensor(value, static_shapes=True)
    sizes = [DimDynamic.DYNAMIC if dynamic or i in marked else DimDynamic.STATIC for i in range(value.dim())]
    sizes = [DimDynamic.STATIC if e in (0, 1) else s for e, s in zip(value.shape, sizes, strict=True)]
    return mode.from_tensor(value, symbolic_context=StatelessSymbolicContext(dynamic_sizes=sizes))


def _on_cpu(value: torch.Tensor) -> torch.Tensor:
    """A fake tensor like this one on the CPU: some operators cannot be traced for a device that this build of PyTorch
    does not have."""
    return torch.empty_strided(
        value.shape, value.stride(), dtype=value.dtype, device="cpu", requires_grad=value.requires_grad
    )


def _argument_names(
    fn: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any], leaves: Sequence[Any]
) -> list[str]:
    """A name for each tensor argument: its parameter's, with the path inside of it."""
    target = fn.forward if isinstance(fn, torch.nn.Module) else fn
    try:
        bound = inspect.signature(target).bind(*args, **kwargs).arguments
        paths = pytree.tree_flatten_with_path(dict(bound))[0]
    except (TypeError, ValueError):
        paths = []
    found = {id(leaf): ".".join(_key(k) for k in path) for path, leaf in paths if isinstance(leaf, torch.Tensor)}
    tensors = [leaf for leaf in leaves if isinstance(leaf, torch.Tensor)]
    return [found.get(id(t), f"arg{i}") for i, t in enumerate(tensors)]


def _key(key: Any) -> str:
    return str(getattr(key, "key", getattr(key, "idx", key)))


def _name_of(fn: Callable[..., Any]) -> str:
    return getattr(fn, "__qualname__", type(fn).__name__)
