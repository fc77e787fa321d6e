func.func @main(%0: tensor<6x33xf32>) -> (tensor<6xf32>, tensor<33xf32>) {
  %1 = graph.scan sum %0 dim 1 : tensor<6x33xf32>
  %2 = graph.reduce max %1 dims [1] : tensor<6x33xf32> -> tensor<6xf32>
  %3 = graph.scan sum %0 dim 1 : tensor<6x33xf32>
  %4 = graph.reduce sum %3 dims [0] : tensor<6x33xf32> -> tensor<33xf32>
  func.return %2, %4 : tensor<6xf32>, tensor<33xf32>
}
