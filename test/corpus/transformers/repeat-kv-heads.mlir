func.func @main(%0: tensor<2x3x5x4xf32>) -> tensor<2x6x5x4xf32> {
  %1 = graph.broadcast %0 dims [0, 1, 3, 4] : tensor<2x3x5x4xf32> -> tensor<2x3x2x5x4xf32>
  %2 = graph.reshape %1 : tensor<2x3x2x5x4xf32> -> tensor<2x6x5x4xf32>
  %3 = graph.full 2.0 : tensor<2x6x5x4xf32>
  %4 = graph.mul %2, %3 : tensor<2x6x5x4xf32>
  func.return %4 : tensor<2x6x5x4xf32>
}
