func.func @main(%0: tensor<2x6x5x4xf32>) -> tensor<2x6x5x4xf32> {
  %1 = graph.reduce sum %0 dims [2, 3] : tensor<2x6x5x4xf32> -> tensor<2x6xf32>
  %2 = graph.reshape %1 : tensor<2x6xf32> -> tensor<2x6x1x1xf32>
  %3 = graph.full 0.05 : tensor<2x6x1x1xf32>
  %4 = graph.mul %2, %3 : tensor<2x6x1x1xf32>
  %5 = graph.broadcast %4 dims [0, 1, 2, 3] : tensor<2x6x1x1xf32> -> tensor<2x6x5x4xf32>
  %6 = graph.sub %0, %5 : tensor<2x6x5x4xf32>
  %7 = graph.mul %6, %6 : tensor<2x6x5x4xf32>
  %8 = graph.reduce sum %7 dims [2, 3] : tensor<2x6x5x4xf32> -> tensor<2x6xf32>
  %9 = graph.reshape %8 : tensor<2x6xf32> -> tensor<2x6x1x1xf32>
  %10 = graph.full 0.05 : tensor<2x6x1x1xf32>
  %11 = graph.mul %9, %10 : tensor<2x6x1x1xf32>
  %12 = graph.full 1.0e-05 : tensor<2x6x1x1xf32>
  %13 = graph.add %11, %12 : tensor<2x6x1x1xf32>
  %14 = graph.rsqrt %13 : tensor<2x6x1x1xf32>
  %15 = graph.broadcast %14 dims [0, 1, 2, 3] : tensor<2x6x1x1xf32> -> tensor<2x6x5x4xf32>
  %16 = graph.mul %6, %15 : tensor<2x6x5x4xf32>
  func.return %16 : tensor<2x6x5x4xf32>
}
