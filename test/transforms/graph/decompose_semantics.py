# RUN: %python %s
"""`decompose` keeps the meaning of each op bit for bit, over dtypes and special values, and ends in scalar forms."""

import itertools

import torch
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, bf16, f16, f32, f64, i8, i16, i32, i64
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Region

from fusir.conversion.pointwise_to_scalar import has_scalar_form
from fusir.dialects import graph
from fusir.interpreters.graph import interpret, torch_dtype
from fusir.transforms.graph.decompose import DecomposePass

FLOATS = (f16, bf16, f32, f64)
INTEGERS = (i8, i16, i32, i64, graph.ui8)
SPECIAL = [0.0, -0.0, 1.0, -1.0, 0.5, 2.5, -2.5, 3.7, -3.7, 1e-4, 7.0, 6e4, -6e4, 1e-7, 0.3, -0.1]
SPECIAL += [float("inf"), float("-inf"), float("nan")]


def samples(element):
    dtype = torch_dtype(element)
    if dtype.is_floating_point:
        values = torch.cat([torch.tensor(SPECIAL), 4 * torch.randn(20, generator=torch.Generator().manual_seed(0))])
        return values.to(dtype)
    info = torch.iinfo(dtype)
    signed = [info.min, info.min + 1, -1, -2, -7, -100] if dtype.is_signed else []
    return torch.tensor([*signed, info.max, 0, 1, 2, 3, 7, 8, 15, 31, 63, 64, 100], dtype=dtype)


def check(name, class_, element, x, y, constant=None):
    type_ = graph.tensor_type(element, tuple(x.shape))
    block = Block(arg_types=[type_, type_])
    full = graph.FullOp(constant, type_) if constant is not None else None
    op = class_(block.args[0], block.args[1] if full is None else full)
    block.add_ops([*([] if full is None else [full]), op, ReturnOp(op.result)])
    module = ModuleOp([FuncOp("main", ([type_, type_], [type_]), Region(block))])
    (expected,) = interpret(module, [x, y])
    DecomposePass().apply(Context(), module)
    module.verify()
    for inner in module.walk():
        if isinstance(inner, graph.PointwiseOp):
            assert has_scalar_form(inner), f"{name}: {inner.name} is left"
    (actual,) = interpret(module, [x, y])
    same = (actual == expected) | ((actual != actual) & (expected != expected))
    if actual.is_floating_point():
        same &= (torch.signbit(actual) == torch.signbit(expected)) | actual.isnan()
    where = (~same).nonzero().flatten()[:4]
    assert same.all(), f"{name}: ({x[where]}, {y[where]}) gives {actual[where]} instead of {expected[where]}"


for class_, element in itertools.product((graph.ModOp, graph.FloorDivOp), (*FLOATS, *INTEGERS)):
    values = torch.cartesian_prod(samples(element), samples(element))
    x, y = values[:, 0], values[:, 1]
    if not x.is_floating_point():
        x, y = x[y != 0], y[y != 0]
    check(f"{class_.name} {element}", class_, element, x, y)

for class_, element in itertools.product((graph.PowOp, graph.ShlOp, graph.ShrOp), INTEGERS):
    values = torch.cartesian_prod(samples(element), samples(element))
    check(f"{class_.name} {element}", class_, element, values[:, 0], values[:, 1])
    for constant in (0, 1, 2, 3, 5, 7, 10, 63, 64, 100):
        check(f"{class_.name} {element} by {constant}", class_, element, values[:, 0], values[:, 1], constant)
