func.func @main(%0: tensor<1000xf32>) -> (tensor<1000xf32>, tensor<1000xf32>) {
  %1 = graph.sin %0 : tensor<1000xf32>
  %2 = graph.cos %0 : tensor<1000xf32>
  func.return %1, %2 : tensor<1000xf32>, tensor<1000xf32>
}
