func.func @main(%0: tensor<5x6x17xf32>) -> tensor<6x17xf32> {
  %1 = graph.reduce max %0 dims [0] : tensor<5x6x17xf32> -> tensor<6x17xf32>
  func.return %1 : tensor<6x17xf32>
}
