"""The Dynamo backend: `torch.compile(fn, backend="fusir")`."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from torch import fx, nn

from fusir.frontend.compiler import BoxedCallable, compile_graph, origin, warn_fallback
from fusir.frontend.decompositions import decompositions
from fusir.frontend.internals import static_input_indices, without_autocast
from fusir.options import Options, resolve_options

GraphCompiler = Callable[..., BoxedCallable]


def fusir(
    gm: fx.GraphModule,
    example_inputs: Sequence[Any],
    *,
    mode: str | None = None,
    options: Mapping[str, object] | None = None,
) -> Callable[..., Any]:
    """Backend for `torch.compile`, registered under the name "fusir" (entry point group `torch_dynamo_backends`).

    Raises OptionError for an unknown mode or option.
    """
    return Backend(resolve_options(mode, options))(gm, example_inputs)


@dataclass(frozen=True)
class Backend:
    """The backend with resolved options. Equal backends share Dynamo's cache."""

    options: Options
    compiler: GraphCompiler = compile_graph
    """What compiles each graph; takes the arguments of `compile_graph`."""

    @property
    def __name__(self) -> str:
        return "fusir"

    def __call__(self, gm: fx.GraphModule, example_inputs: Sequence[Any]) -> Callable[..., Any]:
        """Compile the graph of one frame, forward and, if gradients are needed, backward.

        What AOTAutograd cannot trace runs through PyTorch, with a FusirFallbackWarning.
        """
        from torch._dynamo.exc import TorchDynamoException

        try:
            return self._compile(gm, example_inputs)
        except TorchDynamoException:
            raise
        except Exception as error:
            warn_fallback(f"the program at {origin(gm)} runs through PyTorch", error)
            return gm.forward

    def _compile(self, gm: fx.GraphModule, example_inputs: Sequence[Any]) -> Callable[..., Any]:
        from functools import partial

        from torch._dynamo.backends.common import aot_autograd
        from torch._functorch.partitioners import min_cut_rematerialization_partition

        placeholders = [n for n in gm.graph.nodes if n.op == "placeholder"]
        names = [_readable_name(n) for n in placeholders]
        weights = {i for i, n in enumerate(placeholders) if isinstance(n.meta.get("example_value"), nn.Parameter)}
        compile_ = partial(self._compiler, weights=weights)
        return aot_autograd(
            fw_compiler=partial(compile_, names=names, kind="forward graph"),
            bw_compiler=partial(compile_, names=names, kind="backward graph"),
            inference_compiler=partial(compile_, names=names, kind="graph"),
            decompositions=decompositions(),
            partition_fn=partial(min_cut_rematerialization_partition, compiler="inductor"),
            keep_inference_input_mutations=True,
        )(gm, example_inputs)

    def _compiler(
        self,
        gm: fx.GraphModule,
        example_inputs: Sequence[Any],
        *,
        names: Sequence[str],
        weights: Collection[int],
        kind: str,
    ) -> BoxedCallable:
        placeholders = [n for n in gm.graph.nodes if n.op == "placeholder"]
        with without_autocast():
            return self.compiler(
                gm,
                example_inputs,
                self.options,
                parameters=() if kind == "backward graph" else static_input_indices(),
                weights={number for number, node in enumerate(placeholders) if _plain_input(node) in weights},
                names=[_input_name(node, names) for node in placeholders],
                kind=kind,
            )


def _plain_input(node: fx.Node) -> int | None:
    """Which input of the user's program an input of an AOTAutograd graph is, if it is one, and not a part of one."""
    index = getattr(node.meta.get("desc"), "idx", None)
    return index if type(node.meta.get("desc")).__name__ == "PlainAOTInput" and isinstance(index, int) else None


def _input_name(node: fx.Node, names: Sequence[str]) -> str:
    """The name that an input of an AOTAutograd graph has in the user's program, if it is one of its inputs."""
    index = _plain_input(node)
    return names[index] if index is not None and index < len(names) else node.name


_ACCESS = re.compile(r"\['?(\w+)'?\]|\.?(\w+)")
_NOISE = frozenset({"L", "G", "_modules", "_parameters", "_buffers", "self", "fn"})


def _readable_name(node: fx.Node) -> str:
    """`L['self']._modules['0']._parameters['weight']` as `0.weight`, `L['x']` as `x`."""
    source = getattr(getattr(node.meta.get("grapharg"), "source", None), "name", None)
    text = source() if callable(source) else source
    if not isinstance(text, str):
        return node.name
    parts = [a or b for a, b in _ACCESS.findall(text)]
    kept = [p for p in parts if p not in _NOISE]
    return ".".join(kept) or node.name
