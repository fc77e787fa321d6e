"""`convert-graph-to-loop`: a graph function becomes a launch program, each of its fusions a loop kernel.

```
func.func @main(%x: tensor<4x8xf32>) -> tensor<4xf32> {      func.func @main(%x: memref<4x8xf32>) -> memref<4xf32> {
  %0 = graph.fusion (%a = %x : ...) -> tensor<4xf32> {...}     %0 = host.alloc dims [4] strides [1] : memref<4xf32>
  return %0 : tensor<4xf32>                               =>   host.launch @fused_sum_0(%x, %0) : ...
}                                                              return %0 : memref<4xf32>
                                                             }
                                                             loop.kernel @fused_sum_0(...) {...}
```

Shape ops become `host.view`. Where a buffer does not have the strides that its reader needs (a reshape that is no view,
the recorded strides of an ATen operand, the strides of a function result), a `host.copy` gives them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeAlias, cast

from xdsl.context import Context
from xdsl.dialects.affine import ApplyOp
from xdsl.dialects.arith import ConstantOp as ArithConstantOp
from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    IndexType,
    IntegerAttr,
    MemRefType,
    ModuleOp,
    StringAttr,
    TensorType,
)
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass

from fusir.analysis.layout import (
    STRIDES,
    Strides,
    View,
    aten_operand_strides,
    can_view,
    is_dense,
    layouts_of,
    result_strides,
    row_major,
    same_layout,
    view_through,
)
from fusir.conversion.fusion_to_kernel import fusion_to_kernel
from fusir.conversion.kernel_names import kernel_name
from fusir.diagnostics import fail
from fusir.dialects import host
from fusir.dialects.graph import (
    CallAtenOp,
    Dim,
    DimsAttr,
    FusionOp,
    ReshapeOp,
    SymbolAttr,
    YieldOp,
    dims_of,
    element_type_of,
    is_native,
)
from fusir.dialects.loop import TILES, KernelOp, memref_type, strides_of

FUSION = "fusion"
"""The attribute of a launch that gives the position of its `graph.fusion` among those of the graph function."""

DIMS = "graph.dims"
"""The attribute of a memref argument that gives its extents, where one of them is symbolic."""

_PLACEHOLDER = "kernel"


def dims_of_argument(func: FuncOp, index: int) -> tuple[Dim, ...]:
    """The extents of a buffer argument of a launch program."""
    if func.arg_attrs is not None:
        dims = func.arg_attrs.data[index].data.get(DIMS)
        if isinstance(dims, DimsAttr):
            return dims.data
    return cast(MemRefType, func.body.block.args[index].type).get_shape()


def has_tensors(func: FuncOp) -> bool:
    """Whether this is a function of the graph level."""
    types = (*func.function_type.inputs, *func.function_type.outputs)
    return any(isinstance(type_, TensorType) for type_ in types) or any(
        isinstance(result.type, TensorType) for op in func.body.block.ops for result in op.results
    )


@dataclass(frozen=True)
class ConvertGraphToLoopPass(ModulePass):
    """Turn graph functions into launch programs, and their fusions into loop kernels."""

    name = "convert-graph-to-loop"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        kernels = _Kernels(op)
        for func in list(op.body.block.ops):
            if isinstance(func, FuncOp) and not func.is_declaration and has_tensors(func):
                _FunctionConverter(func, kernels).run()
        kernels.append_to(op)


_Fingerprint: TypeAlias = tuple[object, ...]
"""Equal for structurally equivalent ops, seldom equal for others."""


def _fingerprint(op: Operation, *types: Sequence[Attribute | None]) -> _Fingerprint:
    return (*map(tuple, types), tuple((each.name, *each.properties.values()) for each in op.walk()))


@dataclass
class _Kernel:
    """A kernel, and the symbol that it gets in the end: until then all have one, so that they can be compared."""

    op: KernelOp
    name: str


class _Kernels:
    """The kernels made so far; equal ones are one symbol."""

    def __init__(self, module: ModuleOp):
        self._kernels: list[_Kernel] = []
        self._by_kernel: dict[_Fingerprint, list[_Kernel]] = {}
        self._by_fusion: dict[_Fingerprint, list[tuple[FusionOp, str, Sequence[int]]]] = {}
        self._taken: set[str] = set(host.symbols_of_module(module))

    def add(
        self, fusion: FusionOp, arguments: Sequence[MemRefType], results: Sequence[MemRefType]
    ) -> tuple[str, Sequence[int]]:
        """The symbol of the kernel of this fusion, and the positions of the function symbols that it takes."""
        tiles = fusion.attributes.get(TILES)
        equal_fusions = self._by_fusion.setdefault(_fingerprint(fusion, arguments, results, [tiles]), [])
        for other, name, symbols in equal_fusions:
            if fusion.body.is_structurally_equivalent(other.body):
                return name, symbols
        kernel, symbols = fusion_to_kernel(fusion, _PLACEHOLDER, arguments, results)
        if tiles is not None:
            kernel.attributes[TILES] = tiles
        name = self._name(kernel, fusion)
        equal_fusions.append((fusion, name, symbols))
        return name, symbols

    def _name(self, kernel: KernelOp, fusion: FusionOp) -> str:
        """The symbol of an equal kernel, or a new one."""
        equal_kernels = self._by_kernel.setdefault(_fingerprint(kernel, kernel.body.block.arg_types), [])
        for other in equal_kernels:
            if kernel.is_structurally_equivalent(other.op):
                return other.name
        base = kernel_name(fusion)
        number = len(self._kernels)
        while (name := f"{base}_{number}") in self._taken:
            number += 1
        self._taken.add(name)
        made = _Kernel(kernel, name)
        self._kernels.append(made)
        equal_kernels.append(made)
        return name

    def append_to(self, module: ModuleOp) -> None:
        """Give the kernels their names and put them at the end of the module, in the order of their first launch."""
        for kernel in self._kernels:
            kernel.op.sym_name = StringAttr(kernel.name)
        module.body.block.add_ops(kernel.op for kernel in self._kernels)


@dataclass
class _FunctionConverter:
    """Rewrites one graph function in place."""

    func: FuncOp
    kernels: _Kernels
    buffers: dict[SSAValue, SSAValue] = field(default_factory=dict)
    """Graph value to its buffer (or to the index value that stays)."""
    copies: dict[tuple[SSAValue, Strides], SSAValue] = field(default_factory=dict)
    symbols: dict[int, SSAValue] = field(default_factory=dict)
    block: Block = field(default_factory=Block)
    fusions: int = 0

    def run(self) -> None:
        func = self.func
        self.layouts = layouts_of(func)
        self._convert_arguments()
        for op in func.body.block.ops:
            self._convert(op)
        func.properties.pop("res_attrs", None)
        results = cast(ReturnOp, self.block.last_op).arguments
        func.detach_region(func.body)
        func.add_region(Region(self.block))
        func.function_type = func.function_type.from_lists(
            [argument.type for argument in self.block.args], [result.type for result in results]
        )

    def _convert_arguments(self) -> None:
        func = self.func
        attributes = [dict[str, Attribute]() for _ in func.body.block.args]
        if func.arg_attrs is not None:
            attributes = [dict(each.data) for each in func.arg_attrs]
        for argument, attrs in zip(func.body.block.args, attributes, strict=True):
            if isinstance(argument.type, TensorType):
                dims = dims_of(argument)
                new = self.block.insert_arg(
                    memref_type(element_type_of(argument), dims, self.layouts[argument]), len(self.block.args)
                )
                attrs.pop(STRIDES, None)
                if any(not isinstance(dim, int) for dim in dims):
                    attrs[DIMS] = DimsAttr(dims)
            else:
                new = self.block.insert_arg(argument.type, len(self.block.args))
                if isinstance(symbol := attrs.get("graph.symbol"), SymbolAttr):
                    self.symbols[symbol.position] = new
            new.name_hint = argument.name_hint
            self.buffers[argument] = new
        if any(attributes):
            func.arg_attrs = ArrayAttr([DictionaryAttr(attrs) for attrs in attributes])

    def _emit(self, op: Operation, source: Operation, name_hint: str | None = None) -> None:
        op.location = source.location
        self.block.add_op(op)
        if op.results and name_hint is not None:
            op.results[0].name_hint = name_hint

    def _alloc(
        self, source: Operation, element: Attribute, dims: Sequence[Dim], strides: Strides, hint: str | None
    ) -> SSAValue:
        op = host.AllocOp(dims, strides, memref_type(element, dims, strides))
        self._emit(op, source, hint)
        return op.result

    def _view(self, source: Operation, buffer: SSAValue, view: View, hint: str | None = None) -> SSAValue:
        element = cast(MemRefType, buffer.type).element_type
        op = host.ViewOp(buffer, view.dims, view.strides, view.offset, memref_type(element, view.dims, view.strides))
        self._emit(op, source, hint)
        return op.result

    def _with_strides(self, source: Operation, value: SSAValue, strides: Strides) -> SSAValue:
        """The buffer of a graph value in these strides: itself if it has them, else a copy (made once)."""
        buffer = self.buffers[value]
        dims = dims_of(value)
        if same_layout(dims, self.layouts[value], strides):
            return buffer
        key = (value, tuple(strides))
        if key not in self.copies:
            copy = self._alloc(source, element_type_of(value), dims, tuple(strides), value.name_hint)
            self._copy(source, value, buffer, copy)
            self.copies[key] = copy
        return self.copies[key]

    def _copy(self, source: Operation, value: SSAValue, buffer: SSAValue, copy: SSAValue) -> None:
        """Copy a graph value into another layout: by a kernel, which may be tiled, where its type is native."""
        if not is_native(element_type_of(value)) or 0 in dims_of(value):
            self._emit(host.CopyOp(buffer, copy), source)
            return
        block = Block(arg_types=[value.type])
        block.add_op(YieldOp([block.args[0]]))
        fusion = FusionOp([value], [value.type], Region(block))
        name, symbols = self.kernels.add(fusion, [cast(MemRefType, buffer.type)], [cast(MemRefType, copy.type)])
        fusion.operands = []  # only its body is compared with later fusions
        launch = host.LaunchOp(name, [buffer, copy, *(self.symbols[symbol] for symbol in symbols)])
        self._emit(launch, source)

    def _convert(self, op: Operation) -> None:
        match op:
            case FusionOp():
                self._convert_fusion(op)
            case CallAtenOp():
                self._convert_call(op)
            case ReturnOp():
                self._convert_return(op)
            case ApplyOp() | ArithConstantOp() if all(isinstance(r.type, IndexType) for r in op.results):
                clone = op.clone({old: self.buffers[old] for old in op.operands})
                self._emit(clone, op)
                self.buffers.update(zip(op.results, clone.results, strict=True))
            case _:
                self._convert_shape_op(op)

    def _convert_fusion(self, op: FusionOp) -> None:
        inputs = [self.buffers[value] for value in op.inputs]
        outputs = [
            self._alloc(op, element_type_of(result), dims_of(result), self.layouts[result], result.name_hint)
            for result in op.results
        ]
        self.buffers.update(zip(op.results, outputs, strict=True))
        position = self.fusions
        self.fusions += 1
        if all(0 in dims_of(result) for result in op.results):
            return
        name, symbols = self.kernels.add(
            op, [cast(MemRefType, b.type) for b in inputs], [cast(MemRefType, b.type) for b in outputs]
        )
        launch = host.LaunchOp(name, [*inputs, *outputs, *(self.symbols[symbol] for symbol in symbols)])
        launch.attributes[FUSION] = IntegerAttr(position, 64)
        self._emit(launch, op)

    def _convert_call(self, op: CallAtenOp) -> None:
        operands: list[SSAValue] = []
        for index, value in enumerate(op.operands):
            wanted = aten_operand_strides(op, index)
            # A copy can only have the order of dims that was seen, no gaps or overlaps.
            if wanted is not None and is_dense(dims_of(value), wanted):
                operands.append(self._with_strides(op, value, wanted))
            else:
                operands.append(self.buffers[value])
        types = [memref_type(element_type_of(r), dims_of(r), self.layouts[r]) for r in op.results]
        call = host.CallAtenOp(op.target, op.args_attr, op.kwargs_attr, operands, types, op.pure)
        if (positions := op.attributes.get("graph.positions")) is not None:
            call.attributes["graph.positions"] = positions
        self._emit(call, op)
        for result, buffer in zip(op.results, call.results, strict=True):
            buffer.name_hint = result.name_hint
            self.buffers[result] = buffer

    def _convert_return(self, op: ReturnOp) -> None:
        values: list[SSAValue] = []
        for index, value in enumerate(op.arguments):
            buffer = self.buffers[value]
            if isinstance(value.type, TensorType):
                strides = result_strides(self.func, index)
                # Overlapping strides (of an expanded result) cannot be written: such a result keeps the layout it has.
                if is_dense(dims_of(value), strides):
                    buffer = self._with_strides(op, value, strides)
                    if strides_of(cast(MemRefType, buffer.type)) != strides:  # of dims of extent 1
                        buffer = self._view(op, buffer, View(dims_of(value), strides))
            values.append(buffer)
        self._emit(ReturnOp(*values), op)

    def _convert_shape_op(self, op: Operation) -> None:
        if len(op.operands) == 1 and op.operands[0] in self.layouts:
            value = op.operands[0]
            view = view_through(op, self.layouts[value])
            if view is not None:
                self.buffers[op.results[0]] = self._view(op, self.buffers[value], view, op.results[0].name_hint)
                return
            if isinstance(op, ReshapeOp):
                self._convert_copying_reshape(op)
                return
        fail(op, f"'{op.name}' needs a kernel but is outside a graph.fusion: run 'fuse' before this pass")

    def _convert_copying_reshape(self, op: ReshapeOp) -> None:
        """A reshape of a buffer that it is no view of: of a row-major copy it is one."""
        dims = dims_of(op.operand)
        contiguous = row_major(dims)
        copy = self._with_strides(op, op.operand, contiguous)
        strides = can_view(contiguous, dims, dims_of(op.result))
        assert strides is not None, "a row-major tensor can be reshaped in place"
        self.buffers[op.result] = self._view(op, copy, View(dims_of(op.result), strides), op.result.name_hint)
