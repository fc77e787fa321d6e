func.func @main(%0: tensor<3x8x5x11xbf16>) -> (tensor<3x5x11xbf16>, tensor<3x8xbf16>, tensor<3x8xi64>, tensor<3x8x5x11xbf16>) {
  %1 = graph.reduce max %0 dims [2, 3] : tensor<3x8x5x11xbf16> -> tensor<3x8xbf16>
  %2 = graph.reshape %1 : tensor<3x8xbf16> -> tensor<3x8x1x1xbf16>
  %3 = graph.broadcast %2 dims [0, 1, 2, 3] : tensor<3x8x1x1xbf16> -> tensor<3x8x5x11xbf16>
  %4 = graph.sub %0, %3 : tensor<3x8x5x11xbf16>
  %5 = graph.exp %4 : tensor<3x8x5x11xbf16>
  %6 = graph.reduce sum %5 dims [1] : tensor<3x8x5x11xbf16> -> tensor<3x5x11xbf16>
  %7 = graph.full 2.0 : tensor<3x5x11xbf16>
  %8 = graph.mul %6, %7 : tensor<3x5x11xbf16>
  %9 = graph.neg %1 : tensor<3x8xbf16>
  %10 = graph.reduce argmin %0 dims [2, 3] : tensor<3x8x5x11xbf16> -> tensor<3x8xi64>
  %11 = graph.mul %0, %0 : tensor<3x8x5x11xbf16>
  func.return %8, %9, %10, %11 : tensor<3x5x11xbf16>, tensor<3x8xbf16>, tensor<3x8xi64>, tensor<3x8x5x11xbf16>
}
