"""A fusion as a program of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, ModuleOp, UnitAttr, UnknownLoc
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Region, SSAValue

from fusir.analysis.layout import STRIDES, Strides, is_contiguous
from fusir.dialects.graph import DimsAttr, FusionOp, dims_of


def standalone_module(fusion: FusionOp, layouts: Mapping[SSAValue, Strides] | None = None) -> ModuleOp:
    """A module whose `@main` takes the inputs of the fusion and returns its results. The fusion stays where it is.

    Equal fusions with equal layouts give equal text: it has no names and no places in the source.

    Args:
        fusion: a fusion of static extents.
        layouts: the strides of its inputs and results; row-major without.
    """
    block = Block(arg_types=[value.type for value in fusion.inputs])
    clone = fusion.clone(clone_name_hints=False)
    clone.operands = block.args
    for op in clone.walk():
        op.location = UnknownLoc()
    terminator = ReturnOp(*clone.outputs)
    block.add_ops([clone, terminator])
    main = FuncOp("main", ([a.type for a in block.args], [r.type for r in clone.outputs]), Region(block))
    if layouts is not None:
        main.arg_attrs = _strides(fusion.inputs, layouts)
        main.res_attrs = _strides(fusion.outputs, layouts)
    main.attributes["graph.inference"] = UnitAttr()
    return ModuleOp([main])


def fusion_of(module: ModuleOp) -> FusionOp:
    """The fusion of a standalone module."""
    main = module.body.block.first_op
    assert isinstance(main, FuncOp)
    return next(op for op in main.body.block.ops if isinstance(op, FusionOp))


def _strides(values: Sequence[SSAValue], layouts: Mapping[SSAValue, Strides]) -> ArrayAttr[DictionaryAttr] | None:
    """The attributes of arguments or results that tell their strides, None if all are contiguous."""
    attributes: list[DictionaryAttr] = []
    for value in values:
        strides = layouts.get(value)
        if strides is None or is_contiguous(dims_of(value), strides):
            attributes.append(DictionaryAttr({}))
        else:
            attributes.append(DictionaryAttr({STRIDES: DimsAttr(strides)}))
    return ArrayAttr(attributes) if any(each.data for each in attributes) else None
