"""Build scalar code: `arith` and `math` ops appended to a block, constants shared and kept at the top of the kernel."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import affine, arith, math
from xdsl.dialects.builtin import (
    AffineMapAttr,
    AnyFloat,
    BFloat16Type,
    Float16Type,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    LocationAttr,
    f32,
    i1,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineMap

_INDEX = IndexType()


class ScalarBuilder:
    """Appends ops to `block`; constants go to `constants`, which the caller puts at the top of the kernel."""

    def __init__(self) -> None:
        self.block = Block()
        self.location: LocationAttr | None = None
        self.constants: dict[tuple[Attribute, str], arith.ConstantOp] = {}

    def add(self, op: Operation) -> SSAValue:
        """Append `op` with the current location and return its (first) result."""
        if self.location is not None:
            op.location = self.location
        self.block.add_op(op)
        return op.results[0]

    def constant(self, value: float | int, element: Attribute) -> SSAValue:
        """The constant `value` of a float or integer scalar type (or index)."""
        # repr tells 0.0 from -0.0 and keeps NaN equal to itself.
        key = (element, repr(value))
        op = self.constants.get(key)
        if op is None:
            if isinstance(element, AnyFloat):
                attr = FloatAttr(float(value), element)
            else:
                assert isinstance(element, IntegerType | IndexType)
                attr = IntegerAttr(int(value), element, truncate_bits=True)
            op = arith.ConstantOp(attr)
            self.constants[key] = op
        return op.result

    def index(self, index_map: AffineMapAttr, operands: Sequence[SSAValue]) -> SSAValue:
        """The value of a one-result index map of loop indices and symbols, as an `index`."""
        (expr,) = index_map.data.results
        if isinstance(expr, AffineDimExpr):
            return operands[expr.position]
        if isinstance(expr, AffineConstantExpr):
            return self.constant(expr.value, _INDEX)
        return self.add(affine.ApplyOp(operands, index_map))

    def compare_index(self, predicate: str, index: SSAValue, bound: int) -> SSAValue:
        """`index predicate bound`, predicate one of the names of arith.cmpi."""
        return self.add(arith.CmpiOp(index, self.constant(bound, _INDEX), predicate))

    def convert(self, value: SSAValue, target: Attribute, unsigned: bool, unsigned_target: bool) -> SSAValue:
        """Convert a scalar as `graph.convert` does.

        `unsigned` and `unsigned_target` say how the integer types of the value and of the target are meant; i1 is
        unsigned.
        """
        source = value.type
        if source == target:
            return value
        if isinstance(source, AnyFloat):
            if isinstance(target, AnyFloat):
                return self._convert_float(value, source, target)
            assert isinstance(target, IntegerType)
            if target == i1:
                return self.add(arith.CmpfOp(value, self.constant(0.0, source), "une"))
            if unsigned_target:
                # Through a wide signed integer: a negative float wraps around instead of being undefined.
                wide = self.add(arith.FPToSIOp(value, i64))
                return wide if target == i64 else self.add(arith.TruncIOp(wide, target))
            return self.add(arith.FPToSIOp(value, target))
        assert isinstance(source, IntegerType)
        unsigned = unsigned or source == i1
        if isinstance(target, AnyFloat):
            return self.add(arith.UIToFPOp(value, target) if unsigned else arith.SIToFPOp(value, target))
        assert isinstance(target, IntegerType)
        if target == i1:
            return self.add(arith.CmpiOp(value, self.constant(0, source), "ne"))
        if target.width.data < source.width.data:
            return self.add(arith.TruncIOp(value, target))
        return self.add(arith.ExtUIOp(value, target) if unsigned else arith.ExtSIOp(value, target))

    def _convert_float(self, value: SSAValue, source: AnyFloat, target: AnyFloat) -> SSAValue:
        half = (Float16Type, BFloat16Type)
        if bool({source.bitwidth, target.bitwidth} & {8}) and f32 not in (source, target):
            return self.convert(self.convert(value, f32, False, False), target, False, False)
        if isinstance(source, half) and isinstance(target, half):
            return self.add(arith.TruncFOp(self.add(arith.ExtFOp(value, f32)), target))
        if target.bitwidth > source.bitwidth:
            return self.add(arith.ExtFOp(value, target))
        return self.add(arith.TruncFOp(value, target))

    def is_nan(self, value: SSAValue) -> SSAValue:
        return self.add(arith.CmpfOp(value, value, "uno"))

    def absolute(self, value: SSAValue) -> SSAValue:
        return self.add(math.AbsFOp(value) if isinstance(value.type, AnyFloat) else math.AbsIOp(value))


def identity_map(rank: int) -> AffineMapAttr:
    """The shared identity map attribute of `rank` dims."""
    attr = _IDENTITY.get(rank)
    if attr is None:
        attr = _IDENTITY[rank] = AffineMapAttr(AffineMap.identity(rank))
    return attr


_IDENTITY: dict[int, AffineMapAttr] = {}
