func.func @main(%0: tensor<8x32xbf16>, %1: tensor<32xf32>) -> (tensor<8x32xbf16>, tensor<8xbf16>) {
  %2 = graph.convert %0 : tensor<8x32xbf16> -> tensor<8x32xf32>
  %3 = graph.broadcast %1 dims [1] : tensor<32xf32> -> tensor<8x32xf32>
  %4 = graph.mul %2, %3 : tensor<8x32xf32>
  %5 = graph.convert %4 : tensor<8x32xf32> -> tensor<8x32xbf16>
  %6 = graph.full 3.0 : tensor<8x32xbf16>
  %7 = graph.mul %0, %6 : tensor<8x32xbf16>
  %8 = graph.full 1.0 : tensor<8x32xbf16>
  %9 = graph.add %7, %8 : tensor<8x32xbf16>
  %10 = graph.reduce sum %9 dims [1] : tensor<8x32xbf16> -> tensor<8xbf16>
  func.return %5, %10 : tensor<8x32xbf16>, tensor<8xbf16>
}
