func.func @main(%0: tensor<6x33xf32>) -> tensor<6x33xf32> {
  %1 = graph.full 1.0 : tensor<6x33xf32>
  %2 = graph.scan sum %1 dim 1 : tensor<6x33xf32>
  %3 = graph.mul %2, %0 : tensor<6x33xf32>
  func.return %3 : tensor<6x33xf32>
}
