func.func @main(%0: tensor<5x6x17xf32>) -> tensor<5x6xf32> {
  %1 = graph.reduce logsumexp %0 dims [2] : tensor<5x6x17xf32> -> tensor<5x6xf32>
  func.return %1 : tensor<5x6xf32>
}
