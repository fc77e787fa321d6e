"""`contract-to-aten`: contractions that are outside a fusion become calls of ATen's matrix products.

Batch dims are collapsed into one, and so are the free and the contracted dims of each side; what that takes are
permutes and reshapes, which cost nothing where they are views.

Products of bytes that are summed up as i32 take `aten._int_mm` where it takes them, elsewhere products of floats that
hold the sums exactly. Products of 8-bit floats take `aten._scaled_mm` with scales of one, or products of f32.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import Float8E5M2Type, ModuleOp, f32, f64, i8, i32, i64
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from fusir.analysis.expr import product
from fusir.dialects.graph import (
    AddOp,
    BroadcastOp,
    CallAtenOp,
    ContractOp,
    ConvertOp,
    Dim,
    DimsAttr,
    FullOp,
    FusionOp,
    OperandRefAttr,
    PermuteOp,
    ReshapeOp,
    TorchAttr,
    YieldOp,
    dims_of,
    element_type_of,
    is_float,
    is_float8,
    is_half,
    tensor_type,
)
from fusir.remarks import remark


@dataclass(frozen=True)
class ContractToAtenPass(ModulePass):
    """Rewrite the contractions at the top level of graph functions to `aten.mm`, `bmm`, `addmm` and `_int_mm`."""

    name = "contract-to-aten"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for func in op.body.block.ops:
            if isinstance(func, FuncOp) and not func.is_declaration:
                for contract in [each for each in func.body.block.ops if isinstance(each, ContractOp)]:
                    _Lowering(contract).run()


MIN_BYTE_ROWS = 17
"""The fewest rows for which `aten._int_mm` runs on a GPU."""

BYTE_ALIGNMENT = 8
"""What it wants the columns and the contracted dim to be multiples of."""

FLOAT8_ALIGNMENT = 16
"""What `aten._scaled_mm` wants columns and the contracted dim to be multiples of. It has no product of two f8E5M2."""

MAX_EXACT_TERMS = 1 << 10
"""Products of two bytes that f32 sums up exactly, in any order: each is at most 2^14 in size, f32 has 24 bits."""


def takes_bytes(contract: ContractOp, rows: Dim, inner: Dim, columns: Dim) -> bool:
    """Whether `aten._int_mm` computes a product of bytes."""
    wanted = isinstance(rows, int) and rows >= MIN_BYTE_ROWS and element_type_of(contract.result) == i32
    aligned = all(isinstance(dim, int) and dim > 0 and dim % BYTE_ALIGNMENT == 0 for dim in (inner, columns))
    return wanted and aligned and not contract.lhs_batch


def takes_float8(contract: ContractOp, inner: Dim, columns: Dim) -> bool:
    """Whether `aten._scaled_mm` computes a product of 8-bit floats."""
    aligned = all(isinstance(dim, int) and dim > 0 and dim % FLOAT8_ALIGNMENT == 0 for dim in (inner, columns))
    both_wide = element_type_of(contract.lhs) == Float8E5M2Type()
    return aligned and not both_wide and not contract.lhs_batch and 0 not in dims_of(contract.result)


def exact_float(inner: Dim) -> Attribute:
    """A float type whose products of bytes, and sums of `inner` of them, are exact, also where PyTorch takes tf32."""
    return f32 if isinstance(inner, int) and inner <= MAX_EXACT_TERMS else f64


@dataclass(frozen=True)
class Bias:
    """A fusion that does nothing but add a bias to the columns of a contraction."""

    fusion: FusionOp
    value: SSAValue
    """What is added, outside the fusion: one element for each column."""


def bias_of(contract: ContractOp, column_dims: int) -> Bias | None:
    """The only reader of a contraction, if it is a fusion that adds a bias over its last `column_dims` dims.

    `aten.addmm` adds such a bias while the product is in registers. A bias per row or element, and any bias of
    `aten.bmm`, is first copied into the result: no better than the fusion. In half precision the fusion may compute
    in f32 and round once; the matrix product does so too.
    """
    result = contract.result
    if contract.lhs_batch or not column_dims or not result.has_one_use() or not is_float(element_type_of(result)):
        return None
    fusion = result.get_user_of_unique_use()
    if not isinstance(fusion, FusionOp) or len(fusion.inputs) != 2 or len(fusion.outputs) != 1:
        return None
    position = 0 if fusion.inputs[0] is result else 1
    value = fusion.inputs[1 - position]
    matrix, bias = fusion.block.args[position], fusion.block.args[1 - position]
    if not element_type_of(value) == element_type_of(result) == element_type_of(fusion.outputs[0]):
        return None
    added = _before_convert(fusion.terminator.values[0]).owner
    if not isinstance(added, AddOp) or element_type_of(added.result) not in (element_type_of(result), f32):
        return None
    sides = [_before_convert(added.lhs), _before_convert(added.rhs)]
    if matrix not in sides:
        return None
    broadcast = sides[1 - sides.index(matrix)].owner
    if not isinstance(broadcast, BroadcastOp) or _before_convert(broadcast.operand) is not bias:
        return None
    dims = dims_of(result)
    columns = tuple(range(len(dims) - column_dims, len(dims)))
    if broadcast.dims != columns or dims_of(value) != dims[len(dims) - column_dims :]:
        return None
    return Bias(fusion, value)


def _before_convert(value: SSAValue) -> SSAValue:
    """The operand of a conversion between float types, any other value itself."""
    owner = value.owner
    if isinstance(owner, ConvertOp) and is_float(element_type_of(owner.operand)) and is_float(element_type_of(value)):
        return owner.operand
    return value


class _Lowering:
    """Rewrites one contraction."""

    def __init__(self, contract: ContractOp):
        self.contract = contract
        self.new_ops: list[Operation] = []

    def _add(self, op: Operation) -> SSAValue:
        op.location = self.contract.location
        self.new_ops.append(op)
        return op.results[0]

    def _permute(self, value: SSAValue, permutation: Sequence[int]) -> SSAValue:
        if list(permutation) == list(range(len(permutation))):
            return value
        return self._add(PermuteOp(value, permutation))

    def _reshape(self, value: SSAValue, dims: Sequence[Dim]) -> SSAValue:
        return value if dims_of(value) == tuple(dims) else self._add(ReshapeOp(value, dims))

    def _convert(self, value: SSAValue, *elements: Attribute) -> SSAValue:
        """One conversion after the other, in a fusion of their own."""
        block = Block(arg_types=[value.type])
        converted: SSAValue = block.args[0]
        for element in elements:
            op = ConvertOp(converted, element, location=self.contract.location)
            block.add_op(op)
            converted = op.result
        block.add_op(YieldOp([converted]))
        return self._add(FusionOp([value], [converted.type], Region(block)))

    def _scaled_mm(self, lhs: SSAValue, rhs: SSAValue) -> CallAtenOp:
        """The call for a product of 8-bit floats: with scales of one, and the factors in the layouts that it wants."""
        block = Block()
        one = FullOp(1.0, tensor_type(f32, ()), location=self.contract.location)
        block.add_ops([one, YieldOp([one.result])])
        scale = self._add(FusionOp([], [one.result.type], Region(block)))
        (rows, inner), (_, columns) = dims_of(lhs), dims_of(rhs)
        strides = [DimsAttr((inner, 1)), DimsAttr((1, inner)), DimsAttr(()), DimsAttr(())]
        return CallAtenOp(
            "aten._scaled_mm.default",
            [lhs, rhs, scale, scale],
            [OperandRefAttr(index) for index in range(4)],
            {"out_dtype": TorchAttr("float32")},
            [tensor_type(f32, [rows, columns])],
            operand_strides=strides,
        )

    def run(self) -> None:
        op = self.contract
        lhs_dims, rhs_dims = dims_of(op.lhs), dims_of(op.rhs)
        lhs_free = [d for d in range(len(lhs_dims)) if d not in (*op.lhs_batch, *op.lhs_contract)]
        rhs_free = [d for d in range(len(rhs_dims)) if d not in (*op.rhs_batch, *op.rhs_contract)]
        batch = [lhs_dims[d] for d in op.lhs_batch]
        rows, columns = [lhs_dims[d] for d in lhs_free], [rhs_dims[d] for d in rhs_free]
        inner = product(lhs_dims[d] for d in op.lhs_contract)
        head = [product(batch)] if batch else []
        lhs = self._permute(op.lhs, [*op.lhs_batch, *lhs_free, *op.lhs_contract])
        lhs = self._reshape(lhs, [*head, product(rows), inner])
        rhs = self._permute(op.rhs, [*op.rhs_batch, *op.rhs_contract, *rhs_free])
        rhs = self._reshape(rhs, [*head, inner, product(columns)])
        shape = [*head, product(rows), product(columns)]
        element = element_type_of(op.result)
        if element_type_of(op.lhs) == i8 and not takes_bytes(op, product(rows), inner, product(columns)):
            exact = exact_float(inner)
            lhs, rhs, element = self._convert(lhs, exact), self._convert(rhs, exact), exact
        if is_half(element_type_of(op.lhs)) and element == f32:
            # Of halves ATen gives the sums as halves, which may overflow.
            lhs, rhs = self._convert(lhs, f32), self._convert(rhs, f32)
        scaled = is_float8(element_type_of(op.lhs)) and takes_float8(op, inner, product(columns))
        if is_float8(element_type_of(op.lhs)) and not scaled:
            lhs, rhs = self._convert(lhs, f32), self._convert(rhs, f32)
        bias = None if scaled else bias_of(op, len(columns))
        if scaled:
            call = self._scaled_mm(lhs, rhs)
        else:
            name = "bmm" if batch else "_int_mm" if element_type_of(lhs) == i8 else "mm"
            operands = [lhs, rhs]
            if bias is not None:
                name, operands = "addmm", [self._reshape(bias.value, [product(columns)]), lhs, rhs]
            arguments = [OperandRefAttr(index) for index in range(len(operands))]
            call = CallAtenOp(f"aten.{name}.default", operands, arguments, {}, [tensor_type(element, shape)])
        result = self._add(call)
        if element != element_type_of(op.result):
            # Sums wrap around as integers do.
            result = self._convert(result, i64, element_type_of(op.result))
        result = self._reshape(result, [*batch, *rows, *columns])
        remark(
            "fallback",
            ContractToAtenPass.name,
            f"a contraction runs as {call.target.removesuffix('.default')}",
            op.location,
        )
        # The bias may be computed after the contraction, so the product moves to where the addition was.
        replaced: Operation = op if bias is None else bias.fusion
        Rewriter.insert_op(self.new_ops, InsertPoint.before(replaced))
        result.name_hint = replaced.results[0].name_hint
        replaced.results[0].replace_all_uses_with(result)
        Rewriter.erase_op(replaced)
        if bias is not None:
            Rewriter.erase_op(op)
