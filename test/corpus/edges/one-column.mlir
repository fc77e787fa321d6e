func.func @main(%0: tensor<37x1xf32>) -> (tensor<37x1xf32>, tensor<1xf32>) {
  %1 = graph.reduce max %0 dims [1] : tensor<37x1xf32> -> tensor<37xf32>
  %2 = graph.reshape %1 : tensor<37xf32> -> tensor<37x1xf32>
  %3 = graph.sub %0, %2 : tensor<37x1xf32>
  %4 = graph.exp %3 : tensor<37x1xf32>
  %5 = graph.reduce sum %4 dims [1] : tensor<37x1xf32> -> tensor<37xf32>
  %6 = graph.reshape %5 : tensor<37xf32> -> tensor<37x1xf32>
  %7 = graph.div %4, %6 : tensor<37x1xf32>
  %8 = graph.reduce sum %0 dims [0] : tensor<37x1xf32> -> tensor<1xf32>
  func.return %7, %8 : tensor<37x1xf32>, tensor<1xf32>
}
