func.func @main(%0: tensor<33x4096xbf16>, %1: tensor<4096xbf16>) -> tensor<33x4096xbf16> {
  %2 = graph.convert %0 : tensor<33x4096xbf16> -> tensor<33x4096xf32>
  %3 = graph.mul %2, %2 : tensor<33x4096xf32>
  %4 = graph.reduce sum %3 dims [1] : tensor<33x4096xf32> -> tensor<33xf32>
  %5 = graph.reshape %4 : tensor<33xf32> -> tensor<33x1xf32>
  %6 = graph.full 0.000244140625 : tensor<33x1xf32>
  %7 = graph.mul %5, %6 : tensor<33x1xf32>
  %8 = graph.full 1.0e-06 : tensor<33x1xf32>
  %9 = graph.add %7, %8 : tensor<33x1xf32>
  %10 = graph.rsqrt %9 : tensor<33x1xf32>
  %11 = graph.broadcast %10 dims [0, 1] : tensor<33x1xf32> -> tensor<33x4096xf32>
  %12 = graph.mul %2, %11 : tensor<33x4096xf32>
  %13 = graph.convert %12 : tensor<33x4096xf32> -> tensor<33x4096xbf16>
  %14 = graph.broadcast %1 dims [1] : tensor<4096xbf16> -> tensor<33x4096xbf16>
  %15 = graph.mul %13, %14 : tensor<33x4096xbf16>
  func.return %15 : tensor<33x4096xbf16>
}
