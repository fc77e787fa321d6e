func.func @main(%0: tensor<0x5xf32>, %1: tensor<3x0xf32>) -> (tensor<0x5xf32>, tensor<3x0xf32>) {
  %2 = graph.exp %0 : tensor<0x5xf32>
  %3 = graph.full 1.0 : tensor<0x5xf32>
  %4 = graph.add %2, %3 : tensor<0x5xf32>
  %5 = graph.full 2.0 : tensor<3x0xf32>
  %6 = graph.mul %1, %5 : tensor<3x0xf32>
  func.return %4, %6 : tensor<0x5xf32>, tensor<3x0xf32>
}
