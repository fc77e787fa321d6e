func.func @main(%0: tensor<6x9xf32>, %1: tensor<6x4xi64> {corpus.range = array<i64: 0, 8>}) -> tensor<6x4xf32> {
  %2 = graph.iota dim 0 : tensor<6x4xi64>
  %3 = graph.gather %0[%2, %1] dims [0, 1] : (tensor<6x9xf32>, tensor<6x4xi64>, tensor<6x4xi64>) -> tensor<6x4xf32>
  func.return %3 : tensor<6x4xf32>
}
