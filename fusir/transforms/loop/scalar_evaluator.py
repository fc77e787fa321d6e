"""Evaluation of loop nests at given indices: substitution, forwarding, value numbering and hoisting by support."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import cast

from xdsl.dialects import affine, arith
from xdsl.dialects.builtin import AffineMapAttr, ArrayAttr, IndexType, IntegerAttr, IntegerType, UnitAttr, i64
from xdsl.ir import Attribute, Block, BlockArgument, Operation, Region, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineExpr, AffineMap
from xdsl.utils.exceptions import DiagnosticException

from fusir.analysis.accesses import build_map
from fusir.analysis.expr import Dim, as_expr, bounds, dims_used, linearize, row_major_strides, simplify, substitute
from fusir.analysis.nests import CONTRACTION, Alignment, Nest, kernel_extents, symbol_number
from fusir.conversion.scalar_builder import ScalarBuilder
from fusir.dialects.loop import PRECISION, Combiner, KernelOp, LoadOp, PrefixOp, ReduceOp, ScanOp, StoreOp, YieldOp

_INDEX = IndexType()
_I1 = IntegerType(1)
_WITH_POSITION = {Combiner.MAX: Combiner.LAST_ARGMAX, Combiner.MIN: Combiner.LAST_ARGMIN}
"""The combiner that finds an extremum and where it is. Among zeros of both signs it gives that of the index."""

_EQUAL = arith.CMPI_COMPARISON_OPERATIONS.index("eq")


@dataclass(eq=False)
class _Scope:
    """A block that code is emitted into, within the blocks of the scopes before."""

    block: Block
    dims: tuple[int, ...] = ()
    """The factors, or aliases of them, that its loop walks."""
    numbers: dict[object, SSAValue] = field(default_factory=dict)
    """What is known by value numbering, of values of this block."""
    values: list[SSAValue] = field(default_factory=list)
    """Its values, which are not visible outside."""


class ScalarEvaluator:
    """Emits the scalars of nests into an outer block and the blocks of loops in it, each as far out as it can be.

    Indices are expressions over `d<i>`, the index of factor `i` of the box (or its alias, see `Alignment`), over the
    symbols of the kernel, and over further dims that stand for indices computed at run time.
    """

    def __init__(self, kernel: KernelOp, nests: Sequence[Nest], alignment: Alignment):
        self.kernel = kernel
        self.alignment = alignment
        self.by_buffer = {nest.buffer: nest for nest in nests}
        self.contractions: dict[Sequence[Dim], list[Nest]] = {}
        """The contractions by the extents of their loops: these share one loop."""
        for nest in nests:
            if nest.contraction is not None:
                self.contractions.setdefault(kernel_extents(nest.contraction), []).append(nest)
        self.contracted_dims: dict[Sequence[Dim], range] = {}
        """The dims of the index expressions that are the indices of such a loop."""
        self.ranges = alignment.ranges
        for extents in self.contractions:
            self.contracted_dims[extents] = range(len(self.ranges), len(self.ranges) + len(extents))
            self.ranges += tuple(extents)
        self.builder = ScalarBuilder()
        self.old_constants: set[SSAValue] = set()
        for op in kernel.body.block.ops:
            if isinstance(op, arith.ConstantOp):
                self.old_constants.add(op.result)
        self.scopes: list[_Scope] = []
        self.depths: dict[SSAValue, int] = {}
        """The scope of each value that is not in the outermost one."""
        self.index_values: dict[int, SSAValue] = {}
        """What the dims of expressions are: loop indices and run-time indices."""
        self.run_time_dims: dict[SSAValue, int] = {}
        self.run_time_count = 0
        self.index_exprs: dict[SSAValue, AffineExpr] = {}
        """The index that an integer value was cast from."""
        self.reductions: dict[Nest, list[SSAValue]] = {}
        self.prefixes: dict[tuple[Combiner, tuple[SSAValue, ...]], Sequence[SSAValue]] = {}
        """What is folded in the inner block, by combiner and values."""

    # Scopes

    def enter(self, block: Block, places: Sequence[int]) -> None:
        """Use `block`, whose arguments walk the factors at `places`, for what depends on these factors."""
        depth = len(self.scopes)
        self.scopes.append(_Scope(block, tuple(places)))
        self.index_values |= dict(zip(places, block.args, strict=False))
        if depth:
            self.depths |= dict.fromkeys(block.args, depth)

    def leave(self) -> None:
        """Forget the innermost block: its values are not visible any more."""
        scope = self.scopes.pop()
        for dim in scope.dims:
            self.index_values.pop(dim, None)
        for value in (*scope.block.args, *scope.values):
            self.run_time_dims.pop(value, None)
            self.depths.pop(value, None)
        gone = set(scope.values)
        self.reductions = {
            nest: results
            for nest, results in self.reductions.items()
            if nest.contraction is None or results[0] not in gone
        }
        self.prefixes.clear()

    def discard(self) -> None:
        """Erase all that was emitted, so that nothing of it uses the values of the kernel."""
        for scope in reversed(self.scopes):
            scope.block.erase(safe_erase=False)

    def new_constants(self) -> list[Operation]:
        """The constants that the emitted code uses beside those of the kernel; they go to the top of the kernel."""
        return list(self.builder.constants.values())

    # What loop-fuse asks for

    def store(self, nest: Nest, index: Sequence[AffineExpr]) -> None:
        """Evaluate `nest` at `index` and store it into its buffer."""
        if nest in self.alignment.full or not self.alignment.box.inner:
            self._contract_first(nest)
        value = self._value_of(nest, tuple(index), None)
        index_map, operands = self._access(index)
        predicate = self._is_first() if nest in self.alignment.scalar else None
        op = StoreOp(value, nest.buffer, index_map, operands, predicate, location=nest.store.location)
        self.scopes[-1].block.add_op(op)

    def _is_first(self) -> SSAValue | None:
        """Whether all parallel indices are 0, as a comparison of one flat index; None where there is only one point."""
        box = self.alignment.box
        extents = [box.extents[i] for i in box.parallel]
        flat = linearize([AffineDimExpr(i) for i in box.parallel], row_major_strides(extents))
        if isinstance(flat, AffineConstantExpr):
            return None
        operands = [self._materialize(flat), self.builder.constant(0, _INDEX)]
        return self._emit(arith.CmpiOp, operands, {"predicate": IntegerAttr(_EQUAL, i64)}, _I1)

    def fold(self, nest: Nest) -> None:
        """Evaluate a scan nest at its own place, so that others find what it folds."""
        self._value_of(nest, tuple(self.alignment.index[nest]), None)

    def reduction_operands(self, nest: Nest) -> list[SSAValue]:
        """What the body of the reduction nest yields, with the nest in its place in the box."""
        reduce = nest.reduce
        assert reduce is not None
        self._contract_first(nest)
        index = self.alignment.index[nest]
        env = self._bind(nest, index)
        outer_ops = [op for op in nest.op.body.block.ops if op is not reduce]
        inner = dict(zip(reduce.indices, self.alignment.inner_index[nest], strict=False))
        before = outer_ops[: list(nest.op.body.block.ops).index(reduce)]
        values = self._evaluate(before, env, {}, None)
        values = self._evaluate(list(reduce.body.block.ops)[:-1], env | inner, values, None)
        terminator = reduce.body.block.last_op
        assert isinstance(terminator, YieldOp)
        return [self._operand(value, values) for value in terminator.values]

    def _contract_first(self, nest: Nest) -> None:
        """Emit the contractions before what else a nest reads: that need not be kept while they are computed."""
        for together in self.contractions.values():
            if nest.is_contracted and together[0] not in self.reductions:
                self._contract(together[0])

    def _contract(self, nest: Nest) -> None:
        """Emit the loop of a contraction, and of all that have the same loop, into the innermost block."""
        assert nest.contraction is not None
        extents = kernel_extents(nest.contraction)
        together = self.contractions[extents]
        dims = self.contracted_dims[extents]
        block = Block(arg_types=[_INDEX] * len(dims))
        self.enter(block, dims)
        yielded: list[SSAValue] = []
        for each in together:
            assert each.contraction is not None
            env = self._bind(each, self.alignment.index[each])
            env |= zip(each.contraction.indices, map(AffineDimExpr, dims), strict=True)
            values = self._evaluate(list(each.contraction.body.block.ops)[:-1], env, {}, None)
            yielded += (self._operand(value, values) for value in each.contraction.yield_op.values)
        block.add_op(YieldOp(yielded, location=nest.contraction.location))
        self.leave()
        symbols = [] if all(isinstance(extent, int) for extent in extents) else self.kernel.symbols
        bounds = AffineMapAttr(AffineMap(0, len(symbols), tuple(as_expr(extent) for extent in extents)))
        combiners = [combiner for each in together for combiner in cast(ReduceOp, each.contraction).combiners]
        reduce = ReduceOp(
            ArrayAttr(combiners),
            bounds,
            symbols,
            Region(block),
            [value.type for value in yielded],
            location=nest.contraction.location,
        )
        reduce.attributes[CONTRACTION] = UnitAttr()
        precisions = {cast(ReduceOp, each.contraction).attributes.get(PRECISION) for each in together}
        if len(precisions) == 1 and (precision := precisions.pop()) is not None:
            reduce.attributes[PRECISION] = precision
        self.scopes[-1].block.add_op(reduce)
        for each, result in zip(together, reduce.results, strict=True):
            result.name_hint = cast(ReduceOp, each.contraction).results[0].name_hint
            self.define_reduction(each, [result])

    def define_reduction(self, nest: Nest, results: Sequence[SSAValue]) -> None:
        """Tell the values of a reduction nest at its own place in the box."""
        self.reductions[nest] = list(results)
        if depth := len(self.scopes) - 1:
            self.depths |= dict.fromkeys(results, depth)
            self.scopes[-1].values += results

    # Evaluation

    def _bind(self, nest: Nest, index: Sequence[AffineExpr]) -> dict[SSAValue, AffineExpr]:
        zero: AffineExpr = AffineConstantExpr(0)
        env: dict[SSAValue, AffineExpr] = dict.fromkeys(nest.op.indices, zero)
        return env | dict(zip(nest.indices, index, strict=False))

    def _value_of(self, nest: Nest, index: tuple[AffineExpr, ...], guard: SSAValue | None) -> SSAValue:
        """The scalar that `nest` stores at `index`; loads happen only where `guard` holds."""
        key = ("nest", nest, index, guard)
        known = self._known(key)
        if known is not None:
            return known
        env = self._bind(nest, index)
        values: dict[SSAValue, SSAValue] = {}
        ops = [op for op in nest.op.body.block.ops if op is not nest.store]
        if nest.scan is not None:
            if len(self.scopes) == 1 or index != tuple(self.alignment.index[nest]):
                raise DiagnosticException("a prefix is read at another place than where it is computed")
            # Every prefix needs all elements before it, wherever it is read.
            guard = None
            ops += [op for op in nest.scan.body.block.ops if op is not nest.store]
        if nest.contraction is not None:
            if index != tuple(self.alignment.index[nest]):
                raise DiagnosticException("a contraction is read at another place than where it is computed")
            if nest not in self.reductions:
                self._contract(nest)
            values |= zip(nest.contraction.results, self.reductions[nest], strict=True)
            ops = ops[ops.index(nest.contraction) + 1 :]
        if nest.reduce is not None:
            if index != tuple(self.alignment.index[nest]):
                raise DiagnosticException("a reduction is read at another place than where it is computed")
            if nest not in self.reductions:
                raise DiagnosticException("a reduction is read before it is computed")
            values |= zip(nest.reduce.results, self.reductions[nest], strict=True)
            ops = ops[ops.index(nest.reduce) + 1 :]
        values = self._evaluate(ops, env, values, guard)
        result = self._operand(nest.store.value, values)
        self.scopes[self.depths.get(result, 0)].numbers[key] = result
        return result

    def _evaluate(
        self,
        ops: Sequence[Operation],
        env: dict[SSAValue, AffineExpr],
        values: dict[SSAValue, SSAValue],
        guard: SSAValue | None,
    ) -> dict[SSAValue, SSAValue]:
        """Emit `ops` with index values from `env` and scalars from `values`; extends both and returns `values`."""
        for op in ops:
            self.builder.location = op.location
            match op:
                case affine.ApplyOp():
                    env[op.result] = self._compose(op.map.data, op.mapOperands, env)[0]
                case arith.IndexCastOp() if isinstance(op.result.type, IndexType):
                    env[op.result] = self._index_of(self._operand(op.input, values))
                case arith.IndexCastOp():
                    expr = self._index_expr(op.input, env)
                    value = self._emit(arith.IndexCastOp, [self._materialize(expr)], {}, op.result.type)
                    self.index_exprs[value] = expr
                    values[op.result] = value
                case arith.CmpiOp() if isinstance(op.lhs.type, IndexType):
                    values[op.result] = self._compare_index(op, env)
                case arith.AndIOp() if op.result.type == _I1:
                    lhs, rhs = self._operand(op.lhs, values), self._operand(op.rhs, values)
                    values[op.result] = self._and(lhs, rhs)
                case arith.SelectOp() if (decided := self._decided(self._operand(op.cond, values))) is not None:
                    values[op.result] = self._operand(op.lhs if decided else op.rhs, values)
                case LoadOp():
                    values[op.result] = self._load(op, env, values, guard)
                case ReduceOp() | ScanOp() | StoreOp():
                    continue
                case PrefixOp():
                    folded = self._prefix(op, tuple(self._operand(value, values) for value in op.values))
                    values |= zip(op.results, folded, strict=True)
                case _:
                    operands = [self._operand(operand, values) for operand in op.operands]
                    new = self._emit(type(op), operands, op.properties, op.results[0].type)
                    if new.name_hint is None:
                        new.name_hint = op.results[0].name_hint
                    values[op.results[0]] = new
        return values

    def _load(
        self, op: LoadOp, env: dict[SSAValue, AffineExpr], values: dict[SSAValue, SSAValue], guard: SSAValue | None
    ) -> SSAValue:
        exprs = self._compose(op.map.data, op.indices, env)
        predicate = guard
        if op.predicate is not None:
            own = self._operand(op.predicate, values)
            predicate = own if guard is None else self._and(own, guard)
            if self._decided(predicate) is True:
                predicate = None
        nest = self.by_buffer.get(op.memref)
        other = None if op.other is None else self._operand(op.other, values)
        if nest is not None:
            value = self._value_of(nest, exprs, predicate)
            if other is None or predicate is None:
                return value
            return self._emit(arith.SelectOp, [predicate, value, other], {}, value.type)
        if predicate is not None and self._decided(predicate) is False:
            return other if other is not None else self.builder.constant(0, op.result.type)
        index_map, operands = self._access(exprs)
        key = ("load", op.memref, index_map, tuple(operands), predicate, other)
        if (known := self._known(key)) is not None:
            return known
        depth = self._depth([*operands, *(v for v in (predicate, other) if v is not None)])
        load = LoadOp(op.memref, index_map, operands, predicate, other, location=op.location)
        load.result.name_hint = op.memref.name_hint
        return self._place(load, depth, key)

    def _prefix(self, op: PrefixOp, values: tuple[SSAValue, ...]) -> Sequence[SSAValue]:
        """The prefixes of values over the inner loop, also where they are the same in all its iterations.

        An extremum is known from where it is: that fold has both.
        """
        key = (op.combiner, values)
        known = self.prefixes.get(key)
        if known is None and (positions := _WITH_POSITION.get(op.combiner)) is not None:
            known = next((found for found in self.prefixes if found[0] is positions and found[1][0] is values[0]), None)
            known = None if known is None else self.prefixes[known][:1]
        if known is None:
            prefix = PrefixOp(op.combiner, values, location=op.location)
            for result, old in zip(prefix.results, op.results, strict=True):
                result.name_hint = old.name_hint
            self._place(prefix, len(self.scopes) - 1, (PrefixOp, key))
            known = self.prefixes[key] = prefix.results
        return known

    # Small pieces

    def _operand(self, value: SSAValue, values: dict[SSAValue, SSAValue]) -> SSAValue:
        return values.get(value, value)

    def _compose(
        self, index_map: AffineMap, operands: Sequence[SSAValue], env: dict[SSAValue, AffineExpr]
    ) -> tuple[AffineExpr, ...]:
        exprs = [self._index_expr(operand, env) for operand in operands]
        dims, symbols = exprs[: index_map.num_dims], exprs[index_map.num_dims :]
        return tuple(simplify(substitute(result, dims, symbols), self.ranges) for result in index_map.results)

    def _index_expr(self, value: SSAValue, env: dict[SSAValue, AffineExpr]) -> AffineExpr:
        if (expr := env.get(value)) is not None:
            return expr
        if isinstance(value, BlockArgument):
            return AffineExpr.symbol(symbol_number(value))
        constant = value.owner
        assert isinstance(constant, arith.ConstantOp) and isinstance(constant.value, IntegerAttr)
        return AffineConstantExpr(constant.value.value.data)

    def _index_of(self, value: SSAValue) -> AffineExpr:
        """An integer as an index: the expression it was cast from, a constant, or an index known at run time only."""
        expr = self.index_exprs.get(value)
        if expr is not None and all(dim in self.index_values for dim in dims_used(expr)):
            return expr
        owner = value.owner
        if isinstance(owner, arith.ConstantOp) and isinstance(owner.value, IntegerAttr):
            return AffineConstantExpr(owner.value.value.data)
        return self._run_time_index(self._emit(arith.IndexCastOp, [value], {}, _INDEX))

    def _run_time_index(self, value: SSAValue) -> AffineExpr:
        dim = self.run_time_dims.get(value)
        if dim is None:
            self.run_time_count += 1
            dim = self.run_time_dims[value] = len(self.ranges) + self.run_time_count
            self.index_values[dim] = value
        return AffineDimExpr(dim)

    def _access(self, exprs: Sequence[AffineExpr]) -> tuple[AffineMapAttr, list[SSAValue]]:
        return build_map(exprs, self.index_values, self.kernel)

    def _materialize(self, expr: AffineExpr) -> SSAValue:
        """An index expression as a value."""
        if isinstance(expr, AffineConstantExpr):
            return self.builder.constant(expr.value, _INDEX)
        if isinstance(expr, AffineDimExpr):
            return self.index_values[expr.position]
        index_map, operands = self._access([expr])
        return self._emit(affine.ApplyOp, operands, {"map": index_map}, _INDEX)

    def _compare_index(self, op: arith.CmpiOp, env: dict[SSAValue, AffineExpr]) -> SSAValue:
        """A comparison of indices, decided now where the ranges decide it."""
        lhs, rhs = self._index_expr(op.lhs, env), self._index_expr(op.rhs, env)
        predicate = arith.CMPI_COMPARISON_OPERATIONS[op.predicate.value.data]
        low, high = bounds(lhs + rhs * -1, self.ranges)
        # Symbols of a kernel are extents: where nothing more is known, only what holds for any value is decided.
        decided: bool | None = None
        if predicate == "slt":
            decided = True if high is not None and high < 0 else False if low is not None and low >= 0 else None
        elif predicate == "sge":
            decided = True if low is not None and low >= 0 else False if high is not None and high < 0 else None
        if decided is not None:
            return self.builder.constant(int(decided), _I1)
        operands = [self._materialize(lhs), self._materialize(rhs)]
        return self._emit(arith.CmpiOp, operands, op.properties, _I1)

    def _decided(self, value: SSAValue) -> bool | None:
        """The value of a constant condition."""
        owner = value.owner
        if isinstance(owner, arith.ConstantOp) and value.type == _I1 and isinstance(owner.value, IntegerAttr):
            return bool(owner.value.value.data)
        return None

    def _and(self, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
        for one, other in ((lhs, rhs), (rhs, lhs)):
            decided = self._decided(one)
            if decided is not None:
                return other if decided else one
        return lhs if lhs is rhs else self._emit(arith.AndIOp, [lhs, rhs], {}, _I1)

    def _depth(self, operands: Sequence[SSAValue]) -> int:
        """The outermost scope where all operands are visible."""
        return max((self.depths.get(operand, 0) for operand in operands), default=0)

    def _known(self, key: object) -> SSAValue | None:
        """The value with this number that is visible."""
        return next((scope.numbers[key] for scope in self.scopes if key in scope.numbers), None)

    def _emit(
        self,
        op_class: type[Operation],
        operands: Sequence[SSAValue],
        properties: dict[str, Attribute],
        result_type: Attribute,
    ) -> SSAValue:
        """Emit a pure op as far out as its operands allow, or find its value where it was emitted before."""
        key = (op_class, tuple(operands), tuple(properties.items()), result_type)
        known = self._known(key)
        if known is not None:
            return known
        op = op_class.create(operands=operands, properties=dict(properties), result_types=[result_type])
        if self.builder.location is not None:
            op.location = self.builder.location
        return self._place(op, self._depth(operands), key)

    def _place(self, op: Operation, depth: int, key: object) -> SSAValue:
        """Add an op to the block of a scope, with its number."""
        value = op.results[0]
        scope = self.scopes[depth]
        scope.block.add_op(op)
        scope.numbers[key] = value
        if depth:
            scope.values += op.results
            self.depths |= dict.fromkeys(op.results, depth)
        return value
