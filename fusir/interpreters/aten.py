"""Calling a PyTorch operator as `call_aten` of the graph and host levels describes it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, FloatAttr, IntegerAttr, StringAttr
from xdsl.ir import Attribute

from fusir.dialects import graph

DimValue = Callable[[graph.Dim], int]
"""The value of a dim that may be symbolic."""


def call_operator(
    target: str, args: ArrayAttr[Attribute], kwargs: DictionaryAttr | None, operands: Sequence[Tensor], dim: DimValue
) -> list[Tensor]:
    """Call `aten.name.overload`; gives the tensors among its results."""
    namespace, name, overload = target.split(".")
    operator = getattr(getattr(getattr(torch.ops, namespace), name), overload)
    positional = [_argument(each, operands, dim) for each in args]
    named = {key: _argument(each, operands, dim) for key, each in (kwargs.data if kwargs is not None else {}).items()}
    results = operator(*positional, **named)
    flat: list[Any] = [results] if isinstance(results, Tensor) else list(results or ())
    return [each for each in flat if isinstance(each, Tensor)]


def _argument(attribute: Attribute, operands: Sequence[Tensor], dim: DimValue) -> Any:
    """The Python value of an argument."""
    match attribute:
        case graph.OperandRefAttr():
            return operands[attribute.data]
        case graph.NoneArgAttr():
            return None
        case graph.SymIntAttr():
            return dim(attribute.data)
        case graph.TorchAttr():
            return _torch_object(attribute.data)
        case StringAttr():
            return attribute.data
        case FloatAttr() | IntegerAttr():
            return graph.scalar_of(attribute)
        case ArrayAttr():
            return [_argument(each, operands, dim) for each in attribute.data]
        case _:
            raise ValueError(f"{attribute} is not an argument of an ATen call")


def _torch_object(name: str) -> Any:
    """A dtype, layout or memory format by name; any device is the CPU."""
    found = getattr(torch, name, None)
    known = isinstance(found, (torch.dtype, torch.layout, torch.memory_format))
    return found if known else torch.device("cpu")
