func.func @main(%0: tensor<12x30xf32>, %1: tensor<12x30xf32>) -> (tensor<12x30xf32>, tensor<30xf32>) {
  %2 = graph.full 0.0 : tensor<12x30xf32>
  %3 = graph.compare gt %0, %2 : tensor<12x30xf32>
  %4 = graph.full 0.0 : tensor<12x30xf32>
  %5 = graph.select %3, %1, %4 : tensor<12x30xf32>
  %6 = graph.full 0.0 : tensor<12x30xf32>
  %7 = graph.compare gt %0, %6 : tensor<12x30xf32>
  %8 = graph.full 0.0 : tensor<12x30xf32>
  %9 = graph.select %7, %1, %8 : tensor<12x30xf32>
  %10 = graph.reduce sum %9 dims [0] : tensor<12x30xf32> -> tensor<30xf32>
  func.return %5, %10 : tensor<12x30xf32>, tensor<30xf32>
}
