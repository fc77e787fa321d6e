func.func @main(%0: tensor<30xi64> {corpus.range = array<i64: -100, 100>}, %1: tensor<30xi64> {corpus.range = array<i64: -100, 100>}, %2: tensor<30xi64> {corpus.range = array<i64: -100, 100>}, %3: tensor<30xi64> {corpus.range = array<i64: 1, 9>}) -> (tensor<30xi64>, tensor<30xi64>, tensor<30xi64>, tensor<30xi64>, tensor<30xi64>) {
  %4 = graph.add %0, %1 : tensor<30xi64>
  %5 = graph.sub %0, %1 : tensor<30xi64>
  %6 = graph.mul %0, %1 : tensor<30xi64>
  %7 = graph.div %0, %3 : tensor<30xi64>
  %8 = graph.floor_div %0, %3 : tensor<30xi64>
  func.return %4, %5, %6, %7, %8 : tensor<30xi64>, tensor<30xi64>, tensor<30xi64>, tensor<30xi64>, tensor<30xi64>
}
