func.func @main(%0: tensor<3x5x7xf64>) -> tensor<10x3xf64> {
  %1 = graph.permute %0 dims [2, 0, 1] : tensor<3x5x7xf64> -> tensor<7x3x5xf64>
  %2 = graph.reshape %1 : tensor<7x3x5xf64> -> tensor<35x3xf64>
  %3 = graph.slice %2 starts [1, 0] steps [3, 1] : tensor<35x3xf64> -> tensor<10x3xf64>
  %4 = graph.full 2.0 : tensor<10x3xf64>
  %5 = graph.mul %3, %4 : tensor<10x3xf64>
  func.return %5 : tensor<10x3xf64>
}
