func.func @main(%0: tensor<1x3xf32>, %1: tensor<2x3xf32>, %2: tensor<3x3xf32>, %3: tensor<4x3xf32>, %4: tensor<5x3xf32>) -> tensor<15x3xf32> {
  %5 = graph.concat %0, %1, %2, %3, %4 dim 0 : (tensor<1x3xf32>, tensor<2x3xf32>, tensor<3x3xf32>, tensor<4x3xf32>, tensor<5x3xf32>) -> tensor<15x3xf32>
  func.return %5 : tensor<15x3xf32>
}
