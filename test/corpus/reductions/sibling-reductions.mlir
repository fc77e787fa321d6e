func.func @main(%0: tensor<11x30xf32>) -> (tensor<11xf32>, tensor<11xf32>, tensor<11xf32>, tensor<11xi64>) {
  %1 = graph.reduce sum %0 dims [1] : tensor<11x30xf32> -> tensor<11xf32>
  %2 = graph.reduce max %0 dims [1] : tensor<11x30xf32> -> tensor<11xf32>
  %3 = graph.mul %0, %0 : tensor<11x30xf32>
  %4 = graph.reduce sum %3 dims [1] : tensor<11x30xf32> -> tensor<11xf32>
  %5 = graph.reduce argmin %0 dims [1] : tensor<11x30xf32> -> tensor<11xi64>
  func.return %1, %2, %4, %5 : tensor<11xf32>, tensor<11xf32>, tensor<11xf32>, tensor<11xi64>
}
