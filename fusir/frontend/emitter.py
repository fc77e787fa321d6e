"""Building graph ops while one FX node is imported: casts, broadcasts and constants as ATen means them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias, cast

import torch
from xdsl.dialects.builtin import FloatAttr, IntegerAttr, IntegerType, LocationAttr, UnknownLoc, f32, i1, i64
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.ir.affine import AffineExpr

from fusir.dialects import graph
from fusir.dialects.graph import Dim, dims_of, element_type_of, is_float, is_half, is_integer, is_unsigned, tensor_type
from fusir.frontend.dims import SymbolTable
from fusir.frontend.symbolic import SymbolicFloat, float_tensor, integer_tensor
from fusir.frontend.types import TensorSpec

Scalar: TypeAlias = int | float | bool
Operand: TypeAlias = SSAValue | Scalar | AffineExpr | SymbolicFloat
"""A tensor, a number, or a number computed from the symbols."""
BinaryClass: TypeAlias = Callable[..., Operation]


class NotNative(Exception):
    """This operator, or this combination of its arguments, has no native import: it becomes `graph.call_aten`."""


class RandomState:
    """The random numbers of one call: a seed drawn from PyTorch's generator and a counter for the random ops."""

    def __init__(self, draw_seed: Callable[[], SSAValue]) -> None:
        self._draw_seed = draw_seed
        self._seed: SSAValue | None = None
        self._next_offset = 0

    @property
    def seed(self) -> SSAValue:
        if self._seed is None:
            self._seed = self._draw_seed()
        return self._seed

    def next_offset(self) -> int:
        self._next_offset += 1
        return self._next_offset - 1


class Emitter:
    """Collects the ops of one FX node. `specs` are the tensors that the node must produce, from tracing."""

    def __init__(
        self,
        specs: Sequence[TensorSpec],
        inputs: dict[SSAValue, TensorSpec],
        random: RandomState,
        symbols: SymbolTable,
        location: LocationAttr | None = None,
    ) -> None:
        self.specs = specs
        self.ops: list[Operation] = []
        self.random = random
        self._symbols = symbols
        self._inputs = inputs
        self._location = location or UnknownLoc()

    # What the node must produce

    @property
    def spec(self) -> TensorSpec:
        """The only tensor that the node produces."""
        if len(self.specs) != 1:
            raise NotNative("expected one result")
        return self.specs[0]

    @property
    def dims(self) -> tuple[Dim, ...]:
        return self.spec.dims

    @property
    def element(self) -> Attribute:
        return self.spec.element

    def spec_of(self, value: SSAValue) -> TensorSpec:
        """What tracing found out about an operand of the node (its strides, for instance)."""
        return self._inputs[value]

    # Ops

    def add(self, op: Operation) -> SSAValue:
        """Append an op and return its only result."""
        op.location = self._location
        self.ops.append(op)
        return op.results[0]

    def full(self, value: Scalar, element: Attribute, dims: Sequence[Dim] = ()) -> SSAValue:
        return self.add(graph.FullOp(scalar_attribute(value, element), tensor_type(element, dims)))

    def iota(self, dim: int, dims: Sequence[Dim]) -> SSAValue:
        """The index along `dim`, as i64."""
        return self.add(graph.IotaOp(dim, tensor_type(i64, dims)))

    def convert(self, value: SSAValue, element: Attribute) -> SSAValue:
        if element_type_of(value) == element:
            return value
        return self.add(graph.ConvertOp(value, element))

    def broadcast(self, value: SSAValue, dims: Sequence[Dim]) -> SSAValue:
        """Expand to `dims` by PyTorch's rule: aligned at the last dim, extents of 1 grow."""
        source = dims_of(value)
        target = tuple(dims)
        if source == target:
            return value
        lead = len(target) - len(source)
        if lead < 0 or any(s != 1 and s != t for s, t in zip(source, target[lead:], strict=True)):
            raise NotNative(f"cannot broadcast {source} to {target}")
        positions = range(lead, len(target))
        return self.add(graph.BroadcastOp(value, positions, tensor_type(element_type_of(value), target)))

    def reshape(self, value: SSAValue, dims: Sequence[Dim]) -> SSAValue:
        if dims_of(value) == tuple(dims):
            return value
        return self.add(graph.ReshapeOp(value, tuple(dims)))

    def permute(self, value: SSAValue, permutation: Sequence[int]) -> SSAValue:
        if tuple(permutation) == tuple(range(len(permutation))):
            return value
        return self.add(graph.PermuteOp(value, tuple(permutation)))

    def slice(self, value: SSAValue, dim: int, start: Dim, extent: Dim, step: int = 1) -> SSAValue:
        """`extent` elements of one dim, from `start` in steps of `step`."""
        dims = list(dims_of(value))
        if start == 0 and step == 1 and extent == dims[dim]:
            return value
        starts: list[Dim] = [0] * len(dims)
        steps = [1] * len(dims)
        starts[dim], steps[dim], dims[dim] = start, step, extent
        return self.add(graph.SliceOp(value, starts, steps, dims))

    def pad(self, value: SSAValue, low: Sequence[Dim], high: Sequence[Dim], fill: Scalar) -> SSAValue:
        if all(e == 0 for e in (*low, *high)):
            return value
        return self.add(graph.PadOp(value, low, high, scalar_attribute(fill, element_type_of(value))))

    def concat(self, values: Sequence[SSAValue], dim: int) -> SSAValue:
        return values[0] if len(values) == 1 else self.add(graph.ConcatOp(values, dim))

    def reduce(self, kind: str, value: SSAValue, dims: Sequence[int]) -> SSAValue:
        return self.add(graph.ReduceOp(kind, value, tuple(dims))) if dims else value

    def compare(self, predicate: str, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
        return self.add(graph.CompareOp(predicate, lhs, rhs))

    def select(self, condition: SSAValue, on_true: SSAValue, on_false: SSAValue) -> SSAValue:
        return self.add(graph.SelectOp(condition, on_true, on_false))

    def binary(self, op: BinaryClass, lhs: SSAValue, rhs: Operand) -> SSAValue:
        """A binary op on two tensors of one type, or on a tensor and a number."""
        if not isinstance(rhs, SSAValue):
            rhs = self.operand(rhs, element_type_of(lhs), dims_of(lhs))
        return self.add(op(lhs, rhs))

    def unary(self, op: Callable[..., Operation], value: SSAValue) -> SSAValue:
        return self.add(op(value))

    # Operands of pointwise ops

    def operand(self, value: Operand, element: Attribute, dims: Sequence[Dim] | None = None) -> SSAValue:
        """A tensor or scalar argument of a pointwise op, converted and broadcast (to the result's dims by default)."""
        dims = self.dims if dims is None else dims
        if isinstance(value, SSAValue):
            require_native(value)
            return self.broadcast(self.convert(value, element), dims)
        if isinstance(value, AffineExpr):
            return self.operand(integer_tensor(self.add, value), element, dims)
        if isinstance(value, SymbolicFloat):
            return self.operand(float_tensor(self.add, value.expr, self._symbols), element, dims)
        return self.full(check_scalar(value), element, dims)

    def compute_element(self, *operands: Operand | None, composite: bool = False) -> Attribute:
        """The element type in which ATen computes a pointwise op: the result's, but f32 in place of a half type
        if a scalar would be rounded before its use or if there is more than one rounding step."""
        if not is_half(self.element):
            return self.element
        numbers = [o for o in operands if o is not None and not isinstance(o, SSAValue)]
        return f32 if composite or not all(is_exact(n, self.element) for n in numbers) else self.element


def require_native(value: SSAValue) -> None:
    """Raise NotNative unless computation on the element type of the value is native."""
    if not graph.is_native(element_type_of(value)):
        raise NotNative(f"element type {element_type_of(value)}")


def check_scalar(value: object) -> Scalar:
    """The scalar itself. Raises NotNative for complex and symbolic numbers."""
    if isinstance(value, bool | int | float):
        return value
    raise NotNative(f"scalar {value!r}")


def is_exact(value: object, element: Attribute) -> bool:
    """True if a float type holds the number exactly."""
    if isinstance(value, AffineExpr | SymbolicFloat):
        return False
    return math.isnan(cast(Any, value)) or scalar_attribute(check_scalar(value), element).value.data == value


def scalar_attribute(value: Scalar, element: Attribute) -> Any:
    """The scalar as an attribute of the element type. Raises NotNative where an integer type cannot hold it."""
    if is_float(element):
        try:
            return FloatAttr(float(value), cast(Any, element))
        except OverflowError:
            return FloatAttr(math.copysign(math.inf, value), cast(Any, element))
    if element == i1:
        return IntegerAttr.from_bool(bool(value))
    if not graph.is_native(element) or not isinstance(element, IntegerType):
        raise NotNative(f"element type {element}")
    if isinstance(value, float) and not math.isfinite(value):
        raise NotNative(f"{value} as an integer")
    integer = int(value)
    low, high = integer_range(element)
    if not low <= integer <= high:
        raise NotNative(f"{integer} is out of range for {element}")
    return IntegerAttr(integer, element)


def integer_range(element: IntegerType) -> tuple[int, int]:
    """Least and largest value of an integer type."""
    width = element.width.data
    return (0, 2**width - 1) if is_unsigned(element) else (-(2 ** (width - 1)), 2 ** (width - 1) - 1)


def integral(element: Attribute) -> bool:
    """True for integers and i1."""
    return is_integer(element) or element == i1


def normalize_dim(dim: int, rank: int) -> int:
    """A dim counted from the end as a dim counted from the start; rank 0 counts as rank 1."""
    return dim % max(rank, 1)


def normalize_dims(dims: int | Sequence[int] | None, rank: int) -> tuple[int, ...]:
    """The dims of a reduction, ascending. None and `[]` mean all of them."""
    if isinstance(dims, int):
        dims = (dims,)
    if dims is None or not dims:
        return tuple(range(rank))
    return tuple(sorted({normalize_dim(d, rank) for d in dims})) if rank else ()


def is_tensor(value: object) -> bool:
    return isinstance(value, SSAValue)


def dtype_element(dtype: torch.dtype | None, default: Attribute) -> Attribute:
    """The element type of a dtype argument, `default` where it is not given."""
    from fusir.frontend.types import element_type

    return default if dtype is None else element_type(dtype)
