func.func @main(%0: tensor<4x6x8xf32>) -> (tensor<4x48xf32>, tensor<32x6xf32>) {
  %1 = graph.permute %0 dims [0, 2, 1] : tensor<4x6x8xf32> -> tensor<4x8x6xf32>
  %2 = graph.reshape %1 : tensor<4x8x6xf32> -> tensor<4x48xf32>
  %3 = graph.permute %0 dims [2, 0, 1] : tensor<4x6x8xf32> -> tensor<8x4x6xf32>
  %4 = graph.reshape %3 : tensor<8x4x6xf32> -> tensor<32x6xf32>
  %5 = graph.full 2.0 : tensor<32x6xf32>
  %6 = graph.mul %4, %5 : tensor<32x6xf32>
  func.return %2, %6 : tensor<4x48xf32>, tensor<32x6xf32>
}
