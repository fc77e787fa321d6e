func.func @main(%0: tensor<2x3x10x16xbf16>, %1: tensor<2x3x12x16xbf16>, %2: tensor<10x12xi1>) -> tensor<2x3x10x12xbf16> {
  %3 = graph.permute %1 dims [0, 1, 3, 2] : tensor<2x3x12x16xbf16> -> tensor<2x3x16x12xbf16>
  %4 = graph.contract %0, %3 batch [0, 1], [0, 1] contract [3], [2] : (tensor<2x3x10x16xbf16>, tensor<2x3x16x12xbf16>) -> tensor<2x3x10x12xbf16>
  %5 = graph.full 0.25 : tensor<2x3x10x12xbf16>
  %6 = graph.mul %4, %5 : tensor<2x3x10x12xbf16>
  %7 = graph.full -3.0 : tensor<2x3x10x12xbf16>
  %8 = graph.broadcast %2 dims [2, 3] : tensor<10x12xi1> -> tensor<2x3x10x12xi1>
  %9 = graph.select %8, %6, %7 : tensor<2x3x10x12xbf16>
  func.return %9 : tensor<2x3x10x12xbf16>
}
