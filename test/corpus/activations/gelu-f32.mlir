func.func @main(%0: tensor<12x30xf32>) -> tensor<12x30xf32> {
  %1 = graph.full 0.5 : tensor<12x30xf32>
  %2 = graph.mul %0, %1 : tensor<12x30xf32>
  %3 = graph.full 0.707106769 : tensor<12x30xf32>
  %4 = graph.mul %0, %3 : tensor<12x30xf32>
  %5 = graph.erf %4 : tensor<12x30xf32>
  %6 = graph.full 1.0 : tensor<12x30xf32>
  %7 = graph.add %5, %6 : tensor<12x30xf32>
  %8 = graph.mul %2, %7 : tensor<12x30xf32>
  func.return %8 : tensor<12x30xf32>
}
