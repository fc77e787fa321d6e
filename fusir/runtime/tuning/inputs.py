"""Random inputs for a fusion that is measured, and what it should compute of them."""

from __future__ import annotations

from math import prod
from typing import cast

import torch
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import BlockArgument, Operation, SSAValue

from fusir.analysis.bytes import tensor_bytes
from fusir.analysis.layout import argument_strides
from fusir.dialects.graph import ContractOp, FusionOp, GatherOp, dims_of, element_type_of, is_float
from fusir.interpreters.graph import interpret, torch_dtype
from fusir.transforms.graph.fusion.standalone import fusion_of

SEED = 20

WIDE_INTEGERS = 1 << 15
"""Integers of more than 16 bits lie within this distance from 0: what is computed of them in f32 is then exact."""

FLOAT8 = (torch.float8_e4m3fn, torch.float8_e5m2)
"""Floats that PyTorch stores and converts only."""

BYTE_DEVIATION = 74.0
"""The standard deviation of 8-bit integers that are spread over their range."""

MAX_NAN = 0.1
"""The share of a result that may be NaN for inputs to be of use: more shows that they are not what it is made for."""

MIN_FINITE = 0.25
"""The share of a result that has to be finite: a mask may make half of it infinite."""


class NotMeasured(Exception):
    """A fusion cannot be measured now; one line says why."""


def main_of(module: ModuleOp) -> FuncOp:
    """The function of a module with one."""
    main = module.body.block.first_op
    assert isinstance(main, FuncOp)
    return main


def reason_against(module: ModuleOp) -> str | None:
    """Why random inputs say nothing about a fusion, None if they do."""
    if any(isinstance(op, GatherOp) for op in fusion_of(module).block.ops):
        return "it gathers, and random indices say nothing about it"
    return None


def bytes_needed(module: ModuleOp, wide: torch.dtype) -> int:
    """The memory that measuring takes at most: inputs, results and what is between them, and the reference in `wide`,
    which holds every value of the fusion, copies of the operands of contractions and differences of results."""
    fusion = fusion_of(module)
    values = [*fusion.block.args, *(result for op in fusion.block.ops for result in op.results)]
    contracted = [v for op in fusion.block.ops if isinstance(op, ContractOp) for v in op.operands]
    native = sum(cast(int, tensor_bytes(value)) for value in (*values, *fusion.outputs))
    compared = max((_numel(value) for value in fusion.outputs), default=0)
    elements = sum(_numel(value) for value in (*values, *contracted, *contracted)) + 6 * compared
    return native + elements * wide.itemsize


def _numel(value: SSAValue) -> int:
    return prod(cast("tuple[int, ...]", dims_of(value)))


def random_inputs(module: ModuleOp, device: torch.device, *, positive: bool = False) -> list[torch.Tensor]:
    """Inputs of a fusion in its layouts: normal floats, positive ones on demand, and integers over their range.

    What is contracted is scaled so that the products have about the size of the other inputs. The random state of
    PyTorch is left alone.
    """
    main = main_of(module)
    generator = torch.Generator(device).manual_seed(SEED)
    scales = _scales(fusion_of(module))
    inputs: list[torch.Tensor] = []
    for index, argument in enumerate(main.body.block.args):
        shape = cast("tuple[int, ...]", dims_of(argument))
        strides = cast("tuple[int, ...]", argument_strides(main, index))
        dtype = torch_dtype(element_type_of(argument))
        # The whole storage is filled, whether the tensor has gaps or the same element in several places.
        count = 0 if 0 in shape else 1 + sum((d - 1) * s for d, s in zip(shape, strides, strict=True))
        storage = _random(count, dtype, generator, positive)
        if dtype.is_floating_point and dtype not in FLOAT8:
            storage *= scales.get(index, 1.0)
        inputs.append(storage.as_strided(shape, strides))
    return inputs


def _random(count: int, dtype: torch.dtype, generator: torch.Generator, positive: bool) -> torch.Tensor:
    if dtype == torch.bool:
        return torch.empty(count, dtype=torch.uint8, device=generator.device).random_(0, 2, generator=generator).bool()
    if dtype in FLOAT8:
        # PyTorch draws none of these.
        return _random(count, torch.float32, generator, positive).to(dtype)
    values = torch.empty(count, dtype=dtype, device=generator.device)
    if dtype.is_floating_point:
        values.normal_(generator=generator)
        return values.abs_().add_(0.1) if positive else values
    limits = torch.iinfo(dtype)
    low = 0 if positive else max(limits.min, -WIDE_INTEGERS)
    return values.random_(low, min(limits.max, WIDE_INTEGERS) + 1, generator=generator)


def _scales(fusion: FusionOp) -> dict[int, float]:
    """The factors of the float inputs that are contracted, by the position of the input."""
    scales: dict[int, float] = {}
    for op in fusion.block.ops:
        if not isinstance(op, ContractOp):
            continue
        lhs = dims_of(op.lhs)
        inner = max(1, prod(cast(int, lhs[d]) for d in op.lhs_contract))
        for side in op.operands:
            sources = _arguments_behind(side)
            floats = [each for each in sources if is_float(element_type_of(each)) and len(dims_of(each)) > 0]
            has_bytes = any(torch_dtype(element_type_of(each)) in (torch.int8, torch.uint8) for each in sources)
            scale = inner**-0.25 / (BYTE_DEVIATION if has_bytes else 1.0)
            for each in floats:
                scales.setdefault(each.index, scale ** (1 / len(floats)))
    return scales


def _arguments_behind(value: SSAValue) -> list[BlockArgument]:
    """The inputs of the fusion that a value depends on."""
    found: dict[SSAValue, None] = {}
    pending = [value]
    while pending:
        value = pending.pop()
        if value in found:
            continue
        found[value] = None
        if isinstance(value.owner, Operation):
            pending.extend(value.owner.operands)
    return [value for value in found if isinstance(value, BlockArgument)]


def reference(
    module: ModuleOp, inputs: list[torch.Tensor], device: torch.device, wide: torch.dtype
) -> list[torch.Tensor]:
    """The results of the fusion, with every float held and computed in `wide`."""
    with torch.device(device):
        return [cast(torch.Tensor, value) for value in interpret(module, inputs, wide=wide)]


def useful_inputs(
    module: ModuleOp, device: torch.device, wide: torch.dtype
) -> tuple[list[torch.Tensor], list[torch.Tensor]]:
    """Inputs with which the results are numbers, and the results. Raises NotMeasured if none are found.

    Where roots or logarithms are taken, inputs must be positive.
    """
    for positive in (False, True):
        inputs = random_inputs(module, device, positive=positive)
        results = reference(module, inputs, device, wide)
        if all(_is_useful(result) for result in results):
            return inputs, results
        del inputs, results
    raise NotMeasured("random inputs give no finite results")


def as_computed(x: torch.Tensor) -> torch.Tensor:
    """The tensor in a type that PyTorch computes with."""
    return x.to(torch.float32) if x.dtype in FLOAT8 else x


def _is_useful(result: torch.Tensor) -> bool:
    if not result.is_floating_point() or not result.numel():
        return True
    result = as_computed(result)
    finite = result.isfinite().sum().item() / result.numel()
    return finite >= MIN_FINITE and result.isnan().sum().item() <= MAX_NAN * result.numel()
