func.func @main(%0: tensor<3x8x12xf32>) -> tensor<6x48xf32> {
  %1 = graph.reshape %0 : tensor<3x8x12xf32> -> tensor<3x2x4x3x4xf32>
  %2 = graph.permute %1 dims [1, 3, 0, 2, 4] : tensor<3x2x4x3x4xf32> -> tensor<2x3x3x4x4xf32>
  %3 = graph.reshape %2 : tensor<2x3x3x4x4xf32> -> tensor<6x48xf32>
  %4 = graph.full 0.5 : tensor<6x48xf32>
  %5 = graph.sub %3, %4 : tensor<6x48xf32>
  func.return %5 : tensor<6x48xf32>
}
