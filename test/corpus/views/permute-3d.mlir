func.func @main(%0: tensor<3x5x7xf32>) -> (tensor<3x7x5xf32>, tensor<5x3x7xf32>, tensor<7x5x3xf32>, tensor<5x7x3xf32>) {
  %1 = graph.permute %0 dims [0, 2, 1] : tensor<3x5x7xf32> -> tensor<3x7x5xf32>
  %2 = graph.exp %1 : tensor<3x7x5xf32>
  %3 = graph.permute %0 dims [1, 0, 2] : tensor<3x5x7xf32> -> tensor<5x3x7xf32>
  %4 = graph.exp %3 : tensor<5x3x7xf32>
  %5 = graph.permute %0 dims [2, 1, 0] : tensor<3x5x7xf32> -> tensor<7x5x3xf32>
  %6 = graph.exp %5 : tensor<7x5x3xf32>
  %7 = graph.permute %0 dims [1, 2, 0] : tensor<3x5x7xf32> -> tensor<5x7x3xf32>
  %8 = graph.exp %7 : tensor<5x7x3xf32>
  func.return %2, %4, %6, %8 : tensor<3x7x5xf32>, tensor<5x3x7xf32>, tensor<7x5x3xf32>, tensor<5x7x3xf32>
}
