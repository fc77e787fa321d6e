func.func @main(%0: tensor<9x40xbf16>) -> (tensor<9xbf16>, tensor<9xbf16>, tensor<9xbf16>, tensor<9xi64>) {
  %1 = graph.reduce logsumexp %0 dims [1] : tensor<9x40xbf16> -> tensor<9xbf16>
  %2 = graph.reduce sum %0 dims [1] : tensor<9x40xbf16> -> tensor<9xbf16>
  %3 = graph.reduce max %0 dims [1] : tensor<9x40xbf16> -> tensor<9xbf16>
  %4 = graph.reduce argmax %0 dims [1] : tensor<9x40xbf16> -> tensor<9xi64>
  func.return %1, %2, %3, %4 : tensor<9xbf16>, tensor<9xbf16>, tensor<9xbf16>, tensor<9xi64>
}
