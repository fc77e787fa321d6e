func.func @main(%0: tensor<2x33000xf32>) -> tensor<2x33000xf32> {
  %1 = graph.reduce max %0 dims [1] : tensor<2x33000xf32> -> tensor<2xf32>
  %2 = graph.reshape %1 : tensor<2xf32> -> tensor<2x1xf32>
  %3 = graph.broadcast %2 dims [0, 1] : tensor<2x1xf32> -> tensor<2x33000xf32>
  %4 = graph.sub %0, %3 : tensor<2x33000xf32>
  %5 = graph.exp %4 : tensor<2x33000xf32>
  %6 = graph.reduce max %0 dims [1] : tensor<2x33000xf32> -> tensor<2xf32>
  %7 = graph.reshape %6 : tensor<2xf32> -> tensor<2x1xf32>
  %8 = graph.broadcast %7 dims [0, 1] : tensor<2x1xf32> -> tensor<2x33000xf32>
  %9 = graph.sub %0, %8 : tensor<2x33000xf32>
  %10 = graph.exp %9 : tensor<2x33000xf32>
  %11 = graph.reduce sum %10 dims [1] : tensor<2x33000xf32> -> tensor<2xf32>
  %12 = graph.reshape %11 : tensor<2xf32> -> tensor<2x1xf32>
  %13 = graph.broadcast %12 dims [0, 1] : tensor<2x1xf32> -> tensor<2x33000xf32>
  %14 = graph.div %5, %13 : tensor<2x33000xf32>
  func.return %14 : tensor<2x33000xf32>
}
