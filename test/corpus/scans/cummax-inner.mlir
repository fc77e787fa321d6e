func.func @main(%0: tensor<6x25xf32>) -> (tensor<6x25xf32>, tensor<6x25xi64>) {
  %1 = graph.scan max %0 dim 1 : tensor<6x25xf32>
  %2 = graph.scan argmax %0 dim 1 : tensor<6x25xf32> -> tensor<6x25xi64>
  func.return %1, %2 : tensor<6x25xf32>, tensor<6x25xi64>
}
