func.func @main(%0: tensor<5x6x17xf32>) -> tensor<f32> {
  %1 = graph.reduce logsumexp %0 dims [0, 1, 2] : tensor<5x6x17xf32> -> tensor<f32>
  func.return %1 : tensor<f32>
}
