func.func @main(%0: tensor<5x70000xf32>) -> (tensor<5xf32>, tensor<5xf32>, tensor<5xf32>) {
  %1 = graph.reduce sum %0 dims [1] : tensor<5x70000xf32> -> tensor<5xf32>
  %2 = graph.mul %0, %0 : tensor<5x70000xf32>
  %3 = graph.reduce sum %2 dims [1] : tensor<5x70000xf32> -> tensor<5xf32>
  %4 = graph.reduce max %0 dims [1] : tensor<5x70000xf32> -> tensor<5xf32>
  func.return %1, %3, %4 : tensor<5xf32>, tensor<5xf32>, tensor<5xf32>
}
