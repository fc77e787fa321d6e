func.func @main(%0: tensor<4x6x5x3xf32>, %1: tensor<6x1x1xf32>, %2: tensor<6x1x1xf32>, %3: tensor<6x1x1xf32>, %4: tensor<6x1x1xf32>) -> tensor<4x6x5x3xf32> {
  %5 = graph.broadcast %1 dims [1, 2, 3] : tensor<6x1x1xf32> -> tensor<4x6x5x3xf32>
  %6 = graph.sub %0, %5 : tensor<4x6x5x3xf32>
  %7 = graph.abs %2 : tensor<6x1x1xf32>
  %8 = graph.full 1.0e-05 : tensor<6x1x1xf32>
  %9 = graph.add %7, %8 : tensor<6x1x1xf32>
  %10 = graph.rsqrt %9 : tensor<6x1x1xf32>
  %11 = graph.broadcast %10 dims [1, 2, 3] : tensor<6x1x1xf32> -> tensor<4x6x5x3xf32>
  %12 = graph.mul %6, %11 : tensor<4x6x5x3xf32>
  %13 = graph.broadcast %3 dims [1, 2, 3] : tensor<6x1x1xf32> -> tensor<4x6x5x3xf32>
  %14 = graph.mul %12, %13 : tensor<4x6x5x3xf32>
  %15 = graph.broadcast %4 dims [1, 2, 3] : tensor<6x1x1xf32> -> tensor<4x6x5x3xf32>
  %16 = graph.add %14, %15 : tensor<4x6x5x3xf32>
  func.return %16 : tensor<4x6x5x3xf32>
}
