func.func @main(%0: tensor<5x6x17xf32>) -> tensor<i64> {
  %1 = graph.reduce argmin %0 dims [0, 1, 2] : tensor<5x6x17xf32> -> tensor<i64>
  func.return %1 : tensor<i64>
}
