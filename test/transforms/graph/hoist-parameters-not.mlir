// RUN: fusir-opt %s --split-input-file --hoist-parameters | filecheck %s

// Without the attribute of the function nobody would keep the results.
func.func @main(%w: tensor<256x64xf32> {graph.parameter, graph.weight}, %x: tensor<256x64xf32>) -> tensor<256x64xf32> attributes {graph.inference} {
  %0 = graph.exp %w : tensor<256x64xf32>
  %1 = graph.add %0, %x : tensor<256x64xf32>
  func.return %1 : tensor<256x64xf32>
}
// CHECK: graph.exp
// CHECK-NOT: @prepare

// -----

// A buffer is no weight: not all writes to it are counted.
func.func @main(%w: tensor<256x64xf32> {graph.parameter}, %x: tensor<256x64xf32>) -> tensor<256x64xf32> attributes {graph.pack_parameters} {
  %0 = graph.exp %w : tensor<256x64xf32>
  %1 = graph.add %0, %x : tensor<256x64xf32>
  func.return %1 : tensor<256x64xf32>
}
// CHECK: graph.exp
// CHECK-NOT: @prepare

// -----

// What is larger than the weights: integers that are made floats.
func.func @main(%w: tensor<256x64xi8> {graph.parameter, graph.weight}, %s: tensor<256xbf16> {graph.parameter, graph.weight}, %x: tensor<4x64xbf16>) -> tensor<4x256xbf16> attributes {graph.pack_parameters} {
  %0 = graph.convert %w : tensor<256x64xi8> -> tensor<256x64xbf16>
  %1 = graph.broadcast %s dims [0] : tensor<256xbf16> -> tensor<256x64xbf16>
  %2 = graph.mul %0, %1 : tensor<256x64xbf16>
  %3 = graph.contract %x, %2 batch [], [] contract [1], [1] : (tensor<4x64xbf16>, tensor<256x64xbf16>) -> tensor<4x256xbf16>
  func.return %3 : tensor<4x256xbf16>
}
// CHECK: graph.convert
// CHECK-NOT: @prepare

// -----

// A result of the function, or a view of it: the caller may write to it.
func.func @main(%w: tensor<256x64xf32> {graph.parameter, graph.weight}, %x: tensor<256x64xf32>) -> (tensor<256x64xf32>, tensor<64x256xf32>) attributes {graph.pack_parameters} {
  %0 = graph.exp %w : tensor<256x64xf32>
  %1 = graph.add %0, %x : tensor<256x64xf32>
  %2 = graph.permute %0 dims [1, 0] : tensor<256x64xf32> -> tensor<64x256xf32>
  func.return %1, %2 : tensor<256x64xf32>, tensor<64x256xf32>
}
// CHECK: graph.exp
// CHECK-NOT: @prepare

// -----

// A weight that the function changes.
func.func @main(%w: tensor<256x64xf32> {graph.parameter, graph.weight}, %x: tensor<256x64xf32>) -> (tensor<256x64xf32>, tensor<256x64xf32> {graph.updates = 0 : i64}) attributes {graph.pack_parameters} {
  %0 = graph.exp %w : tensor<256x64xf32>
  %1 = graph.add %0, %x : tensor<256x64xf32>
  %2 = graph.add %w, %x : tensor<256x64xf32>
  func.return %1, %2 : tensor<256x64xf32>, tensor<256x64xf32>
}
// CHECK: graph.exp
// CHECK-NOT: @prepare

// -----

// Random numbers are others in each call; an operator of PyTorch may do anything.
func.func @main(%w: tensor<256x64xf32> {graph.parameter, graph.weight}, %seed: tensor<i64> {graph.parameter, graph.weight}, %x: tensor<256x64xf32>) -> tensor<256x64xf32> attributes {graph.pack_parameters} {
  %0 = graph.random uniform %seed offset 7 : tensor<i64> -> tensor<256x64xf32>
  %1 = graph.add %0, %w : tensor<256x64xf32>
  %2 = graph.call_aten "aten.sinc.default"(%w) {args = [#graph.operand<0>]} : (tensor<256x64xf32>) -> tensor<256x64xf32>
  %3 = graph.add %1, %2 : tensor<256x64xf32>
  func.return %3 : tensor<256x64xf32>
}
// CHECK: graph.random
// CHECK: graph.call_aten
// CHECK-NOT: @prepare

// -----

// PyTorch has no channels-last format for three dims: a convolution would copy such a weight.
func.func @main(%w: tensor<32x16x3xf32> {graph.parameter, graph.weight}, %x: tensor<2x16x8xf32> {graph.strides = #graph.dims<[128, 1, 16]>}) -> tensor<2x32x6xf32> attributes {graph.pack_parameters} {
  %0 = graph.call_aten "aten.convolution.default"(%x, %w) {args = [#graph.operand<0>, #graph.operand<1>, #graph.none, [1 : i64], [0 : i64], [1 : i64], false, [0 : i64], 1 : i64], operand_strides = [#graph.dims<[128, 1, 16]>, #graph.dims<[48, 3, 1]>]} : (tensor<2x16x8xf32>, tensor<32x16x3xf32>) -> tensor<2x32x6xf32>
  func.return %0 : tensor<2x32x6xf32>
}
// CHECK: graph.call_aten
// CHECK-NOT: @prepare
