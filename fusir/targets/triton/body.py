"""A block of tile ops as Python statements.

Each value becomes a variable, or an expression inside the only statement that uses it where that reads well. Splats,
broadcasts and constants are written where they are used, and only as far as Triton's broadcasting does not imply them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import PurePath

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import BFloat16Type, Float16Type, IntegerAttr, IntegerType, f32, i32
from xdsl.ir import Attribute, Block, Operation, SSAValue

from fusir.diagnostics import fail, place_of
from fusir.dialects import tt
from fusir.dialects.tt import (
    SAME_REGISTER,
    CacheModifier,
    EvictionPolicy,
    MemSemantic,
    MemSyncScope,
    RMWOp,
    as_wait,
    constant_number,
    element_of,
    shape_of,
)
from fusir.dialects.tt.types import is_float8
from fusir.targets.triton.combine import HelperFunctions, helper_name, standard_reduction
from fusir.targets.triton.expr import Expr, Precedence, number_text, typed_alone
from fusir.targets.triton.layout import statement_lines
from fusir.targets.triton.names import ExtentNames, NameTable, block_name, helper_of
from fusir.targets.triton.ops import is_expression, print_expression
from fusir.targets.triton.types import dtype_name

MAX_INLINE_LENGTH = 60
"""Characters of an expression that may become part of a larger one."""

_TRANSPARENT = (tt.SplatOp, tt.BroadcastOp, tt.ExpandDimsOp)
"""Ops that cost nothing to write again at each use."""

_ALWAYS_INSIDE = ("tt.addptr", "tt.make_range", "arith.extf", "arith.truncf", "arith.extsi", "arith.trunci")
"""Ops that never tell the reader more as a statement of their own, wherever they came from."""

_RECOMPUTED = f"""\
    # x in the registers where it is, which the compiler does not see: what is computed of the result is computed
    # again, and not kept from where it was computed of x. Halves take less room than what is computed of them.
    return tl.inline_asm_elementwise("", "{SAME_REGISTER}", [x], dtype=x.dtype, is_pure=True, pack=2)
"""
"""The body of the helper function for `tt.elementwise_inline_asm`."""

_LOOP_OPTIONS = {
    "tt.num_stages": "num_stages",
    "tt.loop_unroll_factor": "loop_unroll_factor",
    "tt.disallow_acc_multi_buffer": "disallow_acc_multi_buffer",
    "tt.flatten": "flatten",
    "tt.warp_specialize": "warp_specialize",
}
"""Attribute of a loop -> option of `tl.range`."""


class BodyPrinter:
    """Prints the ops of a function or combine region as statements."""

    def __init__(self, names: NameTable, extents: ExtentNames, helpers: HelperFunctions, with_places: bool = True):
        """`with_places` ends statements with the place in the user's program as a comment."""
        self.names = names
        self.extents = extents
        self.helpers = helpers
        self.lines: list[str] = []
        self._indent = 1
        self._with_places = with_places
        self._exprs: dict[SSAValue, Expr] = {}

    # ---- values ---------------------------------------------------------------------------------------------------

    def bind(self, value: SSAValue, name: str) -> None:
        """The value is in the variable `name`."""
        self._exprs[value] = Expr(name, shape_of(value.type))

    def use(self, value: SSAValue) -> Expr:
        """The value; a number or of a lesser shape where broadcasting makes up for it."""
        return self._exprs[value]

    def typed(self, value: SSAValue) -> Expr:
        """The value with its own type: never a bare number."""
        expr = self._exprs[value]
        return Expr(_full("[]", expr.text, element_of(value.type))) if expr.literal else expr

    def argument(self, value: SSAValue) -> Expr:
        """The value as an argument of a function: a bare number only if Triton gives it the right type by itself."""
        expr = self._exprs[value]
        if not expr.literal:
            return expr
        number = constant_number(value)
        alone = number is not None and typed_alone(number, element_of(value.type))
        return expr if alone else self.typed(value)

    def _cast_argument(self, value: SSAValue) -> Expr:
        """The value as an argument that Triton casts to its type: also a number whose cast is exact."""
        scalar, number = element_of(value.type), constant_number(value)
        exact = isinstance(scalar, IntegerType | Float16Type | BFloat16Type)
        if exact and number is not None and (isinstance(number, int) or typed_alone(number, f32)):
            return self._exprs[value]
        return self.argument(value)

    def exact(self, value: SSAValue) -> Expr:
        """The value with its own type and its full shape."""
        expr, shape = self._exprs[value], shape_of(value.type)
        if expr.literal:
            scalar = element_of(value.type)
            return Expr(_full(self.shape_text(value), expr.text, scalar), shape)
        if expr.shape == shape:
            return expr
        return Expr(f"tl.broadcast_to({expr.text}, {self.shape_text(value)})", shape)

    def shape_text(self, value: SSAValue) -> str:
        """The shape, or that of a descriptor's block, as a Python list, with the names of block sizes."""
        type_ = value.type
        shape = type_.block_shape if isinstance(type_, tt.TensorDescType) else shape_of(type_)
        return f"[{', '.join(self.extents.name(value, dim) or str(extent) for dim, extent in enumerate(shape))}]"

    # ---- statements -----------------------------------------------------------------------------------------------

    def block(self, block: Block) -> None:
        """All ops of a block but its terminator."""
        for helper, ops in groupby((op for op in block.ops if op is not block.last_op), helper_of):
            if helper is None:
                for op in ops:
                    self._op(op)
            else:
                self._call(helper, list(ops))

    def _call(self, helper: str, ops: Sequence[Operation]) -> None:
        """Ops that are a helper function: the function, and a call of it."""
        made = {result for op in ops for result in op.results}
        inputs = list(dict.fromkeys(each for op in ops for each in op.operands if each not in made))
        outputs = [each for op in ops for each in op.results if any(use.operation not in ops for use in each.uses)]
        printer = BodyPrinter(NameTable(), ExtentNames(), self.helpers, with_places=False)
        parameters = [printer.names.fresh("x") for _ in inputs]
        for value, parameter in zip(inputs, parameters, strict=True):
            printer.bind(value, parameter)
        for op in ops:
            printer._op(op)
        printer._line(f"return {', '.join(printer.exact(each).text for each in outputs)}", ops[-1])
        name = self.helpers.add(helper, ", ".join(parameters), "\n".join(printer.lines) + "\n")
        names = [self._new_name(each) for each in outputs]
        arguments = [self.exact(each).text for each in inputs]
        self._line(f"{', '.join(names)} = {name}({', '.join(arguments)})", ops[-1])
        for value, each in zip(outputs, names, strict=True):
            self.bind(value, each)

    def returned(self, op: Operation) -> None:
        """`return a, b` of the operands of a terminator."""
        self._line(f"return {', '.join(self.typed(each).text for each in op.operands)}", op)

    def _line(self, text: str, op: Operation) -> None:
        place = place_of(op.location) if self._with_places else ""
        comment = ""
        if place:
            path, line, _ = place.rsplit(":", 2)
            comment = f"  # {PurePath(path).name}:{line}"
        self.lines += statement_lines(text, self._indent, comment)

    def _assign(self, op: Operation, value: SSAValue, text: str, base: str | None = None) -> None:
        name = self._new_name(value, base)
        self._line(f"{name} = {text}", op)
        self.bind(value, name)

    def _new_name(self, value: SSAValue, base: str | None = None) -> str:
        if value.name_hint is not None:
            return self.names.fresh(value.name_hint)
        return self.names.fresh(base) if base is not None else self.names.numbered("tmp")

    def _op(self, op: Operation) -> None:
        match op:
            case arith.ConstantOp():
                self._constant(op)
            case tt.SplatOp():
                self._exprs[op.result] = self._source(op, op.src)
            case tt.BroadcastOp():
                self._exprs[op.result] = self._source(op, op.src)
            case tt.ExpandDimsOp():
                self._expand_dims(op)
            case tt.MakeRangeOp():
                self._value(op, self._range(op))
            case tt.LoadOp():
                self._load(op)
            case tt.StoreOp():
                self._store(op)
            case tt.AtomicRMWOp() | tt.AtomicCASOp():
                self._atomic(op)
            case tt.MakeTensorDescriptorOp():
                self._descriptor(op)
            case tt.DescriptorLoadOp():
                self._descriptor_load(op)
            case tt.DescriptorStoreOp():
                self._descriptor_store(op)
            case _ if _is_stride(op):
                self._exprs[op.results[0]] = self._source(op, op.operands[0])
            case tt.AssertOp():
                text = f"tl.device_assert({self.argument(op.condition).text}, {op.message.data!r})"
                self._line(text, op)
            case tt.ReduceOp() | tt.ScanOp():
                self._combine(op)
            case tt.SplitOp():
                lhs, rhs = self._new_name(op.out_lhs), self._new_name(op.out_rhs)
                self._line(f"{lhs}, {rhs} = tl.split({self.exact(op.src).text})", op)
                self.bind(op.out_lhs, lhs)
                self.bind(op.out_rhs, rhs)
            case tt.ElementwiseInlineAsmOp():
                function = self.helpers.add("recomputed", "x", _RECOMPUTED)
                self._assign(op, op.result, f"{function}({self.exact(op.src).text})")
            case scf.ForOp():
                self._for(op)
            case scf.IfOp():
                self._if(op)
            case scf.WhileOp():
                self._wait(op)
            case _ if is_expression(op):
                if any(True for _ in op.results[0].uses):
                    self._value(op, print_expression(self, op))
            case _:
                fail(op, f"{op.name} cannot be written in Triton's language")

    def _constant(self, op: arith.ConstantOp) -> None:
        value, scalar = op.result, element_of(op.result.type)
        name = block_name(op)
        number = constant_number(value)
        if number is None:
            fail(op, "a constant tensor with different elements cannot be written in Triton's language")
        text = name if name is not None else number_text(number, scalar)
        if text is None and number == 0.0:
            self._exprs[value] = Expr(f"{_full('[]', '0.0', scalar)} * -1.0", (), Precedence.MUL)
        elif text is None:
            self._exprs[value] = Expr(f"tl.full([], {number!r}, tl.float32).to({dtype_name(scalar)})")
        else:
            precedence = Precedence.UNARY if text.startswith("-") else Precedence.ATOM
            self._exprs[value] = Expr(text, (), precedence, literal=True)

    def _source(self, op: Operation, src: SSAValue) -> Expr:
        """The operand of a transparent op: a variable if it would be written twice."""
        expr = self._exprs[src]
        if expr.is_name or _use_count(op.results[0]) <= 1:
            return expr
        name = self._new_name(op.results[0])
        self._line(f"{name} = {expr.text}", op)
        return Expr(name, expr.shape)

    def _expand_dims(self, op: tt.ExpandDimsOp) -> None:
        source, rank, axis = self._source(op, op.src), len(shape_of(op.src.type)), op.axis.value.data
        if not source.shape:
            self._exprs[op.result] = source
            return
        indices = [":"] * rank
        indices.insert(axis, "None")
        shape = (*source.shape[:axis], 1, *source.shape[axis:])
        self._exprs[op.result] = Expr(f"{source.atom}[{', '.join(indices)}]", shape)

    def _range(self, op: tt.MakeRangeOp) -> Expr:
        start, end = op.start.value.data, op.end.value.data
        name = block_name(op) if start == 0 else None
        return Expr(f"tl.arange({start}, {name or end})", shape_of(op.result.type))

    def _value(self, op: Operation, expr: Expr) -> None:
        """Bind the result of a pure op: inside its user, or as a variable."""
        result = op.results[0]
        if self._belongs_in_user(op, expr):
            self._exprs[result] = expr
            return
        bases = {"tt.get_program_id": "pid", "tt.get_num_programs": "programs", "tt.make_range": "lane"}
        name = self._new_name(result, bases.get(op.name))
        self._line(f"{name} = {expr.text}", op)
        self._exprs[result] = Expr(name, expr.shape)

    def _belongs_in_user(self, op: Operation, expr: Expr) -> bool:
        result = op.results[0]
        users = list(_users(result, 2))
        if len(users) != 1 or users[0].parent is not op.parent:
            return False
        if isinstance(users[0], tt.DotOp):
            return isinstance(op, tt.TransOp) and result.name_hint is None and expr.text.endswith(".T")
        if isinstance(op, tt.DotOp) and isinstance(users[0], scf.YieldOp):
            return True
        if isinstance(users[0], tt.ReduceOp | tt.ScanOp) and len(users[0].srcs) > 1:
            return False
        if len(expr.text) > MAX_INLINE_LENGTH:
            return False
        if op.name in _ALWAYS_INSIDE or isinstance(users[0], tt.ReduceReturnOp | tt.ScanReturnOp):
            return True
        return result.name_hint is None and place_of(op.location) in ("", place_of(users[0].location))

    # ---- memory ---------------------------------------------------------------------------------------------------

    def _load(self, op: tt.LoadOp) -> None:
        arguments = [self.exact(op.ptr).text]
        if op.mask is not None:
            arguments.append(f"mask={self.argument(op.mask).text}")
        if op.other is not None:
            arguments.append(f"other={self._cast_argument(op.other).text}")
        arguments += _cache_options(op)
        if bool(op.is_volatile):
            arguments.append("volatile=True")
        self._assign(op, op.result, f"tl.load({', '.join(arguments)})", _base_name(op.ptr))

    def _store(self, op: tt.StoreOp) -> None:
        arguments = [self.exact(op.ptr).text, self.argument(op.value).text]
        if op.mask is not None:
            arguments.append(f"mask={self.argument(op.mask).text}")
        arguments += _cache_options(op)
        self._line(f"tl.store({', '.join(arguments)})", op)

    def _atomic(self, op: tt.AtomicRMWOp | tt.AtomicCASOp) -> None:
        arguments = [self.exact(op.ptr).text]
        if isinstance(op, tt.AtomicCASOp):
            name = "tl.atomic_cas"
            arguments += [self.exact(op.cmp).text, self.exact(op.val).text]
        else:
            name, unsigned = _ATOMICS[op.kind]
            is_cast = not unsigned and not shape_of(op.val.type)
            value = Expr(self._cast_argument(op.val).text) if is_cast else self.exact(op.val)
            element = element_of(op.val.type)
            arguments.append(f"{value.atom}.to({dtype_name(element, unsigned=True)})" if unsigned else value.text)
            if unsigned:
                pointer = f"tl.pointer_type({dtype_name(element, unsigned=True)})"
                arguments[0] = f"{self.exact(op.ptr).atom}.to({pointer}, bitcast=True)"
            if op.mask is not None:
                arguments.append(f"mask={self.argument(op.mask).text}")
        sem, scope = MemSemantic.from_attr(op.sem), MemSyncScope.from_attr(op.scope)
        arguments += [f'sem="{sem.keyword}"'] if sem is not MemSemantic.ACQ_REL else []
        arguments += [f'scope="{scope.keyword}"'] if scope is not MemSyncScope.GPU else []
        text = f"{name}({', '.join(arguments)})"
        if any(True for _ in op.result.uses):
            self._assign(op, op.result, text, "old")
        else:
            self._line(text, op)

    def _descriptor(self, op: tt.MakeTensorDescriptorOp) -> None:
        pointer = self.exact(op.base).text
        shape, strides = (", ".join(self.use(each).text for each in values) for values in (op.shape, op.strides))
        arguments = [pointer, f"shape=[{shape}]", f"strides=[{strides}]", f"block_shape={self.shape_text(op.result)}"]
        if op.padding_option is not tt.PaddingOption.ZERO:
            arguments.append(f'padding_option="{op.padding_option.keyword}"')
        base = f"{_base_name(op.base) or 'tensor'}_desc"
        self._assign(op, op.result, f"tl.make_tensor_descriptor({', '.join(arguments)})", base)

    def _descriptor_load(self, op: tt.DescriptorLoadOp) -> None:
        if op.cache_modifier is not CacheModifier.NONE or op.eviction_policy is not EvictionPolicy.EVICT_NORMAL:
            fail(op, "cache options of a descriptor load cannot be written in Triton's language")
        text = f"{self.use(op.desc).text}.load([{self._indices(op.indices)}])"
        if op.dropped_dims:
            text += f".reshape({self.shape_text(op.result)[1:-1]})"
        source = op.desc.owner
        base = _base_name(source.base) if isinstance(source, tt.MakeTensorDescriptorOp) else None
        self._assign(op, op.result, text, base)

    def _descriptor_store(self, op: tt.DescriptorStoreOp) -> None:
        value = self.exact(op.src)
        text = f"{value.atom}.reshape({self.shape_text(op.desc)[1:-1]})" if op.dropped_dims else value.text
        self._line(f"{self.use(op.desc).text}.store([{self._indices(op.indices)}], {text})", op)

    def _indices(self, indices: Sequence[SSAValue]) -> str:
        return ", ".join(self.use(each).text for each in indices)

    # ---- reductions -----------------------------------------------------------------------------------------------

    def _combine(self, op: tt.ReduceOp | tt.ScanOp) -> None:
        sources = [self.exact(each).text for each in op.srcs]
        source = sources[0] if len(sources) == 1 else f"({', '.join(sources)})"
        if isinstance(op, tt.ReduceOp) and (standard := standard_reduction(op)) is not None:
            text = f"{standard}({source}, {op.axis_index})"
        else:
            function = "tl.reduce" if isinstance(op, tt.ReduceOp) else "tl.associative_scan"
            reverse = ", reverse=True" if isinstance(op, tt.ScanOp) and bool(op.reverse) else ""
            text = f"{function}({source}, {op.axis_index}, {self._helper(op.combine_op.block)}{reverse})"
        names = [self._new_name(each) for each in op.result]
        self._line(f"{', '.join(names)} = {text}", op)
        for value, name in zip(op.result, names, strict=True):
            self.bind(value, name)

    def _helper(self, block: Block) -> str:
        """The helper function of a combine region."""
        printer = BodyPrinter(NameTable(), self.extents, self.helpers)
        count = len(block.args) // 2
        letters = ["a", "b"]
        parameters = [f"{letter}{index if count > 1 else ''}" for letter in letters for index in range(count)]
        for argument, parameter in zip(block.args, parameters, strict=True):
            printer.bind(argument, printer.names.fresh(parameter))
        printer.block(block)
        assert block.last_op is not None
        printer.returned(block.last_op)
        return self.helpers.add(helper_name(block), ", ".join(parameters), "\n".join(printer.lines) + "\n")

    # ---- control flow ---------------------------------------------------------------------------------------------

    def _nested(self, block: Block) -> None:
        """The ops of a region's block, one level deeper."""
        self._indent += 1
        self.block(block)
        self._indent -= 1

    def _for(self, op: scf.ForOp) -> None:
        body = op.body.block
        induction, *carried = body.args
        names = [self._carried_name(*group) for group in zip(carried, op.results, op.iter_args, strict=True)]
        for name, init in zip(names, op.iter_args, strict=True):
            self._line(f"{name} = {self.exact(init).text}", op)
        for value, name in zip(carried, names, strict=True):
            self.bind(value, name)
        bounds = [self.use(each) for each in (op.lb, op.ub, op.step)]
        if all(each.literal for each in bounds):
            bounds[0] = self.argument(op.lb)
        arguments = [each.text for each in bounds]
        for attribute, option in _LOOP_OPTIONS.items():
            if (setting := op.attributes.get(attribute)) is not None:
                arguments.append(f"{option}={setting.value.data if isinstance(setting, IntegerAttr) else True}")
        function = "tl.range" if len(arguments) > len(bounds) else "range"
        index = self._new_name(induction, "i")
        self._line(f"for {index} in {function}({', '.join(arguments)}):", op)
        self.bind(induction, index)
        start = len(self.lines)
        self._nested(body)
        self._indent += 1
        assert isinstance(body.last_op, scf.YieldOp)
        self._update(op, names, [self.exact(each).text for each in body.last_op.operands])
        if len(self.lines) == start:
            self._line("pass", op)
        self._indent -= 1
        for value, name in zip(op.results, names, strict=True):
            self.bind(value, name)

    def _carried_name(self, argument: SSAValue, result: SSAValue, init: SSAValue) -> str:
        hint = argument.name_hint or result.name_hint or init.name_hint
        return self.names.fresh(hint) if hint is not None else self.names.numbered("acc")

    def _update(self, op: Operation, names: Sequence[str], texts: Sequence[str]) -> None:
        """Give loop-carried variables their next values, all at once if one is made of another."""
        changes = [(name, text) for name, text in zip(names, texts, strict=True) if name != text]
        assigned: set[str] = set()
        for name, text in changes:
            if assigned & set(re.findall(r"[A-Za-z_]\w*", text)):
                together = ", ".join(each for each, _ in changes)
                self._line(f"{together} = {', '.join(each for _, each in changes)}", op)
                return
            assigned.add(name)
        for name, text in changes:
            self._line(f"{name} = {text}", op)

    def _if(self, op: scf.IfOp) -> None:
        names = [self._new_name(each) for each in op.results]
        self._line(f"if {self.argument(op.cond).text}:", op)
        self._branch(op, op.true_region.block, names)
        if op.false_region.blocks and (names or op.false_region.block.first_op is not op.false_region.block.last_op):
            self._line("else:", op)
            self._branch(op, op.false_region.block, names)
        for value, name in zip(op.results, names, strict=True):
            self.bind(value, name)

    def _wait(self, op: scf.WhileOp) -> None:
        wait = as_wait(op)
        if wait is None:
            fail(op, "an scf.while that does more than wait cannot be written in Triton's language")
        pointer, least = self.exact(wait.pointer).text, self.use(wait.least).text
        self._line(f'while tl.atomic_add({pointer}, 0, sem="acquire") < {least}:', op)
        self._indent += 1
        self._line("pass", op)
        self._indent -= 1

    def _branch(self, op: scf.IfOp, block: Block, names: Sequence[str]) -> None:
        start = len(self.lines)
        self._nested(block)
        self._indent += 1
        assert isinstance(block.last_op, scf.YieldOp)
        for name, value in zip(names, block.last_op.operands, strict=True):
            self._line(f"{name} = {self.exact(value).text}", op)
        if len(self.lines) == start:
            self._line("pass", op)
        self._indent -= 1


_ATOMICS: dict[RMWOp, tuple[str, bool]] = {
    RMWOp.AND: ("tl.atomic_and", False),
    RMWOp.OR: ("tl.atomic_or", False),
    RMWOp.XOR: ("tl.atomic_xor", False),
    RMWOp.ADD: ("tl.atomic_add", False),
    RMWOp.FADD: ("tl.atomic_add", False),
    RMWOp.MAX: ("tl.atomic_max", False),
    RMWOp.MIN: ("tl.atomic_min", False),
    RMWOp.UMAX: ("tl.atomic_max", True),
    RMWOp.UMIN: ("tl.atomic_min", True),
    RMWOp.EXCH: ("tl.atomic_xchg", False),
}
"""Atomic op -> function, and whether it reads its operands as unsigned."""


def _cache_options(op: tt.LoadOp | tt.StoreOp) -> list[str]:
    options: list[str] = []
    if op.cache_modifier is not CacheModifier.NONE:
        options.append(f'cache_modifier=".{op.cache_modifier.keyword}"')
    if op.eviction_policy is not EvictionPolicy.EVICT_NORMAL:
        options.append(f'eviction_policy="{op.eviction_policy.keyword}"')
    return options


def _full(shape: str, text: str, scalar: Attribute) -> str:
    """`tl.full(shape, number, type)`."""
    if is_float8(scalar):
        return f"tl.full({shape}, {text}, tl.float32).to({dtype_name(scalar)})"
    return f"tl.full({shape}, {text}, {dtype_name(scalar)})"


def _users(value: SSAValue, limit: int) -> Iterator[Operation]:
    """The ops that read a value, also through splats and broadcasts; at most `limit` of them, one for each use."""
    count = 0
    stack = [value]
    while stack:
        for use in stack.pop().uses:
            if isinstance(use.operation, _TRANSPARENT):
                stack.append(use.operation.results[0])
            else:
                yield use.operation
                count += 1
                if count == limit:
                    return


def _is_stride(op: Operation) -> bool:
    """Whether an op only makes strides of descriptors wide, which Triton's front end does by itself."""
    if op.name != "arith.extsi" or op.operands[0].type != i32:
        return False
    uses = list(op.results[0].uses)
    return bool(uses) and all(
        isinstance(use.operation, tt.MakeTensorDescriptorOp) and use.index > len(use.operation.shape) for use in uses
    )


def _use_count(value: SSAValue) -> int:
    return sum(1 for _ in _users(value, 2))


def _base_name(pointer: SSAValue) -> str | None:
    """The name of what is loaded: that of the pointer argument without `_ptr`."""
    while isinstance(op := pointer.owner, tt.AddPtrOp | tt.SplatOp | tt.BroadcastOp | tt.ExpandDimsOp):
        pointer = op.ptr if isinstance(op, tt.AddPtrOp) else op.src
    hint = pointer.name_hint
    return hint.removesuffix("_ptr") if hint is not None and isinstance(pointer.owner, Block) else None
