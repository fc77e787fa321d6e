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
stay where they are read. A packed tensor has the layout of the parameter that it is computed from element by element,
or the one in which an ATen call wants it; a parameter that would be copied to such a layout in each call is packed too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from typing_extensions import override
from xdsl.context import Context
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, IntegerAttr, ModuleOp, StringAttr, UnitAttr, i64
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, BlockArgument, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from fusir.analysis.layout import (
    STRIDES,
    Strides,
    aten_operand_strides,
    is_contiguous,
    is_dense,
    layouts_of,
    row_major,
    same_layout,
)
from fusir.analysis.parameters import PACK, Parameters
from fusir.dialects.graph import CallAtenOp, Dim, DimsAttr, OperandRefAttr, PointwiseOp, dims_of, element_type_of
from fusir.remarks import remark, wanted
from fusir.transforms.graph.contractions.values import base_of
from fusir.transforms.graph.dce import erase_dead_ops
from fusir.transforms.graph.fusion.build import location_of
from fusir.transforms.graph.fusion.names import names_of

PREPARE = "prepare"
"""The function that computes the packed tensors."""

ARGUMENT = "graph.argument"
"""The attribute of an argument of `@prepare`: its position among the arguments of `@main`."""

CONVOLUTION = "aten.convolution.default"

IMAGE_RANKS = (4, 5)
"""The ranks for which PyTorch has a channels-last memory format."""

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


@dataclass
class _Packed:
    """A tensor that is kept."""

    value: SSAValue
    strides: Strides | None
    """None: row-major."""
    uses: list[tuple[Operation, int]] | None = None
    """The operands that it is; None: wherever the value is read."""


def hoist_parameters(func: FuncOp) -> FuncOp | None:
    """Take what is worth keeping out of a function, which gets it as further arguments; None if nothing is."""
    parameters = Parameters(func)
    use_channels_last_weights(func, parameters)
    values = _packed_values(func, parameters)
    layouts = layouts_of(func)
    packed = [_Packed(value, _layout(value, layouts)) for value in values]
    packed += _packed_copies(func, parameters, layouts, set(values))
    if not packed:
        return None
    names = names_of(func.body.block)
    if wanted():
        for each in packed:
            value = each.value
            dims = "x".join(map(str, dims_of(value)))
            what = "is kept" if each.uses is None else "is kept in another layout"
            text = f"{names.get(value, '?')}, {dims} {element_type_of(value)}, {what} while no parameter changes"
            remark("schedule", HoistParametersPass.name, text, location_of(value))
    prepare = _prepare(func, packed)
    _add_arguments(func, packed, names)
    erase_dead_ops(func.body)
    return prepare


def _packed_values(func: FuncOp, parameters: Parameters) -> list[SSAValue]:
    """What is worth keeping and is read by what stays, in program order."""
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


def use_channels_last_weights(func: FuncOp, parameters: Parameters) -> None:
    """Ask for channels-last weights where a convolution reads a channels-last tensor.

    ATen's convolution would copy the weight to that layout in each call. The result has the same layout and values.
    """
    for op in func.body.block.ops:
        if not isinstance(op, CallAtenOp) or op.target != CONVOLUTION:
            continue
        recorded = op.operand_strides
        if recorded is None or op.args[1] != OperandRefAttr(1) or not parameters.sources(op.operands[1]):
            continue
        dims, weight = dims_of(op.operands[0]), dims_of(op.operands[1])
        if len(dims) not in IMAGE_RANKS:
            continue
        if not is_contiguous(dims, recorded[0].data) and same_layout(dims, recorded[0].data, _channels_last(dims)):
            strides = list(recorded)
            strides[1] = DimsAttr(_channels_last(weight))
            op.properties["operand_strides"] = ArrayAttr(strides)


def _channels_last(dims: Sequence[Dim]) -> Strides:
    """The strides of a batch of images, or of filters, that has its channels innermost."""
    outer, channels, *space = dims
    first, *rest, last = row_major([outer, *space, channels])
    return (first, last, *rest)


def _packed_copies(
    func: FuncOp, parameters: Parameters, layouts: dict[SSAValue, Strides], packed: set[SSAValue]
) -> list[_Packed]:
    """What is made of parameters and would be copied for an ATen call that wants another layout."""
    copies: dict[tuple[SSAValue, Strides], _Packed] = {}
    for op in func.body.block.ops:
        if not isinstance(op, CallAtenOp):
            continue
        for index, value in enumerate(op.operands):
            strides = aten_operand_strides(op, index)
            if strides is None or value in packed or not parameters.fits([value], value):
                continue
            dims = dims_of(value)
            if is_dense(dims, strides) and not same_layout(dims, layouts[value], strides):
                kept = None if is_contiguous(dims, strides) else strides
                copy = copies.setdefault((value, strides), _Packed(value, kept, []))
                assert copy.uses is not None
                copy.uses.append((op, index))
    return list(copies.values())


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


def _prepare(func: FuncOp, packed: list[_Packed]) -> FuncOp:
    """The function that computes the packed values of some arguments of `func`."""
    ops: set[Operation] = set()
    arguments: set[int] = set()
    waiting = [each.value for each in packed]
    while waiting:
        value = waiting.pop()
        if isinstance(value, BlockArgument):
            arguments.add(value.index)
        elif isinstance(value.owner, Operation) and value.owner not in ops:
            ops.add(value.owner)
            waiting += value.owner.operands
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
    results = [values[each.value] for each in packed]
    result_attributes = [DictionaryAttr(_strides_attribute(each.strides)) for each in packed]
    block.add_op(ReturnOp(*results))
    prepare = FuncOp(
        PREPARE,
        ([argument.type for argument in block.args], [value.type for value in results]),
        Region(block),
        arg_attrs=ArrayAttr(argument_attributes),
        res_attrs=ArrayAttr(result_attributes) if any(each.data for each in result_attributes) else None,
    )
    for name in ("graph.device", "graph.inference"):
        if name in func.attributes:
            prepare.attributes[name] = func.attributes[name]
    prepare.location = func.location
    return prepare


def _strides_attribute(strides: Strides | None) -> dict[str, Attribute]:
    return {} if strides is None else {STRIDES: DimsAttr(strides)}


def _add_arguments(func: FuncOp, packed: list[_Packed], names: dict[SSAValue, str]) -> None:
    """Read the packed values from further arguments of the function. `names` are those of its values."""
    block = func.body.block
    known = func.arg_attrs.data if func.arg_attrs is not None else [DictionaryAttr({}) for _ in block.args]
    attributes = list(known)
    for position, each in enumerate(packed):
        value = each.value
        argument = block.insert_arg(value.type, len(block.args), location_of(value))
        argument.name_hint = value.name_hint if value.name_hint and each.uses is None else "packed"
        if each.uses is None:
            value.replace_all_uses_with(argument)
        for op, index in each.uses or ():
            op.operands[index] = argument
        name = names.get(value, "").removeprefix("%") or str(position)
        attributes.append(
            DictionaryAttr(
                {
                    "graph.name": StringAttr(f"packed {name}"),
                    PACKED: IntegerAttr(position, i64),
                    "graph.parameter": UnitAttr(),
                    **_strides_attribute(each.strides),
                }
            )
        )
    func.arg_attrs = ArrayAttr(attributes)
    func.update_function_type()
