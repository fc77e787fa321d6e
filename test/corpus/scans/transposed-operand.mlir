func.func @main(%0: tensor<12x30xf32>) -> (tensor<30x12xf32>, tensor<30x12xf32>) {
  %1 = graph.permute %0 dims [1, 0] : tensor<12x30xf32> -> tensor<30x12xf32>
  %2 = graph.scan sum %1 dim 1 : tensor<30x12xf32>
  %3 = graph.permute %0 dims [1, 0] : tensor<12x30xf32> -> tensor<30x12xf32>
  %4 = graph.scan sum %3 dim 0 : tensor<30x12xf32>
  func.return %2, %4 : tensor<30x12xf32>, tensor<30x12xf32>
}
