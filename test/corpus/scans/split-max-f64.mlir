func.func @main(%0: tensor<2x40960xf64>) -> (tensor<2x40960xf64>, tensor<2x40960xf64>) {
  %1 = graph.scan max %0 dim 1 : tensor<2x40960xf64>
  %2 = graph.scan max %0 dim 1 reverse : tensor<2x40960xf64>
  func.return %1, %2 : tensor<2x40960xf64>, tensor<2x40960xf64>
}
