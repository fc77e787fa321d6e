# RUN: %python %s
"""An executable without a GPU: the interpreter runs the kernels, ATen the rest; inputs are checked."""

import torch
from xdsl.parser import Parser

from fusir.errors import FusirError
from fusir.runtime.executable import Executable, build
from fusir.tools.registry import make_context

ADD = """
func.func @main(%x: memref<4x8xf32>, %w: memref<8x4xf32>, %tensors: memref<4xf32>)
      -> (memref<8x4xf32>, memref<4x4xf32>, memref<4xf32>) {
  %wt = host.view %w dims [4, 8] strides [1, 4] offset 0 : memref<8x4xf32> -> memref<4x8xf32, strided<[1, 4]>>
  %y = host.alloc dims [4, 8] strides [8, 1] : memref<4x8xf32>
  host.launch @add(%x, %wt, %y) : (memref<4x8xf32>, memref<4x8xf32, strided<[1, 4]>>, memref<4x8xf32>) -> ()
  %m = host.call_aten "aten.addmm.default"(%tensors, %y, %w)
        {args = [#graph.operand<0>, #graph.operand<1>, #graph.operand<2>], kwargs = {alpha = 2.0 : f32}}
      : (memref<4xf32>, memref<4x8xf32>, memref<8x4xf32>) -> memref<4x4xf32>
  %yt = host.view %y dims [8, 4] strides [1, 8] offset 0 : memref<4x8xf32> -> memref<8x4xf32, strided<[1, 8]>>
  %c = host.alloc dims [8, 4] strides [4, 1] : memref<8x4xf32>
  host.copy %yt to %c : memref<8x4xf32, strided<[1, 8]>> to memref<8x4xf32>
  host.free %y : memref<4x8xf32>
  return %c, %m, %tensors : memref<8x4xf32>, memref<4x4xf32>, memref<4xf32>
}
tt.func public @add(%x: !tt.ptr<f32>, %w: !tt.ptr<f32>, %y: !tt.ptr<f32>)
      attributes {fusir.grid = affine_map<() -> (2)>, fusir.num_warps = 1 : i32} {
  %c16 = arith.constant 16 : i32
  %pid = tt.get_program_id x : i32
  %base = arith.muli %pid, %c16 : i32
  %r = tt.make_range {start = 0 : i32, end = 16 : i32} : tensor<16xi32>
  %bs = tt.splat %base : i32 -> tensor<16xi32>
  %i = arith.addi %bs, %r : tensor<16xi32>
  %c8 = arith.constant dense<8> : tensor<16xi32>
  %c4 = arith.constant dense<4> : tensor<16xi32>
  %row = arith.divsi %i, %c8 : tensor<16xi32>
  %col = arith.remsi %i, %c8 : tensor<16xi32>
  %wc = arith.muli %col, %c4 : tensor<16xi32>
  %wi = arith.addi %wc, %row : tensor<16xi32>
  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
  %ws = tt.splat %w : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
  %ys = tt.splat %y : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
  %xp = tt.addptr %xs, %i : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
  %wp = tt.addptr %ws, %wi : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
  %yp = tt.addptr %ys, %i : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
  %a = tt.load %xp : tensor<16x!tt.ptr<f32>>
  %b = tt.load %wp : tensor<16x!tt.ptr<f32>>
  %s = arith.addf %a, %b : tensor<16xf32>
  tt.store %yp, %s : tensor<16x!tt.ptr<f32>>
  tt.return
}
"""

DYNAMIC = """
func.func @main(%s0: index {graph.symbol = #graph.symbol<0, min = 2>},
    %x: memref<?x4xi64> {graph.dims = #graph.dims<[s0, 4]>})
      -> (memref<?xi64, strided<[4]>>, memref<?x2xi64>, index) {
  %column = host.view %x dims [s0] strides [4] offset 3 : memref<?x4xi64> -> memref<?xi64, strided<[4]>>
  %parts, %rest = host.call_aten "aten.split.Tensor"(%x) {args = [#graph.operand<0>, 2 : i64, 1 : i64]}
      : (memref<?x4xi64>) -> (memref<?x2xi64>, memref<?x2xi64, strided<[4, 1]>>)
  %half = host.call_aten "aten.sum.dim_IntList"(%parts) {args = [#graph.operand<0>, [0 : i64], true]}
      : (memref<?x2xi64>) -> memref<1x2xi64>
  %twice = affine.apply affine_map<()[s0] -> (s0 * 2 + 1)> ()[%s0]
  return %column, %parts, %twice : memref<?xi64, strided<[4]>>, memref<?x2xi64>, index
}
"""


def executable(text: str, **options: bool) -> Executable:
    module = Parser(make_context(), text).parse_module()
    module.verify()
    return build(module, **options)


def expect_error(function: Executable, inputs: list[object], message: str) -> None:
    try:
        function(inputs)
    except FusirError as error:
        assert message in str(error), error
        assert "\n" not in str(error)
        return
    raise AssertionError(f"no error: {message}")


add = executable(ADD)
x, w, b = torch.randn(4, 8), torch.randn(8, 4), torch.randn(4)
for _ in range(2):
    inputs = [x, w, b]
    copied, product, same = add(inputs)
    assert inputs == [], "the executable takes ownership of the list"
    y = x + w.t()
    torch.testing.assert_close(copied, y.t())
    assert copied.is_contiguous()
    torch.testing.assert_close(product, b + 2 * (y @ w))
    assert same is b
assert not add([x.requires_grad_(), w, b])[1].requires_grad

expect_error(add, [x, w], "expected 3 inputs, got 2")
expect_error(add, [3, w, b], "input 0 must be a tensor, got int")
expect_error(add, [x, w, 3], "input 2 must be a tensor, got int")
expect_error(add, [x, w, b.double()], "input 2 must be torch.float32 of shape (4,), got torch.float64 of (4,)")
expect_error(add, [x, w.t(), b], "input 1 must be torch.float32 of shape (8, 4), got torch.float32 of (4, 8)")
expect_error(add, [x, torch.randn(4, 8).t(), b], "input 1 must have strides (4, 1), got (1, 8)")

dynamic = executable(DYNAMIC)
for n in (2, 5):
    x = torch.arange(4 * n).reshape(n, 4)
    column, parts, twice = dynamic([n, x])
    assert torch.equal(column, x[:, 3]) and column.stride() == (4,)
    assert torch.equal(parts, x[:, :2]) and parts.stride() == (2, 1), "restrided by a copy"
    assert twice == 2 * n + 1
expect_error(dynamic, [3, torch.zeros(4, 4, dtype=torch.int64)], "input 1 must be torch.int64 of shape (3, 4)")

try:
    executable(ADD.replace("@main", "@other"))
except FusirError as error:
    assert "no function @main" in str(error)
else:
    raise AssertionError("no error")

# Results of an operator by their places: here the second alone.
SECOND = """
func.func @main(%x: memref<4xf32>) -> memref<4xi64> {
  %indices = host.call_aten "aten.sort.default"(%x) {args = [#graph.operand<0>], graph.positions = [#builtin.int<1>]}
      : (memref<4xf32>) -> memref<4xi64>
  return %indices : memref<4xi64>
}
"""
x = torch.tensor([3.0, 1.0, 2.0, 0.0])
(indices,) = executable(SECOND)([x])
assert torch.equal(indices, torch.tensor([3, 1, 2, 0]))
