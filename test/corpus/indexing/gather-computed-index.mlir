func.func @main(%0: tensor<16x4xf32>, %1: tensor<10xi64> {corpus.range = array<i64: 0, 7>}) -> tensor<10xf32> {
  %2 = graph.full 2 : tensor<10xi64>
  %3 = graph.mul %1, %2 : tensor<10xi64>
  %4 = graph.full 1 : tensor<10xi64>
  %5 = graph.add %3, %4 : tensor<10xi64>
  %6 = graph.gather %0[%5] dims [0] : (tensor<16x4xf32>, tensor<10xi64>) -> tensor<10x4xf32>
  %7 = graph.reduce sum %6 dims [1] : tensor<10x4xf32> -> tensor<10xf32>
  func.return %7 : tensor<10xf32>
}
