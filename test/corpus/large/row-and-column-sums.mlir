func.func @main(%0: tensor<500x300xf32>) -> (tensor<500xf32>, tensor<300xf32>, tensor<500x300xf32>) {
  %1 = graph.reduce sum %0 dims [1] : tensor<500x300xf32> -> tensor<500xf32>
  %2 = graph.reduce sum %0 dims [0] : tensor<500x300xf32> -> tensor<300xf32>
  %3 = graph.full 0.5 : tensor<500x300xf32>
  %4 = graph.mul %0, %3 : tensor<500x300xf32>
  func.return %1, %2, %4 : tensor<500xf32>, tensor<300xf32>, tensor<500x300xf32>
}
