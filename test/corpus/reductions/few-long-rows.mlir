func.func @main(%0: tensor<3x20000xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
  %1 = graph.reduce sum %0 dims [1] : tensor<3x20000xf32> -> tensor<3xf32>
  %2 = graph.reduce max %0 dims [1] : tensor<3x20000xf32> -> tensor<3xf32>
  func.return %1, %2 : tensor<3xf32>, tensor<3xf32>
}
