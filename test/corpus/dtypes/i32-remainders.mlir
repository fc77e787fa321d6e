func.func @main(%0: tensor<30xi32> {corpus.range = array<i64: -100, 100>}, %1: tensor<30xi32> {corpus.range = array<i64: 1, 9>}) -> (tensor<30xi32>, tensor<30xi32>, tensor<30xi32>, tensor<30xi32>) {
  %2 = graph.rem %0, %1 : tensor<30xi32>
  %3 = graph.mod %0, %1 : tensor<30xi32>
  %4 = graph.neg %0 : tensor<30xi32>
  %5 = graph.abs %0 : tensor<30xi32>
  func.return %2, %3, %4, %5 : tensor<30xi32>, tensor<30xi32>, tensor<30xi32>, tensor<30xi32>
}
