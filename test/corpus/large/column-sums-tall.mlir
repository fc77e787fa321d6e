func.func @main(%0: tensor<4000x70xf32>) -> (tensor<70xf32>, tensor<70xf32>) {
  %1 = graph.reduce sum %0 dims [0] : tensor<4000x70xf32> -> tensor<70xf32>
  %2 = graph.reduce max %0 dims [0] : tensor<4000x70xf32> -> tensor<70xf32>
  func.return %1, %2 : tensor<70xf32>, tensor<70xf32>
}
