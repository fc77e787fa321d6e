func.func @main(%0: tensor<5x9001xf32>, %1: tensor<2x40003xbf16>) -> (tensor<5xi64>, tensor<5xf32>, tensor<2xi64>, tensor<2xbf16>) {
  %2 = graph.round %0 : tensor<5x9001xf32>
  %3 = graph.reduce argmax %2 dims [1] : tensor<5x9001xf32> -> tensor<5xi64>
  %4 = graph.reduce max %2 dims [1] : tensor<5x9001xf32> -> tensor<5xf32>
  %5 = graph.reshape %4 : tensor<5xf32> -> tensor<5x1xf32>
  %6 = graph.broadcast %5 dims [0, 1] : tensor<5x1xf32> -> tensor<5x9001xf32>
  %7 = graph.sub %2, %6 : tensor<5x9001xf32>
  %8 = graph.exp %7 : tensor<5x9001xf32>
  %9 = graph.reduce sum %8 dims [1] : tensor<5x9001xf32> -> tensor<5xf32>
  %10 = graph.reduce argmax %1 dims [1] : tensor<2x40003xbf16> -> tensor<2xi64>
  %11 = graph.reduce max %1 dims [1] : tensor<2x40003xbf16> -> tensor<2xbf16>
  %12 = graph.reshape %11 : tensor<2xbf16> -> tensor<2x1xbf16>
  %13 = graph.broadcast %12 dims [0, 1] : tensor<2x1xbf16> -> tensor<2x40003xbf16>
  %14 = graph.sub %1, %13 : tensor<2x40003xbf16>
  %15 = graph.exp %14 : tensor<2x40003xbf16>
  %16 = graph.reduce sum %15 dims [1] : tensor<2x40003xbf16> -> tensor<2xbf16>
  func.return %3, %9, %10, %16 : tensor<5xi64>, tensor<5xf32>, tensor<2xi64>, tensor<2xbf16>
}
