"""Do the Python source and the TTIR of one kernel mean the same? Triton's own front end and passes decide.

Both are brought to TTIR that Triton has simplified, and compared as graphs: names, locations and the order of
independent ops and of loop-carried values do not count.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from xdsl.context import Context
from xdsl.dialects import arith, math, scf
from xdsl.dialects.builtin import Builtin, ModuleOp, StringAttr, i1
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.parser import Parser
from xdsl.traits import is_side_effect_free

from fusir.dialects import tt
from fusir.dialects.tile_arith import (
    CMPF_PREDICATES,
    CMPI_PREDICATES,
    TileArith,
    TileCmpfOp,
    TileCmpiOp,
    TileExtSIOp,
    TileExtUIOp,
    TileFPToSIOp,
    TileFPToUIOp,
)
from fusir.dialects.tt import FuncOp, element_of, splat_number
from fusir.dialects.tt.types import bit_width_of
from fusir.runtime.aot import kernel_source, optimize_ttir, source_to_ttir
from fusir.targets.libdevice import portable_function
from fusir.targets.ttir import ttir_text

_IGNORED_ATTRIBUTES = frozenset(
    {"operandSegmentSizes", "boundaryCheck", "fastmath", "overflowFlags", "maxNumImpreciseAcc"}
)
"""Properties that are defaults or bookkeeping here."""

_ZERO_EXTENSIONS = (arith.ExtUIOp, TileExtUIOp)
_SIGN_EXTENSIONS = (arith.ExtSIOp, TileExtSIOp)

_BY_WAY_OF_F32 = (arith.FPToSIOp, arith.FPToUIOp, TileFPToSIOp, TileFPToUIOp, arith.ExtFOp)

_NEGATED = {"lt": "ge", "le": "gt", "gt": "le", "ge": "lt"}
"""The ordered comparison whose negation is the unordered one of the other kind."""


def parse_ttir(text: str) -> ModuleOp:
    """Read TTIR without locations, as Triton prints it."""
    context = Context()
    for dialect in (Builtin, TileArith, math.Math, scf.Scf, tt.Tt):
        context.load_dialect(dialect)
    return Parser(context, text).parse_module()


def disagreement(func: FuncOp, target: str = "sm_90", *, source: str | None = None) -> str | None:
    """How the Triton source (the printed one, if none is given) and the TTIR of a kernel differ; None if they agree.

    The text lists the ops (with types) that only one of the two has, and both in full.
    """
    kernel = kernel_source(func)
    if source is not None:
        kernel = replace(kernel, source=source)
    from_source = source_to_ttir(kernel, target)
    from_ir = optimize_ttir(ttir_text(func, target), target, kernel.num_warps, kernel.num_stages)
    if _same(from_source, from_ir):
        return None
    # Triton's passes stop before all is simplified: what they left in one may be gone in the other.
    from_source, from_ir = (
        optimize_ttir(text, target, kernel.num_warps, kernel.num_stages) for text in (from_source, from_ir)
    )
    if _same(from_source, from_ir):
        return None
    first, second = _only_function(from_source), _only_function(from_ir)
    return "\n".join(
        [
            f"{kernel.name}: the source and the TTIR differ",
            *_count_difference(first, second),
            "--- source",
            kernel.source,
            "--- TTIR of the source",
            from_source,
            "--- TTIR of the op",
            from_ir,
        ]
    )


def _same(first: str, second: str) -> bool:
    return fingerprint(_only_function(first)) == fingerprint(_only_function(second))


def _only_function(text: str) -> FuncOp:
    functions = [op for op in parse_ttir(text).body.block.ops if isinstance(op, FuncOp)]
    assert len(functions) == 1, "expected one function after inlining"
    return functions[0]


def _count_difference(first: FuncOp, second: FuncOp) -> list[str]:
    def signatures(func: FuncOp) -> Counter[str]:
        return Counter(
            f"{op.name} {', '.join(str(each) for each in (*op.operand_types, *op.result_types))}" for op in func.walk()
        )

    left, right = signatures(first), signatures(second)
    return [f"only in the source: {count} x {name}" for name, count in (left - right).items()] + [
        f"only in the TTIR: {count} x {name}" for name, count in (right - left).items()
    ]


def fingerprint(func: FuncOp) -> str:
    """A digest of what a function computes, independent of names and of the order of pure ops."""
    return _Fingerprint().function(func)


def _digest(*parts: object) -> str:
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:16]


class _Fingerprint:
    """Digests of values: by the op that makes them, its attributes and the digests of its operands."""

    def __init__(self) -> None:
        self._values: dict[SSAValue, str] = {}
        self._negations: dict[str, str] = {}

    def function(self, func: FuncOp) -> str:
        for index, argument in enumerate(func.body.block.args):
            self._values[argument] = _digest("argument", index, str(argument.type))
        return _digest(self._block(func.body.block), str(func.function_type))

    def _block(self, block: Block) -> list[str]:
        """Digest the values of a block; the digests of its effects, in order."""
        effects: list[str] = []
        for op in block.ops:
            if isinstance(op, tt.AssertOp):
                continue
            digest = self._op(op)
            if not _is_pure(op) or op is block.last_op:
                effects.append(digest)
                # What is loaded after a store is not what was loaded before it.
                for result in op.results:
                    self._values[result] = _digest(self._values[result], len(effects))
        return effects

    def _op(self, op: Operation) -> str:
        if isinstance(op, scf.ForOp):
            return self._loop(op)
        if isinstance(op, scf.IfOp):
            return self._branch(op)
        if (plain := _identity_operand(op)) is not None:
            self._values[op.results[0]] = self._values[plain]
            return self._values[plain]
        if isinstance(op, arith.CmpfOp | TileCmpfOp):
            digest = self._compare_floats(op)
        elif isinstance(op, arith.CmpiOp | TileCmpiOp):
            digest = self._compare_integers(op)
        elif isinstance(op, arith.XOrIOp) and _is_all_true(op.rhs):
            digest = self._not(self._values[op.lhs])
        else:
            digest = self._node(
                op.name,
                _attributes(op),
                [self._operand(op, each) for each in _significant_operands(op)],
                [str(each) for each in op.result_types],
                [self._region(region) for region in op.regions],
            )
        for index, result in enumerate(op.results):
            self._values[result] = digest if index == 0 else _digest(digest, index)
        return digest

    def _operand(self, op: Operation, operand: SSAValue) -> str:
        """The digest of an operand. The front end converts halves to integers and to f64 by way of f32."""
        if isinstance(op, _BY_WAY_OF_F32) and isinstance(operand.owner, arith.ExtFOp):
            return self._operand(op, operand.owner.input)
        return self._values[operand]

    def _node(
        self,
        name: str,
        attributes: list[str],
        operands: list[str],
        types: list[str],
        regions: list[list[str]] | None = None,
    ) -> str:
        return _digest(name, attributes, operands, types, regions or [])

    def _compare_floats(self, op: arith.CmpfOp | TileCmpfOp) -> str:
        """A comparison by the ordered ones: the front end has no other, and compares bf16 as f32."""
        lhs, rhs = self._exact_number(op.lhs), self._exact_number(op.rhs)
        types = [str(op.result.type)]

        def ordered(predicate: str) -> str:
            return _digest("ordered", predicate, lhs, rhs, types)

        def is_nan(value: str) -> str:
            return _digest("is nan", value, types)

        def either(first: str, second: str) -> str:
            return self._node("arith.ori", [], [first, second], types)

        match CMPF_PREDICATES[op.predicate.value.data]:
            case "ult" | "ule" | "ugt" | "uge" as unordered:
                return self._not(ordered(_NEGATED[unordered[1:]]))
            case "one":
                return either(ordered("lt"), ordered("gt"))
            case "ueq":
                return self._not(either(ordered("lt"), ordered("gt")))
            case "une" | "uno" if lhs == rhs:
                return is_nan(lhs)
            case "oeq" | "ord" if lhs == rhs:
                return self._not(is_nan(lhs))
            case "uno":
                return either(is_nan(lhs), is_nan(rhs))
            case "ord":
                return self._node("arith.andi", [], [self._not(is_nan(each)) for each in (lhs, rhs)], types)
            case other:
                return ordered(other.lstrip("o"))

    def _compare_integers(self, op: arith.CmpiOp | TileCmpiOp) -> str:
        """A comparison at the width before extensions: the front end compares with a number at 32 bits or more."""
        predicate = CMPI_PREDICATES[op.predicate.value.data]
        zero_extended = [each.owner.input for each in (op.lhs, op.rhs) if isinstance(each.owner, _ZERO_EXTENSIONS)]
        if predicate[0] == "s" and zero_extended:
            predicate = f"u{predicate[1:]}"
        mask = None
        if predicate[0] == "u":
            mask = (1 << bit_width_of((zero_extended or [op.lhs])[0].type)) - 1
        operands = [self._narrow_integer(each, mask) for each in (op.lhs, op.rhs)]
        return self._node("arith.cmpi", [predicate], operands, [str(op.result.type)])

    def _narrow_integer(self, value: SSAValue, mask: int | None) -> str:
        """The digest of an integer before it was extended; of a constant its number, unsigned if there is a mask."""
        extensions = _SIGN_EXTENSIONS if mask is None else _ZERO_EXTENSIONS
        if isinstance(value.owner, extensions):
            return self._narrow_integer(value.owner.input, mask)
        if isinstance(value.owner, arith.ConstantOp) and (number := splat_number(value.owner)) is not None:
            return _digest("number", int(number) if mask is None else int(number) & mask)
        return self._values[value]

    def _exact_number(self, value: SSAValue) -> str:
        """The digest of a float whatever its type: that of what was extended, or of the number."""
        if isinstance(value.owner, arith.ExtFOp):
            return self._exact_number(value.owner.input)
        if isinstance(value.owner, arith.ConstantOp) and (number := splat_number(value.owner)) is not None:
            return _digest("number", number)
        return self._values[value]

    def _region(self, region: Region) -> list[str]:
        for block in region.blocks:
            for index, argument in enumerate(block.args):
                self._values[argument] = _digest("region argument", index, str(argument.type))
            return self._block(block)
        return []

    def _branch(self, op: scf.IfOp) -> str:
        """A branch; with a negated condition it is the one with the regions exchanged."""
        condition, regions = self._values[op.cond], [self._region(each) for each in op.regions]
        empty = self._region(Region(Block([scf.YieldOp()])))
        regions = [each or empty for each in regions]
        if condition in self._negations:
            condition, regions = self._negations[condition], regions[::-1]
        digest = self._node(op.name, _attributes(op), [condition], [str(each) for each in op.result_types], regions)
        for index, result in enumerate(op.results):
            self._values[result] = _digest(digest, index)
        return digest

    def _not(self, digest: str) -> str:
        negation = _digest("not", digest)
        self._negations[negation] = digest
        return negation

    def _loop(self, op: scf.ForOp) -> str:
        """A loop, whatever the order of its carried values: their digests are refined until they tell them apart."""
        body = op.body.block
        induction, *carried = body.args
        bounds = [self._values[each] for each in (op.lb, op.ub, op.step)]
        self._values[induction] = _digest("induction", bounds)
        colors = [_digest("carried", self._values[each]) for each in op.iter_args]
        effects: list[str] = []
        for _ in range(len(carried) + 1):
            self._values.update(zip(carried, colors, strict=True))
            effects = self._block(body)[:-1]
            assert body.last_op is not None
            colors = [
                _digest(color, self._values[each]) for color, each in zip(colors, body.last_op.operands, strict=True)
            ]
        digest = _digest("scf.for", bounds, sorted(colors), effects, _attributes(op))
        for result, color in zip(op.results, colors, strict=True):
            self._values[result] = _digest(digest, color)
        return digest


def _is_pure(op: Operation) -> bool:
    # xDSL does not say so of every op of arith.
    return op.dialect_name() == "arith" or is_side_effect_free(op)


def _attributes(op: Operation) -> list[str]:
    named: Iterable[tuple[str, Attribute]] = (*op.properties.items(), *op.attributes.items())
    if isinstance(op, tt.ExternElementwiseOp) and (function := portable_function(op.symbol.data)) is not None:
        # Some functions have two names.
        named = [(name, StringAttr(function) if name == "symbol" else attribute) for name, attribute in named]
    if isinstance(op, tt.DotOp) and str(element_of(op.a.type)) != "f32":
        # The precision of inputs is a matter of f32 only.
        named = [(name, attribute) for name, attribute in named if name != "inputPrecision"]
    return sorted(f"{name} = {attribute}" for name, attribute in named if name not in _IGNORED_ATTRIBUTES)


def _identity_operand(op: Operation) -> SSAValue | None:
    """The operand of an op that does nothing: a bitcast to the same type."""
    if isinstance(op, tt.BitcastOp | arith.BitcastOp) and op.operands[0].type == op.results[0].type:
        return op.operands[0]
    return None


def _significant_operands(op: Operation) -> Sequence[SSAValue]:
    """The operands without a mask that is all true."""
    if isinstance(op, tt.AtomicRMWOp) and op.mask is not None and _is_all_true(op.mask):
        return (op.ptr, op.val)
    return tuple(op.operands)


def _is_all_true(value: SSAValue) -> bool:
    return (
        isinstance(value.owner, arith.ConstantOp) and element_of(value.type) == i1 and bool(splat_number(value.owner))
    )
