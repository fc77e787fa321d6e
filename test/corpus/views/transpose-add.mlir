func.func @main(%0: tensor<33x65xf32>, %1: tensor<65x33xf32>) -> tensor<65x33xf32> {
  %2 = graph.permute %0 dims [1, 0] : tensor<33x65xf32> -> tensor<65x33xf32>
  %3 = graph.add %2, %1 : tensor<65x33xf32>
  func.return %3 : tensor<65x33xf32>
}
