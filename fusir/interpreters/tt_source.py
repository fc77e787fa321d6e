"""A `tt` function as a Python function on the machine of `tiles`: one statement an operation, loops as loops.

`compile_function(func)` gives `run(machine, *arguments)`, which executes a chunk of program instances. Tiles that are
no longer used are dropped at once, so that their memory serves the next ones.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Sequence
from contextlib import contextmanager
from typing import Any, cast

import torch
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr
from xdsl.ir import Block, Operation, SSAValue

from fusir.dialects import tt
from fusir.interpreters import combine, tile_ops
from fusir.interpreters.flat import FlatLoop
from fusir.interpreters.index import Affine
from fusir.interpreters.integers import integer_bits, wrap
from fusir.interpreters.narrow import narrowed_shapes
from fusir.interpreters.scalars import elementwise, predicate_of, splat_value, torch_dtype
from fusir.interpreters.tile_integers import CONVERSION_METHODS, INTEGER_METHODS
from fusir.interpreters.tile_values import TileType
from fusir.interpreters.tiles import Accumulation
from fusir.interpreters.tt_analysis import (
    accumulating_operations,
    captured_values,
    constant_number,
    known_combiners,
    largest_tile,
    tile_type,
)

Runner = Callable[..., None]
"""Executes a chunk: the machine, then the arguments of the function."""


def compile_function(func: tt.FuncOp, flat: FlatLoop | None = None) -> Runner:
    """The Python function of a `tt.func`; with its flat form that of one lane.

    Raises NotImplementedError for an operation that is not known.
    """
    source = _Source(func, flat)
    code = compile(source.text(), f"<tt.func {func.sym_name.data}>", "exec")
    namespace = source.constants
    exec(code, namespace)
    return cast(Runner, namespace["run"])


class _Source:
    """The text of the Python function, and the objects that it refers to by name."""

    def __init__(self, func: tt.FuncOp, flat: FlatLoop | None):
        self.func = func
        self._flat = flat
        self._narrowed = {} if flat is not None else narrowed_shapes(func)
        self.constants: dict[str, Any] = {}
        self._constant_names: dict[object, str] = {}
        self._names: dict[SSAValue, str] = {}
        self._lines: list[str] = []
        self._depth = 1
        self._count = 0

    def text(self) -> str:
        """The source text."""
        block = self.func.body.block
        parameters = ", ".join(["run", *(self._define(arg) for arg in block.args)])
        for arg in block.args:
            if not isinstance(arg.type, tt.PointerType) and tile_type(arg.type).dtype.is_floating_point:
                self._line(f"{self._names[arg]} = run.constant({self._names[arg]})")
        self._block(block)
        return "\n".join([f"def run({parameters}):", *(self._lines or ["    pass"])])

    # --- names and lines ----------

    def _define(self, value: SSAValue) -> str:
        self._count += 1
        name = f"v{self._count}"
        self._names[value] = name
        return name

    def _fresh(self, prefix: str) -> str:
        self._count += 1
        return f"{prefix}{self._count}"

    def _constant(self, value: object) -> str:
        """A name for an object; equal hashable descriptions share one."""
        key: object = value if isinstance(value, (TileType, tuple)) else id(value)
        name = self._constant_names.get(key)
        if name is None:
            name = f"k{len(self.constants)}"
            self._constant_names[key] = name
            self.constants[name] = value
        return name

    def _tile(self, value: SSAValue) -> TileType:
        """The tile type of a value, which may be narrower than its type; in the flat form every tile is a scalar."""
        tile = tile_type(value.type)
        if self._flat is not None:
            return tile._replace(shape=())
        shape = self._narrowed.get(value)
        return tile if shape is None else tile._replace(shape=shape)

    def _type(self, value: SSAValue) -> str:
        return self._constant(self._tile(value))

    def _line(self, text: str) -> None:
        self._lines.append("    " * self._depth + text)

    @contextmanager
    def _indented(self) -> Generator[None]:
        self._depth += 1
        before = len(self._lines)
        yield
        if len(self._lines) == before:
            self._line("pass")
        self._depth -= 1

    def _assign(self, op: Operation, expression: str) -> None:
        self._line(f"{self._define(op.results[0])} = {expression}")

    def _of(self, values: Sequence[SSAValue]) -> str:
        return ", ".join(self._names[value] for value in values)

    # --- blocks ----------

    def _block(self, block: Block, omitted: Collection[Operation] = ()) -> None:
        """The operations of a block but the terminator; values of the block are dropped after their last use."""
        last_use: dict[SSAValue, Operation] = {}
        for op in block.ops:
            for inner in op.walk():
                for operand in inner.operands:
                    last_use[operand] = op
        dying: dict[Operation, list[SSAValue]] = {}
        for value, op in last_use.items():
            if value.owner is not block and isinstance(value.owner, Operation) and value.owner.parent is block:
                dying.setdefault(op, []).append(value)
        for op in block.ops:
            if op in omitted:
                continue
            self._operation(op)
            if op is block.last_op:
                break
            dead = [self._names[value] for value in dying.get(op, ()) if value in self._names]
            dead += [self._names[value] for value in op.results if value not in last_use and value in self._names]
            if dead:
                self._line(" = ".join(dead) + " = None")

    def _operation(self, op: Operation) -> None:
        if self._flat is not None:
            if op in self._flat.parts:
                return
            if op in self._flat.indices:
                self._assign(op, "run.program_id")
                return
            if isinstance(op, tt.SplatOp):
                self.same(op)
                return
        handler = _HANDLERS.get(op.name)
        if handler is not None:
            handler(self, op)
            return
        if op.name in INTEGER_METHODS:
            method = INTEGER_METHODS[op.name]
            self._assign(op, f"run.{method}({op.name!r}, {self._of(op.operands)}, {self._type(op.operands[0])})")
        else:
            self._elementwise(op)

    def _elementwise(self, op: Operation) -> None:
        function = elementwise(op)
        if function is None:
            function = tile_ops.elementwise(op)
        if function is None:
            raise NotImplementedError(f"the tt interpreter does not know '{op.name}'")
        name = self._constant(function)
        types = [self._tile(operand) for operand in op.operands]
        if op.name in CONVERSION_METHODS:
            source, result = self._type(op.operands[0]), self._type(op.results[0])
            self._assign(op, f"run.{CONVERSION_METHODS[op.name]}({name}, {self._of(op.operands)}, {source}, {result})")
        elif all(tile.dtype.is_floating_point for tile in types):
            self._assign(op, f"{name}({self._of(op.operands)})")
        else:
            self._assign(op, f"run.apply({name}, {self._constant(tuple(types))}, {self._of(op.operands)})")

    # --- operations ----------

    def constant(self, op: Operation) -> None:
        assert isinstance(op, arith.ConstantOp)
        number = splat_value(op)
        tile = self._tile(op.result)
        if number is None:
            dense = cast(DenseIntOrFPElementsAttr, op.value)
            tensor = torch.tensor(list(dense.get_values()), dtype=tile.dtype).view(1, *tile.shape)
            self._assign(op, f"run.constant({self._constant(tensor)})")
        elif tile.dtype == torch.bool:
            self._assign(op, repr(bool(number)))
        elif tile.dtype.is_floating_point:
            tensor = torch.full((1,) * (len(tile.shape) + 1), number, dtype=tile.dtype)
            self._assign(op, f"run.constant({self._constant(tensor)})")
        else:
            self._assign(op, self._constant(Affine(wrap(int(number), integer_bits(tile.dtype)))))

    def program_id(self, op: Operation) -> None:
        assert isinstance(op, tt.GetProgramIdOp)
        self._assign(op, "run.program_id" if op.axis_index == 0 else self._constant(Affine(0)))

    def program_count(self, op: Operation) -> None:
        assert isinstance(op, tt.GetNumProgramsOp)
        self._assign(op, "run.program_count" if op.axis_index == 0 else self._constant(Affine(1)))

    def make_range(self, op: Operation) -> None:
        assert isinstance(op, tt.MakeRangeOp)
        (extent,) = self._tile(op.result).shape
        self._assign(op, f"run.range({op.start.value.data}, {extent})")

    def splat(self, op: Operation) -> None:
        rank = len(tt.shape_of(op.results[0].type))
        self._assign(op, f"run.splat({self._of(op.operands)}, {rank})")

    def same(self, op: Operation) -> None:
        self._assign(op, self._of(op.operands))

    def expand_dims(self, op: Operation) -> None:
        assert isinstance(op, tt.ExpandDimsOp)
        self._assign(op, f"run.expand_dims({self._of(op.operands)}, {op.axis.value.data})")

    def permute(self, op: Operation) -> None:
        assert isinstance(op, tt.TransOp)
        self._assign(op, f"run.permute({self._of(op.operands)}, {op.permutation!r})")

    def reshape(self, op: Operation) -> None:
        types = f"{self._type(op.operands[0])}, {self._type(op.results[0])}"
        self._assign(op, f"run.reshape({self._of(op.operands)}, {types})")

    def unsplat(self, op: Operation) -> None:
        self._assign(op, f"run.unsplat({self._of(op.operands)})")

    def whole_tiles(self, op: Operation) -> None:
        """Operations that need operands of their whole shape."""
        function = self._constant(tile_ops.WHOLE[op.name](op))
        operands = ", ".join(f"run.full({self._names[value]}, {self._type(value)})" for value in op.operands)
        names = ", ".join(self._define(result) for result in op.results)
        self._line(f"{names} = {function}(run.lead, {operands})")

    def dot(self, op: Operation) -> None:
        assert isinstance(op, tt.DotOp)
        a, b = (f"run.full({self._names[value]}, {self._type(value)})" for value in (op.a, op.b))
        c = f"run.tensor({self._names[op.c]}, {self._type(op.c)})"
        precision = self._constant(op.precision)
        self._assign(op, f"{self._constant(tile_ops.dot)}({a}, {b}, {c}, {precision})")

    def add_pointer(self, op: Operation) -> None:
        assert isinstance(op, tt.AddPtrOp)
        self._assign(op, f"run.add_pointer({self._of(op.operands)}, {self._type(op.offset)})")

    def select(self, op: Operation) -> None:
        types = f"{self._type(op.operands[0])}, {self._type(op.results[0])}"
        self._assign(op, f"run.select({self._of(op.operands)}, {types})")

    def compare(self, op: Operation) -> None:
        self._assign(op, f"run.compare({predicate_of(op)}, {self._of(op.operands)}, {self._type(op.operands[0])})")

    def bitcast(self, op: Operation) -> None:
        result = tt.element_of(op.results[0].type)
        if isinstance(result, tt.PointerType):
            dtype = self._constant(torch_dtype(result.pointee))
            self._assign(op, f"run.cast_pointer({self._of(op.operands)}, {dtype})")
        else:
            self._elementwise(op)

    def pointer_address(self, op: Operation) -> None:
        self._assign(op, f"run.pointer_address({self._of(op.operands)})")

    def load(self, op: Operation) -> None:
        assert isinstance(op, tt.LoadOp)
        mask = "True" if op.mask is None else self._names[op.mask]
        other = "None"
        if op.other is not None:
            number = constant_number(op.other)
            other = self._names[op.other] if number is None else self._constant(number)
        self._assign(op, f"run.load({self._names[op.ptr]}, {mask}, {other}, {self._type(op.result)})")

    def store(self, op: Operation) -> None:
        assert isinstance(op, tt.StoreOp)
        mask = "True" if op.mask is None else self._names[op.mask]
        self._line(f"run.store({self._names[op.ptr]}, {self._names[op.value]}, {mask}, {self._type(op.value)})")

    def descriptor(self, op: Operation) -> None:
        assert isinstance(op, tt.MakeTensorDescriptorOp)
        outside = 'float("nan")' if op.padding_option is tt.PaddingOption.NAN else "0"
        shape, strides = (f"[{self._of(values)}]" for values in (op.shape, op.strides))
        self._assign(op, f"run.descriptor({self._names[op.base]}, {shape}, {strides}, {outside})")

    def descriptor_load(self, op: Operation) -> None:
        assert isinstance(op, tt.DescriptorLoadOp)
        block = f"[{self._of(op.indices)}], {op.descriptor_type.block_shape}"
        self._assign(op, f"run.descriptor_load({self._names[op.desc]}, {block}, {self._type(op.result)})")

    def descriptor_store(self, op: Operation) -> None:
        assert isinstance(op, tt.DescriptorStoreOp)
        block = f"{self._names[op.src]}, {op.descriptor_type.block_shape}"
        indices = f"[{self._of(op.indices)}]"
        self._line(f"run.descriptor_store({self._names[op.desc]}, {indices}, {block}, {self._type(op.src)})")

    def atomic_rmw(self, op: Operation) -> None:
        assert isinstance(op, tt.AtomicRMWOp)
        if tt.TICKET in op.attributes:
            self._assign(op, f"run.ticket({self._names[op.ptr]})")
            return
        mask = "True" if op.mask is None else self._names[op.mask]
        update = self._constant(tile_ops.UPDATES[op.kind.keyword])
        arguments = f"{op.kind.keyword!r}, {update}, {self._names[op.ptr]}, ({self._names[op.val]},), {mask}"
        self._assign(op, f"run.atomic({arguments}, {self._type(op.val)}, {op.result.first_use is not None})")

    def atomic_cas(self, op: Operation) -> None:
        assert isinstance(op, tt.AtomicCASOp)
        update = self._constant(tile_ops.compare_and_swap)
        values = f"({self._names[op.cmp]}, {self._names[op.val]})"
        arguments = f"'cas', {update}, {self._names[op.ptr]}, {values}, True"
        self._assign(op, f"run.atomic({arguments}, {self._type(op.val)}, {op.result.first_use is not None})")

    def assertion(self, op: Operation) -> None:
        assert isinstance(op, tt.AssertOp)
        self._line(f"run.check({self._names[op.condition]}, {op.message.data!r}, {self._type(op.condition)})")

    def fold(self, op: Operation) -> None:
        """`tt.reduce` and `tt.scan`."""
        assert isinstance(op, (tt.ReduceOp, tt.ScanOp))
        axis = f"run.lead + {op.axis_index}"
        reverse = isinstance(op, tt.ScanOp) and bool(op.reverse)
        table = combine.PREFIXES if isinstance(op, tt.ScanOp) else combine.FOLDS
        known = known_combiners(op, table)
        operands = [f"run.full({self._names[value]}, {self._type(value)})" for value in op.srcs]
        names = [self._define(result) for result in op.results]
        if known is not None:
            for name, operand, function in zip(names, operands, known, strict=True):
                if reverse:
                    self._line(f"{name} = {self._constant(function)}({operand}.flip({axis}), {axis}).flip({axis})")
                else:
                    self._line(f"{name} = {self._constant(function)}({operand}, {axis})")
            return
        values = self._constant(tile_ops.same_programs)
        largest = combine.is_extremal(op.combine_op.block) if isinstance(op, tt.ReduceOp) else None
        if largest is not None:
            pair = self._constant(combine.extremal)
            self._line(f"{', '.join(names)} = {pair}(*{values}(run.lead, {', '.join(operands)}), {axis}, {largest})")
            return
        combiner = self._combiner(op.combine_op.block)
        tree = self._constant(combine.scan_tree if isinstance(op, tt.ScanOp) else combine.fold_tree)
        flip = f".flip({axis})" if reverse else ""
        listed = ", ".join(operand + flip for operand in operands)
        self._line(f"{', '.join(names)}, = {tree}({values}(run.lead, {listed}), {axis}, {combiner})")
        if reverse:
            for name in names:
                self._line(f"{name} = {name}.flip({axis})")

    def _combiner(self, block: Block) -> str:
        """Define the function of a combine region; gives its name."""
        name = self._fresh("combine")
        parameters = ", ".join(self._define(arg) for arg in block.args)
        self._line(f"def {name}({parameters}):")
        with self._indented():
            self._block(block)
            terminator = block.last_op
            assert terminator is not None
            returned = [f"run.tensor({self._names[value]}, {self._type(value)})" for value in terminator.operands]
            self._line(f"return ({', '.join(returned)},)")
        return name

    # --- control flow ----------

    def loop(self, op: Operation) -> None:
        assert isinstance(op, scf.ForOp)
        body = op.body.block
        induction, *carried = body.args
        for arg, init in zip(carried, op.iter_args, strict=True):
            self._line(f"{self._define(arg)} = {self._names[init]}")
        for arg, result in zip(carried, op.results, strict=True):
            self._names[result] = self._names[arg]
        kinds = accumulating_operations(op)
        if kinds:
            self._accumulating_loop(op, kinds)
            return
        taken = self._fresh("taken")
        bounds = f"{self._of((op.lb, op.ub, op.step))}, {self._type(op.lb)}"
        self._line(f"for {self._define(induction)}, {taken} in run.iterate({bounds}):")
        with self._indented():
            self._block(body)
            if carried:
                terminator = body.last_op
                assert isinstance(terminator, scf.YieldOp)
                updates = [
                    f"{self._names[new]} if {taken} is True else "
                    f"run.merge({taken}, {self._names[new]}, {self._names[old]}, {self._type(old)})"
                    for new, old in zip(terminator.arguments, carried, strict=True)
                ]
                self._line(f"{self._of(carried)}, = {', '.join(updates)},")

    def _accumulating_loop(self, op: scf.ForOp, kinds: list[Operation]) -> None:
        """A loop whose body is a function of the round and gives what is added to each loop-carried value."""
        body = op.body.block
        induction, *carried = body.args
        captured = captured_values(op)
        name = self._fresh("round")
        self._line(
            f"def {name}({', '.join(['run', self._define(induction), *map(self._names.__getitem__, captured)])}):"
        )
        with self._indented():
            self._block(body, omitted=set(kinds))
            parts = [next(value for value in kind.operands if value not in carried) for kind in kinds]
            added = [f"run.tensor({self._names[part]}, {self._type(part)})" for part in parts]
            self._line(f"return ({', '.join(added)},)")
        types = tuple(self._tile(arg) for arg in carried)
        plan = Accumulation(tuple(kind.name for kind in kinds), types, largest_tile(op))
        values = ", ".join(self._names[value] for value in captured)
        arguments = f"{self._type(op.lb)}, {self._constant(plan)}, [{values}], [{self._of(carried)}]"
        self._line(f"{self._of(carried)}, = run.accumulate({name}, ({self._of((op.lb, op.ub, op.step))}), {arguments})")

    def branch(self, op: Operation) -> None:
        assert isinstance(op, scf.IfOp)
        sides: list[tuple[str, list[str]]] = []
        for region, then in ((op.true_region, True), (op.false_region, False)):
            if not region.blocks:
                continue
            runs, before = self._fresh("runs"), self._fresh("before")
            results = [self._fresh("side") for _ in op.results]
            if results:
                self._line(" = ".join(results) + " = None")
            self._line(f"{runs} = run.branch({self._names[op.cond]}, {then})")
            self._line(f"if {runs} is not False:")
            with self._indented():
                self._line(f"{before} = run.enter({runs})")
                self._block(region.block)
                terminator = region.block.last_op
                assert isinstance(terminator, scf.YieldOp)
                for name, value in zip(results, terminator.arguments, strict=True):
                    self._line(f"{name} = {self._names[value]}")
                self._line(f"run.active = {before}")
            sides.append((runs, results))
        for position, result in enumerate(op.results):
            (runs, then), (_, otherwise) = sides
            values = f"{then[position]}, {otherwise[position]}, {self._type(result)}"
            self._line(f"{self._define(result)} = run.merge({runs}, {values})")
            self._line(f"{then[position]} = {otherwise[position]} = None")

    def wait(self, op: Operation) -> None:
        """An `scf.while` that waits for other programs."""
        wait = tt.as_wait(op)
        if wait is None:
            raise NotImplementedError("the tt interpreter knows no 'scf.while' that does more than wait")
        self._line(f"run.wait({self._names[wait.pointer]}, {self._names[wait.least]}, {self._type(wait.least)})")

    def nothing(self, op: Operation) -> None:
        """Terminators, which the enclosing operation reads, and barriers."""


_HANDLERS: dict[str, Callable[[_Source, Operation], None]] = {
    "arith.constant": _Source.constant,
    "arith.select": _Source.select,
    "arith.cmpi": _Source.compare,
    "tt.get_program_id": _Source.program_id,
    "tt.get_num_programs": _Source.program_count,
    "tt.make_range": _Source.make_range,
    "tt.splat": _Source.splat,
    "tt.unsplat": _Source.unsplat,
    "tt.broadcast": _Source.same,
    "tt.expand_dims": _Source.expand_dims,
    "tt.trans": _Source.permute,
    "tt.reshape": _Source.reshape,
    "tt.join": _Source.whole_tiles,
    "tt.split": _Source.whole_tiles,
    "tt.cat": _Source.whole_tiles,
    "tt.gather": _Source.whole_tiles,
    "tt.histogram": _Source.whole_tiles,
    "tt.addptr": _Source.add_pointer,
    "tt.bitcast": _Source.bitcast,
    "tt.load": _Source.load,
    "tt.store": _Source.store,
    "tt.ptr_to_int": _Source.pointer_address,
    "tt.make_tensor_descriptor": _Source.descriptor,
    "tt.descriptor_load": _Source.descriptor_load,
    "tt.descriptor_store": _Source.descriptor_store,
    "tt.atomic_rmw": _Source.atomic_rmw,
    "tt.atomic_cas": _Source.atomic_cas,
    "tt.assert": _Source.assertion,
    "tt.dot": _Source.dot,
    "tt.reduce": _Source.fold,
    "tt.scan": _Source.fold,
    "scf.for": _Source.loop,
    "scf.if": _Source.branch,
    "scf.while": _Source.wait,
    "scf.yield": _Source.nothing,
    "tt.return": _Source.nothing,
    "tt.reduce.return": _Source.nothing,
    "tt.scan.return": _Source.nothing,
    "gpu.barrier": _Source.nothing,
}
