func.func @main(%0: tensor<7x33xf32>) -> tensor<7x33xf32> {
  %1 = graph.tan %0 : tensor<7x33xf32>
  %2 = graph.full 0.5 : tensor<7x33xf32>
  %3 = graph.mul %1, %2 : tensor<7x33xf32>
  func.return %3 : tensor<7x33xf32>
}
