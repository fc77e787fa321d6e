func.func @main(%0: tensor<12x30xf32>, %1: tensor<12x30xf32>) -> tensor<12x30xf32> {
  %2 = graph.full 0.707106769 : tensor<12x30xf32>
  %3 = graph.mul %0, %2 : tensor<12x30xf32>
  %4 = graph.erf %3 : tensor<12x30xf32>
  %5 = graph.full 1.0 : tensor<12x30xf32>
  %6 = graph.add %4, %5 : tensor<12x30xf32>
  %7 = graph.full 0.5 : tensor<12x30xf32>
  %8 = graph.mul %6, %7 : tensor<12x30xf32>
  %9 = graph.mul %0, %0 : tensor<12x30xf32>
  %10 = graph.full -0.5 : tensor<12x30xf32>
  %11 = graph.mul %9, %10 : tensor<12x30xf32>
  %12 = graph.exp %11 : tensor<12x30xf32>
  %13 = graph.full 0.398942292 : tensor<12x30xf32>
  %14 = graph.mul %12, %13 : tensor<12x30xf32>
  %15 = graph.mul %0, %14 : tensor<12x30xf32>
  %16 = graph.add %8, %15 : tensor<12x30xf32>
  %17 = graph.mul %1, %16 : tensor<12x30xf32>
  func.return %17 : tensor<12x30xf32>
}
