func.func @main(%0: tensor<3xf32>) -> (tensor<3x2xf32>, tensor<3xf32>) {
  %1 = graph.full 2.5 : tensor<3x2xf32>
  func.return %1, %0 : tensor<3x2xf32>, tensor<3xf32>
}
