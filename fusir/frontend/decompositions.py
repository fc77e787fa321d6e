"""Which operators are taken apart before import, and into what."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import torch
from torch import Tensor

from fusir.frontend.internals import aten_names

aten = torch.ops.aten

Table = dict[Any, Callable[..., Any]]


def _extra() -> list[Any]:
    """Core ATen operators that are better fused from their parts."""
    return [
        aten._adaptive_avg_pool2d_backward,
        aten._batch_norm_no_update,
        aten._batch_norm_with_update,
        aten._batch_norm_with_update_functional,
        aten._log_softmax,
        aten._native_batch_norm_legit,
        aten._native_batch_norm_legit_functional,
        aten._softmax,
        aten.batch_norm_backward,
        aten.dist,
        aten.lcm,
        aten.linalg_vector_norm,
        aten.native_batch_norm,
        aten.native_group_norm,
        aten.native_layer_norm,
        aten.rrelu_with_noise_backward,
        aten.tril_indices,
        aten.triu_indices,
        aten.upsample_bilinear2d.vec,
    ]


def _kept() -> list[Any]:
    """Operators that PyTorch would take apart but that are imported natively, or run best as ATen has them."""
    native = [
        aten._unsafe_index,
        aten.addcdiv,
        aten.addcmul,
        aten.aminmax,
        aten.baddbmm,
        aten.bernoulli,
        aten.clamp_max,
        aten.clamp_min,
        aten.diagonal_copy,
        aten.dot,
        aten.fill,
        aten.floor_divide,
        aten.lerp,
        aten.masked_fill,
        aten.mv,
        aten.new_full,
        aten.roll,
        aten.select_backward,
        aten.select_scatter,
        aten.silu,
        aten.slice_backward,
        aten.softplus,
        aten.split,
        aten.squeeze,
        aten.stack,
        aten.std,
        aten.std_mean,
        aten.sum,
        aten.tril,
        aten.triu,
        aten.unbind,
        aten.zeros_like,
        aten.ones_like,
        aten.empty_like,
    ]
    as_aten = [
        aten._scaled_dot_product_flash_attention_for_cpu,
        aten.embedding_dense_backward,
        aten.index_add,
        aten.index_copy,
        aten.index_fill,
        aten.renorm,
    ]
    return native + as_aten


@cache
def decompositions() -> Table:
    """The decomposition table for AOTAutograd and `torch.export`."""
    from torch._decomp import core_aten_decompositions, get_decompositions, remove_decompositions

    table: Table = dict(core_aten_decompositions())
    table.update(get_decompositions(_extra()))
    remove_decompositions(table, _kept())
    for operator, function in _OWN.items():
        table[operator] = function
    table.update(_foreach())
    return table


def _native_group_norm_backward(
    grad: Tensor,
    x: Tensor,
    mean: Tensor,
    rstd: Tensor,
    gamma: Tensor | None,
    N: int,
    C: int,
    HxW: int,
    group: int,
    output_mask: list[bool],
) -> tuple[Tensor | None, Tensor | None, Tensor | None]:
    """Gradients of group norm, computed in f32 for half precision.

    x, grad: (N, C, *); mean, rstd: (N, group); gamma: (C,). With g the gradient of the normalized input and n the
    elements of a group: `dx = rstd * (g - mean(g) - xhat * mean(g * xhat))`.
    """
    wide = torch.promote_types(x.dtype, torch.float32) if x.dtype in (torch.float16, torch.bfloat16) else x.dtype
    shape = (N, group, C // group, HxW)
    grad_wide, x_wide = grad.to(wide).reshape(shape), x.to(wide).reshape(shape)
    mean_wide, rstd_wide = mean.to(wide).reshape(N, group, 1, 1), rstd.to(wide).reshape(N, group, 1, 1)
    normalized = (x_wide - mean_wide) * rstd_wide
    d_x = d_gamma = d_beta = None
    if output_mask[0]:
        inner = grad_wide if gamma is None else grad_wide * gamma.to(wide).reshape(1, group, C // group, 1)
        mean_inner = inner.mean(dim=(2, 3), keepdim=True)
        mean_product = (inner * normalized).mean(dim=(2, 3), keepdim=True)
        d_x = (rstd_wide * (inner - mean_inner - normalized * mean_product)).reshape(x.shape).to(x.dtype)
    if output_mask[1] and gamma is not None:
        d_gamma = (grad_wide * normalized).sum(dim=(0, 3)).reshape(C).to(gamma.dtype)
    if output_mask[2]:
        d_beta = grad_wide.sum(dim=(0, 3)).reshape(C).to(x.dtype if gamma is None else gamma.dtype)
    return d_x, d_gamma, d_beta


def _convolution_backward(
    grad: Tensor,
    x: Tensor,
    weight: Tensor,
    bias_sizes: list[int] | None,
    stride: list[int],
    padding: list[int],
    dilation: list[int],
    transposed: bool,
    output_padding: list[int],
    groups: int,
    output_mask: list[bool],
) -> Any:
    """The bias gradient is a plain sum that fuses with its neighbours; the rest stays one call."""
    if not output_mask[2] or (not output_mask[0] and not output_mask[1]):
        return NotImplemented
    d_bias = grad.sum(dim=[0, *range(2, grad.dim())])
    d_x, d_weight, _ = aten.convolution_backward.default(
        grad,
        x,
        weight,
        bias_sizes,
        stride,
        padding,
        dilation,
        transposed,
        output_padding,
        groups,
        [output_mask[0], output_mask[1], False],
    )
    return d_x, d_weight, d_bias


def _native_batch_norm_legit_no_training(
    x: Tensor,
    gamma: Tensor | None,
    beta: Tensor | None,
    mean: Tensor,
    variance: Tensor,
    momentum: float,
    eps: float,
) -> tuple[Tensor, Tensor, Tensor]:
    """Batch norm by running statistics, computed in f32 for half precision: as in training, by one reciprocal square
    root, which is computed again for each element. PyTorch's own takes a root and a division.

    x: (N, C, *); gamma, beta, mean, variance: (C,). On the CPU the saved statistics are empty.
    """
    wide = torch.promote_types(x.dtype, torch.float32) if x.dtype in (torch.float16, torch.bfloat16) else x.dtype
    shape = (1, -1, *(1 for _ in range(x.dim() - 2)))
    mean, rstd = mean.to(dtype=wide, copy=True), torch.rsqrt(variance.to(wide) + eps)
    out = (x - mean.reshape(shape)) * rstd.reshape(shape)
    if gamma is not None:
        out = out * gamma.reshape(shape)
    if beta is not None:
        out = out + beta.reshape(shape)
    saved = (x.new_zeros(0), x.new_zeros(0)) if x.device.type == "cpu" else (mean, rstd)
    return out.to(x.dtype), *saved


_OWN: Table = {
    aten._native_batch_norm_legit_no_training.default: _native_batch_norm_legit_no_training,
    aten.native_group_norm_backward.default: _native_group_norm_backward,
    aten.convolution_backward.default: _convolution_backward,
}


_FOREACH_WITHOUT_SINGLE_FORM = ("_foreach_norm", "_foreach_max", "_foreach_mm")
"""Their single forms take other arguments."""


def _foreach() -> Table:
    """Functional `_foreach_*` operators as one operator for each element of the lists."""
    table: Table = {}
    for name in aten_names():
        if not name.startswith("_foreach_") or name.endswith("_"):
            continue
        single = getattr(aten, name.removeprefix("_foreach_"), None)
        if single is None or name in _FOREACH_WITHOUT_SINGLE_FORM:
            continue
        packet = getattr(aten, name)
        for overload_name in packet.overloads():
            overload = getattr(packet, overload_name)
            schema = overload._schema
            lists = str(schema.arguments[0].type) == "List[Tensor]" and overload_name not in ("Tensor", "out")
            if lists and not schema.is_mutable and len(schema.returns) == 1:
                table[overload] = _map_over_lists(single)
    return table


def _map_over_lists(operator: Any) -> Callable[..., list[Tensor]]:
    def apply(first: list[Tensor], *args: Any, **kwargs: Any) -> list[Tensor]:
        count = len(first)

        if operator in (aten.addcmul, aten.addcdiv) and len(args) == 3:
            args, kwargs = args[:2], {"value": args[2]}

        def at(argument: Any, i: int) -> Any:
            return argument[i] if isinstance(argument, list | tuple) and len(argument) == count else argument

        return [
            operator(tensor, *(at(a, i) for a in args), **{k: at(v, i) for k, v in kwargs.items()})
            for i, tensor in enumerate(first)
        ]

    return apply
