func.func @main(%0: tensor<9xi64> {corpus.range = array<i64: 0, 5>}) -> (tensor<9x6xf32>, tensor<6xi1>) {
  %1 = graph.reshape %0 : tensor<9xi64> -> tensor<9x1xi64>
  %2 = graph.broadcast %1 dims [0, 1] : tensor<9x1xi64> -> tensor<9x6xi64>
  %3 = graph.iota dim 1 : tensor<9x6xi64>
  %4 = graph.compare eq %2, %3 : tensor<9x6xi64>
  %5 = graph.convert %4 : tensor<9x6xi1> -> tensor<9x6xf32>
  %6 = graph.reduce any %4 dims [0] : tensor<9x6xi1> -> tensor<6xi1>
  func.return %5, %6 : tensor<9x6xf32>, tensor<6xi1>
}
