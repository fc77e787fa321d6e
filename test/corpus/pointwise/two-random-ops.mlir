func.func @main(%0: tensor<i64>) -> (tensor<33xf32>, tensor<33xf32>, tensor<3x11xf32>) {
  %1 = graph.random uniform %0 offset 0 : tensor<i64> -> tensor<33xf32>
  %2 = graph.random uniform %0 offset 1 : tensor<i64> -> tensor<33xf32>
  %3 = graph.random uniform %0 offset 0 : tensor<i64> -> tensor<3x11xf32>
  func.return %1, %2, %3 : tensor<33xf32>, tensor<33xf32>, tensor<3x11xf32>
}
