func.func @main(%0: tensor<12x33xf32>) -> tensor<12x33xf32> {
  %1 = graph.scan sum %0 dim 1 : tensor<12x33xf32>
  %2 = graph.scan sum %1 dim 0 : tensor<12x33xf32>
  func.return %2 : tensor<12x33xf32>
}
