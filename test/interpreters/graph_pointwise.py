# RUN: %python %s
"""Every pointwise op of the graph interpreter against eager torch, over all dtypes and special values."""

import itertools

import torch
from xdsl.dialects.builtin import ModuleOp, bf16, f16, f32, f64, i1, i8, i16, i32, i64
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Region

from fusir.dialects import graph
from fusir.interpreters.graph import interpret, torch_dtype

FLOATS = (f16, bf16, f32, f64)
INTEGERS = (i8, i16, i32, i64, graph.ui8)
SPECIAL = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, 2.5, -2.5, 3.7, -3.7, 1e-4, -1e-4, 7.0, 60000.0, -60000.0]
SPECIAL += [float("inf"), float("-inf"), float("nan"), 1e-7, 0.9999, 100.0, -100.0]


def samples(element):
    dtype = torch_dtype(element)
    if dtype == torch.bool:
        return torch.tensor([True, False])
    if dtype.is_floating_point:
        generator = torch.Generator().manual_seed(0)
        return torch.cat([torch.tensor(SPECIAL), 4 * torch.randn(24, generator=generator)]).to(dtype)
    info = torch.iinfo(dtype)
    return torch.tensor([info.min, info.min + 1, info.max, info.max - 1, 0, 1, 2, 3, 5, 7, 8, 100], dtype=dtype)


def pairs(element):
    """All pairs of samples."""
    values = samples(element)
    index = torch.tensor(list(itertools.product(range(len(values)), repeat=2)))
    x, y = values[index[:, 0]], values[index[:, 1]]
    if torch_dtype(element).is_signed:
        x, y = torch.cat([x, -x]), torch.cat([y, y])
    return x, y


def run(build, *inputs):
    """Interpret one op on the inputs."""
    elements = {torch_dtype(e): e for e in (*FLOATS, *INTEGERS, i1)}
    types = [graph.tensor_type(elements[t.dtype], tuple(t.shape)) for t in inputs]
    block = Block(arg_types=types)
    op = build(*block.args)
    block.add_ops([op, ReturnOp(*op.results)])
    module = ModuleOp([FuncOp("main", (types, [r.type for r in op.results]), Region(block))])
    module.verify()
    return interpret(module, list(inputs))[0]


def same(name, actual, expected):
    assert actual.dtype == expected.dtype, f"{name}: {actual.dtype} instead of {expected.dtype}"
    equal = (
        (actual == expected) | (actual.isnan() & expected.isnan()) if actual.is_floating_point() else actual == expected
    )
    if actual.is_floating_point():
        equal &= (torch.signbit(actual) == torch.signbit(expected)) | actual.isnan()
    where = (~equal).nonzero()[:3].flatten().tolist()
    assert equal.all(), f"{name}: at {where} {actual[where]} instead of {expected[where]}"


def halves_in_f32(function, *inputs):
    """Eager's result with an op on halves rounded once from f32."""
    if inputs[0].dtype in (torch.float16, torch.bfloat16):
        return function(*(t.float() for t in inputs)).to(inputs[0].dtype)
    return function(*inputs)


UNARY_FLOAT = (
    "exp exp2 expm1 log log2 log10 log1p sqrt rsqrt reciprocal sin cos tan asin acos atan sinh cosh tanh asinh"
)
UNARY_FLOAT += " acosh atanh erf erfc sigmoid relu floor ceil round trunc neg abs"
by_name = {op.name: op for op in graph.Graph.operations}

for name in UNARY_FLOAT.split():
    for element in FLOATS:
        x = samples(element)
        eager = getattr(torch, name)
        same(f"{name} {element}", run(by_name[f"graph.{name}"], x), halves_in_f32(eager, x))
        direct = eager(x)
        limits = torch.finfo(x.dtype)
        tolerance = {"rtol": 2 * limits.eps, "atol": 2e-7}  # eager flushes erf of a tiny bf16 to 0
        close = torch.allclose(run(by_name[f"graph.{name}"], x), direct, equal_nan=True, **tolerance)
        assert close, f"{name} {element} is far from eager"

for element in FLOATS:
    x = samples(element)
    same(f"sign {element}", run(graph.SignOp, x), torch.where(x.isnan(), torch.zeros_like(x), torch.sign(x)))
    same(f"isnan {element}", run(graph.IsNanOp, x), torch.isnan(x))
    same(f"isinf {element}", run(graph.IsInfOp, x), torch.isinf(x))

for element in INTEGERS:
    x = samples(element)
    for name in ("neg", "abs", "sign", "relu", "bitwise_not"):
        op = by_name["graph." + name.removeprefix("bitwise_")]
        same(f"{name} {element}", run(op, x), getattr(torch, name)(x))
same("not", run(graph.NotOp, samples(i1)), torch.logical_not(samples(i1)))

BINARY_FLOAT = {
    "add": torch.add,
    "sub": torch.sub,
    "mul": torch.mul,
    "div": torch.div,
    "rem": torch.fmod,
    "mod": torch.remainder,
    "floor_div": torch.floor_divide,
    "pow": torch.pow,
    "atan2": torch.atan2,
    "maximum": torch.maximum,
    "minimum": torch.minimum,
    "fmax": torch.fmax,
    "fmin": torch.fmin,
}
for (name, eager), element in itertools.product(BINARY_FLOAT.items(), FLOATS):
    x, y = pairs(element)
    same(f"{name} {element}", run(by_name[f"graph.{name}"], x, y), halves_in_f32(eager, x, y))

BINARY_INTEGER = {
    "add": torch.add,
    "sub": torch.sub,
    "mul": torch.mul,
    "pow": torch.pow,
    "maximum": torch.maximum,
    "minimum": torch.minimum,
    "and": torch.bitwise_and,
    "or": torch.bitwise_or,
    "xor": torch.bitwise_xor,
    "shl": torch.bitwise_left_shift,
    "shr": torch.bitwise_right_shift,
}
for (name, eager), element in itertools.product(BINARY_INTEGER.items(), INTEGERS):
    x, y = pairs(element)
    same(f"{name} {element}", run(by_name[f"graph.{name}"], x, y), eager(x, y))

DIVISIONS = {
    "div": lambda x, y: torch.div(x, y, rounding_mode="trunc"),
    "floor_div": torch.floor_divide,
    "rem": torch.fmod,
    "mod": torch.remainder,
}
for (name, eager), element in itertools.product(DIVISIONS.items(), INTEGERS):
    x, y = pairs(element)
    defined = (y != 0) & ((y != -1) | (x != torch.iinfo(x.dtype).min)) if x.dtype.is_signed else y != 0
    x, y = x[defined], y[defined]
    same(f"{name} {element}", run(by_name[f"graph.{name}"], x, y), eager(x, y))
    x, y = pairs(element)
    run(by_name[f"graph.{name}"], x, y)  # the undefined cases do not trap

for predicate, element in itertools.product(("eq", "ne", "lt", "le", "gt", "ge"), (*FLOATS, *INTEGERS)):
    x, y = pairs(element)
    actual = run(lambda a, b, p=predicate: graph.CompareOp(p, a, b), x, y)
    same(f"compare {predicate} {element}", actual, getattr(torch, predicate)(x, y))

for element in (*FLOATS, *INTEGERS, i1):
    x, y = pairs(element)
    condition = torch.arange(len(x)) % 3 == 0
    same(f"select {element}", run(graph.SelectOp, condition, x, y), torch.where(condition, x, y))

for source, target in itertools.product((*FLOATS, *INTEGERS, i1), repeat=2):
    x = samples(source)
    dtype = torch_dtype(target)
    if x.is_floating_point() and not dtype.is_floating_point and dtype != torch.bool:
        info = torch.iinfo(dtype)
        x = x[torch.isfinite(x) & (x.double().trunc() >= info.min) & (x.double().trunc() <= info.max)]
    same(f"convert {source} {target}", run(lambda a, t=target: graph.ConvertOp(a, t), x), x.to(dtype))

for source, target in ((f32, i32), (f16, i16), (bf16, i16), (f64, i64), (f16, bf16), (i8, graph.ui8)):
    x = samples(source)
    same(f"bitcast {source} {target}", run(lambda a, t=target: graph.BitcastOp(a, t), x), x.view(torch_dtype(target)))

covered = {*UNARY_FLOAT.split(), *BINARY_FLOAT, *BINARY_INTEGER, "sign", "not", "isnan", "isinf", "compare", "select"}
covered |= {"convert", "bitcast"}
pointwise = {op.name.removeprefix("graph.") for op in graph.Graph.operations if issubclass(op, graph.PointwiseOp)}
assert covered == pointwise, f"not tested: {pointwise - covered}"
