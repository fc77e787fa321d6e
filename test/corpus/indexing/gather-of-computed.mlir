func.func @main(%0: tensor<16xf32>, %1: tensor<10xi64> {corpus.range = array<i64: 0, 15>}) -> tensor<10xf32> {
  %2 = graph.exp %0 : tensor<16xf32>
  %3 = graph.gather %2[%1] dims [0] : (tensor<16xf32>, tensor<10xi64>) -> tensor<10xf32>
  func.return %3 : tensor<10xf32>
}
