func.func @main(%0: tensor<4x6x10xf32>, %1: tensor<6x10xf32>) -> tensor<4x6x10xf32> {
  %2 = graph.reduce sum %0 dims [1, 2] : tensor<4x6x10xf32> -> tensor<4xf32>
  %3 = graph.reshape %2 : tensor<4xf32> -> tensor<4x1x1xf32>
  %4 = graph.full 0.0166666675 : tensor<4x1x1xf32>
  %5 = graph.mul %3, %4 : tensor<4x1x1xf32>
  %6 = graph.broadcast %5 dims [0, 1, 2] : tensor<4x1x1xf32> -> tensor<4x6x10xf32>
  %7 = graph.sub %0, %6 : tensor<4x6x10xf32>
  %8 = graph.mul %7, %7 : tensor<4x6x10xf32>
  %9 = graph.reduce sum %8 dims [1, 2] : tensor<4x6x10xf32> -> tensor<4xf32>
  %10 = graph.reshape %9 : tensor<4xf32> -> tensor<4x1x1xf32>
  %11 = graph.full 0.0166666675 : tensor<4x1x1xf32>
  %12 = graph.mul %10, %11 : tensor<4x1x1xf32>
  %13 = graph.full 1.0e-05 : tensor<4x1x1xf32>
  %14 = graph.add %12, %13 : tensor<4x1x1xf32>
  %15 = graph.rsqrt %14 : tensor<4x1x1xf32>
  %16 = graph.broadcast %15 dims [0, 1, 2] : tensor<4x1x1xf32> -> tensor<4x6x10xf32>
  %17 = graph.mul %7, %16 : tensor<4x6x10xf32>
  %18 = graph.broadcast %1 dims [1, 2] : tensor<6x10xf32> -> tensor<4x6x10xf32>
  %19 = graph.mul %17, %18 : tensor<4x6x10xf32>
  func.return %19 : tensor<4x6x10xf32>
}
