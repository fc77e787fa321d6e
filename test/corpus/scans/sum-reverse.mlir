func.func @main(%0: tensor<9x40xf32>) -> (tensor<9x40xf32>, tensor<9x40xf32>) {
  %1 = graph.scan sum %0 dim 1 reverse : tensor<9x40xf32>
  %2 = graph.scan sum %0 dim 0 reverse : tensor<9x40xf32>
  func.return %1, %2 : tensor<9x40xf32>, tensor<9x40xf32>
}
