func.func @main(%0: tensor<10x70xbf16>, %1: tensor<10x70xbf16>, %2: tensor<70xbf16>) -> (tensor<10x70xbf16>, tensor<10x70xbf16>) {
  %3 = graph.add %0, %1 : tensor<10x70xbf16>
  %4 = graph.convert %3 : tensor<10x70xbf16> -> tensor<10x70xf32>
  %5 = graph.mul %4, %4 : tensor<10x70xf32>
  %6 = graph.reduce sum %5 dims [1] : tensor<10x70xf32> -> tensor<10xf32>
  %7 = graph.reshape %6 : tensor<10xf32> -> tensor<10x1xf32>
  %8 = graph.full 0.0142857144 : tensor<10x1xf32>
  %9 = graph.mul %7, %8 : tensor<10x1xf32>
  %10 = graph.full 1.0e-06 : tensor<10x1xf32>
  %11 = graph.add %9, %10 : tensor<10x1xf32>
  %12 = graph.rsqrt %11 : tensor<10x1xf32>
  %13 = graph.broadcast %12 dims [0, 1] : tensor<10x1xf32> -> tensor<10x70xf32>
  %14 = graph.mul %4, %13 : tensor<10x70xf32>
  %15 = graph.convert %14 : tensor<10x70xf32> -> tensor<10x70xbf16>
  %16 = graph.broadcast %2 dims [1] : tensor<70xbf16> -> tensor<10x70xbf16>
  %17 = graph.mul %15, %16 : tensor<10x70xbf16>
  %18 = graph.add %0, %1 : tensor<10x70xbf16>
  func.return %17, %18 : tensor<10x70xbf16>, tensor<10x70xbf16>
}
