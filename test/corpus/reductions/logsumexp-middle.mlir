func.func @main(%0: tensor<5x6x17xf32>) -> tensor<5x17xf32> {
  %1 = graph.reduce logsumexp %0 dims [1] : tensor<5x6x17xf32> -> tensor<5x17xf32>
  func.return %1 : tensor<5x17xf32>
}
