func.func @main(%0: tensor<2x3x9x9xf32>, %1: tensor<3x9x9xf32>) -> tensor<2x3x9x9xf32> {
  %2 = graph.full 0.25 : tensor<2x3x9x9xf32>
  %3 = graph.mul %0, %2 : tensor<2x3x9x9xf32>
  %4 = graph.broadcast %1 dims [1, 2, 3] : tensor<3x9x9xf32> -> tensor<2x3x9x9xf32>
  %5 = graph.add %3, %4 : tensor<2x3x9x9xf32>
  %6 = graph.reduce max %5 dims [3] : tensor<2x3x9x9xf32> -> tensor<2x3x9xf32>
  %7 = graph.reshape %6 : tensor<2x3x9xf32> -> tensor<2x3x9x1xf32>
  %8 = graph.broadcast %7 dims [0, 1, 2, 3] : tensor<2x3x9x1xf32> -> tensor<2x3x9x9xf32>
  %9 = graph.sub %5, %8 : tensor<2x3x9x9xf32>
  %10 = graph.exp %9 : tensor<2x3x9x9xf32>
  %11 = graph.reduce sum %10 dims [3] : tensor<2x3x9x9xf32> -> tensor<2x3x9xf32>
  %12 = graph.reshape %11 : tensor<2x3x9xf32> -> tensor<2x3x9x1xf32>
  %13 = graph.broadcast %12 dims [0, 1, 2, 3] : tensor<2x3x9x1xf32> -> tensor<2x3x9x9xf32>
  %14 = graph.div %10, %13 : tensor<2x3x9x9xf32>
  func.return %14 : tensor<2x3x9x9xf32>
}
