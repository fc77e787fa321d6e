func.func @main(%0: tensor<2x8x7x5xf32>, %1: tensor<8x8x3x3xf32>, %2: tensor<8xf32>) -> tensor<2x8x7x5xf32> {
  %3 = graph.call_aten "aten.convolution.default"(%0, %1, %2) {args = [#graph.operand<0>, #graph.operand<1>, #graph.operand<2>, [1 : i64, 1 : i64], [1 : i64, 1 : i64], [1 : i64, 1 : i64], false, [0 : i64, 0 : i64], 1 : i64]} : (tensor<2x8x7x5xf32>, tensor<8x8x3x3xf32>, tensor<8xf32>) -> tensor<2x8x7x5xf32>
  %4 = graph.full 0.25 : tensor<2x8x7x5xf32>
  %5 = graph.mul %3, %4 : tensor<2x8x7x5xf32>
  %6 = graph.add %5, %0 : tensor<2x8x7x5xf32>
  %7 = graph.relu %6 : tensor<2x8x7x5xf32>
  func.return %7 : tensor<2x8x7x5xf32>
}
