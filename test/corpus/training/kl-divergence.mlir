func.func @main(%0: tensor<14x20xf32>, %1: tensor<14x20xf32>) -> tensor<14xf32> {
  %2 = graph.reduce max %0 dims [1] : tensor<14x20xf32> -> tensor<14xf32>
  %3 = graph.reshape %2 : tensor<14xf32> -> tensor<14x1xf32>
  %4 = graph.broadcast %3 dims [0, 1] : tensor<14x1xf32> -> tensor<14x20xf32>
  %5 = graph.sub %0, %4 : tensor<14x20xf32>
  %6 = graph.exp %5 : tensor<14x20xf32>
  %7 = graph.reduce sum %6 dims [1] : tensor<14x20xf32> -> tensor<14xf32>
  %8 = graph.reshape %7 : tensor<14xf32> -> tensor<14x1xf32>
  %9 = graph.broadcast %8 dims [0, 1] : tensor<14x1xf32> -> tensor<14x20xf32>
  %10 = graph.div %6, %9 : tensor<14x20xf32>
  %11 = graph.reduce max %1 dims [1] : tensor<14x20xf32> -> tensor<14xf32>
  %12 = graph.reshape %11 : tensor<14xf32> -> tensor<14x1xf32>
  %13 = graph.broadcast %12 dims [0, 1] : tensor<14x1xf32> -> tensor<14x20xf32>
  %14 = graph.sub %1, %13 : tensor<14x20xf32>
  %15 = graph.exp %14 : tensor<14x20xf32>
  %16 = graph.reduce sum %15 dims [1] : tensor<14x20xf32> -> tensor<14xf32>
  %17 = graph.reshape %16 : tensor<14xf32> -> tensor<14x1xf32>
  %18 = graph.broadcast %17 dims [0, 1] : tensor<14x1xf32> -> tensor<14x20xf32>
  %19 = graph.div %15, %18 : tensor<14x20xf32>
  %20 = graph.log %10 : tensor<14x20xf32>
  %21 = graph.log %19 : tensor<14x20xf32>
  %22 = graph.sub %20, %21 : tensor<14x20xf32>
  %23 = graph.mul %10, %22 : tensor<14x20xf32>
  %24 = graph.reduce sum %23 dims [1] : tensor<14x20xf32> -> tensor<14xf32>
  func.return %24 : tensor<14xf32>
}
