func.func @main(%0: tensor<3x5x7xbf16>) -> tensor<10x3xbf16> {
  %1 = graph.permute %0 dims [2, 0, 1] : tensor<3x5x7xbf16> -> tensor<7x3x5xbf16>
  %2 = graph.reshape %1 : tensor<7x3x5xbf16> -> tensor<35x3xbf16>
  %3 = graph.slice %2 starts [1, 0] steps [3, 1] : tensor<35x3xbf16> -> tensor<10x3xbf16>
  %4 = graph.full 2.0 : tensor<10x3xbf16>
  %5 = graph.mul %3, %4 : tensor<10x3xbf16>
  func.return %5 : tensor<10x3xbf16>
}
