"""Matrix products as `graph.contract`."""

from __future__ import annotations

import torch
from xdsl.dialects.builtin import f32, i32
from xdsl.ir import SSAValue

from fusir.dialects import graph
from fusir.dialects.graph import Precision, dims_of, element_type_of, is_float, is_float8, tensor_type
from fusir.frontend.emitter import Emitter, NotNative, Scalar, check_scalar
from fusir.frontend.table.registry import lowering

aten = torch.ops.aten


def product(e: Emitter, lhs: SSAValue, rhs: SSAValue, batch: int = 0) -> SSAValue:
    """The last dim of lhs times the first dim of rhs after `batch` leading batch dims."""
    if not is_float(element_type_of(lhs)) or element_type_of(lhs) != element_type_of(rhs):
        raise NotNative("matrix product of integers")
    leading = tuple(range(batch))
    contracted = (len(dims_of(lhs)) - 1,), (batch,)
    precision = float32_products() if element_type_of(lhs) == f32 else Precision.IEEE
    return e.add(graph.ContractOp(lhs, rhs, leading, leading, *contracted, precision=precision))


@lowering(aten._int_mm.default)
def int_mm(e: Emitter, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
    """Bytes, summed up as i32."""
    if any(not isinstance(dim, int) for dim in (*dims_of(lhs), *dims_of(rhs))):
        # PyTorch's operator may refuse extents, and calls of it may be the best there is.
        raise NotNative("product of integers with symbolic extents")
    return e.add(graph.ContractOp(lhs, rhs, (), (), (1,), (0,), element=i32))


@lowering(aten._scaled_mm.default)
def scaled_mm(
    e: Emitter,
    lhs: SSAValue,
    rhs: SSAValue,
    scale_lhs: SSAValue,
    scale_rhs: SSAValue,
    bias: SSAValue | None = None,
    scale_result: SSAValue | None = None,
    out_dtype: torch.dtype | None = None,
    use_fast_accum: bool = False,
) -> SSAValue:
    """A product of 8-bit floats, summed up in f32 in any case, with a scale for each factor or each row and column."""
    if scale_result is not None or not is_float(e.element):
        raise NotNative("scaled product with an 8-bit result")
    elements = [element_type_of(lhs), element_type_of(rhs)]
    if not all(map(is_float8, elements)) or not all(isinstance(dim, int) for dim in (*dims_of(lhs), *dims_of(rhs))):
        raise NotNative("scaled product of other elements or of symbolic extents")
    if elements[0] != elements[1]:
        raise NotNative("product of two kinds of 8-bit floats")
    result = e.add(graph.ContractOp(lhs, rhs, (), (), (1,), (0,), element=f32))
    for scale, dim in ((scale_lhs, 0), (scale_rhs, 1)):
        result = e.binary(graph.MulOp, result, _scale_along(e, scale, dim))
    if bias is not None:
        result = e.binary(graph.AddOp, result, e.operand(bias, f32))
    return e.convert(result, e.element)


def _scale_along(e: Emitter, scale: SSAValue, dim: int) -> SSAValue:
    """The scale at each element of the result: one for all, or one for each index along `dim`."""
    dims = dims_of(scale)
    if element_type_of(scale) != f32:
        raise NotNative("scale of another type than f32")
    if all(extent == 1 for extent in dims):
        kept: tuple[int, ...] = ()
    elif len(dims) == 2 and dims[dim] == e.dims[dim] and dims[1 - dim] == 1:
        kept = (dim,)
    else:
        raise NotNative("scales for blocks")
    shape = [e.dims[each] for each in kept]
    value = scale if list(dims) == shape else e.add(graph.ReshapeOp(scale, shape))
    return e.add(graph.BroadcastOp(value, kept, tensor_type(f32, e.dims)))


def float32_products() -> Precision:
    """How PyTorch's setting lets products of f32 be computed."""
    # `torch.set_float32_matmul_precision` sets this, too. Not `allow_tf32`: PyTorch warns of that name where this one
    # was used.
    return Precision.TF32 if torch.backends.cuda.matmul.fp32_precision == "tf32" else Precision.IEEE


@lowering(aten.mm.default, aten.mv.default, aten.dot.default)
def mm(e: Emitter, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
    return product(e, lhs, rhs)


@lowering(aten.bmm.default)
def bmm(e: Emitter, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
    return product(e, lhs, rhs, batch=1)


@lowering(aten.addmm.default, aten.addmv.default)
def addmm(e: Emitter, x: SSAValue, lhs: SSAValue, rhs: SSAValue, *, beta: Scalar = 1, alpha: Scalar = 1) -> SSAValue:
    return scaled_sum(e, x, product(e, lhs, rhs), beta, alpha)


@lowering(aten.baddbmm.default)
def baddbmm(e: Emitter, x: SSAValue, lhs: SSAValue, rhs: SSAValue, *, beta: Scalar = 1, alpha: Scalar = 1) -> SSAValue:
    return scaled_sum(e, x, product(e, lhs, rhs, batch=1), beta, alpha)


def scaled_sum(e: Emitter, x: SSAValue, matrix: SSAValue, beta: Scalar, alpha: Scalar) -> SSAValue:
    """`beta * x + alpha * matrix`; x is not read if beta is 0, so its NaNs do not count."""
    plain = check_scalar(alpha) == 1 and check_scalar(beta) == 1
    compute = e.compute_element(composite=not plain)
    result = e.convert(matrix, compute)
    if alpha != 1:
        result = e.binary(graph.MulOp, result, alpha)
    if beta != 0:
        bias = e.operand(x, compute)
        result = e.binary(graph.AddOp, result, bias if beta == 1 else e.binary(graph.MulOp, bias, beta))
    return e.convert(result, e.element)
