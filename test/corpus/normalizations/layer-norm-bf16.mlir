func.func @main(%0: tensor<10x70xbf16>, %1: tensor<70xbf16>, %2: tensor<70xbf16>) -> tensor<10x70xbf16> {
  %3 = graph.convert %0 : tensor<10x70xbf16> -> tensor<10x70xf32>
  %4 = graph.reduce sum %3 dims [1] : tensor<10x70xf32> -> tensor<10xf32>
  %5 = graph.reshape %4 : tensor<10xf32> -> tensor<10x1xf32>
  %6 = graph.full 0.0142857144 : tensor<10x1xf32>
  %7 = graph.mul %5, %6 : tensor<10x1xf32>
  %8 = graph.broadcast %7 dims [0, 1] : tensor<10x1xf32> -> tensor<10x70xf32>
  %9 = graph.sub %3, %8 : tensor<10x70xf32>
  %10 = graph.mul %9, %9 : tensor<10x70xf32>
  %11 = graph.reduce sum %10 dims [1] : tensor<10x70xf32> -> tensor<10xf32>
  %12 = graph.reshape %11 : tensor<10xf32> -> tensor<10x1xf32>
  %13 = graph.full 0.0142857144 : tensor<10x1xf32>
  %14 = graph.mul %12, %13 : tensor<10x1xf32>
  %15 = graph.full 1.0e-05 : tensor<10x1xf32>
  %16 = graph.add %14, %15 : tensor<10x1xf32>
  %17 = graph.rsqrt %16 : tensor<10x1xf32>
  %18 = graph.broadcast %17 dims [0, 1] : tensor<10x1xf32> -> tensor<10x70xf32>
  %19 = graph.mul %9, %18 : tensor<10x70xf32>
  %20 = graph.convert %19 : tensor<10x70xf32> -> tensor<10x70xbf16>
  %21 = graph.broadcast %1 dims [1] : tensor<70xbf16> -> tensor<10x70xbf16>
  %22 = graph.mul %20, %21 : tensor<10x70xbf16>
  %23 = graph.broadcast %2 dims [1] : tensor<70xbf16> -> tensor<10x70xbf16>
  %24 = graph.add %22, %23 : tensor<10x70xbf16>
  func.return %24 : tensor<10x70xbf16>
}
