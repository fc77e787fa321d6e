func.func @main(%0: tensor<6xf32>) -> (tensor<6x5xf32>, tensor<3x6x4xf32>, tensor<3x4xf32>) {
  %1 = graph.broadcast %0 dims [0] : tensor<6xf32> -> tensor<6x5xf32>
  %2 = graph.broadcast %0 dims [1] : tensor<6xf32> -> tensor<3x6x4xf32>
  %3 = graph.exp %1 : tensor<6x5xf32>
  %4 = graph.reduce sum %2 dims [1] : tensor<3x6x4xf32> -> tensor<3x4xf32>
  func.return %3, %2, %4 : tensor<6x5xf32>, tensor<3x6x4xf32>, tensor<3x4xf32>
}
