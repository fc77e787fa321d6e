func.func @main(%0: tensor<2x12x32xbf16>, %1: tensor<32x48xbf16>, %2: tensor<48xbf16>) -> tensor<2x3x12x16xbf16> {
  %3 = graph.reshape %0 : tensor<2x12x32xbf16> -> tensor<24x32xbf16>
  %4 = graph.contract %3, %1 batch [], [] contract [1], [0] : (tensor<24x32xbf16>, tensor<32x48xbf16>) -> tensor<24x48xbf16>
  %5 = graph.full 0.125 : tensor<24x48xbf16>
  %6 = graph.mul %4, %5 : tensor<24x48xbf16>
  %7 = graph.broadcast %2 dims [1] : tensor<48xbf16> -> tensor<24x48xbf16>
  %8 = graph.add %6, %7 : tensor<24x48xbf16>
  %9 = graph.reshape %8 : tensor<24x48xbf16> -> tensor<2x12x3x16xbf16>
  %10 = graph.permute %9 dims [0, 2, 1, 3] : tensor<2x12x3x16xbf16> -> tensor<2x3x12x16xbf16>
  func.return %10 : tensor<2x3x12x16xbf16>
}
