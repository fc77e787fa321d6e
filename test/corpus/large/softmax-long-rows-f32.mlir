func.func @main(%0: tensor<3x20001xf32>) -> tensor<3x20001xf32> {
  %1 = graph.reduce max %0 dims [1] : tensor<3x20001xf32> -> tensor<3xf32>
  %2 = graph.reshape %1 : tensor<3xf32> -> tensor<3x1xf32>
  %3 = graph.broadcast %2 dims [0, 1] : tensor<3x1xf32> -> tensor<3x20001xf32>
  %4 = graph.sub %0, %3 : tensor<3x20001xf32>
  %5 = graph.exp %4 : tensor<3x20001xf32>
  %6 = graph.reduce sum %5 dims [1] : tensor<3x20001xf32> -> tensor<3xf32>
  %7 = graph.reshape %6 : tensor<3xf32> -> tensor<3x1xf32>
  %8 = graph.broadcast %7 dims [0, 1] : tensor<3x1xf32> -> tensor<3x20001xf32>
  %9 = graph.div %5, %8 : tensor<3x20001xf32>
  func.return %9 : tensor<3x20001xf32>
}
