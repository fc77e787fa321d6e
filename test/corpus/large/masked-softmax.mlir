func.func @main(%0: tensor<2x4x130x130xf32>, %1: tensor<130x130xi1>) -> tensor<2x4x130x130xf32> {
  %2 = graph.broadcast %1 dims [2, 3] : tensor<130x130xi1> -> tensor<2x4x130x130xi1>
  %3 = graph.full 0.125 : tensor<2x4x130x130xf32>
  %4 = graph.mul %0, %3 : tensor<2x4x130x130xf32>
  %5 = graph.full -1.0e+09 : tensor<2x4x130x130xf32>
  %6 = graph.select %2, %4, %5 : tensor<2x4x130x130xf32>
  %7 = graph.reduce max %6 dims [3] : tensor<2x4x130x130xf32> -> tensor<2x4x130xf32>
  %8 = graph.reshape %7 : tensor<2x4x130xf32> -> tensor<2x4x130x1xf32>
  %9 = graph.broadcast %8 dims [0, 1, 2, 3] : tensor<2x4x130x1xf32> -> tensor<2x4x130x130xf32>
  %10 = graph.sub %6, %9 : tensor<2x4x130x130xf32>
  %11 = graph.exp %10 : tensor<2x4x130x130xf32>
  %12 = graph.reduce sum %11 dims [3] : tensor<2x4x130x130xf32> -> tensor<2x4x130xf32>
  %13 = graph.reshape %12 : tensor<2x4x130xf32> -> tensor<2x4x130x1xf32>
  %14 = graph.broadcast %13 dims [0, 1, 2, 3] : tensor<2x4x130x1xf32> -> tensor<2x4x130x130xf32>
  %15 = graph.div %11, %14 : tensor<2x4x130x130xf32>
  func.return %15 : tensor<2x4x130x130xf32>
}
