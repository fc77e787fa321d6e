func.func @main(%0: tensor<5x700x33xf32>) -> (tensor<5x33xf32>, tensor<700xf32>) {
  %1 = graph.reduce sum %0 dims [1] : tensor<5x700x33xf32> -> tensor<5x33xf32>
  %2 = graph.reduce max %0 dims [0, 2] : tensor<5x700x33xf32> -> tensor<700xf32>
  func.return %1, %2 : tensor<5x33xf32>, tensor<700xf32>
}
