func.func @main(%0: tensor<2x3x5xf32>) -> tensor<2x6x5xf32> {
  %1 = graph.broadcast %0 dims [0, 1, 3] : tensor<2x3x5xf32> -> tensor<2x3x2x5xf32>
  %2 = graph.reshape %1 : tensor<2x3x2x5xf32> -> tensor<2x6x5xf32>
  %3 = graph.full 1.0 : tensor<2x6x5xf32>
  %4 = graph.add %2, %3 : tensor<2x6x5xf32>
  func.return %4 : tensor<2x6x5xf32>
}
