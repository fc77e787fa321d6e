func.func @main(%0: tensor<2x8x4x4xf32>, %1: tensor<8x8x3x3xf32>, %2: tensor<8xf32>) -> (tensor<2x8x4x4xf32>, tensor<2xf32>, tensor<2x4x4x8xf32>) {
  %3 = graph.call_aten "aten.convolution.default"(%0, %1, %2) {args = [#graph.operand<0>, #graph.operand<1>, #graph.operand<2>, [1 : i64, 1 : i64], [1 : i64, 1 : i64], [1 : i64, 1 : i64], false, [0 : i64, 0 : i64], 1 : i64]} : (tensor<2x8x4x4xf32>, tensor<8x8x3x3xf32>, tensor<8xf32>) -> tensor<2x8x4x4xf32>
  %4 = graph.full 0.25 : tensor<2x8x4x4xf32>
  %5 = graph.mul %3, %4 : tensor<2x8x4x4xf32>
  %6 = graph.reshape %5 : tensor<2x8x4x4xf32> -> tensor<2x128xf32>
  %7 = graph.reduce max %6 dims [1] : tensor<2x128xf32> -> tensor<2xf32>
  %8 = graph.permute %5 dims [0, 2, 3, 1] : tensor<2x8x4x4xf32> -> tensor<2x4x4x8xf32>
  func.return %5, %7, %8 : tensor<2x8x4x4xf32>, tensor<2xf32>, tensor<2x4x4x8xf32>
}
