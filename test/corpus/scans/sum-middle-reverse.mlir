func.func @main(%0: tensor<3x17x10xf32>) -> tensor<3x17x10xf32> {
  %1 = graph.scan sum %0 dim 1 reverse : tensor<3x17x10xf32>
  func.return %1 : tensor<3x17x10xf32>
}
