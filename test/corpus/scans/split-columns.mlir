func.func @main(%0: tensor<2x2048x3xf32>) -> (tensor<2x2048x3xf32>, tensor<2x2048x3xf32>) {
  %1 = graph.scan sum %0 dim 1 : tensor<2x2048x3xf32>
  %2 = graph.scan max %0 dim 1 reverse : tensor<2x2048x3xf32>
  func.return %1, %2 : tensor<2x2048x3xf32>, tensor<2x2048x3xf32>
}
