func.func @main(%0: tensor<20x8xf32>, %1: tensor<3x5xi64> {corpus.range = array<i64: 0, 19>}) -> tensor<3x5x8xf32> {
  %2 = graph.gather %0[%1] dims [0] : (tensor<20x8xf32>, tensor<3x5xi64>) -> tensor<3x5x8xf32>
  %3 = graph.full 2.0 : tensor<3x5x8xf32>
  %4 = graph.mul %2, %3 : tensor<3x5x8xf32>
  func.return %4 : tensor<3x5x8xf32>
}
