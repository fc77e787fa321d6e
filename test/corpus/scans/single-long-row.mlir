func.func @main(%0: tensor<40000xf32>) -> (tensor<40000xf32>, tensor<40000xf32>, tensor<40000xf32>) {
  %1 = graph.full 0.01 : tensor<40000xf32>
  %2 = graph.mul %0, %1 : tensor<40000xf32>
  %3 = graph.scan sum %2 dim 0 : tensor<40000xf32>
  %4 = graph.full 0.01 : tensor<40000xf32>
  %5 = graph.mul %0, %4 : tensor<40000xf32>
  %6 = graph.scan sum %5 dim 0 reverse : tensor<40000xf32>
  %7 = graph.scan max %0 dim 0 : tensor<40000xf32>
  func.return %3, %6, %7 : tensor<40000xf32>, tensor<40000xf32>, tensor<40000xf32>
}
