# RUN: %python %s 40 0
# REQUIRES: triton
"""Random tile functions: the printed source and the TTIR mean the same.

    python random-tiles.py <count> <first seed>      (40 take about 5 s)

A function loads tiles of every element type, computes on tiles of one row, one column, the full shape and on scalars,
with loops that carry and exchange values, and stores what it made.
"""

from __future__ import annotations

import math as pymath
import random
import sys
from collections.abc import Callable

from xdsl.builder import Builder, InsertPoint
from xdsl.dialects import arith, math, scf
from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IntegerAttr,
    IntegerType,
    TensorType,
    bf16,
    f16,
    f32,
    f64,
    i1,
    i32,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from fusir.dialects import tt
from fusir.dialects.tile_arith import CMPF_PREDICATES, CMPI_PREDICATES, tile_class
from fusir.dialects.tt import element_of, shape_of, tile_type
from fusir.runtime.agreement import disagreement

i8, i16 = IntegerType(8), IntegerType(16)
FLOATS = (bf16, f16, f32, f64)
INTS = (i8, i16, i32, i64)
SHAPES = ((), (16, 1), (1, 8), (16, 8))
FULL = (16, 8)
HALVES = (bf16, f16)

INT_OPS = (arith.AddiOp, arith.SubiOp, arith.MuliOp, arith.AndIOp, arith.OrIOp, arith.XOrIOp, arith.MaxSIOp,
           arith.MinSIOp, arith.MaxUIOp, arith.MinUIOp, arith.DivSIOp, arith.DivUIOp, arith.RemSIOp,
           arith.RemUIOp)  # fmt: skip
SHIFTS = (arith.ShLIOp, arith.ShRSIOp, arith.ShRUIOp)
FLOAT_OPS = (arith.AddfOp, arith.SubfOp, arith.MulfOp)
WIDE_FLOAT_OPS = (arith.DivfOp, arith.MaximumfOp, arith.MinimumfOp, arith.MaxnumfOp, arith.MinnumfOp)
WIDE_UNARY = (math.ExpOp, math.SinOp, math.SqrtOp, math.RsqrtOp, math.FloorOp, math.ErfOp, math.Log2Op)
FLOAT_NUMBERS = (0.0, 1.0, -1.5, 0.1, 1e-40, 3.0e4, pymath.inf, -pymath.inf, pymath.nan, 1e-3)
INT_NUMBERS = (0, 1, -1, 5, 100, -128, 127)


class Generator:
    """Makes one function from a seed."""

    def __init__(self, seed: int):
        self.random = random.Random(seed)
        elements = [*FLOATS, *INTS]
        self.func = tt.FuncOp(
            f"random_{seed}", ([*(tt.PointerType(each) for each in elements), i32, i64, f32, tt.PointerType(i8)], [])
        )
        self.builder = Builder(InsertPoint.at_end(self.func.body.block))
        self.values: list[SSAValue] = list(self.func.body.block.args[len(elements) : len(elements) + 3])
        self.pointers = dict(zip(elements, self.func.body.block.args[: len(elements)], strict=True))
        self.masks = self.func.body.block.args[-1]

    def add(self, op: Operation) -> SSAValue:
        self.builder.insert(op)
        self.values.append(op.results[0])
        return op.results[0]

    def make(self, scalar_class: type[Operation], *arguments: object) -> SSAValue:
        shaped = any(isinstance(each, SSAValue) and shape_of(each.type) for each in arguments)
        maker: Callable[..., Operation] = tile_class(scalar_class) if shaped else scalar_class
        return self.add(maker(*arguments))

    def constant(self, element: Attribute, shape: tuple[int, ...], number: float | int | None = None) -> SSAValue:
        if number is not None:
            pass
        elif element == i1:
            number = self.random.randrange(2)
        elif element in INTS:
            number = self.random.choice(INT_NUMBERS)
        else:
            number = self.random.choice(FLOAT_NUMBERS)
        if shape:
            value = DenseIntOrFPElementsAttr.from_list(TensorType(element, shape), [number] * pymath.prod(shape))
        else:
            value = FloatAttr(number, element) if element in FLOATS else IntegerAttr(number, element)
        return self.add(arith.ConstantOp(value))

    def offsets(self, shape: tuple[int, ...]) -> SSAValue:
        rows = self.add(tt.ExpandDimsOp(self.add(tt.MakeRangeOp(0, 16)), 1))
        columns = self.add(tt.ExpandDimsOp(self.add(tt.MakeRangeOp(0, 8)), 0))
        if shape == (16, 1):
            return rows
        if shape == (1, 8):
            return columns
        eight = self.add(arith.ConstantOp(DenseIntOrFPElementsAttr.from_list(TensorType(i32, (16, 1)), [8] * 16)))
        scaled = self.add(arith.MuliOp(rows, eight))
        return self.add(arith.AddiOp(self.to_shape(scaled, FULL), self.to_shape(columns, FULL)))

    def to_shape(self, value: SSAValue, shape: tuple[int, ...]) -> SSAValue:
        if shape_of(value.type) == shape:
            return value
        return self.add(tt.BroadcastOp(value, shape) if shape_of(value.type) else tt.SplatOp(value, shape))

    def pointer(self, element: Attribute, shape: tuple[int, ...]) -> SSAValue:
        base = self.masks if element == i1 else self.pointers[element]
        return self.add(tt.AddPtrOp(self.to_shape(base, shape), self.offsets(shape))) if shape else base

    def load(self, element: Attribute, shape: tuple[int, ...]) -> SSAValue:
        pointer = self.pointer(element, shape)
        if self.random.random() < 0.5:
            mask = self.pick(i1, shape)
            other = self.constant(element, shape) if self.random.random() < 0.7 else None
            return self.add(tt.LoadOp(pointer, mask, other))
        return self.add(tt.LoadOp(pointer))

    def pick(self, element: Attribute, shape: tuple[int, ...]) -> SSAValue:
        """A value of that type: one that there is, made to fit, or a constant."""
        found = [
            each
            for each in self.values
            if element_of(each.type) == element
            and shape_of(each.type) in (shape, *(() if not shape else SHAPES))
            and all(have in (1, want) for have, want in zip(shape_of(each.type), shape, strict=False))
        ]
        if not found or self.random.random() < 0.2:
            return self.constant(element, shape)
        return self.to_shape(self.random.choice(found), shape)

    def shape(self) -> tuple[int, ...]:
        return self.random.choice(SHAPES)

    def step(self) -> None:
        shape = self.shape()
        kind = self.random.randrange(12)
        if kind < 2:
            element = self.random.choice(INTS)
            if self.random.random() < 0.2:
                amount = self.constant(element, shape, self.random.randrange(element.width.data))
                self.make(self.random.choice(SHIFTS), self.pick(element, shape), amount)
            else:
                self.make(self.random.choice(INT_OPS), self.pick(element, shape), self.pick(element, shape))
        elif kind < 4:
            element = self.random.choice(FLOATS)
            operations = FLOAT_OPS if element in HALVES else (*FLOAT_OPS, *WIDE_FLOAT_OPS)
            self.make(self.random.choice(operations), self.pick(element, shape), self.pick(element, shape))
        elif kind == 4:
            element = self.random.choice(FLOATS)
            predicate = self.random.choice(CMPF_PREDICATES[1:-1])
            left, right = self.pick(element, shape), self.pick(element, shape)
            constants = [isinstance(each.owner, arith.ConstantOp | tt.SplatOp) for each in (left, right)]
            if predicate in ("uno", "ord") and any(constants):
                predicate = "olt"
            self.make(arith.CmpfOp, left, right, predicate)
        elif kind == 5:
            element = self.random.choice(INTS)
            predicate = self.random.choice(CMPI_PREDICATES)
            self.make(arith.CmpiOp, self.pick(element, shape), self.pick(element, shape), predicate)
        elif kind == 6:
            element = self.random.choice((*INTS, *FLOATS, i1))
            operands = (self.pick(i1, shape), self.pick(element, shape), self.pick(element, shape))
            self.make(arith.SelectOp, *operands)
        elif kind == 7:
            self.cast(shape)
        elif kind == 8:
            element = self.random.choice((f32, f64))
            self.make(self.random.choice(WIDE_UNARY), self.pick(element, shape))
        elif kind == 9:
            left, right = self.pick(i1, shape), self.pick(i1, shape)
            self.make(self.random.choice((arith.AndIOp, arith.OrIOp, arith.XOrIOp)), left, right)
        else:
            self.load(self.random.choice((*INTS, *FLOATS)), shape)

    def cast(self, shape: tuple[int, ...]) -> None:
        choice = self.random.randrange(6)
        if choice == 0:
            source, result = self.random.choice([(bf16, f32), (f16, f32), (f32, f64), (f16, f64)])
            self.make(arith.ExtFOp, self.pick(source, shape), tile_type(result, shape))
        elif choice == 1:
            source, result = self.random.choice([(f32, bf16), (f32, f16), (f64, f32)])
            self.make(arith.TruncFOp, self.pick(source, shape), tile_type(result, shape))
        elif choice == 2:
            source, result = sorted(self.random.sample((i1, *INTS), 2), key=lambda each: each.width.data)
            operation = arith.ExtUIOp if source == i1 else self.random.choice((arith.ExtUIOp, arith.ExtSIOp))
            self.make(operation, self.pick(source, shape), tile_type(result, shape))
        elif choice == 3:
            result, source = sorted(self.random.sample(INTS, 2), key=lambda each: each.width.data)
            self.make(arith.TruncIOp, self.pick(source, shape), tile_type(result, shape))
        elif choice == 4:
            source, result = self.random.choice((i1, *INTS)), self.random.choice((f32, f64))
            operation = arith.UIToFPOp if source == i1 else self.random.choice((arith.UIToFPOp, arith.SIToFPOp))
            self.make(operation, self.pick(source, shape), tile_type(result, shape))
        else:
            source, result = self.random.choice((f32, f64)), self.random.choice((i32, i64, i8))
            operation = self.random.choice((arith.FPToSIOp, arith.FPToUIOp))
            self.make(operation, self.pick(source, shape), tile_type(result, shape))

    def loop(self, depth: int) -> None:
        """A loop that carries up to three values and may exchange two of them."""
        shapes = [(self.random.choice((f32, i32, f64)), self.shape()) for _ in range(self.random.randrange(1, 4))]
        inits = [self.pick(*each) for each in shapes]
        low = self.add(arith.ConstantOp(IntegerAttr(0, i32)))
        step = self.add(arith.ConstantOp(IntegerAttr(16, i32)))
        high = self.func.body.block.args[len(FLOATS) + len(INTS)]
        body = Block(arg_types=[i32, *(each.type for each in inits)])
        loop = scf.ForOp(low, high, step, inits, Region(body))
        outer, known = self.builder, len(self.values)
        self.builder = Builder(InsertPoint.at_end(body))
        self.values += body.args
        self.steps(8, depth + 1)
        yielded = [self.pick(*each) for each in shapes]
        if len(shapes) > 1 and shapes[0] == shapes[1] and inits[0] is not inits[1]:
            yielded[:2] = [body.args[2], body.args[1]]
        self.store()
        self.builder.insert(scf.YieldOp(*yielded))
        del self.values[known:]
        self.builder = outer
        self.builder.insert(loop)
        self.values += loop.results

    def branch(self, depth: int) -> None:
        """A branch that gives a value."""
        element, shape = self.random.choice((f32, i32)), self.shape()
        condition = self.pick(i1, ())
        if isinstance(condition.owner, arith.ConstantOp):
            return
        regions: list[Region] = []
        outer, known = self.builder, len(self.values)
        for _ in range(2):
            block = Block()
            self.builder = Builder(InsertPoint.at_end(block))
            self.steps(4, depth + 1)
            self.builder.insert(scf.YieldOp(self.pick(element, shape)))
            del self.values[known:]
            regions.append(Region(block))
        self.builder = outer
        self.add(scf.IfOp(condition, [tile_type(element, shape)], regions[0], regions[1]))

    def steps(self, count: int, depth: int) -> None:
        for _ in range(count):
            dice = self.random.random()
            if depth < 2 and dice < 0.06:
                self.loop(depth)
            elif depth < 2 and dice < 0.1:
                self.branch(depth)
            else:
                self.step()

    def store(self) -> None:
        element = self.random.choice((*INTS, *FLOATS))
        candidates = [
            each for each in self.values if element_of(each.type) == element and shape_of(each.type) in SHAPES
        ]
        if candidates:
            value = self.random.choice(candidates)
            self.builder.insert(tt.StoreOp(self.pointer(element, shape_of(value.type)), value))

    def function(self) -> tt.FuncOp:
        for element in (*FLOATS, *INTS):
            self.load(element, FULL)
        self.steps(25, 0)
        for _ in range(6):
            self.store()
        self.builder.insert(tt.ReturnOp())
        self.func.verify()
        return self.func


count, first = int(sys.argv[1]), int(sys.argv[2])
failed: list[str] = []
for seed in range(first, first + count):
    func = Generator(seed).function()
    try:
        difference = disagreement(func)
    except Exception as error:
        difference = f"{type(error).__name__}: {error}\n{func}"
    if difference is not None:
        failed.append(f"seed {seed}: {difference}")
assert not failed, f"{len(failed)} of {count} differ, the first is {failed[0]}"
