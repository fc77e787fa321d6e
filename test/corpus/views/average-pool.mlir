func.func @main(%0: tensor<2x3x8x12xf32>) -> tensor<2x3x4x4xf32> {
  %1 = graph.reshape %0 : tensor<2x3x8x12xf32> -> tensor<2x3x4x2x4x3xf32>
  %2 = graph.reduce sum %1 dims [3, 5] : tensor<2x3x4x2x4x3xf32> -> tensor<2x3x4x4xf32>
  %3 = graph.full 0.166666672 : tensor<2x3x4x4xf32>
  %4 = graph.mul %2, %3 : tensor<2x3x4x4xf32>
  func.return %4 : tensor<2x3x4x4xf32>
}
