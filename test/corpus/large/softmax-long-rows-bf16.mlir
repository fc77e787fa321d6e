func.func @main(%0: tensor<3x20001xbf16>) -> tensor<3x20001xbf16> {
  %1 = graph.reduce max %0 dims [1] : tensor<3x20001xbf16> -> tensor<3xbf16>
  %2 = graph.reshape %1 : tensor<3xbf16> -> tensor<3x1xbf16>
  %3 = graph.broadcast %2 dims [0, 1] : tensor<3x1xbf16> -> tensor<3x20001xbf16>
  %4 = graph.sub %0, %3 : tensor<3x20001xbf16>
  %5 = graph.exp %4 : tensor<3x20001xbf16>
  %6 = graph.reduce sum %5 dims [1] : tensor<3x20001xbf16> -> tensor<3xbf16>
  %7 = graph.reshape %6 : tensor<3xbf16> -> tensor<3x1xbf16>
  %8 = graph.broadcast %7 dims [0, 1] : tensor<3x1xbf16> -> tensor<3x20001xbf16>
  %9 = graph.div %5, %8 : tensor<3x20001xbf16>
  func.return %9 : tensor<3x20001xbf16>
}
