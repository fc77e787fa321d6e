"""Fusions that have no compiled kernel: their graph ops are run one by one with ATen on the device."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import cast

import torch
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, IndexType, MemRefType, ModuleOp, TensorType
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, Region

from fusir.dialects import host
from fusir.dialects.graph import FusionOp, SymbolAttr
from fusir.interpreters.graph import interpret
from fusir.runtime.programs import fusion_position

RunFusion = Callable[[Sequence[torch.Tensor], Mapping[int, int]], None]
"""Takes the buffers of a launch, inputs then outputs, and the values of the function's symbols."""


def find_fusion(fused: ModuleOp, func: FuncOp, launch: host.LaunchOp) -> FusionOp | None:
    """The `graph.fusion` that a launch of `func` was made of, in the module before the conversion."""
    position = fusion_position(launch)
    source = host.symbols_of_module(fused).get(func.sym_name.data)
    if position is None or not isinstance(source, FuncOp):
        return None
    fusions = [op for op in source.body.block.ops if isinstance(op, FusionOp)]
    if position >= len(fusions):
        return None
    fusion = fusions[position]
    buffers = [cast("MemRefType[Attribute]", buffer.type) for buffer in launch.tensors]
    tensors = [cast("TensorType[Attribute]", value.type) for value in (*fusion.inputs, *fusion.outputs)]
    same = [(b.get_shape(), b.element_type) for b in buffers] == [(t.get_shape(), t.element_type) for t in tensors]
    return fusion if same else None


def fusion_runner(fused: ModuleOp, func: FuncOp, launch: host.LaunchOp) -> RunFusion | None:
    """A function that does what the launch does, None if its fusion is not known."""
    fusion = find_fusion(fused, func, launch)
    if fusion is None:
        return None
    symbols = sorted(
        attribute.position
        for attribute in (_symbol(each) for each in (func.arg_attrs.data if func.arg_attrs is not None else ()))
        if attribute is not None
    )
    module = _module_of(fusion, symbols)
    count = len(fusion.inputs)

    def run(buffers: Sequence[torch.Tensor], values: Mapping[int, int]) -> None:
        with torch.device(buffers[0].device):
            results = interpret(module, [*(values[position] for position in symbols), *buffers[:count]])
        for target, result in zip(buffers[count:], results, strict=True):
            target.copy_(cast(torch.Tensor, result))

    return run


def _symbol(attributes: Attribute) -> SymbolAttr | None:
    symbol = cast("DictionaryAttr", attributes).data.get("graph.symbol")
    return symbol if isinstance(symbol, SymbolAttr) else None


def _module_of(fusion: FusionOp, symbols: Sequence[int]) -> ModuleOp:
    """A module whose @main takes the symbols and the inputs of the fusion and returns its results."""
    inputs = [argument.type for argument in fusion.inputs]
    block = Block(arg_types=[*(IndexType() for _ in symbols), *inputs])
    clone = fusion.clone(dict(zip(fusion.inputs, block.args[len(symbols) :], strict=False)))
    clone.operands = block.args[len(symbols) :]
    block.add_ops([clone, ReturnOp(*clone.results)])
    main = FuncOp("main", ([*(IndexType() for _ in symbols), *inputs], [r.type for r in clone.results]), Region(block))
    attributes = [DictionaryAttr({"graph.symbol": SymbolAttr(position)}) for position in symbols]
    main.arg_attrs = ArrayAttr([*attributes, *(DictionaryAttr({}) for _ in inputs)])
    return ModuleOp([main])
