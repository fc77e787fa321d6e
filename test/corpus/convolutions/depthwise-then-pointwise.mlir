func.func @main(%0: tensor<2x8x6x6xf32>, %1: tensor<8x1x3x3xf32>, %2: tensor<4x8x1x1xf32>, %3: tensor<8xf32>, %4: tensor<4xf32>) -> (tensor<2x4x6x6xf32>, tensor<2x8x6x6xf32>) {
  %5 = graph.call_aten "aten.convolution.default"(%0, %1, %3) {args = [#graph.operand<0>, #graph.operand<1>, #graph.operand<2>, [1 : i64, 1 : i64], [1 : i64, 1 : i64], [1 : i64, 1 : i64], false, [0 : i64, 0 : i64], 8 : i64]} : (tensor<2x8x6x6xf32>, tensor<8x1x3x3xf32>, tensor<8xf32>) -> tensor<2x8x6x6xf32>
  %6 = graph.full 0.25 : tensor<2x8x6x6xf32>
  %7 = graph.mul %5, %6 : tensor<2x8x6x6xf32>
  %8 = graph.relu %7 : tensor<2x8x6x6xf32>
  %9 = graph.call_aten "aten.convolution.default"(%8, %2, %4) {args = [#graph.operand<0>, #graph.operand<1>, #graph.operand<2>, [1 : i64, 1 : i64], [0 : i64, 0 : i64], [1 : i64, 1 : i64], false, [0 : i64, 0 : i64], 1 : i64]} : (tensor<2x8x6x6xf32>, tensor<4x8x1x1xf32>, tensor<4xf32>) -> tensor<2x4x6x6xf32>
  %10 = graph.full 0.25 : tensor<2x4x6x6xf32>
  %11 = graph.mul %9, %10 : tensor<2x4x6x6xf32>
  func.return %11, %8 : tensor<2x4x6x6xf32>, tensor<2x8x6x6xf32>
}
