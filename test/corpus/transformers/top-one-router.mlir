func.func @main(%0: tensor<12x8xf32>) -> (tensor<12xf32>, tensor<12xi64>) {
  %1 = graph.reduce max %0 dims [1] : tensor<12x8xf32> -> tensor<12xf32>
  %2 = graph.reshape %1 : tensor<12xf32> -> tensor<12x1xf32>
  %3 = graph.broadcast %2 dims [0, 1] : tensor<12x1xf32> -> tensor<12x8xf32>
  %4 = graph.sub %0, %3 : tensor<12x8xf32>
  %5 = graph.exp %4 : tensor<12x8xf32>
  %6 = graph.reduce sum %5 dims [1] : tensor<12x8xf32> -> tensor<12xf32>
  %7 = graph.reshape %6 : tensor<12xf32> -> tensor<12x1xf32>
  %8 = graph.broadcast %7 dims [0, 1] : tensor<12x1xf32> -> tensor<12x8xf32>
  %9 = graph.div %5, %8 : tensor<12x8xf32>
  %10 = graph.reduce max %9 dims [1] : tensor<12x8xf32> -> tensor<12xf32>
  %11 = graph.reduce argmax %9 dims [1] : tensor<12x8xf32> -> tensor<12xi64>
  func.return %10, %11 : tensor<12xf32>, tensor<12xi64>
}
