# RUN: %python %s
"""Every `arith` and `math` operation on torch tensors: integers against Python's, floats against torch's f64."""

import math
import operator
from collections.abc import Callable

import torch
from xdsl.dialects import arith
from xdsl.dialects import math as math_dialect
from xdsl.dialects.builtin import BFloat16Type, IntegerType, bf16, f16, f32, f64, i1, i8, i16, i32, i64
from xdsl.ir import Attribute, Block, Operation

from fusir.dialects.loop import LibmOp
from fusir.interpreters.integers import wrap
from fusir.interpreters.libm import libm_function
from fusir.interpreters.scalars import elementwise, torch_dtype

torch.manual_seed(0)


def arguments(*types: Attribute):
    return Block(arg_types=types).args


def run(op: Operation, *operands: torch.Tensor) -> torch.Tensor:
    function = elementwise(op)
    assert function is not None, op.name
    result = function(*operands)
    assert result.dtype == torch_dtype(op.results[0].type), f"{op.name} gives {result.dtype}"
    return result


def truncated(a: int, b: int) -> int:
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


Binary = Callable[[int, int], int]
SIGNED: dict[type[Operation], Binary] = {
    arith.AddiOp: operator.add,
    arith.SubiOp: operator.sub,
    arith.MuliOp: operator.mul,
    arith.DivSIOp: truncated,
    arith.FloorDivSIOp: operator.floordiv,
    arith.CeilDivSIOp: lambda a, b: -(-a // b),
    arith.RemSIOp: lambda a, b: a - truncated(a, b) * b,
    arith.MinSIOp: min,
    arith.MaxSIOp: max,
    arith.AndIOp: operator.and_,
    arith.OrIOp: operator.or_,
    arith.XOrIOp: operator.xor,
}
UNSIGNED: dict[type[Operation], Binary] = {
    arith.DivUIOp: operator.floordiv,
    arith.CeilDivUIOp: lambda a, b: -(-a // b),
    arith.RemUIOp: operator.mod,
    arith.MinUIOp: min,
    arith.MaxUIOp: max,
}
DIVISIONS = {op for op in (*SIGNED, *UNSIGNED) if "Div" in op.__name__ or "Rem" in op.__name__}


def samples(type_: IntegerType) -> torch.Tensor:
    """All values of 8 bits, else random ones of every magnitude and the ends of the range."""
    bits = type_.width.data
    if bits == 8:
        return torch.arange(-128, 128).to(torch.int8)
    values = [wrap((1 << k) + d, bits) for k in range(bits) for d in (-1, 0, 1)] + [-1, -2, 3, -7]
    return torch.tensor(sorted(set(values)), dtype=torch_dtype(type_))


def test_integer_binary() -> None:
    for type_ in (i8, i16, i32, i64):
        bits = type_.width.data
        values = samples(type_)
        a, b = (t.reshape(-1) for t in torch.meshgrid(values, values, indexing="ij"))
        pairs = list(zip(a.tolist(), b.tolist(), strict=True))
        for table, unsigned in ((SIGNED, False), (UNSIGNED, True)):
            for cls, function in table.items():
                result = run(cls(*arguments(type_, type_)), a, b).tolist()
                for (x, y), actual in zip(pairs, result, strict=True):
                    if cls in DIVISIONS and y == 0:
                        continue
                    x_read, y_read = (x % (1 << bits), y % (1 << bits)) if unsigned else (x, y)
                    expected = wrap(function(x_read, y_read), bits)
                    assert actual == expected, f"{cls.name} {type_}: {x}, {y} gives {actual}, not {expected}"


def test_shifts() -> None:
    for type_ in (i8, i16, i32, i64):
        bits = type_.width.data
        values = samples(type_)
        for amount in range(bits):
            b = torch.tensor([amount], dtype=values.dtype)
            left = run(arith.ShLIOp(*arguments(type_, type_)), values, b).tolist()
            right = run(arith.ShRSIOp(*arguments(type_, type_)), values, b).tolist()
            logical = run(arith.ShRUIOp(*arguments(type_, type_)), values, b).tolist()
            for value, x, y, z in zip(values.tolist(), left, right, logical, strict=True):
                assert x == wrap(value << amount, bits), (type_, value, amount, x)
                assert y == value >> amount, (type_, value, amount, y)
                assert z == wrap((value % (1 << bits)) >> amount, bits), (type_, value, amount, z)


def test_booleans() -> None:
    a, b = torch.tensor([0, 0, 1, 1]).bool(), torch.tensor([0, 1, 0, 1]).bool()
    pairs = [(0, 0), (0, 1), (1, 0), (1, 1)]
    for cls, function in {
        arith.AddiOp: lambda x, y: x + y,
        arith.SubiOp: lambda x, y: x - y,
        arith.MuliOp: lambda x, y: x * y,
        arith.AndIOp: lambda x, y: x & y,
        arith.OrIOp: lambda x, y: x | y,
        arith.XOrIOp: lambda x, y: x ^ y,
        arith.MaxUIOp: max,
        arith.MinUIOp: min,
        arith.MaxSIOp: lambda x, y: -max(-x, -y),
        arith.MinSIOp: lambda x, y: -min(-x, -y),
    }.items():
        expected = [bool(function(x, y) & 1) for x, y in pairs]
        assert run(cls(*arguments(i1, i1)), a, b).tolist() == expected, cls.name


def test_integer_comparisons() -> None:
    relations = {
        "eq": operator.eq,
        "ne": operator.ne,
        "lt": operator.lt,
        "le": operator.le,
        "gt": operator.gt,
        "ge": operator.ge,
    }
    for type_ in (i1, i8, i32, i64):
        bits = type_.width.data
        values = torch.tensor([False, True]) if type_ == i1 else samples(type_)[::3]
        a, b = (t.reshape(-1) for t in torch.meshgrid(values, values, indexing="ij"))
        for predicate in ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"):
            relation = relations[predicate[-2:]]
            result = run(arith.CmpiOp(*arguments(type_, type_), predicate), a, b).tolist()
            for x, y, actual in zip(a.tolist(), b.tolist(), result, strict=True):
                x, y = (-int(x), -int(y)) if type_ == i1 and predicate[0] == "s" else (int(x), int(y))
                if predicate[0] == "u":
                    x, y = x % (1 << bits), y % (1 << bits)
                assert actual == relation(x, y), f"{predicate} {type_}: {x}, {y}"


def test_float_comparisons() -> None:
    values = torch.tensor([0.0, -0.0, 1.0, -2.5, math.inf, -math.inf, math.nan])
    a, b = (t.reshape(-1) for t in torch.meshgrid(values, values, indexing="ij"))
    relations = {
        "eq": operator.eq,
        "gt": operator.gt,
        "ge": operator.ge,
        "lt": operator.lt,
        "le": operator.le,
        "ne": operator.ne,
    }
    for predicate in (
        *("false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord"),
        *("ueq", "ugt", "uge", "ult", "ule", "une", "uno", "true"),
    ):
        result = run(arith.CmpfOp(*arguments(f32, f32), predicate), a, b).tolist()
        for x, y, actual in zip(a.tolist(), b.tolist(), result, strict=True):
            unordered = math.isnan(x) or math.isnan(y)
            if predicate in ("false", "true"):
                expected = predicate == "true"
            elif predicate in ("ord", "uno"):
                expected = unordered == (predicate == "uno")
            else:
                expected = predicate[0] == "u" if unordered else relations[predicate[1:]](x, y)
            assert actual == expected, f"{predicate}: {x}, {y} gives {actual}"


def test_integer_conversions() -> None:
    for source in (i8, i16, i32, i64):
        values = samples(source)
        for target in (i8, i16, i32, i64):
            bits, wide = source.width.data, target.width.data
            if wide > bits:
                signed = run(arith.ExtSIOp(*arguments(source), target), values).tolist()
                unsigned = run(arith.ExtUIOp(*arguments(source), target), values).tolist()
                assert signed == values.tolist()
                assert unsigned == [value % (1 << bits) for value in values.tolist()]
            elif wide < bits:
                narrow = run(arith.TruncIOp(*arguments(source), target), values).tolist()
                assert narrow == [wrap(value, wide) for value in values.tolist()]
        odd = run(arith.TruncIOp(*arguments(source), i1), values).tolist()
        assert odd == [value % 2 == 1 for value in values.tolist()]
    both = torch.tensor([False, True])
    assert run(arith.ExtSIOp(*arguments(i1), i32), both).tolist() == [0, -1]
    assert run(arith.ExtUIOp(*arguments(i1), i32), both).tolist() == [0, 1]
    assert run(arith.SIToFPOp(*arguments(i1), f32), both).tolist() == [0.0, -1.0]
    assert run(arith.UIToFPOp(*arguments(i1), f32), both).tolist() == [0.0, 1.0]


def test_float_conversions() -> None:
    for source in (i8, i32, i64):
        bits = source.width.data
        values = samples(source)
        for target in (f32, f64, bf16):
            dtype = torch_dtype(target)
            signed = run(arith.SIToFPOp(*arguments(source), target), values)
            unsigned = run(arith.UIToFPOp(*arguments(source), target), values)
            if isinstance(target, BFloat16Type):
                continue  # Python has no correctly rounded conversion to compare with
            exact = [float(value) for value in values.tolist()]
            assert (
                signed.tolist() == [torch.tensor(x, dtype=torch.float64).to(dtype).item() for x in exact] or bits == 64
            )
            positive = [value % (1 << bits) for value in values.tolist()]
            if target == f64:
                assert unsigned.tolist() == [float(value) for value in positive]
    values = torch.tensor([0.0, 0.9, -0.9, 1.5, -2.5, 100.7])
    assert run(arith.FPToSIOp(*arguments(f32), i8), values).tolist() == [0, 0, 0, 1, -2, 100]
    large = torch.tensor([255.9, 3.0])
    assert run(arith.FPToUIOp(*arguments(f32), i8), large).tolist() == [-1, 3]
    huge = torch.tensor([2.0**63, 2.0**64 - 2.0**41, 5.0], dtype=torch.float64)
    assert run(arith.FPToUIOp(*arguments(f64), i64), huge).tolist() == [-(1 << 63), -(1 << 41), 5]
    assert run(arith.BitcastOp(arguments(f32)[0], i32), torch.tensor([1.0])).tolist() == [0x3F800000]


def test_floats() -> None:
    special = torch.tensor([0.0, -0.0, math.inf, -math.inf, math.nan, 1.0, 0.5, -0.5, 2.5, -2.5, 1e-30, 80.0])
    for type_ in (f16, bf16, f32, f64):
        dtype = torch_dtype(type_)
        x = torch.cat((special, torch.randn(200) * 3)).to(dtype)
        y = torch.cat((special.flip(0), torch.randn(200))).to(dtype)
        for cls, function in {
            arith.AddfOp: torch.add,
            arith.SubfOp: torch.sub,
            arith.MulfOp: torch.mul,
            arith.DivfOp: torch.div,
            arith.MaximumfOp: torch.maximum,
            arith.MinimumfOp: torch.minimum,
            arith.MaxnumfOp: torch.fmax,
            arith.MinnumfOp: torch.fmin,
            math_dialect.PowFOp: torch.pow,
            math_dialect.Atan2Op: torch.atan2,
            math_dialect.CopySignOp: torch.copysign,
        }.items():
            exact = function(x.double(), y.double()).to(dtype)
            rtol = {torch.float32: 1e-5, torch.float64: 1e-12}.get(dtype, 1e-2)
            rtol = rtol if cls in (math_dialect.PowFOp, math_dialect.Atan2Op) else 0
            actual = run(cls(*arguments(type_, type_)), x, y)
            torch.testing.assert_close(
                actual, exact, rtol=rtol, atol=1e-7, equal_nan=True, msg=lambda m, c=cls: f"{c.name}: {m}"
            )
        unary = {
            arith.NegfOp: torch.neg,
            math_dialect.AbsFOp: torch.abs,
            math_dialect.CeilOp: torch.ceil,
            math_dialect.FloorOp: torch.floor,
            math_dialect.RoundEvenOp: torch.round,
            math_dialect.TruncOp: torch.trunc,
            math_dialect.RoundOp: lambda a: torch.trunc(a + torch.copysign(torch.full_like(a, 0.5), a)),
        }
        for name in [
            "exp",
            "exp2",
            "expm1",
            "log",
            "log2",
            "log10",
            "log1p",
            "sqrt",
            "rsqrt",
            "sin",
            "cos",
            "tan",
            "sinh",
            "cosh",
            "tanh",
            "asin",
            "acos",
            "atan",
            "erf",
        ]:
            for cls in vars(math_dialect).values():
                if isinstance(cls, type) and getattr(cls, "name", "") == f"math.{name}":
                    unary[cls] = getattr(torch, name)
        assert len(unary) == 26, len(unary)
        for cls, function in unary.items():
            exact = function(x.double()).to(dtype)
            rtol = {torch.float32: 3e-6, torch.float64: 1e-12}.get(dtype, 1e-2)
            actual = run(cls(*arguments(type_)), x)
            torch.testing.assert_close(
                actual, exact, rtol=rtol, atol=1e-6, equal_nan=True, msg=lambda m, c=cls: f"{c.name}: {m}"
            )


def test_fused_multiply_add_rounds_once() -> None:
    a = torch.tensor([1 + 2.0**-12])
    c = -(a * a)
    assert run(math_dialect.FmaOp(*arguments(f32, f32, f32)), a, a, c).item() == 2.0**-24


def test_bit_counts() -> None:
    for type_ in (i8, i32, i64):
        bits = type_.width.data
        values = samples(type_)
        ones = run(math_dialect.CtPopOp(*arguments(type_)), values).tolist()
        leading = run(math_dialect.CountLeadingZerosOp(*arguments(type_)), values).tolist()
        trailing = run(math_dialect.CountTrailingZerosOp(*arguments(type_)), values).tolist()
        for value, one, lead, trail in zip(values.tolist(), ones, leading, trailing, strict=True):
            text = format(value % (1 << bits), f"0{bits}b")
            assert one == text.count("1")
            assert lead == len(text) - len(text.lstrip("0"))
            assert trail == len(text) - len(text.rstrip("0"))


def test_library_names() -> None:
    x = torch.tensor([0.25, 1.5, -0.75, 3.0])
    for symbol in ("__nv_tanhf", "tanh", "__ocml_tanh_f32", "__nv_tanh"):
        assert libm_function(symbol) is torch.tanh, symbol
    for symbol, expected in {
        "__nv_cbrtf": [math.copysign(abs(v) ** (1 / 3), v) for v in x.tolist()],
        "__nv_tgammaf": [math.gamma(v) for v in x.tolist()],
        "__nv_lgammaf": [math.lgamma(v) for v in x.tolist()],
        "__nv_exp10f": [10.0**v for v in x.tolist()],
        "__nv_sinpif": [math.sin(math.pi * v) for v in x.tolist()],
        "__nv_logbf": [math.frexp(v)[1] - 1.0 for v in x.tolist()],
        "__nv_saturatef": [min(max(v, 0.0), 1.0) for v in x.tolist()],
    }.items():
        torch.testing.assert_close(libm_function(symbol)(x), torch.tensor(expected), rtol=1e-5, atol=1e-6)
    y = torch.tensor([0.7, -0.4, 2.0, 2.0])
    rest = torch.tensor([math.remainder(a, b) for a, b in zip(x.tolist(), y.tolist(), strict=True)])
    torch.testing.assert_close(libm_function("__nv_remainderf")(x, y), rest, rtol=1e-4, atol=1e-6)
    fmod = LibmOp("fmod", arguments(f32, f32))
    assert run(fmod, torch.tensor([-5.5]), torch.tensor([2.0])).item() == -1.5
    try:
        libm_function("__nv_nothing")
    except ValueError as error:
        assert "__nv_nothing" in str(error)
    else:
        raise AssertionError("an unknown symbol must be an error")


for name, test in list(globals().items()):
    if name.startswith("test_"):
        test()
