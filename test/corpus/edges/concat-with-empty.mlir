func.func @main(%0: tensor<0x5xf32>, %1: tensor<4x5xf32>) -> (tensor<4x5xf32>, tensor<4x5xf32>) {
  %2 = graph.concat %0, %1 dim 0 : (tensor<0x5xf32>, tensor<4x5xf32>) -> tensor<4x5xf32>
  %3 = graph.concat %1, %0 dim 0 : (tensor<4x5xf32>, tensor<0x5xf32>) -> tensor<4x5xf32>
  %4 = graph.full 2.0 : tensor<4x5xf32>
  %5 = graph.mul %3, %4 : tensor<4x5xf32>
  func.return %2, %5 : tensor<4x5xf32>, tensor<4x5xf32>
}
