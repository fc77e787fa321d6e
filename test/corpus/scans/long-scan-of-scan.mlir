func.func @main(%0: tensor<2x16400xf32>) -> (tensor<2x16400xf32>, tensor<2x16400xf32>) {
  %1 = graph.full 0.01 : tensor<2x16400xf32>
  %2 = graph.mul %0, %1 : tensor<2x16400xf32>
  %3 = graph.scan sum %2 dim 1 : tensor<2x16400xf32>
  %4 = graph.full 0.001 : tensor<2x16400xf32>
  %5 = graph.mul %3, %4 : tensor<2x16400xf32>
  %6 = graph.scan sum %5 dim 1 : tensor<2x16400xf32>
  %7 = graph.scan max %3 dim 1 : tensor<2x16400xf32>
  func.return %6, %7 : tensor<2x16400xf32>, tensor<2x16400xf32>
}
