func.func @main(%0: tensor<2x4x6x16xbf16>, %1: tensor<6x16xbf16>, %2: tensor<6x16xbf16>) -> tensor<2x4x6x16xbf16> {
  %3 = graph.slice %0 starts [0, 0, 0, 8] steps [1, 1, 1, 1] : tensor<2x4x6x16xbf16> -> tensor<2x4x6x8xbf16>
  %4 = graph.neg %3 : tensor<2x4x6x8xbf16>
  %5 = graph.slice %0 starts [0, 0, 0, 0] steps [1, 1, 1, 1] : tensor<2x4x6x16xbf16> -> tensor<2x4x6x8xbf16>
  %6 = graph.concat %4, %5 dim 3 : (tensor<2x4x6x8xbf16>, tensor<2x4x6x8xbf16>) -> tensor<2x4x6x16xbf16>
  %7 = graph.broadcast %1 dims [2, 3] : tensor<6x16xbf16> -> tensor<2x4x6x16xbf16>
  %8 = graph.mul %0, %7 : tensor<2x4x6x16xbf16>
  %9 = graph.broadcast %2 dims [2, 3] : tensor<6x16xbf16> -> tensor<2x4x6x16xbf16>
  %10 = graph.mul %6, %9 : tensor<2x4x6x16xbf16>
  %11 = graph.add %8, %10 : tensor<2x4x6x16xbf16>
  func.return %11 : tensor<2x4x6x16xbf16>
}
