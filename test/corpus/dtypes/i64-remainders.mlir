func.func @main(%0: tensor<30xi64> {corpus.range = array<i64: -100, 100>}, %1: tensor<30xi64> {corpus.range = array<i64: 1, 9>}) -> (tensor<30xi64>, tensor<30xi64>, tensor<30xi64>, tensor<30xi64>) {
  %2 = graph.rem %0, %1 : tensor<30xi64>
  %3 = graph.mod %0, %1 : tensor<30xi64>
  %4 = graph.neg %0 : tensor<30xi64>
  %5 = graph.abs %0 : tensor<30xi64>
  func.return %2, %3, %4, %5 : tensor<30xi64>, tensor<30xi64>, tensor<30xi64>, tensor<30xi64>
}
