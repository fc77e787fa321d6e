"""One `graph.fusion` to one `loop.kernel`, one loop nest for each op: naive on purpose, `loop-fuse` does the rest.

Views become index maps at the reader; constants and iotas are computed where they are read. Every other value gets a
buffer: an argument of the kernel, or a `loop.local`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.dialects import arith, math
from xdsl.dialects.builtin import (
    AffineMapAttr,
    AnyFloat,
    ArrayAttr,
    FloatAttr,
    IndexType,
    IntAttr,
    IntegerAttr,
    IntegerType,
    MemRefType,
    StringAttr,
    UnitAttr,
    bf16,
    f16,
    f32,
    i32,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap

from fusir.analysis.expr import (
    Dim,
    as_dim,
    as_expr,
    linearize,
    product,
    row_major_strides,
    simplify,
    symbols_used,
)
from fusir.analysis.nests import CONTRACTION, REDUCED_DIMS, WALKED_ORDER
from fusir.analysis.space import transposition
from fusir.conversion.kernel_symbols import KernelSymbols
from fusir.conversion.pointwise_to_scalar import emit_scalar, has_scalar_form
from fusir.conversion.scalar_builder import ScalarBuilder
from fusir.conversion.value_sources import Source, view_exprs
from fusir.diagnostics import fail
from fusir.dialects import graph
from fusir.dialects.graph import element_type_of, is_unsigned
from fusir.dialects.loop import (
    PRECISION,
    Combiner,
    KernelOp,
    LoadOp,
    LocalOp,
    ParallelOp,
    PrefixOp,
    RandomOp,
    ReduceOp,
    ScanOp,
    StoreOp,
    YieldOp,
    memref_type,
    signless,
)

_INDEX = IndexType()

MAX_SHORT_POSITIONS = 1 << 30
"""Elements whose positions are folded as i32: tiles reach past the end, by less than as much again."""


def fusion_to_kernel(
    fusion: graph.FusionOp,
    name: str,
    argument_types: Sequence[MemRefType],
    result_types: Sequence[MemRefType],
) -> tuple[KernelOp, tuple[int, ...]]:
    """The kernel of `fusion`, with one buffer for each input and then one for each result.

    The memref types are over the symbols of the function. Returns the kernel and the positions of the function symbols
    that it takes, in order; inside the kernel they are renumbered `s0, s1, ...`.

    Raises CompileError for an op that has no form at the loop level.
    """
    return _KernelBuilder(fusion, argument_types, result_types).build(name)


class _KernelBuilder:
    """The kernel of one fusion while it is built: the sources of the values so far, and the buffers."""

    def __init__(
        self, fusion: graph.FusionOp, argument_types: Sequence[MemRefType], result_types: Sequence[MemRefType]
    ):
        self.fusion = fusion
        types = (*argument_types, *result_types)
        self.kernel_symbols = KernelSymbols(fusion, types)
        self.scalars = ScalarBuilder()
        self.kernel_block = Block(
            arg_types=[
                *(self.kernel_symbols.buffer_type(each) for each in types),
                *[_INDEX] * len(self.kernel_symbols.positions),
            ]
        )
        args = self.kernel_block.args
        self.inputs = args[: len(argument_types)]
        self.outputs = args[len(argument_types) : len(types)]
        self.symbols = args[len(types) :]
        for prefix, group in (("in", self.inputs), ("out", self.outputs), ("s", self.symbols)):
            for i, arg in enumerate(group):
                arg.name_hint = f"{prefix}{i}"
        self.locals: list[LocalOp] = []
        self.sources: dict[SSAValue, Source] = {}

    def _dims(self, value: SSAValue) -> tuple[Dim, ...]:
        return self.kernel_symbols.dims_of(value)

    def build(self, name: str) -> tuple[KernelOp, tuple[int, ...]]:
        body = self.fusion.block
        for arg, buffer in zip(body.args, self.inputs, strict=True):
            self.sources[arg] = Source.of_buffer(buffer, len(self._dims(arg)))
        targets: dict[SSAValue, list[SSAValue]] = {}
        yield_op = body.last_op
        assert isinstance(yield_op, graph.YieldOp)
        for value, buffer in zip(yield_op.operands, self.outputs, strict=True):
            targets.setdefault(value, []).append(buffer)
        for op in body.ops:
            if op is not yield_op:
                self._convert(op, targets)
        for value, buffers in targets.items():
            for buffer in buffers:
                source = self.sources[value]
                if source.buffer is not buffer:
                    self._copy(value, buffer)
        header = [*self.scalars.constants.values(), *self.locals]
        first = self.kernel_block.first_op
        if first is None:
            self.kernel_block.add_ops(header)
        else:
            self.kernel_block.insert_ops_before(header, first)
        kernel = KernelOp(name, Region(self.kernel_block), location=self.fusion.location)
        return kernel, self.kernel_symbols.positions

    # Sources of values

    def _convert(self, op: Operation, targets: dict[SSAValue, list[SSAValue]]) -> None:
        result = op.results[0]
        dims = self._dims(result)
        if isinstance(op, graph.FullOp):
            self.sources[result] = Source.of_constant(op.value)
            return
        if isinstance(op, graph.IotaOp):
            self.sources[result] = Source.of_index(op.dim)
            return
        if isinstance(op, graph.ViewOp):
            self.sources[result] = self.sources[op.operands[0]].view(view_exprs(op, self.kernel_symbols), dims)
            return
        self.scalars.location = op.location
        buffers = targets.get(result)
        buffer = buffers[0] if buffers else self._local(result, dims)
        if isinstance(op, graph.ReduceOp):
            self._reduce(op, dims, buffer)
        elif isinstance(op, graph.ScanOp):
            self._scan(op, dims, buffer)
        elif isinstance(op, graph.ContractOp):
            self._contract(op, dims, buffer)
        else:
            nest = self._nest(op, dims, buffer)
            if buffers:
                self._set_order(nest, result)
        self.sources[result] = Source.of_buffer(buffer, len(dims))

    def _local(self, value: SSAValue, dims: Sequence[Dim]) -> SSAValue:
        local = LocalOp(memref_type(signless(element_type_of(value)), dims), location=self.scalars.location)
        local.buffer.name_hint = value.name_hint
        self.locals.append(local)
        return local.buffer

    # Loop nests

    def _loop(self, dims: Sequence[Dim]) -> tuple[Block, AffineMapAttr, Sequence[SSAValue]]:
        """An empty loop body over `dims` with its bounds and symbol operands."""
        symbols = self.symbols if any(not isinstance(dim, int) for dim in dims) else ()
        bounds = AffineMapAttr(AffineMap(0, len(symbols), tuple(as_expr(dim) for dim in dims)))
        return Block(arg_types=[_INDEX] * len(dims)), bounds, symbols

    def _parallel(self, dims: Sequence[Dim], fill: Callable[[Sequence[SSAValue]], None]) -> ParallelOp:
        """A top-level nest over `dims`; rank 0 is one iteration."""
        block, bounds, symbols = self._loop(dims or (1,))
        outer, self.scalars.block = self.scalars.block, block
        fill(block.args[: len(dims)])
        self.scalars.block = outer
        op = ParallelOp(bounds, symbols, Region(block), location=self.scalars.location)
        self.kernel_block.add_op(op)
        return op

    def _access(self, exprs: Sequence[AffineExpr], indices: Sequence[SSAValue]) -> tuple[AffineMapAttr, list[SSAValue]]:
        symbols = self.symbols if any(symbols_used(expr) for expr in exprs) else ()
        return AffineMapAttr(AffineMap(len(indices), len(symbols), tuple(exprs))), [*indices, *symbols]

    def _read(
        self,
        value: SSAValue,
        indices: Sequence[SSAValue],
        exprs: Sequence[AffineExpr] | None = None,
        predicate: SSAValue | None = None,
        dims: Sequence[Dim] = (),
    ) -> SSAValue:
        """The element of `value` at `indices`, or at `exprs` over them (of extents `dims`), where `predicate` holds."""
        source = self.sources[value]
        element = element_type_of(value)
        if source.constant is not None:
            assert isinstance(source.constant, FloatAttr | IntegerAttr)
            return self.scalars.constant(source.constant.value.data, signless(element))
        if exprs is not None:
            source = source.view(exprs, dims)
        index_map, operands = self._access(source.exprs, indices)
        if source.buffer is None:
            index = self.scalars.add(arith.IndexCastOp(self.scalars.index(index_map, operands), i64))
            return self.scalars.convert(index, signless(element), False, is_unsigned(element))
        return self.scalars.add(LoadOp(source.buffer, index_map, operands, predicate))

    def _store(self, value: SSAValue, buffer: SSAValue, indices: Sequence[SSAValue]) -> None:
        identity = AffineMapAttr(AffineMap.identity(len(indices)))
        self.scalars.block.add_op(StoreOp(value, buffer, identity, indices, location=self.scalars.location))

    def _copy(self, value: SSAValue, buffer: SSAValue) -> None:
        nest = self._parallel(self._dims(value), lambda i: self._store(self._read(value, i), buffer, i))
        self._set_order(nest, value)

    def _set_order(self, nest: ParallelOp, value: SSAValue) -> None:
        """Tell the order of dims in which the nest of a result of the fusion is to be walked, if it is transposed."""
        permute = transposition(value)
        if permute is not None:
            permutation = permute.permutation
            order = sorted(range(len(permutation)), key=lambda dim: permutation[dim])
            nest.attributes[WALKED_ORDER] = ArrayAttr([IntAttr(dim) for dim in order])

    def _nest(self, op: Operation, dims: Sequence[Dim], buffer: SSAValue) -> ParallelOp:
        def fill(indices: Sequence[SSAValue]) -> None:
            match op:
                case graph.PadOp():
                    value = self._pad(op, dims, indices)
                case graph.ConcatOp():
                    value = self._concat(op, dims, indices)
                case graph.GatherOp():
                    value = self._gather(op, indices)
                case graph.RandomOp():
                    value = self._random(op, dims, indices)
                case graph.PointwiseOp() if has_scalar_form(op):
                    value = emit_scalar(self.scalars, op, [self._read(operand, indices) for operand in op.operands])
                case _:
                    fail(op, f"{op.name} has no form at the loop level")
            value.name_hint = op.results[0].name_hint
            self._store(value, buffer, indices)

        return self._parallel(dims, fill)

    def _reduce(self, op: graph.ReduceOp, dims: Sequence[Dim], buffer: SSAValue) -> None:
        operand_dims = self._dims(op.operand)
        reduced = op.dims
        kept = [i for i in range(len(operand_dims)) if i not in reduced]
        element = signless(element_type_of(op.operand))
        combiner = _combiner(str(op.kind), element, is_unsigned(element_type_of(op.operand)))

        def fill(indices: Sequence[SSAValue]) -> None:
            inner_dims = [operand_dims[i] for i in reduced]
            block, bounds, symbols = self._loop(inner_dims)
            outer, self.scalars.block = self.scalars.block, block
            at: dict[int, SSAValue] = dict(zip(kept, indices, strict=True))
            at |= dict(zip(reduced, block.args, strict=True))
            value = self._read(op.operand, [at[i] for i in range(len(operand_dims))])
            if combiner.has_index and is_unsigned(element_type_of(op.operand)):
                # The arg combiners compare signed; in 16 bits every ui8 is positive.
                value = self.scalars.add(arith.ExtUIOp(value, IntegerType(16)))
            yielded = [value]
            if combiner.has_index:
                yielded.append(self._position(inner_dims, block.args, position_type(inner_dims)))
            elif combiner is Combiner.SUMEXP:
                yielded = self._exponential(value)
            block.add_op(YieldOp(yielded, location=op.location))
            self.scalars.block = outer
            reduce = ReduceOp(
                [combiner], bounds, symbols, Region(block), [v.type for v in yielded], location=op.location
            )
            reduce.attributes[REDUCED_DIMS] = ArrayAttr([IntAttr(i) for i in reduced])
            outer.add_op(reduce)
            result = reduce.results[-1]
            if combiner is Combiner.SUMEXP:
                result = self._logarithm(reduce.results, element)
            result.name_hint = op.result.name_hint
            if combiner.has_index:
                result = self.scalars.convert(result, i64, False, False)
            self._store(result, buffer, indices)

        self._parallel(dims, fill)

    def _contract(self, op: graph.ContractOp, dims: Sequence[Dim], buffer: SSAValue) -> None:
        """A sum of products for each element of the result, accumulated in the wide type of the operands."""
        lhs_dims = self._dims(op.lhs)
        wide = signless(graph.wide_element(element_type_of(op.lhs)))
        batch = len(op.lhs_batch)
        rows = [d for d in range(len(lhs_dims)) if d not in (*op.lhs_batch, *op.lhs_contract)]
        columns = [d for d in range(len(self._dims(op.rhs))) if d not in (*op.rhs_batch, *op.rhs_contract)]

        def fill(indices: Sequence[SSAValue]) -> None:
            block, bounds, symbols = self._loop([lhs_dims[d] for d in op.lhs_contract])
            outer, self.scalars.block = self.scalars.block, block
            factors: list[SSAValue] = []
            first_column = batch + len(rows)
            for value, places, free in (
                (op.lhs, (op.lhs_batch, rows, op.lhs_contract), indices[batch:first_column]),
                (op.rhs, (op.rhs_batch, columns, op.rhs_contract), indices[first_column:]),
            ):
                at: dict[int, SSAValue] = {}
                for dims_of_value, index in zip(places, (indices[:batch], free, block.args), strict=True):
                    at |= zip(dims_of_value, index, strict=True)
                factor = self._read(value, [at[d] for d in range(len(at))])
                factors.append(self.scalars.convert(factor, wide, False, False))
            multiply = arith.MulfOp if isinstance(wide, AnyFloat) else arith.MuliOp
            lhs, rhs = factors
            block.add_op(YieldOp([self.scalars.add(multiply(lhs, rhs))], location=op.location))
            self.scalars.block = outer
            reduce = ReduceOp([Combiner.ADD], bounds, symbols, Region(block), [wide], location=op.location)
            reduce.attributes[CONTRACTION] = UnitAttr()
            if op.precision is not graph.Precision.IEEE:
                reduce.attributes[PRECISION] = StringAttr(op.precision.value)
            outer.add_op(reduce)
            reduce.results[0].name_hint = op.result.name_hint
            element = signless(element_type_of(op.result))
            self._store(self.scalars.convert(reduce.results[0], element, False, False), buffer, indices)

        self._parallel(dims, fill)

    def _scan(self, op: graph.ScanOp, dims: Sequence[Dim], buffer: SSAValue) -> None:
        unsigned = is_unsigned(element_type_of(op.operand))
        kind = str(op.kind)
        element = signless(element_type_of(op.operand))
        combiner = _SCAN_COMBINERS.get(kind) or _combiner(kind, element, unsigned)

        def fill(indices: Sequence[SSAValue]) -> None:
            block, bounds, symbols = self._loop([dims[op.dim]])
            outer, self.scalars.block = self.scalars.block, block
            at = [*indices[: op.dim], block.args[0], *indices[op.dim :]]
            values = [self._read(op.operand, at)]
            if combiner.has_index:
                if unsigned:
                    # As in a reduction, positive in 16 bits.
                    values = [self.scalars.add(arith.ExtUIOp(values[0], IntegerType(16)))]
                values.append(self._position([dims[op.dim]], block.args))
            elif combiner is Combiner.SUMEXP:
                values = self._exponential(values[0])
            prefix = PrefixOp(combiner, values, location=op.location)
            block.add_op(prefix)
            value = prefix.results[-1]
            if combiner is Combiner.SUMEXP:
                value = self._logarithm(prefix.results, element)
            value.name_hint = op.result.name_hint
            self._store(value, buffer, at)
            self.scalars.block = outer
            outer.add_op(ScanOp(bounds, symbols, Region(block), op.reverse, location=op.location))

        self._parallel([*dims[: op.dim], *dims[op.dim + 1 :]], fill)

    def _exponential(self, value: SSAValue) -> list[SSAValue]:
        """What a sum of exponentials folds for one element, in f32 at least: a maximum, and a sum relative to it."""
        if value.type in (f16, bf16):
            value = self.scalars.add(arith.ExtFOp(value, f32))
        return [value, self.scalars.constant(1.0, value.type)]

    def _logarithm(self, pair: Sequence[SSAValue], element: Attribute) -> SSAValue:
        """The logarithm of the sum of exponentials that was folded, as this type."""
        maximum, total = pair
        value = self.scalars.add(arith.AddfOp(maximum, self.scalars.add(math.LogOp(total))))
        return value if value.type == element else self.scalars.add(arith.TruncFOp(value, element))

    def _in_range(self, index: SSAValue, low: Dim, high: Dim | None) -> SSAValue:
        """`low <= index` and, unless None, `index < high`."""
        checks = [arith.CmpiOp(index, self._dim_value(low), "sge")] if low != 0 else []
        if high is not None:
            checks.append(arith.CmpiOp(index, self._dim_value(high), "slt"))
        values = [self.scalars.add(check) for check in checks]
        if not values:
            return self.scalars.constant(1, IntegerType(1))
        return values[0] if len(values) == 1 else self.scalars.add(arith.AndIOp(values[0], values[1]))

    def _dim_value(self, dim: Dim) -> SSAValue:
        index_map, operands = self._access([as_expr(dim)], ())
        return self.scalars.index(index_map, operands)

    def _pad(self, op: graph.PadOp, dims: Sequence[Dim], indices: Sequence[SSAValue]) -> SSAValue:
        d = [AffineExpr.dimension(i) for i in range(len(dims))]
        inside: SSAValue | None = None
        exprs: list[AffineExpr] = []
        operand_dims = self._dims(op.operand)
        lows = [self.kernel_symbols.dim(low) for low in op.low]
        highs = [self.kernel_symbols.dim(high) for high in op.high]
        for i, (low, high) in enumerate(zip(lows, highs, strict=True)):
            exprs.append(simplify(d[i] - as_expr(low)))
            if low == 0 and high == 0:
                continue
            end = None if high == 0 else as_dim(simplify(as_expr(low) + as_expr(operand_dims[i])))
            check = self._in_range(indices[i], low, end)
            inside = check if inside is None else self.scalars.add(arith.AndIOp(inside, check))
        value = self._read(op.operand, indices, exprs, inside)
        if inside is None:
            return value
        assert isinstance(op.value, FloatAttr | IntegerAttr)
        fill = self.scalars.constant(op.value.value.data, value.type)
        return self.scalars.add(arith.SelectOp(inside, value, fill))

    def _concat(self, op: graph.ConcatOp, dims: Sequence[Dim], indices: Sequence[SSAValue]) -> SSAValue:
        dim = op.dim
        d = [AffineExpr.dimension(i) for i in range(len(dims))]
        parts: list[tuple[SSAValue, Dim, Dim]] = []
        start: Dim = 0
        for operand in op.operands:
            end = as_dim(simplify(as_expr(start) + as_expr(self._dims(operand)[dim])))
            parts.append((operand, start, end))
            start = end
        result: SSAValue | None = None
        for position, (operand, low, high) in reversed(list(enumerate(parts))):
            if low == high:
                continue
            last = position == len(parts) - 1
            inside = self._in_range(indices[dim], low, None if last else high) if len(parts) > 1 else None
            exprs = [simplify(d[i] - as_expr(low)) if i == dim else d[i] for i in range(len(d))]
            value = self._read(operand, indices, exprs, inside)
            if result is None or inside is None:
                result = value
            else:
                below = self._in_range(indices[dim], 0, high)
                result = self.scalars.add(arith.SelectOp(below, value, result))
        if result is None:
            return self._read(op.operands[0], indices)
        return result

    def _gather(self, op: graph.GatherOp, indices: Sequence[SSAValue]) -> SSAValue:
        operand_dims = self._dims(op.operand)
        gathered = op.dims
        index_rank = len(self._dims(op.indices[0]))
        at: dict[int, SSAValue] = {}
        inside: SSAValue | None = None
        for dim, index in zip(gathered, op.indices, strict=True):
            value = self._read(index, indices[:index_rank])
            unsigned = is_unsigned(element_type_of(index))
            value = self.scalars.convert(value, i64, unsigned, False)
            position = self.scalars.add(arith.IndexCastOp(value, _INDEX))
            at[dim] = position
            checks = [
                arith.CmpiOp(position, self.scalars.constant(0, _INDEX), "sge"),
                arith.CmpiOp(position, self._dim_value(operand_dims[dim]), "slt"),
            ]
            for check in checks:
                holds = self.scalars.add(check)
                inside = holds if inside is None else self.scalars.add(arith.AndIOp(inside, holds))
        rest = [i for i in range(len(operand_dims)) if i not in at]
        at |= dict(zip(rest, indices[index_rank:], strict=True))
        value = self._read(op.operand, [at[i] for i in range(len(operand_dims))], predicate=inside)
        assert inside is not None
        return self.scalars.add(arith.SelectOp(inside, value, self.scalars.constant(0, value.type)))

    def _random(self, op: graph.RandomOp, dims: Sequence[Dim], indices: Sequence[SSAValue]) -> SSAValue:
        seed = self._read(op.seed, ())
        offset = self.scalars.constant(op.offset, i64)
        return self.scalars.add(RandomOp(seed, offset, self._position(dims, indices)))

    def _position(self, dims: Sequence[Dim], indices: Sequence[SSAValue], integer: IntegerType = i64) -> SSAValue:
        """The row-major position of `indices` in a box of extents `dims`, as an integer."""
        d = [AffineExpr.dimension(i) for i in range(len(dims))]
        index_map, operands = self._access([linearize(d, row_major_strides(dims))], indices)
        return self.scalars.add(arith.IndexCastOp(self.scalars.index(index_map, operands), integer))


def position_type(dims: Sequence[Dim]) -> IntegerType:
    """What the positions in a box of extents `dims` are folded as: i32, half the registers, where it will do."""
    count = product(dims)
    return i32 if isinstance(count, int) and count <= MAX_SHORT_POSITIONS else i64


_SCAN_COMBINERS = {
    "argmax": Combiner.LAST_ARGMAX,
    "argmin": Combiner.LAST_ARGMIN,
}
"""The combiners of the kinds that reductions have with the first index instead of the last."""


def _combiner(kind: str, element: Attribute, unsigned: bool) -> Combiner:
    """The loop-level combiner of a graph reduction."""
    if kind in ("argmax", "argmin"):
        return Combiner(kind)
    if kind == "logsumexp":
        return Combiner.SUMEXP
    if isinstance(element, AnyFloat) or not (unsigned or element == IntegerType(1)):
        table = {"sum": Combiner.ADD, "prod": Combiner.MUL, "max": Combiner.MAX, "min": Combiner.MIN}
    else:
        table = {"sum": Combiner.ADD, "prod": Combiner.MUL, "max": Combiner.UMAX, "min": Combiner.UMIN}
    table |= {"any": Combiner.OR, "all": Combiner.AND}
    return table[kind]
