func.func @main(%0: tensor<4x6x8xf32>) -> (tensor<4x8x6xf32>, tensor<24x8xf32>, tensor<4x4x8xf32>, tensor<4x6x8xf32>) {
  %1 = graph.permute %0 dims [0, 2, 1] : tensor<4x6x8xf32> -> tensor<4x8x6xf32>
  %2 = graph.reshape %0 : tensor<4x6x8xf32> -> tensor<24x8xf32>
  %3 = graph.slice %0 starts [0, 1, 0] steps [1, 1, 1] : tensor<4x6x8xf32> -> tensor<4x4x8xf32>
  %4 = graph.reverse %0 dims [0] : tensor<4x6x8xf32>
  func.return %1, %2, %3, %4 : tensor<4x8x6xf32>, tensor<24x8xf32>, tensor<4x4x8xf32>, tensor<4x6x8xf32>
}
