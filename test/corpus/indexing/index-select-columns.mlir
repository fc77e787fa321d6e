func.func @main(%0: tensor<6x20xf32>, %1: tensor<7xi32> {corpus.range = array<i64: 0, 19>}) -> tensor<7x6xf32> {
  %2 = graph.gather %0[%1] dims [1] : (tensor<6x20xf32>, tensor<7xi32>) -> tensor<7x6xf32>
  func.return %2 : tensor<7x6xf32>
}
