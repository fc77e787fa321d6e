"""Pointer arithmetic, loads, stores, atomics, and the device assertion."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from xdsl.dialects.builtin import (
    BoolAttr,
    DenseArrayBase,
    IntegerAttr,
    LocationAttr,
    StringAttr,
    i1,
    i32,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    AnyAttr,
    AttrSizedOperandSegments,
    VarConstraint,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.traits import EffectInstance, MemoryEffect, MemoryEffectKind, MemoryReadEffect, MemoryWriteEffect, Pure
from xdsl.utils.exceptions import VerifyException

from fusir.dialects.tt.enums import (
    CacheModifier,
    EvictionPolicy,
    KeywordEnum,
    MemSemantic,
    MemSyncScope,
    RMWOp,
    keyword_directive,
)
from fusir.dialects.tt.operation import TTOperation, require, require_same_shape
from fusir.dialects.tt.types import (
    element_of,
    is_float,
    is_integer,
    is_pointer,
    mask_type_of,
    pointee_type_of,
)

_CLAUSES: Mapping[str, tuple[str, type[KeywordEnum]]] = {
    "cacheModifier": ("cache", CacheModifier),
    "evictionPolicy": ("evict", EvictionPolicy),
}
"""Clause keyword in the text of loads and stores -> property and its enumeration."""

_T: VarConstraint[Attribute] = VarConstraint("T", AnyAttr())


@irdl_op_definition
class AddPtrOp(TTOperation):
    """`tt.addptr %p, %i : tensor<4x!tt.ptr<f32>>, tensor<4xi32>`: the pointers moved by `i` elements."""

    name = "tt.addptr"

    ptr = operand_def(_T)
    offset = operand_def()
    result = result_def(_T)

    traits = traits_def(Pure())

    assembly_format = "$ptr `,` $offset attr-dict `:` type($result) `,` type($offset)"

    def __init__(
        self, ptr: SSAValue | Operation, offset: SSAValue | Operation, *, location: LocationAttr | None = None
    ):
        ptr = SSAValue.get(ptr)
        super().__init__(operands=[ptr, offset], result_types=[ptr.type], location=location)

    def verify_(self) -> None:
        super().verify_()
        if not is_pointer(element_of(self.ptr.type)):
            raise VerifyException(f"expected pointers, got {self.ptr.type}")
        if not is_integer(element_of(self.offset.type)):
            raise VerifyException(f"expected an integer offset, got {self.offset.type}")
        require_same_shape(self.ptr.type, self.offset.type)


def _verify_mask(pointer: Attribute, mask: SSAValue | None) -> None:
    if mask is not None and mask.type != mask_type_of(pointer):
        raise VerifyException(f"the mask of {pointer} is {mask_type_of(pointer)}, got {mask.type}")


def _verify_pointee(pointer: Attribute, value: Attribute) -> None:
    expected = pointee_type_of(pointer)
    if value != expected:
        raise VerifyException(f"{pointer} points to {expected}, got {value}")


def parse_clauses_and_attributes(parser: Parser) -> tuple[dict[str, Attribute], dict[str, Attribute]]:
    """Parse `cacheModifier = cg evictionPolicy = evict_last {isVolatile = true}`: properties and other attributes."""
    properties: dict[str, Attribute] = {}
    while (keyword := parser.parse_optional_identifier()) is not None:
        if keyword not in _CLAUSES:
            parser.raise_error(f"unknown clause '{keyword}', expected one of {', '.join(_CLAUSES)}")
        parser.parse_punctuation("=")
        name, enumeration = _CLAUSES[keyword]
        properties[name] = enumeration.parse(parser).attr
    attributes = parser.parse_optional_attr_dict()
    for name in ("isVolatile", "boundaryCheck"):
        if name in attributes:
            properties[name] = attributes.pop(name)
    return properties, attributes


class CachedAccess(Protocol):
    """An op with a cache modifier and an eviction policy."""

    attributes: dict[str, Attribute]

    @property
    def cache_modifier(self) -> CacheModifier:
        """Which caches are used."""
        ...

    @property
    def eviction_policy(self) -> EvictionPolicy:
        """How long the line should stay."""
        ...


def print_clauses_and_attributes(printer: Printer, op: CachedAccess, attributes: dict[str, Attribute]) -> None:
    """Print what `parse_clauses_and_attributes` parses; `attributes` are printed beside those of the op."""
    if op.cache_modifier is not CacheModifier.NONE:
        printer.print_string(f" cacheModifier = {op.cache_modifier.keyword}")
    if op.eviction_policy is not EvictionPolicy.EVICT_NORMAL:
        printer.print_string(f" evictionPolicy = {op.eviction_policy.keyword}")
    printer.print_op_attributes({**attributes, **op.attributes})


def _parse_operands(parser: Parser, least: int, most: int) -> tuple[int, list[UnresolvedOperand]]:
    """Parse `least` to `most` operands; also their position."""
    pos = parser.pos
    operands = [parser.parse_unresolved_operand()]
    while parser.parse_optional_punctuation(","):
        operands.append(parser.parse_unresolved_operand())
    if not least <= len(operands) <= most:
        parser.raise_error(f"expected {least} to {most} operands, got {len(operands)}", pos)
    return pos, operands


class LoadEffect(MemoryEffect):
    """A load reads; a volatile load must also stay where it is."""

    @classmethod
    def get_effects(cls, op: Operation) -> set[EffectInstance]:
        assert isinstance(op, LoadOp)
        effects = {EffectInstance(MemoryEffectKind.READ)}
        if bool(op.is_volatile):
            effects.add(EffectInstance(MemoryEffectKind.WRITE))
        return effects


@irdl_op_definition
class LoadOp(TTOperation):
    """`tt.load %p, %mask, %other : tensor<4x!tt.ptr<f32>>`: one element from each pointer.

    A lane whose mask is false reads nothing and gives `other`, which is undefined where there is none.
    """

    name = "tt.load"

    ptr = operand_def()
    mask = opt_operand_def()
    other = opt_operand_def()
    boundary_check = opt_prop_def(DenseArrayBase.constr(i32), prop_name="boundaryCheck")
    cache = opt_prop_def(IntegerAttr, CacheModifier.NONE.attr)
    evict = opt_prop_def(IntegerAttr, EvictionPolicy.EVICT_NORMAL.attr)
    is_volatile = opt_prop_def(BoolAttr, BoolAttr.from_bool(False), prop_name="isVolatile")
    result = result_def()

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(LoadEffect())

    def __init__(
        self,
        ptr: SSAValue | Operation,
        mask: SSAValue | Operation | None = None,
        other: SSAValue | Operation | None = None,
        *,
        cache: CacheModifier | str = CacheModifier.NONE,
        evict: EvictionPolicy | str = EvictionPolicy.EVICT_NORMAL,
        is_volatile: bool = False,
        location: LocationAttr | None = None,
    ):
        ptr = SSAValue.get(ptr)
        super().__init__(
            operands=[ptr, mask, other],
            result_types=[pointee_type_of(ptr.type)],
            properties={
                "cache": CacheModifier.of(cache).attr,
                "evict": EvictionPolicy.of(evict).attr,
                "isVolatile": BoolAttr.from_bool(is_volatile),
            },
            location=location,
        )

    @property
    def cache_modifier(self) -> CacheModifier:
        """Which caches are used."""
        return CacheModifier.from_attr(self.cache)

    @property
    def eviction_policy(self) -> EvictionPolicy:
        """How long the line should stay."""
        return EvictionPolicy.from_attr(self.evict)

    def verify_(self) -> None:
        super().verify_()
        _verify_pointee(self.ptr.type, self.result.type)
        _verify_mask(self.ptr.type, self.mask)
        if self.other is not None:
            require(self.mask is not None, "a load with another value needs a mask")
            if self.other.type != self.result.type:
                raise VerifyException(f"the other value is {self.result.type}, got {self.other.type}")
        require(
            self.boundary_check is None or not self.boundary_check.get_values(), "tensor pointers are not supported"
        )
        CacheModifier.from_attr(self.cache)
        EvictionPolicy.from_attr(self.evict)

    @classmethod
    def parse(cls, parser: Parser) -> LoadOp:
        pos, operands = _parse_operands(parser, 1, 3)
        properties, attributes = parse_clauses_and_attributes(parser)
        parser.parse_punctuation(":")
        pointer = parser.parse_type()
        if not is_pointer(element_of(pointer)):
            parser.raise_error(f"expected a pointer or a tensor of pointers, got {pointer}")
        types = (pointer, mask_type_of(pointer), pointee_type_of(pointer))
        op = cls(*parser.resolve_operands(operands, types[: len(operands)], pos))
        op.properties |= properties
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_list(self.operands, printer.print_operand)
        volatile: dict[str, Attribute] = {"isVolatile": self.is_volatile} if bool(self.is_volatile) else {}
        print_clauses_and_attributes(printer, self, volatile)
        printer.print_string(" : ")
        printer.print_attribute(self.ptr.type)


@irdl_op_definition
class StoreOp(TTOperation):
    """`tt.store %p, %v, %mask : tensor<4x!tt.ptr<f32>>`: one element to each pointer whose mask is true."""

    name = "tt.store"

    ptr = operand_def()
    value = operand_def()
    mask = opt_operand_def()
    boundary_check = opt_prop_def(DenseArrayBase.constr(i32), prop_name="boundaryCheck")
    cache = opt_prop_def(IntegerAttr, CacheModifier.NONE.attr)
    evict = opt_prop_def(IntegerAttr, EvictionPolicy.EVICT_NORMAL.attr)

    traits = traits_def(MemoryWriteEffect())

    def __init__(
        self,
        ptr: SSAValue | Operation,
        value: SSAValue | Operation,
        mask: SSAValue | Operation | None = None,
        *,
        cache: CacheModifier | str = CacheModifier.NONE,
        evict: EvictionPolicy | str = EvictionPolicy.EVICT_NORMAL,
        location: LocationAttr | None = None,
    ):
        super().__init__(
            operands=[ptr, value, mask],
            properties={"cache": CacheModifier.of(cache).attr, "evict": EvictionPolicy.of(evict).attr},
            location=location,
        )

    @property
    def cache_modifier(self) -> CacheModifier:
        """Which caches are used."""
        return CacheModifier.from_attr(self.cache)

    @property
    def eviction_policy(self) -> EvictionPolicy:
        """How long the line should stay."""
        return EvictionPolicy.from_attr(self.evict)

    def verify_(self) -> None:
        super().verify_()
        _verify_pointee(self.ptr.type, self.value.type)
        _verify_mask(self.ptr.type, self.mask)
        require(
            self.boundary_check is None or not self.boundary_check.get_values(), "tensor pointers are not supported"
        )
        CacheModifier.from_attr(self.cache)
        EvictionPolicy.from_attr(self.evict)

    @classmethod
    def parse(cls, parser: Parser) -> StoreOp:
        pos, operands = _parse_operands(parser, 2, 3)
        properties, attributes = parse_clauses_and_attributes(parser)
        parser.parse_punctuation(":")
        pointer = parser.parse_type()
        if not is_pointer(element_of(pointer)):
            parser.raise_error(f"expected a pointer or a tensor of pointers, got {pointer}")
        types = (pointer, pointee_type_of(pointer), mask_type_of(pointer))
        op = cls(*parser.resolve_operands(operands, types[: len(operands)], pos))
        op.properties |= properties
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_list(self.operands, printer.print_operand)
        print_clauses_and_attributes(printer, self, {})
        printer.print_string(" : ")
        printer.print_attribute(self.ptr.type)


_FLOAT_RMW = frozenset((RMWOp.FADD,))
_ANY_RMW = frozenset((RMWOp.EXCH,))


@irdl_op_definition
class AtomicRMWOp(TTOperation):
    """`tt.atomic_rmw fadd, acq_rel, gpu, %p, %v, %mask : (...) -> tensor<4xf32>`: update the elements at `p`
    by `v`; the result is the old values."""

    name = "tt.atomic_rmw"

    atomic_rmw_op = prop_def(IntegerAttr)
    ptr = operand_def()
    val = operand_def()
    mask = opt_operand_def()
    sem = prop_def(IntegerAttr)
    scope = prop_def(IntegerAttr)
    result = result_def()

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    def __init__(
        self,
        kind: RMWOp | str,
        ptr: SSAValue | Operation,
        val: SSAValue | Operation,
        mask: SSAValue | Operation | None = None,
        *,
        sem: MemSemantic | str = MemSemantic.ACQ_REL,
        scope: MemSyncScope | str = MemSyncScope.GPU,
        location: LocationAttr | None = None,
    ):
        val = SSAValue.get(val)
        super().__init__(
            operands=[ptr, val, mask],
            result_types=[val.type],
            properties={
                "atomic_rmw_op": RMWOp.of(kind).attr,
                "sem": MemSemantic.of(sem).attr,
                "scope": MemSyncScope.of(scope).attr,
            },
            location=location,
        )

    @property
    def kind(self) -> RMWOp:
        """How the memory is updated."""
        return RMWOp.from_attr(self.atomic_rmw_op)

    def verify_(self) -> None:
        super().verify_()
        MemSemantic.from_attr(self.sem)
        MemSyncScope.from_attr(self.scope)
        _verify_pointee(self.ptr.type, self.val.type)
        _verify_mask(self.ptr.type, self.mask)
        if self.result.type != self.val.type:
            raise VerifyException(f"the result is {self.val.type}, got {self.result.type}")
        element = element_of(self.val.type)
        if self.kind in _FLOAT_RMW:
            if not is_float(element):
                raise VerifyException(f"{self.kind.keyword} needs floats, got {element}")
        elif self.kind not in _ANY_RMW and not is_integer(element):
            raise VerifyException(f"{self.kind.keyword} needs integers, got {element}")

    @classmethod
    def parse(cls, parser: Parser) -> AtomicRMWOp:
        kind = RMWOp.parse(parser)
        parser.parse_punctuation(",")
        sem = MemSemantic.parse(parser)
        parser.parse_punctuation(",")
        scope = MemSyncScope.parse(parser)
        parser.parse_punctuation(",")
        pos, operands = _parse_operands(parser, 2, 3)
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        signature = parser.parse_function_type()
        op = cls(kind, *parser.resolve_operands(operands, signature.inputs.data, pos), sem=sem, scope=scope)
        if signature.outputs.data != (op.result.type,):
            parser.raise_error(f"the result is {op.result.type}", pos)
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        sem, scope = MemSemantic.from_attr(self.sem), MemSyncScope.from_attr(self.scope)
        printer.print_string(f" {self.kind.keyword}, {sem.keyword}, {scope.keyword}, ")
        printer.print_list(self.operands, printer.print_operand)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_function_type(self.operand_types, self.result_types)


@irdl_op_definition
class AtomicCASOp(TTOperation):
    """`tt.atomic_cas acq_rel, gpu, %p, %cmp, %val : (!tt.ptr<i32>, i32, i32) -> i32`: store `val` where the memory
    equals `cmp`; the result is the old values."""

    name = "tt.atomic_cas"

    ptr = operand_def()
    cmp = operand_def(_T)
    val = operand_def(_T)
    sem = prop_def(IntegerAttr)
    scope = prop_def(IntegerAttr)
    result = result_def(_T)

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    custom_directives = (keyword_directive(MemSemantic), keyword_directive(MemSyncScope))

    assembly_format = (
        "custom<MemSemantic>($sem) `,` custom<MemSyncScope>($scope) `,` $ptr `,` $cmp `,` $val attr-dict"
        " `:` functional-type(operands, $result)"
    )

    def __init__(
        self,
        ptr: SSAValue | Operation,
        cmp: SSAValue | Operation,
        val: SSAValue | Operation,
        *,
        sem: MemSemantic | str = MemSemantic.ACQ_REL,
        scope: MemSyncScope | str = MemSyncScope.GPU,
        location: LocationAttr | None = None,
    ):
        super().__init__(
            operands=[ptr, cmp, val],
            result_types=[SSAValue.get(val).type],
            properties={"sem": MemSemantic.of(sem).attr, "scope": MemSyncScope.of(scope).attr},
            location=location,
        )

    def verify_(self) -> None:
        super().verify_()
        MemSemantic.from_attr(self.sem)
        MemSyncScope.from_attr(self.scope)
        _verify_pointee(self.ptr.type, self.val.type)


@irdl_op_definition
class AssertOp(TTOperation):
    """`tt.assert %c, "message" : tensor<4xi1>`: stop the launch if an element is false (only in debug compilations)."""

    name = "tt.assert"

    condition = operand_def()
    message = prop_def(StringAttr)

    traits = traits_def(MemoryWriteEffect())

    assembly_format = "$condition `,` $message attr-dict `:` type($condition)"

    def __init__(self, condition: SSAValue | Operation, message: str, *, location: LocationAttr | None = None):
        super().__init__(operands=[condition], properties={"message": StringAttr(message)}, location=location)

    def verify_(self) -> None:
        super().verify_()
        if element_of(self.condition.type) != i1:
            raise VerifyException(f"expected i1, got {self.condition.type}")
