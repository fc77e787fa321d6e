"""`graph.call_aten`: any operator of PyTorch, with its arguments as attributes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import torch
from xdsl.dialects.builtin import ArrayAttr, FloatAttr, IntegerAttr, StringAttr, f64, i64
from xdsl.ir import Attribute, SSAValue
from xdsl.ir.affine import AffineExpr

from fusir.dialects.graph import CallAtenOp, DimsAttr, NoneArgAttr, OperandRefAttr, SymIntAttr, TorchAttr
from fusir.frontend.dims import UnsupportedGraph
from fusir.frontend.types import TensorSpec

PURE_NAMESPACES = frozenset({"aten", "prims", "quantized_decomposed"})
"""Namespaces whose operators do nothing but compute their results, unless their schema or tags say otherwise."""


def is_mutating(target: Any) -> bool:
    """True if the operator writes to one of its arguments."""
    return target._schema.is_mutable


def is_pure(target: Any) -> bool:
    """True if a call may be removed, repeated or moved: no writes, communication, random numbers or assertions."""
    return (
        target.namespace in PURE_NAMESPACES
        and not is_mutating(target)
        and torch.Tag.nondeterministic_seeded not in target.tags
        and len(target._schema.returns) > 0
    )


def returns_alias(target: Any) -> bool:
    """True if a result may share storage with an argument."""
    return any(r.alias_info is not None and not r.alias_info.is_write for r in target._schema.returns)


def copying_variant(target: Any) -> Any:
    """The operator that gives the same values in fresh storage (`aten.unfold` -> `aten.unfold_copy`), or the target
    itself if it makes fresh storage already or there is no such operator."""
    if not returns_alias(target) or target.namespace != "aten":
        return target
    packet = getattr(torch.ops.aten, f"{target._schema.name.split('::')[1]}_copy", None)
    return getattr(packet, target._overloadname, target) if packet is not None else target


def takes_tensors(target: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> bool:
    """True if every complex number is passed for a tensor argument of the operator."""
    parameters = target._schema.arguments
    given = [*zip(parameters, args, strict=False), *((p, kwargs[p.name]) for p in parameters if p.name in kwargs)]
    return all(not isinstance(value, complex) or str(p.type) == "Tensor" for p, value in given)


def build_call(
    target: str,
    args: Sequence[Any],
    kwargs: Mapping[str, Any],
    results: Sequence[TensorSpec],
    operand_strides: Mapping[SSAValue, DimsAttr] | None = None,
    pure: bool = True,
) -> CallAtenOp:
    """A call whose tensor arguments are SSA values. Results are the tensors that the operator returns, nested lists
    flattened, without its `None` and integer results."""
    operands: list[SSAValue] = []
    encoded_args = [_encode(a, operands) for a in args]
    encoded_kwargs = {name: _encode(a, operands) for name, a in kwargs.items()}
    strides = None
    if operand_strides is not None and all(o in operand_strides for o in operands):
        strides = [operand_strides[o] for o in operands]
    return CallAtenOp(
        target,
        operands,
        encoded_args,
        encoded_kwargs,
        [spec.type for spec in results],
        pure,
        [spec.strides_attribute for spec in results],
        strides,
    )


def _encode(value: Any, operands: list[SSAValue]) -> Attribute:
    """The attribute for one argument; tensors are appended to `operands`, each value once."""
    match value:
        case SSAValue():
            if value not in operands:
                operands.append(value)
            return OperandRefAttr(operands.index(value))
        case None:
            return NoneArgAttr()
        case bool():
            return IntegerAttr.from_bool(value)
        case int():
            return IntegerAttr(value, i64)
        case float():
            return FloatAttr(value, f64)
        case str():
            return StringAttr(value)
        case AffineExpr():
            return SymIntAttr(value)
        case torch.dtype() | torch.layout() | torch.memory_format():
            return TorchAttr(str(value).removeprefix("torch."))
        case torch.device():
            return TorchAttr(str(value))
        case list() | tuple():
            return ArrayAttr([_encode(item, operands) for item in value])
        case _:
            raise UnsupportedGraph(f"argument {value!r} of type {type(value).__name__}")
