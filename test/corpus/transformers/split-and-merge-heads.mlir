func.func @main(%0: tensor<2x7x24xf32>) -> (tensor<2x3x7x8xf32>, tensor<2x7x24xf32>) {
  %1 = graph.reshape %0 : tensor<2x7x24xf32> -> tensor<2x7x3x8xf32>
  %2 = graph.permute %1 dims [0, 2, 1, 3] : tensor<2x7x3x8xf32> -> tensor<2x3x7x8xf32>
  %3 = graph.full 0.5 : tensor<2x3x7x8xf32>
  %4 = graph.mul %2, %3 : tensor<2x3x7x8xf32>
  %5 = graph.permute %2 dims [0, 2, 1, 3] : tensor<2x3x7x8xf32> -> tensor<2x7x3x8xf32>
  %6 = graph.reshape %5 : tensor<2x7x3x8xf32> -> tensor<2x7x24xf32>
  %7 = graph.full 1.0 : tensor<2x7x24xf32>
  %8 = graph.add %6, %7 : tensor<2x7x24xf32>
  func.return %4, %8 : tensor<2x3x7x8xf32>, tensor<2x7x24xf32>
}
