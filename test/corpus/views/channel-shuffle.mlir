func.func @main(%0: tensor<2x6x10xf32>) -> tensor<2x6x10xf32> {
  %1 = graph.reshape %0 : tensor<2x6x10xf32> -> tensor<2x2x3x10xf32>
  %2 = graph.permute %1 dims [0, 2, 1, 3] : tensor<2x2x3x10xf32> -> tensor<2x3x2x10xf32>
  %3 = graph.reshape %2 : tensor<2x3x2x10xf32> -> tensor<2x6x10xf32>
  %4 = graph.mul %3, %0 : tensor<2x6x10xf32>
  func.return %4 : tensor<2x6x10xf32>
}
