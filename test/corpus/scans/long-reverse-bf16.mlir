func.func @main(%0: tensor<3x20480xbf16>) -> tensor<3x20480xbf16> {
  %1 = graph.scan max %0 dim 1 reverse : tensor<3x20480xbf16>
  func.return %1 : tensor<3x20480xbf16>
}
