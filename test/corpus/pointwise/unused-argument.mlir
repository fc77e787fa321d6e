func.func @main(%0: tensor<3xf32>, %1: tensor<5xf32>) -> tensor<3xf32> {
  %2 = graph.mul %0, %0 : tensor<3xf32>
  func.return %2 : tensor<3xf32>
}
