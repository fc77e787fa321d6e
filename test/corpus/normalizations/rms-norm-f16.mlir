func.func @main(%0: tensor<10x70xf16>, %1: tensor<70xf16>) -> tensor<10x70xf16> {
  %2 = graph.convert %0 : tensor<10x70xf16> -> tensor<10x70xf32>
  %3 = graph.mul %2, %2 : tensor<10x70xf32>
  %4 = graph.reduce sum %3 dims [1] : tensor<10x70xf32> -> tensor<10xf32>
  %5 = graph.reshape %4 : tensor<10xf32> -> tensor<10x1xf32>
  %6 = graph.full 0.0142857144 : tensor<10x1xf32>
  %7 = graph.mul %5, %6 : tensor<10x1xf32>
  %8 = graph.full 1.0e-06 : tensor<10x1xf32>
  %9 = graph.add %7, %8 : tensor<10x1xf32>
  %10 = graph.rsqrt %9 : tensor<10x1xf32>
  %11 = graph.broadcast %10 dims [0, 1] : tensor<10x1xf32> -> tensor<10x70xf32>
  %12 = graph.mul %2, %11 : tensor<10x70xf32>
  %13 = graph.convert %12 : tensor<10x70xf32> -> tensor<10x70xf16>
  %14 = graph.broadcast %1 dims [1] : tensor<70xf16> -> tensor<10x70xf16>
  %15 = graph.mul %13, %14 : tensor<10x70xf16>
  func.return %15 : tensor<10x70xf16>
}
