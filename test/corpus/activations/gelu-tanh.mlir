func.func @main(%0: tensor<12x30xf32>) -> tensor<12x30xf32> {
  %1 = graph.full 0.5 : tensor<12x30xf32>
  %2 = graph.mul %0, %1 : tensor<12x30xf32>
  %3 = graph.mul %0, %0 : tensor<12x30xf32>
  %4 = graph.mul %3, %0 : tensor<12x30xf32>
  %5 = graph.full 0.044715 : tensor<12x30xf32>
  %6 = graph.mul %4, %5 : tensor<12x30xf32>
  %7 = graph.add %0, %6 : tensor<12x30xf32>
  %8 = graph.full 0.797884583 : tensor<12x30xf32>
  %9 = graph.mul %7, %8 : tensor<12x30xf32>
  %10 = graph.tanh %9 : tensor<12x30xf32>
  %11 = graph.full 1.0 : tensor<12x30xf32>
  %12 = graph.add %10, %11 : tensor<12x30xf32>
  %13 = graph.mul %2, %12 : tensor<12x30xf32>
  func.return %13 : tensor<12x30xf32>
}
