"""`torch.export` programs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch
from torch import fx
from torch.export import ExportedProgram
from torch.export.graph_signature import InputKind, OutputKind
from torch.utils import _pytree as pytree

from fusir.frontend.capture import Capture
from fusir.frontend.compiler import compile_graph
from fusir.frontend.decompositions import decompositions
from fusir.options import Options

STATE = (InputKind.PARAMETER, InputKind.BUFFER, InputKind.CONSTANT_TENSOR)
"""Kinds of inputs whose values the program holds."""
MUTATIONS = (OutputKind.BUFFER_MUTATION, OutputKind.USER_INPUT_MUTATION, OutputKind.PARAMETER_MUTATION)
"""Kinds of outputs that are new values of inputs."""


def capture_exported(program: ExportedProgram) -> Capture:
    """The decomposed graph of an exported program; new values of buffers and inputs are written to them."""
    return _capture(program.run_decompositions(decompositions()))


def _capture(program: ExportedProgram) -> Capture:
    gm = fx.GraphModule(program.graph_module, program.graph_module.graph)
    signature = program.graph_signature
    _write_mutations(gm.graph, program)
    gm.recompile()
    names = [spec.target or _argument_name(spec.arg) for spec in signature.input_specs]
    state = [i for i, spec in enumerate(signature.input_specs) if spec.kind in STATE]
    return Capture(gm, names, state)


def compile_exported(program: ExportedProgram, options: Options) -> Callable[..., Any]:
    """A callable with the arguments and results of the exported module, compiled.

    It shares the program's parameters and buffers, and updates the buffers.
    """
    program = program.run_decompositions(decompositions())
    captured = _capture(program)
    example = [node.meta.get("val") for node in captured.gm.graph.nodes if node.op == "placeholder"]
    run = compile_graph(
        captured.gm, example, options, parameters=captured.parameters, names=captured.names, kind="exported graph"
    )
    held = _held_values(program)
    results = program.call_spec.out_spec
    assert results is not None

    def call(*args: Any, **kwargs: Any) -> Any:
        given = iter(_flatten_inputs(program, args, kwargs))
        inputs = [
            held[spec.target] if spec.target in held else next(given) for spec in program.graph_signature.input_specs
        ]
        return pytree.tree_unflatten(list(run(inputs)), results)

    return call


def _flatten_inputs(program: ExportedProgram, args: Sequence[Any], kwargs: Mapping[str, Any]) -> list[Any]:
    """The leaves of the arguments. Raises TypeError if their nesting is not the one that was exported."""
    expected = program.call_spec.in_spec
    assert expected is not None
    order = expected.children()[1].context
    ordered = {name: kwargs[name] for name in order if name in kwargs} | dict(kwargs)
    leaves, structure = pytree.tree_flatten((tuple(args), ordered))
    if structure != expected:
        raise TypeError(" ".join(f"expected arguments nested as {expected}, got {structure}".split()))
    return leaves


def _held_values(program: ExportedProgram) -> dict[str | None, torch.Tensor]:
    """Parameters, buffers and constants by the name that the signature gives them."""
    values: dict[str | None, torch.Tensor] = {}
    for spec in program.graph_signature.input_specs:
        if spec.kind not in STATE or spec.target is None:
            continue
        value = program.state_dict.get(spec.target, program.constants.get(spec.target))
        assert isinstance(value, torch.Tensor)
        values[spec.target] = value
    return values


def _write_mutations(graph: fx.Graph, program: ExportedProgram) -> None:
    """Replace outputs that are new values of inputs by `copy_` to these inputs."""
    inputs = {
        spec.target or _argument_name(spec.arg): _argument_name(spec.arg)
        for spec in program.graph_signature.input_specs
    }
    inputs |= {name: name for name in inputs.values()}
    nodes = {node.name: node for node in graph.nodes}
    (output,) = graph.find_nodes(op="output")
    kept: list[Any] = []
    with graph.inserting_before(output):
        for value, spec in zip(output.args[0], program.graph_signature.output_specs, strict=True):
            if spec.kind not in MUTATIONS:
                kept.append(value)
                continue
            assert spec.target is not None
            target = nodes[inputs[spec.target]]
            copy = graph.call_function(torch.ops.aten.copy_.default, (target, value))
            copy.meta["val"] = target.meta["val"]
    output.args = (tuple(kept),)


def _argument_name(argument: Any) -> str:
    return str(argument.name)
