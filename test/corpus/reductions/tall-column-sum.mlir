func.func @main(%0: tensor<3000x5xf32>) -> tensor<5xf32> {
  %1 = graph.reduce sum %0 dims [0] : tensor<3000x5xf32> -> tensor<5xf32>
  func.return %1 : tensor<5xf32>
}
