func.func @main(%0: tensor<3x9001xf64>) -> tensor<3x9001xf64> {
  %1 = graph.scan max %0 dim 1 reverse : tensor<3x9001xf64>
  func.return %1 : tensor<3x9001xf64>
}
