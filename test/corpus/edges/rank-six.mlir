func.func @main(%0: tensor<2x3x2x3x2x3xf32>) -> (tensor<3x3x3x2x2x2xf32>, tensor<3x3x3xf32>, tensor<2x2x2xf32>) {
  %1 = graph.permute %0 dims [5, 3, 1, 0, 2, 4] : tensor<2x3x2x3x2x3xf32> -> tensor<3x3x3x2x2x2xf32>
  %2 = graph.full 2.0 : tensor<3x3x3x2x2x2xf32>
  %3 = graph.mul %1, %2 : tensor<3x3x3x2x2x2xf32>
  %4 = graph.reduce sum %0 dims [0, 2, 4] : tensor<2x3x2x3x2x3xf32> -> tensor<3x3x3xf32>
  %5 = graph.reduce max %0 dims [1, 3, 5] : tensor<2x3x2x3x2x3xf32> -> tensor<2x2x2xf32>
  func.return %3, %4, %5 : tensor<3x3x3x2x2x2xf32>, tensor<3x3x3xf32>, tensor<2x2x2xf32>
}
