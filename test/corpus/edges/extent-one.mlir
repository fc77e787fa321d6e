func.func @main(%0: tensor<1x1xf32>) -> (tensor<1xf32>, tensor<f32>, tensor<1x1xf32>, tensor<1x1xf32>, tensor<1xi64>) {
  %1 = graph.reduce sum %0 dims [1] : tensor<1x1xf32> -> tensor<1xf32>
  %2 = graph.reduce max %0 dims [0, 1] : tensor<1x1xf32> -> tensor<f32>
  %3 = graph.exp %0 : tensor<1x1xf32>
  %4 = graph.reduce max %0 dims [1] : tensor<1x1xf32> -> tensor<1xf32>
  %5 = graph.reshape %4 : tensor<1xf32> -> tensor<1x1xf32>
  %6 = graph.sub %0, %5 : tensor<1x1xf32>
  %7 = graph.exp %6 : tensor<1x1xf32>
  %8 = graph.reduce sum %7 dims [1] : tensor<1x1xf32> -> tensor<1xf32>
  %9 = graph.reshape %8 : tensor<1xf32> -> tensor<1x1xf32>
  %10 = graph.div %7, %9 : tensor<1x1xf32>
  %11 = graph.reduce argmax %0 dims [0] : tensor<1x1xf32> -> tensor<1xi64>
  func.return %1, %2, %3, %10, %11 : tensor<1xf32>, tensor<f32>, tensor<1x1xf32>, tensor<1x1xf32>, tensor<1xi64>
}
