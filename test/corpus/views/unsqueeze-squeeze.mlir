func.func @main(%0: tensor<4x5xf32>) -> (tensor<5x4xf32>, tensor<1x4x5xf32>) {
  %1 = graph.reshape %0 : tensor<4x5xf32> -> tensor<4x1x5x1xf32>
  %2 = graph.exp %1 : tensor<4x1x5x1xf32>
  %3 = graph.reshape %2 : tensor<4x1x5x1xf32> -> tensor<5x4xf32>
  %4 = graph.reshape %0 : tensor<4x5xf32> -> tensor<1x4x5xf32>
  %5 = graph.full 1.0 : tensor<1x4x5xf32>
  %6 = graph.add %4, %5 : tensor<1x4x5xf32>
  func.return %3, %6 : tensor<5x4xf32>, tensor<1x4x5xf32>
}
