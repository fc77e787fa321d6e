func.func @main(%0: tensor<4x30xi32>, %1: tensor<4x30xi32>) -> (tensor<4xi32>, tensor<4xi32>, tensor<30xi32>, tensor<4x30xi1>, tensor<4xi64>) {
  %2 = graph.reduce sum %0 dims [1] : tensor<4x30xi32> -> tensor<4xi32>
  %3 = graph.reduce max %0 dims [1] : tensor<4x30xi32> -> tensor<4xi32>
  %4 = graph.reduce min %0 dims [0] : tensor<4x30xi32> -> tensor<30xi32>
  %5 = graph.compare lt %0, %1 : tensor<4x30xi32>
  %6 = graph.reduce argmin %0 dims [1] : tensor<4x30xi32> -> tensor<4xi64>
  func.return %2, %3, %4, %5, %6 : tensor<4xi32>, tensor<4xi32>, tensor<30xi32>, tensor<4x30xi1>, tensor<4xi64>
}
