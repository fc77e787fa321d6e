"""`hoist-parameters`: what depends on parameters alone is computed by a function of its own.

```
func.func @main(%w: tensor<64x32xbf16> {graph.weight}, %g: tensor<64xbf16> {graph.weight}, %x: ...) ... {
  %0 = graph.broadcast %g dims [0] : tensor<64xbf16> -> tensor<64x32xbf16>
  %1 = graph.mul %w, %0 : tensor<64x32xbf16>
  %y = graph.contract %x, %1 ...
  return %y }
```
becomes
```
func.func @main(%w: ..., %g: ..., %x: ..., %1: tensor<64x32xbf16> {graph.packed = 0, graph.parameter}) ... {
  %y = graph.contract %x, %1 ...
  return %y }
func.func @prepare(%w: tensor<64x32xbf16> {graph.argument = 0}, %g: ... {graph.argument = 1}) -> tensor<64x32xbf16> {
  %0 = graph.broadcast %g dims [0] : tensor<64xbf16> -> tensor<64x32xbf16>
  %1 = graph.mul %w, %0 : tensor<64x32xbf16>
  return %1 }
```

Only in a `@main` with the attribute `graph.pack_parameters`: who calls it keeps the results of `@prepare` until a
parameter changes (`fusir/runtime/packing.py`). Which values are worth it says `fusir/analysis/parameters.py`. Views
stay where they are read. A packed tensor has the layout of the parameter that it is computed from element by element.
"""

from __future__ import annotations

from dataclasses import dataclass

from typing_extensions import override
from xdsl.context import Context
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, IntegerAttr, ModuleOp, StringAttr, UnitAttr, i64
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, BlockArgument, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from fusir.analysis.layout import STRIDES, Strides, is_contiguous, is_dense, layouts_of
from fusir.analysis.parameters import PACK, Parameters
from fusir.dialects.graph import DimsAttr, PointwiseOp, dims_of, element_type_of
from fusir.remarks import remark, wanted
from fusir.transforms.graph.contractions.values import base_of
from fusir.transforms.graph.dce import erase_dead_ops
from fusir.transforms.graph.fusion.names import names_of

PREPARE = "prepare"
"""The function that computes the packed tensors."""

ARGUMENT = "graph.argument"
"""The attribute of an argument of `@prepare`: its position among the arguments of `@main`."""

PACKED = "graph.packed"
"""The attribute of an argument of `@main`: which result of `@prepare` it is."""


@dataclass(frozen=True)
class HoistParametersPass(ModulePass):
    """Split a function into what depends on its parameters alone and the rest."""

    name = "hoist-parameters"

    @override
    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for func in list(op.body.block.ops):
            if isinstance(func, FuncOp) and func.sym_name.data == "main" and PACK in func.attributes:
                prepare = hoist_parameters(func)
                if prepare is not None:
                    Rewriter.insert_op(prepare, InsertPoint.after(func))


def hoist_parameters(func: FuncOp) -> FuncOp | None:
    """Take what is worth keeping out of a function, which gets it as further arguments; None if nothing is."""
    packed = _packed_values(func)
    if not packed:
        return None
    layouts = layouts_of(func)
    strides = [_layout(value, layouts) for value in packed]
    if wanted():
        names = names_of(func.body.block)
        for value in packed:
            dims = "x".join(map(str, dims_of(value)))
            text = f"{names.get(value, '?')}, {dims} {element_type_of(value)}, is kept while no parameter changes"
            assert isinstance(value.owner, Operation)
            remark("schedule", HoistParametersPass.name, text, value.owner.location)
    prepare = _prepare(func, packed, strides)
    _add_arguments(func, packed, strides)
    erase_dead_ops(func.body)
    return prepare


def _packed_values(func: FuncOp) -> list[SSAValue]:
    """What is worth keeping and is read by what stays, in program order."""
    parameters = Parameters(func)
    needed: set[SSAValue] = set()
    packed: list[SSAValue] = []
    for op in reversed(list(func.body.block.ops)):
        read = [result for result in op.results if result in needed]
        if op.results and all(parameters.sources(result) is not None for result in op.results):
            if not read:
                continue
            if all(map(parameters.is_worth_keeping, read)):
                packed += reversed(read)
                continue
        needed.update(op.operands)
    return packed[::-1]


def _layout(value: SSAValue, layouts: dict[SSAValue, Strides]) -> Strides | None:
    """The strides of a packed tensor; None for a row-major one."""
    dims = dims_of(value)
    strides = layouts[value]
    waiting = [value]
    seen: set[SSAValue] = set()
    while waiting and is_contiguous(dims, strides):
        each = waiting.pop()
        if each in seen or dims_of(each) != dims:
            continue
        seen.add(each)
        if isinstance(each.owner, PointwiseOp):
            waiting += reversed(each.owner.operands)
        elif isinstance(base_of(each), BlockArgument) and is_dense(dims, layouts[each]):
            strides = layouts[each]
            break
    return None if is_contiguous(dims, strides) else strides


def _prepare(func: FuncOp, packed: list[SSAValue], strides: list[Strides | None]) -> FuncOp:
    """The function that computes the packed values of some arguments of `func`."""
    ops: set[Operation] = set()
    arguments: set[int] = set()
    waiting = list(packed)
    while waiting:
        owner = waiting.pop().owner
        if isinstance(owner, Operation) and owner not in ops:
            ops.add(owner)
            arguments |= {operand.index for operand in owner.operands if isinstance(operand, BlockArgument)}
            waiting += owner.operands
    block = Block()
    values: dict[SSAValue, SSAValue] = {}
    argument_attributes: list[DictionaryAttr] = []
    for position in sorted(arguments):
        argument = func.body.block.args[position]
        new = block.insert_arg(argument.type, len(block.args), argument.location)
        new.name_hint = argument.name_hint
        values[argument] = new
        known = func.arg_attrs.data[position].data if func.arg_attrs is not None else {}
        argument_attributes.append(DictionaryAttr({**known, ARGUMENT: IntegerAttr(position, i64)}))
    for op in func.body.block.ops:
        if op in ops:
            block.add_op(op.clone(values))
    results = [values[value] for value in packed]
    block.add_op(ReturnOp(*results))
    prepare = FuncOp(
        PREPARE,
        ([argument.type for argument in block.args], [value.type for value in results]),
        Region(block),
        arg_attrs=ArrayAttr(argument_attributes),
        res_attrs=ArrayAttr([DictionaryAttr(_strides_attribute(each)) for each in strides]),
    )
    for name in ("graph.device", "graph.inference"):
        if name in func.attributes:
            prepare.attributes[name] = func.attributes[name]
    prepare.location = func.location
    return prepare


def _strides_attribute(strides: Strides | None) -> dict[str, Attribute]:
    return {} if strides is None else {STRIDES: DimsAttr(strides)}


def _add_arguments(func: FuncOp, packed: list[SSAValue], strides: list[Strides | None]) -> None:
    """Read the packed values from further arguments of the function."""
    block = func.body.block
    names = names_of(block)
    attributes = list(func.arg_attrs.data) if func.arg_attrs is not None else [DictionaryAttr({}) for _ in block.args]
    for position, value in enumerate(packed):
        assert isinstance(value.owner, Operation)
        argument = block.insert_arg(value.type, len(block.args), value.owner.location)
        argument.name_hint = value.name_hint or "packed"
        value.replace_all_uses_with(argument)
        attributes.append(
            DictionaryAttr(
                {
                    "graph.name": StringAttr(f"packed {names.get(value, '').removeprefix('%') or position}"),
                    PACKED: IntegerAttr(position, i64),
                    "graph.parameter": UnitAttr(),
                    **_strides_attribute(strides[position]),
                }
            )
        )
    func.arg_attrs = ArrayAttr(attributes)
    func.update_function_type()
