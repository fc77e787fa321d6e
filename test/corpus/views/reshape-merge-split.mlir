func.func @main(%0: tensor<6x10xf32>) -> (tensor<4x15xf32>, tensor<3x2x5x2xf32>) {
  %1 = graph.reshape %0 : tensor<6x10xf32> -> tensor<60xf32>
  %2 = graph.reshape %1 : tensor<60xf32> -> tensor<4x15xf32>
  %3 = graph.exp %2 : tensor<4x15xf32>
  %4 = graph.exp %0 : tensor<6x10xf32>
  %5 = graph.reshape %4 : tensor<6x10xf32> -> tensor<3x2x5x2xf32>
  func.return %3, %5 : tensor<4x15xf32>, tensor<3x2x5x2xf32>
}
