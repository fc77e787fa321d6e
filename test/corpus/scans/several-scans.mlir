func.func @main(%0: tensor<6x33xf32>, %1: tensor<6x33xf32>) -> (tensor<6x33xf32>, tensor<6x33xf32>) {
  %2 = graph.scan sum %0 dim 1 : tensor<6x33xf32>
  %3 = graph.scan max %1 dim 1 : tensor<6x33xf32>
  %4 = graph.full 10.0 : tensor<6x33xf32>
  %5 = graph.add %3, %4 : tensor<6x33xf32>
  %6 = graph.div %2, %5 : tensor<6x33xf32>
  %7 = graph.mul %0, %1 : tensor<6x33xf32>
  %8 = graph.scan sum %7 dim 1 : tensor<6x33xf32>
  func.return %6, %8 : tensor<6x33xf32>, tensor<6x33xf32>
}
