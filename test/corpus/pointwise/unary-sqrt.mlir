func.func @main(%0: tensor<7x33xf32>) -> tensor<7x33xf32> {
  %1 = graph.abs %0 : tensor<7x33xf32>
  %2 = graph.full 0.25 : tensor<7x33xf32>
  %3 = graph.add %1, %2 : tensor<7x33xf32>
  %4 = graph.sqrt %3 : tensor<7x33xf32>
  %5 = graph.full 0.5 : tensor<7x33xf32>
  %6 = graph.mul %4, %5 : tensor<7x33xf32>
  func.return %6 : tensor<7x33xf32>
}
