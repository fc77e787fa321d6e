func.func @main(%0: tensor<6x7x8xf32>) -> (tensor<6xf32>, tensor<8xf32>) {
  %1 = graph.reduce max %0 dims [2] : tensor<6x7x8xf32> -> tensor<6x7xf32>
  %2 = graph.reduce sum %1 dims [1] : tensor<6x7xf32> -> tensor<6xf32>
  %3 = graph.full 2.0 : tensor<6xf32>
  %4 = graph.mul %2, %3 : tensor<6xf32>
  %5 = graph.reduce sum %0 dims [1] : tensor<6x7x8xf32> -> tensor<6x8xf32>
  %6 = graph.reduce max %5 dims [0] : tensor<6x8xf32> -> tensor<8xf32>
  func.return %4, %6 : tensor<6xf32>, tensor<8xf32>
}
