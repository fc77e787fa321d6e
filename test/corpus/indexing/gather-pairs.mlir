func.func @main(%0: tensor<6x7x8xf32>, %1: tensor<5xi64> {corpus.range = array<i64: 0, 5>}, %2: tensor<5xi64> {corpus.range = array<i64: 0, 7>}) -> tensor<5x7xf32> {
  %3 = graph.gather %0[%1, %2] dims [0, 2] : (tensor<6x7x8xf32>, tensor<5xi64>, tensor<5xi64>) -> tensor<5x7xf32>
  func.return %3 : tensor<5x7xf32>
}
