func.func @main(%0: tensor<20x8xf32>, %1: tensor<5x8xf32>, %2: tensor<3x5xi64> {corpus.range = array<i64: 0, 19>}) -> tensor<3x5x8xf32> {
  %3 = graph.gather %0[%2] dims [0] : (tensor<20x8xf32>, tensor<3x5xi64>) -> tensor<3x5x8xf32>
  %4 = graph.broadcast %1 dims [1, 2] : tensor<5x8xf32> -> tensor<3x5x8xf32>
  %5 = graph.add %3, %4 : tensor<3x5x8xf32>
  func.return %5 : tensor<3x5x8xf32>
}
