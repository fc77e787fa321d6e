func.func @main(%0: tensor<3x17x10xf32>) -> (tensor<3x17x10xf32>, tensor<3x17x10xi64>) {
  %1 = graph.scan max %0 dim 1 : tensor<3x17x10xf32>
  %2 = graph.scan argmax %0 dim 1 : tensor<3x17x10xf32> -> tensor<3x17x10xi64>
  func.return %1, %2 : tensor<3x17x10xf32>, tensor<3x17x10xi64>
}
