func.func @main(%0: tensor<5x60xf16>) -> (tensor<5x60xf16>, tensor<5x60xf16>) {
  %1 = graph.scan logsumexp %0 dim 1 : tensor<5x60xf16>
  %2 = graph.scan logsumexp %0 dim 0 reverse : tensor<5x60xf16>
  func.return %1, %2 : tensor<5x60xf16>, tensor<5x60xf16>
}
