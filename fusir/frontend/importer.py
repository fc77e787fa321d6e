"""From an FX graph of ATen operators to a module of the graph dialect."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import fx
from torch.utils import _pytree as pytree
from xdsl.dialects.builtin import (
    ArrayAttr,
    ComplexType,
    DictionaryAttr,
    FileLineColLoc,
    IndexType,
    IntAttr,
    IntegerAttr,
    LocationAttr,
    ModuleOp,
    StringAttr,
    UnitAttr,
    UnknownLoc,
    f64,
    i64,
)
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineExpr
from xdsl.utils.exceptions import VerifyException

from fusir.dialects import graph
from fusir.dialects.graph import Dim, is_native
from fusir.frontend.call_aten import build_call, copying_variant, is_mutating, is_pure, returns_alias, takes_tensors
from fusir.frontend.dims import SymbolTable, UnsupportedGraph, symbol_attribute
from fusir.frontend.emitter import Emitter, NotNative, RandomState
from fusir.frontend.table import LOWERINGS
from fusir.frontend.types import TensorSpec, tensor_spec

STRIDES = "graph.strides"
MAY_ALIAS = "graph.may_alias"
UPDATES = "graph.updates"
SYMBOL = "graph.symbol"
SEED_LOW, SEED_HIGH = -(2**63), 2**63 - 1

# Where the arguments of `@main` come from


@dataclass(frozen=True)
class Input:
    """Input number `index` of the FX graph."""

    index: int


@dataclass(frozen=True)
class Constant:
    """A tensor that the FX graph module holds."""

    name: str


@dataclass(frozen=True)
class Size:
    """The extent of a dim of input number `index`."""

    index: int
    dim: int


Argument = Input | Constant | Size

# Where the outputs of the FX graph come from


@dataclass(frozen=True)
class Result:
    """Result number `index` of `@main`. `may_alias`: in the FX graph it shares storage with an input or output."""

    index: int
    may_alias: bool = False


@dataclass(frozen=True)
class Integer:
    """An integer computed from the symbols."""

    value: Dim


@dataclass(frozen=True)
class Literal:
    """A Python value: None, a number, a string."""

    value: Any


Output = Result | Input | Integer | Literal


@dataclass
class ImportedGraph:
    """A module and how to call it in place of the FX graph."""

    module: ModuleOp
    arguments: list[Argument]
    outputs: list[Output]
    updates: list[tuple[int, int]]
    """(input, result): the result is the new value of the input, which the program changes in place."""
    fallbacks: list[str] = field(default_factory=list)
    """Operators that became `graph.call_aten`, each with the reason, in graph order."""

    has_side_effects: bool = False
    """Whether it calls operators that do more than compute, other than drawing random numbers."""

    @property
    def function(self) -> FuncOp:
        """The function `@main`."""
        function = self.module.body.block.first_op
        assert isinstance(function, FuncOp)
        return function

    def symbol_arguments(self) -> list[tuple[int, graph.SymbolAttr]]:
        """The index arguments: (argument number, declaration of its symbol)."""
        attributes = self.function.arg_attrs
        found: list[tuple[int, graph.SymbolAttr]] = []
        for index, each in enumerate(attributes.data if attributes is not None else ()):
            symbol = each.data.get(SYMBOL)
            if isinstance(symbol, graph.SymbolAttr):
                found.append((index, symbol))
        return found


def import_graph(gm: fx.GraphModule, parameters: Iterable[int] = (), names: Sequence[str] | None = None) -> ImportedGraph:
    """Import a functional FX graph whose nodes carry `meta["val"]`.

    Args:
        gm: the graph module; in-place operators are only allowed as final `copy_` to an input.
        parameters: numbers of inputs that do not change between calls.
        names: names of the inputs, for people.

    Raises UnsupportedGraph, with a one-line reason, for a graph that the dialect cannot express.
    """
    return _Importer(gm, frozenset(parameters), names).run()


@dataclass
class _Value:
    """What an FX node stands for: an SSA value with its spec, a dim, a Python value, or a list of these."""

    value: Any
    spec: TensorSpec | None = None


class _Importer:
    def __init__(self, gm: fx.GraphModule, parameters: frozenset[int], names: Sequence[str] | None) -> None:
        self.gm = gm
        self.parameters = parameters
        self.names = names
        self.symbols = SymbolTable()
        self.env: dict[fx.Node, Any] = {}
        self.roots: dict[fx.Node, fx.Node] = {}
        self.block = Block()
        self.arguments: list[Argument] = []
        self.argument_attributes: list[dict[str, Attribute]] = []
        self.updates: dict[int, fx.Node] = {}
        self.fallbacks: list[str] = []
        self.locations: dict[str, LocationAttr] = {}
        self.device = torch.device("cpu")
        self.random = RandomState(self._draw_seed)
        self.has_side_effects = False
        self.zero_dim_copies: dict[SSAValue, SSAValue] = {}

    def run(self) -> ImportedGraph:
        placeholders = [n for n in self.gm.graph.nodes if n.op == "placeholder"]
        self.device = main_device(self.gm.graph)
        self._declare_symbols(placeholders)
        self._import_placeholders(placeholders)
        positions = {node: i for i, node in enumerate(placeholders)}
        output: fx.Node | None = None
        for node in self.gm.graph.nodes:
            if node.op == "output":
                output = node
            elif node.op == "get_attr":
                self._import_attribute(node)
            elif node.op == "call_function":
                self._import_call(node, positions)
            elif node.op != "placeholder":
                raise UnsupportedGraph(f"{node.op} node {node.name}")
        assert output is not None
        outputs, results, result_attributes = self._import_outputs(output, positions)
        return self._finish(outputs, results, result_attributes)

    # Inputs

    def _declare_symbols(self, placeholders: Sequence[fx.Node]) -> None:
        """Symbols are the SymInt inputs, then the symbolic extents of tensor inputs that nothing else declares."""
        import sympy

        self.symbol_attributes: dict[int, graph.SymbolAttr] = {}
        self.size_arguments: list[tuple[Size, int]] = []

        def declare(value: torch.SymInt) -> bool:
            expr = value.node.expr
            if not isinstance(expr, sympy.Symbol) or self.symbols.is_declared(expr):
                return False
            position = self.symbols.declare(expr)
            self.symbol_attributes[position] = symbol_attribute(value, expr, position)
            return True

        self.symbol_inputs: dict[fx.Node, int] = {}
        for node in placeholders:
            value = node.meta.get("val")
            if isinstance(value, torch.SymInt) and declare(value):
                self.symbol_inputs[node] = len(self.symbols) - 1
        for index, node in enumerate(placeholders):
            value = node.meta.get("val")
            if isinstance(value, torch.Tensor):
                for dim, extent in enumerate(value.shape):
                    if isinstance(extent, torch.SymInt) and declare(extent):
                        self.size_arguments.append((Size(index, dim), len(self.symbols) - 1))

    def _import_placeholders(self, placeholders: Sequence[fx.Node]) -> None:
        for index, node in enumerate(placeholders):
            value = node.meta.get("val")
            name = self.names[index] if self.names is not None else node.name
            if isinstance(value, torch.Tensor):
                spec = tensor_spec(value, self.symbols)
                attributes: dict[str, Attribute] = {"graph.name": StringAttr(name)}
                if index in self.parameters:
                    attributes["graph.parameter"] = UnitAttr()
                self.env[node] = _Value(self._add_argument(Input(index), spec, attributes), spec)
                self.roots[node] = node
            elif node in self.symbol_inputs:
                self._add_symbol(Input(index), self.symbol_inputs[node], name)
            elif isinstance(value, torch.SymFloat | torch.SymBool):
                raise UnsupportedGraph(f"input {name} is a {type(value).__name__}")
            elif not isinstance(value, torch.SymInt | int | float | bool | None | str):
                raise UnsupportedGraph(f"input {name} is a {type(value).__name__}")
        for size, position in self.size_arguments:
            self._add_symbol(size, position, f"s{position}")

    def _add_argument(self, source: Argument, spec: TensorSpec, attributes: dict[str, Attribute]) -> SSAValue:
        if not spec.is_contiguous:
            attributes[STRIDES] = spec.strides_attribute
        if spec.device != self.device:
            attributes["graph.device"] = StringAttr(str(spec.device))
        self.arguments.append(source)
        self.argument_attributes.append(attributes)
        return self.block.insert_arg(spec.type, len(self.block.args))

    def _add_symbol(self, source: Argument, position: int, name: str) -> None:
        self.arguments.append(source)
        self.argument_attributes.append(
            {"graph.name": StringAttr(name), SYMBOL: self.symbol_attributes[position]}
        )
        self.block.insert_arg(IndexType(), len(self.block.args))

    def _import_attribute(self, node: fx.Node) -> None:
        value: Any = self.gm
        for part in str(node.target).split("."):
            value = getattr(value, part)
        if not isinstance(value, torch.Tensor):
            self.env[node] = value
            return
        spec = tensor_spec(value, self.symbols)
        attributes: dict[str, Attribute] = {"graph.name": StringAttr(node.name), "graph.parameter": UnitAttr()}
        self.env[node] = _Value(self._add_argument(Constant(str(node.target)), spec, attributes), spec)
        self.roots[node] = node

    # Nodes

    def _import_call(self, node: fx.Node, positions: dict[fx.Node, int]) -> None:
        value = node.meta.get("val")
        target: Any = node.target
        if isinstance(value, torch.SymInt | int) and not isinstance(value, bool):
            self.env[node] = self.symbols.dim(value)
            return
        if isinstance(value, torch.SymFloat | torch.SymBool):
            raise UnsupportedGraph(f"{node.name} is a {type(value).__name__}")
        if getattr(target, "__name__", "") == "getitem":
            self._import_getitem(node)
            return
        if not isinstance(target, torch._ops.OpOverload):
            raise UnsupportedGraph(f"{target} is not an operator")
        if is_mutating(target):
            self._import_mutation(node, target, positions)
            return
        self._set_root(node, target)
        specs, rebuild = self._result_specs(value)
        args, kwargs = (self._map(part) for part in (node.args, node.kwargs))
        used = self._specs_of_arguments(node)
        location = self._location(node)
        try:
            emitter, results = self._lower(target, args, kwargs, specs, used, location)
        except NotNative as reason:
            self._call(node, target, args, kwargs, specs, used, location, str(reason), rebuild)
            return
        self._append(emitter.ops)
        for result, spec in zip(results, specs, strict=True):
            self._hint_layout(result, spec, emitter.ops)
        self.env[node] = rebuild(results)

    def _lower(
        self,
        target: Any,
        args: Any,
        kwargs: Any,
        specs: Sequence[TensorSpec],
        used: dict[SSAValue, TensorSpec],
        location: LocationAttr,
    ) -> tuple[Emitter, list[SSAValue]]:
        """Run the native import of an operator. Raises NotNative, with no op left behind, if there is none."""
        emit = LOWERINGS.get(target)
        if emit is None:
            raise NotNative("no native import")
        args, kwargs, used, copies = self._on_main_device(args, kwargs, specs, used, location)
        emitter = Emitter(specs, used, self.random, location)
        try:
            if all(spec.is_empty and is_native(spec.element) for spec in specs):
                results = [emitter.full(0, spec.element, spec.dims) for spec in specs]
            else:
                produced = emit(emitter, *args, **kwargs)
                results = [produced] if isinstance(produced, SSAValue) else list(produced)
            types = [value.type for value in results]
            if types != [spec.type for spec in specs]:
                raise NotNative(f"imported as {', '.join(map(str, types))}")
            for op in emitter.ops:
                op.verify()
        except (NotNative, VerifyException) as error:
            for op in reversed(emitter.ops):
                op.erase()
            raise NotNative(str(error)) from error
        self._append(copies)
        return emitter, results

    def _on_main_device(
        self,
        args: Any,
        kwargs: Any,
        specs: Sequence[TensorSpec],
        used: dict[SSAValue, TensorSpec],
        location: LocationAttr,
    ) -> tuple[Any, Any, dict[SSAValue, TensorSpec], list[Operation]]:
        """Native ops work on one device. Scalars of the CPU are brought there, other devices are not native."""
        foreign = [spec.device for spec in (*specs, *used.values()) if spec.device != self.device]
        if not foreign:
            return args, kwargs, used, []
        if any(spec.device != self.device for spec in specs):
            raise NotNative(f"on {foreign[0]}")
        moved: dict[SSAValue, SSAValue] = {}
        copies: list[Operation] = []
        specs_after = dict(used)
        for value, spec in used.items():
            if spec.device == self.device:
                continue
            if spec.dims or spec.device.type != "cpu":
                raise NotNative(f"on {spec.device}")
            here = TensorSpec((), (), spec.element, self.device)
            if value not in self.zero_dim_copies:
                call = build_call("aten._to_copy.default", [value], {"device": self.device}, [here])
                call.location = location
                copies.append(call)
                self.zero_dim_copies[value] = call.results[0]
            moved[value] = self.zero_dim_copies[value]
            specs_after[moved[value]] = here
        # A copy must not be lost if the native import fails later: it is pure, so it may simply stay.
        self._append(copies)

        def move(item: Any) -> Any:
            return moved.get(item, item) if isinstance(item, SSAValue) else item

        return pytree.tree_map(move, args), pytree.tree_map(move, kwargs), specs_after, []

    def _call(
        self,
        node: fx.Node,
        target: Any,
        args: Any,
        kwargs: Any,
        specs: Sequence[TensorSpec],
        used: dict[SSAValue, TensorSpec],
        location: LocationAttr,
        reason: str,
        rebuild: Any,
    ) -> None:
        """Import the node as `graph.call_aten`."""
        actual = copying_variant(target)
        if actual is target and returns_alias(target):
            raise UnsupportedGraph(f"{target} gives a view and has no copying form")
        results = specs if actual is target else [_contiguous(spec) for spec in specs]
        if target is torch.ops.aten.as_strided.default and any(spec.offset != 0 for spec in used.values()):
            raise UnsupportedGraph("as_strided of a tensor with a storage offset")
        strides = {value: spec.strides_attribute for value, spec in used.items()}
        if any(isinstance(item, complex) for item in pytree.tree_leaves((args, kwargs))):
            if not takes_tensors(actual, args, kwargs):
                raise UnsupportedGraph(f"{target} of a complex number")
            args, kwargs = (self._complex_scalars(part, results, location) for part in (args, kwargs))
        pure = is_pure(actual)
        self.has_side_effects |= not pure and torch.Tag.nondeterministic_seeded not in actual.tags
        call = build_call(str(actual), args, kwargs, results, strides, pure)
        call.location = location
        leaves = pytree.tree_leaves(node.meta["val"])
        positions = [i for i, leaf in enumerate(leaves) if isinstance(leaf, torch.Tensor)]
        if positions != list(range(len(leaves))):
            call.attributes["graph.positions"] = ArrayAttr([IntAttr(i) for i in positions])
        self._append([call])
        self.fallbacks.append(f"{target}: {reason}")
        self.env[node] = rebuild(list(call.results))

    def _complex_scalars(self, tree: Any, results: Sequence[TensorSpec], location: LocationAttr) -> Any:
        """Complex numbers become rank-0 tensors, which operators take in place of a tensor argument."""
        half = results[0].element if results and isinstance(results[0].element, ComplexType) else ComplexType(f64)
        part_type = half.element_type

        def convert(item: Any) -> Any:
            if not isinstance(item, complex):
                return item
            if not is_native(part_type):
                raise UnsupportedGraph("a complex number of half precision")
            parts = [graph.FullOp(part, graph.tensor_type(part_type, ())) for part in (item.real, item.imag)]
            spec = TensorSpec((), (), half, torch.device("cpu"))
            call = build_call("aten.complex.default", [p.result for p in parts], {}, [spec])
            for op in (*parts, call):
                op.location = location
            self._append([*parts, call])
            return call.results[0]

        return pytree.tree_map(convert, tree)

    def _import_getitem(self, node: fx.Node) -> None:
        source, index = node.args
        assert isinstance(source, fx.Node)
        self.env[node] = self.env[source][index]
        self.roots[node] = self.roots.get(source, node) if self._aliases(source) else node

    def _import_mutation(self, node: fx.Node, target: Any, positions: dict[fx.Node, int]) -> None:
        """A final `copy_` to an input is an update of that input; other writes have no place in a graph of values."""
        destination = node.args[0]
        if target is not torch.ops.aten.copy_.default or destination not in positions:
            raise UnsupportedGraph(f"{target} writes in place")
        assert isinstance(destination, fx.Node)
        source = node.args[1]
        if not isinstance(source, fx.Node):
            raise UnsupportedGraph(f"{target} of a number")
        emitter = Emitter([self._spec(destination)], {}, self.random, self._location(node))
        try:
            value = emitter.broadcast(emitter.convert(self.env[source].value, emitter.element), emitter.dims)
        except NotNative as reason:
            raise UnsupportedGraph(f"{target}: {reason}") from reason
        self._append(emitter.ops)
        if positions[destination] in self.updates:
            raise UnsupportedGraph(f"{target} writes an input twice")
        self.updates[positions[destination]] = node
        self.env[node] = _Value(value, emitter.spec)
        self.roots[node] = destination

    # Helpers for nodes

    def _append(self, ops: Iterable[Operation]) -> None:
        for op in ops:
            self.block.add_op(op)

    def _draw_seed(self) -> SSAValue:
        """A seed for this call from PyTorch's generator of the device."""
        spec = TensorSpec((), (), i64, self.device)
        options = {"dtype": torch.int64, "device": self.device}
        call = build_call("aten.randint.low", [SEED_LOW, SEED_HIGH, []], options, [spec], pure=False)
        self._append([call])
        return call.results[0]

    def _spec(self, node: fx.Node) -> TensorSpec:
        value = self.env[node]
        assert isinstance(value, _Value) and value.spec is not None
        return value.spec

    def _map(self, tree: Any) -> Any:
        """FX arguments as a lowering takes them: SSA values, dims and Python values."""
        if isinstance(tree, fx.Node):
            if tree not in self.env:
                value = tree.meta.get("val")
                if isinstance(value, torch.SymInt):
                    return self.symbols.dim(value)
                raise UnsupportedGraph(f"{tree.name} is a {type(value).__name__}")
            return _plain(self.env[tree])
        if isinstance(tree, list | tuple):
            return type(tree)(self._map(item) for item in tree) if type(tree) in (list, tuple) else [
                self._map(item) for item in tree
            ]
        if isinstance(tree, dict):
            return {key: self._map(item) for key, item in tree.items()}
        if isinstance(tree, torch.SymInt):
            return self.symbols.dim(tree)
        return tree

    def _specs_of_arguments(self, node: fx.Node) -> dict[SSAValue, TensorSpec]:
        specs: dict[SSAValue, TensorSpec] = {}
        for source in node.all_input_nodes:
            value = self.env.get(source)
            for each in value if isinstance(value, list) else [value]:
                if isinstance(each, _Value) and each.spec is not None:
                    specs[each.value] = each.spec
        return specs

    def _result_specs(self, value: Any) -> tuple[list[TensorSpec], Any]:
        """The specs of the tensors in a node's value, and a function that puts SSA values in their places."""
        if isinstance(value, torch.Tensor):
            spec = tensor_spec(value, self.symbols)
            return [spec], lambda results: _Value(results[0], spec)
        if value is None:
            return [], lambda results: None
        if not isinstance(value, list | tuple):
            raise UnsupportedGraph(f"an operator gives a {type(value).__name__}")
        parts = [self._result_specs(v) if not isinstance(v, int | torch.SymInt) else self.symbols.dim(v) for v in value]
        specs = [spec for part in parts if isinstance(part, tuple) for spec in part[0]]

        def rebuild(results: list[SSAValue]) -> list[Any]:
            values: list[Any] = []
            position = 0
            for part in parts:
                if not isinstance(part, tuple):
                    values.append(part)
                    continue
                values.append(part[1](results[position : position + len(part[0])]))
                position += len(part[0])
            return values

        return specs, rebuild

    def _aliases(self, node: fx.Node) -> bool:
        return isinstance(node.target, torch._ops.OpOverload) and returns_alias(node.target)

    def _set_root(self, node: fx.Node, target: Any) -> None:
        source = node.args[0] if node.args else None
        aliases = returns_alias(target) and isinstance(source, fx.Node)
        self.roots[node] = self.roots.get(source, node) if aliases and isinstance(source, fx.Node) else node

    def _hint_layout(self, value: SSAValue, spec: TensorSpec, ops: Sequence[Operation]) -> None:
        """Note the layout that eager gives an intermediate, where it is dense in another order than row-major."""
        owner = value.owner
        if not isinstance(owner, Operation) or owner not in ops or len(owner.results) != 1:
            return
        if not isinstance(owner, graph.ViewOp) and spec.is_permuted_dense:
            owner.attributes[STRIDES] = spec.strides_attribute

    def _location(self, node: fx.Node) -> LocationAttr:
        """The user's source line of the node."""
        trace = node.stack_trace
        if not trace:
            return UnknownLoc()
        location = self.locations.get(trace)
        if location is None:
            location = parse_location(trace)
            self.locations[trace] = location
        return location

    # Outputs

    def _import_outputs(
        self, output: fx.Node, positions: dict[fx.Node, int]
    ) -> tuple[list[Output], list[SSAValue], list[dict[str, Attribute]]]:
        nodes = output.args[0]
        if not isinstance(nodes, list | tuple):
            nodes = [nodes]
        shared = Counter(self.roots.get(n, n) for n in nodes if isinstance(n, fx.Node))
        outputs: list[Output] = []
        results: list[SSAValue] = []
        attributes: list[dict[str, Attribute]] = []

        def add_result(item: _Value, may_alias: bool) -> int:
            assert item.spec is not None
            results.append(item.value)
            attribute: dict[str, Attribute] = {}
            if not item.spec.is_contiguous:
                attribute[STRIDES] = item.spec.strides_attribute
            if may_alias:
                attribute[MAY_ALIAS] = UnitAttr()
            attributes.append(attribute)
            return len(results) - 1

        for node in nodes:
            if not isinstance(node, fx.Node):
                outputs.append(Integer(self.symbols.dim(node)) if isinstance(node, torch.SymInt) else Literal(node))
                continue
            if node in positions:
                outputs.append(Input(positions[node]))
                continue
            item = self.env.get(node)
            if isinstance(item, _Value):
                root = self.roots.get(node, node)
                may_alias = root in positions or root.op == "get_attr" or shared[root] > 1
                outputs.append(Result(add_result(item, may_alias), may_alias))
            elif isinstance(item, list):
                raise UnsupportedGraph(f"output {node.name} is a list")
            else:
                outputs.append(Integer(item) if isinstance(item, int | AffineExpr) else Literal(item))
        self.update_results: list[tuple[int, int]] = []
        for index, node in sorted(self.updates.items()):
            result = add_result(self.env[node], False)
            attributes[result][UPDATES] = IntegerAttr(self.arguments.index(Input(index)), i64)
            self.update_results.append((index, result))
        return outputs, results, attributes

    def _finish(
        self, outputs: list[Output], results: list[SSAValue], result_attributes: list[dict[str, Attribute]]
    ) -> ImportedGraph:
        self.block.add_op(ReturnOp(*results))
        function = FuncOp(
            "main",
            ([arg.type for arg in self.block.args], [r.type for r in results]),
            Region(self.block),
            arg_attrs=ArrayAttr([DictionaryAttr(a) for a in self.argument_attributes]),
            res_attrs=ArrayAttr([DictionaryAttr(a) for a in result_attributes]),
        )
        function.attributes["graph.device"] = StringAttr(str(self.device))
        _name_arguments(self.block, self.argument_attributes)
        return ImportedGraph(ModuleOp([function]), self.arguments, outputs, self.update_results, self.fallbacks, self.has_side_effects)


def _plain(value: Any) -> Any:
    if isinstance(value, _Value):
        return value.value
    if isinstance(value, list):
        return [_plain(v) for v in value]
    return value


def _contiguous(spec: TensorSpec) -> TensorSpec:
    from fusir.analysis.expr import row_major_strides

    return TensorSpec(spec.dims, tuple(row_major_strides(spec.dims)), spec.element, spec.device)


def _name_arguments(block: Block, attributes: Sequence[dict[str, Attribute]]) -> None:
    """Name the arguments after the inputs, so that the text reads well. A name hint must not begin with a digit or end
    with a number of its own."""
    for argument, attribute in zip(block.args, attributes, strict=True):
        name = attribute["graph.name"]
        assert isinstance(name, StringAttr)
        hint = re.sub(r"\W", "_", name.data)
        if not re.match(r"[A-Za-z_]", hint):
            hint = f"m{hint}"
        argument.name_hint = f"{hint}_" if re.fullmatch(r".*_\d+", hint) else hint


def main_device(graph_: fx.Graph) -> torch.device:
    """The device of most tensors of a graph, where an accelerator wins over the CPU."""
    devices: Counter[torch.device] = Counter()
    for node in graph_.nodes:
        for value in pytree.tree_leaves(node.meta.get("val")):
            if isinstance(value, torch.Tensor):
                devices[value.device] += 1
    accelerators = {d: n for d, n in devices.items() if d.type != "cpu"}
    candidates = accelerators or devices
    return max(candidates, key=lambda d: (candidates[d], str(d))) if candidates else torch.device("cpu")


_FRAME = re.compile(r'File "([^"]+)", line (\d+)')
_TORCH_FOLDER = os.path.dirname(torch.__file__)


def parse_location(stack_trace: str) -> LocationAttr:
    """The innermost frame outside of PyTorch as a location; the innermost one if all are inside."""
    frames: list[tuple[str, str]] = _FRAME.findall(stack_trace)
    if not frames:
        return UnknownLoc()
    outside = [frame for frame in frames if not frame[0].startswith((_TORCH_FOLDER, "<"))]
    file, line = (outside or frames)[-1]
    return FileLineColLoc(StringAttr(file), IntAttr(int(line)), IntAttr(0))
