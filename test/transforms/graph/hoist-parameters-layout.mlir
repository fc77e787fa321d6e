// RUN: fusir-opt %s --hoist-parameters | filecheck %s

// A convolution of channels-last images gets a channels-last weight; other calls get the layouts that they saw.
// CHECK:      func.func @main(%w: {{.*}}, %packed: tensor<32x16x3x3xf32> {graph.name = "packed w", graph.packed = 0 : i64, graph.parameter, graph.strides = #graph.dims<[144, 1, 48, 16]>},
// CHECK-SAME: %packed_1: tensor<8x8xf32> {graph.name = "packed v", graph.packed = 1 : i64, graph.parameter})
// CHECK-NEXT:   graph.call_aten "aten.convolution.default"(%x, %packed) {{.*}} operand_strides = [#graph.dims<[1024, 1, 128, 16]>, #graph.dims<[144, 1, 48, 16]>]
// CHECK-NEXT:   graph.call_aten "aten.sinc.default"(%packed_1)
// CHECK-NEXT:   graph.add {{.*}}, %v
// CHECK:      func.func @prepare(%w: {{.*}}, %v: tensor<8x8xf32> {graph.parameter, graph.weight, graph.strides = #graph.dims<[1, 8]>, graph.argument = 2 : i64})
// CHECK-SAME: -> (tensor<32x16x3x3xf32> {graph.strides = #graph.dims<[144, 1, 48, 16]>}, tensor<8x8xf32>)
// CHECK-NEXT:   func.return %w, %v
func.func @main(%w: tensor<32x16x3x3xf32> {graph.parameter, graph.weight}, %x: tensor<2x16x8x8xf32> {graph.strides = #graph.dims<[1024, 1, 128, 16]>}, %v: tensor<8x8xf32> {graph.parameter, graph.weight, graph.strides = #graph.dims<[1, 8]>}) -> (tensor<2x32x6x6xf32> {graph.strides = #graph.dims<[1152, 1, 192, 32]>}, tensor<8x8xf32>) attributes {graph.pack_parameters} {
  %0 = graph.call_aten "aten.convolution.default"(%x, %w) {args = [#graph.operand<0>, #graph.operand<1>, #graph.none, [1 : i64, 1 : i64], [0 : i64, 0 : i64], [1 : i64, 1 : i64], false, [0 : i64, 0 : i64], 1 : i64], result_strides = [#graph.dims<[1152, 1, 192, 32]>], operand_strides = [#graph.dims<[1024, 1, 128, 16]>, #graph.dims<[144, 9, 3, 1]>]} : (tensor<2x16x8x8xf32>, tensor<32x16x3x3xf32>) -> tensor<2x32x6x6xf32>
  %1 = graph.call_aten "aten.sinc.default"(%v) {args = [#graph.operand<0>], operand_strides = [#graph.dims<[8, 1]>]} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %2 = graph.add %1, %v : tensor<8x8xf32>
  func.return %0, %2 : tensor<2x32x6x6xf32>, tensor<8x8xf32>
}
