"""From an FX graph of ATen operators to a module of the graph dialect."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, cast

import sympy
import torch
from torch import fx
from torch.utils import _pytree as pytree
from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    IndexType,
    IntegerAttr,
    LocationAttr,
    ModuleOp,
    StringAttr,
    UnitAttr,
    UnknownLoc,
    i64,
)
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, Region, SSAValue
from xdsl.ir.affine import AffineExpr

from fusir.frontend.call_aten import is_mutating, returns_alias
from fusir.frontend.dims import SymbolTable, UnsupportedGraph, symbol_attribute
from fusir.frontend.emitter import NotNative
from fusir.frontend.imported import (
    SYMBOL,
    Argument,
    Constant,
    ImportedGraph,
    Input,
    Integer,
    Literal,
    Output,
    Result,
    Size,
)
from fusir.frontend.internals import OpOverload
from fusir.frontend.locations import parse_location
from fusir.frontend.operators import STRIDES, Call, OperatorImporter
from fusir.frontend.symbolic import SymbolicFloat
from fusir.frontend.types import TensorSpec, tensor_spec

MAY_ALIAS = "graph.may_alias"
UPDATES = "graph.updates"


def import_graph(
    gm: fx.GraphModule, parameters: Iterable[int] = (), names: Sequence[str] | None = None
) -> ImportedGraph:
    """Import a functional FX graph whose nodes carry `meta["val"]`.

    Args:
        gm: the graph module; in-place operators are only allowed as final `copy_` to an input.
        parameters: numbers of inputs that have the same storage in every call.
        names: names of the inputs, for people.

    Raises UnsupportedGraph, with a one-line reason, for a graph that the dialect cannot express.
    """
    return _Importer(gm, frozenset(parameters), names).run()


@dataclass
class _Tensor:
    """What an FX node with one tensor stands for."""

    value: SSAValue
    spec: TensorSpec


class _Importer:
    """The import of one graph.

    `env` holds for each node a `_Tensor`, a dim, a SymbolicFloat, None, or a list of these. `roots` holds for each
    tensor node the node in whose storage it lives in the FX graph.
    """

    def __init__(self, gm: fx.GraphModule, parameters: frozenset[int], names: Sequence[str] | None) -> None:
        self.gm = gm
        self.parameters = parameters
        self.placeholders = [n for n in gm.graph.nodes if n.op == "placeholder"]
        self.positions = {node: i for i, node in enumerate(self.placeholders)}
        self.names = names or [node.name for node in self.placeholders]
        self.symbols = SymbolTable()
        self.block = Block()
        self.device = main_device(gm.graph)
        self.operators = OperatorImporter(self.block, self.symbols, self.device)
        self.env: dict[fx.Node, Any] = {}
        self.roots: dict[fx.Node, fx.Node] = {}
        self.updates: dict[int, _Tensor] = {}
        self.written: set[fx.Node] = set()
        self.arguments: list[Argument] = []
        self.argument_attributes: list[dict[str, Attribute]] = []
        self.results: list[SSAValue] = []
        self.result_attributes: list[dict[str, Attribute]] = []
        self.locations: dict[str, LocationAttr] = {}

    def run(self) -> ImportedGraph:
        self._import_inputs()
        outputs: list[Output] = []
        for node in self.gm.graph.nodes:
            if node.op == "output":
                outputs = self._import_outputs(node)
            elif node.op == "get_attr":
                self._import_constant(node)
            elif node.op == "call_function":
                self._import_call(node)
            elif node.op != "placeholder":
                raise UnsupportedGraph(f"{node.op} node {node.name}")
        updates: list[tuple[int, int]] = []
        for index, new in sorted(self.updates.items()):
            position = self._add_result(new, {UPDATES: IntegerAttr(self.arguments.index(Input(index)), i64)})
            updates.append((index, position))
        return ImportedGraph(
            ModuleOp([self._function()]),
            self.arguments,
            outputs,
            updates,
            self.operators.fallbacks,
            self.operators.has_side_effects,
        )

    def _function(self) -> FuncOp:
        self.block.add_op(ReturnOp(*self.results))
        function = FuncOp(
            "main",
            ([arg.type for arg in self.block.args], [r.type for r in self.results]),
            Region(self.block),
            arg_attrs=ArrayAttr([DictionaryAttr(a) for a in self.argument_attributes]),
            res_attrs=ArrayAttr([DictionaryAttr(a) for a in self.result_attributes]),
        )
        function.attributes["graph.device"] = StringAttr(str(self.device))
        return function

    # Inputs

    def _import_inputs(self) -> None:
        """Tensors and SymInts in order; symbols that only occur in extents become arguments at the end."""
        symbol_inputs: dict[fx.Node, torch.SymInt] = {}
        for node in self.placeholders:
            if self._declare(node.meta.get("val")):
                symbol_inputs[node] = node.meta["val"]
        sizes: list[tuple[Size, torch.SymInt]] = []
        for index, node in enumerate(self.placeholders):
            value = node.meta.get("val")
            for dim, extent in enumerate(value.shape if isinstance(value, torch.Tensor) else ()):
                if self._declare(extent):
                    sizes.append((Size(index, dim), cast(torch.SymInt, extent)))
        for index, node in enumerate(self.placeholders):
            value, name = node.meta.get("val"), self.names[index]
            if isinstance(value, torch.Tensor):
                attributes: dict[str, Attribute] = {"graph.name": StringAttr(name)}
                if index in self.parameters:
                    attributes["graph.parameter"] = UnitAttr()
                self._add_tensor(node, Input(index), value, attributes)
            elif node in symbol_inputs:
                self._add_symbol(Input(index), symbol_inputs[node])
            elif not isinstance(value, torch.SymInt | int | float | str | None):
                raise UnsupportedGraph(f"input {name} is a {type(value).__name__}")
        for size, extent in sizes:
            self._add_symbol(size, extent)

    def _declare(self, value: Any) -> bool:
        """Declare the symbol that a SymInt is. False if it is something else, or declared already."""
        if not isinstance(value, torch.SymInt):
            return False
        expr = value.node.expr
        if not isinstance(expr, sympy.Symbol) or self.symbols.is_declared(expr):
            return False
        self.symbols.declare(expr)
        return True

    def _add_tensor(
        self, node: fx.Node, source: Argument, value: torch.Tensor, attributes: dict[str, Attribute]
    ) -> None:
        spec = tensor_spec(value, self.symbols)
        if not spec.is_contiguous:
            attributes[STRIDES] = spec.strides_attribute
        if spec.device != self.device:
            attributes["graph.device"] = StringAttr(str(spec.device))
        self.env[node] = _Tensor(self._add_argument(source, spec.type, attributes), spec)
        self.roots[node] = node

    def _add_symbol(self, source: Argument, value: torch.SymInt) -> None:
        symbol = value.node.expr
        position = self.symbols.declare(symbol)
        declaration = symbol_attribute(value, symbol, position)
        self._add_argument(source, IndexType(), {"graph.name": StringAttr(f"s{position}"), SYMBOL: declaration})

    def _add_argument(self, source: Argument, type_: Attribute, attributes: dict[str, Attribute]) -> SSAValue:
        self.arguments.append(source)
        self.argument_attributes.append(attributes)
        argument = self.block.insert_arg(type_, len(self.block.args))
        name = attributes["graph.name"]
        assert isinstance(name, StringAttr)
        argument.name_hint = name_hint(name.data)
        return argument

    def _import_constant(self, node: fx.Node) -> None:
        """A tensor that the module holds is one more argument."""
        value: Any = self.gm
        for part in str(node.target).split("."):
            value = getattr(value, part)
        if not isinstance(value, torch.Tensor):
            raise UnsupportedGraph(f"{node.target} is a {type(value).__name__}")
        attributes: dict[str, Attribute] = {"graph.name": StringAttr(node.name), "graph.parameter": UnitAttr()}
        self._add_tensor(node, Constant(str(node.target)), value, attributes)

    # Operators

    def _import_call(self, node: fx.Node) -> None:
        value = node.meta.get("val")
        target: Any = node.target
        if isinstance(value, torch.SymInt | torch.SymFloat | int | float):
            self.env[node] = self._number(value)
        elif isinstance(value, torch.SymBool):
            raise UnsupportedGraph(f"{node.name} is a SymBool")
        elif getattr(target, "__name__", "") == "getitem":
            source, index = node.args
            assert isinstance(source, fx.Node)
            self.env[node] = self.env[source][index]
            self.roots[node] = self.roots[source] if self.roots[source] is not source else node
        elif not isinstance(target, OpOverload):
            raise UnsupportedGraph(f"{target} is not an operator")
        elif is_mutating(target):
            self._import_mutation(node, target)
        else:
            specs, positions, rebuild = self._results_of(value)
            self.roots[node] = self._root(node)
            self.env[node] = rebuild(self.operators.run(self._call_of(node, specs, positions)))

    def _call_of(self, node: fx.Node, results: list[TensorSpec], positions: list[int]) -> Call:
        operands: dict[SSAValue, TensorSpec] = {}
        for source in node.all_input_nodes:
            if self.roots.get(source) in self.written:
                raise UnsupportedGraph(f"{node.name} reads an input after it was written")
            for each in pytree.tree_leaves(self.env.get(source)):
                if isinstance(each, _Tensor):
                    operands[each.value] = each.spec
        args, kwargs = self._arguments(node.args), self._arguments(node.kwargs)
        return Call(node.target, args, kwargs, operands, results, positions, self._location(node))

    def _import_mutation(self, node: fx.Node, target: Any) -> None:
        """A final `copy_` to an input is an update of that input; other writes have no place in a graph of values."""
        destination, source = node.args[0], node.args[1]
        if target is not torch.ops.aten.copy_.default or destination not in self.positions:
            raise UnsupportedGraph(f"{target} writes in place")
        assert isinstance(destination, fx.Node)
        index = self.positions[destination]
        if not isinstance(source, fx.Node) or index in self.updates:
            raise UnsupportedGraph(f"{target} writes an input twice, or a number")
        spec = self.env[destination].spec
        emitter = self.operators.emitter(Call(target, (), {}, {}, [spec], [0], self._location(node)))
        try:
            value = emitter.broadcast(emitter.convert(self.env[source].value, spec.element), spec.dims)
        except NotNative as reason:
            raise UnsupportedGraph(f"{target}: {reason}") from reason
        self.operators.append(emitter.ops)
        self.updates[index] = self.env[node] = _Tensor(value, spec)
        self.roots[node] = node
        self.written.add(destination)

    def _arguments(self, tree: Any) -> Any:
        """FX arguments as the import of an operator takes them: SSA values, dims and Python values."""
        if isinstance(tree, fx.Node):
            if tree in self.env:
                return pytree.tree_map(lambda v: v.value if isinstance(v, _Tensor) else v, self.env[tree])
            return self._number(tree.meta.get("val"))
        if isinstance(tree, list | tuple):
            return [self._arguments(item) for item in tree]
        if isinstance(tree, dict):
            return {key: self._arguments(item) for key, item in tree.items()}
        return self._number(tree) if isinstance(tree, torch.SymInt | torch.SymFloat) else tree

    def _number(self, value: Any) -> Any:
        """A Python number, or a number computed from the symbols."""
        if isinstance(value, torch.SymFloat):
            return SymbolicFloat(value.node.expr)
        if isinstance(value, torch.SymInt):
            return self.symbols.dim(value)
        if isinstance(value, int | float | str | None):
            return value
        raise UnsupportedGraph(f"an argument is a {type(value).__name__}")

    def _results_of(self, value: Any) -> tuple[list[TensorSpec], list[int], Callable[[list[SSAValue]], Any]]:
        """The specs of the tensors in a node's value, their places among its leaves, and a function that puts SSA
        values there."""
        leaves, structure = pytree.tree_flatten(value)
        specs = [tensor_spec(leaf, self.symbols) if isinstance(leaf, torch.Tensor) else None for leaf in leaves]
        others = [None if isinstance(leaf, torch.Tensor) else self._number(leaf) for leaf in leaves]

        def rebuild(results: list[SSAValue]) -> Any:
            remaining = iter(results)
            places = zip(specs, others, strict=True)
            values = [other if spec is None else _Tensor(next(remaining), spec) for spec, other in places]
            return pytree.tree_unflatten(values, structure)

        positions = [position for position, spec in enumerate(specs) if spec is not None]
        return [spec for spec in specs if spec is not None], positions, rebuild

    def _root(self, node: fx.Node) -> fx.Node:
        source = node.args[0] if node.args else None
        return self.roots[source] if returns_alias(node.target) and isinstance(source, fx.Node) else node

    def _location(self, node: fx.Node) -> LocationAttr:
        """The user's source line of the node."""
        trace = node.stack_trace
        if not trace:
            return UnknownLoc()
        location = self.locations.get(trace)
        if location is None:
            location = self.locations[trace] = parse_location(trace)
        return location

    # Outputs

    def _import_outputs(self, output: fx.Node) -> list[Output]:
        nodes: Any = output.args[0]
        if not isinstance(nodes, list | tuple):
            nodes = [nodes]
        shared = Counter(self.roots.get(n, n) for n in nodes if isinstance(n, fx.Node))
        return [self._import_output(node, shared) for node in nodes]

    def _import_output(self, node: Any, shared: Counter[fx.Node]) -> Output:
        if not isinstance(node, fx.Node):
            return Integer(self.symbols.dim(node)) if isinstance(node, torch.SymInt) else Literal(node)
        if node in self.positions:
            return Input(self.positions[node])
        item = self.env[node]
        if isinstance(item, _Tensor):
            root = self.roots[node]
            may_alias = root in self.positions or root.op == "get_attr" or shared[root] > 1
            return Result(self._add_result(item, {MAY_ALIAS: UnitAttr()} if may_alias else {}), may_alias)
        if isinstance(item, int | AffineExpr):
            return Integer(item)
        if isinstance(item, list | tuple | SymbolicFloat):
            raise UnsupportedGraph(f"output {node.name} is a {type(item).__name__}")
        return Literal(item)

    def _add_result(self, tensor: _Tensor, attributes: dict[str, Attribute]) -> int:
        """The position of a new result of the function."""
        if not tensor.spec.is_contiguous:
            attributes[STRIDES] = tensor.spec.strides_attribute
        self.results.append(tensor.value)
        self.result_attributes.append(attributes)
        return len(self.results) - 1


def name_hint(name: str) -> str:
    """The name of an input as one of an SSA value, which must not begin with a digit or end with its own number."""
    hint = re.sub(r"\W", "_", name)
    if not re.match(r"[A-Za-z_]", hint):
        hint = f"m{hint}"
    return f"{hint}_" if re.fullmatch(r".*_\d+", hint) else hint


def main_device(graph: fx.Graph) -> torch.device:
    """The device of most tensors of a graph, where an accelerator wins over the CPU."""
    devices: Counter[torch.device] = Counter()
    for node in graph.nodes:
        for value in pytree.tree_leaves(node.meta.get("val")):
            if isinstance(value, torch.Tensor):
                devices[value.device] += 1
    accelerators = {d: n for d, n in devices.items() if d.type != "cpu"}
    candidates = accelerators or devices
    return max(candidates, key=lambda d: (candidates[d], str(d))) if candidates else torch.device("cpu")
