"""Scalar `arith`, `math` and `loop` arithmetic at tile level: which op of Triton's computes it.

Triton has some of `math`; the other functions are calls into the device library, by the CUDA names (`__nv_tanhf`),
which targets for other devices rename.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith, math
from xdsl.dialects.builtin import (
    AnyFloat,
    BFloat16Type,
    BoolAttr,
    Float8E4M3FNType,
    Float8E5M2Type,
    Float16Type,
    Float64Type,
    IntegerAttr,
    StringAttr,
    f32,
    i1,
    i8,
    i64,
)
from xdsl.ir import Attribute, Operation
from xdsl.utils.exceptions import DiagnosticException

from fusir.conversion.tile_builder import Tile, TileBuilder
from fusir.dialects import tt
from fusir.dialects.loop import LibmOp
from fusir.dialects.tile_arith import CMPF_PREDICATES
from fusir.dialects.tt import tile_type
from fusir.dialects.tt.types import is_float8

_DEVICE_FUNCTIONS: dict[type[Operation], str] = {
    math.AcosOp: "acos",
    math.AcoshOp: "acosh",
    math.AsinOp: "asin",
    math.AsinhOp: "asinh",
    math.Atan2Op: "atan2",
    math.AtanOp: "atan",
    math.AtanhOp: "atanh",
    math.CopySignOp: "copysign",
    math.CoshOp: "cosh",
    math.ExpM1Op: "expm1",
    math.Log10Op: "log10",
    math.Log1pOp: "log1p",
    math.PowFOp: "pow",
    math.RoundEvenOp: "rint",
    math.SinhOp: "sinh",
    math.TanOp: "tan",
    math.TanhOp: "tanh",
    math.TruncOp: "trunc",
}

_TRITON_MATH: tuple[type[Operation], ...] = (
    math.AbsFOp,
    math.CeilOp,
    math.CosOp,
    math.ErfOp,
    math.Exp2Op,
    math.ExpOp,
    math.FloorOp,
    math.Log2Op,
    math.LogOp,
    math.RsqrtOp,
    math.SinOp,
)

_IN_FLOAT32: tuple[type[Operation], ...] = (
    *_DEVICE_FUNCTIONS,
    *_TRITON_MATH,
    arith.DivfOp,
    arith.MaximumfOp,
    arith.MaxnumfOp,
    arith.MinimumfOp,
    arith.MinnumfOp,
    math.SqrtOp,
    LibmOp,
)
"""Ops that Triton has in single and double precision only; half precision is computed in f32 and rounded."""

_SAME_AT_TILE_LEVEL: tuple[type[Operation], ...] = (
    arith.AddfOp,
    arith.AddiOp,
    arith.AndIOp,
    arith.CmpfOp,
    arith.CmpiOp,
    arith.DivSIOp,
    arith.DivUIOp,
    arith.DivfOp,
    arith.ExtFOp,
    arith.ExtSIOp,
    arith.ExtUIOp,
    arith.FPToSIOp,
    arith.MaxSIOp,
    arith.MaxUIOp,
    arith.MaximumfOp,
    arith.MaxnumfOp,
    arith.MinSIOp,
    arith.MinUIOp,
    arith.MinimumfOp,
    arith.MinnumfOp,
    arith.MulfOp,
    arith.MuliOp,
    arith.OrIOp,
    arith.RemSIOp,
    arith.RemUIOp,
    arith.SIToFPOp,
    arith.ShLIOp,
    arith.ShRSIOp,
    arith.ShRUIOp,
    arith.SubfOp,
    arith.SubiOp,
    arith.TruncFOp,
    arith.TruncIOp,
    arith.UIToFPOp,
    arith.XOrIOp,
    math.AbsIOp,
    *_TRITON_MATH,
)


_NO_FASTMATH = {"fastmath": arith.FastMathFlagsAttr("none")}


def scalar_to_tile(builder: TileBuilder, op: Operation, operands: Sequence[Tile]) -> Tile:
    """The tile of a scalar op on the tiles of its operands.

    Raises DiagnosticException for an op that has no form at tile level.
    """
    result = op.results[0].type
    if isinstance(op, _IN_FLOAT32) and isinstance(result, Float16Type | BFloat16Type):
        wide = [builder.elementwise(arith.ExtFOp, [operand], f32) for operand in operands]
        return builder.elementwise(arith.TruncFOp, [_emit(builder, op, wide, f32)], result)
    return _emit(builder, op, operands, result)


def _emit(builder: TileBuilder, op: Operation, operands: Sequence[Tile], result: Attribute) -> Tile:
    if isinstance(op, math.SqrtOp):
        return builder.elementwise(tt.PreciseSqrtOp, operands)
    if isinstance(op, arith.NegfOp):
        # Triton has no negation; `0 - x` would lose the sign of zero.
        return builder.elementwise(arith.MulfOp, [*operands, builder.constant(-1.0, result)], properties=_NO_FASTMATH)
    if isinstance(op, arith.BitcastOp):
        return builder.elementwise(tt.BitcastOp, operands, result)
    if isinstance(op, arith.SelectOp):
        return builder.select(*operands)
    if isinstance(op, LibmOp):
        return device_function(builder, op.function.data, operands)
    if (function := _DEVICE_FUNCTIONS.get(type(op))) is not None:
        return device_function(builder, function, operands)
    if isinstance(op, arith.ExtFOp) and is_float8(operands[0].element):
        return builder.elementwise(tt.FpToFpOp, operands, result)
    if isinstance(op, arith.TruncFOp) and is_float8(result):
        return _narrow_to_float8(builder, operands[0], result)
    if isinstance(op, _SAME_AT_TILE_LEVEL):
        return builder.elementwise(type(op), operands, result, op.properties)
    raise DiagnosticException(f"{op.name} has no form at tile level")


_E4M3_LARGEST = 448.0
"""The largest number in f8E4M3FN."""

_E5M2_OVERFLOW = 61440.0
"""From this size on an f32 is infinite as f8E5M2: it is halfway between the largest number, 57344, and what is next."""

_E5M2_INFINITY, _E5M2_MINUS_INFINITY = 0x7C, 0xFC - 0x100
"""The bits of infinities, as i8."""


def _narrow_to_float8(builder: TileBuilder, operand: Tile, result: Attribute) -> Tile:
    """An f32 as an 8-bit float. The casts of most GPUs give the largest number where it overflows."""
    if isinstance(result, Float8E4M3FNType):
        for op_class, limit in ((arith.MaximumfOp, -_E4M3_LARGEST), (arith.MinimumfOp, _E4M3_LARGEST)):
            operand = builder.elementwise(op_class, [operand, builder.constant(limit, f32)], f32, _NO_FASTMATH)
    narrow = builder.elementwise(tt.FpToFpOp, [operand], result, {"rounding": tt.RoundingMode.RTNE.attr})
    if not isinstance(result, Float8E5M2Type):
        return narrow

    def compare(tile: Tile, name: str, number: float) -> Tile:
        numbered = {"predicate": IntegerAttr(CMPF_PREDICATES.index(name), i64), **_NO_FASTMATH}
        return builder.elementwise(arith.CmpfOp, [tile, builder.constant(number, f32)], i1, numbered)

    size = builder.elementwise(math.AbsFOp, [operand], f32, _NO_FASTMATH)
    infinities = (builder.constant(bits, i8) for bits in (_E5M2_MINUS_INFINITY, _E5M2_INFINITY))
    infinite = builder.select(compare(operand, "olt", 0.0), *infinities)
    bits = builder.elementwise(tt.BitcastOp, [narrow], i8)
    bits = builder.select(compare(size, "oge", _E5M2_OVERFLOW), infinite, bits)
    return builder.elementwise(tt.BitcastOp, [bits], result)


def device_function(builder: TileBuilder, name: str, operands: Sequence[Tile]) -> Tile:
    """A call of a C math function of the device library, by its name without suffix, in f32 or f64."""
    element = operands[0].element
    assert isinstance(element, AnyFloat)
    symbol = f"__nv_{name}" if isinstance(element, Float64Type) else f"__nv_{name}f"
    values, axes = builder.together(operands)
    properties = {
        "libname": StringAttr(""),
        "libpath": StringAttr(""),
        "pure": BoolAttr.from_bool(True),
        "symbol": StringAttr(symbol),
    }
    return Tile(builder.pure(tt.ExternElementwiseOp, values, tile_type(element, builder.shape(axes)), properties), axes)
