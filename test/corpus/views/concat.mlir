func.func @main(%0: tensor<4x6xf32>, %1: tensor<4x3xf32>, %2: tensor<4x6xf32>) -> (tensor<4x15xf32>, tensor<8x6xf32>) {
  %3 = graph.concat %0, %1, %2 dim 1 : (tensor<4x6xf32>, tensor<4x3xf32>, tensor<4x6xf32>) -> tensor<4x15xf32>
  %4 = graph.concat %0, %2 dim 0 : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  %5 = graph.full 1.0 : tensor<8x6xf32>
  %6 = graph.add %4, %5 : tensor<8x6xf32>
  func.return %3, %6 : tensor<4x15xf32>, tensor<8x6xf32>
}
