func.func @main(%0: tensor<6x3xf32>, %1: tensor<12xi64> {corpus.range = array<i64: -3, 9>}) -> tensor<12x3xf32> {
  %2 = graph.gather %0[%1] dims [0] : (tensor<6x3xf32>, tensor<12xi64>) -> tensor<12x3xf32>
  func.return %2 : tensor<12x3xf32>
}
