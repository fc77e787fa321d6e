func.func @main(%0: tensor<6x25xf32>) -> (tensor<6x25xf32>, tensor<6x25xf32>) {
  %1 = graph.full 0.5 : tensor<6x25xf32>
  %2 = graph.mul %0, %1 : tensor<6x25xf32>
  %3 = graph.scan max %2 dim 1 : tensor<6x25xf32>
  %4 = graph.scan max %0 dim 0 : tensor<6x25xf32>
  %5 = graph.full 1.0 : tensor<6x25xf32>
  %6 = graph.add %4, %5 : tensor<6x25xf32>
  func.return %3, %6 : tensor<6x25xf32>, tensor<6x25xf32>
}
