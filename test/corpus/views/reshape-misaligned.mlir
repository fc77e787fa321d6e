func.func @main(%0: tensor<6x10xf32>) -> tensor<12x5xf32> {
  %1 = graph.reshape %0 : tensor<6x10xf32> -> tensor<4x15xf32>
  %2 = graph.permute %1 dims [1, 0] : tensor<4x15xf32> -> tensor<15x4xf32>
  %3 = graph.reshape %2 : tensor<15x4xf32> -> tensor<12x5xf32>
  %4 = graph.full 1.0 : tensor<12x5xf32>
  %5 = graph.add %3, %4 : tensor<12x5xf32>
  func.return %5 : tensor<12x5xf32>
}
