func.func @main(%0: tensor<2x16400xf32>) -> tensor<2x16400xf32> {
  %1 = graph.reduce max %0 dims [1] : tensor<2x16400xf32> -> tensor<2xf32>
  %2 = graph.reshape %1 : tensor<2xf32> -> tensor<2x1xf32>
  %3 = graph.broadcast %2 dims [0, 1] : tensor<2x1xf32> -> tensor<2x16400xf32>
  %4 = graph.sub %0, %3 : tensor<2x16400xf32>
  %5 = graph.exp %4 : tensor<2x16400xf32>
  %6 = graph.reduce sum %5 dims [1] : tensor<2x16400xf32> -> tensor<2xf32>
  %7 = graph.reshape %6 : tensor<2xf32> -> tensor<2x1xf32>
  %8 = graph.broadcast %7 dims [0, 1] : tensor<2x1xf32> -> tensor<2x16400xf32>
  %9 = graph.div %5, %8 : tensor<2x16400xf32>
  %10 = graph.scan sum %9 dim 1 : tensor<2x16400xf32>
  func.return %10 : tensor<2x16400xf32>
}
