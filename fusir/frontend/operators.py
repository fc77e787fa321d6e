"""Import of single operators: natively where the table knows how, else as `graph.call_aten`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch.utils import _pytree as pytree
from xdsl.dialects.builtin import ArrayAttr, ComplexType, IntAttr, LocationAttr, f64, i64
from xdsl.ir import Block, Operation, SSAValue
from xdsl.utils.exceptions import VerifyException

from fusir.analysis.expr import row_major_strides
from fusir.dialects import graph
from fusir.dialects.graph import is_native, tensor_type
from fusir.frontend.call_aten import build_call, copying_variant, is_pure, returns_alias, takes_tensors
from fusir.frontend.dims import SymbolTable, UnsupportedGraph
from fusir.frontend.emitter import Emitter, NotNative, RandomState
from fusir.frontend.table import LOWERINGS
from fusir.frontend.types import TensorSpec

STRIDES = "graph.strides"
"""Attribute: the layout of an argument, a result or an intermediate."""
POSITIONS = "graph.positions"
"""Attribute of a call: where its results stand among the leaves of what the operator returns."""
SEED_LOW, SEED_HIGH = -(2**63), 2**63 - 1
"""Seeds are drawn from [low, high)."""


@dataclass(frozen=True)
class Call:
    """One operator with its arguments as SSA values, dims and Python values."""

    target: Any
    args: Any
    kwargs: Any
    operands: dict[SSAValue, TensorSpec]
    """What tracing found out about the tensors among the arguments."""
    results: list[TensorSpec]
    positions: list[int]
    """Where the results stand among the leaves of what the operator returns."""
    location: LocationAttr


class OperatorImporter:
    """Appends the ops of operators to a block."""

    def __init__(self, block: Block, symbols: SymbolTable, device: torch.device) -> None:
        self.block = block
        self.symbols = symbols
        self.device = device
        self.random = RandomState(self._draw_seed)
        self.fallbacks: list[str] = []
        self.has_side_effects = False
        self._moved: dict[SSAValue, SSAValue] = {}

    def run(self, call: Call) -> list[SSAValue]:
        """The tensors that the operator gives. Raises UnsupportedGraph if the call cannot be expressed."""
        try:
            results, ops = self._native(call)
        except NotNative as reason:
            return self._call_aten(call, str(reason))
        self.append(ops)
        for value, spec in zip(results, call.results, strict=True):
            _hint_layout(value, spec, ops)
        return results

    def emitter(self, call: Call) -> Emitter:
        """For ops that belong to a call."""
        return Emitter(call.results, call.operands, self.random, self.symbols, call.location)

    def append(self, ops: Iterable[Operation]) -> None:
        for op in ops:
            self.block.add_op(op)

    # Native import

    def _native(self, call: Call) -> tuple[list[SSAValue], list[Operation]]:
        """The results and the ops that make them. Raises NotNative, with no op left behind, if there is none."""
        lower = LOWERINGS.get(call.target)
        if lower is None:
            raise NotNative("no native import")
        call = self._on_one_device(call)
        emitter = self.emitter(call)
        try:
            if all(spec.is_empty and is_native(spec.element) for spec in call.results):
                results = [emitter.full(0, spec.element, spec.dims) for spec in call.results]
            else:
                produced = lower(emitter, *call.args, **call.kwargs)
                results = [produced] if isinstance(produced, SSAValue) else list(produced)
            if [value.type for value in results] != [spec.type for spec in call.results]:
                raise NotNative(f"imported as {', '.join(str(value.type) for value in results)}")
            for op in emitter.ops:
                op.verify()
        except (NotNative, VerifyException) as error:
            for op in reversed(emitter.ops):
                op.erase()
            raise NotNative(str(error)) from error
        return results, emitter.ops

    def _on_one_device(self, call: Call) -> Call:
        """Native ops work on the graph's device: scalars of the CPU are brought there, other devices are not native."""
        if any(spec.device != self.device for spec in call.results):
            raise NotNative(f"not on {self.device}")
        foreign = [(value, spec) for value, spec in call.operands.items() if spec.device != self.device]
        if not foreign:
            return call
        operands = dict(call.operands)
        moved: dict[SSAValue, SSAValue] = {}
        for value, spec in foreign:
            if spec.dims or spec.device.type != "cpu":
                raise NotNative(f"on {spec.device}")
            moved[value] = self._move_scalar(value, spec, call.location)
            operands[moved[value]] = replace(spec, device=self.device)

        def move(item: Any) -> Any:
            return moved.get(item, item) if isinstance(item, SSAValue) else item

        args, kwargs = pytree.tree_map(move, (call.args, call.kwargs))
        return replace(call, args=args, kwargs=kwargs, operands=operands)

    def _move_scalar(self, value: SSAValue, spec: TensorSpec, location: LocationAttr) -> SSAValue:
        """A rank-0 tensor of the CPU on the graph's device."""
        if value not in self._moved:
            here = replace(spec, device=self.device)
            copy = build_call("aten._to_copy.default", [value], {"device": self.device}, [here])
            copy.location = location
            self.append([copy])
            self._moved[value] = copy.results[0]
        return self._moved[value]

    def _draw_seed(self) -> SSAValue:
        """A seed for this call from PyTorch's generator of the device."""
        spec = TensorSpec((), (), i64, self.device)
        options = {"dtype": torch.int64, "device": self.device}
        call = build_call("aten.randint.low", [SEED_LOW, SEED_HIGH, []], options, [spec], pure=False)
        self.append([call])
        return call.results[0]

    # Calls of ATen

    def _call_aten(self, call: Call, reason: str) -> list[SSAValue]:
        target = copying_variant(call.target)
        if target is call.target and returns_alias(target):
            raise UnsupportedGraph(f"{target} gives a view and has no copying form")
        if call.target is torch.ops.aten.as_strided.default and any(s.offset != 0 for s in call.operands.values()):
            raise UnsupportedGraph("as_strided of a tensor with a storage offset")
        results = call.results if target is call.target else [_row_major(spec) for spec in call.results]
        args, kwargs = call.args, call.kwargs
        if any(isinstance(item, complex) for item in pytree.tree_leaves((args, kwargs))):
            if not takes_tensors(target, args, kwargs):
                raise UnsupportedGraph(f"{target} of a complex number")
            args, kwargs = self._complex_as_tensors((args, kwargs), results, call.location)
        strides = {value: spec.strides_attribute for value, spec in call.operands.items()}
        pure = is_pure(target)
        op = build_call(str(target), args, kwargs, results, strides, pure)
        op.location = call.location
        if call.positions != list(range(len(results))):
            op.attributes[POSITIONS] = ArrayAttr([IntAttr(position) for position in call.positions])
        self.append([op])
        self.has_side_effects |= not pure and torch.Tag.nondeterministic_seeded not in target.tags
        self.fallbacks.append(f"{call.target}: {reason}")
        return list(op.results)

    def _complex_as_tensors(self, tree: Any, results: Sequence[TensorSpec], location: LocationAttr) -> Any:
        """Complex numbers as rank-0 tensors of the results' type, which operators take for a tensor argument."""
        element = results[0].element if results and isinstance(results[0].element, ComplexType) else ComplexType(f64)
        part_element = element.element_type
        if not is_native(part_element):
            raise UnsupportedGraph("a complex number of half precision")

        def convert(item: Any) -> Any:
            if not isinstance(item, complex):
                return item
            parts = [graph.FullOp(part, tensor_type(part_element, ())) for part in (item.real, item.imag)]
            spec = TensorSpec((), (), element, torch.device("cpu"))
            call = build_call("aten.complex.default", [part.result for part in parts], {}, [spec])
            for op in (*parts, call):
                op.location = location
            self.append([*parts, call])
            return call.results[0]

        return pytree.tree_map(convert, tree)


def _row_major(spec: TensorSpec) -> TensorSpec:
    """The spec of a fresh contiguous copy."""
    return TensorSpec(spec.dims, tuple(row_major_strides(spec.dims)), spec.element, spec.device)


def _hint_layout(value: SSAValue, spec: TensorSpec, ops: Sequence[Operation]) -> None:
    """Note the layout that eager gives an intermediate, where it is dense in another order than row-major."""
    owner = value.owner
    if not isinstance(owner, Operation) or isinstance(owner, graph.ViewOp) or len(owner.results) != 1:
        return
    if spec.is_permuted_dense and owner in ops:
        owner.attributes[STRIDES] = spec.strides_attribute
