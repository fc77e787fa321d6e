func.func @main(%0: tensor<8x5xf32>, %1: tensor<5x9xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %2 = graph.contract %0, %1 batch [], [] contract [1], [0] : (tensor<8x5xf32>, tensor<5x9xf32>) -> tensor<8x9xf32>
  %3 = graph.reduce sum %2 dims [1] : tensor<8x9xf32> -> tensor<8xf32>
  %4 = graph.contract %0, %1 batch [], [] contract [1], [0] : (tensor<8x5xf32>, tensor<5x9xf32>) -> tensor<8x9xf32>
  %5 = graph.reduce max %4 dims [1] : tensor<8x9xf32> -> tensor<8xf32>
  func.return %3, %5 : tensor<8xf32>, tensor<8xf32>
}
