func.func @main(%0: tensor<2x8x65x64xbf16>, %1: tensor<65x64xbf16>, %2: tensor<65x64xbf16>) -> tensor<2x8x65x64xbf16> {
  %3 = graph.broadcast %1 dims [2, 3] : tensor<65x64xbf16> -> tensor<2x8x65x64xbf16>
  %4 = graph.mul %0, %3 : tensor<2x8x65x64xbf16>
  %5 = graph.slice %0 starts [0, 0, 0, 32] steps [1, 1, 1, 1] : tensor<2x8x65x64xbf16> -> tensor<2x8x65x32xbf16>
  %6 = graph.neg %5 : tensor<2x8x65x32xbf16>
  %7 = graph.slice %0 starts [0, 0, 0, 0] steps [1, 1, 1, 1] : tensor<2x8x65x64xbf16> -> tensor<2x8x65x32xbf16>
  %8 = graph.concat %6, %7 dim 3 : (tensor<2x8x65x32xbf16>, tensor<2x8x65x32xbf16>) -> tensor<2x8x65x64xbf16>
  %9 = graph.broadcast %2 dims [2, 3] : tensor<65x64xbf16> -> tensor<2x8x65x64xbf16>
  %10 = graph.mul %8, %9 : tensor<2x8x65x64xbf16>
  %11 = graph.add %4, %10 : tensor<2x8x65x64xbf16>
  func.return %11 : tensor<2x8x65x64xbf16>
}
