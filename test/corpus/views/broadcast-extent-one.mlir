func.func @main(%0: tensor<5x1x3xf32>) -> (tensor<2x5x4x3xf32>, tensor<5x3xf32>) {
  %1 = graph.broadcast %0 dims [1, 2, 3] : tensor<5x1x3xf32> -> tensor<2x5x4x3xf32>
  %2 = graph.full 2.0 : tensor<2x5x4x3xf32>
  %3 = graph.mul %1, %2 : tensor<2x5x4x3xf32>
  %4 = graph.broadcast %0 dims [0, 1, 2] : tensor<5x1x3xf32> -> tensor<5x7x3xf32>
  %5 = graph.reduce max %4 dims [1] : tensor<5x7x3xf32> -> tensor<5x3xf32>
  func.return %3, %5 : tensor<2x5x4x3xf32>, tensor<5x3xf32>
}
