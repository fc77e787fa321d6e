func.func @main(%0: tensor<12x30xf32>) -> tensor<12x30xf32> {
  %1 = graph.sigmoid %0 : tensor<12x30xf32>
  %2 = graph.mul %0, %1 : tensor<12x30xf32>
  func.return %2 : tensor<12x30xf32>
}
