func.func @main(%0: tensor<7x1009xf32>) -> (tensor<7x1009xf32>, tensor<7x1009xi64>) {
  %1 = graph.scan max %0 dim 1 : tensor<7x1009xf32>
  %2 = graph.scan argmax %0 dim 1 : tensor<7x1009xf32> -> tensor<7x1009xi64>
  func.return %1, %2 : tensor<7x1009xf32>, tensor<7x1009xi64>
}
