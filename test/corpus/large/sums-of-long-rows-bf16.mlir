func.func @main(%0: tensor<5x70000xbf16>) -> (tensor<5xbf16>, tensor<5xbf16>, tensor<5xbf16>) {
  %1 = graph.reduce sum %0 dims [1] : tensor<5x70000xbf16> -> tensor<5xbf16>
  %2 = graph.mul %0, %0 : tensor<5x70000xbf16>
  %3 = graph.reduce sum %2 dims [1] : tensor<5x70000xbf16> -> tensor<5xbf16>
  %4 = graph.reduce max %0 dims [1] : tensor<5x70000xbf16> -> tensor<5xbf16>
  func.return %1, %3, %4 : tensor<5xbf16>, tensor<5xbf16>, tensor<5xbf16>
}
