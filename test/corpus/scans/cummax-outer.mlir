func.func @main(%0: tensor<25x70xf32>) -> (tensor<25x70xf32>, tensor<25x70xi64>) {
  %1 = graph.scan max %0 dim 0 : tensor<25x70xf32>
  %2 = graph.scan argmax %0 dim 0 : tensor<25x70xf32> -> tensor<25x70xi64>
  func.return %1, %2 : tensor<25x70xf32>, tensor<25x70xi64>
}
