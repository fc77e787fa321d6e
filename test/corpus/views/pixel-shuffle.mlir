func.func @main(%0: tensor<2x8x3x5xf32>) -> tensor<2x2x6x10xf32> {
  %1 = graph.reshape %0 : tensor<2x8x3x5xf32> -> tensor<2x2x2x2x3x5xf32>
  %2 = graph.permute %1 dims [0, 1, 4, 2, 5, 3] : tensor<2x2x2x2x3x5xf32> -> tensor<2x2x3x2x5x2xf32>
  %3 = graph.reshape %2 : tensor<2x2x3x2x5x2xf32> -> tensor<2x2x6x10xf32>
  %4 = graph.relu %3 : tensor<2x2x6x10xf32>
  func.return %4 : tensor<2x2x6x10xf32>
}
