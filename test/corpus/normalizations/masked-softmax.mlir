func.func @main(%0: tensor<2x3x9x9xf32>, %1: tensor<2x1x1x9xi1>) -> tensor<2x3x9x9xf32> {
  %2 = graph.broadcast %1 dims [0, 1, 2, 3] : tensor<2x1x1x9xi1> -> tensor<2x3x9x9xi1>
  %3 = graph.full 0.125 : tensor<2x3x9x9xf32>
  %4 = graph.mul %0, %3 : tensor<2x3x9x9xf32>
  %5 = graph.full -1.0e+09 : tensor<2x3x9x9xf32>
  %6 = graph.select %2, %4, %5 : tensor<2x3x9x9xf32>
  %7 = graph.reduce max %6 dims [3] : tensor<2x3x9x9xf32> -> tensor<2x3x9xf32>
  %8 = graph.reshape %7 : tensor<2x3x9xf32> -> tensor<2x3x9x1xf32>
  %9 = graph.broadcast %8 dims [0, 1, 2, 3] : tensor<2x3x9x1xf32> -> tensor<2x3x9x9xf32>
  %10 = graph.sub %6, %9 : tensor<2x3x9x9xf32>
  %11 = graph.exp %10 : tensor<2x3x9x9xf32>
  %12 = graph.reduce sum %11 dims [3] : tensor<2x3x9x9xf32> -> tensor<2x3x9xf32>
  %13 = graph.reshape %12 : tensor<2x3x9xf32> -> tensor<2x3x9x1xf32>
  %14 = graph.broadcast %13 dims [0, 1, 2, 3] : tensor<2x3x9x1xf32> -> tensor<2x3x9x9xf32>
  %15 = graph.div %11, %14 : tensor<2x3x9x9xf32>
  func.return %15 : tensor<2x3x9x9xf32>
}
