func.func @main(%0: tensor<30xi64>, %1: tensor<30xi64>, %2: tensor<30xi64> {corpus.range = array<i64: 0, 6>}) -> (tensor<30xi64>, tensor<30xi64>, tensor<30xi64>, tensor<30xi64>, tensor<30xi64>, tensor<30xi64>, tensor<30xi64>, tensor<30xi64>) {
  %3 = graph.and %0, %1 : tensor<30xi64>
  %4 = graph.or %0, %1 : tensor<30xi64>
  %5 = graph.xor %0, %1 : tensor<30xi64>
  %6 = graph.maximum %0, %1 : tensor<30xi64>
  %7 = graph.minimum %0, %1 : tensor<30xi64>
  %8 = graph.shl %0, %2 : tensor<30xi64>
  %9 = graph.shr %0, %2 : tensor<30xi64>
  %10 = graph.not %0 : tensor<30xi64>
  func.return %3, %4, %5, %6, %7, %8, %9, %10 : tensor<30xi64>, tensor<30xi64>, tensor<30xi64>, tensor<30xi64>, tensor<30xi64>, tensor<30xi64>, tensor<30xi64>, tensor<30xi64>
}
