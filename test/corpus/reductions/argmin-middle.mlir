func.func @main(%0: tensor<5x6x17xf32>) -> tensor<5x17xi64> {
  %1 = graph.reduce argmin %0 dims [1] : tensor<5x6x17xf32> -> tensor<5x17xi64>
  func.return %1 : tensor<5x17xi64>
}
