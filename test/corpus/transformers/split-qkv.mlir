func.func @main(%0: tensor<2x7x36xf32>) -> (tensor<2x3x7x4xf32>, tensor<2x3x7x4xf32>, tensor<2x3x7x4xf32>) {
  %1 = graph.slice %0 starts [0, 0, 0] steps [1, 1, 1] : tensor<2x7x36xf32> -> tensor<2x7x12xf32>
  %2 = graph.reshape %1 : tensor<2x7x12xf32> -> tensor<2x7x3x4xf32>
  %3 = graph.permute %2 dims [0, 2, 1, 3] : tensor<2x7x3x4xf32> -> tensor<2x3x7x4xf32>
  %4 = graph.slice %0 starts [0, 0, 12] steps [1, 1, 1] : tensor<2x7x36xf32> -> tensor<2x7x12xf32>
  %5 = graph.reshape %4 : tensor<2x7x12xf32> -> tensor<2x7x3x4xf32>
  %6 = graph.permute %5 dims [0, 2, 1, 3] : tensor<2x7x3x4xf32> -> tensor<2x3x7x4xf32>
  %7 = graph.slice %0 starts [0, 0, 24] steps [1, 1, 1] : tensor<2x7x36xf32> -> tensor<2x7x12xf32>
  %8 = graph.reshape %7 : tensor<2x7x12xf32> -> tensor<2x7x3x4xf32>
  %9 = graph.permute %8 dims [0, 2, 1, 3] : tensor<2x7x3x4xf32> -> tensor<2x3x7x4xf32>
  %10 = graph.full 0.5 : tensor<2x3x7x4xf32>
  %11 = graph.mul %3, %10 : tensor<2x3x7x4xf32>
  %12 = graph.full 0.0 : tensor<2x3x7x4xf32>
  %13 = graph.add %9, %12 : tensor<2x3x7x4xf32>
  func.return %11, %6, %13 : tensor<2x3x7x4xf32>, tensor<2x3x7x4xf32>, tensor<2x3x7x4xf32>
}
