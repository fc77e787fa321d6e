"""`descriptors-to-pointers`: blocks of descriptors are loaded and stored by pointers and masks.

```
%d = tt.make_tensor_descriptor %p, [%m, %n], [%s, 1]         %i = (%r + lanes, %c + lanes)
%x = tt.descriptor_load %d[%r, %c]                      =>   %x = tt.load (%p + %i.0 * %s + %i.1),
                                                                  (0 <= %i.0 < %m and 0 <= %i.1 < %n), 0
```
TMA needs memory that is aligned to 16 bytes. A kernel that uses it is also wanted for memory that is not.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, StringAttr, TensorType, i32
from xdsl.ir import Attribute, Block, BlockArgument
from xdsl.passes import ModulePass

from fusir.conversion.tile_builder import SIGNED_LESS_THAN, Tile, TileBuilder
from fusir.dialects import tt
from fusir.dialects.tile_arith import CMPI_PREDICATES

_AT_LEAST = CMPI_PREDICATES.index("sge")
_WARP_SPECIALIZE = "tt.warp_specialize"


@dataclass(frozen=True)
class DescriptorsToPointersPass(ModulePass):
    """Load and store blocks of descriptors by pointers."""

    name = "descriptors-to-pointers"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for descriptor in [each for each in op.walk() if isinstance(each, tt.MakeTensorDescriptorOp)]:
            _replace(descriptor)


def without_descriptors(func: tt.FuncOp, arguments: Collection[int]) -> tt.FuncOp:
    """The function with no descriptors of the memory that the arguments at these positions point to.

    It is the same function, not a copy, if it has none.
    """
    if not any(_is_of(op, arguments) for op in func.walk()):
        return func
    copy = func.clone()
    for op in list(copy.walk()):
        if isinstance(op, tt.MakeTensorDescriptorOp) and _is_of(op, arguments):
            _replace(op)
    return copy


def _is_of(op: object, arguments: Collection[int]) -> bool:
    """Whether an op makes a descriptor of one of these arguments, or of a pointer of which that is not known."""
    if not isinstance(op, tt.MakeTensorDescriptorOp):
        return False
    waiting = [op.base]
    while waiting:
        pointer = waiting.pop()
        if isinstance(pointer.owner, tt.AddPtrOp):
            waiting.append(pointer.owner.ptr)
        elif isinstance(pointer.owner, arith.SelectOp):
            waiting += [pointer.owner.lhs, pointer.owner.rhs]
        elif not isinstance(pointer, BlockArgument) or pointer.index in arguments:
            return True
    return False


def _replace(descriptor: tt.MakeTensorDescriptorOp) -> None:
    for use in list(descriptor.result.uses):
        access = use.operation
        assert isinstance(access, tt.DescriptorLoadOp | tt.DescriptorStoreOp)
        _replace_access(descriptor, access)
    block = descriptor.parent_block()
    assert block is not None
    block.erase_op(descriptor)


def _replace_access(descriptor: tt.MakeTensorDescriptorOp, access: tt.DescriptorLoadOp | tt.DescriptorStoreOp) -> None:
    shape = descriptor.descriptor_type.block_shape[access.dropped_dims :]
    builder = TileBuilder(Block(), shape)
    builder.location = access.location
    axes = tuple(range(len(shape)))
    pointers, inside = _block(builder, descriptor, access)
    if isinstance(access, tt.DescriptorLoadOp):
        is_nan = descriptor.padding_option is tt.PaddingOption.NAN
        element = tt.element_of(access.result.type)
        outside = builder.spread(builder.constant(float("nan") if is_nan else 0, element), axes)
        load = tt.LoadOp(pointers.value, inside.value, outside.value)
        access.result.replace_all_uses_with(builder.add(load))
        load.result.name_hint = access.result.name_hint
    else:
        builder.add_effect(tt.StoreOp(pointers.value, access.src, inside.value))
    block, loop = access.parent_block(), access.parent_op()
    assert block is not None
    ops = list(builder.block.ops)
    for op in ops:
        op.detach()
    block.insert_ops_before(ops, access)
    block.erase_op(access)
    while loop is not None:
        if isinstance(loop, scf.ForOp):
            # It is for loops whose loads are descriptors'.
            loop.attributes.pop(_WARP_SPECIALIZE, None)
        loop = loop.parent_op()


def _block(
    builder: TileBuilder,
    descriptor: tt.MakeTensorDescriptorOp,
    access: tt.DescriptorLoadOp | tt.DescriptorStoreOp,
) -> tuple[Tile, Tile]:
    """The pointers to a block, and the mask of what is inside of the tensor."""
    axes = tuple(range(len(builder.sizes)))
    zero = builder.constant(0, i32)
    offset: Tile | None = None
    inside: Tile | None = None
    for dim, (index, extent, stride) in enumerate(
        zip(access.indices, descriptor.shape, descriptor.strides, strict=True)
    ):
        position, axis = Tile(index), dim - access.dropped_dims
        if axis >= 0:
            position = builder.integer(arith.AddiOp, position, _lanes(builder, axis, descriptor.block_names[dim]))
        for predicate, bound in ((_AT_LEAST, zero), (SIGNED_LESS_THAN, Tile(extent))):
            inside = builder.both(inside, builder.compare(position, bound, predicate))
        is_unit = tt.constant_number(stride) == 1
        step = builder.widen(position) if is_unit else builder.integer(arith.MuliOp, position, Tile(stride))
        offset = step if offset is None else builder.integer(arith.AddiOp, offset, step)
    assert offset is not None and inside is not None
    pointers = builder.elementwise(tt.AddPtrOp, [Tile(descriptor.base), offset])
    return builder.spread(pointers, axes), builder.spread(inside, axes)


def _lanes(builder: TileBuilder, axis: int, name: str) -> Tile:
    extent = builder.sizes[axis]
    properties = {"start": IntegerAttr(0, i32), "end": IntegerAttr(extent, i32)}
    attributes: dict[str, Attribute] = {"fusir.name": StringAttr(name)} if name else {}
    return Tile(builder.pure(tt.MakeRangeOp, [], TensorType(i32, [extent]), properties, attributes), (axis,))
