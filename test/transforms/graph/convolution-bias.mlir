// RUN: fusir-opt %s --convolution-bias | filecheck %s
// RUN: fusir-opt %s --convolution-bias='mode=always' | filecheck %s --check-prefix ALWAYS
// RUN: fusir-opt %s --convolution-bias='mode=never' | filecheck %s --check-prefix NEVER

// NEVER-NOT: graph.broadcast

// CHECK-LABEL: @kernel
// CHECK: %0 = graph.call_aten "aten.convolution.default"(%x, %w) {args = [#graph.operand<0>, #graph.operand<1>, #graph.none,
// CHECK-SAME: result_strides = [#graph.dims<[512, 1, 64, 8]>], operand_strides = [#graph.dims<[512, 1, 64, 8]>, #graph.dims<[72, 9, 3, 1]>]}
// CHECK-NEXT: %1 = graph.broadcast %b dims [1] : tensor<8xbf16> -> tensor<2x8x8x8xbf16>
// CHECK-NEXT: %a = graph.add %0, %1 {graph.strides = #graph.dims<[512, 1, 64, 8]>}
// CHECK-NEXT: graph.relu %a
func.func @kernel(%x: tensor<2x8x8x8xbf16>, %w: tensor<8x8x3x3xbf16>, %b: tensor<8xbf16>) -> tensor<2x8x8x8xbf16> attributes {graph.device = "cuda:0"} {
  %a = graph.call_aten "aten.convolution.default"(%x, %w, %b) {args = [#graph.operand<0>, #graph.operand<1>, #graph.operand<2>, [1, 1], [1, 1], [1, 1], false, [0, 0], 1], operand_strides = [#graph.dims<[512, 1, 64, 8]>, #graph.dims<[72, 9, 3, 1]>, #graph.dims<[1]>], result_strides = [#graph.dims<[512, 1, 64, 8]>]} : (tensor<2x8x8x8xbf16>, tensor<8x8x3x3xbf16>, tensor<8xbf16>) -> tensor<2x8x8x8xbf16>
  %r = graph.relu %a : tensor<2x8x8x8xbf16>
  return %r : tensor<2x8x8x8xbf16>
}

// Through a view; an operand that is two arguments.
// CHECK-LABEL: @view
// CHECK: "aten.convolution.default"(%x, %w) {args = [#graph.operand<0>, #graph.operand<1>, #graph.none,
// CHECK: graph.add
// CHECK-LABEL: @weight
// CHECK: "aten.convolution.default"(%x) {args = [#graph.operand<0>, #graph.operand<0>, #graph.none,
func.func @view(%x: tensor<1x2x8xf32>, %w: tensor<4x2x3xf32>, %b: tensor<4xf32>) -> tensor<4xf32> attributes {graph.device = "cuda:0"} {
  %a = graph.call_aten "aten.convolution.default"(%b, %x, %w) {args = [#graph.operand<1>, #graph.operand<2>, #graph.operand<0>, [1], [1], [1], false, [0], 1]} : (tensor<4xf32>, tensor<1x2x8xf32>, tensor<4x2x3xf32>) -> tensor<1x4x8xf32>
  %v = graph.reshape %a : tensor<1x4x8xf32> -> tensor<4x8xf32>
  %r = graph.reduce sum %v dims [1] : tensor<4x8xf32> -> tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func @weight(%x: tensor<3x3x3xf32>, %b: tensor<3xf32>) -> tensor<3x3x1xf32> attributes {graph.device = "cuda:0"} {
  %a = graph.call_aten "aten.convolution.default"(%x, %b) {args = [#graph.operand<0>, #graph.operand<0>, #graph.operand<1>, [1], [0], [1], false, [0], 1]} : (tensor<3x3x3xf32>, tensor<3xf32>) -> tensor<3x3x1xf32>
  %r = graph.neg %a : tensor<3x3x1xf32>
  return %r : tensor<3x3x1xf32>
}

// Where no kernel reads the result, or something else does too, the bias stays; and on the CPU.
// CHECK-LABEL: @returned
// CHECK-NOT: graph.broadcast
// CHECK-LABEL: @both
// CHECK-NOT: graph.broadcast
// CHECK-LABEL: @cpu
// CHECK-NOT: graph.broadcast
// ALWAYS-LABEL: @returned
// ALWAYS-NOT: graph.broadcast
// ALWAYS-LABEL: @both
// ALWAYS-NOT: graph.broadcast
// ALWAYS-LABEL: @cpu
// ALWAYS: graph.broadcast
func.func @returned(%x: tensor<1x2x8xf32>, %w: tensor<4x2x3xf32>, %b: tensor<4xf32>) -> tensor<1x4x8xf32> attributes {graph.device = "cuda:0"} {
  %a = graph.call_aten "aten.convolution.default"(%x, %w, %b) {args = [#graph.operand<0>, #graph.operand<1>, #graph.operand<2>, [1], [1], [1], false, [0], 1]} : (tensor<1x2x8xf32>, tensor<4x2x3xf32>, tensor<4xf32>) -> tensor<1x4x8xf32>
  return %a : tensor<1x4x8xf32>
}
func.func @both(%x: tensor<1x4x8xf32>, %w: tensor<4x4x3xf32>, %b: tensor<4xf32>) -> (tensor<1x4x8xf32>, tensor<1x4x8xf32>) attributes {graph.device = "cuda:0"} {
  %a = graph.call_aten "aten.convolution.default"(%x, %w, %b) {args = [#graph.operand<0>, #graph.operand<1>, #graph.operand<2>, [1], [1], [1], false, [0], 1]} : (tensor<1x4x8xf32>, tensor<4x4x3xf32>, tensor<4xf32>) -> tensor<1x4x8xf32>
  %r = graph.neg %a : tensor<1x4x8xf32>
  %p = graph.permute %a dims [0, 1, 2] : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
  %c = graph.call_aten "aten.convolution.default"(%p, %w, %b) {args = [#graph.operand<0>, #graph.operand<1>, #graph.operand<2>, [1], [1], [1], false, [0], 1]} : (tensor<1x4x8xf32>, tensor<4x4x3xf32>, tensor<4xf32>) -> tensor<1x4x8xf32>
  return %r, %c : tensor<1x4x8xf32>, tensor<1x4x8xf32>
}
func.func @cpu(%x: tensor<1x2x8xf32>, %w: tensor<4x2x3xf32>, %b: tensor<4xf32>) -> tensor<1x4x8xf32> {
  %a = graph.call_aten "aten.convolution.default"(%x, %w, %b) {args = [#graph.operand<0>, #graph.operand<1>, #graph.operand<2>, [1], [1], [1], false, [0], 1]} : (tensor<1x2x8xf32>, tensor<4x2x3xf32>, tensor<4xf32>) -> tensor<1x4x8xf32>
  %r = graph.neg %a : tensor<1x4x8xf32>
  return %r : tensor<1x4x8xf32>
}
