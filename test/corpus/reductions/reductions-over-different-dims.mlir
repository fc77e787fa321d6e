func.func @main(%0: tensor<8x9x10xf32>) -> (tensor<9x10xf32>, tensor<8x10xf32>, tensor<8x9xf32>, tensor<9xf32>) {
  %1 = graph.reduce sum %0 dims [0] : tensor<8x9x10xf32> -> tensor<9x10xf32>
  %2 = graph.reduce sum %0 dims [1] : tensor<8x9x10xf32> -> tensor<8x10xf32>
  %3 = graph.reduce sum %0 dims [2] : tensor<8x9x10xf32> -> tensor<8x9xf32>
  %4 = graph.reduce sum %0 dims [0, 2] : tensor<8x9x10xf32> -> tensor<9xf32>
  func.return %1, %2, %3, %4 : tensor<9x10xf32>, tensor<8x10xf32>, tensor<8x9xf32>, tensor<9xf32>
}
